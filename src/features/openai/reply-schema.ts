/** Schemas of the replies of the OpenAI-compatible API. */
import { z } from 'zod';
import { bodyWarnings } from '../../platform/http/unknown-fields.ts';
import { json, jsonObject } from '../../platform/http/wire.ts';

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
