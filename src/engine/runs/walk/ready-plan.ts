/** A definition that is ready to be walked: compiled, with the parsed configs of its nodes. */
import { compile, type Plan, type PlanNode } from '../../../language/graph/schedule/plan.ts';
import { listRoots } from '../../../language/graph/template/roots.ts';
import { toSkeleton, type Skeleton } from '../../../language/graph/definition/skeleton.ts';
import type { JsonObject } from '../../../language/graph/values/value.ts';
import { Patterns } from '../../../language/nodes/pattern.ts';
import { getKind, systemRules } from '../../../language/nodes/registry.ts';
import { listMarkings, type Marking } from './marks.ts';

export interface ReadyPlan {
  readonly plan: Plan;
  readonly nodeById: ReadonlyMap<string, PlanNode>;
  /** Parsed configs by node index. */
  readonly configs: readonly unknown[];
  /** Polled items that the end of a node marks, by its id. */
  readonly markings: ReadonlyMap<string, readonly Marking[]>;
  /** Roots that a node reads, by node index: those of its templates, and the nodes that gave it items to mark. */
  readonly roots: readonly (readonly string[])[];
  /** Of the conditions on its edges: compiled once, not once per visit. */
  readonly patterns: Patterns;
  /** The skeleton for a run with this recursion limit. */
  skeleton(recursionLimit: number): Skeleton;
}

/** Compiles a definition for its runs. */
export function prepareDefinition(definition: JsonObject): ReadyPlan {
  const plan = compile(definition, systemRules);
  const markings = listMarkings(plan.nodes);
  const skeletons = new Map<number, Skeleton>();
  return {
    plan,
    nodeById: new Map(plan.nodes.map((node) => [node.id, node])),
    configs: plan.nodes.map((node) => {
      const parsed = getKind(node.type).parse(node.config);
      return 'config' in parsed ? parsed.config : null;
    }),
    markings,
    roots: plan.nodes.map((node) => [
      ...listRoots(node, plan, systemRules),
      ...(markings.get(node.id) ?? []).map(({ giver }) => giver),
    ]),
    patterns: new Patterns(),
    skeleton(recursionLimit) {
      const known = skeletons.get(recursionLimit) ?? toSkeleton(plan, recursionLimit);
      skeletons.set(recursionLimit, known);
      return known;
    },
  };
}
