/** Decisions of people about a run that failed with an unknown outcome: the outputs of nodes that have happened, and the requests to send. */
import type { Skeleton } from '../../../language/graph/definition/skeleton.ts';
import { findReachable } from '../../../language/graph/schedule/rewalk.ts';
import type { Plan } from '../../../language/graph/schedule/plan.ts';
import type { JsonObject } from '../../../language/graph/values/value.ts';
import type { SettledOutcome } from '../ledger/questions/settled-outcomes.ts';
import { nameNodes, NotReusable } from './not-reusable.ts';

interface Settled {
  readonly after: Pick<Plan, 'nodes'>;
  readonly settled: readonly SettledOutcome[];
}

function isInLoop(graph: Skeleton, node: number): boolean {
  const targets = (graph.nodes[node]?.out ?? []).map((edge) => graph.edges[edge]?.[1] ?? -1);
  return findReachable(
    graph,
    targets.filter((target) => target >= 0),
  ).has(node);
}

/** Lists the steps whose request a rerun sends because a person has said that it had no effect, and no rerun has sent since. */
export const listRequestsToSend = ({ after, settled }: Settled): string[] => {
  const sending = after.nodes.filter(({ disabled, mock }) => !disabled && mock === undefined);
  const ids = new Set(sending.map(({ id }) => id));
  return settled.flatMap(({ action, isUsed, nodeId, stepId }) =>
    action === 'send' && !isUsed && ids.has(nodeId) ? [stepId] : [],
  );
};

/**
 * Lists the outputs that a rerun of everything takes, by node id. A node of a loop is left out: an output would be that of all its visits,
 * and its earlier ones run again, too.
 */
export const listOutputsOfAll = ({ after, settled }: Settled, graph: Skeleton): JsonObject => {
  const indexes = new Map(after.nodes.map(({ id, index }) => [id, index]));
  const happened = settled.filter(({ action, nodeId }) => {
    const node = indexes.get(nodeId);
    return action === 'happened' && node !== undefined && !isInLoop(graph, node);
  });
  return Object.fromEntries(happened.map(({ nodeId, output }) => [nodeId, output]));
};

/**
 * Lists the outputs that a rerun takes, by node id.
 * @param from the node that the caller names: it and the nodes after it run again, whatever was said
 * @throws NotReusable for a node of a loop, whose later visits would have the same output
 */
export function listSettledOutputs(
  { after, settled }: Settled,
  { graph, from }: { readonly graph: Skeleton; readonly from: string | null },
): JsonObject {
  const indexes = new Map(after.nodes.map(({ id, index }) => [id, index]));
  const again = findReachable(graph, from === null ? [] : [indexes.get(from) ?? -1]);
  const happened = settled.filter(({ action, nodeId }) => {
    const node = indexes.get(nodeId);
    return action === 'happened' && node !== undefined && !again.has(node);
  });
  const looped = happened.filter(({ nodeId }) => isInLoop(graph, indexes.get(nodeId) ?? -1));
  if (looped.length > 0)
    throw new NotReusable(
      'These nodes have happened in a loop, and their later visits would have the same output; rerun from another node',
      nameNodes(
        after,
        looped.map(({ nodeId }) => nodeId),
      ),
    );
  return Object.fromEntries(happened.map(({ nodeId, output }) => [nodeId, output]));
}
