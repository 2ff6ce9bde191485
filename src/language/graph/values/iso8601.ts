/** Parses ISO 8601 timestamps (RFC 3339 included): calendar, week and ordinal dates, extended and basic, with or without a time. */

const OFFSET = String.raw`([Zz]|[+-]\d{2}(?::?\d{2})?)?`;
const EXTENDED = new RegExp(
  String.raw`^(\d{4})-(?:(\d{2})-(\d{2})|W(\d{2})-([1-7])|(\d{3}))(?:[Tt](\d{2})(?::(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?)?${OFFSET})?$`,
);
const BASIC = new RegExp(
  String.raw`^(\d{4})(?:(\d{2})(\d{2})|W(\d{2})([1-7])|(\d{3}))(?:[Tt](\d{2})(?:(\d{2})(?:(\d{2})(?:[.,](\d{1,9}))?)?)?${OFFSET})?$`,
);
const DAY_MS = 86_400_000;

/** Days since the epoch in the proleptic Gregorian calendar. @param month from 1 @param day from 1 */
export function countDaysTo(year: number, month: number, day: number): number {
  // Years begin in March here, so that a leap day is the last day of its year.
  const marchYear = month > 2 ? year : year - 1;
  const monthFromMarch = (month + 9) % 12;
  const leapDays = Math.floor(marchYear / 4) - Math.floor(marchYear / 100) + Math.floor(marchYear / 400);
  return marchYear * 365 + leapDays + Math.floor((153 * monthFromMarch + 2) / 5) + day - 1 - 719_468;
}

/** Days since the epoch; null when the date does not exist. */
function readDay([, years, months, days, weeks, weekday, ordinal]: RegExpExecArray): number | null {
  const year = Number(years);
  const [first, next] = [countDaysTo(year, 1, 1), countDaysTo(year + 1, 1, 1)];
  if (months !== undefined) {
    const month = Number(months);
    if (month < 1 || month > 12) return null;
    const at = countDaysTo(year, month, Number(days));
    const end = month === 12 ? next : countDaysTo(year, month + 1, 1);
    return at >= countDaysTo(year, month, 1) && at < end ? at : null;
  }
  if (ordinal !== undefined) {
    const at = first + Number(ordinal) - 1;
    return at >= first && at < next ? at : null;
  }
  // Week 1 holds January 4, and a week belongs to the year of its Thursday. The epoch was a Thursday.
  const fourth = countDaysTo(year, 1, 4);
  const monday = fourth - ((((fourth + 3) % 7) + 7) % 7) + (Number(weeks) - 1) * 7;
  const thursday = monday + 3;
  return thursday >= first && thursday < next ? monday + Number(weekday) - 1 : null;
}

/** Milliseconds since midnight; null when the time does not exist. */
function readTime([, , , , , , , hours = '0', minutes = '0', seconds = '0', fraction = '']: RegExpExecArray):
  | number
  | null {
  const [hour, minute, second] = [Number(hours), Number(minutes), Number(seconds)];
  const ms = (hour * 60 + minute) * 60_000 + second * 1_000 + Math.floor(Number(`0.${fraction}0`) * 1_000);
  // 24:00 is the end of the day.
  return minute > 59 || second > 59 || ms > DAY_MS ? null : ms;
}

/** The offset from UTC in milliseconds; 0 if there is none (SPEC API-conventions), null if it is out of range. */
function readOffset(text: string | undefined): number | null {
  if (text === undefined || /^z$/i.test(text)) return 0;
  const [hours, minutes] = [Number(text.slice(1, 3)), Number(text.slice(3).replace(':', ''))];
  if (hours > 23 || minutes > 59) return null;
  return (text.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * 60_000;
}

/** @returns milliseconds since the epoch; null when the text is not ISO 8601 with a four-digit year */
export function readIsoMoment(text: string): number | null {
  const match = EXTENDED.exec(text) ?? BASIC.exec(text);
  if (match === null) return null;
  const [day, time, offset] = [readDay(match), readTime(match), readOffset(match[11])];
  return day === null || time === null || offset === null ? null : day * DAY_MS + time - offset;
}

/** A time with all the digits of its text. */
export interface Moment {
  /** Milliseconds since the epoch. */
  readonly ms: number;
  /** Nanoseconds below the millisecond. */
  readonly below: number;
}

/** Parses a timestamp to the nanosecond; null when the text is not ISO 8601 with a four-digit year. */
export function readMoment(text: string): Moment | null {
  const ms = readIsoMoment(text);
  if (ms === null) return null;
  const fraction = /[.,](\d+)/.exec(text)?.[1] ?? '';
  return { ms, below: Number(fraction.padEnd(9, '0').slice(3)) };
}

/** Negative, 0 or positive, as the first time is before, equal to or after the second. */
export const compareMoments = (a: Moment, b: Moment): number => a.ms - b.ms || a.below - b.below;
