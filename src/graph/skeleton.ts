/**
 * The part of a plan that the interpreter needs inside the workflow sandbox: shape and labels, no configuration.
 * Small enough to travel in pieces far below Temporal's payload limits.
 */
import type { NodeType } from './definition.ts';
import type { Plan, PlanEdge, PlanLoop } from './plan.ts';

export interface SkeletonNode {
  readonly id: string;
  readonly type: NodeType;
  readonly name: string;
  readonly placement: 'fold' | 'activity' | 'child';
  readonly join: 'all' | 'any';
  readonly timeoutMs: number;
  readonly maxAttempts: number;
  /** Zero: not mapped. */
  readonly maxConcurrency: number;
  readonly readsLoop: boolean;
  readonly out: readonly number[];
  readonly in: readonly number[];
}
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
export type { Plan, PlanEdge };
