/**
 * When a cron expression is due next. Temporal does the firing; this says the same without asking it, for lists and
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

/**
 * The name that the time zone database gives a zone, such as `Europe/Istanbul`.
 * @returns null when there is no such zone; offsets (`+03:00`) are no zones
 */
export function zoneName(timezone: string): string | null {
  if (!ZONE_NAME.test(timezone)) return null;
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: timezone }).resolvedOptions().timeZone;
  } catch {
    return null;
  }
}

/** The clock of a zone at an instant, in milliseconds as if it were UTC. */
type WallClock = (instant: number) => number;

function wallClockOf(timezone: string): WallClock {
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

/** The first due instant above `after` on a local day (midnight as if it were UTC); null when there is none. */
function firstOfDay(
  cron: Cron,
  wallClock: WallClock,
  { day, after }: { readonly day: number; readonly after: number },
): number | null {
  const offsetAt = (instant: number): number => wallClock(instant) - Math.floor(instant / 1_000) * 1_000;
  // The offsets around the day: one, but for days when the clocks change.
  const offsets = new Set([offsetAt(day - DAY_MS), offsetAt(day + DAY_MS / 2), offsetAt(day + 2 * DAY_MS)]);
  const changes = offsets.size > 1;
  const found: number[] = [];
  for (const hour of cron.hours) {
    for (const minute of cron.minutes) {
      const clock = day + (hour * 60 + minute) * MINUTE_MS;
      for (const offset of offsets) {
        const instant = clock - offset;
        if (instant <= after) continue;
        if (!changes) return instant;
        found.push(instant);
      }
    }
  }
  const isReal = (instant: number): boolean => {
    const clock = wallClock(instant);
    const minuteOfDay = Math.floor((clock - day) / MINUTE_MS);
    return (
      clock >= day &&
      clock < day + DAY_MS &&
      cron.hours.includes(Math.floor(minuteOfDay / 60)) &&
      cron.minutes.includes(minuteOfDay % 60)
    );
  };
  return found.sort((a, b) => a - b).find(isReal) ?? null;
}

/**
 * The next time at which an expression is due.
 * @param timezone a name from zoneName
 * @returns null when it is never due again
 */
export function nextTime(cron: Cron, timezone: string, after: Date): Date | null {
  const from = after.getTime();
  const wallClock = wallClockOf(timezone);
  // A day earlier: a repeated hour may reach back over midnight.
  const firstDay = Math.floor(wallClock(from) / DAY_MS) * DAY_MS - DAY_MS;
  for (let count = 0; count < HORIZON_DAYS; count += 1) {
    const day = firstDay + count * DAY_MS;
    const date = new Date(day);
    if (
      cron.months.has(date.getUTCMonth() + 1) &&
      cron.days.has(date.getUTCDate()) &&
      cron.weekdays.has(date.getUTCDay())
    ) {
      const instant = firstOfDay(cron, wallClock, { day, after: from });
      if (instant !== null) return new Date(instant);
    }
  }
  return null;
}
