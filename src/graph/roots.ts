/** Which parts of the run state a node reads: what must be loaded before its templates can be rendered. */
import type { RuleGroup } from './definition.ts';
import type { KindRules, Plan, PlanNode } from './plan.ts';
import { referencesIn } from './template.ts';
import type { Reference } from './template-scanner.ts';
import type { Json } from './value.ts';

/** The root name that stands for the whole state (a bare `{{state}}`). */
export const WHOLE_STATE = '*';

/**
 * The names that the templates of a node's config, `state_updates`, `for_each.items` and the `when` rules of its
 * out-edges read, without those bound per item (`item`, `index`, `for_each.as`). `state.x` counts as `x`.
 */
export function roots(node: PlanNode, plan: Plan, kinds: KindRules): readonly string[] {
  const found = new Set<string>();
  collect(found, node.config, kinds.literalKeys(node.type));
  collectShared(found, node, plan);
  for (const bound of ['item', 'index', node.forEach?.as ?? 'item']) found.delete(bound);
  return [...found];
}

/** True when a template of the node may read `loop`. Errs towards true: it also looks into literal keys. */
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
    if (when !== null) collect(found, sidesOf(when), []);
  }
}

function collect(found: Set<string>, value: Json, skipKeys: readonly string[]): void {
  for (const reference of referencesIn(value, skipKeys).references) found.add(rootOf(reference));
}

function rootOf(reference: Reference): string {
  if (reference.root !== 'state') return reference.root;
  const [field] = reference.path;
  return field === undefined ? WHOLE_STATE : String(field);
}

/** Both sides of every rule of a group, nested groups included. */
export function sidesOf(group: RuleGroup): Json[] {
  return group.rules.flatMap((rule) => ('rules' in rule ? sidesOf(rule) : [rule.left, rule.right ?? null]));
}
