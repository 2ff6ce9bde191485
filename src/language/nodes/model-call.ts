/** Calls of models by llm and agent nodes: the common config, the prompt with memory, and the parsing of replies. */
import { z } from 'zod';
import { cutText } from '../graph/values/cut-text.ts';
import { checkSchema } from '../graph/schema/json-schema.ts';
import type { ExactJson } from '../graph/values/exact-json.ts';
import type { SchemaIssue } from '../graph/schema/schema-check.ts';
import { parseUntrustedExactJson } from '../graph/values/storable.ts';
import { ownValue, type Json, type JsonObject } from '../graph/values/value.ts';
import { isBlank, splitMessages, toTurns } from './conversation.ts';
import { makeEffect, type FixedInput, type PatternOf, type PreparedEffect } from './effect.ts';
import { NodeError } from './kind.ts';
import type { NodeCall, NodeWarning, PrepareCall } from './kind.ts';
import { parseJsonAnswer, stripThinking } from './model-answer.ts';
import { createNumberWarnings } from './number-warning.ts';
import type { Usage, ModelMessage, ModelReply } from './tools.ts';
import { addProblem, anyJson, jsonSchema, orNull } from './read-config.ts';
import { ABOUT_MODEL_CREDENTIAL } from './fields.ts';

/** Limit of memory mode `thread`. */
const MAX_THREAD_MESSAGES = 1_000;
const DEFAULT_WINDOW = 20;
/** The usual estimate without a tokenizer. */
const CHARACTERS_PER_TOKEN = 4;

const textPart = z.object({ type: z.literal('text'), text: z.string() });

const responseFormat = z
  .object({
    type: z
      .enum(['text', 'json_object', 'json_schema'])
      .meta({ description: 'Text, any JSON object, or JSON that matches `schema`' }),
    strict: z.boolean().optional().meta({ description: 'Asks the provider to enforce the schema' }),
    schema: jsonSchema.optional(),
  })
  .superRefine((given, ctx) => {
    if (given.type === 'json_schema' && given.schema === undefined) {
      addProblem(ctx, { code: 'invalid_config', message: 'is required for json_schema', path: ['schema'] });
    }
  });

/** The content of a message: a text, or parts that are all text, as OpenAI writes them. Templates may render to any value. */
const messageContent = anyJson.refine(
  (content) => typeof content === 'string' || textPart.array().min(1).safeParse(content).success,
  'must be a text, or a list of parts {"type": "text", "text": …}',
);

/** The config fields of a node that talks with a model (SPEC DEF-2.1). */
export const modelFields = {
  provider: z.string().min(1).meta({ description: 'Name of the model provider' }),
  // Bounded, because the key of a charge contains it.
  model: z.string().min(1).max(256).meta({ description: "Name of the model, in the provider's spelling" }),
  credential_id: z.uuid().nullish().meta({ description: ABOUT_MODEL_CREDENTIAL }),
  messages: z
    .array(
      z.object({
        role: z.enum(['system', 'user', 'assistant']).meta({ description: 'Author of the message' }),
        content: messageContent.meta({ description: 'A text, or a template of one' }),
      }),
    )
    .min(1)
    .meta({
      description:
        'Messages to the model, in order; the memory of the thread is inserted after the system messages',
    }),
  parameters: z
    .object({
      temperature: z
        .number()
        .min(0)
        .max(2)
        .nullish()
        .meta({ description: "Sampling temperature, 0 to 2; null: the provider's default" }),
      max_output_tokens: z
        .int()
        .min(1)
        .nullish()
        .meta({ description: "Maximum number of tokens of the answer; null: the provider's default" }),
      reasoning_effort: z
        .string()
        .nullish()
        .meta({ description: "Reasoning effort, in the provider's spelling; null: the provider's default" }),
    })
    .nullish()
    .meta({ description: "Parameters of the model; null: the provider's defaults" }),
  response_format: responseFormat.nullish().meta({ description: 'Format of the answer; null: any text' }),
  memory: z
    .object({
      mode: z
        .enum(['none', 'thread', 'window'])
        .default('none')
        .meta({ description: 'None, all messages of the thread up to 1,000, or the newest of them' }),
      max_messages: z
        .int()
        .min(1)
        .max(MAX_THREAD_MESSAGES)
        .nullish()
        .meta({ description: 'With `window`: maximum number of messages; null: 20' }),
      max_tokens: orNull(z.int().min(1)).meta({
        description: 'With `window`: maximum number of tokens of the messages, estimated; null: unlimited',
      }),
    })
    .nullish()
    .meta({ description: 'Memory of the thread of the run; null: none' }),
  stream: z.boolean().default(true).meta({ description: 'Whether tokens are streamed as `token` frames' }),
};
const shape = z.object(modelFields);
export type ModelConfig = z.output<typeof shape>;

/** Where the common config has JSON Schemas. */
export const MODEL_SCHEMA_PATHS: readonly (readonly string[])[] = [['response_format', 'schema']];

/** Keys of the common config whose strings are not templates. */
export const MODEL_LITERAL_KEYS: readonly string[] = [
  'provider',
  'model',
  'credential_id',
  'parameters',
  'response_format',
  'memory',
  'stream',
];

/** Writes a rendered content as text: parts of text are joined, other values are JSON. */
function toContentText(content: Json): string {
  if (typeof content === 'string') return content;
  if (content === null) return '';
  const isText = (part: Json): boolean => ownValue(part, 'type') === 'text';
  if (!Array.isArray(content) || content.length === 0 || !content.every(isText))
    return JSON.stringify(content);
  return content.map((part) => toContentText(ownValue(part, 'text') ?? null)).join('\n');
}

/** Renders the messages of a node, without system messages that say nothing. */
const renderMessages = ({
  config,
  render,
}: Pick<PrepareCall<ModelConfig>, 'config' | 'render'>): ModelMessage[] =>
  config.messages
    .map(({ role, content }) => ({ role, content: toContentText(render(content)) }))
    .filter(({ role, content }) => role !== 'system' || !isBlank(content));

/** Keeps the newest messages that fit into a number of tokens. */
function limitToTokens(messages: readonly ModelMessage[], maxTokens: number): readonly ModelMessage[] {
  let left = maxTokens * CHARACTERS_PER_TOKEN;
  const from = messages.findLastIndex((message) => (left -= message.content.length) < 0);
  return messages.slice(from + 1);
}

async function readMemory(call: PrepareCall<ModelConfig>): Promise<readonly ModelMessage[]> {
  const { memory } = call.config;
  const { organizationId, threadId } = call.identity;
  if (!memory || memory.mode === 'none' || threadId === null) return [];
  const limit = memory.mode === 'thread' ? MAX_THREAD_MESSAGES : (memory.max_messages ?? DEFAULT_WINDOW);
  const messages = await call.tools.memory.read(organizationId, threadId, limit);
  return memory.mode === 'window' && memory.max_tokens !== null
    ? limitToTokens(messages, memory.max_tokens)
    : messages;
}

/** A prompt: the node's own messages, and all messages with the memory of the thread. */
export interface Prompt {
  readonly own: readonly ModelMessage[];
  readonly messages: readonly ModelMessage[];
}

/** Renders the messages of a node and inserts the memory of the thread between its examples and its question. */
export async function buildPrompt(call: PrepareCall<ModelConfig>): Promise<Prompt> {
  const own = renderMessages(call);
  return { own, messages: insertMemory(own, toTurns(await readMemory(call))) };
}

function insertMemory(own: readonly ModelMessage[], memory: readonly ModelMessage[]): ModelMessage[] {
  const { system, examples, question } = splitMessages(own);
  const asked = memory.length === 0 ? question : toTurns([...memory, ...question]);
  return [...system, ...examples, ...asked];
}

/**
 * Finds the input of a node that makes one call, the same in every run; null when a run decides it: by a template, the memory of a thread, or
 * a second call that corrects an answer.
 */
export function readFixedInput(config: ModelConfig): FixedInput | null {
  const { messages, memory, response_format: format } = config;
  const hasMemory = (memory?.mode ?? 'none') !== 'none';
  const isCorrected = (format?.type ?? 'text') !== 'text';
  if (hasMemory || isCorrected || JSON.stringify(messages).includes('{{')) return null;
  const own = renderMessages({ config, render: (content) => content });
  return { messages: insertMemory(own, []), responseFormat: (format ?? null) as JsonObject | null };
}

/**
 * Appends the question and the answer to the memory, if the node has a memory and the run a thread. Blank texts are left out: a
 * later request with one is refused.
 */
export async function appendToMemory(
  call: NodeCall<ModelConfig>,
  own: readonly ModelMessage[],
  content: string,
): Promise<void> {
  const { organizationId, runPk, stepId, threadId } = call.identity;
  if (!call.config.memory || call.config.memory.mode === 'none' || threadId === null) return;
  const users = splitMessages(own).question.filter((message) => message.role === 'user');
  const reply: ModelMessage = { role: 'assistant', content };
  const said = [...users, reply].filter((message) => !isBlank(message.content));
  if (said.length === 0) return;
  await call.tools.memory.append({ organizationId, threadId }, { runPk, stepId }, said);
}

/** The model that is asked. */
export interface Judge {
  readonly provider: string;
  readonly model: string;
  /** Null: the managed model of the deployment. */
  readonly credential_id?: string | null | undefined;
}

/** A model changes nothing, but each of its calls costs. */
export const describeModel = ({ provider, model, credential_id }: Judge): PatternOf<'model'> => ({
  door: 'model',
  target: { provider, model },
  effect: 'at_least_once',
  credential_id: credential_id ?? null,
});

/** Prepares one model call. @param prompt `turns` and `offer` are those of an agent */
export function prepareModelCall(
  call: PrepareCall<ModelConfig>,
  { own, ...asked }: Prompt & Pick<PreparedEffect<'model'>['request'], 'turns' | 'offer'>,
): PreparedEffect<'model'> {
  const given = call.config;
  const { provider, model } = given;
  return makeEffect(call, describeModel(given), {
    target: { provider, model },
    request: {
      ...asked,
      temperature: given.parameters?.temperature ?? null,
      maxOutputTokens: given.parameters?.max_output_tokens ?? null,
      reasoningEffort: given.parameters?.reasoning_effort ?? null,
      responseFormat: (given.response_format ?? null) as JsonObject | null,
      stream: given.stream,
    },
    shown: { messages: own.map(({ role, content }) => ({ role, content })) },
  });
}

/** Calls the model. @throws NodeError of the model port */
export const performModelCall = (
  call: NodeCall<unknown>,
  { target, request, credential_id: credentialId }: PreparedEffect<'model'>,
): Promise<ModelReply> =>
  call.tools.models.complete({
    ...target,
    ...request,
    organizationId: call.identity.organizationId,
    credentialId,
    signal: call.signal,
    onToken: (delta, channel) => call.emit.token(delta, channel),
  });

/** The reasons for which an answer ends before its model has said all. */
const CUTS: Readonly<Record<string, string>> = {
  length: 'The answer was cut off: it reached max_output_tokens, or the limit of the model',
  content_filter: "The model provider's content filter stopped the answer",
};

/** The message about an answer that is not whole; null for any other. */
export const findCut = ({ finishReason }: Pick<ModelReply, 'finishReason'>): string | null =>
  CUTS[finishReason] ?? null;

/** The most issues of an answer that are reported to the model. */
const MAX_ISSUES = 5;

const describeIssue = ({ path, message }: SchemaIssue): string =>
  path.length === 0 ? message : `${path.join('.')}: ${message}`;

interface ReadData {
  readonly data: Json;
  readonly warnings: readonly NodeWarning[];
}

/**
 * Parses the data of a reply: null without a `response_format`, else its JSON, or the problem with it.
 * @throws NodeError `answer_truncated` for a reply that was cut off, whose JSON may be a part of the answer;
 *   `model_refused` when the reply has no data because the model refused
 */
export function readData(
  call: NodeCall<ModelConfig>,
  reply: Pick<ModelReply, 'content' | 'finishReason'>,
): ReadData | { readonly problem: string } {
  const format = call.config.response_format;
  if (!format || format.type === 'text') return { data: null, warnings: [] };
  if (reply.finishReason === 'length') throw new NodeError('answer_truncated', CUTS['length'] ?? '');
  const read = parseFormatted(call, reply, format.schema);
  const refusal = 'problem' in read ? findRefusal(reply) : null;
  if (refusal !== null) throw new NodeError('model_refused', refusal);
  return read;
}

function parseFormatted(
  call: NodeCall<ModelConfig>,
  { content }: Pick<ModelReply, 'content'>,
  schema: JsonObject | undefined,
): ReadData | { readonly problem: string } {
  let read: ExactJson;
  try {
    read = parseJsonAnswer(content, parseUntrustedExactJson);
  } catch (error) {
    return { problem: `it is not JSON: ${error instanceof Error ? error.message : ''}` };
  }
  const issues = schema ? checkSchema(schema, read.value, call.patterns) : [];
  if (issues.length === 0) return { data: read.value, warnings: createNumberWarnings('data', read) };
  const shown = issues.slice(0, MAX_ISSUES).map(describeIssue).join('; ');
  return { problem: `it does not match the JSON schema: ${shown}` };
}

/** The most characters of a refusal in errors and warnings. */
const MAX_REFUSAL = 500;

/** Finds the message of a refused or filtered reply; null for any other. */
function findRefusal({ content, finishReason }: Pick<ModelReply, 'content' | 'finishReason'>): string | null {
  if (finishReason === 'content_filter') return CUTS[finishReason] ?? null;
  if (finishReason !== 'refusal') return null;
  const reason = cutText(stripThinking(content).trim(), MAX_REFUSAL);
  return `The model refused to answer${reason === '' ? '' : `: ${reason}`}`;
}

/** Collects the warnings about a reply that was accepted. The edges of the service tell clients their `reason` (ledger/answer-cuts.ts). */
export function collectWarnings(reply: ModelReply): NodeWarning[] {
  const reason = reply.finishReason;
  if (reason === 'length') return [{ code: 'answer_truncated', message: CUTS[reason] ?? '', reason }];
  const message = findRefusal(reply);
  return message === null ? [] : [{ code: 'model_refused', message, reason }];
}

/** Writes the message that asks a model to repair its answer (SPEC DEF-2.1, "repair"). */
export function describeCorrection(config: ModelConfig, problem: string): string {
  const schema = config.response_format?.schema;
  const wanted = schema ? `JSON that matches this JSON schema: ${JSON.stringify(schema)}` : 'a JSON value';
  return `This answer is invalid: ${problem}. Answer again with nothing but ${wanted}`;
}

/** Adds the usage of two calls of one node; both use the same account. */
export function sumUsage(a: Usage, b: Usage): Usage {
  return {
    input_tokens: a.input_tokens + b.input_tokens,
    output_tokens: a.output_tokens + b.output_tokens,
    total_tokens: a.total_tokens + b.total_tokens,
    cached_tokens: (a.cached_tokens ?? 0) + (b.cached_tokens ?? 0),
    ...(a.byok === true ? { byok: a.byok } : {}),
  };
}

/**
 * Calls a model for a decision: not streamed, at temperature 0.
 * @throws NodeError of the model port
 */
export function askJudge(
  call: NodeCall<unknown>,
  judge: Judge,
  messages: readonly ModelMessage[],
): Promise<ModelReply> {
  const { provider, model } = judge;
  const effect = makeEffect(call, describeModel(judge), {
    target: { provider, model },
    request: {
      messages,
      temperature: 0,
      maxOutputTokens: null,
      reasoningEffort: null,
      responseFormat: null,
      stream: false,
    },
    shown: null,
  });
  return performModelCall(call, effect);
}
