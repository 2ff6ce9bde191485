/** Patterns of dates, `yyyy-MM-dd HH:mm`, with the letters of Unicode that Luxon, date-fns and Java have. Names are English. */
import { countMonthDays, toMidnight, type CalendarFields } from '../values/calendar.ts';

const MONTHS = 'January February March April May June July August September October November December'.split(
  ' ',
);
const DAYS = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ');
const TOKEN = /'((?:[^']|'')*)'|([A-Za-z])\2*|[^A-Za-z']+|'/g;
const MAX_PATTERN = 100;

/** The parts of a local time, and the offset from UTC in minutes. */
interface DateParts {
  readonly local: CalendarFields;
  readonly offset: number;
}

/** The fields that a text gave. */
interface ReadParts {
  year?: number;
  month?: number;
  day?: number;
  hour?: number;
  isAfternoon?: boolean;
  minute?: number;
  second?: number;
  ms?: number;
  offset?: number;
}

interface Letters {
  write(parts: DateParts): string;
  /** The text that is read; null for letters that are only written. */
  readonly pattern: string | null;
  read?(text: string, parts: ReadParts): void;
}

const pad = (value: number, width: number): string => String(value).padStart(width, '0');

const number = (
  get: (fields: CalendarFields) => number,
  width: number,
  key: 'year' | 'month' | 'day' | 'hour' | 'minute' | 'second' | 'ms',
): Letters => ({
  write: ({ local }) => pad(get(local), width),
  pattern: width === 1 ? String.raw`\d{1,2}` : String.raw`\d{${width}}`,
  read: (text, parts) => {
    parts[key] = Number(text);
  },
});

const names = (list: readonly string[], get: (fields: CalendarFields) => number, length: number): Letters => {
  const shown = list.map((name) => name.slice(0, length));
  return {
    write: ({ local }) => shown[get(local)] ?? '',
    pattern: shown.join('|'),
    ...(list === MONTHS
      ? {
          read: (text: string, parts: ReadParts) => {
            parts.month = shown.findIndex((name) => name.toLowerCase() === text.toLowerCase()) + 1;
          },
        }
      : {}),
  };
};

const toTwelve = (hour: number): number => (hour % 12 === 0 ? 12 : hour % 12);

function formatOffset(offset: number): string {
  const size = Math.abs(offset);
  return `${offset < 0 ? '-' : '+'}${pad(Math.floor(size / 60), 2)}:${pad(size % 60, 2)}`;
}

function readOffset(text: string): number {
  if (/^z$/i.test(text)) return 0;
  const [hours, minutes] = [Number(text.slice(1, 3)), Number(text.slice(3).replace(':', ''))];
  return (text.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
}

const offset: Letters = {
  write: (parts) => formatOffset(parts.offset),
  pattern: String.raw`[Zz]|[+-]\d{2}:?\d{2}`,
  read: (text, parts) => {
    parts.offset = readOffset(text);
  },
};

const LETTERS: Readonly<Record<string, Letters>> = {
  yyyy: number((fields) => fields.year, 4, 'year'),
  yy: {
    write: ({ local }) => pad(local.year % 100, 2),
    pattern: String.raw`\d{2}`,
    read: (text, parts) => {
      parts.year = 2_000 + Number(text);
    },
  },
  M: number((fields) => fields.month, 1, 'month'),
  MM: number((fields) => fields.month, 2, 'month'),
  MMM: names(MONTHS, ({ month }) => month - 1, 3),
  MMMM: names(MONTHS, ({ month }) => month - 1, 9),
  d: number((fields) => fields.day, 1, 'day'),
  dd: number((fields) => fields.day, 2, 'day'),
  EEE: names(DAYS, ({ weekday }) => weekday, 3),
  EEEE: names(DAYS, ({ weekday }) => weekday, 9),
  H: number((fields) => fields.hour, 1, 'hour'),
  HH: number((fields) => fields.hour, 2, 'hour'),
  h: number(({ hour }) => toTwelve(hour), 1, 'hour'),
  hh: number(({ hour }) => toTwelve(hour), 2, 'hour'),
  m: number((fields) => fields.minute, 1, 'minute'),
  mm: number((fields) => fields.minute, 2, 'minute'),
  s: number((fields) => fields.second, 1, 'second'),
  ss: number((fields) => fields.second, 2, 'second'),
  SSS: number((fields) => fields.ms, 3, 'ms'),
  a: {
    write: ({ local }) => (local.hour < 12 ? 'AM' : 'PM'),
    pattern: '[AaPp][Mm]',
    read: (text, parts) => {
      parts.isAfternoon = /^p/i.test(text);
    },
  },
  XXX: offset,
  ZZ: offset,
};

type Piece = { readonly literal: string } | { readonly letters: Letters };

/** Splits a pattern; a text says what is wrong with it. */
function splitPattern(pattern: string): readonly Piece[] | string {
  if (pattern.length > MAX_PATTERN) return `A pattern of a date has at most ${MAX_PATTERN} characters`;
  const pieces: Piece[] = [];
  for (const [whole, quoted, letter] of pattern.matchAll(TOKEN)) {
    if (letter !== undefined) {
      const letters = Object.hasOwn(LETTERS, whole) ? LETTERS[whole] : undefined;
      if (letters === undefined)
        return `A pattern of a date has no letters ${JSON.stringify(whole)} (known: ${Object.keys(LETTERS).join(' ')}; text stands in '…')`;
      pieces.push({ letters });
    } else if (whole === "'") return "A pattern of a date has a quote ' that is not closed";
    else
      pieces.push({
        literal: quoted === undefined ? whole : quoted === '' ? "'" : quoted.replaceAll("''", "'"),
      });
  }
  return pieces;
}

export function findPatternProblem(pattern: string): string | null {
  const pieces = splitPattern(pattern);
  return typeof pieces === 'string' ? pieces : null;
}

/** Writes a local time. @param pattern without a problem */
export function formatDate(pattern: string, parts: DateParts): string {
  const pieces = splitPattern(pattern);
  if (typeof pieces === 'string') return '';
  return pieces.map((piece) => ('literal' in piece ? piece.literal : piece.letters.write(parts))).join('');
}

/** A local time in milliseconds as if it were UTC, and its offset in minutes where the text has one. */
interface ReadDate {
  readonly local: number;
  readonly offset: number | null;
}

function toLocalTime(parts: ReadParts): number | null {
  const { year: y = 1970, month: m = 1, day: d = 1, minute: min = 0, second: sec = 0, ms = 0 } = parts;
  const { hour: given = 0, isAfternoon } = parts;
  if (isAfternoon !== undefined && (given < 1 || given > 12)) return null;
  const h = isAfternoon === undefined ? given : (given % 12) + (isAfternoon ? 12 : 0);
  const isReal = m >= 1 && m <= 12 && d >= 1 && d <= countMonthDays(y, m) && h < 24 && min < 60 && sec < 60;
  return isReal ? toMidnight(y, m, d) + ((h * 60 + min) * 60 + sec) * 1_000 + ms : null;
}

/** Reads a text by a pattern; null when it does not fit or its date does not exist. @param pattern without a problem */
export function readDate(text: string, pattern: string): ReadDate | null {
  const pieces = splitPattern(pattern);
  if (typeof pieces === 'string') return null;
  let rest = text.trim();
  const parts: ReadParts = {};
  for (const piece of pieces) {
    if ('literal' in piece) {
      if (!rest.startsWith(piece.literal)) return null;
      rest = rest.slice(piece.literal.length);
      continue;
    }
    const found = new RegExp(`^(?:${piece.letters.pattern ?? ''})`, 'i').exec(rest)?.[0];
    if (found === undefined) return null;
    piece.letters.read?.(found, parts);
    rest = rest.slice(found.length);
  }
  const local = rest === '' ? toLocalTime(parts) : null;
  return local === null ? null : { local, offset: parts.offset ?? null };
}
