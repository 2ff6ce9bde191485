/**
 * When a cron expression is due. Temporal does the firing; this says the same without asking it, for lists and
 * while it is away. Local times that a time zone skips are not due; those that it repeats are due twice. The croner
 * package differs on both days, and in patterns such as `5/20`, so that it would announce times at which nothing fires.
 */
import type { Cron } from './cron.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** 29 February on a given day of the week comes every 28 years, or 40 where a century is no leap year. */
const HORIZON_DAYS = 41 * 366;

/** The form of the time zone database's names. */
export const ZONE_NAME = /^[A-Za-z][\w+/-]{0,63}$/;

/** The name under which the time zone database has a zone today; null when it has none. */
function findDatabaseName(timezone: string): string | null {
  if (!ZONE_NAME.test(timezone)) return null;
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: timezone }).resolvedOptions().timeZone;
  } catch {
    return null;
  }
}

/**
 * The name of a zone as it was written: `Asia/Kolkata` stays, though the database may call it `Asia/Calcutta`. Letters of
 * another case are put right.
 * @returns null when there is no such zone; offsets (`+03:00`) are no zones
 */
export function findZoneName(timezone: string): string | null {
  const name = findDatabaseName(timezone);
  return name?.toLowerCase() === timezone.toLowerCase() ? name : name === null ? null : timezone;
}

/** The name under which Temporal is told of a zone: one that its database has in these very letters. */
export const toEngineZone = (timezone: string): string => findDatabaseName(timezone) ?? timezone;

/** The clock of a zone at an instant, in milliseconds as if it were UTC. */
type WallClock = (instant: number) => number;

function createWallClock(timezone: string): WallClock {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: timezone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  return (instant) => {
    const part: Record<string, number> = {};
    for (const { type, value } of format.formatToParts(instant)) part[type] = Number(value);
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = part;
    return Date.UTC(year, month - 1, day, hour, minute, second);
  };
}

/** A time at which an expression is due by the clock of its zone. */
export interface CronTime {
  /** Null: the clocks skip this time, and nothing fires. */
  readonly at: Date | null;
  /** What the clock of the zone shows, in milliseconds as if it were UTC. */
  readonly clock: number;
  /** Whether a change of the clocks has dropped it, or made it one of two. */
  readonly change: 'skipped' | 'repeated' | null;
  /** Where it stands in the order of time; of what is skipped, where it would have been. */
  readonly place: number;
}

/** A day of a zone's clock: midnight as if it were UTC, and the offsets around it: one, but when the clocks change. */
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

/** What the clock shows at one time of a day: one instant, two when the clocks go back, none when they skip it. */
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

/** The days on which an expression is due, from the day before a time on: a repeated hour may reach back over midnight. */
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
 * The times at which an expression is due, in order, those that the clocks skip among them.
 * @param timezone a name from findZoneName
 */
export function* listTimesAfter(cron: Cron, timezone: string, after: Date): Generator<CronTime> {
  const from = after.getTime();
  const wallClock = createWallClock(timezone);
  for (const day of listDueDays(cron, wallClock, { from, days: HORIZON_DAYS }))
    for (const firing of listDayTimes(cron, wallClock, day)) if (firing.place > from) yield firing;
}

/** Of the times within so many days those that a change of the clocks drops or doubles, in order. */
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
 * The next time at which an expression is due.
 * @param timezone a name from findZoneName
 * @returns null when it is never due again
 */
export function findNextTime(cron: Cron, timezone: string, after: Date): Date | null {
  for (const { at } of listTimesAfter(cron, timezone, after)) if (at !== null) return at;
  return null;
}

/**
 * The last time at which an expression was due in a span of time.
 * @param timezone a name from findZoneName
 * @returns null when it was not due in it
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
