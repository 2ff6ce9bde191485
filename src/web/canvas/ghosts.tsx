/** A proposed change drawn over the canvas: ghosts of nodes and edges that would come, marks on those that would change or go. */
import { useReactFlow, ViewportPortal } from '@xyflow/react';
import { ownValue, type JsonObject } from '../../graph/value.ts';
import { indexElements } from '../../graph/diff.ts';
import { readPoint, readText } from './binding.ts';
import { measureHeight, NODE_WIDTH, type Box } from './geometry.ts';
import { listHandles, findKindStyle } from './kinds.ts';
import { useComparison } from './proposal-panel.tsx';
import type { Proposal } from './proposal.ts';

/** The middle of a node's head, where its edges begin and end. */
const MIDDLE = 32;

export function Ghosts({ proposal }: { readonly proposal: Proposal }) {
  const flow = useReactFlow();
  const { changes, merged, current } = useComparison(proposal);
  const now = indexElements(current, 'nodes');
  const next = indexElements(merged, 'nodes');
  const edges = indexElements(merged, 'edges');
  // A node of the canvas may have no position of its own, or be dragged right now.
  const toBox = (id: string): Box | null => {
    const shown = flow.getNode(id);
    const node = next.get(id);
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
          const line = what === 'edge' && how !== 'removed' ? path(edges.get(id)) : null;
          return line === null ? null : <path key={key} d={line} />;
        })}
      </svg>
      {changes.map(({ what, how, id, key }) => {
        const node = next.get(id) ?? now.get(id);
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
