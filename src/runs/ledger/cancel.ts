/**
 * Cancels a run in the database: its segment, questions, open steps and sub-workflows, in one transaction. Temporal is notified
 * afterwards through the outbox; after the commit no late success can overwrite the cancellation.
 */
import { settle } from '../../billing/settlement.ts';
import type { Db, Tx } from '../../db/client.ts';
import { closeUnsettled, type RunStatus } from './events.ts';
import { addOutbox } from './outbox-entry.ts';
import { readCurrentSegment, type SegmentKey } from './segments.ts';
import type { StepStatus } from './steps.ts';

// The parent of a sub-workflow's run is the segment that called it; the run itself may have several segments.
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

/** Channel of LISTEN/NOTIFY; the message is the root_run_pk of a cancelled run, whose work should stop. */
export const CANCELLATIONS_CHANNEL = 'run_cancellations';

/**
 * Ends the running steps of runs that the caller's transaction has ended: a worker that was considered lost may have started
 * one. The step of an answered question stays in its segment.
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

/** Cancels the open steps of these runs, sets their open questions to the status `questions`, and notifies the workers. */
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
 * Cancels the current segment of a run and all runs below it, without settling their credits: the caller settles several runs at
 * once. The caller has locked the segment (readCurrentSegment).
 * @returns the run_pks that were ended; none when the segment had ended before, and then nothing was written
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
  // Each execution gets its own entry: after continue-as-new a parent no longer knows the children that it does not wait for.
  for (const ended of tree) await addOutbox(tx, { ...ended, kind: 'cancel' });
  return tree.map(({ runPk }) => runPk);
}

/**
 * Cancels the current segment of a run and all runs below it, and settles their credits. The caller has locked the segment.
 * @returns false when the segment had ended before; then nothing was written
 */
export async function cancelTree(tx: Tx, run: SegmentKey, reason: string | null): Promise<boolean> {
  const ended = await cancelUnsettled(tx, run, { reason, questions: 'cancelled' });
  // Accounts are locked last, after all runs.
  if (ended.length > 0) await settle(tx, ended);
  return ended.length > 0;
}

interface Cancellation {
  readonly status: RunStatus;
  readonly previousStatus: RunStatus;
  readonly alreadyTerminal: boolean;
}

/**
 * Cancels a running or waiting run (SPEC RUN-4.2); idempotent. A segment whose question was answered has ended: its successor is
 * not cancelled.
 */
export async function cancelRun(db: Db, run: SegmentKey, reason: string | null): Promise<Cancellation> {
  return db.transaction(async (tx) => {
    const current = await readCurrentSegment(tx, run, true);
    if (current === null) return { status: 'cancelled', previousStatus: 'cancelled', alreadyTerminal: true };
    // Only a waiting segment is resumed by another.
    const status = current.runPk === run.runPk ? current.status : 'interrupted';
    const isCancelled = current.runPk === run.runPk && (await cancelTree(tx, run, reason));
    return {
      status: isCancelled ? 'cancelled' : status,
      previousStatus: status,
      alreadyTerminal: !isCancelled,
    };
  });
}
