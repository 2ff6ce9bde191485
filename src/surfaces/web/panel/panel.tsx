/** Right of the canvas: the form of the selected node, edge or workflow, the run, and the problems. */
import './panel.css';
import { Tabs } from '@mantine/core';
import { X } from 'lucide-react';
import { useOnSelectionChange } from '@xyflow/react';
import { lazy, Suspense, useCallback, useEffect, useRef, useState } from 'react';
import type { Problem } from '../../../language/graph/definition/definition.ts';
import { useEditing, useHeldNode, useNode, useRun } from '../canvas/context.ts';
import type { RunClient } from '../canvas/run-client.ts';
import { focusCanvas } from '../canvas/use-keys.ts';
import { ProblemList } from './problem-list.tsx';
import { RunView } from './run-view.tsx';
import { editorWords } from '../words-editor.ts';

const loadNodeForm = () => import('./node-form.tsx');
const NodeForm = lazy(async () => ({ default: (await loadNodeForm()).NodeForm }));
const EdgeForm = lazy(async () => ({ default: (await import('./edge-form.tsx')).EdgeForm }));
const WorkflowSettings = lazy(async () => ({
  default: (await import('./workflow-settings.tsx')).WorkflowSettings,
}));

export type PanelTab = 'node' | 'run' | 'problems';

interface PanelProps {
  readonly open: string | null;
  /** Another one is another form. */
  readonly formKey: string | null;
  /** Shows the workflow's settings while nothing is selected. */
  readonly hasSettings: boolean;
  readonly tab: PanelTab;
  readonly onTab: (tab: PanelTab) => void;
  readonly runs: RunClient;
  readonly onClose: () => void;
  readonly onOpen: (id: string) => void;
  readonly onProblem: (problem: Problem) => void;
}

/** Shows the run that was started here, and its questions; a run of somebody else changes nothing in the panel. */
function useOwnRun(onTab: (tab: PanelTab) => void): void {
  const { firstRunId, isOwn, questions } = useRun();
  const seen = useRef({ firstRunId, questions: 0 });
  useEffect(() => {
    const isNews = firstRunId !== seen.current.firstRunId || questions.length > seen.current.questions;
    seen.current = { firstRunId, questions: questions.length };
    // A form that has the focus is being edited: its tab keeps the front.
    const isEditing = document.activeElement?.closest('.wc-node-form') instanceof HTMLElement;
    if (isNews && isOwn && firstRunId !== null && !isEditing) onTab('run');
  }, [firstRunId, isOwn, questions.length, onTab]);
}

/** The edge that is selected alone; null while anything else is. */
function useSelectedEdge(): string | null {
  const [selected, setSelected] = useState<string | null>(null);
  const onChange = useCallback(
    ({ nodes, edges }: { readonly nodes: readonly unknown[]; readonly edges: readonly { id: string }[] }) => {
      const [edge, more] = edges;
      setSelected(edge !== undefined && more === undefined && nodes.length === 0 ? edge.id : null);
    },
    [],
  );
  useOnSelectionChange({ onChange });
  return selected;
}

export function Panel(props: PanelProps) {
  const { open, formKey, hasSettings, tab, onTab, runs, onClose, onOpen, onProblem } = props;
  const { connection } = useEditing();
  const run = useRun();
  const stored = useNode(open ?? '');
  const held = useHeldNode(open ?? '');
  const node = stored ?? held;
  useOwnRun(onTab);
  // Once the canvas is shown, so that the first click on a node waits for nothing.
  useEffect(() => void loadNodeForm(), []);
  const edge = useSelectedEdge();
  const hasNode = edge === null && open !== null && node !== undefined;
  const hasForm = hasNode || edge !== null || hasSettings;
  const isShown = tab === 'node' ? hasForm : tab === 'problems' || run.runId !== null || hasForm;
  const frame = useRef<HTMLElement>(null);
  // Another node's form begins at its top.
  useEffect(() => {
    frame.current?.scrollTo(0, 0);
  }, [formKey, edge, tab]);
  if (!isShown) return null;
  const title = edge === null ? editorWords.workflow.title : editorWords.edgeForm.title;
  return (
    <aside className="wc-panel" aria-label={editorWords.panel.title} ref={frame}>
      <Tabs
        value={tab === 'run' && run.runId === null ? 'node' : tab}
        onChange={(next) => onTab((next ?? 'node') as PanelTab)}
        keepMounted={false}
      >
        <div className="wc-panel-head">
          <Tabs.List flex={1}>
            {hasForm && <Tabs.Tab value="node">{hasNode ? editorWords.panel.node : title}</Tabs.Tab>}
            {run.runId !== null && <Tabs.Tab value="run">{editorWords.panel.run}</Tabs.Tab>}
            <Tabs.Tab value="problems">{editorWords.panel.problems}</Tabs.Tab>
          </Tabs.List>
          <button
            type="button"
            className="wc-tool wc-panel-close"
            aria-label={editorWords.panel.close}
            onClick={() => {
              onClose();
              focusCanvas();
              onTab('node');
              if (run.status !== 'running') connection.board.begin(null);
            }}
          >
            <X size={16} aria-hidden />
          </button>
        </div>
        {hasForm && (
          <Tabs.Panel value="node">
            <Suspense>
              {edge !== null && <EdgeForm key={edge} edgeId={edge} />}
              {edge === null && !hasNode && <WorkflowSettings />}
              {hasNode && <NodeForm key={formKey} nodeId={open} node={node} />}
            </Suspense>
          </Tabs.Panel>
        )}
        <Tabs.Panel value="run">
          <RunView runs={runs} onOpen={onOpen} />
        </Tabs.Panel>
        <Tabs.Panel value="problems">
          <ProblemList onOpen={onProblem} />
        </Tabs.Panel>
      </Tabs>
    </aside>
  );
}
