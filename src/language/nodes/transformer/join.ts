/** The mode `join`: the pairs of items of two lists that have the same key. */
import type { Json } from '../../graph/values/value.ts';
import type { NodeCall } from '../kind.ts';
import { nextTurn } from '../turn.ts';
import type { ConfigOf } from './config.ts';
import { formatKey, isMissingKey } from './item-key.ts';
import { checkCount, listOutput, readItems, type Transformed } from './items.ts';

/** Steps to find the matches of an item, or to note it. */
const STEPS_PER_ITEM = 16;

/** Renders the key of each item; null for one that matches nothing. */
async function readKeys(
  call: NodeCall<unknown>,
  items: readonly Json[],
  template: Json,
): Promise<(string | null)[]> {
  const { work } = call.patterns;
  const keys: (string | null)[] = [];
  for (const [index, item] of items.entries()) {
    const key = call.render(template, { item, index });
    keys.push(isMissingKey(key) ? null : formatKey(key, work));
    if (work.isTurnOver) await nextTurn(work);
  }
  return keys;
}

async function indexByKey(
  call: NodeCall<unknown>,
  keys: readonly (string | null)[],
): Promise<Map<string, number[]>> {
  const { work } = call.patterns;
  const found = new Map<string, number[]>();
  for (const [index, key] of keys.entries()) {
    work.spend(STEPS_PER_ITEM);
    if (work.isTurnOver) await nextTurn(work);
    if (key === null) continue;
    const before = found.get(key);
    if (before === undefined) found.set(key, [index]);
    else before.push(index);
  }
  return found;
}

/** Rows stand in the order of the left list, the matches of one item in that of the right; right items without a match are last. */
export async function joinLists(call: NodeCall<unknown>, config: ConfigOf<'join'>): Promise<Transformed> {
  const { work } = call.patterns;
  const left = readItems(call, config.left, 'left list');
  const right = readItems(call, config.right, 'right list');
  const leftKeys = await readKeys(call, left, config.left_key);
  const matches = await indexByKey(call, await readKeys(call, right, config.right_key));
  const matched = new Set<number>();
  const rows: Json[] = [];
  const addRow = async (leftItem: Json, rightItem: Json): Promise<void> => {
    checkCount(rows.length + 1);
    const roots = { item: { left: leftItem, right: rightItem }, index: rows.length };
    const mayMiss = leftItem === null || rightItem === null;
    rows.push(call.render(config.select ?? '{{item}}', roots, mayMiss));
    if (work.isTurnOver) await nextTurn(work);
  };
  for (const [index, item] of left.entries()) {
    const key = leftKeys[index] ?? null;
    const found = key === null ? [] : (matches.get(key) ?? []);
    work.spend(STEPS_PER_ITEM);
    for (const at of found) {
      matched.add(at);
      await addRow(item, right[at] ?? null);
    }
    if (found.length === 0 && config.join_type !== 'inner') await addRow(item, null);
    if (work.isTurnOver) await nextTurn(work);
  }
  if (config.join_type === 'full')
    for (const [index, item] of right.entries()) {
      work.spend(STEPS_PER_ITEM);
      if (!matched.has(index)) await addRow(null, item);
      if (work.isTurnOver) await nextTurn(work);
    }
  return listOutput(rows);
}
