/**
 * The part of a plan that the interpreter workflow needs: shape and labels, no configs, so that it stays far below
 * Temporal's payload limits.
 */
import type { PlanLoop } from '../schedule/loops.ts';
import type { Placement, Plan, PlanNode } from '../schedule/plan.ts';
import { readsLoop } from '../template/roots.ts';

export interface SkeletonNode {
  readonly id: string;
  readonly type: string;
  readonly name: string;
  readonly placement: Placement;
  readonly join: 'all' | 'any';
  readonly timeoutMs: number;
  readonly maxAttempts: number;
  /** Zero: no `for_each`. */
  readonly maxConcurrency: number;
  readonly readsLoop: boolean;
  readonly out: readonly number[];
  readonly in: readonly number[];
}
/** Types whose work usually takes milliseconds; models take seconds. Of transformers, those that parse. */
const SHORT_TYPES: ReadonlySet<string> = new Set(['tool', 'function', 'knowledge', 'transformer']);
/** The default timeout of tools: a node with a longer one is expected to run long. */
const SHORT_TIMEOUT_MS = 120_000;

/**
 * True for a node that starts as a local activity and moves to an activity if it takes long. Changing the answer breaks
 * the replay of histories.
 */
export const isShort = ({ type, placement, timeoutMs }: SkeletonNode): boolean =>
  placement === 'activity' && SHORT_TYPES.has(type) && timeoutMs <= SHORT_TIMEOUT_MS;

/** [source, target, loop index or -1] */
type SkeletonEdge = readonly [number, number, number];

export interface Skeleton {
  readonly nodes: readonly SkeletonNode[];
  readonly edges: readonly SkeletonEdge[];
  readonly loops: readonly PlanLoop[];
  /** Ids of the back edges, by loop. */
  readonly loopIds: readonly string[];
  readonly recursionLimit: number;
}

/** Reduces a plan to its skeleton. @param recursionLimit of the run (config key `recursion_limit`) */
export function toSkeleton(plan: Plan, recursionLimit: number): Skeleton {
  const loopIndex = new Map(plan.loops.map((loop, index) => [loop.edge, index]));
  return {
    nodes: plan.nodes.map((node) => toSkeletonNode(node, plan)),
    edges: plan.edges.map((edge): SkeletonEdge => [
      edge.source,
      edge.target,
      loopIndex.get(edge.index) ?? -1,
    ]),
    loops: plan.loops,
    loopIds: plan.loops.map((loop) => plan.edges[loop.edge]?.id ?? ''),
    recursionLimit,
  };
}

function toSkeletonNode(node: PlanNode, plan: Plan): SkeletonNode {
  // Disabled and mocked nodes do no work, so the fold handles them.
  const isIdle = node.disabled || node.mock !== undefined;
  return {
    id: node.id,
    type: node.type,
    name: node.name,
    placement: isIdle ? 'fold' : node.policy.placement,
    join: node.join,
    timeoutMs: node.policy.timeoutMs,
    maxAttempts: node.retry.maxAttempts,
    maxConcurrency: isIdle ? 0 : (node.forEach?.maxConcurrency ?? 0),
    readsLoop: readsLoop(node, plan),
    out: node.out,
    in: node.in,
  };
}
