/** Wire shapes of schedules (SPEC RUN-4.4). */
import { z } from 'zod';
import { bodyWarnings } from '../../../platform/http/unknown-fields.ts';
import { shownTrigger } from '../../../platform/http/defined-row.ts';
import { limit, offsetPage, pageOfList } from '../../../platform/http/paginate.ts';
import { anyMoment, jsonObject, moment, uuid } from '../../../platform/http/wire.ts';
import { runListItem } from '../../runs/api/history-schema.ts';
import { BATCH_INTERVAL_MS, RECURSION_LIMIT } from '../../runs/accept/limits.ts';
import {
  ABOUT_SCHEDULE,
  catchupWindow,
  cronExpression,
  overlapPolicy,
  scheduledThread,
  timezone,
} from '../../../language/nodes/triggers/schedule.ts';
import {
  chosenOrganizationId,
  createdAt,
  createdBy,
  displayName,
  owningOrganizationId,
  uniqueId,
  updatedAt,
} from '../../../platform/http/fields.ts';

const workflowId = uuid.meta({ description: 'Id of the workflow whose live deployment runs' });
const shownTimezone = z.string().meta({ description: ABOUT_SCHEDULE.timezone });
const ABOUT_START_AT = 'No runs before this time, ISO 8601 UTC; null: no limit';
const ABOUT_END_AT = 'No runs after this time, ISO 8601 UTC; null: no limit';
const ABOUT_MAX_RUNS = 'Disables the schedule after this number of runs; null: unlimited';

/** The maximum of an integer column. */
const MAX_RUNS = 2_147_483_647;

/** One day before the end of year 9999, so that no time zone exceeds it. */
const instant = anyMoment.refine((text) => Date.parse(text) < Date.parse('9999-12-31T00:00:00Z'), {
  error: 'Must be between the years 1 and 9999',
  params: { type: 'datetime_range' },
});
/** The runtime overrides of POST /workflows/run; other keys are ignored with a warning. */
const config = z
  .object({
    thread_id: scheduledThread.optional().meta({ description: ABOUT_SCHEDULE.threadId }),
    recursion_limit: z
      .int()
      .min(RECURSION_LIMIT.min)
      .max(RECURSION_LIMIT.max)
      .optional()
      .meta({ description: 'Maximum number of nodes on one path of a run, including loops; 100 by default' }),
    batch_interval_ms: z.int().min(BATCH_INTERVAL_MS.min).max(BATCH_INTERVAL_MS.max).optional().meta({
      description:
        'Interval at which model tokens are batched into one frame, in milliseconds; 50 by default',
    }),
  })
  .meta({ id: 'ScheduleConfig' });
const name = z.string().min(1).max(255);
const maxRuns = z.int().min(1).max(MAX_RUNS);

export const newSchedule = z
  .object({
    workflow_id: workflowId,
    name: name.meta({ description: 'Display name' }),
    cron_expression: cronExpression,
    timezone: timezone.optional().meta({ description: ABOUT_SCHEDULE.timezone }),
    input: jsonObject.nullish().meta({ description: ABOUT_SCHEDULE.input }),
    config: config.nullish().meta({ description: 'Settings of each run' }),
    enabled: z.boolean().default(true).meta({ description: 'Whether the schedule starts runs' }),
    overlap_policy: overlapPolicy.default('skip').meta({ description: ABOUT_SCHEDULE.overlapPolicy }),
    catchup_window_seconds: catchupWindow.default(60).meta({ description: ABOUT_SCHEDULE.catchupWindow }),
    start_at: instant.nullish().meta({ description: ABOUT_START_AT }),
    end_at: instant.nullish().meta({ description: ABOUT_END_AT }),
    max_runs: maxRuns.nullish().meta({ description: ABOUT_MAX_RUNS }),
    organization_id: chosenOrganizationId,
  })
  .meta({ id: 'CreateSchedule' });
export type NewSchedule = z.output<typeof newSchedule>;

export const scheduleChange = z
  .object({
    name: name.optional().meta({ description: 'Display name' }),
    cron_expression: cronExpression.optional(),
    timezone: timezone.optional().meta({ description: ABOUT_SCHEDULE.timezone }),
    input: jsonObject.optional().meta({ description: ABOUT_SCHEDULE.input }),
    config: config.optional().meta({ description: 'Settings of each run' }),
    enabled: z.boolean().optional().meta({ description: 'Whether the schedule starts runs' }),
    overlap_policy: overlapPolicy.optional().meta({ description: ABOUT_SCHEDULE.overlapPolicy }),
    catchup_window_seconds: catchupWindow.optional().meta({ description: ABOUT_SCHEDULE.catchupWindow }),
    start_at: instant.nullable().optional().meta({ description: ABOUT_START_AT }),
    end_at: instant.nullable().optional().meta({ description: ABOUT_END_AT }),
    max_runs: maxRuns.nullable().optional().meta({ description: ABOUT_MAX_RUNS }),
  })
  .meta({ id: 'ScheduleChange' });
export type ScheduleChange = z.output<typeof scheduleChange>;

export const scheduleListQuery = z.object({
  ...offsetPage(50),
  workflow_id: uuid.optional().meta({ description: 'Only schedules of this workflow' }),
});
export const runsQuery = z.object(offsetPage(50));
export const firingsQuery = z.object({ limit: limit(10) });

export const schedule = z
  .looseObject({
    id: uniqueId,
    organization_id: owningOrganizationId,
    workflow_id: workflowId,
    name: displayName,
    trigger: shownTrigger,
    cron_expression: z
      .string()
      .meta({ description: 'Cron expression: minute, hour, day of month, month, day of week' }),
    timezone: shownTimezone,
    input: jsonObject.meta({ description: ABOUT_SCHEDULE.input }),
    config: jsonObject.meta({ description: 'Settings of each run' }),
    enabled: z.boolean().meta({ description: 'Whether the schedule starts runs' }),
    overlap_policy: overlapPolicy.meta({ description: ABOUT_SCHEDULE.overlapPolicy }),
    catchup_window_seconds: z.int().meta({ description: ABOUT_SCHEDULE.catchupWindow }),
    start_at: moment.nullable().meta({ description: ABOUT_START_AT }),
    end_at: moment.nullable().meta({ description: ABOUT_END_AT }),
    max_runs: z.int().nullable().meta({ description: ABOUT_MAX_RUNS }),
    consecutive_failures: z
      .int()
      .meta({ description: 'Number of failed runs since the last success; 20 disable the schedule' }),
    disabled_reason: z
      .string()
      .nullable()
      .meta({ description: 'Why the service disabled the schedule; null: it did not' }),
    next_run_at: moment
      .nullable()
      .meta({ description: 'Time of the next run, ISO 8601 UTC; null: none, or the schedule is disabled' }),
    last_run_at: moment
      .nullable()
      .meta({ description: 'Time of the last run, ISO 8601 UTC; null before the first' }),
    last_run_id: uuid.nullable().meta({ description: 'The `run_id` of the last run; null before the first' }),
    run_count: z.int().meta({ description: 'Number of runs' }),
    skipped_count: z.int().meta({
      description:
        'Number of times skipped because a run of the schedule was still open; those of `buffer_one` are counted within five minutes',
    }),
    last_skipped_at: moment
      .nullable()
      .meta({ description: 'The last skipped time, ISO 8601 UTC; null: none' }),
    last_skipped_run_id: uuid
      .nullable()
      .meta({ description: 'The `run_id` of the run that was open at that time; null: none' }),
    created_by: createdBy,
    created_at: createdAt,
    updated_at: updatedAt,
    warnings: bodyWarnings,
  })
  .meta({ id: 'Schedule' });

export const scheduleList = z
  .looseObject({
    schedules: z.array(schedule).meta({ description: 'The schedules of this page' }),
    ...pageOfList,
  })
  .meta({ id: 'ScheduleList' });
export const scheduleRuns = z
  .looseObject({
    runs: z
      .array(
        z
          .looseObject({
            ...runListItem,
            scheduled_at: moment.meta({ description: 'Scheduled time of the run, ISO 8601 UTC' }),
          })
          .meta({ id: 'ScheduledRun' }),
      )
      .meta({ description: 'The runs of this page, newest first' }),
    ...pageOfList,
  })
  .meta({ id: 'ScheduledRunList' });

const firing = z
  .looseObject({
    scheduled_at: moment.nullable().meta({
      description: 'Scheduled time, ISO 8601 UTC; null: skipped, because the local time does not exist',
    }),
    local_time: z.string().meta({ description: 'Local time in the time zone of the schedule' }),
    clock_change: z.enum(['skipped', 'repeated']).nullable().meta({
      description:
        '`skipped`: the local time does not exist because of a daylight saving change; `repeated`: it occurs twice; null: neither',
    }),
  })
  .meta({ id: 'ScheduleFiring' });
export const scheduleFirings = z
  .looseObject({
    timezone: shownTimezone,
    firings: z.array(firing).meta({ description: 'The next times in order, of which `limit` start a run' }),
    clock_changes: z.array(firing).meta({
      description:
        'The times of the next 365 days that a daylight saving change skips or repeats, at most 100',
    }),
  })
  .meta({ id: 'ScheduleFirings' });
