/**
 * The local activities of runs. An error of our own that repeats ends the run instead of being tried for ever; a database
 * that is away is waited for.
 */
import { ApplicationFailure, Context } from '@temporalio/activity';
import { noteRunEnded } from '../../src/observe/worker-metrics.ts';
import { completeDocument, failDocument } from '../../src/knowledge/ingest.ts';
import { isTransientDatabaseError } from '../../src/db/transient-error.ts';
import { advance, failRun, skeletonPart } from '../../src/runs/execute/advance.ts';
import { pauseAgent, resumeAgent } from '../../src/runs/execute/agent-approval.ts';
import { settleAgentCall } from '../../src/runs/execute/agent-call.ts';
import { prepareAgentChild, settleAgentChild } from '../../src/runs/execute/agent-child.ts';
import { closeCancelled } from '../../src/runs/execute/closing.ts';
import { asNodeError } from '../../src/runs/execute/conclusion.ts';
import type { ExecuteDeps } from '../../src/runs/execute/deps.ts';
import type { AdvanceInput, AdvanceResult } from '../../src/runs/execute/protocol.ts';
import { prepareChild, settleChild, settleLost, settleMap } from '../../src/runs/execute/settle-tasks.ts';
import { addOutbox } from '../../src/runs/ledger/outbox-entry.ts';
import { acceptScheduledRun, settleScheduledRun } from '../../src/schedules/scheduled-run.ts';
import type { InterpreterActivities } from '../contract.ts';

/** Attempts that an unexpected error gets: enough for a race or a half-finished deploy. */
const PATIENCE = 5;

export function createInterpreterActivities(deps: ExecuteDeps): InterpreterActivities {
  const patient = withPatience(deps);
  const { db } = deps;
  return {
    advance: async (input) => {
      const result = await advanceOrFail(deps, input);
      deps.onAdvanced?.(input);
      return result;
    },
    loadSkeleton: patient(async (run, part) => {
      const found = await skeletonPart(deps, run, part);
      if (found === null) throw ApplicationFailure.nonRetryable('The run is gone', 'run_missing');
      return found;
    }),
    settleLost: patient((task, reason) => settleLost(deps, task, reason)),
    settleMap: patient((task) => settleMap(deps, task)),
    settleChild: patient((task) => settleChild(deps, task)),
    prepareChild: patient((task) => prepareChild(deps, task)),
    prepareAgentChild: patient((task) => prepareAgentChild(deps, task)),
    settleAgentChild: patient((task) => settleAgentChild(deps, task)),
    settleAgentCall: patient((task, reason) => settleAgentCall(deps, task, reason)),
    pauseAgent: patient((task) => pauseAgent(deps, task)),
    resumeAgent: patient((task) => resumeAgent(deps, task)),
    acceptScheduled: patient((firing) => acceptScheduledRun(db, firing)),
    settleScheduled: patient((firing) => settleScheduledRun(db, firing)),
    completeDocument: patient((document) => completeDocument(db, document)),
    failDocument: patient(async (document, error) => {
      await failDocument(db, document, error);
    }),
    closeCancelled: patient(async (run, reason) => {
      const end = await closeCancelled(db, run, reason);
      if (end.status === 'cancelled') noteRunEnded('cancelled');
      return end;
    }),
    askCancellation: patient(({ organizationId, rootRunPk }) =>
      addOutbox(db, { kind: 'cancel', organizationId, rootRunPk }),
    ),
  };
}

/** An advance that keeps failing for a reason of its own closes the run as failed instead. */
async function advanceOrFail(deps: ExecuteDeps, input: AdvanceInput): Promise<AdvanceResult> {
  const { info, cancellationSignal } = Context.current();
  const { attempt } = info;
  try {
    return await advance(deps, input, cancellationSignal);
  } catch (error) {
    deps.log.error({ err: error, root_run_pk: input.rootRunPk, attempt }, 'an advance failed');
    if (isTransientDatabaseError(error) || attempt < PATIENCE) throw error;
    const { code, message } = asNodeError(error);
    return failRun(deps, input, { code, message, nodeId: null });
  }
}

/**
 * The same for the rest of the bookkeeping: a repeated error of our own ends the execution, and the reconciler ends
 * its row.
 */
function withPatience({ log }: Pick<ExecuteDeps, 'log'>) {
  return <Args extends unknown[], Result>(work: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      try {
        return await work(...args);
      } catch (error) {
        const { attempt, activityType } = Context.current().info;
        log.error({ err: error, activity: activityType, attempt }, 'bookkeeping failed');
        if (isTransientDatabaseError(error) || attempt < PATIENCE) throw error;
        const { code, message } = asNodeError(error);
        throw ApplicationFailure.nonRetryable(message, code);
      }
    };
}
