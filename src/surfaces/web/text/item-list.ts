/** Finds the list behind `item` in a template: that of `for_each`, or the source that a list transformer filters. */
import { isObject, ownValue, type Json } from '../../../language/graph/values/value.ts';
import { readText } from '../canvas/binding.ts';

/** Whether a field of a list transformer is read once for each of its items. */
export const isReadPerItem = (ptr: string): boolean => /^\/config\/(?:filter|select)(?:\/|$)/.test(ptr);

interface ItemList {
  /** The template of the list. */
  readonly items: Json;
  /** The name of an item in templates. */
  readonly name: string;
}

/** Finds the list whose items a field sees; null without one. @param ptr of the field inside the node */
export function findItemList(node: Json | undefined, ptr: string): ItemList | null {
  const config = ownValue(node ?? null, 'config');
  if (isReadPerItem(ptr) && isObject(config) && readText(config, 'mode') === 'list')
    return { items: ownValue(config, 'source') ?? null, name: 'item' };
  const forEach = ownValue(node ?? null, 'for_each');
  if (!isObject(forEach) || ptr.startsWith('/for_each')) return null;
  return { items: ownValue(forEach, 'items') ?? null, name: readText(forEach, 'as') || 'item' };
}
