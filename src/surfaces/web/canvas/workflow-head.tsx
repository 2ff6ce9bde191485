/** The name of the workflow, and whether its draft is live. */
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { writeDocument } from '../../../features/canvas/room/document.ts';
import { isObject, ownValue, type JsonObject } from '../../../language/graph/values/value.ts';
import { listDefinitionChanges } from '../pages/definition-diff.ts';
import { editorWords } from '../words-editor.ts';
import { words } from '../words.ts';
import { readText } from './binding.ts';
import { useEditing } from './context.ts';
import { useQuietView } from './use-quiet-view.ts';
import { useStoredWorkflow } from './use-stored-workflow.ts';

function useLiveState(): { readonly name: string; readonly state: string; readonly isSame: boolean } {
  const { connection, client, organizationId } = useEditing();
  const { workflowId } = connection;
  const key = [organizationId, 'workflow', workflowId];
  const workflow = useStoredWorkflow();
  const { refetch } = workflow;
  useEffect(() => connection.onLiveChange(() => void refetch()), [connection, refetch]);
  const liveId = workflow.data?.live_deployment_id ?? null;
  const live = useQuery({
    queryKey: [...key, 'deployment', liveId],
    queryFn: () => client.workflows.getDeployment({ workflowId, deploymentId: liveId ?? '' }),
    enabled: liveId !== null,
    staleTime: 'static',
  });
  const view = useQuietView(connection);
  const metadata = ownValue(view.rest, 'metadata');
  // The draft's own name is newer than the stored one.
  const name = (isObject(metadata) && readText(metadata, 'name')) || (workflow.data?.name ?? '');
  if (workflow.data === undefined || (liveId !== null && live.data === undefined))
    return { name, state: '', isSame: true };
  if (live.data === undefined) return { name, state: editorWords.live.none, isSame: false };
  const { version, workflow_schema: definition } = live.data;
  const isSame = listDefinitionChanges(definition as unknown as JsonObject, writeDocument(view)).length === 0;
  return { name, state: editorWords.live[isSame ? 'same' : 'changed'](version), isSame };
}

export function WorkflowHead() {
  const { name, state, isSame } = useLiveState();
  return (
    <div className="wc-title">
      <h1 title={name}>{name || words.canvas.title}</h1>
      <span className={isSame ? 'wc-live wc-live-same' : 'wc-live'}>{state}</span>
    </div>
  );
}
