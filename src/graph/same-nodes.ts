/**
 * Which nodes of a definition are as they were in an earlier one: the same work on the same input. Names, places on the
 * canvas and patience (retries, timeouts) do not count.
 */
import { END_INDEX, START_INDEX } from './definition.ts';
import { handleTaken } from './handles.ts';
import type { KindRules, Plan, PlanEdge, PlanNode } from './plan.ts';
import { roots, WHOLE_STATE } from './roots.ts';
import { sameJson, type Json, type JsonObject } from './value.ts';

/** A definition then and now. */
export interface PlanPair {
  readonly before: Plan;
  readonly after: Plan;
}

/** Nodes of the later definition, by index, that differ themselves or in what leads to them. */
export function differentNodes({ before, after }: PlanPair, kinds: KindRules): Set<number> {
  const earlier = new Map(before.nodes.map((node) => [node.id, node]));
  const different = new Set<number>();
  for (const node of after.nodes) {
    const then = earlier.get(node.id);
    const isSame =
      then !== undefined &&
      sameJson(workOf(then, before, kinds), workOf(node, after, kinds)) &&
      sameJson(waysInto(then, before), waysInto(node, after));
    if (!isSame) different.add(node.index);
  }
  return different;
}

/** All that decides what a node does, as JSON. */
function workOf(node: PlanNode, plan: Plan, kinds: KindRules): JsonObject {
  const { type, config, onError, defaultOutput, join, forEach, stateUpdates, disabled, mock } = node;
  const read = roots(node, plan, kinds);
  const names = read.includes(WHOLE_STATE)
    ? Object.keys(plan.fields)
    : [...read, ...Object.keys(stateUpdates)];
  const fields = names.flatMap((name) => {
    const field = Object.hasOwn(plan.fields, name) ? plan.fields[name] : undefined;
    return field === undefined ? [] : [[name, field.reducer, field.default ?? null]];
  });
  const work = { type, config, onError, defaultOutput, join, forEach, stateUpdates, disabled, fields };
  return { ...(work as unknown as JsonObject), mock: mock === undefined ? [] : [mock] };
}

/** The edges into a node, without regard to their order. */
function waysInto(node: PlanNode, plan: Plan): Json {
  return plan.edges
    .filter((edge) => edge.target === node.index)
    .map((edge) => `${idOf(edge.source, plan)} ${edge.handle} ${JSON.stringify(edge.when)}`)
    .toSorted();
}

const idOf = (node: number, plan: Plan): string =>
  node === START_INDEX ? '<' : node === END_INDEX ? '>' : (plan.nodes[node]?.id ?? '');

/** An execution of a node in the earlier definition. */
export interface TakenThen {
  readonly nodeId: string;
  /** Positions among the out-edges of the node. */
  readonly taken: readonly number[];
  readonly handle: string;
}

/**
 * Which out-edges an execution takes in the later definition, by what it took in the earlier one.
 * @returns positions among them; null when a condition decides that was not there then
 */
export function takenNow({ before, after }: PlanPair, { nodeId, taken, handle }: TakenThen): number[] | null {
  const node = after.nodes.find(({ id }) => id === nodeId);
  const then = before.nodes.find(({ id }) => id === nodeId);
  if (node === undefined || then === undefined) return null;
  const wanted = handleTaken(node, after.edges, handle);
  const keyOf = (edge: PlanEdge, plan: Plan): string =>
    `${idOf(edge.target, plan)} ${edge.handle} ${JSON.stringify(edge.when)}`;
  const wasTaken = new Map<string, boolean>();
  then.out.forEach((index, position) => {
    const edge = before.edges[index];
    if (edge !== undefined) wasTaken.set(keyOf(edge, before), taken.includes(position));
  });
  const wantedThen = handleTaken(then, before.edges, handle);
  const now: number[] = [];
  for (const [position, index] of node.out.entries()) {
    const edge = after.edges[index];
    if (edge === undefined || edge.handle !== wanted) continue;
    if (edge.when !== null) {
      const held = wanted === wantedThen ? wasTaken.get(keyOf(edge, after)) : undefined;
      if (held === undefined) return null;
      if (!held) continue;
    }
    now.push(position);
  }
  return now;
}
