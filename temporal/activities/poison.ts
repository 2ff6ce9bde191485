/**
 * What keeps a run that our own code cannot carry from being tried for ever: a database that is away is waited for,
 * any other repeated error ends the run as failed.
 */
import { ApplicationFailure, Context } from '@temporalio/activity';
import { closeRun } from '../../src/runs/ledger/events.ts';
import { currentSegment } from '../../src/runs/ledger/segments.ts';
import type { AdvanceInput, AdvanceResult, RunFailure } from '../../src/runs/execute/protocol.ts';
import { asNodeError } from '../../src/runs/execute/conclusion.ts';
import { isTransientDatabaseError } from '../../src/db/transient-error.ts';
import type { EngineDeps } from '../../src/runs/execute/engine-deps.ts';
import { cancelQuestions } from '../../src/runs/execute/questions.ts';

/** Attempts that an unexpected error gets: enough for a race or a half-finished deploy. */
const PATIENCE = 5;

/** Runs `work`; when it keeps failing for a reason of its own, the run is closed as failed instead. */
export async function failPoisoned(
  deps: EngineDeps,
  input: AdvanceInput,
  attempt: number,
  work: () => Promise<AdvanceResult>,
): Promise<AdvanceResult> {
  try {
    return await work();
  } catch (error) {
    deps.log.error({ err: error, root_run_pk: input.rootRunPk, attempt }, 'an advance failed');
    if (isTransientDatabaseError(error) || attempt < PATIENCE) throw error;
    const { code, message } = asNodeError(error);
    return closePoisoned(deps, input, { code, message, nodeId: null });
  }
}

/**
 * The same for the rest of the bookkeeping: a repeated error of our own ends the execution, and the reconciler ends
 * its row.
 */
export function withPatience<Args extends unknown[], Result>(
  deps: EngineDeps,
  work: (...args: Args) => Promise<Result>,
): (...args: Args) => Promise<Result> {
  return async (...args) => {
    try {
      return await work(...args);
    } catch (error) {
      const { attempt, activityType } = Context.current().info;
      deps.log.error({ err: error, activity: activityType, attempt }, 'bookkeeping failed');
      if (isTransientDatabaseError(error) || attempt < PATIENCE) throw error;
      const { code, message } = asNodeError(error);
      throw ApplicationFailure.nonRetryable(message, code);
    }
  };
}

async function closePoisoned(
  deps: EngineDeps,
  input: AdvanceInput,
  error: RunFailure,
): Promise<AdvanceResult> {
  return deps.db.transaction(async (tx) => {
    const segment = await currentSegment(tx, input, true);
    if (segment !== null) {
      await cancelQuestions(tx, input.rootRunPk);
      const fields = { code: error.code, message: error.message, node_id: null };
      await closeRun(tx, {
        runPk: segment.runPk,
        from: ['running'],
        status: 'failed',
        payload: { error: fields, usage: null, credits: 0, handled_error_count: segment.handledErrorCount },
        error: fields,
      });
    }
    return {
      repeated: false,
      progress: input.progress,
      runPk: segment?.runPk ?? '',
      maps: [],
      state: 'closed',
      status: 'failed',
      error,
    };
  });
}
