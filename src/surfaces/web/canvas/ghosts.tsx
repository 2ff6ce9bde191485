/** Draws a proposal over the canvas: ghosts of added nodes and edges, marks on changed and removed ones. */
import { useReactFlow, ViewportPortal } from '@xyflow/react';
import { ownValue, type JsonObject } from '../../../language/graph/values/value.ts';
import { indexElements } from '../../../language/graph/definition/diff.ts';
import { readPoint, readText } from './binding.ts';
import { handleTop, measureHeight, NODE_WIDTH, type Box } from './geometry.ts';
import { listHandles, findKindStyle } from './kinds.ts';
import { useComparison } from './proposal-panel.tsx';
import type { Proposal } from './proposal.ts';

/** Where edges enter a node, and leave one with a single handle. */
const MIDDLE = handleTop([], 0);

export function Ghosts({ proposal }: { readonly proposal: Proposal }) {
  const flow = useReactFlow();
  const { changes, merged, current } = useComparison(proposal);
  const nodesNow = indexElements(current, 'nodes');
  const nodesThen = indexElements(merged, 'nodes');
  const edgesThen = indexElements(merged, 'edges');
  // React Flow has the place of a node that has no position of its own, or that is being dragged.
  const toBox = (id: string): Box | null => {
    const shown = flow.getNode(id);
    const node = nodesThen.get(id);
    const at = shown?.position ?? (node === undefined ? null : readPoint(ownValue(node, 'position')));
    const height = shown?.height ?? measureHeight(node === undefined ? [] : listHandles(node, []));
    return at === null ? null : { x: at.x, y: at.y, width: NODE_WIDTH, height };
  };
  const path = (edge: JsonObject | undefined): string | null => {
    const end = (key: string): string => (edge === undefined ? '' : readText(edge, key));
    const [source, target] = [toBox(end('source')), toBox(end('target'))];
    if (source === null || target === null) return null;
    const [x, y] = [source.x + source.width, source.y + MIDDLE];
    return `M${x},${y} C${x + 60},${y} ${target.x - 60},${target.y + MIDDLE} ${target.x},${target.y + MIDDLE}`;
  };
  return (
    <ViewportPortal>
      <svg className="wc-ghost-edges" aria-hidden>
        {changes.map(({ what, how, id, key }) => {
          const line = what === 'edge' && how !== 'removed' ? path(edgesThen.get(id)) : null;
          return line === null ? null : <path key={key} d={line} />;
        })}
      </svg>
      {changes.map(({ what, how, id, key }) => {
        const node = nodesThen.get(id) ?? nodesNow.get(id);
        const box = what === 'node' ? toBox(id) : null;
        if (node === undefined || box === null) return null;
        const { x, y, width, height } = box;
        return (
          <div
            key={key}
            className={`wc-ghost wc-ghost-${how}`}
            data-ghost={id}
            style={{ transform: `translate(${x}px,${y}px)`, width, height }}
          >
            {how === 'added' && (
              <>
                <b>{readText(node, 'name') || id}</b>
                <span>{findKindStyle(readText(node, 'type')).label}</span>
              </>
            )}
          </div>
        );
      })}
    </ViewportPortal>
  );
}
