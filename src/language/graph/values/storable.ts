/** Makes external values storable: text and numbers that PostgreSQL can store, keys that are plain data. */
import { keepDigits, type ExactJson } from './exact-json.ts';
import { isDeeperThan, setOwn } from './value.ts';
import type { Json, JsonObject } from './value.ts';

/** SPEC SEC-P05. */
const MAX_DEPTH = 64;
const LONE_SURROGATE = /\p{Surrogate}/u;
const REPLACEMENT = '\uFFFD';
/** More than any model call uses, and small enough that sums fit a bigint. */
const MAX_COUNT = 1_000_000_000;

/** The fault that keeps PostgreSQL from storing a text: NUL or a lone surrogate; null when there is none. */
export function findTextFault(text: string): 'nul' | 'surrogate' | null {
  if (text.includes('\0')) return 'nul';
  return LONE_SURROGATE.test(text) ? 'surrogate' : null;
}

/**
 * True when comparing a value with a number throws: schema libraries compare the `length` of any value, and
 * `{"toString":null}` cannot become a number.
 */
export function isIncomparable(value: unknown): boolean {
  try {
    Number(value);
    return false;
  } catch {
    return true;
  }
}

/** Replaces each NUL and lone surrogate by U+FFFD; the length stays. */
export function toStorableText(text: string): string {
  if (findTextFault(text) === null) return text;
  return text.replaceAll('\0', REPLACEMENT).replaceAll(/\p{Surrogate}/gu, REPLACEMENT);
}

/**
 * Makes the texts and keys of a value storable, and non-finite numbers null; returns the value itself when nothing changes.
 * @param value of bounded depth
 */
export function toStorable<Value>(value: Value): Value {
  return isStorable(value) ? value : (copyStorable(value as Json) as Value);
}

function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return findTextFault(value) === null;
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || value === null) return true;
  if (Array.isArray(value)) return value.every(isStorable);
  return Object.entries(value).every(([key, item]) => findTextFault(key) === null && isStorable(item));
}

function copyStorable(value: Json): Json {
  if (typeof value === 'string') return toStorableText(value);
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(copyStorable);
  const copy: JsonObject = {};
  for (const [key, item] of Object.entries(value)) setOwn(copy, toStorableText(key), copyStorable(item));
  return copy;
}

/**
 * Parses untrusted JSON, keeps the digits of its numbers (exact-json.ts) and makes it storable.
 * @throws SyntaxError for invalid JSON and for nesting deeper than 64 levels
 */
export function parseUntrustedExactJson(text: string): ExactJson {
  const parsed = JSON.parse(text) as Json;
  requireBoundedDepth(parsed);
  const exact = keepDigits(text, parsed);
  return { ...exact, value: toStorable(exact.value) };
}

/** As `parseUntrustedExactJson`, the value alone. @throws SyntaxError */
export const parseUntrustedJson = (text: string): Json => parseUntrustedExactJson(text).value;

/** @throws SyntaxError for an untrusted value that nests deeper than 64 levels (SPEC SEC-P05) */
export function requireBoundedDepth(value: unknown): void {
  if (isDeeperThan(value, MAX_DEPTH)) throw new SyntaxError(`nested deeper than ${MAX_DEPTH} levels`);
}

/** Reads a count of an external service: rounds up, clamps to 0 to 1,000,000,000; 0 for anything that is not a number. */
export function toStorableCount(count: unknown): number {
  if (typeof count !== 'number' || Number.isNaN(count)) return 0;
  return Math.ceil(Math.min(Math.max(0, count), MAX_COUNT));
}
