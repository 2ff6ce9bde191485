/** The llm node: one call of a model, with the memory of the thread and an optional response format (SPEC DEF-2.1). */
import { z } from 'zod';
import type { Json } from '../../graph/values/value.ts';
import { defineSender, sendsOne, type PreparedEffect } from '../effect.ts';
import type { NodeCall, NodeWarning } from '../kind.ts';
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
  describeModel,
  performModelCall,
  prepareModelCall,
  readFixedInput,
  sumUsage,
  collectWarnings,
} from '../model-call.ts';
import type { ModelConfig } from '../model-call.ts';
import { readConfig } from '../read-config.ts';
import { MODEL, ask } from '../example-values.ts';

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
  effect: PreparedEffect<'model'>,
): Promise<Completion> {
  const reply = await performModelCall(call, effect);
  const read = readData(call, reply);
  if ('data' in read) return { reply, ...read, usage: reply.usage };
  // Nobody has approved a correction.
  if (call.isApproved === true)
    throw new NodeError('output_schema_mismatch', `The model's answer is invalid: ${read.problem}`);
  call.emit.tokenReset('retry');
  const messages: ModelMessage[] = [
    ...effect.request.messages,
    { role: 'assistant', content: reply.content },
    { role: 'user', content: describeCorrection(call.config, read.problem) },
  ];
  const repair = prepareModelCall(call, { own: listOwn(effect), messages });
  const repaired = await performModelCall(call, repair);
  const again = readData(call, repaired);
  if ('problem' in again) {
    throw new NodeError('output_schema_mismatch', `The model's answer is invalid: ${again.problem}`);
  }
  return { reply: repaired, ...again, usage: sumUsage(reply.usage, repaired.usage) };
}

const listOwn = ({ shown }: PreparedEffect<'model'>): readonly ModelMessage[] => shown?.messages ?? [];

const llmSender = defineSender<ModelConfig, 'model'>({
  describe: describeModel,
  prepare: async (call) => prepareModelCall(call, await buildPrompt(call)),
  async perform(call, effect) {
    const { reply, data, warnings, usage } = await completeWithRepair(call, effect);
    await appendToMemory(call, listOwn(effect), reply.content);
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
  },
});

/** The kind `llm`. */
export const llm = defineNode<ModelConfig>({
  type: 'llm',
  config,
  examples: [
    {
      id: 'classify',
      type: 'llm',
      name: 'Classify',
      position: { x: 240, y: 80 },
      retry: { max_attempts: 3 },
      config: {
        ...MODEL,
        ...ask('What is this about? {{input.text}}'),
        response_format: {
          type: 'json_schema',
          schema: { type: 'object', required: ['topic'], properties: { topic: { type: 'string' } } },
        },
      },
    },
  ],
  guide: [
    '{"provider": "openai", "model": MODEL, "credential_id": null, "messages": [{"role": "system" | "user", "content": "..."}]}; output {content, data}.',
    '  "response_format": {"type": "json_schema", "schema": {}} sets data.',
  ].join('\n'),
  literalKeys: MODEL_LITERAL_KEYS,
  schemaPaths: MODEL_SCHEMA_PATHS,
  parse: (given) => readConfig(config, given),
  policy: (given) => ({
    placement: 'activity',
    effect: describeModel(given).effect,
    timeoutMs: 600_000,
    maxAttempts: 3,
    handles: [],
  }),
  fixedInput: readFixedInput,
  ...sendsOne<ModelConfig>(() => llmSender),
});
