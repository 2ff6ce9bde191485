/**
 * JSON whose numbers keep their digits. A double holds whole numbers up to 2^53 - 1: what is larger, or larger than any
 * double, is kept as a text with the digits that were written.
 */
import type { Path } from './template-scanner.ts';
import { isObject, ownValue, setOwn, type Json } from './value.ts';

/** Only a text like this can hold a number that a double cannot. */
const SUSPICIOUS = /\d{16}|[eE]\+?\d{3}/;
const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const LONG_INTEGER = /^-?[1-9]\d{15,}$/;
/** JSON Schema's keywords for numbers. Generators of schemas write the largest integer of 64 bits there, and validators read numbers. */
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

/** True for a text that stands for a whole number beyond what a double holds. */
export const isLongInteger = (text: string): boolean =>
  LONG_INTEGER.test(text) && !Number.isSafeInteger(Number(text));

const isInexact = (written: string): boolean =>
  /[.eE]/.test(written) ? !Number.isFinite(Number(written)) : !Number.isSafeInteger(Number(written));

/** Index behind the closing quote of the JSON string that opens at `start`. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at + 1;
}

/** Valid JSON with quotes around the numbers that would lose digits. */
function quoteInexact(text: string): string {
  let quoted = '';
  let from = 0;
  for (let at = 0; at < text.length;) {
    if (text[at] === '"') {
      at = endOfString(text, at);
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

/** The bound of a JSON Schema: a keyword beside a `type`. */
export const isBound = (parent: object, key: string): boolean =>
  BOUNDS.has(key) && Object.hasOwn(parent, 'type');

export interface ExactJson {
  readonly value: Json;
  /** Where a number became a text. */
  readonly texts: readonly Path[];
}

/**
 * Puts the digits of a JSON text back into the value that was parsed from it, in place. Bounds of JSON Schemas stay numbers.
 * The value's depth must be bounded by the caller.
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

/** Parses JSON of a person or a program that is trusted with its depth. @throws SyntaxError */
export const parseExactJson = (text: string): Json => keepDigits(text, JSON.parse(text) as Json).value;
