/** Reads the items of a list as the rows of a table. */
import { isObject, ownValue, type Json } from '../../graph/values/value.ts';
import type { WorkBudget } from '../../graph/values/work-budget.ts';
import { NodeError } from '../kind.ts';
import { MAX_COLUMNS } from './format-config.ts';

/** Steps to look a key up. */
const STEPS_PER_KEY = 8;

interface Table {
  /** Null: the rows are lists without names. */
  readonly header: readonly string[] | null;
  /** Each has as many cells as the header, where there is one. */
  readonly rows: Iterable<readonly Json[]>;
}

const notARow = (index: number): NodeError =>
  new NodeError('not_a_row', `Item ${index} of the list is no row: a row is an object, or a list of cells`);

const createTooManyColumns = (): NodeError =>
  new NodeError('too_many_columns', `The table has more than ${MAX_COLUMNS} columns`);

/** Lists the keys of all rows, in the order in which they first appear. */
function collectKeys(items: readonly Json[], work: WorkBudget): string[] | null {
  const keys = new Set<string>();
  for (const item of items) {
    if (!isObject(item)) continue;
    const own = Object.keys(item);
    work.spend(own.length * STEPS_PER_KEY);
    for (const key of own) keys.add(key);
    if (keys.size > MAX_COLUMNS) throw createTooManyColumns();
  }
  return keys.size === 0 ? null : [...keys];
}

function readRow(item: Json, index: number, header: readonly string[] | null): readonly Json[] {
  if (Array.isArray(item)) {
    if (item.length > MAX_COLUMNS) throw createTooManyColumns();
    return header === null ? item : header.map((_, at) => item[at] ?? null);
  }
  if (!isObject(item)) throw notARow(index);
  return (header ?? []).map((key) => ownValue(item, key) ?? null);
}

/**
 * @param columns null: all keys of the rows
 * @throws NodeError `not_a_row`, `too_many_columns`, the former while the rows are read @throws WorkLimitExceeded
 */
export function readTable(
  items: readonly Json[],
  columns: readonly string[] | null,
  work: WorkBudget,
): Table {
  const header = columns ?? collectKeys(items, work);
  function* readRows(): Generator<readonly Json[]> {
    for (const [index, item] of items.entries()) {
      const row = readRow(item, index, header);
      work.spend(row.length * STEPS_PER_KEY);
      yield row;
    }
  }
  return { header, rows: readRows() };
}
