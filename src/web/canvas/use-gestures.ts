/** What React Flow reports of the pointer, turned into edits and presence. */
import { useReactFlow, type Connection } from '@xyflow/react';
import { useMemo } from 'react';
import type { Actions } from './actions.ts';
import type { FlowNode } from './binding.ts';
import type { AddAnchor, Dialog } from './context.ts';
import { move, reconnect } from './gestures.ts';
import { nodeAt } from './overview.tsx';
import type { Room } from './room.ts';

export interface GestureContext {
  readonly room: Room;
  readonly actions: Actions;
  readonly isOverview: boolean;
  readonly openNode: (id: string | null) => void;
  readonly openAdd: (anchor: AddAnchor) => void;
  readonly show: (dialog: Dialog) => void;
}

export function useGestures({ room, actions, isOverview, openNode, openAdd, show }: GestureContext) {
  const flow = useReactFlow();
  return useMemo(() => {
    const moves = (nodes: readonly { id: string; position: { x: number; y: number } }[]) =>
      nodes.map(({ id, position }) => ({ nodeId: id, position }));
    const drop = (nodes: readonly FlowNode[]): void => {
      const places = new Map(nodes.map(({ id, position }) => [id, position]));
      room.edit(move(room.view, places), {
        label: nodes.length === 1 ? 'move a node' : `move ${nodes.length} nodes`,
      });
    };
    return {
      onNodeDrag: (_: unknown, __: unknown, nodes: never[]) => room.presence.drag(moves(nodes)),
      onNodeDragStop: (_: unknown, __: unknown, nodes: never[]) => drop(nodes),
      onSelectionDragStop: (_: unknown, nodes: never[]) => drop(nodes),
      onConnect: ({ source, sourceHandle, target }: Connection) =>
        actions.connect(source, sourceHandle ?? 'default', target),
      onReconnect: ({ id }: { id: string }, { source, sourceHandle, target }: Connection) => {
        const link = { source, handle: sourceHandle ?? 'default', target };
        room.edit(reconnect(room.view, id, link), { label: 'reconnect' });
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
        openNode(isOverview ? (nodeAt(nodes, flow.screenToFlowPosition({ x, y }))?.id ?? null) : null);
      },
      onSelectionChange: ({ nodes, edges }: { nodes: { id: string }[]; edges: { id: string }[] }) => {
        const ids = nodes.map(({ id }) => id).filter((id) => /^[A-Za-z]/.test(id) && !id.includes(':'));
        room.presence.select(
          ids,
          edges.map(({ id }) => id),
        );
      },
    };
  }, [room, actions, isOverview, openNode, openAdd, show, flow]) as object;
}
