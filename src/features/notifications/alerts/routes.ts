/** Routes of alerts, for owners and admins. */
import type { Alert } from '../../../base/db/generated/client.ts';
import { routesFor, type Route } from '../../../platform/http/route.ts';
import { refusal, success, uuidParams } from '../../../platform/http/wire.ts';
import { alert, alertChange, alertList, newAlert } from './schema.ts';
import { changeAlert, createAlert, deleteAlert, getAlert, listAlerts, type AlertDeps } from './service.ts';

const route = routesFor<AlertDeps>();
const common = { tag: 'notifications', access: 'organization' } as const;
const ofAlert = uuidParams('alert_id');
const all = '/alerts';
const one = `${all}/:alert_id`;

const present = (row: Alert): object => ({
  id: row.id,
  organization_id: row.organizationId,
  workflow_id: row.workflowId,
  name: row.name,
  kind: row.kind,
  threshold: row.threshold,
  window_minutes: row.windowMinutes,
  enabled: row.enabled,
  firing_since: row.firingSince?.toISOString() ?? null,
  value: row.value,
  checked_at: row.checkedAt?.toISOString() ?? null,
  created_by: row.createdBy,
  created_at: row.createdAt.toISOString(),
  updated_at: row.updatedAt.toISOString(),
});

export const alertRoutes: readonly Route<AlertDeps>[] = [
  route({
    ...common,
    method: 'POST',
    path: all,
    operationId: 'createAlert',
    summary: 'Create an alert: endpoints are told once when its rule is broken, and once when it holds again',
    body: newAlert,
    replies: { 201: alert, 409: refusal },
    handle: async ({ deps, scope, body }) => ({
      status: 201,
      body: present(await createAlert(deps, scope, body)),
    }),
  }),
  route({
    ...common,
    method: 'GET',
    path: all,
    operationId: 'listAlerts',
    summary: 'List the alerts of the organization, newest first',
    replies: { 200: alertList },
    handle: async ({ deps, scope }) => ({
      status: 200,
      body: { alerts: (await listAlerts(deps, scope)).map(present) },
    }),
  }),
  route({
    ...common,
    method: 'GET',
    path: one,
    operationId: 'getAlert',
    summary: 'Read an alert',
    params: ofAlert,
    replies: { 200: alert },
    handle: async ({ deps, scope, params }) => ({
      status: 200,
      body: present(await getAlert(deps, scope, params.alert_id)),
    }),
  }),
  route({
    ...common,
    method: 'PATCH',
    path: one,
    operationId: 'updateAlert',
    summary: 'Change the supplied fields of an alert; a changed rule begins anew',
    params: ofAlert,
    body: alertChange,
    find: ({ deps, scope, params }) => getAlert(deps, scope, params.alert_id),
    replies: { 200: alert },
    handle: async ({ deps, scope, params, body }) => ({
      status: 200,
      body: present(await changeAlert(deps, scope, { alertId: params.alert_id, body })),
    }),
  }),
  route({
    ...common,
    method: 'DELETE',
    path: one,
    operationId: 'deleteAlert',
    summary: 'Delete an alert',
    params: ofAlert,
    replies: { 200: success },
    handle: async ({ deps, scope, params }) => {
      await deleteAlert(deps, scope, params.alert_id);
      return { status: 200, body: { success: true, message: 'Alert deleted' } };
    },
  }),
];
