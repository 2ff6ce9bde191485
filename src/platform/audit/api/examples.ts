/** OpenAPI examples of the audit log. */
import { AT, IDS } from '../../http/docs/example-ids.ts';
import type { RowExamples } from '../../http/route.ts';

const ENTRY = {
  id: IDS.event,
  created_at: AT,
  organization_id: IDS.organization,
  action: 'schedule.disabled',
  actor: { type: 'user', id: IDS.user, name: 'ada@example.com', api_key_id: null },
  object: { type: 'schedule', id: IDS.schedule, name: 'Every morning' },
  ip_address: '203.0.113.7',
  request_id: 'req-5f9d1f3b',
  details: { fields: ['enabled'], changes: { enabled: { from: 'true', to: 'false' } } },
};

export const AUDIT_LOG_EXAMPLES: RowExamples = {
  'GET /audit-log': { replies: { 200: { entries: [ENTRY], next_cursor: null } } },
  'GET /audit-log/export': { replies: { 200: `${JSON.stringify(ENTRY)}\n` } },
};
