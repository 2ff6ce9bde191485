/** Routes of notification endpoints, for owners and admins. */
import { presentPage } from '../../platform/http/cursor-page.ts';
import { routesFor, type Route } from '../../platform/http/route.ts';
import { refusal, success, uuidParams } from '../../platform/http/wire.ts';
import { NOTIFIED_EVENTS } from './events.ts';
import { presentDelivery, presentEndpoint } from './present.ts';
import {
  delivery,
  deliveryList,
  deliveryQuery,
  endpoint,
  endpointChange,
  endpointList,
  endpointWithSecret,
  newEndpoint,
  secretRotation,
} from './schema.ts';
import {
  changeEndpoint,
  createEndpoint,
  deleteEndpoint,
  getEndpoint,
  listDeliveries,
  listEndpoints,
  replayDelivery,
  rotateSecret,
  testEndpoint,
  type EndpointWithSecret,
  type NotificationDeps,
} from './service.ts';

const route = routesFor<NotificationDeps>();
const common = { tag: 'notifications', access: 'organization' } as const;
const ofEndpoint = uuidParams('endpoint_id');
const ofDelivery = uuidParams('endpoint_id', 'delivery_id');
const all = '/notification-endpoints';
const one = `${all}/:endpoint_id`;

const presentSecret = ({ row, secret }: EndpointWithSecret, { clock }: NotificationDeps): object => ({
  ...presentEndpoint(row, clock.now()),
  secret,
});

export const notificationRoutes: readonly Route<NotificationDeps>[] = [
  route({
    ...common,
    method: 'POST',
    path: all,
    operationId: 'createNotificationEndpoint',
    sends: NOTIFIED_EVENTS,
    summary: 'Create an endpoint that is told of runs; the answer has the secret that signs its requests',
    body: newEndpoint,
    replies: { 201: endpointWithSecret, 409: refusal, 503: refusal },
    handle: async ({ deps, scope, body }) => ({
      status: 201,
      body: presentSecret(await createEndpoint(deps, scope, body), deps),
    }),
  }),
  route({
    ...common,
    method: 'GET',
    path: all,
    operationId: 'listNotificationEndpoints',
    summary: 'List the notification endpoints of the organization, newest first',
    replies: { 200: endpointList },
    handle: async ({ deps, scope }) => {
      const rows = await listEndpoints(deps, scope);
      const nowMs = deps.clock.now();
      return { status: 200, body: { endpoints: rows.map((row) => presentEndpoint(row, nowMs)) } };
    },
  }),
  route({
    ...common,
    method: 'GET',
    path: one,
    operationId: 'getNotificationEndpoint',
    summary: 'Read a notification endpoint',
    params: ofEndpoint,
    replies: { 200: endpoint },
    handle: async ({ deps, scope, params }) => {
      const row = await getEndpoint(deps, scope, params.endpoint_id);
      return { status: 200, body: presentEndpoint(row, deps.clock.now()) };
    },
  }),
  route({
    ...common,
    method: 'PATCH',
    path: one,
    operationId: 'updateNotificationEndpoint',
    summary: 'Change the supplied fields of a notification endpoint; disabling it drops what it waits for',
    params: ofEndpoint,
    body: endpointChange,
    find: ({ deps, scope, params }) => getEndpoint(deps, scope, params.endpoint_id),
    replies: { 200: endpoint },
    handle: async ({ deps, scope, params, body }) => {
      const row = await changeEndpoint(deps, scope, { endpointId: params.endpoint_id, body });
      return { status: 200, body: presentEndpoint(row, deps.clock.now()) };
    },
  }),
  route({
    ...common,
    method: 'DELETE',
    path: one,
    operationId: 'deleteNotificationEndpoint',
    summary: 'Delete a notification endpoint and its log',
    params: ofEndpoint,
    replies: { 200: success },
    handle: async ({ deps, scope, params }) => {
      await deleteEndpoint(deps, scope, params.endpoint_id);
      return { status: 200, body: { success: true, message: 'Notification endpoint deleted' } };
    },
  }),
  route({
    ...common,
    method: 'POST',
    path: `${one}/rotate`,
    operationId: 'rotateNotificationSecret',
    summary: 'Give a notification endpoint a new secret; both sign its requests for a while',
    params: ofEndpoint,
    body: secretRotation,
    find: ({ deps, scope, params }) => getEndpoint(deps, scope, params.endpoint_id),
    bodyOptional: true,
    replies: { 200: endpointWithSecret, 503: refusal },
    handle: async ({ deps, scope, params, body }) => {
      const rotation = {
        endpointId: params.endpoint_id,
        keepPreviousSeconds: body.keep_previous_seconds,
      };
      return { status: 200, body: presentSecret(await rotateSecret(deps, scope, rotation), deps) };
    },
  }),
  route({
    ...common,
    method: 'POST',
    path: `${one}/test`,
    operationId: 'testNotificationEndpoint',
    summary: 'Send an `endpoint.test` event to a notification endpoint; its log has the result',
    params: ofEndpoint,
    replies: { 202: delivery, 409: refusal },
    handle: async ({ deps, scope, params }) => ({
      status: 202,
      body: presentDelivery(await testEndpoint(deps, scope, params.endpoint_id)),
    }),
  }),
  route({
    ...common,
    method: 'GET',
    path: `${one}/deliveries`,
    operationId: 'listNotificationDeliveries',
    summary: 'List the deliveries to a notification endpoint in the last 7 days, newest first',
    params: ofEndpoint,
    query: deliveryQuery,
    replies: { 200: deliveryList },
    handle: async ({ deps, scope, params, query }) => {
      const page = await listDeliveries(deps, scope, { endpointId: params.endpoint_id, ...query });
      return {
        status: 200,
        body: { deliveries: page.rows.map(presentDelivery), ...presentPage(page, query) },
      };
    },
  }),
  route({
    ...common,
    method: 'POST',
    path: `${one}/deliveries/:delivery_id/replay`,
    operationId: 'replayNotificationDelivery',
    summary: 'Deliver an event again, with the same `webhook-id`',
    params: ofDelivery,
    replies: { 202: delivery, 409: refusal },
    handle: async ({ deps, scope, params }) => {
      const key = { endpointId: params.endpoint_id, deliveryId: params.delivery_id };
      return { status: 202, body: presentDelivery(await replayDelivery(deps, scope, key)) };
    },
  }),
];
