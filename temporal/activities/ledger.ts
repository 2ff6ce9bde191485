/**
 * The local activities of runs that only read and write the ledger. They outlast a database outage; an error that repeats for
 * another reason ends the run.
 */
import { ApplicationFailure, Context } from '@temporalio/activity';
import { completeDocument, failDocument } from '../../src/knowledge/ingest.ts';
import { isTransientDatabaseError } from '../../src/db/transient-error.ts';
import { advance, failRun, readSkeletonPart } from '../../src/runs/execute/advance/advance.ts';
import { pauseAgent, resumeAgent } from '../../src/runs/execute/agent/approval.ts';
import { closeCancelled } from '../../src/runs/execute/advance/closing.ts';
import { toNodeError } from '../../src/runs/execute/attempt/conclusion.ts';
import type { ExecuteDeps } from '../../src/runs/execute/deps.ts';
import type { AdvanceInput, AdvanceResult } from '../../src/runs/execute/protocol.ts';
import { prepareChild, settleChild } from '../../src/runs/execute/child.ts';
import { settleMap } from '../../src/runs/execute/map.ts';
import { settleLost } from '../../src/runs/execute/settle.ts';
import { isRunOpen } from '../../src/runs/ledger/child-runs.ts';
import { addOutbox } from '../../src/runs/ledger/outbox-entry.ts';
import { acceptScheduledRun, settleScheduledRun } from '../../src/schedules/scheduled-run.ts';
import type { InterpreterActivities } from '../contract.ts';
import { MAX_ATTEMPTS, withRetryLimit } from './retry-limit.ts';

export function createInterpreterActivities(deps: ExecuteDeps): InterpreterActivities {
  const patient = withRetryLimit(deps);
  const { db } = deps;
  return {
    advance: (input) => advanceOrFail(deps, input),
    loadSkeleton: patient(async (run, part) => {
      const found = await readSkeletonPart(deps, run, part);
      if (found === null) throw ApplicationFailure.nonRetryable('The run no longer exists', 'run_missing');
      return found;
    }),
    settleLost: patient((task, reason) => settleLost(deps, task, reason)),
    settleMap: patient((task) => settleMap(deps, task)),
    settleChild: patient((task, wait) => settleChild(deps, task, wait)),
    prepareChild: patient((task) => prepareChild(deps, task)),
    pauseAgent: patient((task) => pauseAgent(deps, task)),
    resumeAgent: patient((task) => resumeAgent(deps, task)),
    acceptScheduled: patient((firing) => acceptScheduledRun(db, firing)),
    settleScheduled: patient((firing, isTerminated) => settleScheduledRun(db, firing, isTerminated)),
    completeDocument: patient((document) => completeDocument(db, document)),
    failDocument: patient(async (document, error) => {
      await failDocument(db, document, error);
    }),
    closeCancelled: patient((run, reason) => closeCancelled(db, run, reason)),
    askCancellation: patient(({ organizationId, rootRunPk }) =>
      addOutbox(db, { kind: 'cancel', organizationId, rootRunPk }),
    ),
    isRunOpen: patient((run) => isRunOpen(db, run)),
  };
}

/** Makes an advance, or closes the run as failed after MAX_ATTEMPTS errors that are not an outage of the database. */
async function advanceOrFail(deps: ExecuteDeps, input: AdvanceInput): Promise<AdvanceResult> {
  const { attempt } = Context.current().info;
  try {
    return await advance(deps, input);
  } catch (error) {
    deps.log.error({ thrown: error, root_run_pk: input.rootRunPk, attempt }, 'an advance failed');
    if (isTransientDatabaseError(error) || attempt < MAX_ATTEMPTS) throw error;
    const { code, message } = toNodeError(error);
    return failRun(deps, input, { code, message, nodeId: null });
  }
}
