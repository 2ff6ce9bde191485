/** Schemas of the OpenAI-compatible API: the parameters that a workflow heeds, and those that it refuses (README.md, Parameters). */
import { z } from 'zod';
import { limit } from '../../platform/http/paginate.ts';
import type { Json, JsonObject } from '../../language/graph/values/value.ts';
import { json, jsonObject } from '../../platform/http/wire.ts';

const MAX_MODEL = 255;
/** A conversation may be as long as a body. */
const messages = z
  .array(jsonObject)
  .min(1)
  .meta({ description: 'The conversation, oldest message first: each has a `role` and a `content`' });
const model = z.string().min(1).max(MAX_MODEL).meta({
  description: 'A model of GET /openai/models: the slug of the name of a workflow, or its id',
});
const stream = z.boolean().nullish().meta({ description: 'Whether the answer is streamed' });

/** The limits of OpenAI: https://platform.openai.com/docs/api-reference/responses/create#responses-create-metadata. */
const [MAX_PAIRS, MAX_KEY, MAX_VALUE] = [16, 64, 512];
const metadata = z
  .record(z.string().min(1).max(MAX_KEY), z.string().max(MAX_VALUE))
  .refine((pairs) => Object.keys(pairs).length <= MAX_PAIRS, `Metadata has at most ${MAX_PAIRS} pairs`)
  .meta({ id: 'OpenAiMetadata' });

/** A parameter that no workflow heeds: only values that leave the answer as it is are accepted. */
const unsupported = (why: string, isHarmless: (value: Json) => boolean = () => false) => {
  const description = `Not supported by workflows: ${why}`;
  return json
    .nullish()
    .refine((value) => value === undefined || value === null || isHarmless(value), {
      message: description,
      params: { type: 'unsupported_parameter' },
    })
    .meta({ description });
};
/** A parameter that cannot change the answer. */
const hint = () => json.nullish().meta({ description: 'Accepted: it does not change the answer' });

const isAmong =
  (...values: readonly Json[]) =>
  (given: Json): boolean =>
    values.includes(given);
const isEmptyList = (given: Json): boolean => Array.isArray(given) && given.length === 0;
const isEmptyObject = (given: Json): boolean =>
  typeof given === 'object' && !Array.isArray(given) && Object.keys(given ?? {}).length === 0;

const noTools = () =>
  unsupported('tools belong to the agents of the workflow; an empty list is accepted', isEmptyList);
const noToolChoice = () =>
  unsupported(
    'tools belong to the agents of the workflow; `none` and `auto` are accepted',
    isAmong('none', 'auto'),
  );
const onlyDefault = (value: number | string | boolean) =>
  unsupported(`only \`${value}\`, the default, is accepted`, isAmong(value));
const nothing = () => unsupported('nothing but null is accepted');

/** The parameters that both APIs have. */
const common = {
  temperature: z.number().min(0).max(2).nullish().meta({
    description: 'Temperature of the model that answers; 1 leaves that of the workflow',
  }),
  top_p: onlyDefault(1),
  top_logprobs: onlyDefault(0),
  tools: noTools(),
  tool_choice: noToolChoice(),
  parallel_tool_calls: hint(),
  user: hint(),
  safety_identifier: hint(),
  prompt_cache_key: hint(),
  prompt_cache_retention: hint(),
  service_tier: hint(),
};
const maxTokens = z
  .int()
  .min(1)
  .nullish()
  .meta({ description: 'Maximum number of tokens of the model that answers' });
const effort = z.string().nullish().meta({ description: 'Effort of the model that answers' });
const verbosity = onlyDefault('medium');

const formatType = z
  .enum(['text', 'json_object', 'json_schema'])
  .meta({ description: 'Text, any JSON object, or JSON that matches a schema' });
const format = {
  name: z.string().nullish().meta({ description: 'Name of the format' }),
  description: z.string().nullish().meta({ description: 'Description of the format' }),
  strict: z.boolean().nullish().meta({ description: 'Whether the provider is asked to enforce the schema' }),
};
const missingSchema = { message: 'Field required for json_schema', params: { type: 'missing' } };

export const chatRequest = z
  .object({
    model,
    messages,
    stream,
    stream_options: z
      .object({
        include_usage: z
          .boolean()
          .nullish()
          .meta({ description: 'Whether a last chunk has the tokens of the run' }),
        include_obfuscation: hint(),
      })
      .meta({ id: 'CompletionStreamOptions' })
      .nullish()
      .meta({ description: 'Options of a stream' }),
    metadata: metadata.nullish().meta({
      description: 'Pairs that a run can have are the metadata of its run, by which the history finds it',
    }),
    ...common,
    max_tokens: maxTokens,
    max_completion_tokens: maxTokens,
    reasoning_effort: effort,
    response_format: z
      .object({
        type: formatType,
        json_schema: z
          .object({ ...format, schema: jsonObject.meta({ description: 'JSON Schema of the answer' }) })
          .meta({ id: 'CompletionJsonSchema' })
          .nullish()
          .meta({ description: 'The schema of `json_schema`' }),
      })
      .refine(({ type, json_schema: given }) => type !== 'json_schema' || (given ?? null) !== null, {
        ...missingSchema,
        path: ['json_schema'],
      })
      .meta({ id: 'CompletionFormat' })
      .nullish()
      .meta({ description: 'Format of the answer, given to the model that answers' }),
    n: onlyDefault(1),
    functions: noTools(),
    function_call: noToolChoice(),
    stop: unsupported('an answer has no stop sequences; an empty list is accepted', isEmptyList),
    seed: nothing(),
    logprobs: onlyDefault(false),
    logit_bias: unsupported('only an empty object is accepted', isEmptyObject),
    frequency_penalty: onlyDefault(0),
    presence_penalty: onlyDefault(0),
    modalities: unsupported(
      'answers are text; `["text"]` is accepted',
      (given) => Array.isArray(given) && given.every(isAmong('text')),
    ),
    audio: nothing(),
    web_search_options: nothing(),
    verbosity,
    prediction: hint(),
    store: hint(),
  })
  .meta({ id: 'CreateChatCompletion' });
export type ChatRequest = z.output<typeof chatRequest>;
/** A format of an answer, as both APIs have it. */
export interface ResponseFormat {
  readonly type: z.output<typeof formatType>;
  readonly schema: JsonObject | null;
  readonly strict: boolean | null;
}

export const responseRequest = z
  .object({
    model,
    input: z
      .union([z.string(), z.array(jsonObject).min(1)])
      .meta({ description: 'A text of the user, or the items of a conversation' }),
    instructions: z.string().nullish().meta({ description: 'A system message before the input' }),
    stream,
    background: z
      .boolean()
      .nullish()
      .meta({ description: 'Whether to answer once the run is accepted, before its end' }),
    previous_response_id: z
      .string()
      .max(100)
      .nullish()
      .meta({ description: 'The response whose thread, and memory of its models, this one goes on with' }),
    store: z
      .boolean()
      .nullish()
      .meta({ description: 'False: the run is ephemeral, and its response cannot be retrieved later' }),
    metadata: metadata.nullish().meta({
      description:
        'Returned with the response whenever it is read; pairs that a run can have are the metadata of its run as well',
    }),
    ...common,
    max_output_tokens: maxTokens,
    reasoning: z
      .object({ effort, summary: hint(), generate_summary: hint() })
      .meta({ id: 'ResponseReasoning' })
      .nullish()
      .meta({ description: 'Reasoning of the model that answers; its summary is not part of the answer' }),
    text: z
      .object({
        format: z
          .object({
            type: formatType,
            ...format,
            schema: jsonObject.nullish().meta({ description: 'JSON Schema of the answer' }),
          })
          .refine(({ type, schema }) => type !== 'json_schema' || (schema ?? null) !== null, {
            ...missingSchema,
            path: ['schema'],
          })
          .meta({ id: 'ResponseFormat' })
          .nullish()
          .meta({ description: 'Format of the answer, given to the model that answers' }),
        verbosity,
      })
      .meta({ id: 'ResponseText' })
      .nullish()
      .meta({ description: 'How the answer is written' }),
    response_format: unsupported('in this API it is `text.format`'),
    max_tool_calls: hint(),
    stream_options: hint(),
    truncation: onlyDefault('disabled'),
    conversation: unsupported('`previous_response_id` goes on with a conversation'),
    prompt: nothing(),
    context_management: nothing(),
    include: unsupported(
      'an answer has no log probabilities',
      (given) => Array.isArray(given) && !given.includes('message.output_text.logprobs'),
    ),
  })
  .meta({ id: 'CreateResponse' });
export type ResponseRequest = z.output<typeof responseRequest>;

const flag = z.enum(['true', 'false']).optional();
export const responseQuery = z.object({
  stream: flag.meta({ description: 'Whether to stream the events of the response' }),
  starting_after: z
    .string()
    .regex(/^\d{1,9}$/, 'must be a whole number')
    .optional()
    .transform((text) => (text === undefined ? -1 : Number(text)))
    .meta({
      description: 'The last received `sequence_number`: the stream goes on after it',
      override: { type: 'integer', minimum: 0, maximum: 999_999_999 },
    }),
});

export const inputQuery = z.object({
  limit: limit(20),
  order: z.enum(['asc', 'desc']).default('desc').meta({ description: 'Order of the messages' }),
  after: z.string().max(100).optional().meta({ description: 'Id of the item before the page' }),
});
