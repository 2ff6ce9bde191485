/** OpenAPI examples of effect rules. */
import { AT, IDS } from '../../../platform/http/docs/example-ids.ts';
import type { RowExamples } from '../../../platform/http/route.ts';

const request = {
  name: 'Only known hosts',
  decision: 'refuse',
  when: [
    { left: '{{door}}', op: 'eq', right: 'http' },
    { left: '{{host}}', op: 'not_in', right: ['hooks.slack.com', 'api.example.com'] },
  ],
};
const rule = {
  id: IDS.effectRule,
  organization_id: IDS.organization,
  ...request,
  confirm: null,
  created_by: IDS.user,
  created_at: AT,
};

const confirm = {
  assignees: { roles: ['owner'], user_ids: [] },
  required_responses: 1,
  timeout_seconds: null,
  message: '',
};

export const EFFECT_RULE_EXAMPLES: RowExamples = {
  'POST /effect-rules': { request, replies: { 201: rule } },
  'POST /effect-rules/preview': {
    request: { decision: request.decision, when: request.when },
    replies: {
      200: {
        hits: [
          {
            workflow_id: IDS.workflow,
            workflow_name: 'Greeting',
            deployment_id: IDS.deployment,
            deployment_version: '2',
            nodes: ['Send the greeting'],
            door: 'http',
            target: { method: 'POST', host: 'other.example.com' },
            effect: 'at_most_once',
            credential_id: null,
            decision: 'refuse',
            decision_before: 'allow',
            unasked: null,
            is_hit: true,
            is_exact: true,
          },
        ],
        versions_read: 1,
        is_complete: true,
      },
    },
  },
  'GET /effect-rules': { replies: { 200: { rules: [rule] } } },
  'PUT /effect-rules/order': { request: { rule_ids: [rule.id] }, replies: { 200: { rules: [rule] } } },
  'GET /effect-rules/:effect_rule_id': { replies: { 200: rule } },
  'PATCH /effect-rules/:effect_rule_id': {
    request: { decision: 'ask', confirm: { assignees: { roles: ['owner'] } } },
    replies: { 200: { ...rule, decision: 'ask', confirm } },
  },
  'DELETE /effect-rules/:effect_rule_id': {
    replies: { 200: { success: true, message: 'Effect rule deleted' } },
  },
};
