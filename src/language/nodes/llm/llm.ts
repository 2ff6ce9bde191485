/** The llm node: one call of a model, with the memory of the thread and an optional response format (SPEC DEF-2.1). */
import { z } from 'zod';
import type { Json } from '../../graph/values/value.ts';
import type { NodeCall, NodeResult, NodeWarning } from '../kind.ts';
import type { Usage, ModelMessage, ModelReply } from '../tools.ts';
import { NodeError, defineNode } from '../kind.ts';
import {
  MODEL_LITERAL_KEYS,
  MODEL_SCHEMA_PATHS,
  describeCorrection,
  modelFields,
  buildPrompt,
  readData,
  appendToMemory,
  buildModelRequest,
  sumUsage,
  collectWarnings,
} from '../model-call.ts';
import type { ModelConfig } from '../model-call.ts';
import { readConfig } from '../read-config.ts';

const config = z.object(modelFields);

interface Completion {
  readonly reply: ModelReply;
  readonly data: Json;
  readonly warnings: readonly NodeWarning[];
  readonly usage: Usage;
}

/** Calls the model, and once more when its reply does not match `response_format`. */
async function completeWithRepair(
  call: NodeCall<ModelConfig>,
  messages: readonly ModelMessage[],
): Promise<Completion> {
  const reply = await call.tools.models.complete(buildModelRequest(call, messages));
  const read = readData(call, reply);
  if ('data' in read) return { reply, ...read, usage: reply.usage };
  call.emit.tokenReset('retry');
  const repaired = await call.tools.models.complete(
    buildModelRequest(call, [
      ...messages,
      { role: 'assistant', content: reply.content },
      { role: 'user', content: describeCorrection(call.config, read.problem) },
    ]),
  );
  const again = readData(call, repaired);
  if ('problem' in again) {
    throw new NodeError('output_schema_mismatch', `The model's answer is invalid: ${again.problem}`);
  }
  return { reply: repaired, ...again, usage: sumUsage(reply.usage, repaired.usage) };
}

async function run(call: NodeCall<ModelConfig>): Promise<NodeResult> {
  const prompt = await buildPrompt(call);
  call.keepInput({ messages: prompt.own.map(({ role, content }) => ({ role, content })) });
  const { reply, data, warnings, usage } = await completeWithRepair(call, prompt.messages);
  await appendToMemory(call, prompt.own, reply.content);
  return {
    outcome: 'completed',
    output: {
      content: reply.content,
      data,
      model: reply.model,
      finish_reason: reply.finishReason,
      reasoning: reply.reasoning,
      usage: { ...usage, cached_tokens: usage.cached_tokens ?? 0 },
    },
    usage,
    warnings: [...warnings, ...collectWarnings(reply)],
  };
}

/** The kind `llm`. */
export const llm = defineNode<ModelConfig>({
  type: 'llm',
  config,
  literalKeys: MODEL_LITERAL_KEYS,
  schemaPaths: MODEL_SCHEMA_PATHS,
  parse: (given) => readConfig(config, given),
  policy: () => ({
    placement: 'activity',
    effect: 'at_least_once',
    timeoutMs: 600_000,
    maxAttempts: 3,
    handles: [],
  }),
  run,
});
