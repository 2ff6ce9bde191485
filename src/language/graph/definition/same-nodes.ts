/**
 * Compares the nodes of two definitions for a rerun: a node is unchanged if it does the same work on the same input. Names,
 * canvas positions, retries and timeouts do not count.
 */
import { END_INDEX, START_INDEX } from './definition.ts';
import { resolveHandle } from './handles.ts';
import type { KindRules, Plan, PlanEdge, PlanNode } from '../schedule/plan.ts';
import { listRoots, WHOLE_STATE } from '../template/roots.ts';
import { sameJson, type JsonObject } from '../values/value.ts';

/** The plans of an earlier and a later definition. */
interface PlanPair {
  readonly before: Plan;
  readonly after: Plan;
}

/** Finds the nodes of the later definition, by index, that differ themselves or in their in-edges or fields. */
export function findDifferentNodes({ before, after }: PlanPair, kinds: KindRules): Set<number> {
  const earlier = new Map(before.nodes.map((node) => [node.id, node]));
  const [waysBefore, waysAfter] = [describeInEdges(before), describeInEdges(after)];
  const fields = new FieldPair(before, after);
  const different = new Set<number>();
  for (const node of after.nodes) {
    const then = earlier.get(node.id);
    const isSame =
      then !== undefined &&
      sameJson(describeWork(then), describeWork(node)) &&
      sameJson(waysBefore.get(then.index) ?? [], waysAfter.get(node.index) ?? []) &&
      fields.areSame(listFields(then, before, kinds), listFields(node, after, kinds));
    if (!isSame) different.add(node.index);
  }
  return different;
}

/** Everything that decides the work of a node, except the state fields that it reads. */
function describeWork(node: PlanNode): JsonObject {
  const { type, config, onError, defaultOutput, join, forEach, stateUpdates, disabled, mock } = node;
  const work = { type, config, onError, defaultOutput, join, forEach, stateUpdates, disabled };
  return { ...(work as unknown as JsonObject), mock: mock === undefined ? [] : [mock] };
}

/** Lists the state fields that a node reads or writes; null: the whole state. */
function listFields(node: PlanNode, plan: Plan, kinds: KindRules): readonly string[] | null {
  const read = listRoots(node, plan, kinds);
  return read.includes(WHOLE_STATE) ? null : [...read, ...Object.keys(node.stateUpdates)];
}

/** Compares the state fields of both definitions, each field once. */
class FieldPair {
  readonly #before: Plan['fields'];
  readonly #after: Plan['fields'];
  readonly #isSame = new Map<string, boolean>();
  #isWholeSame: boolean | null = null;
  readonly #all: { readonly before: readonly string[]; readonly after: readonly string[] };

  constructor(before: Plan, after: Plan) {
    this.#before = before.fields;
    this.#after = after.fields;
    this.#all = { before: Object.keys(before.fields), after: Object.keys(after.fields) };
  }

  /** True when two nodes see the same fields. @param before names, null: all fields @param after as `before` */
  areSame(before: readonly string[] | null, after: readonly string[] | null): boolean {
    if (before === null && after === null) return this.#areAllSame();
    const seenBefore = before?.filter((name) => Object.hasOwn(this.#before, name)) ?? this.#all.before;
    const seenAfter = after?.filter((name) => Object.hasOwn(this.#after, name)) ?? this.#all.after;
    return (
      seenBefore.length === seenAfter.length &&
      seenBefore.every((name, index) => name === seenAfter[index] && this.#isFieldSame(name))
    );
  }

  #areAllSame(): boolean {
    const { before, after } = this.#all;
    this.#isWholeSame ??=
      sameJson([...before], [...after]) && before.every((name) => this.#isFieldSame(name));
    return this.#isWholeSame;
  }

  #isFieldSame(name: string): boolean {
    const known = this.#isSame.get(name);
    if (known !== undefined) return known;
    const [then, now] = [this.#before[name], this.#after[name]];
    const isSame = then?.reducer === now?.reducer && sameJson(then?.default ?? null, now?.default ?? null);
    this.#isSame.set(name, isSame);
    return isSame;
  }
}

/** Describes the edges into each node, by index, in a canonical order. */
function describeInEdges(plan: Plan): ReadonlyMap<number, string[]> {
  const ways = new Map<number, string[]>();
  for (const edge of plan.edges) {
    const way = `${formatEnd(edge.source, plan)} ${edge.handle} ${JSON.stringify(edge.when)}`;
    const others = ways.get(edge.target);
    if (others === undefined) ways.set(edge.target, [way]);
    else others.push(way);
  }
  return new Map([...ways].map(([node, into]) => [node, into.toSorted()]));
}

const formatEnd = (node: number, plan: Plan): string =>
  node === START_INDEX ? '<' : node === END_INDEX ? '>' : (plan.nodes[node]?.id ?? '');

/** The out-edges that an execution took in the earlier definition. */
interface PastChoice {
  readonly nodeId: string;
  /** Positions among the out-edges of the node. */
  readonly taken: readonly number[];
  readonly handle: string;
}

/** Translates the out-edges that executions took in the earlier definition to those of the later one. */
export class ChoiceTranslator {
  readonly #pair: PlanPair;
  readonly #before: ReadonlyMap<string, PlanNode>;
  readonly #after: ReadonlyMap<string, PlanNode>;

  constructor(pair: PlanPair) {
    this.#pair = pair;
    this.#before = new Map(pair.before.nodes.map((node) => [node.id, node]));
    this.#after = new Map(pair.after.nodes.map((node) => [node.id, node]));
  }

  /** @returns positions among the out-edges; null when a condition decides that the earlier definition did not have */
  translate({ nodeId, taken, handle }: PastChoice): number[] | null {
    const { before, after } = this.#pair;
    const node = this.#after.get(nodeId);
    const then = this.#before.get(nodeId);
    if (node === undefined || then === undefined) return null;
    const wanted = resolveHandle(node, after.edges, handle);
    const formatEdge = (edge: PlanEdge, plan: Plan): string =>
      `${formatEnd(edge.target, plan)} ${edge.handle} ${JSON.stringify(edge.when)}`;
    const positions = new Set(taken);
    const wasTaken = new Map<string, boolean>();
    then.out.forEach((index, position) => {
      const edge = before.edges[index];
      if (edge !== undefined) wasTaken.set(formatEdge(edge, before), positions.has(position));
    });
    const wantedThen = resolveHandle(then, before.edges, handle);
    const now: number[] = [];
    for (const [position, index] of node.out.entries()) {
      const edge = after.edges[index];
      if (edge === undefined || edge.handle !== wanted) continue;
      if (edge.when !== null) {
        const held = wanted === wantedThen ? wasTaken.get(formatEdge(edge, after)) : undefined;
        if (held === undefined) return null;
        if (!held) continue;
      }
      now.push(position);
    }
    return now;
  }
}
