/**
 * The one order of values (SPEC DEF-2.17): of rules, sorted lists, bounds of schemas, and (in SQL, src/platform/knowledge/filter-sql.ts) of metadata
 * filters. Numbers and numeric texts are compared by all their digits, timestamps by time.
 */
import { readDecimal, type Decimal } from './decimal.ts';
import { compareMoments, readMoment, type Moment } from './iso8601.ts';
import type { Json } from './value.ts';

/** A value as it is ordered, read once for many comparisons. */
export type Ordinal =
  | { readonly kind: 'number'; readonly decimal: Decimal }
  | { readonly kind: 'moment'; readonly moment: Moment }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'boolean'; readonly value: boolean }
  /** Null, lists and objects have no order. */
  | { readonly kind: 'other' };

/** The sequence of kinds: without one, `10` before `9` and `9` before `1a` would make a list depend on its input order. */
const KINDS: readonly Ordinal['kind'][] = ['number', 'moment', 'text', 'boolean', 'other'];

/** Reads a value for `compareOrdinals`. */
export function readOrdinal(value: Json): Ordinal {
  if (typeof value === 'boolean') return { kind: 'boolean', value };
  const decimal = readDecimal(value);
  if (decimal !== null) return { kind: 'number', decimal };
  if (typeof value !== 'string') return { kind: 'other' };
  const moment = readMoment(value.trim());
  return moment === null ? { kind: 'text', text: value } : { kind: 'moment', moment };
}

/** Below 0, 0 or above 0, as the first value is before, beside or after the second. Any two values have an order. */
export function compareOrdinals(a: Ordinal, b: Ordinal): number {
  if (a.kind === 'number' && b.kind === 'number') return a.decimal.compareTo(b.decimal);
  if (a.kind === 'moment' && b.kind === 'moment') return compareMoments(a.moment, b.moment);
  if (a.kind === 'text' && b.kind === 'text') return a.text < b.text ? -1 : a.text > b.text ? 1 : 0;
  if (a.kind === 'boolean' && b.kind === 'boolean') return Number(a.value) - Number(b.value);
  return KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind);
}

/** Compares two values that must be of one kind: numbers, or timestamps. Null for any others, which have no size. */
export function compareValues(left: Json, right: Json): number | null {
  const [a, b] = [readDecimal(left), readDecimal(right)];
  if (a !== null && b !== null) return a.compareTo(b);
  if (typeof left !== 'string' || typeof right !== 'string') return null;
  const [from, to] = [readMoment(left.trim()), readMoment(right.trim())];
  return from === null || to === null ? null : compareMoments(from, to);
}
