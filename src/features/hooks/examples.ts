/** OpenAPI examples of webhooks. */
import { AT, IDS } from '../../platform/http/docs/example-ids.ts';
import type { RowExamples } from '../../platform/http/route.ts';

const hook = {
  id: IDS.hook,
  organization_id: IDS.organization,
  workflow_id: IDS.workflow,
  name: 'New issues',
  trigger: { id: 'new_issues', is_live: true },
  enabled: true,
  url: 'https://company.example/hooks/4Zk2v6m0t3Qy8cN1bXw7rL5sPd9aHfEj',
  previous_url_until: null,
  verification: 'github',
  signature: null,
  secret_count: 1,
  methods: ['POST', 'PUT'],
  filter: { match: 'all', rules: [{ left: '{{body.action}}', op: 'eq', right: 'opened' }] },
  mapping: { title: '{{body.issue.title}}', author: '{{body.issue.user.login}}' },
  thread_id: null,
  deduplicate_by: 'sender_id',
  id_header: null,
  response: { mode: 'accepted' },
  rejected_count: 0,
  last_rejected_at: null,
  last_rejected_reason: null,
  last_delivery_at: AT,
  recent_deliveries: { started: 3, filtered: 41, failed: 0, captured: 0, rejected: 0 },
  listening_until: null,
  created_by: IDS.user,
  created_at: AT,
  updated_at: AT,
};
const received = { status: 'accepted', delivery_id: IDS.delivery, run_id: IDS.run };
const delivery = {
  id: IDS.delivery,
  hook_id: IDS.hook,
  received_at: AT,
  outcome: 'started',
  error: null,
  run_pk: IDS.runPk,
  run_id: IDS.run,
  redelivery_of: null,
  request: {
    method: 'POST',
    headers: { 'x-github-event': 'issues' },
    query: {},
    body: { action: 'opened', issue: { title: 'It rains in', user: { login: 'ada' } } },
  },
  input: { title: 'It rains in', author: 'ada' },
  response: null,
};
const one = '/workflows/:workflow_id/hooks/:hook_id';
const sent = { replies: { 202: received, 200: { ...received, status: 'filtered', run_id: null } } };

export const HOOK_EXAMPLES: RowExamples = {
  'POST /workflows/:workflow_id/hooks': {
    request: {
      name: 'New issues',
      verification: 'github',
      secrets: ['It is a secret to everybody'],
      filter: hook.filter,
      mapping: hook.mapping,
    },
    replies: { 201: hook },
  },
  'GET /workflows/:workflow_id/hooks': { replies: { 200: { hooks: [hook] } } },
  [`GET ${one}`]: { replies: { 200: hook } },
  [`PATCH ${one}`]: { request: { enabled: false }, replies: { 200: { ...hook, enabled: false } } },
  [`DELETE ${one}`]: { replies: { 200: { success: true, message: 'Webhook deleted' } } },
  [`POST ${one}/rotate`]: {
    request: { keep_previous_seconds: 3_600 },
    replies: { 200: { ...hook, previous_url_until: '2026-11-02T10:30:00.000Z' } },
  },
  [`POST ${one}/listen`]: {
    request: { seconds: 120 },
    replies: { 200: { ...hook, listening_until: '2026-11-02T09:32:00.000Z' } },
  },
  [`DELETE ${one}/listen`]: { replies: { 200: hook } },
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
  [`POST ${one}/deliveries/:delivery_id/redeliver`]: { replies: { 200: received } },
  'POST /hooks/:token': { ...sent, request: delivery.request.body },
  'PUT /hooks/:token': { ...sent, request: delivery.request.body },
  'GET /hooks/:token': sent,
};
