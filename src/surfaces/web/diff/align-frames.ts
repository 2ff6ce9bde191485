/** Lays out two graphs so that a node has the same place in both: what is seen of one is seen of the other. */
import type { Box } from '../canvas/geometry.ts';
import { freePlace } from '../canvas/geometry.ts';
import type { FlowNode, Frame } from '../canvas/binding.ts';

const toBox = ({ position, width, height }: FlowNode): Box => ({ ...position, width, height });

/** Lists the nodes of a graph that the other one does not have. */
const findOnly = (nodes: readonly FlowNode[], others: readonly FlowNode[]): FlowNode[] => {
  const ids = new Set(others.map(({ id }) => id));
  return nodes.filter(({ id, type }) => type === 'kind' && !ids.has(id));
};

/** Gives shared nodes the places of the second graph, and each graph an empty place for a node that only the other one has. */
export function alignFrames(first: Frame, second: Frame): readonly [Frame, Frame] {
  const places = new Map(second.nodes.map(({ id, position }) => [id, position]));
  const taken = second.nodes.filter(({ type }) => type !== 'note').map(toBox);
  const placed = first.nodes.map((node) => {
    const shared = places.get(node.id);
    if (shared !== undefined) return { ...node, position: shared };
    if (node.type === 'note') return node;
    const position = freePlace(toBox(node), taken);
    taken.push({ ...toBox(node), ...position });
    return { ...node, position };
  });
  return [
    { nodes: [...placed, ...findOnly(second.nodes, placed)], edges: first.edges },
    { nodes: [...second.nodes, ...findOnly(placed, second.nodes)], edges: second.edges },
  ];
}

/** Finds the smallest box around nodes; null without any. */
export function findBounds(nodes: readonly FlowNode[]): Box | null {
  if (nodes.length === 0) return null;
  const [x, y] = [
    Math.min(...nodes.map(({ position }) => position.x)),
    Math.min(...nodes.map(({ position }) => position.y)),
  ];
  const right = Math.max(...nodes.map(({ position, width }) => position.x + width));
  const bottom = Math.max(...nodes.map(({ position, height }) => position.y + height));
  return { x, y, width: right - x, height: bottom - y };
}
