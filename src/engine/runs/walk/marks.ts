/** Keys of polled items that the end of a node marks as seen. They are written with its step, by the SQL function write_steps. */
import type { PlanNode } from '../../../language/graph/schedule/plan.ts';
import { render } from '../../../language/graph/template/template.ts';
import { ownValue, type Json } from '../../../language/graph/values/value.ts';
import { toItemKey } from '../../../language/nodes/tool/row-request.ts';
import type { ExecutionScope } from './context.ts';

/** Keys that a step marks in a table. */
export interface StepMark {
  readonly table_id: string;
  /** `unknown`: nobody knows whether the effect happened, and nothing repeats it by itself. */
  readonly seen: 'done' | 'unknown';
  readonly keys: readonly string[];
}

/** A node that gives items, with its marks. */
export interface Marking {
  readonly giver: string;
  readonly tableId: string;
  readonly itemKey: string;
}

/** Lists the markings of a plan by the node whose end they wait for. */
export function listMarkings(nodes: readonly PlanNode[]): ReadonlyMap<string, readonly Marking[]> {
  const byNode = new Map<string, Marking[]>();
  for (const { id: giver, policy, disabled } of nodes) {
    if (policy.marks === undefined || disabled) continue;
    const { after, tableId, itemKey } = policy.marks;
    byNode.set(after, [...(byNode.get(after) ?? []), { giver, tableId, itemKey }]);
  }
  return byNode;
}

/** The keys of items; an item without one is left out. */
function listKeys({ itemKey }: Marking, items: readonly Json[], scope: ExecutionScope): string[] {
  return items.flatMap((item) => {
    const key = toItemKey(render(itemKey, scope.forSide(true, { item })));
    return key === null ? [] : [key];
  });
}

/**
 * Lists what an execution marks as it ends: its item, or all items that were given to its node. A node that is disabled or has a pinned output
 * has not acted, and a tool call is not the end of its agent. Never throws: the effect has happened.
 */
export function listMarks(scope: ExecutionScope, seen: StepMark['seen']): readonly StepMark[] {
  const { execution, context } = scope;
  const { node, item, toolCall } = execution;
  const markings = context.ready.markings.get(node.id) ?? [];
  if (markings.length === 0 || node.disabled || node.mock !== undefined || toolCall !== undefined) return [];
  if (item === null && node.forEach !== null) return [];
  return markings.flatMap((marking) => {
    const given =
      item === null ? ownValue(context.values.output(marking.giver) ?? null, 'items') : [item.value];
    if (!Array.isArray(given)) return [];
    try {
      const keys = listKeys(marking, given, scope);
      return keys.length === 0 ? [] : [{ table_id: marking.tableId, seen, keys }];
    } catch {
      return [];
    }
  });
}
