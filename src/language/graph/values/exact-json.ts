/**
 * Parses JSON without losing digits. Integers beyond 2^53 - 1, and numbers larger than any double, become strings with
 * the digits as written. Decimals with more digits than a double are rounded and reported: they are quantities, and a text in
 * their place would break arithmetic.
 */
import type { Path } from '../template/template-scanner.ts';
import { isObject, ownValue, setOwn, type Json } from './value.ts';

/** A quick test: without a match, no number of the text loses digits. */
const SUSPICIOUS = /[\d.]{16}|[eE][+-]?\d{3}/;
const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const LONG_INTEGER = /^-?[1-9]\d{15,}$/;
/** Numeric keywords of JSON Schema. Generators write the largest 64-bit integer there, and validators need numbers. */
const BOUNDS: ReadonlySet<string> = new Set([
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'minProperties',
  'maxProperties',
]);

/** True for the digits of an integer that a double cannot hold. */
export const isLongInteger = (text: string): boolean =>
  LONG_INTEGER.test(text) && !Number.isSafeInteger(Number(text));

/** True for a number that becomes text: a text alone keeps what it means. */
export const isKept = (written: string): boolean =>
  /[.eE]/.test(written) ? !Number.isFinite(Number(written)) : !Number.isSafeInteger(Number(written));

/** The digits of a number from its first to its last that is not zero. */
function pickSignificant(number: string): string {
  const [mantissa = ''] = number.split(/[eE]/);
  const digits = mantissa.replaceAll(/[^\d]/g, '');
  let [from, to] = [0, digits.length];
  while (digits[from] === '0') from += 1;
  while (to > from && digits[to - 1] === '0') to -= 1;
  return digits.slice(from, to);
}

/** True for a number whose double has other digits: the shortest ones that name it are those that were written, unless too many. */
export const isInexact = (written: string): boolean =>
  isKept(written) || pickSignificant(written) !== pickSignificant(String(Number(written)));

/** Finds the index after the closing quote of the JSON string that opens at `start`; beyond the text when none closes it. */
export function findStringEnd(text: string, start: number): number {
  let at = start + 1;
  for (let unit = text.charCodeAt(at); at < text.length && unit !== 0x22; unit = text.charCodeAt(at))
    at += unit === 0x5c ? 2 : 1;
  return at + 1;
}

/** Puts quotes around the numbers that would lose digits. @param text valid JSON */
function quoteInexact(text: string): string {
  let quoted = '';
  let from = 0;
  for (let at = 0; at < text.length;) {
    if (text[at] === '"') {
      at = findStringEnd(text, at);
      continue;
    }
    NUMBER.lastIndex = at;
    const written = NUMBER.exec(text)?.[0];
    if (written === undefined) at += 1;
    else {
      if (isInexact(written)) {
        quoted += `${text.slice(from, at)}"${written}"`;
        from = at + written.length;
      }
      at += written.length;
    }
  }
  return quoted + text.slice(from);
}

/** True for a numeric keyword beside a `type`: a bound of a JSON Schema. */
export const isBound = (parent: object, key: string): boolean =>
  BOUNDS.has(key) && Object.hasOwn(parent, 'type');

/** As many paths of numbers of each kind are kept: nothing warns of more. */
export const MAX_NUMBER_PATHS = 20;

export interface ExactJson {
  readonly value: Json;
  /** Paths of the first numbers that became strings. */
  readonly texts: readonly Path[];
  /** Paths of the first decimals that lost digits. */
  readonly rounded: readonly Path[];
}

/**
 * Replaces rounded numbers of a parsed value by strings with their digits, in place. Bounds of JSON Schemas stay numbers.
 * @param text the JSON that `value` was parsed from @param value of bounded depth
 */
export function keepDigits(text: string, value: Json): ExactJson {
  if (!SUSPICIOUS.test(text)) return { value, texts: [], rounded: [] };
  const texts: Path[] = [];
  const rounded: Path[] = [];
  // One path for all values: a copy for each adds up.
  const path: (string | number)[] = [];
  const visit = (double: Json, exact: Json | undefined): Json => {
    if (typeof double === 'number' && typeof exact === 'string') {
      const paths = isKept(exact) ? texts : rounded;
      if (paths.length < MAX_NUMBER_PATHS) paths.push([...path]);
      return isKept(exact) ? exact : double;
    }
    if (Array.isArray(double)) {
      for (const [at, item] of double.entries()) {
        path.push(at);
        double[at] = visit(item, ownValue(exact, at));
        path.pop();
      }
    } else if (isObject(double)) {
      for (const [key, item] of Object.entries(double)) {
        if (typeof item === 'number' && isBound(double, key)) continue;
        path.push(key);
        const kept = visit(item, isObject(exact) ? exact[key] : undefined);
        if (kept !== item) setOwn(double, key, kept);
        path.pop();
      }
    }
    return double;
  };
  return { value: visit(value, JSON.parse(quoteInexact(text)) as Json), texts, rounded };
}

/** Parses JSON whose depth is trusted. @throws SyntaxError */
export const parseExactJson = (text: string): Json => keepDigits(text, JSON.parse(text) as Json).value;
