/** Keys, filters and writes of the rows of a table: the same for nodes and for the API. */
import type { Json, JsonObject } from '../../graph/values/value.ts';
import { findTextFault } from '../../graph/values/storable.ts';

/** Longest key. Enough for most addresses; cursors of lists carry one. */
export const MAX_KEY = 255;

/** The keys `.` and `..` cannot stand in a path. */
export const isRowKey = (key: string): boolean =>
  key !== '' && key.length <= MAX_KEY && key !== '.' && key !== '..' && findTextFault(key) === null;

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

/** All that a node asks of a table. */
export type RowRequest =
  | { readonly operation: 'get'; readonly key: string }
  | ({ readonly operation: 'query' } & RowQuery)
  | RowWrite;
