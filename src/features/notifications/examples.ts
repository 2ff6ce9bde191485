/** OpenAPI examples of notification endpoints and of error workflows. */
import { AT, IDS, LATER } from '../../platform/http/docs/example-ids.ts';
import type { RowExamples } from '../../platform/http/route.ts';

const endpoint = {
  id: IDS.endpoint,
  organization_id: IDS.organization,
  name: 'On call',
  url: 'https://company.example/alerts',
  event_types: ['run.failed', 'run.waiting'],
  workflow_ids: null,
  enabled: true,
  previous_secret_until: null,
  failing_since: null,
  disabled_reason: null,
  last_delivery_at: AT,
  created_by: IDS.user,
  created_at: AT,
  updated_at: AT,
};
const withSecret = { ...endpoint, secret: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD' };
const delivery = {
  id: IDS.delivery,
  endpoint_id: IDS.endpoint,
  event_id: IDS.event,
  event_type: 'run.failed',
  status: 'delivered',
  error_code: null,
  attempt_count: 1,
  attempts: [{ at: AT, duration_ms: 84, status: 204, error_code: null, response: '' }],
  next_attempt_at: null,
  replay_of: null,
  payload: {
    type: 'run.failed',
    timestamp: AT,
    data: {
      run_id: IDS.run,
      run_pk: IDS.runPk,
      workflow_id: IDS.workflow,
      workflow_name: 'Support triage',
      trigger_type: 'schedule',
      error: { code: 'http_error', message: 'The server responded with HTTP 503', node_id: 'fetch' },
    },
  },
  created_at: AT,
  completed_at: LATER,
};
const pending = {
  ...delivery,
  status: 'pending',
  attempt_count: 0,
  attempts: [],
  next_attempt_at: AT,
  completed_at: null,
};
const errorWorkflow = { workflow_id: IDS.workflow, error_workflow_id: IDS.errorWorkflow };
const all = '/notification-endpoints';
const one = `${all}/:endpoint_id`;

export const NOTIFICATION_EXAMPLES: RowExamples = {
  'GET /workflows/:workflow_id/error-workflow': { replies: { 200: errorWorkflow } },
  'PUT /workflows/:workflow_id/error-workflow': {
    request: { error_workflow_id: IDS.errorWorkflow },
    replies: { 200: errorWorkflow },
  },
  [`POST ${all}`]: {
    request: { name: endpoint.name, url: endpoint.url, event_types: endpoint.event_types },
    replies: { 201: withSecret },
  },
  [`GET ${all}`]: { replies: { 200: { endpoints: [endpoint] } } },
  [`GET ${one}`]: { replies: { 200: endpoint } },
  [`PATCH ${one}`]: { request: { enabled: false }, replies: { 200: { ...endpoint, enabled: false } } },
  [`DELETE ${one}`]: { replies: { 200: { success: true, message: 'Notification endpoint deleted' } } },
  [`POST ${one}/rotate`]: {
    request: { keep_previous_seconds: 3_600 },
    replies: { 200: { ...withSecret, previous_secret_until: '2026-11-02T10:30:00.000Z' } },
  },
  [`POST ${one}/test`]: {
    replies: {
      202: {
        ...pending,
        event_type: 'endpoint.test',
        payload: {
          type: 'endpoint.test',
          timestamp: AT,
          data: { endpoint_id: IDS.endpoint, name: endpoint.name },
        },
      },
    },
  },
  [`GET ${one}/deliveries`]: {
    replies: {
      200: {
        deliveries: [delivery],
        limit: 20,
        offset: 0,
        has_more: false,
        next_cursor: null,
        previous_cursor: null,
      },
    },
  },
  [`POST ${one}/deliveries/:delivery_id/replay`]: {
    replies: { 202: { ...pending, replay_of: IDS.delivery } },
  },
};
