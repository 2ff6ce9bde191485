/** How a run has ended, as both APIs of OpenAI tell it: with a text, or with a reason why there is none. */
import { ownValue, type JsonObject } from '../graph/value.ts';
import type { EndedRun } from '../runs/ledger/event-reader.ts';
import { readAnswerText } from './answer.ts';

type RunProblem = 'run_failed' | 'run_cancelled' | 'run_not_ended' | 'input_required';

export type Ending =
  | { readonly kind: 'text'; readonly text: string; readonly usage: JsonObject | null }
  | { readonly kind: RunProblem; readonly message: string; readonly usage: JsonObject | null };

interface EndedRunFacts {
  readonly runId: string;
  /** Null: it still runs. */
  readonly ended: EndedRun | null;
  /** The open questions of an interrupted run. */
  readonly questions: readonly { readonly interrupt_id: string }[];
}

/** Describes the end of a run. */
export function describeEnding({ runId, ended, questions }: EndedRunFacts): Ending {
  const usage = ended?.usage ?? null;
  switch (ended?.status) {
    case 'completed':
      return ended.output_truncated
        ? {
            kind: 'run_failed',
            message: `The output of run ${runId} is too large; read it from its record`,
            usage,
          }
        : { kind: 'text', text: readAnswerText(ended.output), usage };
    case 'failed': {
      const reason = ownValue(ended.error ?? {}, 'message');
      const message = `Run ${runId} failed: ${typeof reason === 'string' ? reason : 'unknown error'}`;
      return { kind: 'run_failed', message, usage };
    }
    case 'cancelled':
      return { kind: 'run_cancelled', message: `Run ${runId} was cancelled`, usage };
    case 'interrupted': {
      const ids = questions.map(({ interrupt_id: id }) => id).join(', ');
      const message = `Run ${runId} asks a person (${ids}): answer with POST /workflows/resume/${runId}`;
      return { kind: 'input_required', message, usage };
    }
    case 'running':
    case undefined:
      return { kind: 'run_not_ended', message: `Run ${runId} goes on; it was not cancelled`, usage };
  }
}
