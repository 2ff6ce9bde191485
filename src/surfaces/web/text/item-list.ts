/** Finds the list behind `item` in a template: that of `for_each`, or the one that a transformer reads item by item. */
import { isObject, ownValue, type Json, type JsonObject } from '../../../language/graph/values/value.ts';
import { readText } from '../canvas/binding.ts';

/** Of a transformer by its mode: the fields that are read once for each item, and the list of the items. */
const PER_ITEM: Readonly<Record<string, Readonly<Record<string, 'source' | 'left' | 'right' | 'pairs'>>>> = {
  list: { filter: 'source', select: 'source' },
  group: { keys: 'source', values: 'source' },
  unique: { by: 'source' },
  flatten: { select: 'source' },
  join: { left_key: 'left', right_key: 'right', select: 'pairs' },
};

/** Whether a rule of a field reads the items of a list transformer. */
export const isReadPerItem = (ptr: string): boolean => /^\/config\/(?:filter|select)(?:\/|$)/.test(ptr);

export interface ItemList {
  /** The template of the list; of a join an object of the templates of both. */
  readonly items: Json;
  readonly isJoin: boolean;
  /** The name of an item in templates. */
  readonly name: string;
}

function findOwnList(config: JsonObject, ptr: string): ItemList | null {
  const [, scope, key = ''] = ptr.split('/');
  const mode = readText(config, 'mode');
  const fields = Object.hasOwn(PER_ITEM, mode) ? PER_ITEM[mode] : undefined;
  if (scope !== 'config' || fields === undefined || !Object.hasOwn(fields, key)) return null;
  const list = fields[key] ?? 'source';
  if (list !== 'pairs') return { items: ownValue(config, list) ?? null, isJoin: false, name: 'item' };
  const [left, right] = [ownValue(config, 'left') ?? null, ownValue(config, 'right') ?? null];
  return { items: { left, right }, isJoin: true, name: 'item' };
}

/** Finds the list whose items a field sees; null without one. @param ptr of the field inside the node */
export function findItemList(node: Json | undefined, ptr: string): ItemList | null {
  const config = ownValue(node ?? null, 'config');
  const own = isObject(config) ? findOwnList(config, ptr) : null;
  if (own !== null) return own;
  const forEach = ownValue(node ?? null, 'for_each');
  if (!isObject(forEach) || ptr.startsWith('/for_each')) return null;
  const name = readText(forEach, 'as') || 'item';
  return { items: ownValue(forEach, 'items') ?? null, isJoin: false, name };
}
