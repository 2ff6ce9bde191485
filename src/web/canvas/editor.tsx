/** The canvas editor of one workflow: connects to its connection and shows the surface with the first state. */
import '@xyflow/react/dist/style.css';
import './canvas.css';
import { ReactFlowProvider } from '@xyflow/react';
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { UndoStack } from '../../canvas/client/undo-stack.ts';
import { WorkflowClient } from '../../client/client.ts';
import { Problems } from './problems.ts';
import { CanvasConnection } from './canvas-connection.ts';
import { Surface, type EditorProps } from './surface.tsx';
import { tabId } from './tab-id.ts';
import { editorWords } from '../words-editor.ts';

const CLOSED: Readonly<Record<string, string>> = {
  'workflow:deleted': editorWords.closed.deleted,
  'workflow:access-revoked': editorWords.closed.revoked,
  'session:replaced': editorWords.closed.replaced,
};

interface Opened {
  readonly connection: CanvasConnection;
  readonly problems: Problems;
}

export function Editor(props: EditorProps) {
  const { workflowId, organizationId, session, realtimeUrl = '', undoStacks } = props;
  const [opened, setOpened] = useState<Opened | null>(null);
  useEffect(() => {
    let isGone = false;
    let opened: Opened | null = null;
    void tabId().then((clientId) => {
      if (isGone) return;
      const token = () => session.token();
      const undoStack = undoStacks?.get(workflowId) ?? new UndoStack();
      undoStacks?.set(workflowId, undoStack);
      const connection = new CanvasConnection({
        workflowId,
        organizationId,
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
      opened?.problems.dispose();
      opened?.connection.dispose();
      setOpened(null);
    };
  }, [workflowId, organizationId, session, realtimeUrl, undoStacks]);
  return opened === null ? <Opening /> : <OpenEditor {...props} {...opened} />;
}

const Opening = () => (
  <div className="wc-editor wc-opening" role="status">
    {editorWords.closed.opening}
  </div>
);

function OpenEditor(props: EditorProps & Opened) {
  const { connection, session, organizationId, apiUrl = '' } = props;
  const state = useSyncExternalStore(connection.subscribe, () => connection.state);
  const [hasBeenLive, setHasBeenLive] = useState(false);
  if (state.status === 'live' && !hasBeenLive) setHasBeenLive(true);
  const client = useMemo(
    () =>
      new WorkflowClient({
        baseUrl: apiUrl === '' ? location.origin : apiUrl,
        token: () => session.token(),
        organizationId,
      }),
    [session, organizationId, apiUrl],
  );
  if (state.closed !== null) {
    return (
      <div className="wc-editor wc-opening" role="alert">
        {CLOSED[state.closed] ?? editorWords.closed.refused}
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
