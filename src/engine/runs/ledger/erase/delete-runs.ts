/**
 * Deletes ended runs with all that belongs to them: their segments and those of their sub-workflows, steps, values, events, questions,
 * the messages of their threads, and the notifications about them. Their charges are kept.
 */
import type { Db, Tx } from '../../../../base/db/client.ts';
import { readSqlState } from '../../../../base/db/transient-error.ts';

// Each run with the runs below it, and all their segments. Sub-workflows of a segment have it as their parent.
const LOCK_TREES = `
  WITH RECURSIVE tree AS (
    SELECT id, root_run_pk, root_run_pk AS top FROM runs WHERE root_run_pk = ANY ($1::uuid[])
    UNION
    SELECT r.id, r.root_run_pk, tree.top
    FROM tree JOIN runs c ON c.parent_run_pk = tree.id JOIN runs r ON r.root_run_pk = c.root_run_pk
  )
  SELECT tree.top, r.id, r.status = 'running' OR r.status = 'interrupted' AND NOT EXISTS (
           SELECT 1 FROM runs next WHERE next.resumed_from_run_pk = r.id) AS "isOpen"
  FROM tree JOIN runs r ON r.id = tree.id ORDER BY r.id FOR UPDATE OF r`;

interface LockedRun {
  /** The first segment at the top of its tree. */
  readonly top: string;
  readonly id: string;
  readonly isOpen: boolean;
}

const FIND_REUSED = `
  SELECT DISTINCT s.run_pk AS id
  FROM run_steps s JOIN run_steps later ON later.reused_from = s.step_id JOIN runs rerun ON rerun.id = later.run_pk
  WHERE s.run_pk = ANY ($1::uuid[]) AND NOT later.run_pk = ANY ($1::uuid[]) AND ($2 OR rerun.values_deleted_at IS NULL)`;

/** PostgreSQL's code for a row that others refer to: a rerun began meanwhile. */
const FOREIGN_KEY_VIOLATION = '23503';

type Deletion = 'deleted' | 'open' | 'reused';

interface LockedTrees {
  /** The runs of the trees that may be deleted. */
  readonly runPks: readonly string[];
  /** Trees that are kept, by their first segment. */
  readonly kept: ReadonlyMap<string, Exclude<Deletion, 'deleted'>>;
}

/**
 * Locks the trees of these first segments, and tells which must stay: those that have not ended, and those whose steps a rerun
 * refers to.
 * @param anyRerun false: a rerun without values of its own keeps none
 */
export async function lockEndedTrees(
  tx: Tx,
  rootRunPks: readonly string[],
  anyRerun: boolean,
): Promise<LockedTrees> {
  const rows = await tx.query<LockedRun>(LOCK_TREES, [rootRunPks]);
  const kept = new Map<string, Exclude<Deletion, 'deleted'>>();
  for (const { top, isOpen } of rows) if (isOpen) kept.set(top, 'open');
  for (;;) {
    const left = rows.filter(({ top }) => !kept.has(top));
    const runPks = left.map(({ id }) => id);
    const reused = await tx.query<{ id: string }>(FIND_REUSED, [runPks, anyRerun]);
    if (reused.length === 0) return { runPks, kept };
    // A tree that stays may itself reuse steps of another one.
    const ids = new Set(reused.map(({ id }) => id));
    for (const { top, id } of left) if (ids.has(id)) kept.set(top, 'reused');
  }
}

/** Deletes a chat that has no run left; else forgets what it shows of those that were deleted. */
export async function tidyChats(tx: Tx, chatIds: readonly string[]): Promise<void> {
  if (chatIds.length === 0) return;
  await tx.query(
    'DELETE FROM chats c WHERE c.id = ANY ($1::uuid[]) AND NOT EXISTS (SELECT 1 FROM runs r WHERE r.chat_id = c.id)',
    [chatIds],
  );
  await tx.query(`UPDATE chats SET title = '', last_message_preview = NULL WHERE id = ANY ($1::uuid[])`, [
    chatIds,
  ]);
}

/**
 * Deletes what senders have sent to start these runs. The delivery stays in the log of its webhook: without it, a sender that repeats the
 * request would start the run again.
 */
export const FORGET_REQUESTS = `
  UPDATE hook_deliveries SET request = 'null', response = NULL,
         error_message = CASE WHEN error_message IS NOT NULL THEN '' END
  WHERE run_pk = ANY ($1::uuid[])`;

/** Deletes locked runs. References from steps of other runs must be gone, or it fails. */
async function deleteLockedRuns(tx: Tx, runPks: readonly string[]): Promise<void> {
  await tx.query('DELETE FROM thread_messages WHERE run_pk = ANY ($1::uuid[])', [runPks]);
  // Steps refer to steps of the same run, and a check after each row would depend on their order.
  await tx.query(
    'UPDATE run_steps SET reused_from = NULL WHERE run_pk = ANY ($1::uuid[]) AND reused_from IS NOT NULL',
    [runPks],
  );
  await tx.query(FORGET_REQUESTS, [runPks]);
  await tx.query('DELETE FROM notification_events WHERE run_pk = ANY ($1::uuid[])', [runPks]);
  const deleted = await tx.query<{ chat_id: string | null }>(
    'DELETE FROM runs WHERE id = ANY ($1::uuid[]) RETURNING chat_id',
    [runPks],
  );
  await tidyChats(
    tx,
    deleted.flatMap(({ chat_id: chatId }) => (chatId === null ? [] : [chatId])),
  );
}

/** Deletes the trees of these first segments that have ended and that no rerun refers to. @returns how many */
export async function deleteTrees(
  db: Pick<Db, 'transaction'>,
  rootRunPks: readonly string[],
): Promise<number> {
  try {
    return await db.transaction(async (tx) => {
      const { runPks, kept } = await lockEndedTrees(tx, rootRunPks, true);
      await deleteLockedRuns(tx, runPks);
      return rootRunPks.length - kept.size;
    });
  } catch (error) {
    if (readSqlState(error) !== FOREIGN_KEY_VIOLATION) throw error;
    let deleted = 0;
    for (const rootRunPk of rootRunPks) if ((await deleteTree(db, rootRunPk)) === 'deleted') deleted += 1;
    return deleted;
  }
}

/**
 * Deletes the trees of these first segments, whatever their state: open runs must be cancelled in the same transaction. Reruns lose the
 * values that they reuse. @returns the number of deleted segments
 */
export async function eraseTrees(tx: Tx, rootRunPks: readonly string[]): Promise<number> {
  const rows = await tx.query<LockedRun>(LOCK_TREES, [rootRunPks]);
  const runPks = [...new Set(rows.map(({ id }) => id))];
  await tx.query(
    `UPDATE run_steps SET reused_from = NULL WHERE reused_from IN (
       SELECT step_id FROM run_steps WHERE run_pk = ANY ($1::uuid[]))`,
    [runPks],
  );
  await deleteLockedRuns(tx, runPks);
  return runPks.length;
}

/**
 * Deletes the run of a first segment, with the runs below it.
 * @returns `open` when one of them has not ended, `reused` when a rerun refers to their steps; then nothing was deleted
 */
export async function deleteTree(db: Pick<Db, 'transaction'>, rootRunPk: string): Promise<Deletion> {
  try {
    return await db.transaction(async (tx) => {
      const { runPks, kept } = await lockEndedTrees(tx, [rootRunPk], true);
      await deleteLockedRuns(tx, runPks);
      return kept.get(rootRunPk) ?? 'deleted';
    });
  } catch (error) {
    if (readSqlState(error) !== FOREIGN_KEY_VIOLATION) throw error;
    return 'reused';
  }
}
