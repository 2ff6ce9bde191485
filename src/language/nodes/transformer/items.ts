/** The lists that a transformer reads and makes. */
import { readList } from '../../graph/values/list-value.ts';
import type { Json, JsonObject } from '../../graph/values/value.ts';
import { isObject } from '../../graph/values/value.ts';
import { NodeError, type NodeCall, type NodeWarning } from '../kind.ts';
import { MAX_ITEMS } from './config.ts';

export interface Transformed {
  readonly output: Json;
  readonly warnings: readonly NodeWarning[];
}

const createTooManyItems = (name: string): NodeError =>
  new NodeError('too_many_items', `The ${name} has more than ${MAX_ITEMS} items`);

/** Renders a list. @param name of the list in errors @throws NodeError `not_an_array`, `too_many_items` */
export function readItems(call: NodeCall<unknown>, list: Json, name: string): readonly Json[] {
  const items = readList(call.render(list));
  if (items === null) throw new NodeError('not_an_array', `The ${name} is not an array`);
  if (items.length > MAX_ITEMS) throw createTooManyItems(name);
  return items;
}

/** Refuses a list that would grow beyond the items of an output. @throws NodeError `too_many_items` */
export function checkCount(count: number): void {
  if (count > MAX_ITEMS) throw createTooManyItems('output');
}

/** @throws NodeError `not_an_object` */
export function readObject(item: Json, index: number): JsonObject {
  if (!isObject(item)) throw new NodeError('not_an_object', `Item ${index} of the list is not an object`);
  return item;
}

/** The output of every mode that makes a list. */
export const listOutput = (items: Json[], warnings: readonly NodeWarning[] = []): Transformed => ({
  output: { items, count: items.length },
  warnings,
});
