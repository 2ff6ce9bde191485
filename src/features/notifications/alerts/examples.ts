/** OpenAPI examples of alerts. */
import { AT, IDS } from '../../../platform/http/docs/example-ids.ts';
import type { RowExamples } from '../../../platform/http/route.ts';

const alert = {
  id: IDS.alert,
  organization_id: IDS.organization,
  workflow_id: IDS.workflow,
  name: 'Nothing for an hour',
  kind: 'silence',
  threshold: null,
  window_minutes: 60,
  enabled: true,
  firing_since: null,
  value: 4.2,
  checked_at: AT,
  created_by: IDS.user,
  created_at: AT,
  updated_at: AT,
};
const one = '/alerts/:alert_id';

export const ALERT_EXAMPLES: RowExamples = {
  'POST /alerts': {
    request: { name: alert.name, kind: alert.kind, workflow_id: IDS.workflow, window_minutes: 60 },
    replies: { 201: { ...alert, value: null, checked_at: null } },
  },
  'GET /alerts': { replies: { 200: { alerts: [alert] } } },
  [`GET ${one}`]: { replies: { 200: alert } },
  [`PATCH ${one}`]: { request: { window_minutes: 90 }, replies: { 200: { ...alert, window_minutes: 90 } } },
  [`DELETE ${one}`]: { replies: { 200: { success: true, message: 'Alert deleted' } } },
};
