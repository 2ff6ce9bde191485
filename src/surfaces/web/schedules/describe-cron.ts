/** A cron expression in words. Both day fields must match, so “on the 1st” and “on Mondays” together mean a Monday that is the 1st. */
import type { Cron } from '../../../language/cron/cron.ts';

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];
/** With more times of day than this, the description lists hours and minutes separately. */
const MAX_TIMES = 4;

const list = new Intl.ListFormat('en', { type: 'conjunction' });
const twoDigits = (value: number): string => String(value).padStart(2, '0');
const ordinals = new Intl.PluralRules('en', { type: 'ordinal' });
const ENDINGS: Readonly<Record<string, string>> = { one: 'st', two: 'nd', few: 'rd', other: 'th' };
const ordinal = (value: number): string => `${value}${ENDINGS[ordinals.select(value)] ?? 'th'}`;

/** @returns the distance of evenly spaced values that fill the range from 0; null for others */
function findStep(values: readonly number[], range: number): number | null {
  const [first = 0, second] = values;
  if (second === undefined || first !== 0 || range % second !== 0) return null;
  const isEven = values.length === range / second && values.every((value, at) => value === at * second);
  return isEven ? second : null;
}

const every = (step: number, unit: string): string =>
  step === 1 ? `every ${unit}` : `every ${step} ${unit}s`;
const joinNumbers = (values: readonly number[]): string => list.format(values.map(twoDigits));

function describeTimes({ minutes, hours }: Cron): string {
  const minuteStep = findStep(minutes, 60);
  const hourStep = findStep(hours, 24);
  if (hours.length * minutes.length <= MAX_TIMES) {
    const times = hours.flatMap((hour) => minutes.map((minute) => `${twoDigits(hour)}:${twoDigits(minute)}`));
    return `at ${list.format(times)}`;
  }
  const within = minuteStep === null ? `at minute ${joinNumbers(minutes)}` : every(minuteStep, 'minute');
  if (hourStep === 1) return minuteStep === null ? `every hour ${within}` : within;
  if (hourStep !== null)
    return `${every(hourStep, 'hour')} ${minutes[0] === 0 && minutes.length === 1 ? '' : within}`.trim();
  return `${within} in the hours ${joinNumbers(hours)}`;
}

function describeWeekdays(weekdays: ReadonlySet<number>): string {
  const days = [...weekdays].sort((a, b) => a - b);
  if (days.join() === '1,2,3,4,5') return 'Monday to Friday';
  if (days.join() === '0,6') return 'on weekends';
  return `on ${list.format(days.map((day) => `${DAYS[day] ?? ''}s`))}`;
}

/** @returns a sentence without its full stop, for example “At 09:00, Monday to Friday” */
export function describeCron(cron: Cron): string {
  const { days, months, weekdays } = cron;
  const parts = [
    describeTimes(cron),
    ...(days.size === 31 ? [] : [`on the ${list.format([...days].sort((a, b) => a - b).map(ordinal))}`]),
    ...(weekdays.size === 7 ? [] : [describeWeekdays(weekdays)]),
    ...(months.size === 12
      ? []
      : [`in ${list.format([...months].sort((a, b) => a - b).map((month) => MONTHS[month - 1] ?? ''))}`]),
  ];
  const text = parts.join(', ');
  const isDaily = parts.length === 1 && text.startsWith('at ');
  return isDaily ? `Every day ${text}` : text.slice(0, 1).toUpperCase() + text.slice(1);
}
