/** How the controls of a form show a value, and how they read what was typed. */
import { parseExactJson } from '../../../language/graph/values/exact-json.ts';
import { isObject, type Json } from '../../../language/graph/values/value.ts';
import { readLines } from '../kit/read-lines.ts';
import { fieldWords } from '../words-fields.ts';

/** The typed value (undefined for an empty field), or the reason in words why there is none. */
export type ParsedValue = { readonly value: Json | undefined } | { readonly problem: string };

/** The text of a value that is edited as text. */
export const toText = (typed: Json): string => (typeof typed === 'string' ? typed : JSON.stringify(typed));

interface Format {
  /** The value as it is edited. */
  show(value: Json | undefined): Json;
  read(typed: Json): ParsedValue;
  /**
   * How the edits of two people become one: as text, as a text whose insertions must not meet (JSON), or not at all:
   * of an address or a number half of each would be neither.
   */
  readonly merging: 'text' | 'apart' | 'never';
}

/** The digits that a number is made of, without zeros at either end. */
const findDigits = (number: string): string =>
  (number.toLowerCase().split('e')[0] ?? '').replace(/[-.]/g, '').replace(/^0+|0+$/g, '');

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** The number that a text is exactly; null for others: 007, twenty digits, 1e999. */
export function parseExactNumber(text: string): number | null {
  if (!NUMBER.test(text)) return null;
  const value = Number(text);
  const isKept = Number.isSafeInteger(value) || (Number.isFinite(value) && !Number.isInteger(value));
  return isKept && findDigits(text) === findDigits(String(value)) ? value : null;
}

/** Says why a text is not an exact number: it is none, or it has too many digits. */
export const describeNumberProblem = (text: string): string =>
  NUMBER.test(text) ? fieldWords.tooManyDigits : fieldWords.notNumber;

/** The list that a JSON text is; null for any other text, such as one with a template outside of quotes. */
function parseList(text: string): Json[] | null {
  if (!text.trimStart().startsWith('[')) return null;
  try {
    const list = parseExactJson(text);
    return Array.isArray(list) ? list : null;
  } catch {
    return null;
  }
}

/** The side of a rule: a number where it is one exactly, a JSON list, true, false and null; any other text is text. */
export function parseSide(text: string): Json {
  if (text === 'true' || text === 'false') return text === 'true';
  return text === 'null' ? null : (parseExactNumber(text) ?? parseList(text) ?? text);
}

const showText = (value: Json | undefined): string =>
  typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value);

/** The text that `parseSide` reads; lists as people type them. */
export function showSide(value: Json | undefined): string {
  if (Array.isArray(value)) return `[${value.map((entry) => JSON.stringify(entry)).join(', ')}]`;
  return value === null ? 'null' : showText(value);
}

function readJson(typed: Json): ParsedValue {
  const text = toText(typed);
  if (text.trim() === '') return { value: undefined };
  try {
    return { value: parseExactJson(text) };
  } catch {
    // A template outside quotes is what people try first.
    const isBare = /(?:^|[[:,\s])\{\{/.test(text);
    return { problem: isBare ? fieldWords.templateInJson : fieldWords.notJson };
  }
}

const showJson = (value: Json | undefined): string =>
  value === undefined ? '' : JSON.stringify(value, null, 2);

export const FORMATS = {
  /** A text of many lines; an empty one is stored. */
  text: { show: showText, read: (typed) => ({ value: typed }), merging: 'text' },
  /** A text of many lines; an empty one is not stored. */
  optional: {
    show: showText,
    read: (typed) => ({ value: typed === '' ? undefined : typed }),
    merging: 'text',
  },
  /** A number, a list, true, false, null, or a text; an empty text is not stored. */
  scalar: {
    show: showSide,
    read: (typed) => ({ value: typed === '' ? undefined : parseSide(toText(typed)) }),
    merging: 'never',
  },
  /** As `scalar`; an empty text is stored, so that what it belongs to stays. */
  operand: { show: showSide, read: (typed) => ({ value: parseSide(toText(typed)) }), merging: 'never' },
  /** A text of one line; an empty one is stored. */
  name: { show: showText, read: (typed) => ({ value: typed }), merging: 'never' },
  /** A text of one line that may not be empty. */
  title: {
    show: showText,
    read: (typed) => (toText(typed).trim() === '' ? { problem: fieldWords.isRequired } : { value: typed }),
    merging: 'never',
  },
  /** A text of one line; an empty one is not stored. */
  line: {
    show: showText,
    read: (typed) => ({ value: typed === '' ? undefined : typed }),
    merging: 'never',
  },
  json: { show: showJson, read: readJson, merging: 'apart' },
  object: {
    show: showJson,
    read(typed) {
      const reading = readJson(typed);
      if ('problem' in reading || isObject(reading.value)) return reading;
      return { problem: fieldWords.notObject };
    },
    merging: 'apart',
  },
  number: {
    show: showText,
    read(typed) {
      const text = toText(typed).trim();
      if (text === '') return { value: undefined };
      const value = parseExactNumber(text);
      return value === null ? { problem: describeNumberProblem(text) } : { value };
    },
    merging: 'never',
  },
  /** A list of texts, one in a line; an empty list is not stored. */
  lines: {
    show: (value) => (Array.isArray(value) ? value : []).map(String).join('\n'),
    read(typed) {
      const lines = readLines(toText(typed));
      return { value: lines.length === 0 ? undefined : lines };
    },
    merging: 'apart',
  },
  /** A choice; null and the empty text are not stored. */
  value: {
    show: (value) => value ?? null,
    read: (typed) => ({ value: typed === null || typed === '' ? undefined : typed }),
    merging: 'never',
  },
} as const satisfies Readonly<Record<string, Format>>;

export type FormatName = keyof typeof FORMATS;
