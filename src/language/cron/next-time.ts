/**
 * Computes when a cron expression is due, as Temporal does, for lists and while Temporal is unavailable. Local times that a
 * time zone skips are not due, and repeated ones are due twice. The croner package differs from Temporal in both cases and in
 * patterns such as `5/20`.
 */
import {
  createWallClock,
  findDatabaseName,
  ZONE_PATTERN,
  type WallClock,
} from '../graph/values/zone-clock.ts';
import type { Cron } from './cron.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** 29 February falls on a given weekday every 28 years, or 40 across a century that is not a leap year. */
const HORIZON_DAYS = 41 * 366;

/** Names of the time zone database. */
export const ZONE_NAME = ZONE_PATTERN;

/**
 * Checks the name of a zone. It stays as written (`Asia/Kolkata`, although the database may say `Asia/Calcutta`), except that
 * the case of letters is corrected.
 * @returns null for an unknown zone; offsets (`+03:00`) are not zones
 */
export function findZoneName(timezone: string): string | null {
  const name = findDatabaseName(timezone);
  return name?.toLowerCase() === timezone.toLowerCase() ? name : name === null ? null : timezone;
}

/** Returns the name of a zone for Temporal, whose database needs the exact spelling. */
export const toEngineZone = (timezone: string): string => findDatabaseName(timezone) ?? timezone;

/** A time at which an expression is due by the clock of its zone. */
export interface CronTime {
  /** Null: the clocks skip this time, and nothing fires. */
  readonly at: Date | null;
  /** The zone's local time, in milliseconds as if it were UTC. */
  readonly clock: number;
  /** Whether a clock change skips or repeats it. */
  readonly change: 'skipped' | 'repeated' | null;
  /** Its instant in milliseconds, for sorting; of a skipped time the instant without the clock change. */
  readonly place: number;
}

/** A local day: midnight as if it were UTC, and the offsets around it (several on a day with a clock change). */
interface Day {
  readonly midnight: number;
  readonly offsets: readonly number[];
}

function buildDay(wallClock: WallClock, midnight: number): Day {
  const offsetAt = (instant: number): number => wallClock(instant) - Math.floor(instant / 1_000) * 1_000;
  const around = [midnight - DAY_MS, midnight + DAY_MS / 2, midnight + 2 * DAY_MS];
  return { midnight, offsets: [...new Set(around.map(offsetAt))] };
}

function isDue(cron: Cron, midnight: number): boolean {
  const date = new Date(midnight);
  return (
    cron.months.has(date.getUTCMonth() + 1) &&
    cron.days.has(date.getUTCDate()) &&
    cron.weekdays.has(date.getUTCDay())
  );
}

/** Finds the instants of one local time: one, two when clocks go back, none when they skip it. */
function findInstants(wallClock: WallClock, { offsets }: Day, clock: number): CronTime[] {
  const [first = 0] = offsets;
  if (offsets.length === 1)
    return [{ at: new Date(clock - first), clock, change: null, place: clock - first }];
  const real = offsets.map((offset) => clock - offset).filter((instant) => wallClock(instant) === clock);
  if (real.length === 0) return [{ at: null, clock, change: 'skipped', place: clock - first }];
  const change = real.length > 1 ? 'repeated' : null;
  return real.map((instant) => ({ at: new Date(instant), clock, change, place: instant }));
}

function listDayTimes(cron: Cron, wallClock: WallClock, day: Day): CronTime[] {
  const clocks = cron.hours.flatMap((hour) =>
    cron.minutes.map((minute) => day.midnight + (hour * 60 + minute) * MINUTE_MS),
  );
  const firings = clocks.flatMap((clock) => findInstants(wallClock, day, clock));
  return day.offsets.length === 1 ? firings : firings.sort((a, b) => a.place - b.place);
}

/** Lists the days on which an expression is due, from the day before `from`: a repeated hour may reach back over midnight. */
function* listDueDays(
  cron: Cron,
  wallClock: WallClock,
  { from, days }: { readonly from: number; readonly days: number },
): Generator<Day> {
  const firstDay = Math.floor(wallClock(from) / DAY_MS) * DAY_MS - DAY_MS;
  for (let count = 0; count < days; count += 1) {
    const midnight = firstDay + count * DAY_MS;
    if (isDue(cron, midnight)) yield buildDay(wallClock, midnight);
  }
}

/**
 * Lists the times at which an expression is due, in order, including skipped times.
 * @param timezone a name from findZoneName
 */
export function* listTimesAfter(cron: Cron, timezone: string, after: Date): Generator<CronTime> {
  const from = after.getTime();
  const wallClock = createWallClock(timezone);
  for (const day of listDueDays(cron, wallClock, { from, days: HORIZON_DAYS }))
    for (const firing of listDayTimes(cron, wallClock, day)) if (firing.place > from) yield firing;
}

/** Lists the times within `days` that a clock change skips or repeats, in order. */
export function* listClockChanges(
  cron: Cron,
  timezone: string,
  { after, days }: { readonly after: Date; readonly days: number },
): Generator<CronTime> {
  const from = after.getTime();
  const wallClock = createWallClock(timezone);
  for (const day of listDueDays(cron, wallClock, { from, days: days + 2 })) {
    if (day.offsets.length === 1) continue;
    for (const firing of listDayTimes(cron, wallClock, day)) {
      const isWithin = firing.place > from && firing.place <= from + days * DAY_MS;
      if (firing.change !== null && isWithin) yield firing;
    }
  }
}

/**
 * Finds the next time at which an expression is due.
 * @param timezone a name from findZoneName
 * @returns null when it is never due again
 */
export function findNextTime(cron: Cron, timezone: string, after: Date): Date | null {
  for (const { at } of listTimesAfter(cron, timezone, after)) if (at !== null) return at;
  return null;
}

/**
 * Finds the last time at which an expression was due between two times.
 * @param timezone a name from findZoneName
 * @returns null when it was not due in between
 */
export function findLastTime(
  cron: Cron,
  timezone: string,
  { after, until }: { readonly after: Date; readonly until: Date },
): Date | null {
  let last: Date | null = null;
  for (const { at, place } of listTimesAfter(cron, timezone, after)) {
    if (place > until.getTime()) break;
    last = at ?? last;
  }
  return last;
}
