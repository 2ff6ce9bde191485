/** Routes for clients of OpenAI, whose base URL is `/openai`. */
import { z } from 'zod';
import { readIdempotencyKey } from '../../platform/http/idempotency-key.ts';
import { routesFor, type Route } from '../../platform/http/route.ts';
import { openAiError, openAiErrors } from './errors.ts';
import { presentModel } from './models.ts';
import { MAX_KEY_LENGTH } from '../../engine/runs/accept/start.ts';
import {
  completion,
  completionChunk,
  deletedResponse,
  inputItems,
  openAiModel,
  openAiModels,
  response,
  responseEvent,
} from './reply-schema.ts';
import { chatRequest, inputQuery, responseQuery, responseRequest } from './schema.ts';
import {
  cancelResponse,
  completeChat,
  createResponse,
  deleteResponse,
  findModel,
  listInput,
  listModels,
  readResponse,
} from './service.ts';
import type { OpenAiDeps } from './answer-run.ts';

const route = routesFor<OpenAiDeps>();
const common = {
  tag: 'openai',
  access: 'organization',
  infersOrganization: true,
  errors: openAiErrors,
} as const;
const modelParams = z.object({ model: z.string().meta({ description: 'Id of the model' }) });
const responseParams = z.object({
  response_id: z.string().meta({ description: 'Id of the response: `resp_` and the `run_id` of its run' }),
});
const headers = {
  'Idempotency-Key': {
    description: 'Requests with the same key and body within 24 hours start one run.',
    minLength: 1,
    maxLength: MAX_KEY_LENGTH,
  },
};

export const openAiRoutes: readonly Route<OpenAiDeps>[] = [
  route({
    ...common,
    method: 'GET',
    path: '/openai/models',
    operationId: 'listOpenAiModels',
    summary: 'List the workflows that take messages, as models',
    replies: { 200: openAiModels },
    handle: async ({ deps, scope }) => {
      const models = await listModels(deps, scope);
      const data = models.map((model) => presentModel(model, scope.organizationId));
      return { status: 200, body: { object: 'list', data } };
    },
  }),
  route({
    ...common,
    method: 'GET',
    path: '/openai/models/:model',
    operationId: 'getOpenAiModel',
    summary: 'Read a model',
    params: modelParams,
    replies: { 200: openAiModel },
    handle: async ({ deps, scope, params }) => ({
      status: 200,
      body: presentModel(await findModel(deps, scope, params.model), scope.organizationId),
    }),
  }),
  route({
    ...common,
    method: 'POST',
    path: '/openai/chat/completions',
    operationId: 'createChatCompletion',
    summary: 'Answer a conversation with a run of a workflow',
    isGated: true,
    headers,
    body: chatRequest,
    replies: {
      200: { events: completionChunk, json: completion },
      404: openAiError,
      409: openAiError,
      422: openAiError,
      504: openAiError,
    },
    handle: ({ deps, scope, body, ctx }) =>
      completeChat(deps, scope, { body, ctx, idempotencyKey: readIdempotencyKey(ctx) }),
  }),
  route({
    ...common,
    method: 'POST',
    path: '/openai/responses',
    operationId: 'createResponse',
    summary: 'Answer with a response, which is a run of a workflow',
    isGated: true,
    headers,
    body: responseRequest,
    replies: { 200: { events: responseEvent, json: response }, 404: openAiError, 409: openAiError },
    handle: ({ deps, scope, body, ctx }) =>
      createResponse(deps, scope, { body, ctx, idempotencyKey: readIdempotencyKey(ctx) }),
  }),
  route({
    ...common,
    method: 'GET',
    path: '/openai/responses/:response_id',
    operationId: 'getResponse',
    summary: 'Read a response, or stream its events',
    params: responseParams,
    query: responseQuery,
    replies: { 200: { events: responseEvent, json: response } },
    handle: ({ deps, scope, params, query, ctx }) =>
      readResponse(deps, scope, {
        id: params.response_id,
        ctx,
        stream: query.stream === 'true',
        after: query.starting_after,
      }),
  }),
  route({
    ...common,
    method: 'POST',
    path: '/openai/responses/:response_id/cancel',
    operationId: 'cancelResponse',
    summary: 'Cancel the run of a response',
    params: responseParams,
    replies: { 200: response },
    handle: async ({ deps, scope, params }) => ({
      status: 200,
      body: await cancelResponse(deps, scope, { id: params.response_id }),
    }),
  }),
  route({
    ...common,
    method: 'DELETE',
    path: '/openai/responses/:response_id',
    operationId: 'deleteResponse',
    summary: 'Delete a response that has ended; the record of its run stays',
    params: responseParams,
    replies: { 200: deletedResponse, 409: openAiError },
    handle: async ({ deps, scope, params }) => ({
      status: 200,
      body: await deleteResponse(deps, scope, { id: params.response_id }),
    }),
  }),
  route({
    ...common,
    method: 'GET',
    path: '/openai/responses/:response_id/input_items',
    operationId: 'listResponseInput',
    summary: 'List the messages that a response answers',
    params: responseParams,
    query: inputQuery,
    replies: { 200: inputItems },
    handle: async ({ deps, scope, params, query }) => ({
      status: 200,
      body: await listInput(deps, scope, { id: params.response_id, ...query, after: query.after ?? null }),
    }),
  }),
];
