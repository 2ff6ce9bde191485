/** The surface: React Flow with the document bound to it, gestures, keys, and what floats above. */
import {
  Background,
  BackgroundVariant,
  ReactFlow,
  useReactFlow,
  useStoreApi,
  type Connection,
} from '@xyflow/react';
import { VisuallyHidden } from '@mantine/core';
import { lazy, Suspense, useCallback, useEffect, useMemo, useState, type ReactNode } from 'react';
import { words } from '../words.ts';
import { Panel, type PanelTab } from '../panel/panel.tsx';
import { Actions } from './actions.ts';
import { AddMenu } from './add-menu.tsx';
import type { FlowNode } from './binding.ts';
import type { CommandId } from './commands.ts';
import { EditingContext, type AddAnchor, type Dialog, type Editing } from './context.ts';
import { Dialogs } from './dialogs.tsx';
import { FlowEdgeView } from './edges.tsx';
import { GRID } from './geometry.ts';
import { move, reconnect } from './gestures.ts';
import { Minimap } from './minimap.tsx';
import { EndNode, KindNode, NoteNode } from './nodes.tsx';
import { Notices } from './notices.tsx';
import { nodeAt, Overview, useIsOverview } from './overview.tsx';
import { Cursors } from './overlays.tsx';
import { perform, type Doing } from './perform.ts';
import type { Problems } from './problems.ts';
import type { Room } from './room.ts';
import { showPast } from './past-run.ts';
import { RunClient } from './run-client.ts';
import { Toolbar } from './toolbar.tsx';
import { useBinding } from './use-binding.ts';
import { focusCanvas, focusCanvasIfLost, useKeys } from './use-keys.ts';

const ComposerPanel = lazy(async () => ({
  default: (await import('../chats/composer-panel.tsx')).ComposerPanel,
}));

const NODE_TYPES = { kind: KindNode, end: EndNode, note: NoteNode } as never;
const EDGE_TYPES = { flow: FlowEdgeView } as never;
const SNAP: [number, number] = [GRID, GRID];
const NONE: never[] = [];
/** Of a large graph its middle is shown: all of it at once could not be read, and takes seconds to mount. */
const FIT = { padding: 0.25, minZoom: 0.4, maxZoom: 1 };
const PRO = { hideAttribution: true };

export interface EditorSession {
  token(): Promise<string>;
}

export interface EditorProps {
  readonly workflowId: string;
  readonly organizationId: string;
  readonly session: EditorSession;
  /** Where the realtime server listens, and where the API does; without them both are at the page's own origin. */
  readonly realtimeUrl?: string;
  readonly apiUrl?: string;
  /** The node that the address opens. */
  readonly node?: string;
  /** The past run (run_pk) that the address shows. */
  readonly run?: string;
  /** Whether the Composer is open at first. */
  readonly isComposing?: boolean;
  /** Beside the button that runs it: where else the page leads. */
  readonly links?: ReactNode;
  /** The user opened another node, or none: the address should say so. */
  readonly onNavigate?: (to: { readonly node?: string }) => void;
}

interface SurfaceProps extends EditorProps {
  readonly room: Room;
  readonly problems: Problems;
  readonly client: Editing['client'];
}

export function Surface(props: SurfaceProps) {
  const { room, problems, client, organizationId, node, links, onNavigate } = props;
  const flow = useReactFlow();
  const isOverview = useIsOverview();
  useBinding(room, isOverview);
  const [dialog, setDialog] = useState<Dialog | null>(null);
  const [isComposing, setComposing] = useState(props.isComposing === true);
  const compose = useCallback(() => setComposing((is) => !is), []);
  const [open, setOpen] = useState<string | null>(node ?? null);
  const [tab, setTab] = useState<PanelTab>('node');
  const store = useStoreApi();
  const actions = useMemo(() => new Actions(room, flow, store), [room, flow, store]);
  const runs = useRuns(room, client, props.run);
  const openNode = useCallback(
    (id: string | null) => {
      setOpen(id);
      if (id !== null) setTab('node');
      onNavigate?.(id === null ? {} : { node: id });
    },
    [onNavigate],
  );
  const doing: Doing = useMemo(
    () => ({ room, actions, flow, client, runs, openNode, show: setDialog, compose }),
    [room, actions, flow, client, runs, openNode, compose],
  );
  const run = useCallback((id: CommandId) => perform(id, doing), [doing]);
  const openAdd = useCallback((anchor: AddAnchor) => setDialog({ kind: 'add', anchor }), []);
  const editing = useMemo(
    () => ({ room, problems, client, organizationId, run, openAdd }),
    [room, problems, client, organizationId, run, openAdd],
  );
  useKeys(run, actions);
  // At first, and after a dialog, nothing else has the focus.
  useEffect(focusCanvasIfLost, [dialog]);
  useActivity(room, flow);
  return (
    <EditingContext value={editing}>
      <div className="wc-editor">
        <VisuallyHidden component="h1">{words.canvas.title}</VisuallyHidden>
        <Toolbar links={links} onRun={() => run('run')} onShowRun={() => setTab('run')} />
        <div className="wc-body">
          <Board
            room={room}
            actions={actions}
            isOverview={isOverview}
            openNode={openNode}
            openAdd={openAdd}
            show={setDialog}
          />
          {isComposing && (
            <Suspense>
              <ComposerPanel onClose={compose} />
            </Suspense>
          )}
          <Panel
            open={open}
            tab={tab}
            onTab={setTab}
            onClose={() => openNode(null)}
            runs={runs}
            onOpen={openNode}
          />
        </div>
        {dialog?.kind === 'add' && (
          <AddMenu
            anchor={dialog.anchor}
            onClose={() => setDialog(null)}
            onPick={(type) => {
              actions.add(type, dialog.anchor);
              setDialog(null);
              focusCanvas();
            }}
          />
        )}
        <Dialogs dialog={dialog} doing={doing} />
        <Notices />
      </div>
    </EditingContext>
  );
}

/** Starts and follows the runs of the canvas; begins with the past run that the address names. */
function useRuns(room: Room, client: Editing['client'], runPk: string | undefined): RunClient {
  const runs = useMemo(() => new RunClient(client, room.board), [client, room]);
  useEffect(() => () => runs.dispose(), [runs]);
  useEffect(() => {
    if (runPk === undefined) return;
    showPast({ client, room, runs }, runPk).catch((error: unknown) =>
      room.notify('error', error instanceof Error ? error.message : words.failed),
    );
  }, [client, room, runs, runPk]);
  return runs;
}

interface BoardProps {
  readonly room: Room;
  readonly actions: Actions;
  readonly isOverview: boolean;
  readonly openNode: (id: string | null) => void;
  readonly openAdd: (anchor: AddAnchor) => void;
  readonly show: (dialog: Dialog) => void;
}

function Board(props: BoardProps) {
  const { room } = props;
  const flow = useReactFlow();
  const gestures = useGestures(props);
  return (
    <div
      className="wc-board"
      onPointerMove={({ clientX, clientY }) =>
        room.presence.cursor(flow.screenToFlowPosition({ x: clientX, y: clientY }))
      }
      onPointerLeave={() => room.presence.cursor(null)}
    >
      <ReactFlow
        tabIndex={0}
        aria-label="Canvas"
        defaultNodes={NONE}
        defaultEdges={NONE}
        nodeTypes={NODE_TYPES}
        edgeTypes={EDGE_TYPES}
        onlyRenderVisibleElements
        deleteKeyCode={null}
        disableKeyboardA11y
        // The canvas itself has the focus: that of a node would be lost when the node is deleted or out of sight.
        nodesFocusable={false}
        edgesFocusable={false}
        panOnScroll
        zoomOnDoubleClick={false}
        connectionRadius={28}
        minZoom={0.05}
        maxZoom={2}
        snapToGrid
        snapGrid={SNAP}
        fitView
        fitViewOptions={FIT}
        proOptions={PRO}
        {...gestures}
      >
        <Background variant={BackgroundVariant.Dots} gap={24} size={1.5} />
        {props.isOverview && <Overview />}
        <Minimap />
        <Cursors />
      </ReactFlow>
    </div>
  );
}

function useGestures({ room, actions, isOverview, openNode, openAdd, show }: BoardProps) {
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

const ACTIVITY_MS = 500;

/** Tells the others where this page looks, so that they can follow it, and asks before unsaved edits are left. */
function useActivity(room: Room, flow: ReturnType<typeof useReactFlow>): void {
  useEffect(() => {
    let told = '';
    const timer = window.setInterval(() => {
      const box = document.querySelector('.react-flow')?.getBoundingClientRect();
      if (box === undefined) return;
      const centre = flow.screenToFlowPosition({ x: box.left + box.width / 2, y: box.top + box.height / 2 });
      const state = document.visibilityState === 'hidden' ? ('idle' as const) : ('active' as const);
      const activity = {
        state,
        viewport: { x: Math.round(centre.x), y: Math.round(centre.y), zoom: flow.getZoom() },
      };
      if (JSON.stringify(activity) === told) return;
      told = JSON.stringify(activity);
      room.presence.activity(activity);
    }, ACTIVITY_MS);
    const onLeave = (event: BeforeUnloadEvent): void => {
      if (room.canvas.unsent > 0) event.preventDefault();
    };
    window.addEventListener('beforeunload', onLeave);
    return () => {
      window.clearInterval(timer);
      window.removeEventListener('beforeunload', onLeave);
    };
  }, [room, flow]);
}
