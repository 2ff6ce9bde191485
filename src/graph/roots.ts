/** Lists the parts of the run state that a node reads, so that they can be loaded before its templates are rendered. */
import type { RuleGroup } from './definition.ts';
import type { KindRules, Plan, PlanNode } from './plan.ts';
import { findReferences } from './template.ts';
import type { Reference } from './template-scanner.ts';
import type { Json } from './value.ts';

/** The root name of the whole state (a bare `{{state}}`). */
export const WHOLE_STATE = '*';

/**
 * Lists the roots that the templates of a node read: in its config, `state_updates`, `for_each.items` and the `when` of its
 * out-edges. `state.x` counts as `x`; the roots of items (`item`, `index`, `for_each.as`) are left out.
 */
export function listRoots(node: PlanNode, plan: Plan, kinds: KindRules): readonly string[] {
  const found = new Set<string>();
  collect(found, node.config, kinds.literalKeys(node.type));
  collectShared(found, node, plan);
  for (const bound of ['item', 'index', node.forEach?.as ?? 'item']) found.delete(bound);
  return [...found];
}

/** True when a template of the node may read `loop`. May be true without need, because literal keys count too. */
export function readsLoop(node: PlanNode, plan: Plan): boolean {
  const found = new Set<string>();
  collect(found, node.config, []);
  collectShared(found, node, plan);
  return found.has('loop') || found.has(WHOLE_STATE);
}

function collectShared(found: Set<string>, node: PlanNode, plan: Plan): void {
  collect(found, node.stateUpdates, []);
  if (node.forEach !== null) collect(found, node.forEach.items, []);
  for (const edge of node.out) {
    const when = plan.edges[edge]?.when ?? null;
    if (when !== null) collect(found, listSides(when), []);
  }
}

function collect(found: Set<string>, value: Json, skipKeys: readonly string[]): void {
  for (const reference of findReferences(value, skipKeys).references) found.add(readRoot(reference));
}

function readRoot(reference: Reference): string {
  if (reference.root !== 'state') return reference.root;
  const [field] = reference.path;
  return field === undefined ? WHOLE_STATE : String(field);
}

/** Lists both sides of every rule of a group, nested groups included. */
export function listSides(group: RuleGroup): Json[] {
  return group.rules.flatMap((rule) => ('rules' in rule ? listSides(rule) : [rule.left, rule.right ?? null]));
}
