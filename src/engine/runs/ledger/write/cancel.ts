/**
 * Cancels a run in the database: its segment, questions, open steps and sub-workflows, in one transaction. Temporal is notified
 * afterwards through the outbox; after the commit no late success can overwrite the cancellation.
 */
import { settle } from '../../../../platform/billing/settlement.ts';
import type { Db, Sql, Tx } from '../../../../base/db/client.ts';
import { closeUnsettled, type RunStatus } from './events.ts';
import { addOutbox } from './outbox-entry.ts';
import { closeQuestions } from '../questions/questions.ts';
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

/** Why a run fails whose execution has ended without it. */
interface LostExecution {
  readonly code: string;
  readonly message: string;
}
export const LOST: LostExecution = {
  code: 'lost_execution',
  message: 'The execution of the run was lost',
};
export const TERMINATED: LostExecution = {
  code: 'terminated',
  message: 'The run was terminated by an operator',
};

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

/** Ends the waiting steps of visits whose loop came round, in whatever segment they wait. */
export async function abandonVisits(
  sql: Sql,
  rootRunPk: string,
  visits: readonly { readonly nodeId: string; readonly visit: number }[],
): Promise<void> {
  // The step of an answered question stays in its segment, and its end is in a later one.
  await sql.query(
    `UPDATE run_steps s SET status = 'cancelled', completed_at = clock_timestamp()
     FROM unnest($2::text[], $3::int[]) AS v(node_id, visit)
     WHERE s.root_run_pk = $1 AND s.node_id = v.node_id AND s.visit = v.visit AND s.status IN ('running', 'interrupted')
       AND NOT EXISTS (SELECT 1 FROM run_steps e WHERE e.root_run_pk = $1 AND e.node_id = s.node_id AND e.visit = s.visit
                         AND e.item_index = s.item_index AND e.turn = s.turn AND e.call = s.call AND e.outcome IS NOT NULL)`,
    [rootRunPk, visits.map(({ nodeId }) => nodeId), visits.map(({ visit }) => visit)],
  );
}

/** Cancels the open steps of these runs, sets their open questions to the status `questions`, and notifies the workers. */
export async function cancelOpenWork(
  tx: Tx,
  rootRunPks: readonly string[],
  questions: 'cancelled' | 'superseded',
): Promise<void> {
  await closeQuestions(tx, rootRunPks, questions);
  await abandonSteps(tx, rootRunPks, ['running', 'interrupted']);
  for (const rootRunPk of rootRunPks) tx.notifyAfterCommit(CANCELLATIONS_CHANNEL, rootRunPk);
}

interface TreeEnd {
  readonly reason: string | null;
  readonly questions: 'cancelled' | 'superseded';
  /** With it the run itself fails; the runs below it are cancelled. */
  readonly failure?: LostExecution;
}

/**
 * Cancels the current segment of a run and all runs below it, without settling their credits: the caller settles several runs at
 * once. The caller has locked the segment (readCurrentSegment).
 * @returns the run_pks that were ended; none when the segment had ended before, and then nothing was written
 */
export async function cancelUnsettled(
  tx: Tx,
  run: SegmentKey,
  { reason, questions, failure }: TreeEnd,
): Promise<string[]> {
  const from: RunStatus[] = ['running', 'interrupted'];
  const closing = { from, status: 'cancelled', payload: { reason }, reason } as const;
  const error = failure === undefined ? null : { ...failure, node_id: null };
  const own = error === null ? closing : ({ from, status: 'failed', payload: { error }, error } as const);
  if (!(await closeUnsettled(tx, { ...own, runPk: run.runPk }))) return [];
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

/**
 * Ends an open run whose execution is gone, as failed, and cancels all runs below it, also those that nobody waits for. Does
 * nothing when the run has ended. The caller has locked the segment.
 */
export async function failTree(tx: Tx, run: SegmentKey, failure: LostExecution): Promise<void> {
  const ended = await cancelUnsettled(tx, run, { reason: failure.message, questions: 'cancelled', failure });
  if (ended.length > 0) await settle(tx, ended);
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
