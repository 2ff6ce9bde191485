/** Wire shapes of schedules (SPEC RUN-4.4). */
import { z } from 'zod';
import { systemClock } from '../../../base/clock.ts';
import { bodyWarnings } from '../../../platform/http/unknown-fields.ts';
import { limit, offsetPage, pageOfList } from '../../../platform/http/paginate.ts';
import { anyMoment, jsonObject, moment, uuid } from '../../../platform/http/wire.ts';
import { runListItem } from '../../runs/api/history-schema.ts';
import { BATCH_INTERVAL_MS, RECURSION_LIMIT } from '../../runs/accept/limits.ts';
import { CronError, parseCron } from '../../../language/cron/cron.ts';
import { findNextTime, ZONE_NAME, findZoneName } from '../../../language/cron/next-time.ts';

const DAY_SECONDS = 24 * 60 * 60;
/** The maximum of an integer column. */
const MAX_RUNS = 2_147_483_647;

/** Five fields. Refuses an expression that is never due, which Temporal would accept silently. */
const cronExpression = z
  .string()
  .min(1)
  .max(255)
  .transform((text, ctx): string => {
    const refuse = (message: string): never => {
      ctx.addIssue({ code: 'custom', message, params: { type: 'cron_parsing' } });
      return z.NEVER;
    };
    try {
      if (findNextTime(parseCron(text), 'UTC', new Date(systemClock.now())) === null)
        return refuse('This expression never matches a date');
      return text.trim().replace(/\s+/g, ' ');
    } catch (error) {
      if (error instanceof CronError) return refuse(error.message);
      throw error;
    }
  })
  .meta({
    // The pattern has the number of fields; the description says what each may hold.
    override: { type: 'string', minLength: 1, maxLength: 255, pattern: String.raw`^\s*\S+(\s+\S+){4}\s*$` },
    description:
      'Minute, hour, day of month, month, day of week. Both day fields must match. At most once a minute.',
  });

const timezone = z
  .string()
  .min(1)
  .max(64)
  .transform((text, ctx): string => {
    const name = findZoneName(text);
    if (name !== null) return name;
    ctx.addIssue({
      code: 'custom',
      message: 'Must be an IANA time zone, such as Europe/Istanbul',
      params: { type: 'timezone' },
    });
    return z.NEVER;
  })
  .meta({ override: { type: 'string', minLength: 1, maxLength: 64, pattern: ZONE_NAME.source } });

const overlapPolicy = z.enum(['skip', 'buffer_one', 'allow_all', 'cancel_other', 'terminate_other']);
/** One day before the end of year 9999, so that no time zone exceeds it. */
const instant = anyMoment.refine((text) => Date.parse(text) < Date.parse('9999-12-31T00:00:00Z'), {
  error: 'Must be between the years 1 and 9999',
  params: { type: 'datetime_range' },
});
/** The runtime overrides of POST /workflows/run; other keys are ignored with a warning. */
const config = z
  .object({
    thread_id: z.string().min(1).max(255).optional(),
    recursion_limit: z.int().min(RECURSION_LIMIT.min).max(RECURSION_LIMIT.max).optional(),
    batch_interval_ms: z.int().min(BATCH_INTERVAL_MS.min).max(BATCH_INTERVAL_MS.max).optional(),
  })
  .meta({ id: 'ScheduleConfig' });
const name = z.string().min(1).max(255);
/** Temporal's minimum is 10 seconds; its default of a year would fire everything missed in an outage. */
const catchupWindow = z
  .int()
  .min(10)
  .max(7 * DAY_SECONDS);
const maxRuns = z.int().min(1).max(MAX_RUNS);

export const newSchedule = z
  .object({
    workflow_id: uuid,
    name,
    cron_expression: cronExpression,
    timezone: timezone.optional(),
    input: jsonObject.nullish(),
    config: config.nullish(),
    enabled: z.boolean().default(true),
    overlap_policy: overlapPolicy.default('skip'),
    catchup_window_seconds: catchupWindow.default(60),
    start_at: instant.nullish(),
    end_at: instant.nullish(),
    max_runs: maxRuns.nullish(),
    organization_id: uuid.nullish(),
  })
  .meta({ id: 'CreateSchedule' });
export type NewSchedule = z.output<typeof newSchedule>;

export const scheduleChange = z
  .object({
    name: name.optional(),
    cron_expression: cronExpression.optional(),
    timezone: timezone.optional(),
    input: jsonObject.optional(),
    config: config.optional(),
    enabled: z.boolean().optional(),
    overlap_policy: overlapPolicy.optional(),
    catchup_window_seconds: catchupWindow.optional(),
    start_at: instant.nullable().optional(),
    end_at: instant.nullable().optional(),
    max_runs: maxRuns.nullable().optional(),
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
    id: uuid,
    organization_id: uuid,
    workflow_id: uuid,
    name: z.string(),
    cron_expression: z.string(),
    timezone: z.string(),
    input: jsonObject,
    config: jsonObject,
    enabled: z.boolean(),
    overlap_policy: overlapPolicy,
    catchup_window_seconds: z.int(),
    start_at: moment.nullable(),
    end_at: moment.nullable(),
    max_runs: z.int().nullable(),
    consecutive_failures: z.int(),
    disabled_reason: z.string().nullable(),
    next_run_at: moment.nullable(),
    last_run_at: moment.nullable(),
    last_run_id: uuid.nullable(),
    run_count: z.int(),
    skipped_count: z.int(),
    last_skipped_at: moment.nullable(),
    last_skipped_run_id: uuid.nullable(),
    created_by: uuid.nullable(),
    created_at: moment,
    updated_at: moment,
    warnings: bodyWarnings,
  })
  .meta({ id: 'Schedule' });

export const scheduleList = z
  .looseObject({ schedules: z.array(schedule), ...pageOfList })
  .meta({ id: 'ScheduleList' });
export const scheduleRuns = z
  .looseObject({
    runs: z.array(z.looseObject({ ...runListItem, scheduled_at: moment }).meta({ id: 'ScheduledRun' })),
    ...pageOfList,
  })
  .meta({ id: 'ScheduledRunList' });

const firing = z
  .looseObject({
    scheduled_at: moment.nullable(),
    local_time: z.string(),
    clock_change: z.enum(['skipped', 'repeated']).nullable(),
  })
  .meta({ id: 'ScheduleFiring' });
export const scheduleFirings = z
  .looseObject({ timezone: z.string(), firings: z.array(firing), clock_changes: z.array(firing) })
  .meta({ id: 'ScheduleFirings' });
