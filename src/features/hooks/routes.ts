/** Routes of webhooks: their management, for owners and admins, and the public addresses themselves. */
import type { Context } from 'koa';
import { z } from 'zod';
import { presentPage } from '../../platform/http/cursor-page.ts';
import { routesFor, type Route } from '../../platform/http/route.ts';
import { refusal, success, uuidParams } from '../../platform/http/wire.ts';
import { requireWorkflow } from '../../engine/runs/ledger/read/require-objects.ts';
import { countRecentOutcomes } from './store.ts';
import { findOrigin, presentDelivered, receive, type HookDeps } from './receive.ts';
import { presentHookDelivery, presentHook } from './present.ts';
import {
  hookDeliveryList,
  hookDeliveryQuery,
  hook,
  hookChange,
  hookList,
  listening,
  newHook,
  received,
  rotation,
} from './schema.ts';
import {
  changeHook,
  createHook,
  deleteHook,
  getHook,
  listHookDeliveries,
  listenForTest,
  listHooks,
  redeliver,
  rotateHook,
  type FoundHook,
} from './service.ts';

const route = routesFor<HookDeps>();
const common = { tag: 'webhooks', access: 'organization' } as const;
const ofWorkflow = uuidParams('workflow_id');
const ofHook = uuidParams('workflow_id', 'hook_id');
const ofDelivery = uuidParams('workflow_id', 'hook_id', 'delivery_id');
/** Any text: an unknown token is 404, whatever its form. */
const ofAddress = z.object({ token: z.string().meta({ description: 'The secret part of the address' }) });
const all = '/workflows/:workflow_id/hooks';
const one = `${all}/:hook_id`;

async function present({ row, vault }: FoundHook, deps: HookDeps, ctx: Context): Promise<object> {
  const { organizationId, id } = row;
  const recent = await countRecentOutcomes(deps.db, { organizationId, hookIds: [id] });
  return presentHook(row, { vault, origin: findOrigin(deps, ctx), recent: recent(id) });
}

const buildAddress = (method: 'POST' | 'GET' | 'PUT'): Route<HookDeps> =>
  route({
    method,
    path: '/hooks/:token',
    tag: 'webhooks',
    operationId: `${method.toLowerCase()}ToHook`,
    summary: 'Start a run: the address of a webhook, for the service that sends it',
    access: 'public',
    isGated: true,
    takesAnyQuery: true,
    ...(method === 'GET'
      ? {}
      : { rawBody: 'JSON, a form, multipart fields or text, up to 1 MiB, signed as the webhook demands' }),
    replies: {
      200: received,
      202: received,
      400: refusal,
      401: refusal,
      404: refusal,
      405: refusal,
      413: refusal,
      503: refusal,
    },
    params: ofAddress,
    handle: ({ deps, params, ctx }) => receive(deps, params.token, ctx),
  });

export const hookRoutes: readonly Route<HookDeps>[] = [
  route({
    ...common,
    method: 'POST',
    path: all,
    operationId: 'createHook',
    summary: 'Create a webhook: an address at which another service starts runs of the workflow',
    params: ofWorkflow,
    body: newHook,
    find: ({ deps, scope, params }) => requireWorkflow(deps.db, scope, params.workflow_id),
    replies: { 201: hook, 409: refusal, 503: refusal },
    handle: async ({ deps, scope, params, body, ctx }) => {
      const made = await createHook(deps, scope, { workflowId: params.workflow_id, body });
      return { status: 201, body: await present(made, deps, ctx) };
    },
  }),
  route({
    ...common,
    method: 'GET',
    path: all,
    operationId: 'listHooks',
    summary: 'List the webhooks of a workflow, newest first',
    params: ofWorkflow,
    replies: { 200: hookList, 503: refusal },
    handle: async ({ deps, scope, params, ctx }) => {
      const { rows, vault } = await listHooks(deps, scope, params.workflow_id);
      const { organizationId } = scope;
      const recent = await countRecentOutcomes(deps.db, {
        organizationId,
        hookIds: rows.map(({ id }) => id),
      });
      const origin = findOrigin(deps, ctx);
      const hooks = rows.map((row) => presentHook(row, { vault, origin, recent: recent(row.id) }));
      return { status: 200, body: { hooks } };
    },
  }),
  route({
    ...common,
    method: 'GET',
    path: one,
    operationId: 'getHook',
    summary: 'Read a webhook',
    params: ofHook,
    replies: { 200: hook, 503: refusal },
    handle: async ({ deps, scope, params, ctx }) => {
      const key = { workflowId: params.workflow_id, hookId: params.hook_id };
      return { status: 200, body: await present(await getHook(deps, scope, key), deps, ctx) };
    },
  }),
  route({
    ...common,
    method: 'PATCH',
    path: one,
    operationId: 'updateHook',
    summary: 'Change the supplied fields of a webhook; `secrets` replaces all of them',
    params: ofHook,
    body: hookChange,
    find: ({ deps, scope, params }) =>
      getHook(deps, scope, { workflowId: params.workflow_id, hookId: params.hook_id }),
    replies: { 200: hook, 409: refusal, 503: refusal },
    handle: async ({ deps, scope, params, body, ctx }) => {
      const key = { workflowId: params.workflow_id, hookId: params.hook_id };
      return { status: 200, body: await present(await changeHook(deps, scope, { ...key, body }), deps, ctx) };
    },
  }),
  route({
    ...common,
    method: 'DELETE',
    path: one,
    operationId: 'deleteHook',
    summary: 'Delete a webhook and its log; the runs that it started stay',
    params: ofHook,
    replies: { 200: success, 409: refusal },
    handle: async ({ deps, scope, params }) => {
      await deleteHook(deps, scope, { workflowId: params.workflow_id, hookId: params.hook_id });
      return { status: 200, body: { success: true, message: 'Webhook deleted' } };
    },
  }),
  route({
    ...common,
    method: 'POST',
    path: `${one}/rotate`,
    operationId: 'rotateHook',
    summary: 'Give a webhook a new address; the previous one stays valid for a while',
    params: ofHook,
    body: rotation,
    find: ({ deps, scope, params }) =>
      getHook(deps, scope, { workflowId: params.workflow_id, hookId: params.hook_id }),
    bodyOptional: true,
    replies: { 200: hook, 503: refusal },
    handle: async ({ deps, scope, params, body, ctx }) => {
      const key = { workflowId: params.workflow_id, hookId: params.hook_id };
      const rotated = await rotateHook(deps, scope, {
        ...key,
        keepPreviousSeconds: body.keep_previous_seconds,
      });
      return { status: 200, body: await present(rotated, deps, ctx) };
    },
  }),
  route({
    ...common,
    method: 'POST',
    path: `${one}/listen`,
    operationId: 'listenForHookTest',
    summary:
      'Listen for a test event: the next request is recorded, also by a disabled webhook or without a live version',
    params: ofHook,
    body: listening,
    find: ({ deps, scope, params }) =>
      getHook(deps, scope, { workflowId: params.workflow_id, hookId: params.hook_id }),
    bodyOptional: true,
    replies: { 200: hook, 503: refusal },
    handle: async ({ deps, scope, params, body, ctx }) => {
      const key = { workflowId: params.workflow_id, hookId: params.hook_id };
      const found = await listenForTest(deps, scope, { ...key, seconds: body.seconds });
      return { status: 200, body: await present(found, deps, ctx) };
    },
  }),
  route({
    ...common,
    method: 'DELETE',
    path: `${one}/listen`,
    operationId: 'stopHookTest',
    summary: 'Stop listening for a test event',
    params: ofHook,
    replies: { 200: hook, 503: refusal },
    handle: async ({ deps, scope, params, ctx }) => {
      const key = { workflowId: params.workflow_id, hookId: params.hook_id };
      return {
        status: 200,
        body: await present(await listenForTest(deps, scope, { ...key, seconds: null }), deps, ctx),
      };
    },
  }),
  route({
    ...common,
    method: 'GET',
    path: `${one}/deliveries`,
    operationId: 'listHookDeliveries',
    summary: 'List the requests that a webhook has received in the last 7 days, newest first',
    params: ofHook,
    query: hookDeliveryQuery,
    replies: { 200: hookDeliveryList, 503: refusal },
    handle: async ({ deps, scope, params, query }) => {
      const key = { workflowId: params.workflow_id, hookId: params.hook_id };
      const { hook: found, page } = await listHookDeliveries(deps, scope, { key, query });
      const deliveries = page.rows.map((row) => presentHookDelivery(row, found));
      return { status: 200, body: { deliveries, ...presentPage(page, query) } };
    },
  }),
  route({
    ...common,
    method: 'POST',
    path: `${one}/deliveries/:delivery_id/redeliver`,
    operationId: 'redeliverHook',
    summary: 'Deliver a request again, as a new run',
    isGated: true,
    params: ofDelivery,
    replies: { 200: received, 400: refusal, 409: refusal, 503: refusal },
    handle: async ({ deps, scope, params }) => {
      const key = {
        workflowId: params.workflow_id,
        hookId: params.hook_id,
        deliveryId: params.delivery_id,
      };
      return { status: 200, body: presentDelivered(await redeliver(deps, scope, key)) };
    },
  }),
  buildAddress('POST'),
  buildAddress('GET'),
  buildAddress('PUT'),
];
