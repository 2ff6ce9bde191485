/**
 * Accepts the run of one firing exactly once, however often Temporal delivers it (SPEC REL-R64), and counts its end. A firing
 * that cannot run leaves a failed record with the reason; a firing denied by the gate leaves none.
 */
import type { StartDescription } from '../runs/engine.ts';
import type { Firing } from './schedule-engine.ts';
import { buildAdmission } from '../../platform/billing/admission.ts';
import type { Db, Sql, Tx } from '../../base/db/client.ts';
import { ApiError } from '../../base/errors.ts';
import { ownValue } from '../../language/graph/values/value.ts';
import { noteFiringDenied, noteRunAccepted } from '../../base/observe/metrics.ts';
import { acceptIn } from '../runs/accept/accept.ts';
import { readAcceptedStart } from '../runs/ledger/write/starts.ts';
import { fillInput } from '../../language/graph/definition/input-parameters.ts';
import { describeMissing } from '../runs/accept/run-input.ts';
import { insertFailedRecord, StartRefused } from '../runs/accept/failed-record.ts';
import { chooseLimits, findReachedRunLimit } from '../runs/accept/limits.ts';
import { readDefinitionSettings } from '../runs/ledger/write/definitions.ts';
import { TERMINATED, failTree } from '../runs/ledger/write/cancel.ts';
import type { RunStatus } from '../runs/ledger/write/events.ts';
import { UNATTENDED, type NewRun } from '../runs/ledger/write/insert-runs.ts';
import { readCurrentSegment } from '../runs/ledger/write/segments.ts';
import { findRunnable, type RunnableDeployment } from '../runs/ledger/read/workflows.ts';
import { readFiredDepth } from './fired-depth.ts';
import {
  countFailure,
  countRun,
  countSkip,
  countSuccess,
  findOpenRun,
  lockSchedule,
  setLastRun,
  type LockedSchedule,
} from './schedule-counts.ts';
import { noteDelivered } from './overdue.ts';
import { enqueueScheduleSync } from './schedule-orders.ts';

/** The organization has reached its limit of concurrent runs. */
class TooManyRuns extends Error {
  override readonly name = 'TooManyRuns';
}

/** True for a denial by the billing gate or by the limit of concurrent runs (SPEC RUN-4.4). */
const isDenial = (error: unknown): boolean =>
  error instanceof TooManyRuns || (error instanceof ApiError && error.failure.shape === 'D');

/** Finds the run of a firing; null before it was accepted. */
async function findFiring(
  tx: Sql,
  firing: Firing,
): Promise<{ readonly runPk: string; readonly status: RunStatus } | null> {
  const rows = await tx.query<{ runPk: string; status: RunStatus }>(
    `SELECT r.id AS "runPk", r.status
     FROM schedule_firings f JOIN runs r ON r.id = f.run_pk WHERE f.schedule_id = $1 AND f.scheduled_at = $2`,
    [firing.scheduleId, firing.scheduledAt],
  );
  return rows[0] ?? null;
}

async function insertFiring(
  tx: Sql,
  firing: Firing,
  { runPk, isSettled }: { readonly runPk: string; readonly isSettled: boolean },
): Promise<void> {
  await tx.query(
    'INSERT INTO schedule_firings (schedule_id, scheduled_at, run_pk, is_settled) VALUES ($1, $2, $3, $4)',
    [firing.scheduleId, firing.scheduledAt, runPk, isSettled],
  );
}

/** Finds the current live deployment. @throws StartRefused without one */
async function requireLiveDeployment(tx: Sql, schedule: LockedSchedule): Promise<RunnableDeployment> {
  const found = await findRunnable(tx, schedule, 'live');
  if (found !== null && found !== 'none') return found;
  throw new StartRefused('workflow_not_deployed', 'The workflow has no active deployment. Deploy it first');
}

async function buildRun(tx: Sql, schedule: LockedSchedule, firing: Firing): Promise<NewRun> {
  const { organizationId, plan, overrides, isSuspended } = schedule;
  const deployment = await requireLiveDeployment(tx, schedule);
  const { config, parameters } = await readDefinitionSettings(tx, organizationId, deployment.definitionHash);
  const inputs = { workflowInput: deployment.input, runInput: schedule.input };
  const { input, missing } = fillInput(parameters, inputs);
  const problem = describeMissing(missing);
  if (problem !== null) throw new StartRefused('invalid_input', problem);
  const threadId = ownValue(schedule.config, 'thread_id');
  return {
    ...deployment,
    organizationId,
    createdBy: schedule.createdBy,
    admission: buildAdmission({ organizationId, subscription: { plan, overrides, isSuspended } }),
    triggerType: 'schedule',
    ...UNATTENDED,
    threadId: typeof threadId === 'string' ? threadId : null,
    chatKind: 'workflow',
    messagePreview: schedule.name,
    ...chooseLimits(schedule.config, deployment.config, config),
    workflowInput: deployment.input,
    runInput: input,
    childDepth: await readFiredDepth(tx, firing),
  };
}

interface AcceptedFiring {
  readonly runPk: string;
  /** False: an earlier call accepted it. */
  readonly isNew: boolean;
}

/**
 * Skips a firing when the policy is `skip` and a run of the schedule is open. Temporal could decide this as well, but does not
 * tell which firing was skipped for which run. A skipped firing stays skipped when it is delivered again.
 */
async function skipIfOverlapping(tx: Tx, schedule: LockedSchedule, firing: Firing): Promise<boolean> {
  const { overlapPolicy, lastSkippedAt, scheduleId } = schedule;
  if (overlapPolicy !== 'skip') return false;
  if (lastSkippedAt?.getTime() === Date.parse(firing.scheduledAt)) return true;
  const openRunId = await findOpenRun(tx, scheduleId);
  if (openRunId === null) return false;
  await countSkip(tx, firing, openRunId);
  return true;
}

async function acceptFiring(tx: Tx, firing: Firing): Promise<AcceptedFiring | null> {
  const schedule = await lockSchedule(tx, firing);
  if (schedule === null) {
    // The row is missing: the deletion has not reached Temporal yet, or a backup was restored.
    await enqueueScheduleSync(tx, firing);
    return null;
  }
  const before = await findFiring(tx, firing);
  if (before !== null) return before.status === 'running' ? { runPk: before.runPk, isNew: false } : null;
  if (schedule.maxRuns !== null && schedule.runCount >= schedule.maxRuns) return null;
  if (await skipIfOverlapping(tx, schedule, firing)) return null;
  const run = await buildRun(tx, schedule, firing);
  if ((await findReachedRunLimit(tx, schedule.organizationId)) !== null) throw new TooManyRuns();
  const { runPk, runId } = await acceptIn(tx, run);
  await insertFiring(tx, firing, { runPk, isSettled: false });
  await countRun(tx, schedule.scheduleId, runId);
  return { runPk, isNew: true };
}

async function recordRefusal(tx: Tx, firing: Firing, refusal: StartRefused): Promise<void> {
  const schedule = await lockSchedule(tx, firing);
  if (schedule === null || (await findFiring(tx, firing)) !== null) return;
  const { code, message } = refusal;
  const { runPk, runId } = await insertFailedRecord(tx, {
    organizationId: schedule.organizationId,
    createdBy: schedule.createdBy,
    workflowId: schedule.workflowId,
    workflowName: schedule.workflowName,
    workflowVersion: schedule.workflowVersion,
    triggerType: 'schedule',
    input: schedule.input,
    error: { code, message },
  });
  await insertFiring(tx, firing, { runPk, isSettled: true });
  await setLastRun(tx, schedule.scheduleId, runId);
  await countFailure(tx, schedule.scheduleId, message);
}

/**
 * Accepts the run of a firing: the current live deployment, through the billing gate. A repeated call returns the same run.
 * @returns null when there is nothing to start: the run has ended, the schedule was deleted or has reached `max_runs`, the
 *   firing was skipped or denied, or it left a failed record
 */
export async function acceptScheduledRun(db: Db, firing: Firing): Promise<StartDescription | null> {
  await noteDelivered(db, firing);
  try {
    const accepted = await db.transaction((tx) => acceptFiring(tx, firing));
    if (accepted === null) return null;
    if (accepted.isNew) noteRunAccepted('schedule');
    const { organizationId } = firing;
    return (await readAcceptedStart(db, { organizationId, rootRunPk: accepted.runPk }))?.start ?? null;
  } catch (error) {
    if (isDenial(error)) {
      noteFiringDenied();
      return null;
    }
    // Temporal retries the activity after an unexpected error.
    if (!(error instanceof StartRefused)) throw error;
    // The transaction of the refused firing was rolled back.
    await db.transaction((tx) => recordRefusal(tx, firing, error));
    return null;
  }
}

// Marks a firing as settled, once, when the newest segment of its run has ended.
const SETTLE = `
  UPDATE schedule_firings f SET is_settled = true
  FROM (SELECT root_run_pk, status, error->>'message' AS message FROM newest_segments) AS r
  WHERE f.schedule_id = $1 AND f.scheduled_at = $2 AND NOT f.is_settled AND r.root_run_pk = f.run_pk
    AND r.status IN ('completed', 'failed', 'cancelled')
  RETURNING r.status, r.message`;

/** Fails the run of a firing whose execution was terminated, unless it has ended. */
async function failTerminated(tx: Tx, firing: Firing): Promise<void> {
  const run = await findFiring(tx, firing);
  if (run === null) return;
  const { organizationId } = firing;
  const segment = await readCurrentSegment(tx, { organizationId, rootRunPk: run.runPk }, true);
  if (segment !== null) await failTree(tx, segment, TERMINATED);
}

/**
 * Counts the end of a firing's run, once; does nothing while the run is open.
 * @param isTerminated the run's execution was terminated, so the run ends here
 */
export async function settleScheduledRun(db: Db, firing: Firing, isTerminated = false): Promise<void> {
  if (isTerminated) await db.transaction((tx) => failTerminated(tx, firing));
  await db.transaction(async (tx) => {
    const schedule = await lockSchedule(tx, firing);
    if (schedule === null) return;
    const [ended] = await tx.query<{ status: RunStatus; message: string | null }>(SETTLE, [
      firing.scheduleId,
      firing.scheduledAt,
    ]);
    if (ended?.status === 'completed') await countSuccess(tx, schedule.scheduleId);
    if (ended?.status === 'failed') await countFailure(tx, schedule.scheduleId, ended.message ?? 'unknown');
  });
}
