/** The bar above the canvas: undo, search, the save state, the other people, the run. */
import { useReactFlow } from '@xyflow/react';
import {
  CloudCheck,
  CloudOff,
  CloudUpload,
  Command,
  Play,
  Plus,
  Redo2,
  Search,
  Settings2,
  Sparkles,
  Square,
  TriangleAlert,
  Undo2,
  Workflow,
} from 'lucide-react';
import { useEffect, useState, useSyncExternalStore, type ReactNode } from 'react';
import { words } from '../words.ts';
import { statusLabel } from '../words-statuses.ts';
import { useEditing, useRun, useSaveState } from './context.ts';
import { ProblemMark } from './problem-mark.tsx';
import { Tool } from './tool.tsx';
import { WorkflowHead } from './workflow-head.tsx';
import { readNodeId } from '../forms/entity.ts';
import { editorWords } from '../words-editor.ts';
import { fieldWords } from '../words-fields.ts';

const FOLLOW_MS = 100;

function SaveMark({ onOpen }: { readonly onOpen: (nodeId: string | null) => void }) {
  const { connection } = useEditing();
  const { status, unsent, unsaved } = useSaveState();
  const { drafts } = connection;
  const stuck = useSyncExternalStore(drafts.subscribe, () => drafts.unsaved);
  const isSaving = useSyncExternalStore(drafts.subscribe, () => drafts.isSaving);
  if (stuck !== null) {
    const text = fieldWords.notSaved(stuck.label);
    return (
      <span className="wc-save wc-save-warning" role="status" data-save={text}>
        <TriangleAlert size={16} aria-hidden />{' '}
        <button type="button" className="wc-link" onClick={() => onOpen(readNodeId(stuck.entity))}>
          {text}
        </button>
      </span>
    );
  }
  const [Icon, text, tone] =
    status !== 'live'
      ? ([
          CloudOff,
          unsent === 0 ? editorWords.saved.offline : editorWords.saved.kept(unsent),
          'warning',
        ] as const)
      : unsent + unsaved > 0 || isSaving
        ? ([CloudUpload, editorWords.saved.saving, 'busy'] as const)
        : ([CloudCheck, editorWords.saved.saved, 'calm'] as const);
  return (
    <span className={`wc-save wc-save-${tone}`} role="status" data-save={text}>
      <Icon size={16} aria-hidden /> {text}
    </span>
  );
}

/** A face for everybody else; a click follows where they look. */
function People() {
  const { connection } = useEditing();
  const flow = useReactFlow();
  useSyncExternalStore(connection.collaborators.subscribe, () => connection.collaborators.version);
  const [followed, setFollowed] = useState<string | null>(null);
  useEffect(() => {
    if (followed === null) return undefined;
    let seen = '';
    const timer = window.setInterval(() => {
      const person = connection.presence.findPerson(followed);
      if (person === undefined) return setFollowed(null);
      const { viewport } = person;
      if (viewport === null || JSON.stringify(viewport) === seen) return;
      seen = JSON.stringify(viewport);
      void flow.setCenter(viewport.x, viewport.y, { zoom: viewport.zoom, duration: 250 });
    }, FOLLOW_MS);
    const stop = (): void => setFollowed(null);
    window.addEventListener('wheel', stop, { once: true });
    return () => {
      window.clearInterval(timer);
      window.removeEventListener('wheel', stop);
    };
  }, [followed, connection, flow]);
  return (
    <div className="wc-people" role="group" aria-label={editorWords.tools.others}>
      {connection.collaborators.list.map(({ sessionId, name, color, state }) => (
        <button
          type="button"
          key={sessionId}
          className="wc-face"
          style={{ background: color, opacity: state === 'idle' ? 0.5 : 1 }}
          data-followed={sessionId === followed ? '' : undefined}
          aria-pressed={sessionId === followed}
          title={editorWords.follow(name, sessionId === followed)}
          onClick={() => setFollowed((now) => (now === sessionId ? null : sessionId))}
        >
          {Array.from(name)[0]?.toUpperCase() ?? '?'}
        </button>
      ))}
    </div>
  );
}

interface ToolbarProps {
  readonly links: ReactNode;
  /** Leads to where the draft is deployed. */
  readonly deploy: ReactNode;
  readonly onRun: () => void;
  readonly onShowRun: () => void;
  readonly onShowProblems: () => void;
  readonly onOpen: (nodeId: string | null) => void;
}

export function Toolbar({ links, deploy, onRun, onShowRun, onShowProblems, onOpen }: ToolbarProps) {
  const { undo, redo } = useSaveState();
  const { status, isLost, isFollowed } = useRun();
  const { run } = useEditing();
  // A run that waits for an answer can be cancelled, too; a colleague's run leaves the button to start one.
  const canCancel = isFollowed && (status === 'running' || status === 'interrupted');
  return (
    <header className="wc-toolbar">
      <WorkflowHead deploy={deploy} />
      <div role="toolbar" aria-label={editorWords.tools.edit}>
        <Tool id="add" label={editorWords.tools.add} icon={Plus} text={editorWords.add.title} />
        <Tool id="compose" label={words.composer.name} icon={Sparkles} />
        <Tool id="undo" label={editorWords.tools.undo(undo)} icon={Undo2} isDisabled={undo === null} />
        <Tool id="redo" label={editorWords.tools.redo(redo)} icon={Redo2} isDisabled={redo === null} />
        <Tool id="tidy" label={editorWords.tools.tidy} icon={Workflow} />
        <Tool id="search" label={editorWords.tools.search} icon={Search} />
        <Tool id="palette" label={editorWords.tools.palette} icon={Command} />
        <button
          type="button"
          className="wc-tool"
          title={editorWords.workflow.open}
          aria-label={editorWords.workflow.open}
          onClick={() => onOpen(null)}
        >
          <Settings2 size={18} aria-hidden />
        </button>
      </div>
      <SaveMark onOpen={onOpen} />
      <ProblemMark onShow={onShowProblems} />
      <span className="wc-space" />
      <People />
      {status !== '' && (
        <span className={`wc-run-state wc-run-state-${status}`} role="status">
          <button type="button" title={editorWords.tools.showRun} onClick={onShowRun}>
            {isLost ? editorWords.tools.reconnecting : statusLabel(status)}
          </button>
        </span>
      )}
      {links}
      {canCancel ? (
        <button type="button" className="wc-button" onClick={() => run('stop')}>
          <Square size={14} aria-hidden /> {editorWords.tools.cancel}
        </button>
      ) : (
        <button type="button" className="wc-button wc-primary" onClick={onRun}>
          <Play size={14} aria-hidden /> {editorWords.tools.run}
        </button>
      )}
    </header>
  );
}
