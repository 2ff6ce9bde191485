/**
 * Deletes ended runs with all that belongs to them: their segments and those of their sub-workflows, steps, values, events, questions,
 * and the messages of their threads. Their charges are kept.
 */
import type { Db, Sql, Tx } from '../../db/client.ts';
import { readSqlState } from '../../db/transient-error.ts';

// The runs below a run, and all their segments. Sub-workflows of a segment have it as their parent.
const TREE = `
  WITH RECURSIVE tree AS (
    SELECT id, root_run_pk FROM runs WHERE root_run_pk = $1
    UNION
    SELECT r.id, r.root_run_pk
    FROM tree JOIN runs c ON c.parent_run_pk = tree.id JOIN runs r ON r.root_run_pk = c.root_run_pk
  )`;

const LOCK_TREE = `
  ${TREE}
  SELECT r.id, r.status = 'running' OR r.status = 'interrupted' AND NOT EXISTS (
           SELECT 1 FROM runs next WHERE next.resumed_from_run_pk = r.id) AS "isOpen"
  FROM tree JOIN runs r ON r.id = tree.id ORDER BY r.id FOR UPDATE OF r`;

const IS_REUSED = `
  SELECT EXISTS (
    SELECT 1 FROM run_steps s JOIN run_steps later ON later.reused_from = s.step_id
    WHERE s.run_pk = ANY ($1::uuid[]) AND NOT later.run_pk = ANY ($1::uuid[])) AS "isReused"`;

/** PostgreSQL's code for a row that others refer to: a rerun began meanwhile. */
const FOREIGN_KEY_VIOLATION = '23503';

type Deletion = 'deleted' | 'open' | 'reused';

/** Deletes a chat that has no run left; else forgets what it shows of those that were deleted. */
async function tidyChats(tx: Tx, chatIds: readonly string[]): Promise<void> {
  await tx.query(
    'DELETE FROM chats c WHERE c.id = ANY ($1::uuid[]) AND NOT EXISTS (SELECT 1 FROM runs r WHERE r.chat_id = c.id)',
    [chatIds],
  );
  await tx.query(`UPDATE chats SET title = '', last_message_preview = NULL WHERE id = ANY ($1::uuid[])`, [
    chatIds,
  ]);
}

/**
 * Deletes the run of a first segment, with the runs below it.
 * @returns `open` when one of them has not ended, `reused` when a rerun refers to their steps; then nothing was deleted
 */
export async function deleteTree(db: Pick<Db, 'transaction'>, rootRunPk: string): Promise<Deletion> {
  try {
    return await db.transaction((tx) => deleteLocked(tx, rootRunPk));
  } catch (error) {
    if (readSqlState(error) !== FOREIGN_KEY_VIOLATION) throw error;
    return 'reused';
  }
}

async function deleteLocked(tx: Tx, rootRunPk: string): Promise<Deletion> {
  const rows = await tx.query<{ id: string; isOpen: boolean }>(LOCK_TREE, [rootRunPk]);
  if (rows.some(({ isOpen }) => isOpen)) return 'open';
  const runPks = rows.map(({ id }) => id);
  const [found] = await tx.query<{ isReused: boolean }>(IS_REUSED, [runPks]);
  if (found?.isReused === true) return 'reused';
  await tx.query('DELETE FROM thread_messages WHERE run_pk = ANY ($1::uuid[])', [runPks]);
  // Steps refer to steps of the same run, and a check after each row would depend on their order.
  await tx.query(
    'UPDATE run_steps SET reused_from = NULL WHERE run_pk = ANY ($1::uuid[]) AND reused_from IS NOT NULL',
    [runPks],
  );
  const deleted = await tx.query<{ chat_id: string | null }>(
    'DELETE FROM runs WHERE id = ANY ($1::uuid[]) RETURNING chat_id',
    [runPks],
  );
  await tidyChats(
    tx,
    deleted.flatMap(({ chat_id: chatId }) => (chatId === null ? [] : [chatId])),
  );
  return 'deleted';
}

// A run that waits is open, however old it is. Runs whose steps a rerun refers to are left for when the rerun is deleted.
const EXPIRED = `
  SELECT r.root_run_pk AS "rootRunPk"
  FROM organizations o JOIN runs r ON r.organization_id = o.id
  WHERE o.run_retention_days IS NOT NULL AND r.created_at < now() - make_interval(days => o.run_retention_days)
    AND r.parent_run_pk IS NULL AND r.status IN ('completed', 'failed', 'cancelled')
    AND r.completed_at < now() - make_interval(days => o.run_retention_days)
    AND NOT EXISTS (SELECT 1 FROM runs s JOIN run_steps step ON step.run_pk = s.id
                    JOIN run_steps later ON later.reused_from = step.step_id
                    WHERE s.root_run_pk = r.root_run_pk AND later.root_run_pk <> r.root_run_pk)
  LIMIT $1`;

/** Runs that one sweep deletes at most: it is repeated every few minutes, and other writers are not to wait. */
const MAX_EXPIRED = 2_000;

/** Deletes runs after the retention time of their organization. @returns how many */
export async function deleteExpiredRuns(db: Sql & Pick<Db, 'transaction'>): Promise<number> {
  let deleted = 0;
  for (const { rootRunPk } of await db.query<{ rootRunPk: string }>(EXPIRED, [MAX_EXPIRED]))
    if ((await deleteTree(db, rootRunPk)) === 'deleted') deleted += 1;
  return deleted;
}
