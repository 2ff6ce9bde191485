/** The llm node: one call of a model, with the thread's memory and a schema of the answer (definition 2.1). */
import { z } from 'zod';
import { checkSchema } from '../graph/json-schema.ts';
import type { Json, JsonObject } from '../graph/value.ts';
import type { NodeCall, NodeResult, Usage } from './kind.ts';
import { NodeError, defineNode } from './kind.ts';
import { anyJson, jsonObject, orNull, readConfig } from './read-config.ts';
import type { ModelMessage, ModelReply } from './tools.ts';

/** "All messages of the thread", within what a prompt can hold. */
const MAX_THREAD_MESSAGES = 1_000;
const DEFAULT_WINDOW = 20;
/** The usual estimate where no tokenizer is at hand. */
const CHARACTERS_PER_TOKEN = 4;

const responseFormat = z.object({
  type: z.enum(['text', 'json_object', 'json_schema']),
  strict: z.boolean().optional(),
  schema: jsonObject.optional(),
});
const config = z
  .object({
    provider: z.string().min(1),
    model: z.string().min(1),
    credential_id: z.uuid().nullish(),
    messages: z.array(z.object({ role: z.enum(['system', 'user', 'assistant']), content: anyJson })).min(1),
    parameters: z
      .object({
        temperature: z.number().min(0).max(2).nullish(),
        max_output_tokens: z.int().min(1).nullish(),
        reasoning_effort: z.string().nullish(),
      })
      .nullish(),
    response_format: responseFormat.nullish(),
    memory: z
      .object({
        mode: z.enum(['none', 'thread', 'window']).default('none'),
        max_messages: z.int().min(1).max(MAX_THREAD_MESSAGES).nullish(),
        max_tokens: orNull(z.int().min(1)),
      })
      .nullish(),
    stream: z.boolean().default(true),
  })
  .refine(
    (given) => given.response_format?.type !== 'json_schema' || given.response_format.schema !== undefined,
    {
      message: 'is required for json_schema',
      path: ['response_format', 'schema'],
    },
  );
type Config = z.output<typeof config>;

function renderMessages(call: NodeCall<Config>): ModelMessage[] {
  return call.config.messages.map(({ role, content }) => {
    const text = call.render(content);
    return { role, content: typeof text === 'string' ? text : text === null ? '' : JSON.stringify(text) };
  });
}

/** The newest messages that fit into a number of tokens. */
function withinTokens(messages: readonly ModelMessage[], maxTokens: number): readonly ModelMessage[] {
  let left = maxTokens * CHARACTERS_PER_TOKEN;
  const from = messages.findLastIndex((message) => (left -= message.content.length) < 0);
  return messages.slice(from + 1);
}

async function remember(call: NodeCall<Config>): Promise<readonly ModelMessage[]> {
  const { memory } = call.config;
  const { organizationId, threadId } = call.identity;
  if (!memory || memory.mode === 'none' || threadId === null) return [];
  const limit = memory.mode === 'thread' ? MAX_THREAD_MESSAGES : (memory.max_messages ?? DEFAULT_WINDOW);
  const messages = await call.tools.memory.read(organizationId, threadId, limit);
  return memory.mode === 'window' && memory.max_tokens !== null
    ? withinTokens(messages, memory.max_tokens)
    : messages;
}

async function complete(call: NodeCall<Config>, messages: readonly ModelMessage[]): Promise<ModelReply> {
  const given = call.config;
  return await call.tools.models.complete({
    organizationId: call.identity.organizationId,
    provider: given.provider,
    model: given.model,
    credentialId: given.credential_id ?? null,
    messages,
    temperature: given.parameters?.temperature ?? null,
    maxOutputTokens: given.parameters?.max_output_tokens ?? null,
    reasoningEffort: given.parameters?.reasoning_effort ?? null,
    responseFormat: (given.response_format ?? null) as JsonObject | null,
    stream: given.stream,
    signal: call.signal,
    onToken: (delta, channel) => call.emit.token(delta, channel),
  });
}

const FENCE = /^\s*```[a-zA-Z]*\s*\n([\s\S]*?)\n?\s*```\s*$/;

/** The JSON of a reply, with or without a code fence, if it fits the schema. */
function readData(
  call: NodeCall<Config>,
  content: string,
): { readonly data: Json } | { readonly problem: string } {
  let data: Json;
  try {
    data = JSON.parse(FENCE.exec(content)?.[1] ?? content) as Json;
  } catch {
    return { problem: 'it is not JSON' };
  }
  const schema = call.config.response_format?.schema;
  const problems = schema
    ? checkSchema(schema, data, (pattern, text) => call.tools.matches(pattern, text))
    : [];
  return problems.length === 0 ? { data } : { problem: 'it does not fit the JSON schema' };
}

function sum(a: Usage, b: Usage): Usage {
  return {
    input_tokens: a.input_tokens + b.input_tokens,
    output_tokens: a.output_tokens + b.output_tokens,
    total_tokens: a.total_tokens + b.total_tokens,
    cached_tokens: (a.cached_tokens ?? 0) + (b.cached_tokens ?? 0),
    // Both calls are of one node, hence on one account.
    ...(a.byok === true ? { byok: a.byok } : {}),
  };
}

interface Answer {
  readonly reply: ModelReply;
  readonly data: Json;
  readonly usage: Usage;
}

/** One call, and one repair call when the reply does not fit `response_format`. */
async function answer(call: NodeCall<Config>, messages: readonly ModelMessage[]): Promise<Answer> {
  const reply = await complete(call, messages);
  const format = call.config.response_format;
  if (!format || format.type === 'text') return { reply, data: null, usage: reply.usage };
  const read = readData(call, reply.content);
  if ('data' in read) return { reply, data: read.data, usage: reply.usage };
  call.emit.tokenReset('retry');
  const wanted = format.schema
    ? `JSON that fits this JSON schema: ${JSON.stringify(format.schema)}`
    : 'a JSON value';
  const repaired = await complete(call, [
    ...messages,
    { role: 'assistant', content: reply.content },
    {
      role: 'user',
      content: `This answer is wrong: ${read.problem}. Answer again with nothing but ${wanted}`,
    },
  ]);
  const again = readData(call, repaired.content);
  if ('problem' in again) {
    throw new NodeError('output_schema_mismatch', `The answer of the model is not usable: ${again.problem}`);
  }
  return { reply: repaired, data: again.data, usage: sum(reply.usage, repaired.usage) };
}

async function run(call: NodeCall<Config>): Promise<NodeResult> {
  const own = renderMessages(call);
  const system = own.filter((message) => message.role === 'system');
  const said = own.filter((message) => message.role !== 'system');
  const { reply, data, usage } = await answer(call, [...system, ...(await remember(call)), ...said]);
  const { organizationId, runPk, stepId, threadId } = call.identity;
  if (call.config.memory && call.config.memory.mode !== 'none' && threadId !== null) {
    const users = said.filter((message) => message.role === 'user');
    const spoken: ModelMessage = { role: 'assistant', content: reply.content };
    await call.tools.memory.append(organizationId, threadId, { runPk, stepId }, [...users, spoken]);
  }
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
    input: { messages: own.map(({ role, content }) => ({ role, content })) },
    usage,
  };
}

/** `credential_id` null is the managed model of the deployment. */
export const llm = defineNode<Config>({
  type: 'llm',
  literalKeys: ['provider', 'model', 'credential_id', 'parameters', 'response_format', 'memory', 'stream'],
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
