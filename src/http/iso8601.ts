/** Reads moments as ISO 8601 writes them: calendar, week and ordinal dates, extended and basic, with or without a time. */

const OFFSET = String.raw`([Zz]|[+-]\d{2}(?::?\d{2})?)?`;
const EXTENDED = new RegExp(
  String.raw`^(\d{4})-(?:(\d{2})-(\d{2})|W(\d{2})-([1-7])|(\d{3}))(?:[Tt](\d{2})(?::(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?)?${OFFSET})?$`,
);
const BASIC = new RegExp(
  String.raw`^(\d{4})(?:(\d{2})(\d{2})|W(\d{2})([1-7])|(\d{3}))(?:[Tt](\d{2})(?:(\d{2})(?:(\d{2})(?:[.,](\d{1,9}))?)?)?${OFFSET})?$`,
);
const DAY_MS = 86_400_000;

/** Midnight of a day, months and days from one; days beyond a month lead into the next. */
function midnight(year: number, month: number, day: number): Date {
  const date = new Date(0);
  // Date.UTC takes years below 100 for those of the twentieth century.
  date.setUTCFullYear(year, month - 1, day);
  return date;
}

/** The first moment of the day of a match; null for a day that the calendar does not have. */
function dayOf([, years, month, day, week, weekday, ordinal]: RegExpExecArray): number | null {
  const year = Number(years);
  if (month !== undefined) {
    const date = midnight(year, Number(month), Number(day));
    return date.getUTCMonth() + 1 === Number(month) && date.getUTCDate() === Number(day)
      ? date.getTime()
      : null;
  }
  if (ordinal !== undefined) {
    const date = midnight(year, 1, Number(ordinal));
    return date.getUTCFullYear() === year && ordinal !== '000' ? date.getTime() : null;
  }
  // Week 1 holds January 4, and a week belongs to the year of its Thursday.
  const fourth = midnight(year, 1, 4);
  const monday = fourth.getTime() - ((fourth.getUTCDay() + 6) % 7) * DAY_MS + (Number(week) - 1) * 7 * DAY_MS;
  const isOfYear = new Date(monday + 3 * DAY_MS).getUTCFullYear() === year;
  return isOfYear ? monday + (Number(weekday) - 1) * DAY_MS : null;
}

/** Milliseconds since midnight; null for a time that no clock shows. */
function timeOf([, , , , , , , hours = '0', minutes = '0', seconds = '0', fraction = '']: RegExpExecArray):
  | number
  | null {
  const [hour, minute, second] = [Number(hours), Number(minutes), Number(seconds)];
  const ms = (hour * 60 + minute) * 60_000 + second * 1_000 + Math.floor(Number(`0.${fraction}0`) * 1_000);
  // 24:00 is the end of the day.
  return minute > 59 || second > 59 || ms > DAY_MS ? null : ms;
}

/** An offset from UTC in milliseconds; without one a moment is of UTC (SPEC API-conventions). */
function offsetOf(text: string | undefined): number | null {
  if (text === undefined || /^z$/i.test(text)) return 0;
  const [hours, minutes] = [Number(text.slice(1, 3)), Number(text.slice(3).replace(':', ''))];
  if (hours > 23 || minutes > 59) return null;
  return (text.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * 60_000;
}

/** @returns milliseconds since the epoch; null for what is no date of ISO 8601 in a year of four digits */
export function readIsoMoment(text: string): number | null {
  const match = EXTENDED.exec(text) ?? BASIC.exec(text);
  if (match === null) return null;
  const [day, time, offset] = [dayOf(match), timeOf(match), offsetOf(match[11])];
  return day === null || time === null || offset === null ? null : day + time - offset;
}
