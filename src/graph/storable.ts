/** What may come in from outside, whoever sends it: text and numbers that PostgreSQL stores, keys that are plain data. */
import { keepDigits, type ExactJson } from './exact-json.ts';
import { deeperThan, setOwn } from './value.ts';
import type { Json, JsonObject } from './value.ts';

/** SPEC SEC-P05. */
const MAX_DEPTH = 64;
const LONE_SURROGATE = /\p{Surrogate}/u;
const REPLACEMENT = '\uFFFD';
/** No model reads or writes as much in one call; a sum of many still fits a bigint. */
const MAX_COUNT = 1_000_000_000;

/** What is wrong with a text wherever it stands: PostgreSQL stores neither NUL nor half a character. */
export function textFault(text: string): 'nul' | 'surrogate' | null {
  if (text.includes('\0')) return 'nul';
  return LONE_SURROGATE.test(text) ? 'surrogate' : null;
}

/**
 * Whether a `length` would throw where it is compared with a number: schema libraries read it of whatever stands in a
 * text's place, and `{"toString":null}` has no way to become one.
 */
export function isIncomparable(value: unknown): boolean {
  try {
    Number(value);
    return false;
  } catch {
    return true;
  }
}

/** The text with a replacement character for each NUL and each half of a character; its length stays. */
export function storableText(text: string): string {
  if (textFault(text) === null) return text;
  return text.replaceAll('\0', REPLACEMENT).replaceAll(/\p{Surrogate}/gu, REPLACEMENT);
}

/**
 * The value with its texts and keys made storable, and null for numbers that JSON cannot say; itself where nothing is
 * wrong with it. The depth must be bounded by the caller.
 */
export function storable<Value>(value: Value): Value {
  return isStorable(value) ? value : (copied(value as Json) as Value);
}

function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return textFault(value) === null;
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || value === null) return true;
  if (Array.isArray(value)) return value.every(isStorable);
  return Object.entries(value).every(([key, item]) => textFault(key) === null && isStorable(item));
}

function copied(value: Json): Json {
  if (typeof value === 'string') return storableText(value);
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(copied);
  const copy: JsonObject = {};
  for (const [key, item] of Object.entries(value)) setOwn(copy, storableText(key), copied(item));
  return copy;
}

/**
 * Reads JSON that a stranger wrote, made storable, its numbers with all their digits.
 * @throws SyntaxError when it is not JSON, or nests deeper than 64 levels
 */
export function readExactJson(text: string): ExactJson {
  const parsed = JSON.parse(text) as Json;
  requireFlat(parsed);
  const { value, texts } = keepDigits(text, parsed);
  return { value: storable(value), texts };
}

/** Reads JSON as `readExactJson` does. @throws SyntaxError */
export const readForeignJson = (text: string): Json => readExactJson(text).value;

/** @throws SyntaxError when a stranger's value nests deeper than 64 levels: neither JSON nor PostgreSQL bounds it well */
export function requireFlat(value: unknown): void {
  if (deeperThan(value, MAX_DEPTH)) throw new SyntaxError(`nested deeper than ${MAX_DEPTH} levels`);
}

/** A count as a stranger tells it: a whole number from 0 to 1,000,000,000, rounded up; 0 for what is none. */
export function storableCount(count: unknown): number {
  if (typeof count !== 'number' || Number.isNaN(count)) return 0;
  return Math.ceil(Math.min(Math.max(0, count), MAX_COUNT));
}
