/** Mapped nodes (`for_each`): which items there are, and what their results make together (SPEC DEF-2.0). */
import type { ForEach } from '../../graph/definition.ts';
import { render } from '../../graph/template.ts';
import type { Json, JsonObject } from '../../graph/value.ts';
import { NodeError } from '../../nodes/kind.ts';
import type { ExecutionScope } from './run-context.ts';

/** @throws NodeError `invalid_items` or `too_many_items` */
export function itemsOf(forEach: ForEach, scope: ExecutionScope): Json[] {
  const items = render(forEach.items, scope.with());
  if (!Array.isArray(items)) throw new NodeError('invalid_items', 'for_each.items is not an array');
  if (items.length > forEach.maxItems) {
    throw new NodeError(
      'too_many_items',
      `for_each has ${items.length} items, more than ${forEach.maxItems}`,
    );
  }
  return items;
}

export interface ItemResult {
  readonly index: number;
  readonly output: Json;
  readonly error: JsonObject | null;
}

/** Results in the order of the items; a failed item is null there (`continue`) or left out (`drop`). */
export function joinItems(forEach: ForEach, results: readonly ItemResult[]): JsonObject {
  const ordered = results.toSorted((a, b) => a.index - b.index);
  const kept = forEach.onItemError === 'drop' ? ordered.filter((item) => item.error === null) : ordered;
  return {
    results: kept.map((item) => (item.error === null ? item.output : null)),
    errors: ordered.flatMap((item) =>
      item.error === null ? [] : [{ index: item.index, error: item.error }],
    ),
    count: ordered.length,
  };
}
