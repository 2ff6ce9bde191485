/** The bar above the canvas: undo, search, the save state, the other people, the run. */
import { useReactFlow } from '@xyflow/react';
import {
  Command,
  Play,
  Plus,
  Redo2,
  Rocket,
  Search,
  Settings2,
  Sparkles,
  Square,
  Undo2,
  Workflow,
} from 'lucide-react';
import { useEffect, useState, useSyncExternalStore, type ReactNode } from 'react';
import { words } from '../words.ts';
import { NO_WORKER_MS } from '../runs/joined-run.ts';
import { statusLabel, statusWords } from '../words-statuses.ts';
import { useEditing, useRun, useSaveState } from './context.ts';
import { ProblemMark } from './problem-mark.tsx';
import { SaveMark } from './save-mark.tsx';
import { Tool } from './tool.tsx';
import { chooseMotion } from './viewport.ts';
import { WorkflowHead } from './workflow-head.tsx';
import { editorWords } from '../words-editor.ts';

const FOLLOW_MS = 100;

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
      void flow.setCenter(viewport.x, viewport.y, { ...chooseMotion(), zoom: viewport.zoom });
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

/** Whether nothing has begun of the shown run for so long that no worker can be there. */
function useIsUnattended(): boolean {
  const { board } = useEditing().connection;
  const idle = useSyncExternalStore(board.subscribe, () =>
    board.run.status === 'running' && board.nodes.size === 0 ? board.run.runId : null,
  );
  const [late, setLate] = useState<string | null>(null);
  useEffect(() => {
    const timer = window.setTimeout(() => setLate(idle), NO_WORKER_MS);
    return () => window.clearTimeout(timer);
  }, [idle]);
  return idle !== null && late === idle;
}

interface ToolbarProps {
  readonly links: ReactNode;
  readonly onRun: () => void;
  readonly onShowRun: () => void;
  readonly onShowNewer: () => void;
  readonly onShowProblems: () => void;
  readonly onOpen: (nodeId: string | null) => void;
}

export function Toolbar(props: ToolbarProps) {
  const { links, onRun, onShowRun, onShowNewer, onShowProblems, onOpen } = props;
  const { undo, redo } = useSaveState();
  const { status, isLost, isFollowed, isWatched, newer } = useRun();
  const { run } = useEditing();
  const isUnattended = useIsUnattended();
  // A run that waits for an answer can be cancelled, too; a colleague's run leaves the button to start one.
  const canCancel = isFollowed && !isWatched && (status === 'running' || status === 'interrupted');
  return (
    <header className="wc-toolbar">
      <WorkflowHead />
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
            {isLost
              ? editorWords.tools.reconnecting
              : isUnattended
                ? statusWords.noWorker
                : statusLabel(status)}
          </button>
        </span>
      )}
      {newer !== null && (
        <span className="wc-run-newer" role="status">
          <button type="button" className="wc-link" onClick={onShowNewer}>
            {editorWords.tools.newerRun(statusLabel(newer.status))}
          </button>
        </span>
      )}
      {links}
      <button type="button" className="wc-button" onClick={() => run('deploy')}>
        <Rocket size={14} aria-hidden /> {words.deploy}
      </button>
      {canCancel && (
        <button type="button" className="wc-button" onClick={() => run('stop')}>
          <Square size={14} aria-hidden /> {editorWords.tools.cancel}
        </button>
      )}
      {/* A run may wait for a person for days, and others are started meanwhile. */}
      {(!canCancel || status === 'interrupted') && (
        <button type="button" className="wc-button wc-primary" onClick={onRun}>
          <Play size={14} aria-hidden /> {editorWords.tools.run}
        </button>
      )}
    </header>
  );
}
