/**
 * The workflow definition as clients send it (SPEC API-definition) and the words of its parts.
 * Types only: what is wrong with a definition is said by validate.ts, what runs is made by plan.ts.
 */
import type { Json, JsonObject } from './value.ts';

export const START = '__start__';
export const END = '__end__';
/** Where an index stands for a node, these stand for the virtual ones. */
export const START_INDEX = -1;
export const END_INDEX = -2;

export const NODE_TYPES = [
  'llm',
  'tool',
  'agent',
  'function',
  'conditional',
  'interrupt',
  'transformer',
  'guardrails',
  'knowledge',
] as const;
/** Nodes of the service's own workflows: in a client's definition these are unknown types. */
export const SYSTEM_NODE_TYPES = ['composer'] as const;
export type NodeType = (typeof NODE_TYPES)[number] | (typeof SYSTEM_NODE_TYPES)[number];

/** The only top-level keys that survive a canvas save (SPEC API-definition). */
export const KEPT_KEYS = [
  'metadata',
  'config',
  'state_schema',
  'nodes',
  'edges',
  'entry_point',
  'input_parameters',
  'end_points',
  'start_position',
] as const;

/** Node ids that templates use as roots; a node may not take them. */
export const RESERVED_NODE_IDS: ReadonlySet<string> = new Set([
  START,
  END,
  'input',
  'state',
  'run',
  'item',
  'index',
  'loop',
]);
export const NODE_ID = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;

/** Bounds of one definition (SPEC SEC-G13; a body is at most 4 MiB anyway). */
export const MAX_NODES = 10_000;
export const MAX_EDGES = 50_000;
/** Beside those of the nodes: each is read and checked with every definition, and a row of every run. */
export const MAX_STATE_FIELDS = 1_000;

export type Reducer = 'none' | 'add' | 'update';
export interface StateField {
  readonly reducer: Reducer;
  readonly default: Json | undefined;
}

export type OnError = 'fail' | 'continue' | 'branch';

export interface RetryPolicy {
  readonly maxAttempts: number;
  readonly initialIntervalMs: number;
  readonly backoffCoefficient: number;
  readonly maxIntervalMs: number;
}

export interface ForEach {
  /** Template of the array. */
  readonly items: Json;
  readonly as: string;
  readonly maxConcurrency: number;
  readonly maxItems: number;
  readonly onItemError: 'fail' | 'continue' | 'drop';
}

/** One rule, or a group of rules, as `when` of an edge and `rules` of a conditional (conditional nodes, list filters). */
export interface Rule {
  readonly left: Json;
  readonly op: RuleOp;
  readonly right?: Json;
}
export interface RuleGroup {
  readonly match: 'all' | 'any';
  readonly rules: readonly (Rule | RuleGroup)[];
}
export const RULE_OPS = [
  'eq',
  'neq',
  'gt',
  'gte',
  'lt',
  'lte',
  'contains',
  'not_contains',
  'starts_with',
  'ends_with',
  'matches',
  'in',
  'not_in',
  'is_empty',
  'is_not_empty',
  'exists',
  'not_exists',
  'is_true',
  'is_false',
] as const;
export type RuleOp = (typeof RULE_OPS)[number];

/** A definition as it was sent: checked for shape by validate.ts before anything reads further. */
export type WorkflowDefinition = JsonObject;

/** Something wrong with a definition. `error` refuses a deploy or a run, `warning` only tells. */
export interface Problem {
  readonly severity: 'error' | 'warning';
  /** A stable word for programs: `dangling_edge`, `duplicate_node_id`, ... */
  readonly code: string;
  /** A sentence for people that names the node, the edge or the field. */
  readonly message: string;
  /** Where: a path into the definition, for example ["nodes", 3, "config", "url"]. */
  readonly path: readonly (string | number)[];
  readonly nodeId?: string;
}

/**
 * Problems of one definition at most: a hostile definition has millions. Checks report errors before warnings, so a full
 * list never hides that there are errors.
 */
export const MAX_PROBLEMS = 500;

/** Adds a problem unless the list is full. */
export function report(problems: Problem[], problem: Problem): void {
  if (problems.length < MAX_PROBLEMS) problems.push(problem);
}
