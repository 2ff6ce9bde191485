/**
 * A definition compiled for running: nodes and edges by index, defaults filled in, loops found.
 * What a kind of node decides for itself (where it runs, how often it may be tried) is asked of `policyOf`,
 * so that this room needs to know no kind.
 */
import type { ForEach, NodeType, OnError, RetryPolicy, RuleGroup, StateField } from './definition.ts';
import type { Json, JsonObject } from './value.ts';

/**
 * Where a node's work happens. `fold`: pure work inside the interpreter's local activity, several nodes in one;
 * `activity`: a Temporal activity of its own; `child`: a child workflow.
 */
export type Placement = 'fold' | 'activity' | 'child';

/** What a repetition after a crash may do (reliability bar, "Effect classes"). */
export type EffectClass = 'pure' | 'idempotent' | 'at_least_once' | 'at_most_once';

export interface NodePolicy {
  readonly placement: Placement;
  readonly effect: EffectClass;
  readonly timeoutMs: number;
  readonly maxAttempts: number;
  /** The handles this node can select beside `default` and `error`. */
  readonly handles: readonly string[];
}

export interface PlanNode {
  readonly index: number;
  readonly id: string;
  readonly type: NodeType;
  readonly name: string;
  readonly config: JsonObject;
  readonly policy: NodePolicy;
  readonly retry: RetryPolicy;
  readonly onError: OnError;
  readonly defaultOutput: Json;
  readonly join: 'all' | 'any';
  readonly forEach: ForEach | null;
  readonly stateUpdates: JsonObject;
  readonly disabled: boolean;
  /** A fixed output in place of the work, or undefined. */
  readonly mock: Json | undefined;
  /** Edge indices, in the order of the definition. */
  readonly out: readonly number[];
  /** Forward edges into this node: back edges do not count in a join. */
  readonly in: readonly number[];
}

/** Index of the virtual nodes in PlanEdge.source and PlanEdge.target. */
export const START_INDEX = -1;
export const END_INDEX = -2;

export interface PlanEdge {
  readonly index: number;
  readonly id: string;
  readonly source: number;
  readonly target: number;
  readonly handle: string;
  readonly when: RuleGroup | null;
  /** For a back edge: the loop that taking it repeats. */
  readonly loop: PlanLoop | null;
}

/** A loop: what lies on a path from the back edge's target to its source. */
export interface PlanLoop {
  readonly edge: number;
  readonly nodes: readonly number[];
  /** Forward edges between nodes of the loop. */
  readonly edges: readonly number[];
  /** Forward edges that leave the loop: not taken says nothing until the loop is over. */
  readonly exits: readonly number[];
}

export interface Plan {
  readonly nodes: readonly PlanNode[];
  readonly edges: readonly PlanEdge[];
  readonly loops: readonly PlanLoop[];
  readonly fields: Readonly<Record<string, StateField>>;
  /** `config.output`: a template that replaces the run output, or undefined. */
  readonly output: Json | undefined;
  readonly strictTemplates: boolean;
}
