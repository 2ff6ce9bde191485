/**
 * The workflow that a Temporal Schedule starts: accepts the run of one scheduled time and runs it as a child. It lives as long
 * as its run, so that the overlap policy of the schedule applies to the run.
 */
import {
  CancellationScope,
  ChildWorkflowCancellationType,
  ParentClosePolicy,
  WorkflowIdReusePolicy,
  executeChild,
  isCancellation,
  setWorkflowOptions,
  workflowInfo,
} from '@temporalio/workflow';
import { WORKFLOW_TYPE, buildChildOptions } from '../contract.ts';
import type { StartDescription } from '../../src/engine/runs/engine.ts';
import type { Firing } from '../../src/engine/schedules/schedule-engine.ts';
import type { ScheduledInput } from '../contract.ts';
import { declareVersioning } from '../ingest/versioning.ts';
import { isTermination } from './attempts.ts';
import { ledgerActivities } from './activities.ts';

/** Below the priority of runs that people wait for; a smaller number is a higher priority. */
const PRIORITY = 4;
/** Characters; Temporal's limit is 200 bytes, and a character has at most three. */
const SUMMARY_LENGTH = 60;

setWorkflowOptions(declareVersioning('PINNED'), scheduledRun);

export async function scheduledRun(input: ScheduledInput): Promise<{ run_id: string | null }> {
  const { organizationId, scheduleId } = input;
  const firing: Firing = { organizationId, scheduleId, scheduledAt: scheduledTime().toISOString() };
  // Not cancellable: a run that was accepted must be known here, to be closed.
  const start = await CancellationScope.nonCancellable(() => ledgerActivities.acceptScheduled(firing));
  if (start === null) return { run_id: null };
  try {
    await interpret(start, input);
  } catch (error) {
    // settleScheduled reads the end of a run that failed or was cancelled from its row.
    if (!isCancellation(error) || !CancellationScope.current().consideredCancelled) {
      await ledgerActivities.settleScheduled(firing, isTermination(error));
      return { run_id: start.runId };
    }
    await CancellationScope.nonCancellable(async () => {
      await ledgerActivities.closeCancelled(start, 'Cancelled by its schedule');
      await ledgerActivities.settleScheduled(firing);
    });
    throw error;
  }
  await ledgerActivities.settleScheduled(firing);
  return { run_id: start.runId };
}

/** Reads the scheduled time; the start of the execution when no schedule fired it. */
function scheduledTime(): Date {
  const times = workflowInfo().typedSearchAttributes.get({
    name: 'TemporalScheduledStartTime',
    type: 'DATETIME',
  });
  return times ?? workflowInfo().startTime;
}

/** Runs the child. @throws when it fails, is cancelled, or is already running for the same scheduled time */
async function interpret(start: StartDescription, input: ScheduledInput): Promise<void> {
  await executeChild(WORKFLOW_TYPE, {
    ...buildChildOptions(start, input),
    workflowIdReusePolicy: WorkflowIdReusePolicy.REJECT_DUPLICATE,
    cancellationType: ChildWorkflowCancellationType.WAIT_CANCELLATION_COMPLETED,
    // With the policy `terminate_other` the run is cancelled, so that its record ends, too.
    parentClosePolicy: ParentClosePolicy.REQUEST_CANCEL,
    staticSummary: `${start.workflowName} · v${start.workflowVersion} · schedule`.slice(0, SUMMARY_LENGTH),
    priority: { priorityKey: PRIORITY, fairnessKey: start.organizationId },
  });
}
