/** The mode `list`: filters, sorts, limits and selects the items of a list. */
import { compareOrdinals, readOrdinal, type Ordinal } from '../../graph/values/order.ts';
import { ownValue, type Json } from '../../graph/values/value.ts';
import type { WorkBudget } from '../../graph/values/work-budget.ts';
import type { NodeCall, NodeWarning } from '../kind.ts';
import { nextTurn } from '../turn.ts';
import type { ConfigOf } from './config.ts';
import { listOutput, readItems, type Transformed } from './items.ts';

/** Steps to find a sort key in an item, to read a text as a number or a time, and to compare two items. */
const STEPS_PER_SORT_KEY = 8;
const STEPS_PER_TEXT = 16;
const STEPS_PER_COMPARISON = 2;
/** Characters per step when texts are read or compared. */
const CHARS_PER_STEP = 32;

type ListConfig = ConfigOf<'list'>;

function getAt(item: Json, path: readonly string[]): Json {
  let at: Json | undefined = item;
  for (const key of path) {
    at = ownValue(at, Array.isArray(at) ? Number(key) : key);
    if (at === undefined) return null;
  }
  return at;
}

type Entry = { readonly item: Json; readonly index: number };
type SortKey = ListConfig['sort'][number];

const splitKey = ({ by }: SortKey): readonly string[] => (by === '' ? [] : by.split('.'));

/** Reads a value of an item for the sort; null when it is missing, which is last in both directions. */
function readSortValue(item: Json, path: readonly string[], work: WorkBudget): Ordinal | null {
  const value = getAt(item, path);
  work.spend(
    STEPS_PER_SORT_KEY + (typeof value === 'string' ? STEPS_PER_TEXT + value.length / CHARS_PER_STEP : 0),
  );
  return value === null ? null : readOrdinal(value);
}

function compareSortValues(
  [left, right]: readonly [Ordinal | null, Ordinal | null],
  order: SortKey['order'],
  work: WorkBudget,
): number {
  if (left === null || right === null) return Number(left === null) - Number(right === null);
  if (left.kind === 'text' && right.kind === 'text')
    work.spend(Math.min(left.text.length, right.text.length) / CHARS_PER_STEP);
  return compareOrdinals(left, right) * (order === 'desc' ? -1 : 1);
}

/** Sorts by several keys, in the one order of values (graph/values/order.ts). @returns also the keys that no item has */
function sortEntries(
  entries: readonly Entry[],
  sort: ListConfig['sort'],
  work: WorkBudget,
): { readonly entries: readonly Entry[]; readonly missing: readonly string[] } {
  if (sort.length === 0 || entries.length === 0) return { entries, missing: [] };
  const rows = entries.map((entry) => ({
    entry,
    values: sort.map((key) => readSortValue(entry.item, splitKey(key), work)),
  }));
  const missing = sort.flatMap(({ by }, at) => (rows.every(({ values }) => values[at] === null) ? [by] : []));
  rows.sort((a, b) => {
    for (const [at, { order }] of sort.entries()) {
      work.spend(STEPS_PER_COMPARISON);
      const found = compareSortValues([a.values[at] ?? null, b.values[at] ?? null], order, work);
      if (found !== 0) return found;
    }
    return 0;
  });
  return { entries: rows.map(({ entry }) => entry), missing };
}

const createSortWarnings = (missing: readonly string[]): NodeWarning[] =>
  missing.map((by) => ({
    code: 'missing_path',
    message:
      by === ''
        ? 'The list has only nulls to sort by'
        : `No item of the list has "${by}", which it is sorted by`,
  }));

export async function transformList(call: NodeCall<unknown>, list: ListConfig): Promise<Transformed> {
  const { work } = call.patterns;
  const source = readItems(call, list.source, 'list');
  const { filter, select } = list;
  const kept: Entry[] = [];
  for (const [index, item] of source.entries()) {
    if (!filter || call.evaluate(filter, { item, index })) kept.push({ item, index });
    if (work.isTurnOver) await nextTurn(work);
  }
  const { entries: ordered, missing } = sortEntries(kept, list.sort, work);
  const chosen = typeof list.limit === 'number' ? ordered.slice(0, list.limit) : ordered;
  const items: Json[] = [];
  for (const { item, index } of chosen) {
    items.push(select === null ? item : call.render(select, { item, index }));
    if (work.isTurnOver) await nextTurn(work);
  }
  return listOutput(items, createSortWarnings(missing));
}
