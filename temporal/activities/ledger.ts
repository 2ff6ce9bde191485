/**
 * The local activities of runs that only read and write the ledger. They outlast a database outage; an error that repeats for
 * another reason ends the run.
 */
import { ApplicationFailure, Context } from '@temporalio/activity';
import { completeDocument, failDocument } from '../../src/platform/knowledge/ingest.ts';
import { isTransientDatabaseError } from '../../src/base/db/transient-error.ts';
import { advance, failRun, readSkeletonPart } from '../../src/engine/runs/execute/advance/advance.ts';
import { pauseAgent, resumeAgent } from '../../src/engine/runs/execute/agent/approval.ts';
import { closeCancelled } from '../../src/engine/runs/execute/advance/closing.ts';
import { toNodeError } from '../../src/engine/runs/walk/conclusion.ts';
import type { ExecuteDeps } from '../../src/engine/runs/execute/deps.ts';
import type { AdvanceInput, AdvanceResult } from '../../src/engine/runs/execute/protocol.ts';
import { prepareChild, settleChild } from '../../src/engine/runs/execute/child.ts';
import { settleMap } from '../../src/engine/runs/execute/map.ts';
import { settleLost } from '../../src/engine/runs/execute/settle.ts';
import { isRunOpen } from '../../src/engine/runs/ledger/write/child-runs.ts';
import { addOutbox } from '../../src/engine/runs/ledger/write/outbox-entry.ts';
import { acceptScheduledRun, settleScheduledRun } from '../../src/engine/schedules/scheduled-run.ts';
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
