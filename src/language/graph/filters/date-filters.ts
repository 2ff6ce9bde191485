/** Filters of dates in the zones of IANA. They read ISO 8601, dates of mail and feeds, and seconds or milliseconds; they give ISO 8601 in UTC. */
import { countMonthDays, formatIso, readCalendar, toMidnight } from '../values/calendar.ts';
import { readIsoMoment } from '../values/iso8601.ts';
import type { ZoneClock } from '../values/zone-clock.ts';
import type { Json } from '../values/value.ts';
import { findPatternProblem, formatDate, readDate } from './date-pattern.ts';
import {
  FilterError,
  readFilterText,
  readIntegerArgument,
  readTextArgument,
  type FilterContext,
  type FilterRule,
} from './filter.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
/** Steps to read a clock, and to make it. */
const STEPS_PER_DATE = 600;
const STEPS_PER_ZONE = 5_000;
/** Numbers from here on are milliseconds: as seconds they were beyond the year 5000. */
const LEAST_MS = 100_000_000_000;
/** The years of four digits. */
const [FIRST, LAST] = [toMidnight(1_000, 1, 1), toMidnight(10_000, 1, 1) - 1];
const MAX_YEAR = 9_999;
/** The date of mail and feeds (RFC 5322), `Tue, 01 Feb 2030 12:30:00 +0100`. */
const MAIL = ['d MMM yyyy HH:mm:ss ZZ', 'd MMM yyyy HH:mm ZZ'];

const UNITS = ['second', 'minute', 'hour', 'day', 'week', 'month', 'year'] as const;
type Unit = (typeof UNITS)[number];
const FIXED: Readonly<Partial<Record<Unit, number>>> = {
  second: SECOND_MS,
  minute: MINUTE_MS,
  hour: HOUR_MS,
};

const findUnit = (value: Json | undefined): Unit | undefined =>
  UNITS.find((unit) => value === unit || value === `${unit}s`);

const UNIT_WORDS = `A unit of time is one of: ${UNITS.join(', ')}`;

function readUnit(value: Json | undefined): Unit {
  const unit = findUnit(value);
  if (unit === undefined) throw new FilterError(UNIT_WORDS);
  return unit;
}

const checkUnit = (value: Json | undefined): string | null =>
  value === undefined || findUnit(value) !== undefined ? null : UNIT_WORDS;

function checkPattern(value: Json | undefined): string | null {
  if (value === undefined) return null;
  return typeof value === 'string' ? findPatternProblem(value) : 'A pattern of a date must be a text';
}

/** @throws FilterError */
function readPattern(value: Json | undefined): string {
  const pattern = readTextArgument(value, 'pattern');
  const problem = findPatternProblem(pattern);
  if (problem !== null) throw new FilterError(problem);
  return pattern;
}

function readMailDate(text: string): number | null {
  const bare = text
    .replace(/^[A-Za-z]{3},\s*/, '')
    .replace(/\s(?:GMT|UTC|UT)$/, ' +0000')
    .replaceAll(/\s+/g, ' ');
  for (const pattern of MAIL) {
    const read = readDate(bare, pattern);
    if (read !== null) return read.local - (read.offset ?? 0) * MINUTE_MS;
  }
  return null;
}

/** Reads an instant. @throws FilterError */
function readInstant(value: Json, context: FilterContext): number {
  context.budget.work.spend(STEPS_PER_DATE);
  const instant =
    typeof value === 'number'
      ? Math.trunc(Math.abs(value) < LEAST_MS ? value * SECOND_MS : value)
      : readText(readFilterText(value, context).trim());
  if (instant === null) throw new FilterError('The value of a filter of dates is not a date');
  return checkTime(instant);
}

function readText(text: string): number | null {
  if (text.length > 100) return null;
  return readIsoMoment(text) ?? readMailDate(text);
}

function readClock(zone: Json | undefined, { budget }: FilterContext): ZoneClock {
  const name = zone === undefined || zone === null ? 'UTC' : readTextArgument(zone, 'zone');
  const clock = budget.zones.find(name, () => budget.work.spend(STEPS_PER_ZONE));
  if (clock === null) throw new FilterError(`There is no time zone ${JSON.stringify(name.slice(0, 64))}`);
  return clock;
}

const createOutside = (): FilterError => new FilterError('A date is outside of the years 1000 to 9999');

/** Refuses what no clock shows. @throws FilterError */
function checkTime(time: number): number {
  if (!(time >= FIRST && time <= LAST)) throw createOutside();
  return time;
}

const writeInstant = (instant: number): string => formatIso(checkTime(instant));

/** Adds months to a local time; a day that the month does not have becomes its last. @throws FilterError */
function addMonths(local: number, months: number): number {
  const from = readCalendar(local);
  const count = from.year * 12 + from.month - 1 + months;
  const [year, month] = [Math.floor(count / 12), (count % 12) + 1];
  if (year < 0 || year > MAX_YEAR) throw createOutside();
  const day = Math.min(from.day, countMonthDays(year, month));
  return toMidnight(year, month, day) + local - toMidnight(from.year, from.month, from.day);
}

function addTo(instant: number, [amount, unit]: readonly [number, Unit], clock: ZoneClock): number {
  const fixed = FIXED[unit];
  if (fixed !== undefined) return instant + amount * fixed;
  const local = clock.toLocal(instant);
  if (unit === 'day' || unit === 'week')
    return clock.toInstant(checkTime(local + amount * (unit === 'day' ? 1 : 7) * DAY_MS));
  return clock.toInstant(checkTime(addMonths(local, unit === 'month' ? amount : amount * 12)));
}

/** Whole months from one local time to a later or earlier one. */
function countMonths(from: number, to: number): number {
  const [a, b] = [readCalendar(from), readCalendar(to)];
  const months = (b.year - a.year) * 12 + b.month - a.month;
  const reached = addMonths(from, months);
  if (to >= from) return reached > to ? months - 1 : months;
  return reached < to ? months + 1 : months;
}

/** Whole units between two instants, towards zero. */
function countUnits([from, to]: readonly [number, number], unit: Unit, clock: ZoneClock): number {
  const fixed = FIXED[unit];
  if (fixed !== undefined) return Math.trunc((to - from) / fixed) + 0;
  const [a, b] = [clock.toLocal(from), clock.toLocal(to)];
  if (unit === 'day' || unit === 'week')
    return Math.trunc((b - a) / (unit === 'day' ? DAY_MS : 7 * DAY_MS)) + 0;
  return Math.trunc(countMonths(a, b) / (unit === 'month' ? 1 : 12)) + 0;
}

/** The local time at which a unit begins; a week begins on Monday. */
function findStart(local: number, unit: Unit): number {
  const fixed = FIXED[unit];
  if (fixed !== undefined) return Math.floor(local / fixed) * fixed;
  const { year, month, day, weekday } = readCalendar(local);
  if (unit === 'year') return toMidnight(year, 1, 1);
  if (unit === 'month') return toMidnight(year, month, 1);
  return toMidnight(year, month, day) - (unit === 'week' ? ((weekday + 6) % 7) * DAY_MS : 0);
}

const readDay = (
  value: Json,
  [pattern, zone]: readonly [string, Json | undefined],
  context: FilterContext,
): number => {
  const read = readDate(readFilterText(value, context), pattern);
  context.budget.work.spend(STEPS_PER_DATE);
  if (read === null) throw new FilterError(`The value of parse_date is not a date of the pattern ${pattern}`);
  return read.offset === null
    ? readClock(zone, context).toInstant(checkTime(read.local))
    : read.local - read.offset * MINUTE_MS;
};

export const DATE_FILTERS = {
  date: {
    check: ([pattern]) => checkPattern(pattern),
    apply: (value, [given, zone], context) => {
      const instant = readInstant(value, context);
      const pattern = readPattern(given);
      const local = readClock(zone, context).toLocal(instant);
      return formatDate(pattern, {
        local: readCalendar(local),
        offset: Math.round((local - instant) / MINUTE_MS),
      });
    },
  },
  parse_date: {
    check: ([pattern]) => checkPattern(pattern),
    apply: (value, [given, zone], context) => {
      if (given === undefined) return writeInstant(readInstant(value, context));
      return writeInstant(readDay(value, [readPattern(given), zone], context));
    },
  },
  date_add: {
    check: ([, unit]) => checkUnit(unit),
    apply: (value, [given, unit, zone], context) => {
      const amount = readIntegerArgument(given, 'amount');
      const instant = readInstant(value, context);
      return writeInstant(addTo(instant, [amount, readUnit(unit)], readClock(zone, context)));
    },
  },
  date_diff: {
    check: ([, unit]) => checkUnit(unit),
    apply: (value, [other, unit, zone], context) => {
      const [to, from] = [readInstant(value, context), readInstant(other ?? null, context)];
      return countUnits([from, to], readUnit(unit), readClock(zone, context));
    },
  },
  start_of: {
    check: ([unit]) => checkUnit(unit),
    apply: (value, [unit, zone], context) => {
      const instant = readInstant(value, context);
      const clock = readClock(zone, context);
      return writeInstant(clock.toInstant(findStart(clock.toLocal(instant), readUnit(unit))));
    },
  },
} satisfies Readonly<Record<string, FilterRule>>;
