/** The modes that take lists apart and items to pieces: `unique`, `chunk`, `flatten`, `pick` and `rename`. */
import { setOwn, type Json, type JsonObject } from '../../graph/values/value.ts';
import type { WorkBudget } from '../../graph/values/work-budget.ts';
import type { NodeCall } from '../kind.ts';
import { nextTurn } from '../turn.ts';
import type { ConfigOf } from './config.ts';
import { formatKey } from './item-key.ts';
import { checkCount, listOutput, readItems, readObject, type Transformed } from './items.ts';

/** Steps to copy an item of a list, and to find and set a member of an object. */
const STEPS_PER_ITEM = 2;
const STEPS_PER_MEMBER = 16;

/** Keeps the first item of each key. */
export async function keepUnique(call: NodeCall<unknown>, config: ConfigOf<'unique'>): Promise<Transformed> {
  const { work } = call.patterns;
  const seen = new Set<string>();
  const items: Json[] = [];
  for (const [index, item] of readItems(call, config.source, 'list').entries()) {
    const key = config.by === null ? item : call.render(config.by, { item, index });
    const text = formatKey(key, work);
    if (!seen.has(text)) items.push(item);
    seen.add(text);
    if (work.isTurnOver) await nextTurn(work);
  }
  return listOutput(items);
}

export function chunkItems(call: NodeCall<unknown>, { source, size }: ConfigOf<'chunk'>): Transformed {
  const items = readItems(call, source, 'list');
  call.patterns.work.spend(items.length * STEPS_PER_ITEM);
  const chunks: Json[] = [];
  for (let at = 0; at < items.length; at += size) chunks.push(items.slice(at, at + size));
  return listOutput(chunks);
}

/** Adds the items of a list, and of the lists in it down to a depth. */
function addFlat(
  target: Json[],
  list: readonly Json[],
  { depth, work }: { depth: number; work: WorkBudget },
): void {
  work.spend(list.length * STEPS_PER_ITEM);
  for (const item of list) {
    if (Array.isArray(item) && depth > 1) addFlat(target, item, { depth: depth - 1, work });
    else {
      checkCount(target.length + 1);
      target.push(item);
    }
  }
}

export async function flattenItems(
  call: NodeCall<unknown>,
  config: ConfigOf<'flatten'>,
): Promise<Transformed> {
  const { work } = call.patterns;
  const { select, depth } = config;
  const flat: Json[] = [];
  for (const [index, item] of readItems(call, config.source, 'list').entries()) {
    const value = select === null ? item : call.render(select, { item, index });
    if (value !== null) addFlat(flat, Array.isArray(value) ? value : [value], { depth, work });
    if (work.isTurnOver) await nextTurn(work);
  }
  return listOutput(flat);
}

/** Copies each item, an object, with other members. */
async function copyItems(
  call: NodeCall<unknown>,
  source: Json,
  copy: (item: JsonObject) => JsonObject,
): Promise<Transformed> {
  const { work } = call.patterns;
  const items: Json[] = [];
  for (const [index, item] of readItems(call, source, 'list').entries()) {
    items.push(copy(readObject(item, index)));
    if (work.isTurnOver) await nextTurn(work);
  }
  return listOutput(items);
}

export function pickMembers(
  call: NodeCall<unknown>,
  { source, keep }: ConfigOf<'pick'>,
): Promise<Transformed> {
  return copyItems(call, source, (item) => {
    call.patterns.work.spend(keep.length * STEPS_PER_MEMBER);
    const picked: JsonObject = {};
    for (const name of keep) if (Object.hasOwn(item, name)) setOwn(picked, name, item[name] ?? null);
    return picked;
  });
}

/** Members keep their places. A renamed member replaces one that has its new name. */
export function renameMembers(
  call: NodeCall<unknown>,
  { source, names }: ConfigOf<'rename'>,
): Promise<Transformed> {
  const { work } = call.patterns;
  const renames = new Map(Object.entries(names));
  return copyItems(call, source, (item) => {
    const members = Object.entries(item);
    work.spend((members.length + renames.size) * STEPS_PER_MEMBER);
    const replaced = new Set([...renames].flatMap(([from, to]) => (Object.hasOwn(item, from) ? [to] : [])));
    const renamed: JsonObject = {};
    for (const [name, value] of members) {
      const to = renames.get(name);
      if (to !== undefined) setOwn(renamed, to, value);
      else if (!replaced.has(name)) setOwn(renamed, name, value);
    }
    return renamed;
  });
}
