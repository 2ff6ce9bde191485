/** The editor's surface: React Flow bound to the document, with gestures, keys, panels and dialogs. */
import { Background, BackgroundVariant, ReactFlow, useReactFlow, useStoreApi } from '@xyflow/react';
import { lazy, Suspense, useCallback, useEffect, useMemo, useState, type ReactNode } from 'react';
import type { UndoStack } from '../../../features/canvas/client/undo-stack.ts';
import type { JsonObject } from '../../../language/graph/values/value.ts';
import { describeError } from '../kit/describe-error.ts';
import { proposalWords } from '../words-proposal.ts';
import { Panel, type PanelTab } from '../panel/panel.tsx';
import { useSettingsPanel } from '../panel/use-settings-panel.ts';
import { Actions } from './actions.ts';
import { AddMenu } from './add-menu.tsx';
import type { CommandId } from './commands.ts';
import { EditingContext, type AddAnchor, type Dialog, type Editing } from './context.ts';
import type { Dialogs as DialogsOfCanvas } from './dialogs.tsx';
import { FlowEdgeView } from './edges.tsx';
import { GroupFrames } from './group-frames.tsx';
import { GRID } from './geometry.ts';
import { Minimap } from './minimap.tsx';
import { EndNode, KindNode } from './nodes.tsx';
import { NoteNode } from './note-node.tsx';
import { Notices } from './notices.tsx';
import { Overview, useIsOverview } from './overview.tsx';
import { Cursors } from './overlays.tsx';
import { runCommand, type CommandContext } from './run-command.ts';
import type { Problems } from './problems.ts';
import type { Proposal } from './proposal.ts';
import type { CanvasConnection } from './canvas-connection.ts';
import { showProblem } from './show-problem.ts';
import { Toolbar } from './toolbar.tsx';
import { useActivity } from './use-activity.ts';
import { useBinding } from './use-binding.ts';
import { useGestures, type GestureContext } from './use-gestures.ts';
import { useOpenNode } from './use-open-node.ts';
import { focusCanvas, useKeys } from './use-keys.ts';
import { useRuns } from './use-runs.ts';
import { useViewport } from './use-viewport.ts';
import { MIN_ZOOM } from './viewport.ts';
import { ZoomControls } from './zoom-controls.tsx';

const ComposerPanel = lazy(async () => ({
  default: (await import('../chats/composer-panel.tsx')).ComposerPanel,
}));
const ProposalPanel = lazy(async () => ({
  default: (await import('./proposal-panel.tsx')).ProposalPanel,
}));
const Ghosts = lazy(async () => ({ default: (await import('./ghosts.tsx')).Ghosts }));

const NODE_TYPES = { kind: KindNode, end: EndNode, note: NoteNode } as never;
const EDGE_TYPES = { flow: FlowEdgeView } as never;
const SNAP: [number, number] = [GRID, GRID];
const NONE: never[] = [];
const PRO = { hideAttribution: true };

interface EditorSession {
  token(): Promise<string>;
}

export interface EditorProps {
  /** Undo stacks by workflow: they outlive the canvas while the tab is open. */
  readonly undoStacks?: Map<string, UndoStack>;
  /** By workflow: canvases that were left and still send their edits. */
  readonly leaving?: Map<string, CanvasConnection>;
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
  /** The deployment that the address asks to restore. */
  readonly restore?: string;
  /** Whether the Composer is open at first. */
  readonly isComposing?: boolean;
  /** Beside the button that runs it: where else the page leads. */
  readonly links?: ReactNode;
  /** The way out of a workflow that cannot be shown any more. */
  readonly back?: ReactNode;
  /** The user opened another node, or none: the address should say so. */
  readonly onNavigate?: (to: { readonly node?: string }) => void;
  /** Another run is shown than the one that the address names: the address should name none. */
  readonly onLeaveRun?: () => void;
}

interface SurfaceProps extends EditorProps {
  readonly connection: CanvasConnection;
  readonly problems: Problems;
  readonly client: Editing['client'];
}

export function Surface(props: SurfaceProps) {
  const { connection, problems, client, organizationId, links, onNavigate } = props;
  const flow = useReactFlow();
  const isOverview = useIsOverview();
  useBinding(connection, isOverview);
  const [dialog, setDialog] = useState<Dialog | null>(null);
  const [isComposing, setComposing] = useState(props.isComposing === true);
  const compose = useCallback(() => setComposing((is) => !is), []);
  const [tab, setTab] = useState<PanelTab>('node');
  const [hasSettings, setSettings] = useSettingsPanel();
  const [proposal, propose] = useState<Proposal | null>(null);
  useRestore(props, propose);
  const store = useStoreApi();
  const actions = useMemo(() => new Actions(connection, flow, store), [connection, flow, store]);
  const runs = useRuns(connection, client, { runPk: props.run, onLeave: props.onLeaveRun });
  const { open, formKey, openNode, follow } = useOpenNode(props, actions, setTab);
  const context: CommandContext = useMemo(
    () => ({ connection, actions, client, runs, openNode, show: setDialog, compose }),
    [connection, actions, client, runs, openNode, compose],
  );
  const run = useCallback((id: CommandId) => runCommand(id, context), [context]);
  const openAdd = useCallback((anchor: AddAnchor) => setDialog({ kind: 'add', anchor }), []);
  const addAfter: Editing['addAfter'] = useCallback(
    (from, screen) => openAdd(actions.anchorAfter(from, screen)),
    [openAdd, actions],
  );
  const editing = useMemo(
    () => ({ connection, problems, client, organizationId, run, openAdd, addAfter, propose }),
    [connection, problems, client, organizationId, run, openAdd, addAfter],
  );
  useKeys(run, actions, dialog);
  const Dialogs = useDialogs(dialog !== null);
  useActivity(connection, flow);
  useViewport(actions.viewport, open);
  const openSettings = (): void => {
    actions.selectAll(false);
    setSettings(true);
    openNode(null);
    setTab('node');
  };
  return (
    <EditingContext value={editing}>
      <div className="wc-editor">
        <Toolbar
          links={links}
          onRun={() => run('run')}
          onShowRun={() => setTab('run')}
          onShowNewer={() => runs.showNewer()}
          onShowProblems={() => setTab('problems')}
          onOpen={(id) => (id === null ? openSettings() : openNode(id))}
        />
        <div className="wc-body">
          <Board
            connection={connection}
            actions={actions}
            isOverview={isOverview}
            openNode={openNode}
            onSelect={follow}
            openAdd={openAdd}
            show={setDialog}
            proposal={proposal}
          />
          {isComposing && (
            <Suspense>
              <ComposerPanel onClose={compose} />
            </Suspense>
          )}
          {proposal === null ? (
            <Panel
              open={open}
              formKey={formKey}
              hasSettings={hasSettings}
              tab={tab}
              onTab={setTab}
              onClose={() => {
                if (actions.selected.nodes.length === 0) actions.selectAll(false);
                setSettings(false);
                openNode(null);
              }}
              runs={runs}
              onOpen={openNode}
              onProblem={(problem) => showProblem(problem, context, openSettings)}
            />
          ) : (
            <Suspense>
              <ProposalPanel
                proposal={proposal}
                onClose={() => {
                  propose(null);
                  onNavigate?.(open === null ? {} : { node: open });
                }}
              />
            </Suspense>
          )}
        </div>
        {dialog?.kind === 'add' && (
          <AddMenu
            anchor={dialog.anchor}
            onClose={() => setDialog(null)}
            onPick={(entry) => {
              const added = actions.add(entry, dialog.anchor);
              setDialog(null);
              focusCanvas();
              if (added !== null) openNode(added);
            }}
          />
        )}
        {Dialogs !== null && dialog !== null && dialog.kind !== 'add' && (
          <Dialogs dialog={dialog} context={context} />
        )}
        <Notices />
      </div>
    </EditingContext>
  );
}

/**
 * The dialogs, which are loaded beside the canvas; null until then. Not `lazy`: what that renders first misses the keys that follow the one
 * that has opened it.
 * @param isWanted a dialog is open, so that a load that failed is tried again
 */
function useDialogs(isWanted: boolean): typeof DialogsOfCanvas | null {
  const [loaded, setLoaded] = useState<{ readonly Dialogs: typeof DialogsOfCanvas } | null>(null);
  useEffect(() => {
    if (loaded === null) void import('./dialogs.tsx').then(setLoaded, () => undefined);
  }, [loaded, isWanted]);
  return loaded?.Dialogs ?? null;
}

/** Proposes the version that the address names, once. */
function useRestore(
  { client, connection, restore }: SurfaceProps,
  propose: (proposal: Proposal) => void,
): void {
  useEffect(() => {
    if (restore === undefined) return;
    client.workflows.getDeployment({ workflowId: connection.workflowId, deploymentId: restore }).then(
      ({ version, workflow_schema: definition }) =>
        propose({
          title: proposalWords.restores(version),
          label: proposalWords.restored(version),
          base: null,
          definition: definition as unknown as JsonObject,
        }),
      (error: Error) => connection.notify('error', describeError(error)),
    );
  }, [client, connection, restore, propose]);
}

interface BoardProps extends GestureContext {
  readonly proposal: Proposal | null;
}

function Board(props: BoardProps) {
  const { connection } = props;
  const flow = useReactFlow();
  const gestures = useGestures(props);
  return (
    <div
      className="wc-board"
      onPointerMove={({ clientX, clientY }) =>
        connection.presence.cursor(flow.screenToFlowPosition({ x: clientX, y: clientY }))
      }
      onPointerLeave={() => connection.presence.cursor(null)}
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
        minZoom={MIN_ZOOM}
        maxZoom={2}
        snapToGrid
        snapGrid={SNAP}
        onMoveStart={(event) => {
          if (event !== null) props.actions.viewport.release();
        }}
        proOptions={PRO}
        {...gestures}
      >
        <Background variant={BackgroundVariant.Dots} gap={24} size={1.5} />
        {props.isOverview && <Overview />}
        <Minimap />
        <ZoomControls />
        <GroupFrames actions={props.actions} />
        <Cursors />
        {props.proposal !== null && (
          <Suspense>
            <Ghosts proposal={props.proposal} />
          </Suspense>
        )}
      </ReactFlow>
    </div>
  );
}
