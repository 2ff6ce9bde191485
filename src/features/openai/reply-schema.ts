/** Schemas of the OpenAI-compatible API: the fields that a workflow heeds; others are ignored with a warning. */
import { z } from 'zod';
import { limit } from '../../platform/http/paginate.ts';
import { bodyWarnings } from '../../platform/http/unknown-fields.ts';
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
      })
      .meta({ id: 'CompletionStreamOptions' })
      .nullish()
      .meta({ description: 'Options of a stream' }),
    metadata: metadata.nullish().meta({
      description: 'Pairs that a run can have are the metadata of its run, by which the history finds it',
    }),
    n: z.literal(1).nullish().meta({ description: 'Number of answers: one' }),
  })
  .meta({ id: 'CreateChatCompletion' });
export type ChatRequest = z.output<typeof chatRequest>;

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

export const openAiModel = z
  .looseObject({
    id: z.string(),
    object: z.literal('model'),
    created: z.int(),
    owned_by: z.string(),
    workflow_id: z.string(),
    name: z.string(),
  })
  .meta({ id: 'OpenAiModel' });
export const openAiModels = z
  .looseObject({ object: z.literal('list'), data: z.array(openAiModel) })
  .meta({ id: 'OpenAiModelList' });

const usage = z
  .looseObject({ prompt_tokens: z.int(), completion_tokens: z.int(), total_tokens: z.int() })
  .meta({ id: 'CompletionUsage' });
const head = { id: z.string(), created: z.int(), model: z.string() };
const choice = z
  .looseObject({
    index: z.int(),
    message: z.looseObject({ role: z.string(), content: z.string() }).meta({ id: 'CompletionMessage' }),
    finish_reason: z.string(),
  })
  .meta({ id: 'CompletionChoice' });
export const completion = z
  .looseObject({
    ...head,
    object: z.literal('chat.completion'),
    choices: z.array(choice),
    usage,
    warnings: bodyWarnings,
  })
  .meta({ id: 'ChatCompletion' });

const chunkChoice = z
  .looseObject({
    index: z.int(),
    delta: z
      .looseObject({ role: z.string().optional(), content: z.string().optional() })
      .meta({ id: 'CompletionDelta' }),
    finish_reason: z.string().nullable(),
  })
  .meta({ id: 'CompletionChunkChoice' });
export const completionChunk = z
  .looseObject({
    ...head,
    object: z.literal('chat.completion.chunk'),
    choices: z.array(chunkChoice),
    usage: usage.nullish(),
  })
  .meta({ id: 'ChatCompletionChunk' });

export const response = z
  .looseObject({
    id: z.string(),
    object: z.literal('response'),
    created_at: z.int(),
    completed_at: z.int().nullable(),
    status: z.enum(['in_progress', 'completed', 'failed', 'cancelled', 'incomplete']),
    background: z.boolean(),
    error: z
      .looseObject({ code: z.string(), message: z.string() })
      .nullable()
      .meta({ id: 'OpenAiResponseError' }),
    incomplete_details: z
      .looseObject({ reason: z.string(), message: z.string() })
      .nullable()
      .meta({ id: 'OpenAiResponseIncomplete' }),
    instructions: z.string().nullable(),
    model: z.string(),
    output: z.array(jsonObject),
    previous_response_id: z.string().nullable(),
    store: z.boolean(),
    usage: jsonObject.nullable(),
    metadata: jsonObject,
    warnings: bodyWarnings,
  })
  .meta({ id: 'OpenAiResponse' });
export const responseEvent = z
  .looseObject({
    type: z.string(),
    sequence_number: z.int(),
    response: json.optional(),
    delta: z.string().optional(),
  })
  .meta({ id: 'OpenAiResponseEvent' });

export const deletedResponse = z
  .looseObject({ id: z.string(), object: z.literal('response'), deleted: z.literal(true) })
  .meta({ id: 'DeletedResponse' });
export const inputItems = z
  .looseObject({
    object: z.literal('list'),
    data: z.array(jsonObject),
    first_id: z.string().nullable(),
    last_id: z.string().nullable(),
    has_more: z.boolean(),
  })
  .meta({ id: 'ResponseInputList' });
