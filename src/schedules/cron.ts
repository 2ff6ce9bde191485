/**
 * Parses cron expressions of five fields as Temporal does: minute, hour, day of month, month, day of week. Both day fields
 * must match, unlike in some cron implementations. The minimum interval is one minute.
 */
import { cutText } from '../graph/cut-text.ts';

export interface Cron {
  readonly minutes: readonly number[];
  readonly hours: readonly number[];
  readonly days: ReadonlySet<number>;
  /** 1 is January. */
  readonly months: ReadonlySet<number>;
  /** 0 is Sunday. */
  readonly weekdays: ReadonlySet<number>;
}

interface Field {
  readonly name: string;
  readonly least: number;
  readonly most: number;
  /** The last value of `*`, if it is not `most`. */
  readonly all?: number;
  /** The three-letter name of each number, from `least`. */
  readonly words: readonly string[];
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const FIELDS: readonly Field[] = [
  { name: 'minute', least: 0, most: 59, words: [] },
  { name: 'hour', least: 0, most: 23, words: [] },
  { name: 'day of month', least: 1, most: 31, words: [] },
  { name: 'month', least: 1, most: 12, words: MONTHS },
  // Sunday is both 0 and 7.
  { name: 'day of week', least: 0, most: 7, all: 6, words: WEEKDAYS },
];

/** An invalid expression; the message tells its author what is wrong. */
export class CronError extends Error {
  override readonly name = 'CronError';
}

function readNumber(field: Field, text: string): number {
  const word = field.words.indexOf(text.toLowerCase());
  const value = word >= 0 ? word + field.least : /^\d{1,2}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= field.least && value <= field.most) return value;
  throw new CronError(`The ${field.name} cannot be ${JSON.stringify(cutText(text, 20))}`);
}

/** Reads one part between commas: `*`, a number or a range, each with an optional step. */
function readPart(field: Field, part: string): number[] {
  const [range = '', step, ...more] = part.split('/');
  if (more.length > 0) throw new CronError(`The ${field.name} has more than one step`);
  const every = step === undefined ? 1 : /^\d{1,2}$/.test(step) ? Number(step) : 0;
  if (every === 0) throw new CronError(`The ${field.name} needs a step that is a whole number above 0`);
  let first = field.least;
  let last = field.all ?? field.most;
  if (range !== '*') {
    const [from = '', to, ...others] = range.split('-');
    if (others.length > 0) throw new CronError(`The ${field.name} has a range with more than two ends`);
    first = readNumber(field, from);
    last = to !== undefined ? readNumber(field, to) : step === undefined ? first : field.most;
    if (first > last) throw new CronError(`The ${field.name} has a range that ends before it begins`);
  }
  const values: number[] = [];
  for (let value = first; value <= last; value += every) values.push(value);
  return values;
}

function readField(field: Field, text: string): number[] {
  return text.split(',').flatMap((part) => readPart(field, part));
}

/** @throws CronError for an invalid expression */
export function parseCron(expression: string): Cron {
  const texts = expression.trim().split(/\s+/);
  if (texts.length !== FIELDS.length) {
    throw new CronError('Five fields are needed: minute, hour, day of month, month, day of week');
  }
  const values = FIELDS.map((field, index) => new Set(readField(field, texts[index] ?? '')));
  const [minutes, hours, days, months, weekdays] = values;
  const ascending = (numbers: Iterable<number> = []): number[] => [...numbers].sort((a, b) => a - b);
  return {
    minutes: ascending(minutes),
    hours: ascending(hours),
    days: new Set(days),
    months: new Set(months),
    weekdays: new Set(ascending(weekdays).map((day) => day % 7)),
  };
}
