/** Keeps React Flow's store as the document is: one write for each frame in which something has changed. */
import { useStoreApi, type Edge, type Node } from '@xyflow/react';
import { useEffect } from 'react';
import { ownValue } from '../../../language/graph/values/value.ts';
import { findElement, type CanvasDocument } from '../../../features/canvas/room/document.ts';
import { Binding, type FlowEdge, type FlowNode } from './binding.ts';
import type { CanvasConnection } from './canvas-connection.ts';

export function useBinding(connection: CanvasConnection, isOverview: boolean): void {
  const store = useStoreApi();
  useEffect(() => {
    const binding = new Binding();
    let before: CanvasDocument | null = null;
    /** New ids of nodes that are shown by their old ones: a node stays selected. */
    const renamed = new Map<string, string>();
    const write = (): void => {
      const { nodes, edges, setNodes, setEdges } = store.getState();
      const shown = nodes as unknown as FlowNode[];
      const now = { nodes: rename(shown, renamed), edges: edges as unknown as FlowEdge[] };
      if (before !== null && before !== connection.view) endDrags(connection, before);
      before = connection.view;
      const next = binding.next(connection.view, now, { drags: connection.collaborators.drags, isOverview });
      renamed.clear();
      if (!isSame(next.nodes, shown)) setNodes(next.nodes as unknown as Node[]);
      if (!isSame(next.edges, now.edges)) setEdges(next.edges as unknown as Edge[]);
    };
    write();
    const stops = [
      connection.subscribe(write),
      connection.collaborators.onDrags(write),
      connection.onRename(({ nodeId, newId }) => void renamed.set(nodeId, newId)),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }, [connection, store, isOverview]);
}

function rename(nodes: FlowNode[], newIds: ReadonlyMap<string, string>): FlowNode[] {
  if (newIds.size === 0) return nodes;
  return nodes.map((node) => {
    const id = newIds.get(node.id);
    return id === undefined ? node : { ...node, id };
  });
}

const isSame = <T>(a: readonly T[], b: readonly T[]): boolean =>
  a === b || (a.length === b.length && a.every((entry, index) => entry === b[index]));

/** The durable move has come: what was shown of the drag until now is over. */
function endDrags(connection: CanvasConnection, before: CanvasDocument): void {
  const moved = [...connection.collaborators.drags.keys()].filter((id) => {
    const [was, is] = [findElement(before.nodes, id), findElement(connection.view.nodes, id)];
    return ownValue(was ?? null, 'position') !== ownValue(is ?? null, 'position');
  });
  connection.collaborators.dropped(moved);
}
