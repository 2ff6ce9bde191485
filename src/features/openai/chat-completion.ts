/** Chat completions: the object of an ended run, and the chunks of a running one. */
import type { JsonObject } from '../../language/graph/values/value.ts';
import type { RunFrame } from '../../engine/runs/stream/read-frames.ts';
import type { RunOutcome } from '../../engine/runs/stream/run-ending.ts';
import { findCutReason, isRefused, readAnswerText, type AnswerText } from './answer.ts';
import { readCount } from './response.ts';

export interface CompletionHead {
  readonly runId: string;
  readonly model: string;
  /** Unix seconds. */
  readonly createdSeconds: number;
}

/** Presents the tokens of a run; zeros when it called no model. */
const presentCompletionUsage = (usage: JsonObject | null): JsonObject => ({
  prompt_tokens: readCount(usage, 'input_tokens'),
  completion_tokens: readCount(usage, 'output_tokens'),
  total_tokens: readCount(usage, 'total_tokens'),
  prompt_tokens_details: { cached_tokens: readCount(usage, 'cached_tokens') },
});

const presentHead = ({ runId, model, createdSeconds }: CompletionHead, object: string): JsonObject => ({
  id: `chatcmpl-${runId}`,
  object,
  created: createdSeconds,
  model,
});

/** Presents the answer of a run. */
export function presentCompletion(
  head: CompletionHead,
  { output, usage, cuts }: Extract<RunOutcome, { readonly kind: 'output' }>,
): JsonObject {
  const content = readAnswerText(output);
  return {
    ...presentHead(head, 'chat.completion'),
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content, refusal: isRefused(cuts) ? content : null },
        logprobs: null,
        finish_reason: findCutReason(cuts) ?? 'stop',
      },
    ],
    usage: presentCompletionUsage(usage),
  };
}

interface ChunkSource {
  readonly head: CompletionHead;
  readonly frames: AsyncIterable<RunFrame>;
  readonly answer: AnswerText;
  /** `stream_options.include_usage` */
  readonly includesUsage: boolean;
  /** Reads the end of the run, after its last frame. */
  readonly readEnding: () => Promise<RunOutcome>;
}

/** A chunk to send, `ping`, or the reason why the run has no answer. */
export type ChunkEvent =
  | { readonly kind: 'data'; readonly data: JsonObject }
  | { readonly kind: 'ping' }
  | { readonly kind: 'problem'; readonly ending: Exclude<RunOutcome, { readonly kind: 'output' }> };

/** Converts the frames of a run to the chunks of its completion. */
export async function* streamCompletion({
  head,
  frames,
  answer,
  includesUsage,
  readEnding,
}: ChunkSource): AsyncGenerator<ChunkEvent> {
  const build = (choices: JsonObject[], usage: JsonObject | null): ChunkEvent => ({
    kind: 'data',
    data: {
      ...presentHead(head, 'chat.completion.chunk'),
      choices,
      ...(includesUsage ? { usage } : {}),
    },
  });
  const buildDelta = (delta: JsonObject, reason: string | null): ChunkEvent =>
    build([{ index: 0, delta, logprobs: null, finish_reason: reason }], null);
  yield buildDelta({ role: 'assistant', content: '' }, null);
  for await (const frame of frames) {
    if (frame.type === 'ping') yield { kind: 'ping' };
    const content = answer.take(frame);
    if (content !== '') yield buildDelta({ content }, null);
  }
  const ending = await readEnding();
  if (ending.kind !== 'output') {
    yield { kind: 'problem', ending };
    return;
  }
  const rest = answer.finish(readAnswerText(ending.output));
  if (rest !== '') yield buildDelta({ content: rest }, null);
  yield buildDelta(
    isRefused(ending.cuts) ? { refusal: answer.sent } : {},
    findCutReason(ending.cuts) ?? 'stop',
  );
  if (includesUsage) yield build([], presentCompletionUsage(ending.usage));
}
