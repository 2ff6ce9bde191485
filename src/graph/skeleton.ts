/**
 * The part of a plan that the interpreter needs inside the workflow sandbox: shape and labels, no configuration.
 * Small enough to travel in pieces far below Temporal's payload limits.
 */
import type { NodeType } from './definition.ts';
import type { PlanLoop } from './loops.ts';
import type { Placement, Plan, PlanNode } from './plan.ts';
import { readsLoop } from './roots.ts';

export interface SkeletonNode {
  readonly id: string;
  readonly type: NodeType;
  readonly name: string;
  readonly placement: Placement;
  readonly join: 'all' | 'any';
  readonly timeoutMs: number;
  readonly maxAttempts: number;
  /** Zero: not mapped. */
  readonly maxConcurrency: number;
  readonly readsLoop: boolean;
  readonly out: readonly number[];
  readonly in: readonly number[];
}
/** Kinds whose work usually takes milliseconds. Models and agents think for seconds. */
const SHORT_TYPES: ReadonlySet<NodeType> = new Set(['tool', 'function', 'knowledge']);
/** The default of tools: a node that declares more expects to take long. */
const SHORT_TIMEOUT_MS = 120_000;

/**
 * True for an effectful node, or the items of a mapped one, that a local activity runs, until it turns out to take long.
 * Histories depend on the answer.
 */
export const isShort = ({ type, placement, timeoutMs }: SkeletonNode): boolean =>
  placement === 'activity' && SHORT_TYPES.has(type) && timeoutMs <= SHORT_TIMEOUT_MS;

/** [source, target, loop index or -1] */
export type SkeletonEdge = readonly [number, number, number];

export interface Skeleton {
  readonly nodes: readonly SkeletonNode[];
  readonly edges: readonly SkeletonEdge[];
  readonly loops: readonly PlanLoop[];
  /** Ids of the back edges, by loop. */
  readonly loopIds: readonly string[];
  readonly recursionLimit: number;
}

/** Cuts a plan down to its skeleton. `recursionLimit` is the run's (config key `recursion_limit`). */
export function toSkeleton(plan: Plan, recursionLimit: number): Skeleton {
  const loopIndex = new Map(plan.loops.map((loop, index) => [loop.edge, index]));
  return {
    nodes: plan.nodes.map((node) => skeletonNode(node, plan)),
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

function skeletonNode(node: PlanNode, plan: Plan): SkeletonNode {
  // A fixed output and a switched-off node take no work at all, whatever the kind would have done.
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
