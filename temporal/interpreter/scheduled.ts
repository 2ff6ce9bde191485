/**
 * What a Temporal Schedule starts: accepts the run of one scheduled time and interprets it as a child. It lives as long
 * as its run, so that the schedule's overlap policy means the run.
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
import type { StartDescription } from '../../src/runs/engine.ts';
import type { Firing } from '../../src/schedules/schedule-engine.ts';
import type { ScheduledInput } from '../contract.ts';
import { ledgerActivities } from './activities.ts';

/** Runs that somebody waits for go first when a queue is backed up; smaller is sooner. */
const PRIORITY = 4;
/** 200 bytes are Temporal's limit; a character has three at most. */
const SUMMARY_LENGTH = 60;

setWorkflowOptions({ failureExceptionTypes: [Error] }, scheduledRun);

export async function scheduledRun(input: ScheduledInput): Promise<{ run_id: string | null }> {
  const { organizationId, scheduleId } = input;
  const firing: Firing = { organizationId, scheduleId, scheduledAt: scheduledTime().toISOString() };
  // A run may have been accepted by the time a cancellation comes: it must be known, to be closed.
  const start = await CancellationScope.nonCancellable(() => ledgerActivities.acceptScheduled(firing));
  if (start === null) return { run_id: null };
  try {
    await interpret(start, input);
  } catch (error) {
    // What a run that failed or was cancelled by itself came to is in its own row, where settleScheduled reads it.
    if (!isCancellation(error) || !CancellationScope.current().consideredCancelled) {
      await ledgerActivities.settleScheduled(firing);
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

/** The time that the schedule means, whenever it was fired; the execution's own start outside of schedules. */
function scheduledTime(): Date {
  const times = workflowInfo().typedSearchAttributes.get({
    name: 'TemporalScheduledStartTime',
    type: 'DATETIME',
  });
  return times ?? workflowInfo().startTime;
}

/** @throws when the run fails or is cancelled; and for a second firing of the same time, whose run is under way */
async function interpret(start: StartDescription, input: ScheduledInput): Promise<void> {
  await executeChild(WORKFLOW_TYPE, {
    ...buildChildOptions(start, input),
    workflowIdReusePolicy: WorkflowIdReusePolicy.REJECT_DUPLICATE,
    cancellationType: ChildWorkflowCancellationType.WAIT_CANCELLATION_COMPLETED,
    // Where the policy is `terminate_other` the run is cancelled, so that it ends in its own record, too.
    parentClosePolicy: ParentClosePolicy.REQUEST_CANCEL,
    staticSummary: `${start.workflowName} · v${start.workflowVersion} · schedule`.slice(0, SUMMARY_LENGTH),
    priority: { priorityKey: PRIORITY, fairnessKey: start.organizationId },
  });
}
