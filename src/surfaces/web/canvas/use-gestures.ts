/** Handlers of React Flow's pointer events: they edit the document and send presence. */
import { useReactFlow, type Connection } from '@xyflow/react';
import { useMemo } from 'react';
import type { Actions } from './actions.ts';
import type { FlowNode } from './binding.ts';
import type { AddAnchor, Dialog } from './context.ts';
import { move, reconnect } from './gestures.ts';
import { findNodeAt } from './overview.tsx';
import type { CanvasConnection } from './canvas-connection.ts';

interface Selected {
  readonly nodes: readonly { readonly id: string; readonly type?: string }[];
  readonly edges: readonly { readonly id: string }[];
}

export interface GestureContext {
  readonly connection: CanvasConnection;
  readonly actions: Actions;
  readonly isOverview: boolean;
  readonly openNode: (id: string | null) => void;
  /** The selection has changed. */
  readonly onSelect: (selected: Selected) => void;
  readonly openAdd: (anchor: AddAnchor) => void;
  readonly show: (dialog: Dialog) => void;
}

export function useGestures(context: GestureContext) {
  const { connection, actions, isOverview, openNode, onSelect, openAdd, show } = context;
  const flow = useReactFlow();
  return useMemo(() => {
    const moves = (nodes: readonly { id: string; position: { x: number; y: number } }[]) =>
      nodes.map(({ id, position }) => ({ nodeId: id, position }));
    const drop = (nodes: readonly FlowNode[]): void => {
      const places = new Map(nodes.map(({ id, position }) => [id, position]));
      connection.edit(move(connection.view, places), {
        label: nodes.length === 1 ? 'move a node' : `move ${nodes.length} nodes`,
      });
    };
    return {
      onNodeDrag: (_: unknown, __: unknown, nodes: never[]) => connection.presence.drag(moves(nodes)),
      onNodeDragStop: (_: unknown, __: unknown, nodes: never[]) => drop(nodes),
      onSelectionDragStop: (_: unknown, nodes: never[]) => drop(nodes),
      onConnect: ({ source, sourceHandle, target }: Connection) =>
        actions.connect(source, sourceHandle ?? 'default', target),
      onReconnect: ({ id }: { id: string }, { source, sourceHandle, target }: Connection) => {
        const link = { source, handle: sourceHandle ?? 'default', target };
        connection.edit(reconnect(connection.view, id, link), { label: 'reconnect' });
      },
      onConnectEnd: (
        event: MouseEvent | TouchEvent,
        state: {
          isValid: boolean | null;
          toNode?: unknown;
          fromNode?: { id: string } | null;
          fromHandle?: { id?: string | null; type: string } | null;
        },
      ) => {
        const { fromNode, fromHandle } = state;
        if (state.toNode || !fromNode || fromHandle?.type !== 'source') return;
        const at = 'changedTouches' in event ? event.changedTouches[0] : event;
        if (at === undefined) return;
        const screen = { x: at.clientX, y: at.clientY };
        const place = flow.screenToFlowPosition(screen);
        openAdd({
          screen,
          flow: { x: place.x, y: place.y - 32 },
          origin: { from: 'handle', source: fromNode.id, handle: fromHandle.id ?? 'default' },
        });
      },
      onNodeDoubleClick: (_: unknown, { id, type }: { id: string; type?: string }) => {
        if (type === 'kind') openNode(id);
      },
      onNodeClick: (event: React.MouseEvent, { id, type }: { id: string; type?: string }) => {
        if (type === 'kind' && !event.shiftKey && !event.metaKey && !event.ctrlKey) openNode(id);
      },
      onNodeContextMenu: (event: React.MouseEvent, { id, type }: { id: string; type?: string }) => {
        if (type !== 'kind') return;
        event.preventDefault();
        actions.select([id]);
        show({ kind: 'menu', at: { x: event.clientX, y: event.clientY } });
      },
      onPaneClick: ({ clientX: x, clientY: y }: React.MouseEvent) => {
        const nodes = flow.getNodes() as unknown as FlowNode[];
        openNode(isOverview ? (findNodeAt(nodes, flow.screenToFlowPosition({ x, y }))?.id ?? null) : null);
      },
      onSelectionChange: ({ nodes, edges }: Selected) => {
        onSelect({ nodes, edges });
        const ids = nodes.map(({ id }) => id).filter((id) => /^[A-Za-z]/.test(id) && !id.includes(':'));
        connection.presence.select(
          ids,
          edges.map(({ id }) => id),
        );
      },
    };
  }, [connection, actions, isOverview, openNode, onSelect, openAdd, show, flow]) as object;
}
