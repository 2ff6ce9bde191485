/** Examples of schedules. */
import type { RowExamples } from '../../../platform/http/route.ts';
import { AT, IDS, LATER } from '../../../platform/http/docs/example-ids.ts';

const schedule = {
  id: IDS.schedule,
  organization_id: IDS.organization,
  workflow_id: IDS.workflow,
  name: 'Weekday mornings',
  trigger: null,
  cron_expression: '30 9 * * 1-5',
  timezone: 'Europe/Istanbul',
  input: { name: 'Ada' },
  config: {},
  enabled: true,
  overlap_policy: 'skip',
  catchup_window_seconds: 60,
  start_at: null,
  end_at: null,
  max_runs: null,
  consecutive_failures: 0,
  disabled_reason: null,
  next_run_at: '2026-11-03T06:30:00.000Z',
  last_run_at: null,
  last_run_id: null,
  run_count: 0,
  skipped_count: 0,
  last_skipped_at: null,
  last_skipped_run_id: null,
  created_by: IDS.user,
  created_at: AT,
  updated_at: AT,
};
const newest = { limit: 50, offset: 0, has_more: false, next_cursor: null, previous_cursor: null };
const run = {
  id: IDS.runPk,
  run_id: IDS.run,
  workflow_id: IDS.workflow,
  deployment_id: IDS.deployment,
  trigger_type: 'schedule',
  is_ad_hoc: false,
  status: 'succeeded',
  started_at: AT,
  completed_at: LATER,
  duration_seconds: 1.25,
  error_message: null,
  output_summary: 'Hello Ada',
  has_output: true,
  metadata: {},
  values_deleted_at: null,
  has_open_interrupts: false,
  waits_for_worker: false,
  created_at: AT,
  scheduled_at: AT,
};

export const SCHEDULE_EXAMPLES: RowExamples = {
  'POST /schedules': {
    request: {
      workflow_id: IDS.workflow,
      name: 'Weekday mornings',
      cron_expression: '30 9 * * 1-5',
      timezone: 'Europe/Istanbul',
      input: { name: 'Ada' },
    },
    replies: { 201: schedule },
  },
  'GET /schedules': { replies: { 200: { schedules: [schedule], ...newest } } },
  'GET /schedules/:schedule_id': { replies: { 200: schedule } },
  'PATCH /schedules/:schedule_id': {
    request: { cron_expression: '0 8 * * 1-5', overlap_policy: 'buffer_one' },
    replies: {
      200: {
        ...schedule,
        cron_expression: '0 8 * * 1-5',
        overlap_policy: 'buffer_one',
        next_run_at: '2026-11-03T05:00:00.000Z',
      },
    },
  },
  'DELETE /schedules/:schedule_id': { replies: { 200: { success: true, message: 'Schedule deleted' } } },
  'POST /schedules/:schedule_id/pause': {
    replies: { 200: { ...schedule, enabled: false, next_run_at: null } },
  },
  'POST /schedules/:schedule_id/resume': { replies: { 200: schedule } },
  'POST /schedules/:schedule_id/trigger': {
    replies: { 202: { success: true, message: 'Schedule triggered' } },
  },
  'GET /schedules/:schedule_id/firings': {
    replies: {
      200: {
        timezone: 'Europe/Berlin',
        firings: [
          { scheduled_at: '2027-03-27T01:30:00.000Z', local_time: '2027-03-27T02:30:00', clock_change: null },
          { scheduled_at: null, local_time: '2027-03-28T02:30:00', clock_change: 'skipped' },
          { scheduled_at: '2027-03-29T00:30:00.000Z', local_time: '2027-03-29T02:30:00', clock_change: null },
        ],
        clock_changes: [
          { scheduled_at: null, local_time: '2027-03-28T02:30:00', clock_change: 'skipped' },
          {
            scheduled_at: '2027-10-31T00:30:00.000Z',
            local_time: '2027-10-31T02:30:00',
            clock_change: 'repeated',
          },
          {
            scheduled_at: '2027-10-31T01:30:00.000Z',
            local_time: '2027-10-31T02:30:00',
            clock_change: 'repeated',
          },
        ],
      },
    },
  },
  'GET /schedules/:schedule_id/runs': { replies: { 200: { runs: [run], ...newest } } },
};
