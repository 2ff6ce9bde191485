/** Checks of the graph as a whole: nodes nothing leads to, cycles that cannot end, loops too large to plan. */
import { addProblem, type Examined } from './examined.ts';
import { depthFirst, findLoops, outEdges } from './loops.ts';
import type { Link, NodePolicy } from './plan.ts';
import { quote } from './reader.ts';

/** Checks reachability and cycles over the edges by node index, implicit ones included. */
export function checkFlow(
  examined: Examined,
  links: readonly Link[],
  policies: readonly (NodePolicy | null)[],
): void {
  const { nodes } = examined.read;
  const entries = links.filter((link) => link.source < 0 && link.target >= 0).map((link) => link.target);
  const { entered } = depthFirst(outEdges(nodes.length, links), links, entries);
  nodes.forEach((node, index) => {
    if (entered[index] !== -1) return;
    const message = `Node ${quote(node.id)} cannot be reached from the start`;
    addProblem(examined, {
      code: 'unreachable_node',
      message,
      path: ['nodes', node.position],
      nodeId: node.id,
    });
  });
  checkCycles(examined, links, policies);
  if (findLoops(nodes.length, links) === null) {
    const message = 'The loops of the graph overlap too much: they hold too many nodes and edges together';
    addProblem(examined, { code: 'loops_too_large', message, path: ['edges'] });
  }
}

/**
 * A cycle can end when one of its edges may be left untaken: it has a `when`, a handle other than `default`, or a
 * source that selects handles. So the edges that are always taken must not form a cycle.
 */
function checkCycles(
  examined: Examined,
  links: readonly Link[],
  policies: readonly (NodePolicy | null)[],
): void {
  const { nodes } = examined.read;
  const always = links.filter(
    ({ when, handle, source }) =>
      when === null && handle === 'default' && (policies[source]?.handles ?? []).length === 0,
  );
  const everyNode = nodes.map((_, index) => index);
  const { backEdges } = depthFirst(outEdges(nodes.length, always), always, everyNode);
  for (const index of backEdges) {
    const link = always[index];
    const source = nodes[link?.source ?? -1];
    const target = nodes[link?.target ?? -1];
    if (link === undefined || source === undefined || target === undefined) continue;
    const message = `Edge ${quote(link.id)} from ${quote(source.id)} back to ${quote(target.id)} closes a cycle without a conditional or "when" exit`;
    addProblem(examined, { code: 'endless_cycle', message, path: ['edges'], nodeId: source.id });
  }
}
