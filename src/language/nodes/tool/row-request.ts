/** Keys, filters and writes of the rows of a table: the same for nodes and for the API. */
import type { Json, JsonObject } from '../../graph/values/value.ts';
import { cutText } from '../../graph/values/cut-text.ts';
import { sha256 } from '../../graph/values/sha256.ts';
import { findTextFault } from '../../graph/values/storable.ts';

/** Longest key. Enough for most addresses; cursors of lists carry one. */
export const MAX_KEY = 255;

/** The keys `.` and `..` cannot stand in a path. */
export const isRowKey = (key: string): boolean =>
  key !== '' && key.length <= MAX_KEY && key !== '.' && key !== '..' && findTextFault(key) === null;

/** Characters that a longer key keeps before its hash. */
const KEPT_OF_LONG_KEY = 190;

/**
 * Writes the value of `item_key` as the key of a row. A longer text, such as an address, ends in its SHA-256.
 * @returns null for a value that is no text, number or truth value, and for a text that is no key
 */
export function toItemKey(value: Json): string | null {
  if (value === null || typeof value === 'object') return null;
  const text = String(value);
  if (text.length <= MAX_KEY) return isRowKey(text) ? text : null;
  if (findTextFault(text) !== null) return null;
  const hash = Array.from(sha256(new TextEncoder().encode(text)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  );
  return `${cutText(text, KEPT_OF_LONG_KEY)}#${hash.join('')}`;
}

// Not interfaces: a request is JSON, which has an index.

/** A page of rows behind a key. */
export type RowQuery = {
  /** The beginning of their keys; null: any. */
  readonly prefix: string | null;
  /** A field of their values that has the text `equals`; null: any. */
  readonly field: string | null;
  readonly equals: string | null;
  /** Null: from the first row. */
  readonly after: string | null;
  readonly limit: number;
};

/** A write of one row. */
export type RowWrite = {
  readonly operation: 'put' | 'put_if_absent' | 'compare_and_set' | 'increment' | 'delete';
  readonly key: string;
  /** `value`; `expected_version` (0: no row); `by` and `field` of an increment. */
  readonly given: JsonObject & { readonly value?: Json };
};

/** A choice of the items that no run has acted on. */
export type UnseenRequest = {
  readonly operation: 'unseen';
  /** Of the items, in their order. */
  readonly keys: readonly string[];
  readonly given: JsonObject & { readonly items: Json[] };
  /** Most items that are offered. */
  readonly limit: number;
  /** The same for the first poll of the table, which marks the others; null: `limit`. */
  readonly first: number | null;
};

/** All that a node asks of a table. */
export type RowRequest =
  | UnseenRequest
  | { readonly operation: 'get'; readonly key: string }
  | ({ readonly operation: 'query' } & RowQuery)
  | RowWrite;
