/** A trigger of type `schedule`, and what it has in common with a schedule that people make. */
import { z } from 'zod';
import { CronError, parseCron } from '../../cron/cron.ts';
import { findNextTime, findZoneName, ZONE_NAME } from '../../cron/next-time.ts';
import { jsonObject } from '../read-config.ts';

/** A day from which an expression is due some time, or never: 30 February. */
const SOME_DAY = new Date('2026-01-01T00:00:00Z');

/** Five fields. Refuses an expression that is never due, which Temporal would accept silently. */
export const cronExpression = z
  .string()
  .min(1)
  .max(255)
  .transform((text, ctx): string => {
    const refuse = (message: string): never => {
      ctx.addIssue({ code: 'custom', message, params: { type: 'cron_parsing' } });
      return z.NEVER;
    };
    try {
      if (findNextTime(parseCron(text), 'UTC', SOME_DAY) === null)
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

/** The name of a time zone. */
export const timezone = z
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

export const overlapPolicy = z.enum(['skip', 'buffer_one', 'allow_all', 'cancel_other', 'terminate_other']);

const DAY_SECONDS = 24 * 60 * 60;
/** Temporal's minimum is 10 seconds; its default of a year would fire everything missed in an outage. */
export const catchupWindow = z
  .int()
  .min(10)
  .max(7 * DAY_SECONDS);

/** A thread that the runs of a schedule share. */
export const scheduledThread = z.string().min(1).max(255);

/** Descriptions of the parts. */
export const ABOUT_SCHEDULE = {
  timezone: 'IANA time zone of the cron expression; UTC by default',
  input: 'Input of each run, merged over the default input of the deployment',
  overlapPolicy:
    'When a run of the schedule is still open at the next time, such as one that waits for an answer: `skip` skips the time and counts it in `skipped_count`, `buffer_one` starts one run afterwards and skips the rest, `allow_all` starts a concurrent run, and the others end the open run',
  catchupWindow: 'Maximum delay of a run after an outage, in seconds',
  threadId: 'Id of the thread to run on; a new thread for each run by default',
} as const;

/** A schedule of a definition. Whether it is switched on belongs to the environment. */
export const scheduleTrigger = z.strictObject({
  type: z.literal('schedule').meta({ description: 'Discriminator of the alternatives' }),
  name: z
    .string()
    .min(1)
    .max(255)
    .optional()
    .meta({ description: 'Display name; the id of the trigger by default' }),
  cron_expression: cronExpression,
  timezone: timezone.default('UTC').meta({ description: ABOUT_SCHEDULE.timezone }),
  input: jsonObject.nullish().meta({ description: ABOUT_SCHEDULE.input }),
  thread_id: scheduledThread.nullish().meta({ description: ABOUT_SCHEDULE.threadId }),
  overlap_policy: overlapPolicy.default('skip').meta({ description: ABOUT_SCHEDULE.overlapPolicy }),
  catchup_window_seconds: catchupWindow.default(60).meta({ description: ABOUT_SCHEDULE.catchupWindow }),
});
export type ScheduleTrigger = z.output<typeof scheduleTrigger>;
