/** Checks of the graph as a whole: unreachable nodes, cycles that cannot end, loops that are too large to compile. */
import { addProblem, type CheckContext } from './examined.ts';
import { searchDepthFirst, findLoops, listOutEdges } from '../schedule/loops.ts';
import type { Link, NodePolicy } from '../schedule/plan.ts';
import { quote } from '../definition/reader.ts';

/** Reports unreachable nodes and bad cycles. @param links edges by node index, implicit ones included */
export function checkFlow(
  examined: CheckContext,
  links: readonly Link[],
  policies: readonly (NodePolicy | null)[],
): void {
  const { nodes } = examined.read;
  const entries = links.filter((link) => link.source < 0 && link.target >= 0).map((link) => link.target);
  const { entered } = searchDepthFirst(listOutEdges(nodes.length, links), links, entries);
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
    const message = 'The loops of the graph overlap too much';
    addProblem(examined, { code: 'loops_too_large', message, path: ['edges'] });
  }
}

/**
 * A cycle can end if one of its edges is conditional: it has a `when`, a handle other than `default`, or a source that
 * selects handles. So the unconditional edges must not form a cycle.
 */
function checkCycles(
  examined: CheckContext,
  links: readonly Link[],
  policies: readonly (NodePolicy | null)[],
): void {
  const { nodes } = examined.read;
  const always = links.filter(
    ({ when, handle, source }) =>
      when === null && handle === 'default' && (policies[source]?.handles ?? []).length === 0,
  );
  const everyNode = nodes.map((_, index) => index);
  const { backEdges } = searchDepthFirst(listOutEdges(nodes.length, always), always, everyNode);
  for (const index of backEdges) {
    const link = always[index];
    const source = nodes[link?.source ?? -1];
    const target = nodes[link?.target ?? -1];
    if (link === undefined || source === undefined || target === undefined) continue;
    const message = `Edge ${quote(link.id)} from ${quote(source.id)} back to ${quote(target.id)} closes a cycle without a conditional or "when" exit`;
    addProblem(examined, { code: 'endless_cycle', message, path: ['edges'], nodeId: source.id });
  }
}
