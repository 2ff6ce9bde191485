/** Reads the end of a run for adapters of other protocols: an output, or a sentence that says why there is none. */
import type { Db } from '../../../base/db/client.ts';
import { ownValue, type Json, type JsonObject } from '../../../language/graph/values/value.ts';
import { readAnswerCuts, type AnswerCut } from '../ledger/answer-cuts.ts';
import { readEnded, readPending, type EndedRun } from '../ledger/read/event-reader.ts';
import type { FoundRun } from '../ledger/read/run-reads.ts';
import { MAX_RESPONSE_BYTES } from './await-run.ts';

type RunProblem = 'run_failed' | 'run_cancelled' | 'run_not_ended' | 'input_required';

export type RunOutcome =
  | {
      readonly kind: 'output';
      readonly output: Json;
      readonly usage: JsonObject | null;
      readonly completedAt: Date;
      /** Answers of its models that are not whole. */
      readonly cuts: readonly AnswerCut[];
    }
  | { readonly kind: RunProblem; readonly message: string; readonly usage: JsonObject | null };

function describeEnd(
  runId: string,
  ended: EndedRun,
  { questions, cuts }: { readonly questions: readonly string[]; readonly cuts: readonly AnswerCut[] },
): RunOutcome {
  const { output, usage } = ended;
  switch (ended.status) {
    case 'completed': {
      const message = `The output of run ${runId} is too large; read it from its record`;
      return ended.output_truncated
        ? { kind: 'run_failed', message, usage }
        : { kind: 'output', output, usage, completedAt: ended.completed_at, cuts };
    }
    case 'failed': {
      const reason = ownValue(ended.error ?? {}, 'message');
      const message = `Run ${runId} failed: ${typeof reason === 'string' ? reason : 'unknown error'}`;
      return { kind: 'run_failed', message, usage };
    }
    case 'cancelled':
      return { kind: 'run_cancelled', message: `Run ${runId} was cancelled`, usage };
    case 'interrupted': {
      const message = `Run ${runId} asks a person (${questions.join(', ')}): answer with POST /workflows/resume/${runId}`;
      return { kind: 'input_required', message, usage };
    }
  }
}

/** Reads how a run has ended; `run_not_ended` while it runs. */
export async function readEnding(
  db: Db,
  run: Pick<FoundRun, 'runPk' | 'rootRunPk' | 'runId'>,
): Promise<RunOutcome> {
  const ended = await readEnded(db, run.runPk, MAX_RESPONSE_BYTES);
  if (ended === null)
    return { kind: 'run_not_ended', message: `Run ${run.runId} has not ended`, usage: null };
  const questions = ended.status === 'interrupted' ? await readPending(db, run.rootRunPk) : [];
  const cuts = ended.status === 'completed' ? await readAnswerCuts(db, run.rootRunPk) : [];
  return describeEnd(run.runId, ended, { questions: questions.map(({ interrupt_id: id }) => id), cuts });
}
