/**
 * The workflow definition as clients send it (SPEC API-definition): its constants and types. validate.ts finds problems in
 * one, plan.ts compiles it.
 */
import { shortenKeys, shortenText } from '../values/cut-text.ts';
import type { Json, JsonObject } from '../values/value.ts';

export const START = '__start__';
export const END = '__end__';
/** Node indices of the virtual nodes. */
export const START_INDEX = -1;
export const END_INDEX = -2;

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

/** Virtual nodes and template roots; a node may not have these ids. */
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
/** Fields beside those of the nodes: every run stores a row for each. */
export const MAX_STATE_FIELDS = 1_000;

export type Reducer = 'none' | 'add' | 'update';
export interface StateField {
  readonly reducer: Reducer;
  readonly default: Json | undefined;
}

export type OnError = 'fail' | 'continue' | 'branch';
/** The end of a node when nobody knows whether its request had its effect: it fails, or asks people. */
export type OnUnknown = 'fail' | 'ask';

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

/** One rule of an edge's `when`, a conditional's case or a list filter. */
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
/** Comparisons that have no right side. */
export const UNARY_OPS: ReadonlySet<string> = new Set<RuleOp>([
  'is_empty',
  'is_not_empty',
  'exists',
  'not_exists',
  'is_true',
  'is_false',
]);

/** A definition as the client sent it; validate.ts checks its shape. */
export type WorkflowDefinition = JsonObject;

/** A problem of a definition. An `error` blocks deploys and runs, a `warning` does not. */
export interface Problem {
  readonly severity: 'error' | 'warning';
  /** Stable code for programs: `dangling_edge`, `duplicate_node_id`, ... */
  readonly code: string;
  /** Human-readable sentence; it names the node, the edge or the field. */
  readonly message: string;
  /** A path into the definition, for example ["nodes", 3, "config", "url"]. */
  readonly path: readonly (string | number)[];
  readonly nodeId?: string;
}

/**
 * Maximum of reported problems: a hostile definition has millions. Checks report errors before warnings, so a full list
 * never hides that there are errors.
 */
export const MAX_PROBLEMS = 500;

/** Messages may name paths, and the keys of a path may be as long as the definition. */
const MAX_MESSAGE = 2_000;

/** Adds a problem unless the list is full. Long keys are shortened: each problem below one would repeat it. */
export function report(problems: Problem[], problem: Problem): void {
  if (problems.length >= MAX_PROBLEMS) return;
  const { message, path } = problem;
  problems.push({ ...problem, message: shortenText(message, MAX_MESSAGE), path: shortenKeys(path) });
}
