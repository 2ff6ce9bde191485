/** The clocks of time zones: instants as local times, and back. Zones are those of the database of the machine (`Intl`). */
import { toMidnight } from './calendar.ts';

/** Names of the time zone database. */
export const ZONE_PATTERN = /^[A-Za-z][\w+/-]{0,63}$/;

/** Finds the current name of a zone in the time zone database; null for an unknown zone. */
export function findDatabaseName(timezone: string): string | null {
  if (!ZONE_PATTERN.test(timezone)) return null;
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: timezone }).resolvedOptions().timeZone;
  } catch {
    return null;
  }
}

/** The clock of a zone at an instant, in milliseconds as if it were UTC. */
export type WallClock = (instant: number) => number;

export function createWallClock(timezone: string): WallClock {
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
    return toMidnight(year, month, day) + ((hour * 60 + minute) * 60 + second) * 1_000;
  };
}

const DAY_MS = 86_400_000;

/** A clock shows milliseconds as if they were UTC. */
export class ZoneClock {
  readonly #wall: WallClock;

  constructor(zone: string) {
    this.#wall = createWallClock(zone);
  }

  /** The local time at an instant, to the millisecond. */
  toLocal(instant: number): number {
    return this.#wall(instant) + (((instant % 1_000) + 1_000) % 1_000);
  }

  /** The instant of a local time. A time that the clocks skip is moved on by as much; of a repeated one the first is taken. */
  toInstant(local: number): number {
    const before = this.toLocal(local - DAY_MS) - (local - DAY_MS);
    const after = this.toLocal(local + DAY_MS) - (local + DAY_MS);
    const found = [local - before, local - after].filter((instant) => this.toLocal(instant) === local);
    return found.length === 0 ? local - before : Math.min(...found);
  }
}

/** The clocks that one execution has read: making one takes longer than a hundred readings. */
export class ZoneClocks {
  readonly #clocks = new Map<string, ZoneClock>();

  /** @param onMake is called before a clock is made @returns null for an unknown zone */
  find(zone: string, onMake: () => void): ZoneClock | null {
    const kept = this.#clocks.get(zone);
    if (kept !== undefined) return kept;
    onMake();
    if (findDatabaseName(zone) === null) return null;
    const clock = new ZoneClock(zone);
    this.#clocks.set(zone, clock);
    return clock;
  }
}
