/** The graph that a run has walked, of the run's own definition: read-only, each node with how it came out. */
import '@xyflow/react/dist/style.css';
import '../canvas/canvas.css';
import { Box, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import {
  BaseEdge,
  Controls,
  getBezierPath,
  Handle,
  Position,
  ReactFlow,
  type EdgeProps,
  type OnSelectionChangeParams,
} from '@xyflow/react';
import { createContext, useCallback, useContext, useMemo, useState, type ReactNode } from 'react';
import { readDocument } from '../../canvas/room/document.ts';
import type { WorkflowClient } from '../../client/client.ts';
import type { JsonObject } from '../../graph/value.ts';
import { Binding, readHandle, readText, type FlowData } from '../canvas/binding.ts';
import { handleTop, countRows } from '../canvas/geometry.ts';
import { findLook } from '../canvas/kinds.ts';
import { NodeIcon } from '../canvas/node-icon.tsx';
import { EndNode } from '../canvas/nodes.tsx';
import { toNodeStatus } from '../canvas/run-steps.ts';
import { findEdgeState } from '../canvas/edge-state.ts';
import { Failure, Waiting } from '../kit/page.tsx';
import { statusLabel } from '../words-statuses.ts';
import { runWords } from '../words-runs.ts';
import type { ListedStep } from './listed-step.ts';

/** The visits of each node, in order. */
type Visits = ReadonlyMap<string, readonly ListedStep[]>;
const VisitsContext = createContext<Visits>(new Map());

interface Props<Kind extends FlowData['kind']> {
  readonly id: string;
  readonly data: Extract<FlowData, { kind: Kind }>;
  readonly selected?: boolean;
}

function WalkedNode({ id, data: { node, handles }, selected }: Props<'node'>) {
  const step = useContext(VisitsContext).get(id)?.at(-1);
  const look = findLook(readText(node, 'type'));
  const classes = [
    'wc-node',
    selected === true && 'wc-selected',
    step && `wc-run-${toNodeStatus(step.status)}`,
  ];
  return (
    <div className={classes.filter(Boolean).join(' ')} data-node={id}>
      <Handle type="target" position={Position.Left} style={{ top: handleTop([], 0) }} />
      <div className="wc-head">
        <NodeIcon look={look} />
        <div className="wc-words">
          <div className="wc-name">{readText(node, 'name') || id}</div>
          <div className="wc-kind">
            {look.label} · {step === undefined ? runWords.notReached : statusLabel(step.status)}
          </div>
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

function groupVisits(steps: readonly ListedStep[]): Visits {
  const visits = new Map<string, ListedStep[]>();
  for (const step of steps) {
    if (step.parent_step_id !== null) continue;
    const before = visits.get(step.node_id);
    if (before === undefined) visits.set(step.node_id, [step]);
    else before.push(step);
  }
  return visits;
}

/** Reads how each visit of the source left an edge: one of a loop may take it, and the last one not. */
function readStates(visits: Visits, edge: Parameters<typeof findEdgeState>[1]) {
  const count = Math.max(1, visits.get(edge.source)?.length ?? 0);
  return Array.from({ length: count }, (_, visit) =>
    findEdgeState((id) => {
      const all = visits.get(id);
      const step = id === edge.source ? all?.[visit] : all?.at(-1);
      return step && { status: toNodeStatus(step.status), handle: step.selected_handle };
    }, edge),
  );
}

function WalkedEdge(props: EdgeProps) {
  const visits = useContext(VisitsContext);
  const { source, target, data } = props;
  const edge = { source, target, handle: readHandle(data?.['edge'] as JsonObject) };
  const states = readStates(visits, edge);
  const taken = states.includes('taken') ? 'taken' : (states.at(-1) ?? '');
  const [path] = getBezierPath(props);
  return <BaseEdge id={props.id} path={path} className={`wc-edge wc-edge-${taken}`} />;
}

const NODE_TYPES = { kind: WalkedNode, end: EndNode, note: ReadNote } as never;
const EDGE_TYPES = { flow: WalkedEdge } as never;
const FIT = { padding: 0.1, maxZoom: 1 };
const LABELS = { 'node.a11yDescription.default': runWords.graph.select };
const PRO = { hideAttribution: true };

interface DrawnProps {
  readonly definition: JsonObject;
  readonly onSelect: (nodeId: string | null) => void;
}

function Drawn({ definition, onSelect }: DrawnProps) {
  const { nodes, edges } = useMemo(() => {
    const given = { drags: new Map(), isOverview: false };
    const frame = new Binding().next(readDocument(definition), { nodes: [], edges: [] }, given);
    const named = frame.nodes.map((node) => ({
      ...node,
      selectable: node.type === 'kind',
      focusable: node.type === 'kind',
      ariaLabel: node.data.kind === 'node' ? readText(node.data.node, 'name') || node.id : undefined,
    }));
    return { nodes: named as never[], edges: frame.edges as never[] };
  }, [definition]);
  const onSelectionChange = useCallback(
    ({ nodes: chosen }: OnSelectionChangeParams) => onSelect(chosen[0]?.id ?? null),
    [onSelect],
  );
  return (
    <ReactFlow
      aria-label={runWords.graph.label}
      defaultNodes={nodes}
      defaultEdges={edges}
      nodeTypes={NODE_TYPES}
      edgeTypes={EDGE_TYPES}
      ariaLabelConfig={LABELS}
      onlyRenderVisibleElements
      nodesDraggable={false}
      nodesConnectable={false}
      edgesFocusable={false}
      elementsSelectable
      deleteKeyCode={null}
      // The wheel scrolls the page, in which the graph is a part.
      zoomOnScroll={false}
      preventScrolling={false}
      minZoom={0.05}
      fitView
      fitViewOptions={FIT}
      proOptions={PRO}
      onSelectionChange={onSelectionChange}
    >
      <Controls showInteractive={false} />
    </ReactFlow>
  );
}

interface RunGraphProps {
  readonly runPk: string;
  readonly steps: readonly ListedStep[];
  readonly client: WorkflowClient;
  readonly details: (step: ListedStep) => ReactNode;
}

export function RunGraph({ runPk, steps, client, details }: RunGraphProps) {
  const [opened, setOpened] = useState<string | null>(null);
  // The definition of a run never changes.
  const walked = useQuery({
    queryKey: ['run-definition', runPk],
    queryFn: () => client.request('GET', '/workflow-runs/{run_pk}/definition', { path: { run_pk: runPk } }),
    staleTime: 'static',
  });
  const visits = useMemo(() => groupVisits(steps), [steps]);
  const step = opened === null ? undefined : visits.get(opened)?.at(-1);
  return (
    <Stack>
      <Failure error={walked.error} />
      {walked.isPending && <Waiting />}
      {walked.data !== undefined && (
        <VisitsContext value={visits}>
          <Box h={420}>
            <div className="wc-editor">
              <div className="wc-board">
                <Drawn definition={walked.data.definition as unknown as JsonObject} onSelect={setOpened} />
              </div>
            </div>
          </Box>
        </VisitsContext>
      )}
      {opened === null && <Text c="dimmed">{runWords.graph.choose}</Text>}
      {opened !== null && (
        <section aria-label={step?.node_name ?? opened}>
          {step === undefined ? <Text c="dimmed">{runWords.notReached}</Text> : details(step)}
        </section>
      )}
    </Stack>
  );
}
