/**
 * A definition compiled for running: nodes and edges by index, defaults filled in, loops found.
 * What a kind of node decides for itself (where it runs, how often it may be tried) is asked of
 * `KindRules`, so that this room needs to know no kind.
 */
import { END, END_INDEX, START, START_INDEX } from './definition.ts';
import type {
  ForEach,
  NodeType,
  OnError,
  RetryPolicy,
  RuleGroup,
  StateField,
  WorkflowDefinition,
} from './definition.ts';
import { findLoops, type PlanLoop } from './loops.ts';
import type { ReadNode } from './read-node.ts';
import { readDefinition, type ReadDefinition } from './read.ts';
import type { Json, JsonObject } from './value.ts';

/**
 * Where a node's work happens. `fold`: pure work inside the interpreter's local activity, several nodes in one;
 * `activity`: a Temporal activity of its own; `child`: a child workflow; `agent`: an activity per turn and tool call.
 */
export type Placement = 'fold' | 'activity' | 'child' | 'agent';

/** What a repetition after a crash may do (SPEC REL-effect-classes). */
export type EffectClass = 'pure' | 'idempotent' | 'at_least_once' | 'at_most_once';

export interface NodePolicy {
  readonly placement: Placement;
  readonly effect: EffectClass;
  readonly timeoutMs: number;
  readonly maxAttempts: number;
  /** It may stop and ask people. */
  readonly asks?: boolean;
  /**
   * Of work that sends nothing out, which need not be recorded before it begins: so many milliseconds the walk waits for it
   * before it writes that it has begun. Undefined: it begins when that is committed.
   */
  readonly recordAfterMs?: number;
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
}

/** What the kinds of nodes say about themselves; the registry of kinds implements it. */
export interface KindRules {
  /** Whether a definition may have nodes of this type. */
  has(type: string): type is NodeType;
  /** What is wrong with a node's config; paths are relative to the config. */
  problems(
    type: NodeType,
    config: JsonObject,
  ): readonly { code: string; message: string; path: readonly (string | number)[] }[];
  /** What is wrong with an RE2 pattern, or null. */
  patternProblem(pattern: string): string | null;
  /** Only for configs without problems. */
  policy(type: NodeType, config: JsonObject): NodePolicy;
  /** Top-level config keys whose strings are not templates. */
  literalKeys(type: NodeType): readonly string[];
  /** Top-level config keys that may use the roots `item` and `index`. */
  itemKeys(type: NodeType): readonly string[];
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
 * Compiles a definition that validate.ts found no error in. Adds the edges that a definition may leave out: from the
 * start to `entry_point`, and to the end from every node without out-edges.
 */
export function compile(definition: WorkflowDefinition, kinds: KindRules): Plan {
  const read = readDefinition(definition);
  const links = linksOf(read);
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
    return planNode(node, kinds, { index, out: outgoing, in: into[index] ?? [], hasErrorEdge });
  });
  const { fields, output, strictTemplates } = read;
  return { nodes, edges, loops, fields, output, strictTemplates };
}

/**
 * The edges of a definition by node index: as read, then those that it leaves unsaid. Edges with an unknown end are
 * left out, validation refuses them.
 */
export function linksOf(read: ReadDefinition): Link[] {
  const indexOf = new Map<string, number>([
    [START, START_INDEX],
    [END, END_INDEX],
  ]);
  read.nodes.forEach((node, index) => indexOf.set(node.id, index));
  const links: Link[] = [];
  for (const { id, source: from, target: to, handle, when } of read.edges) {
    const source = indexOf.get(from);
    const target = indexOf.get(to);
    if (source !== undefined && target !== undefined) links.push({ id, source, target, handle, when });
  }
  const implicit = (source: number, target: number, id: string): Link => ({
    id,
    source,
    target,
    handle: 'default',
    when: null,
  });
  const entry = indexOf.get(read.entryPoint) ?? START_INDEX;
  if (entry >= 0 && !links.some((link) => link.source === START_INDEX && link.target === entry)) {
    links.push(implicit(START_INDEX, entry, `${START}->${read.entryPoint}`));
  }
  const hasOut = new Set(links.map((link) => link.source));
  read.nodes.forEach((node, index) => {
    if (!hasOut.has(index)) links.push(implicit(index, END_INDEX, `${node.id}->${END}`));
  });
  return links;
}

function planNode(
  node: ReadNode,
  kinds: KindRules,
  place: Pick<PlanNode, 'index' | 'out' | 'in'> & { readonly hasErrorEdge: boolean },
): PlanNode {
  const { id, name, config, defaultOutput, join, forEach, stateUpdates, disabled, mock } = node;
  if (!kinds.has(node.type)) throw new Error('compile() needs a definition without error problems');
  const policy = kinds.policy(node.type, config);
  return {
    index: place.index,
    id,
    type: node.type,
    name,
    config,
    policy: { ...policy, timeoutMs: node.timeoutMs ?? policy.timeoutMs },
    retry: { maxAttempts: node.maxAttempts ?? policy.maxAttempts, ...node.retry },
    onError: node.onError ?? (place.hasErrorEdge ? 'branch' : 'fail'),
    defaultOutput,
    join,
    forEach,
    stateUpdates,
    disabled,
    mock,
    out: place.out,
    in: place.in,
  };
}
