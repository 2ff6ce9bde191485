/** A proposed change drawn over the canvas: ghosts of nodes and edges that would come, marks on those that would change or go. */
import { ViewportPortal } from '@xyflow/react';
import { isObject, ownValue, type Json, type JsonObject } from '../../graph/value.ts';
import { indexById } from '../../graph/diff.ts';
import { pointOf, textOf } from './binding.ts';
import { heightOf, NODE_WIDTH, type Box } from './geometry.ts';
import { handlesOf, lookOf } from './kinds.ts';
import { useComparison } from './proposal-panel.tsx';
import type { Proposal } from './proposal.ts';

/** The middle of a node's head, where its edges begin and end. */
const MIDDLE = 32;

const toBox = (node: JsonObject | undefined): Box | null => {
  const at = node === undefined ? null : pointOf(ownValue(node, 'position'));
  return node === undefined || at === null
    ? null
    : { ...at, width: NODE_WIDTH, height: heightOf(handlesOf(node, [])) };
};

export function Ghosts({ proposal }: { readonly proposal: Proposal }) {
  const { changes, merged, current } = useComparison(proposal);
  const listed = (definition: JsonObject, list: 'nodes' | 'edges'): ReadonlyMap<string, JsonObject> =>
    indexById(ownValue(definition, list)) ?? new Map<string, JsonObject>();
  const [now, next, edges] = [listed(current, 'nodes'), listed(merged, 'nodes'), listed(merged, 'edges')];
  const path = (edge: JsonObject | undefined): string | null => {
    const end = (key: string): Json | undefined => (edge === undefined ? undefined : ownValue(edge, key));
    const [source, target] = [toBox(next.get(String(end('source')))), toBox(next.get(String(end('target'))))];
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
        const node = what !== 'node' ? undefined : how === 'removed' ? now.get(id) : next.get(id);
        const box = toBox(how === 'added' ? node : (now.get(id) ?? node));
        if (!isObject(node) || box === null) return null;
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
                <b>{textOf(node, 'name') || id}</b>
                <span>{lookOf(textOf(node, 'type')).label}</span>
              </>
            )}
          </div>
        );
      })}
    </ViewportPortal>
  );
}
