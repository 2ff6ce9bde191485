/** Lists the parts of the run state that a node reads, so that they can be loaded before its templates are rendered. */
import type { RuleGroup } from '../definition/definition.ts';
import type { KindRules, Plan, PlanNode } from '../schedule/plan.ts';
import { findReferences } from './template.ts';
import type { Json } from '../values/value.ts';

/** The root name of the whole state (a bare `{{state}}`). */
export const WHOLE_STATE = '*';

/**
 * Lists the roots that the templates of a node read: in its config, `confirm`, `state_updates`, `for_each.items` and the `when` of its
 * out-edges. `state.x` counts as `x`; the roots of items (`item`, `index`, `for_each.as`) are left out, unless a template reads
 * the state field of that name.
 */
export function listRoots(node: PlanNode, plan: Plan, kinds: KindRules): readonly string[] {
  const found = collectAll(node, plan, kinds.literalKeys(node.type));
  for (const bound of ['item', 'index', node.forEach?.as ?? 'item']) found.roots.delete(bound);
  return [...new Set([...found.roots, ...found.fields])];
}

/** True when a template of the node may read `loop`. May be true without need, because literal keys count too. */
export function readsLoop(node: PlanNode, plan: Plan): boolean {
  const { roots, fields } = collectAll(node, plan, []);
  // Where the run has no field of this name, `state.loop` is the root.
  return roots.has('loop') || fields.has('loop') || roots.has(WHOLE_STATE);
}

interface FoundRoots {
  readonly roots: Set<string>;
  /** Read as `state.name`. */
  readonly fields: Set<string>;
}

function collectAll(node: PlanNode, plan: Plan, skipKeys: readonly string[]): FoundRoots {
  const found: FoundRoots = { roots: new Set(), fields: new Set() };
  collect(found, node.config, skipKeys);
  collect(found, node.stateUpdates, []);
  collect(found, node.confirm ?? null, []);
  if (node.forEach !== null) collect(found, node.forEach.items, []);
  for (const edge of node.out) {
    const when = plan.edges[edge]?.when ?? null;
    if (when !== null) collect(found, listSides(when), []);
  }
  return found;
}

function collect({ roots, fields }: FoundRoots, value: Json, skipKeys: readonly string[]): void {
  for (const { root, path } of findReferences(value, skipKeys).references) {
    const [field] = path;
    if (root !== 'state') roots.add(root);
    else if (field === undefined) roots.add(WHOLE_STATE);
    else fields.add(String(field));
  }
}

/** Lists both sides of every rule of a group, nested groups included. */
export function listSides(group: RuleGroup): Json[] {
  return group.rules.flatMap((rule) => ('rules' in rule ? listSides(rule) : [rule.left, rule.right ?? null]));
}
