/** Right of the canvas: the form of the node that is open, and the run. */
import { Tabs } from '@mantine/core';
import { X } from 'lucide-react';
import { useState } from 'react';
import { useEditing, useNode, useRun } from '../canvas/context.ts';
import type { RunClient } from '../canvas/run-client.ts';
import { focusCanvas } from '../canvas/use-keys.ts';
import { NodeForm } from './node-form.tsx';
import { ProblemList } from './problem-list.tsx';
import { RunView } from './run-view.tsx';
import { editorWords } from '../words-editor.ts';

export interface PanelProps {
  readonly open: string | null;
  readonly runs: RunClient;
  readonly onClose: () => void;
  readonly onOpen: (id: string) => void;
}

type Tab = 'node' | 'run' | 'problems';

export function Panel({ open, runs, onClose, onOpen }: PanelProps) {
  const { room } = useEditing();
  const run = useRun();
  const node = useNode(open ?? '');
  const [tab, setTab] = useState<Tab>('node');
  const [seen, setSeen] = useState({ open, runId: run.runId, asks: 0 });
  // What happens brings its tab to the front: a node is opened, a run begins, a question is asked.
  if (seen.open !== open || seen.runId !== run.runId || seen.asks !== run.questions.length) {
    if (open !== null && seen.open !== open) setTab('node');
    else if (run.runId !== null && (seen.runId !== run.runId || run.questions.length > seen.asks))
      setTab('run');
    setSeen({ open, runId: run.runId, asks: run.questions.length });
  }
  const hasNode = open !== null && node !== undefined;
  if (!hasNode && run.runId === null && tab !== 'problems') return null;
  return (
    <aside className="wc-panel" aria-label={editorWords.panel.title}>
      <Tabs
        value={hasNode || tab !== 'node' ? tab : 'run'}
        onChange={(next) => setTab((next ?? 'node') as Tab)}
        keepMounted={false}
      >
        <div className="wc-panel-head">
          <Tabs.List flex={1}>
            {hasNode && <Tabs.Tab value="node">{editorWords.panel.node}</Tabs.Tab>}
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
              setTab('node');
              if (run.status !== 'running') room.board.begin(null, false);
            }}
          >
            <X size={16} aria-hidden />
          </button>
        </div>
        {hasNode && (
          <Tabs.Panel value="node">
            <NodeForm key={open} nodeId={open} node={node} />
          </Tabs.Panel>
        )}
        <Tabs.Panel value="run">
          <RunView runs={runs} onOpen={onOpen} />
        </Tabs.Panel>
        <Tabs.Panel value="problems">
          <ProblemList onOpen={onOpen} />
        </Tabs.Panel>
      </Tabs>
    </aside>
  );
}
