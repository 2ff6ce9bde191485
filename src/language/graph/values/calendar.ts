/** The proleptic Gregorian calendar over milliseconds since the epoch, without `Date`: `src/language/graph` has no clock. */
import { countDaysTo } from './iso8601.ts';

const DAY_MS = 86_400_000;

/** The fields of a time; months and days from 1, weekdays from Sunday as 0. */
export interface CalendarFields {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly weekday: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly ms: number;
}

const modulo = (value: number, by: number): number => ((value % by) + by) % by;

export function readCalendar(time: number): CalendarFields {
  const days = Math.floor(time / DAY_MS);
  const ofDay = modulo(time, DAY_MS);
  // The year of the mean length, corrected by one where a leap day lies between.
  let year = 1970 + Math.floor(days / 365.2425);
  while (countDaysTo(year, 1, 1) > days) year -= 1;
  while (countDaysTo(year + 1, 1, 1) <= days) year += 1;
  let month = 12;
  while (countDaysTo(year, month, 1) > days) month -= 1;
  return {
    year,
    month,
    day: days - countDaysTo(year, month, 1) + 1,
    // The epoch was a Thursday.
    weekday: modulo(days + 4, 7),
    hour: Math.floor(ofDay / 3_600_000),
    minute: Math.floor(ofDay / 60_000) % 60,
    second: Math.floor(ofDay / 1_000) % 60,
    ms: ofDay % 1_000,
  };
}

/** Midnight at the beginning of a day. */
export const toMidnight = (year: number, month: number, day: number): number =>
  countDaysTo(year, month, day) * DAY_MS;

export function countMonthDays(year: number, month: number): number {
  const next = month === 12 ? countDaysTo(year + 1, 1, 1) : countDaysTo(year, month + 1, 1);
  return next - countDaysTo(year, month, 1);
}

const pad = (value: number, width: number): string => String(value).padStart(width, '0');

/** Writes a time of the years 0 to 9999 as ISO 8601 in UTC, with milliseconds. */
export function formatIso(time: number): string {
  const { year, month, day, hour, minute, second, ms } = readCalendar(time);
  return `${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}T${pad(hour, 2)}:${pad(minute, 2)}:${pad(second, 2)}.${pad(ms, 3)}Z`;
}
