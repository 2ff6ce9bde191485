/** A graph that is read and not edited: each node and edge with a mark, such as its status or its difference. */
import '@xyflow/react/dist/style.css';
import './canvas.css';
import './read-only-graph.css';
import {
  BaseEdge,
  Controls,
  getBezierPath,
  Handle,
  Position,
  ReactFlow,
  ReactFlowProvider,
  type EdgeProps,
  type NodeMouseHandler,
  type OnSelectionChangeParams,
  type Viewport,
} from '@xyflow/react';
import { createContext, useCallback, useContext, useMemo, useRef } from 'react';
import type { JsonObject } from '../../../language/graph/values/value.ts';
import { versionWords } from '../words-versions.ts';
import { runWords } from '../words-runs.ts';
import { readEdge, readText, type EdgeEnds, type FlowData, type Frame } from './binding.ts';
import { countRows, handleTop } from './geometry.ts';
import { findKindStyle } from './kinds.ts';
import { NodeIcon } from './node-icon.tsx';
import { EndNode } from './nodes.tsx';

/** How an element differs from that of another graph; shown as a sign as well as by color. */
type Sign = 'added' | 'removed' | 'changed';
const SIGNS: Readonly<Record<Sign, string>> = { added: '+', removed: '−', changed: '~' };

const SIGN_STYLE = { fontSize: 18, fontWeight: 700 } as const;

interface GraphMark {
  readonly className?: string;
  readonly sign?: Sign | undefined;
}

interface NodeMark extends GraphMark {
  /** Follows the kind of the node. */
  readonly caption?: string;
  /** The node is not in this graph; the text says so in its place. */
  readonly missing?: string;
  readonly isSelected?: boolean;
}

export interface GraphMarks {
  readonly findNode: (nodeId: string) => NodeMark;
  readonly findEdge: (edge: EdgeEnds) => GraphMark;
}

const MarksContext = createContext<GraphMarks>({ findNode: () => ({}), findEdge: () => ({}) });

interface Props<Kind extends FlowData['kind']> {
  readonly id: string;
  readonly data: Extract<FlowData, { kind: Kind }>;
}

const joinClasses = (...classes: (string | false | undefined)[]): string => classes.filter(Boolean).join(' ');

function MarkedNode({ id, data: { node, handles } }: Props<'node'>) {
  const { className, caption, sign, missing, isSelected } = useContext(MarksContext).findNode(id);
  const current = isSelected === true && 'wc-current';
  const kind = findKindStyle(readText(node, 'type'));
  const name = readText(node, 'name') || id;
  if (missing !== undefined)
    return (
      <div className={joinClasses('wc-node wc-missing', current)} data-node={id}>
        <div className="wc-words">
          <div className="wc-name">{name}</div>
          <div className="wc-kind">{missing}</div>
        </div>
      </div>
    );
  return (
    <div className={joinClasses('wc-node', current, className, sign && `wc-diff-${sign}`)} data-node={id}>
      {sign !== undefined && (
        <span
          className="wc-sign"
          role="img"
          aria-label={versionWords.diff[sign]}
          title={versionWords.diff[sign]}
        >
          {SIGNS[sign]}
        </span>
      )}
      <Handle type="target" position={Position.Left} style={{ top: handleTop([], 0) }} />
      <div className="wc-head">
        <NodeIcon kind={kind} />
        <div className="wc-words">
          <div className="wc-name">{name}</div>
          <div className="wc-kind">{[kind.label, caption].filter(Boolean).join(' · ')}</div>
        </div>
      </div>
      {countRows(handles) > 0 &&
        handles.map(({ id: handle, label }) => (
          <div className="wc-row" key={handle} data-error={handle === 'error' ? '' : undefined}>
            {label || handle}
          </div>
        ))}
      {handles.map(({ id: handle }, index) => (
        <Handle
          key={handle}
          id={handle}
          type="source"
          position={Position.Right}
          style={{ top: handleTop(handles, index) }}
        />
      ))}
    </div>
  );
}

const ReadNote = ({ data: { note } }: Props<'note'>) => (
  <div className="wc-note" style={{ width: note.width, height: note.height }}>
    {note.text}
  </div>
);

function MarkedEdge(props: EdgeProps) {
  const { id, data } = props;
  const { className, sign } = useContext(MarksContext).findEdge(readEdge(id, data?.['edge'] as JsonObject));
  const [path, labelX, labelY] = getBezierPath(props);
  return (
    <BaseEdge
      id={id}
      path={path}
      className={joinClasses('wc-edge', className, sign && `wc-edge-${sign}`)}
      {...(sign === undefined ? {} : { label: SIGNS[sign], labelX, labelY, labelStyle: SIGN_STYLE })}
    />
  );
}

const NODE_TYPES = { kind: MarkedNode, end: EndNode, note: ReadNote } as never;
const EDGE_TYPES = { flow: MarkedEdge } as never;
const FIT = { padding: 0.1, maxZoom: 1 };
const PRO = { hideAttribution: true };
const MIN_ZOOM = 0.05;
/** Above this number of nodes a view of all of them would mount too many at once. */
const MANY_NODES = 300;
const MIN_ZOOM_OF_MANY = 0.25;

export const findMinZoom = ({ nodes }: Frame): number =>
  nodes.length > MANY_NODES ? MIN_ZOOM_OF_MANY : MIN_ZOOM;

interface GraphProps {
  readonly label: string;
  /** Read at first: another frame needs another `key`. */
  readonly frame: Frame;
  readonly marks: GraphMarks;
  readonly onSelect: (nodeId: string | null) => void;
  /** Without it the graph begins fitted, and moves on its own. */
  readonly view?: { readonly viewport: Viewport; readonly onChange: (viewport: Viewport) => void };
}

export function ReadOnlyGraph({ label, frame, marks, onSelect, view }: GraphProps) {
  const nodes = useMemo(
    () =>
      frame.nodes.map((node) => {
        const isKind = node.data.kind === 'node';
        const name = node.data.kind === 'node' ? readText(node.data.node, 'name') || node.id : undefined;
        return { ...node, selectable: isKind, focusable: isKind, ariaLabel: name };
      }),
    [frame],
  );
  /** React Flow reports at first, too, that nothing is selected: that takes nothing back. */
  const hadSelection = useRef(false);
  const onSelectionChange = useCallback(
    ({ nodes: [chosen] }: OnSelectionChangeParams) => {
      if (chosen !== undefined || hadSelection.current) onSelect(chosen?.id ?? null);
      hadSelection.current = chosen !== undefined;
    },
    [onSelect],
  );
  // A node that is selected already reports no change, and may be clicked to come back to it.
  const onNodeClick = useCallback<NodeMouseHandler>(
    (_event, { id, type }) => {
      if (type === 'kind') onSelect(id);
    },
    [onSelect],
  );
  const isFitted = view === undefined;
  return (
    <MarksContext value={marks}>
      <div className="wc-editor">
        <div className="wc-board">
          {/* Its own: in a dialog of the canvas it would be that of the canvas, and replace its nodes. */}
          <ReactFlowProvider
            defaultNodes={nodes as never[]}
            defaultEdges={frame.edges as never[]}
            initialMinZoom={findMinZoom(frame)}
            {...(isFitted ? { fitView: true, initialFitViewOptions: FIT } : {})}
          >
            <ReactFlow
              aria-label={label}
              defaultNodes={nodes as never[]}
              defaultEdges={frame.edges as never[]}
              nodeTypes={NODE_TYPES}
              edgeTypes={EDGE_TYPES}
              ariaLabelConfig={{ 'node.a11yDescription.default': runWords.graph.select }}
              onlyRenderVisibleElements
              nodesDraggable={false}
              nodesConnectable={false}
              edgesFocusable={false}
              elementsSelectable
              deleteKeyCode={null}
              // The wheel scrolls the page, in which the graph is a part.
              zoomOnScroll={false}
              preventScrolling={false}
              minZoom={findMinZoom(frame)}
              {...(view === undefined
                ? { fitView: true, fitViewOptions: FIT }
                : { viewport: view.viewport, onViewportChange: view.onChange })}
              proOptions={PRO}
              onSelectionChange={onSelectionChange}
              onNodeClick={onNodeClick}
            >
              <Controls showInteractive={false} fitViewOptions={FIT} />
            </ReactFlow>
          </ReactFlowProvider>
        </div>
      </div>
    </MarksContext>
  );
}
