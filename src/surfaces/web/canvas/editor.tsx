/** The canvas editor of one workflow: connects to its connection and shows the surface with the first state. */
import '@xyflow/react/dist/style.css';
import './canvas.css';
import { ReactFlowProvider } from '@xyflow/react';
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { UndoStack } from '../../../features/canvas/client/undo-stack.ts';
import { WorkflowClient } from '../../client/client.ts';
import { useOwner } from '../kit/owner.ts';
import { noteWait } from '../session/waits.ts';
import { Problems } from './problems.ts';
import { CanvasConnection } from './canvas-connection.ts';
import { Surface, type EditorProps } from './surface.tsx';
import { tabId } from './tab-id.ts';
import { connectionWords } from '../words-connection.ts';

/** By the event that has closed the canvas, or the code of the refusal to open it. */
const CLOSED: Readonly<Record<string, string>> = {
  'workflow:deleted': connectionWords.deleted,
  'workflow:access-revoked': connectionWords.revoked,
  'session:replaced': connectionWords.replaced,
  WORKFLOW_NOT_FOUND: connectionWords.notFound,
  INVALID_PAYLOAD: connectionWords.notFound,
  ROOM_FULL: connectionWords.full,
  ROLE_FORBIDDEN: connectionWords.forbidden,
  NOT_A_MEMBER: connectionWords.forbidden,
};

/** After this time a canvas that is not open yet is one that cannot be reached. */
const LATE_MS = 5_000;

interface OpenCanvas {
  readonly connection: CanvasConnection;
  readonly problems: Problems;
}

export function Editor(props: EditorProps) {
  const { workflowId, organizationId, session, realtimeUrl = '', undoStacks, leaving } = props;
  const { person } = useOwner();
  const [opened, setOpened] = useState<OpenCanvas | null>(null);
  useEffect(() => {
    let isGone = false;
    let opened: OpenCanvas | null = null;
    void tabId().then((clientId) => {
      if (isGone) return;
      const token = () => session.token();
      const undoStack = undoStacks?.get(workflowId) ?? new UndoStack();
      undoStacks?.set(workflowId, undoStack);
      // It leaves its unsent edits to this one.
      leaving?.get(workflowId)?.dispose();
      leaving?.delete(workflowId);
      const connection = new CanvasConnection({
        owner: { person, organizationId, workflowId },
        realtimeUrl,
        clientId,
        token,
        undoStack,
      });
      opened = { connection, problems: new Problems(connection) };
      connection.open();
      setOpened(opened);
    });
    return () => {
      isGone = true;
      if (opened === null) return;
      const { connection, problems } = opened;
      problems.dispose();
      leaving?.set(workflowId, connection);
      connection.leave(() => {
        if (leaving?.get(workflowId) === connection) leaving.delete(workflowId);
      });
      setOpened(null);
    };
  }, [workflowId, organizationId, person, session, realtimeUrl, undoStacks, leaving]);
  return opened === null ? <Opening /> : <OpenEditor {...props} {...opened} />;
}

function Opening() {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = window.setTimeout(() => setLate(true), LATE_MS);
    return () => window.clearTimeout(timer);
  }, []);
  return (
    <div className="wc-editor wc-opening" role="status">
      {isLate ? connectionWords.unreached : connectionWords.opening}
    </div>
  );
}

function OpenEditor(props: EditorProps & OpenCanvas) {
  const { connection, problems, workflowId, session, organizationId, apiUrl = '' } = props;
  const state = useSyncExternalStore(connection.subscribe, () => connection.state);
  const [hasBeenLive, setHasBeenLive] = useState(false);
  if (state.status === 'live' && !hasBeenLive) setHasBeenLive(true);
  const client = useMemo(
    () =>
      new WorkflowClient({
        baseUrl: apiUrl === '' ? location.origin : apiUrl,
        token: () => session.token(),
        organizationId,
        onRetry: noteWait,
        onRateLimited: noteWait,
      }),
    [session, organizationId, apiUrl],
  );
  useEffect(() => {
    void client.request('GET', '/retention').then(
      ({ redacted_paths: all, workflows }) => {
        const own = workflows.find((one) => one.workflow_id === workflowId)?.redacted_paths ?? [];
        problems.redact([...all, ...own]);
      },
      // Somebody who may not read the settings edits without these warnings.
      () => undefined,
    );
  }, [client, problems, workflowId]);
  if (state.closed !== null) {
    return (
      <div className="wc-editor wc-opening" role="alert">
        <p>{CLOSED[state.closed] ?? connectionWords.other}</p>
        {state.closed === 'session:replaced' ? (
          <button type="button" className="wc-button" onClick={() => location.reload()}>
            {connectionWords.openHere}
          </button>
        ) : (
          props.back
        )}
      </div>
    );
  }
  if (!hasBeenLive) return <Opening />;
  return (
    <ReactFlowProvider>
      <Surface {...props} client={client} />
    </ReactFlowProvider>
  );
}
