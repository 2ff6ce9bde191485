/**
 * Parses JSON without losing digits. Integers beyond 2^53 - 1, and numbers larger than any double, become strings with
 * the digits as written.
 */
import type { Path } from '../template/template-scanner.ts';
import { isObject, ownValue, setOwn, type Json } from './value.ts';

/** A quick test: without a match, no number of the text loses digits. */
const SUSPICIOUS = /\d{16}|[eE]\+?\d{3}/;
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

const isInexact = (written: string): boolean =>
  /[.eE]/.test(written) ? !Number.isFinite(Number(written)) : !Number.isSafeInteger(Number(written));

/** Index after the closing quote of the JSON string that opens at `start`. */
function findStringEnd(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
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

export interface ExactJson {
  readonly value: Json;
  /** Paths of the numbers that became strings. */
  readonly texts: readonly Path[];
}

/**
 * Replaces rounded numbers of a parsed value by strings with their digits, in place. Bounds of JSON Schemas stay numbers.
 * @param text the JSON that `value` was parsed from @param value of bounded depth
 */
export function keepDigits(text: string, value: Json): ExactJson {
  if (!SUSPICIOUS.test(text)) return { value, texts: [] };
  const texts: Path[] = [];
  const visit = (rounded: Json, exact: Json | undefined, path: Path): Json => {
    if (typeof rounded === 'number' && typeof exact === 'string') {
      texts.push(path);
      return exact;
    }
    if (Array.isArray(rounded)) {
      for (const [at, item] of rounded.entries())
        rounded[at] = visit(item, ownValue(exact, at), [...path, at]);
    } else if (isObject(rounded)) {
      for (const [key, item] of Object.entries(rounded)) {
        if (typeof item === 'number' && isBound(rounded, key)) continue;
        setOwn(rounded, key, visit(item, isObject(exact) ? exact[key] : undefined, [...path, key]));
      }
    }
    return rounded;
  };
  return { value: visit(value, JSON.parse(quoteInexact(text)) as Json, []), texts };
}

/** Parses JSON whose depth is trusted. @throws SyntaxError */
export const parseExactJson = (text: string): Json => keepDigits(text, JSON.parse(text) as Json).value;
