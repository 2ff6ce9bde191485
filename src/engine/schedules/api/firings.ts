/** GET /schedules/{schedule_id}/firings: when a schedule fires, and which times a clock change skips or repeats. */
import type { Schedule } from '../../../base/db/generated/client.ts';
import { parseCron } from '../../../language/cron/cron.ts';
import { listClockChanges, listTimesAfter, type CronTime } from '../../../language/cron/next-time.ts';

/** A year contains both clock changes. */
const CHANGE_DAYS = 365;
/** A schedule of every minute has 180 changed times a year: more than a client shows. */
const MAX_CHANGES = 100;

/** Returns the time after which the schedule is due; `start_at` itself is due. */
export function findDueStart({ startAt }: Pick<Schedule, 'startAt'>, now: Date): Date {
  return startAt === null ? now : new Date(Math.max(now.getTime(), startAt.getTime() - 1));
}

/** Takes times up to `end_at` until `most` of them fire; skipped times do not count. */
function take(firings: Iterable<CronTime>, endAt: Date | null, most: number): CronTime[] {
  const taken: CronTime[] = [];
  let left = most;
  if (left <= 0) return taken;
  for (const firing of firings) {
    if (endAt !== null && firing.place > endAt.getTime()) return taken;
    taken.push(firing);
    if (firing.at !== null) left -= 1;
    if (left === 0) return taken;
  }
  return taken;
}

function presentFiring({ at, clock, change }: CronTime): object {
  return {
    scheduled_at: at?.toISOString() ?? null,
    local_time: new Date(clock).toISOString().slice(0, 'YYYY-MM-DDThh:mm:ss'.length),
    clock_change: change,
  };
}

/**
 * Presents the next times of a schedule; none while it is disabled.
 * @param limit how many firings at most, within `max_runs`
 */
export function presentFirings(
  row: Schedule,
  { limit, now }: { readonly limit: number; readonly now: Date },
): object {
  const { timezone, endAt, maxRuns, runCount } = row;
  const left = row.enabled ? (maxRuns === null ? Infinity : maxRuns - runCount) : 0;
  const cron = parseCron(row.cronExpression);
  const after = findDueStart(row, now);
  const firings = take(listTimesAfter(cron, timezone, after), endAt, Math.min(limit, left));
  const changes = left > 0 ? listClockChanges(cron, timezone, { after, days: CHANGE_DAYS }) : [];
  return {
    timezone,
    firings: firings.map(presentFiring),
    clock_changes: take(changes, endAt, Infinity).slice(0, MAX_CHANGES).map(presentFiring),
  };
}
