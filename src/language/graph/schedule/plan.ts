/**
 * Compiles a definition into a plan: nodes and edges by index, defaults filled in, loops found. Policies of nodes come from
 * `KindRules`, so that this folder knows no kind of node.
 */
import { END, END_INDEX, START, START_INDEX } from '../definition/definition.ts';
import type {
  ForEach,
  OnError,
  OnUnknown,
  RetryPolicy,
  RuleGroup,
  StateField,
  WorkflowDefinition,
} from '../definition/definition.ts';
import { findLoops, type PlanLoop } from './loops.ts';
import type { ReadNode, TrustedValue } from '../definition/read-node.ts';
import type { Limits } from '../definition/limits.ts';
import { readDefinition, type ReadDefinition } from '../definition/read.ts';
import type { Json, JsonObject } from '../values/value.ts';
import type { TextFlow } from '../checks/text-flow.ts';

/**
 * The place where a node runs. `fold`: pure work, several nodes in one local activity of the interpreter; `activity`: a
 * Temporal activity of its own; `child`: a child workflow; `agent`: an activity per turn and tool call.
 */
export type Placement = 'fold' | 'activity' | 'child' | 'agent';

/** Decides whether a node runs again after a crash (SPEC REL-effect-classes). */
export type EffectClass = 'pure' | 'idempotent' | 'at_least_once' | 'at_most_once';

export interface NodePolicy {
  readonly placement: Placement;
  readonly effect: EffectClass;
  readonly timeoutMs: number;
  readonly maxAttempts: number;
  /** True: a failure after the request has left is not retried, because it may have had its effect. */
  readonly isFinalOnceSent?: boolean;
  /** The milliseconds that the definition asks to wait between attempts. The node's time-out bounds them. */
  readonly retryAfterMs?: number;
  /** The node may pause to ask people. */
  readonly asks?: boolean;
  /**
   * Effect-free nodes only: milliseconds that an advance waits for the result before it writes `node_started`. Undefined:
   * the node runs after `node_started` is committed.
   */
  readonly inlineWaitMs?: number;
  /** The node gives items of which each is marked, in a table, when the node `after` has acted on it. */
  readonly marks?: {
    readonly after: string;
    readonly tableId: string;
    /** A template of the key of an `item`. */
    readonly itemKey: string;
  };
  /** The handles this node can select beside `default` and `error`. */
  readonly handles: readonly string[];
}

export interface PlanNode {
  readonly index: number;
  readonly id: string;
  /** A type that the rules of the kinds have. */
  readonly type: string;
  readonly name: string;
  readonly config: JsonObject;
  readonly policy: NodePolicy;
  readonly retry: RetryPolicy;
  readonly onError: OnError;
  readonly onUnknown: OnUnknown;
  readonly defaultOutput: Json;
  readonly join: 'all' | 'any';
  readonly forEach: ForEach | null;
  readonly stateUpdates: JsonObject;
  readonly disabled: boolean;
  /** A fixed output in place of the work, or undefined. */
  readonly mock: Json | undefined;
  /** The approval that the node needs before it sends; null: none. */
  readonly confirm: JsonObject | null;
  /** Texts of others that may decide what the node does. */
  readonly trustedValues: readonly TrustedValue[];
  /** Edge indices, in the order of the definition. */
  readonly out: readonly number[];
  /** Forward edges into this node; joins ignore back edges. */
  readonly in: readonly number[];
}

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

export interface Plan {
  readonly nodes: readonly PlanNode[];
  readonly edges: readonly PlanEdge[];
  readonly loops: readonly PlanLoop[];
  readonly fields: Readonly<Record<string, StateField>>;
  /** `config.output`: a template that replaces the run output, or undefined. */
  readonly output: Json | undefined;
  readonly strictTemplates: boolean;
  /** The budget of a run; null: none. */
  readonly limits: Limits | null;
}

/** Rules of the kinds of nodes; src/language/nodes/registry.ts implements them. */
export interface KindRules {
  /** True when a definition may have nodes of this type. */
  has(type: string): boolean;
  /** Problems of a node's config; paths are relative to the config. */
  problems(
    type: string,
    config: JsonObject,
  ): readonly { code: string; message: string; path: readonly (string | number)[] }[];
  /** The problem of an RE2 pattern, or null. */
  patternProblem(pattern: string): string | null;
  /** Problems of the field `confirm` of a node; paths are relative to it. @param config without problems */
  confirmProblems(
    type: string,
    config: JsonObject,
    confirm: JsonObject,
  ): readonly { code: string; message: string; path: readonly (string | number)[] }[];
  /** The policy of a node. @param config without problems */
  policy(type: string, config: JsonObject): NodePolicy;
  /** Top-level config keys whose strings are not templates. */
  literalKeys(type: string): readonly string[];
  /** Top-level config keys that may use the roots `item` and `index`. */
  itemKeys(type: string): readonly string[];
  /** Top-level config keys that may use the root `response`. */
  responseKeys(type: string): readonly string[];
  /** Problems of `config.triggers`; paths are relative to it. */
  triggerProblems(
    triggers: Json | undefined,
  ): readonly { code: string; message: string; path: readonly (string | number)[] }[];
  /** The flow of texts through a node. @param config without problems */
  textFlow(type: string, config: JsonObject): TextFlow;
}

/** An edge by node index, before the loops are known. */
export interface Link {
  readonly id: string;
  readonly source: number;
  readonly target: number;
  readonly handle: string;
  readonly when: RuleGroup | null;
}

/**
 * Compiles a definition without errors (validate.ts). Adds the edges that a definition may leave out: from the start to
 * `entry_point`, and to the end from every node without out-edges.
 */
export function compile(definition: WorkflowDefinition, kinds: KindRules): Plan {
  const read = readDefinition(definition);
  const links = listLinks(read);
  const loops = findLoops(read.nodes.length, links);
  if (loops === null) throw new Error('compile() needs a definition without error problems');
  const loopByEdge = new Map(loops.map((loop) => [loop.edge, loop]));
  const out: number[][] = read.nodes.map(() => []);
  const into: number[][] = read.nodes.map(() => []);
  const edges = links.map((link, index): PlanEdge => {
    const loop = loopByEdge.get(index) ?? null;
    out[link.source]?.push(index);
    if (loop === null) into[link.target]?.push(index);
    return { index, ...link, loop };
  });
  const nodes = read.nodes.map((node, index) => {
    const outgoing = out[index] ?? [];
    const hasErrorEdge = outgoing.some((edge) => edges[edge]?.handle === 'error');
    return compileNode(node, kinds, { index, out: outgoing, in: into[index] ?? [], hasErrorEdge });
  });
  const { fields, output, strictTemplates, limits } = read;
  return { nodes, edges, loops, fields, output, strictTemplates, limits };
}

/**
 * Lists the edges of a definition by node index, the implicit ones last. Leaves out edges with an unknown end, which
 * validation refuses.
 */
export function listLinks(read: ReadDefinition): Link[] {
  const indexById = new Map<string, number>([
    [START, START_INDEX],
    [END, END_INDEX],
  ]);
  read.nodes.forEach((node, index) => indexById.set(node.id, index));
  const links: Link[] = [];
  for (const { id, source: from, target: to, handle, when } of read.edges) {
    const source = indexById.get(from);
    const target = indexById.get(to);
    if (source !== undefined && target !== undefined) links.push({ id, source, target, handle, when });
  }
  const implicit = (source: number, target: number, id: string): Link => ({
    id,
    source,
    target,
    handle: 'default',
    when: null,
  });
  const entry = indexById.get(read.entryPoint) ?? START_INDEX;
  if (entry >= 0 && !links.some((link) => link.source === START_INDEX && link.target === entry)) {
    links.push(implicit(START_INDEX, entry, `${START}->${read.entryPoint}`));
  }
  const hasOut = new Set(links.map((link) => link.source));
  read.nodes.forEach((node, index) => {
    if (!hasOut.has(index)) links.push(implicit(index, END_INDEX, `${node.id}->${END}`));
  });
  return links;
}

function compileNode(
  node: ReadNode,
  kinds: KindRules,
  place: Pick<PlanNode, 'index' | 'out' | 'in'> & { readonly hasErrorEdge: boolean },
): PlanNode {
  const { id, name, config, defaultOutput, join, forEach, stateUpdates, disabled, mock, confirm } = node;
  const { trustedValues } = node;
  if (!kinds.has(node.type)) throw new Error('compile() needs a definition without error problems');
  const policy = kinds.policy(node.type, config);
  return {
    index: place.index,
    id,
    type: node.type,
    name,
    config,
    policy: {
      ...policy,
      timeoutMs: node.timeoutMs ?? policy.timeoutMs,
      ...(confirm === null ? {} : { asks: true }),
    },
    retry: { maxAttempts: node.maxAttempts ?? policy.maxAttempts, ...node.retry },
    onError: node.onError ?? (place.hasErrorEdge ? 'branch' : 'fail'),
    onUnknown: node.onUnknown,
    defaultOutput,
    join,
    forEach,
    stateUpdates,
    disabled,
    mock,
    confirm,
    trustedValues,
    out: place.out,
    in: place.in,
  };
}
