/** Schemas of the replies of the OpenAI-compatible API. */
import { z } from 'zod';
import { bodyWarnings } from '../../platform/http/unknown-fields.ts';
import { json, jsonObject } from '../../platform/http/wire.ts';
import { modelName, readableMessage, stableCode, textContent } from '../../platform/http/fields.ts';

const ABOUT_FINISH_REASON =
  '`stop`: the run completed; `length` or `content_filter`: its answer was cut off or filtered; null before';
const ABOUT_CHOICES = 'The answer, as the only choice; none in the chunk with the tokens';

export const openAiModel = z
  .looseObject({
    id: z.string().meta({
      description: 'Name of the model in requests: the slug of the name of the workflow, or its id',
    }),
    object: z.literal('model').meta({ description: 'Kind of the object' }),
    created: z.int().meta({ description: 'Time of creation, in Unix seconds' }),
    owned_by: z.string().meta({ description: 'Id of the organization' }),
    workflow_id: z.string().meta({
      description: 'Id of the workflow; null when there is none, such as for a run of an inline definition',
    }),
    name: z.string().meta({ description: 'Name of the deployment' }),
  })
  .meta({ id: 'OpenAiModel' });
export const openAiModels = z
  .looseObject({
    object: z.literal('list').meta({ description: 'Kind of the object' }),
    data: z.array(openAiModel).meta({ description: 'The models, last edited workflow first' }),
  })
  .meta({ id: 'OpenAiModelList' });

const usage = z
  .looseObject({
    prompt_tokens: z.int().meta({ description: 'Tokens that the models of the run have read' }),
    completion_tokens: z.int().meta({ description: 'Tokens that the models of the run have written' }),
    total_tokens: z.int().meta({ description: 'Both together' }),
  })
  .meta({ id: 'CompletionUsage' });
const head = {
  id: z.string().meta({ description: 'Unique id' }),
  created: z.int().meta({ description: 'Time of creation, in Unix seconds' }),
  model: modelName,
};
const choice = z
  .looseObject({
    index: z.int().meta({ description: 'Place of the choice' }),
    message: z
      .looseObject({ role: z.string().meta({ description: 'Author of the message' }), content: textContent })
      .meta({ id: 'CompletionMessage' })
      .meta({ description: 'Description, human-readable' }),
    finish_reason: z.string().meta({ description: ABOUT_FINISH_REASON }),
  })
  .meta({ id: 'CompletionChoice' });
export const completion = z
  .looseObject({
    ...head,
    object: z.literal('chat.completion').meta({ description: 'Kind of the object' }),
    choices: z.array(choice).meta({ description: ABOUT_CHOICES }),
    usage: usage.meta({ description: 'Token usage; null when no model was called' }),
    warnings: bodyWarnings,
  })
  .meta({ id: 'ChatCompletion' });

const chunkChoice = z
  .looseObject({
    index: z.int().meta({ description: 'Place of the choice' }),
    delta: z
      .looseObject({
        role: z.string().optional().meta({ description: 'Author of the message' }),
        content: z.string().optional().meta({ description: 'The text' }),
      })
      .meta({ id: 'CompletionDelta' })
      .meta({ description: 'The next part of the text' }),
    finish_reason: z.string().nullable().meta({ description: ABOUT_FINISH_REASON }),
  })
  .meta({ id: 'CompletionChunkChoice' });
export const completionChunk = z
  .looseObject({
    ...head,
    object: z.literal('chat.completion.chunk').meta({ description: 'Kind of the object' }),
    choices: z.array(chunkChoice).meta({ description: ABOUT_CHOICES }),
    usage: usage.nullish().meta({ description: 'Token usage; null when no model was called' }),
  })
  .meta({ id: 'ChatCompletionChunk' });

export const response = z
  .looseObject({
    id: z.string().meta({ description: 'Unique id' }),
    object: z.literal('response').meta({ description: 'Kind of the object' }),
    created_at: z.int().meta({ description: 'Time of the start, in Unix seconds' }),
    completed_at: z
      .int()
      .nullable()
      .meta({ description: 'Time of the end, in Unix seconds; null unless the run completed' }),
    status: z
      .enum(['in_progress', 'completed', 'failed', 'cancelled', 'incomplete'])
      .meta({ description: 'Current status' }),
    background: z
      .boolean()
      .meta({ description: 'Whether the request was answered before the end of the run' }),
    error: z
      .looseObject({ code: stableCode, message: readableMessage })
      .nullable()
      .meta({ id: 'OpenAiResponseError' })
      .meta({ description: 'Reason of the failure; null without one' }),
    incomplete_details: z
      .looseObject({
        reason: z.string().meta({ description: '`input_required`: the run asks a person' }),
        message: readableMessage,
      })
      .nullable()
      .meta({ id: 'OpenAiResponseIncomplete' })
      .meta({ description: 'Which person the run waits for; null when it waits for none' }),
    instructions: z.string().nullable().meta({ description: 'Description of texts that are findings' }),
    model: modelName,
    output: z
      .array(jsonObject)
      .meta({ description: 'The output; null when there is none, or when it is too large to include' }),
    previous_response_id: z
      .string()
      .nullable()
      .meta({ description: 'The response whose thread this one goes on with; null without one' }),
    store: z.boolean().meta({ description: 'Whether the response can be retrieved later' }),
    usage: jsonObject.nullable().meta({ description: 'Token usage; null when no model was called' }),
    metadata: jsonObject.meta({ description: 'Name, description, version and tags of the workflow' }),
    warnings: bodyWarnings,
  })
  .meta({ id: 'OpenAiResponse' });
export const responseEvent = z
  .looseObject({
    type: z.string().meta({ description: 'Discriminator of the alternatives' }),
    sequence_number: z.int().meta({ description: 'Place of the event in the stream, from 0' }),
    response: json.optional().meta({ description: 'The answer; null before' }),
    delta: z.string().optional().meta({ description: 'The next part of the text' }),
  })
  .meta({ id: 'OpenAiResponseEvent' });

export const deletedResponse = z
  .looseObject({
    id: z.string().meta({ description: 'Id of the response' }),
    object: z.literal('response').meta({ description: 'Kind of the object' }),
    deleted: z.literal(true).meta({ description: 'Whether it was deleted' }),
  })
  .meta({ id: 'DeletedResponse' });
export const inputItems = z
  .looseObject({
    object: z.literal('list').meta({ description: 'Kind of the object' }),
    data: z.array(jsonObject).meta({ description: 'The messages, as items' }),
    first_id: z
      .string()
      .nullable()
      .meta({ description: 'Id of the first item of the page; null: it is empty' }),
    last_id: z
      .string()
      .nullable()
      .meta({ description: 'Id of the last item of the page; null: it is empty' }),
    has_more: z.boolean().meta({ description: 'Whether there is another page, after `last_id`' }),
  })
  .meta({ id: 'ResponseInputList' });
