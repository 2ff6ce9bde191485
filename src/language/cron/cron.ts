/**
 * Parses cron expressions of five fields as Temporal does: minute, hour, day of month, month, day of week. Both day fields
 * must match, unlike in some cron implementations. The minimum interval is one minute.
 */
import { cutText } from '../graph/values/cut-text.ts';

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
  readonly min: number;
  readonly max: number;
  /** The last value of `*` where it is not `max`. */
  readonly starMax?: number;
  /** Three-letter names of the values, beginning with that of `min`. */
  readonly valueNames: readonly string[];
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const FIELDS: readonly Field[] = [
  { name: 'minute', min: 0, max: 59, valueNames: [] },
  { name: 'hour', min: 0, max: 23, valueNames: [] },
  { name: 'day of month', min: 1, max: 31, valueNames: [] },
  { name: 'month', min: 1, max: 12, valueNames: MONTHS },
  // Sunday is both 0 and 7.
  { name: 'day of week', min: 0, max: 7, starMax: 6, valueNames: WEEKDAYS },
];

/** An error in an expression, with a message for its author. */
export class CronError extends Error {
  override readonly name = 'CronError';
}

/** Reads a number or a name. @throws CronError for a value that the field cannot have */
function readValue(field: Field, text: string): number {
  const named = field.valueNames.indexOf(text.toLowerCase());
  const value = named >= 0 ? named + field.min : /^\d{1,2}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= field.min && value <= field.max) return value;
  throw new CronError(`The ${field.name} cannot be ${JSON.stringify(cutText(text, 20))}`);
}

/** Lists the values of a part between commas: `*`, a value or a range, with an optional step. @throws CronError */
function readPart(field: Field, part: string): number[] {
  const [range = '', step, ...otherSteps] = part.split('/');
  if (otherSteps.length > 0) throw new CronError(`The ${field.name} has more than one step`);
  const every = step === undefined ? 1 : /^\d{1,2}$/.test(step) ? Number(step) : 0;
  if (every === 0) throw new CronError(`The step of the ${field.name} must be a whole number above 0`);
  let first = field.min;
  let last = field.starMax ?? field.max;
  if (range !== '*') {
    const [from = '', to, ...otherEnds] = range.split('-');
    if (otherEnds.length > 0) throw new CronError(`The ${field.name} has an invalid range`);
    first = readValue(field, from);
    // Without an end a step goes on to the last value.
    last = to !== undefined ? readValue(field, to) : step === undefined ? first : field.max;
    if (first > last) throw new CronError(`The ${field.name} has a range whose end is before its start`);
  }
  const values: number[] = [];
  for (let value = first; value <= last; value += every) values.push(value);
  return values;
}

/** Lists the values of a field; the parts may overlap. @throws CronError */
function readField(field: Field, text: string): number[] {
  return text.split(',').flatMap((part) => readPart(field, part));
}

/** Parses an expression into the values of its fields. @throws CronError for an invalid expression */
export function parseCron(expression: string): Cron {
  const texts = expression.trim().split(/\s+/);
  if (texts.length !== FIELDS.length) {
    throw new CronError('Must have five fields: minute, hour, day of month, month, day of week');
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
