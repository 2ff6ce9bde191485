/**
 * Cancels a run in the database: its segment, questions, open steps and sub-workflows, in one transaction. Temporal hears of
 * it afterwards, through the outbox; from the commit on no late success can overwrite it.
 */
import { settle } from '../../billing/settlement.ts';
import type { Db, Tx } from '../../db/client.ts';
import { closeUnsettled, type RunStatus } from './events.ts';
import { addOutbox } from './outbox-entry.ts';
import { readCurrentSegment, type SegmentKey } from './segments.ts';
import type { StepStatus } from './steps.ts';

// The parent of a sub-workflow's run is the segment that called it, and the run has segments of its own.
const OPEN_DESCENDANTS = `
  WITH RECURSIVE tree AS (
    SELECT id, root_run_pk FROM runs WHERE root_run_pk = $1
    UNION
    SELECT r.id, r.root_run_pk
    FROM tree JOIN runs c ON c.parent_run_pk = tree.id JOIN runs r ON r.root_run_pk = c.root_run_pk
  )
  SELECT r.organization_id AS "organizationId", r.id AS "runPk", r.root_run_pk AS "rootRunPk"
  FROM tree JOIN newest_segments r ON r.id = tree.id
  WHERE r.root_run_pk <> $1 AND r.status IN ('running', 'interrupted') ORDER BY r.id`;

/** Channel of LISTEN/NOTIFY; the message is the root_run_pk of a run whose work is useless from now on. */
export const CANCELLATIONS_CHANNEL = 'run_cancellations';

/**
 * Ends the steps that are still under way in runs that the caller's transaction has ended: a worker that was taken for lost may
 * have begun one. The step of an answered question stays in its segment.
 */
export async function abandonSteps(
  tx: Tx,
  rootRunPks: readonly string[],
  statuses: readonly StepStatus[] = ['running'],
): Promise<void> {
  await tx.query(
    `UPDATE run_steps SET status = 'cancelled', completed_at = clock_timestamp()
     WHERE root_run_pk = ANY($1::uuid[]) AND status = ANY($2::text[])`,
    [rootRunPks, statuses],
  );
}

/** Ends the open steps of these runs as cancelled and their open questions as `questions`, and notifies the workers. */
export async function cancelOpenWork(
  tx: Tx,
  rootRunPks: readonly string[],
  questions: 'cancelled' | 'superseded',
): Promise<void> {
  await tx.query(
    `UPDATE run_interrupts SET status = $2
     WHERE root_run_pk = ANY($1::uuid[]) AND status IN ('pending', 'claimed')`,
    [rootRunPks, questions],
  );
  await abandonSteps(tx, rootRunPks, ['running', 'interrupted']);
  for (const rootRunPk of rootRunPks) tx.notifyAfterCommit(CANCELLATIONS_CHANNEL, rootRunPk);
}

/**
 * Cancels the current segment of a run and everything below it, and leaves its credits to be settled by a caller who
 * cancels several. The caller has locked it (readCurrentSegment).
 * @returns the run_pks that were ended; none when the segment had ended already, and then nothing was written
 */
export async function cancelUnsettled(
  tx: Tx,
  run: SegmentKey,
  { reason, questions }: { readonly reason: string | null; readonly questions: 'cancelled' | 'superseded' },
): Promise<string[]> {
  const from: RunStatus[] = ['running', 'interrupted'];
  const closing = { from, status: 'cancelled', payload: { reason }, reason } as const;
  if (!(await closeUnsettled(tx, { ...closing, runPk: run.runPk }))) return [];
  const below = await tx.query<SegmentKey>(OPEN_DESCENDANTS, [run.rootRunPk]);
  for (const { runPk } of below) await closeUnsettled(tx, { ...closing, runPk });
  const tree = [run, ...below];
  await cancelOpenWork(
    tx,
    tree.map(({ rootRunPk }) => rootRunPk),
    questions,
  );
  // Each execution has an entry of its own: after continue-as-new a caller no longer knows of children that it does not await.
  for (const ended of tree) await addOutbox(tx, { ...ended, kind: 'cancel' });
  return tree.map(({ runPk }) => runPk);
}

/**
 * Cancels the current segment of a run and everything below it, and settles them. The caller has locked it.
 * @returns false when the segment had ended already; then nothing was written
 */
export async function cancelTree(tx: Tx, run: SegmentKey, reason: string | null): Promise<boolean> {
  const ended = await cancelUnsettled(tx, run, { reason, questions: 'cancelled' });
  // Accounts are locked last, behind all runs.
  if (ended.length > 0) await settle(tx, ended);
  return ended.length > 0;
}

interface Cancellation {
  readonly status: RunStatus;
  readonly previousStatus: RunStatus;
  readonly alreadyTerminal: boolean;
}

/**
 * Cancels a run that runs or waits (SPEC RUN-4.2); idempotent. A segment whose question was answered has ended for good:
 * its successor is left alone.
 */
export async function cancelRun(db: Db, run: SegmentKey, reason: string | null): Promise<Cancellation> {
  return db.transaction(async (tx) => {
    const current = await readCurrentSegment(tx, run, true);
    if (current === null) return { status: 'cancelled', previousStatus: 'cancelled', alreadyTerminal: true };
    // Only a segment that waits is resumed by another.
    const status = current.runPk === run.runPk ? current.status : 'interrupted';
    const isCancelled = current.runPk === run.runPk && (await cancelTree(tx, run, reason));
    return {
      status: isCancelled ? 'cancelled' : status,
      previousStatus: status,
      alreadyTerminal: !isCancelled,
    };
  });
}
