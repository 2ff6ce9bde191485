/** Deploys from the canvas: the draft is the document as it stands here, with the edits of everybody. */
import { Modal, Stack } from '@mantine/core';
import { useMemo, useSyncExternalStore } from 'react';
import { useRouteContext } from '@tanstack/react-router';
import { writeDocument } from '../../../features/canvas/room/document.ts';
import type { JsonObject } from '../../../language/graph/values/value.ts';
import type { CanvasConnection } from '../canvas/canvas-connection.ts';
import { useStoredWorkflow } from '../canvas/use-stored-workflow.ts';
import { useQuietView } from '../canvas/use-quiet-view.ts';
import { Failure, Waiting } from '../kit/page.tsx';
import { usePeople } from '../people/use-people.ts';
import { versionWords } from '../words-versions.ts';
import { DeployFailure } from './deploy-failure.tsx';
import { DeployForm } from './deploy-form.tsx';
import { useDeploy } from './use-deploy.ts';

/** Returns why the document that is shown is not the one that would be deployed; null when it is, or will be shortly. */
function useWaiting(connection: CanvasConnection): string | null {
  const { drafts } = connection;
  const unsaved = useSyncExternalStore(drafts.subscribe, () => drafts.unsaved);
  const { status } = useSyncExternalStore(connection.subscribe, () => connection.state);
  const [first] = unsaved;
  if (first !== undefined) return versionWords.notSaved(first.label);
  return status === 'live' ? null : versionWords.offline;
}

interface DeployDialogProps {
  readonly connection: CanvasConnection;
  readonly onClose: () => void;
}

export function DeployDialog({ connection, onClose }: DeployDialogProps) {
  const { workflowId } = connection;
  const { client, organizationId } = useRouteContext({ from: '__root__' }).app;
  const people = usePeople(client, organizationId);
  const stored = useStoredWorkflow();
  const view = useQuietView(connection);
  const now = useSyncExternalStore(connection.subscribe, () => connection.view);
  const draft = useMemo(() => writeDocument(view) as JsonObject, [view]);
  const waiting = useWaiting(connection);
  const isSaving = useSyncExternalStore(connection.drafts.subscribe, () => connection.isSaving);
  const deploy = useDeploy(workflowId);
  return (
    <Modal
      opened
      onClose={onClose}
      size="min(1100px, 95vw)"
      title={versionWords.deployTitle(stored.data?.name ?? '')}
    >
      <Stack>
        <DeployFailure error={deploy.error} />
        <Failure error={stored.error} />
        {stored.data === undefined ? (
          <Waiting />
        ) : (
          <DeployForm
            workflowId={workflowId}
            draft={{ title: versionWords.draft, caption: '', definition: draft }}
            liveId={stored.data.live_deployment_id}
            people={people}
            waiting={waiting}
            isSettled={view === now && !isSaving}
            isPending={deploy.isPending}
            onDeploy={async (seen) => {
              const deployed = await deploy.mutateAsync(seen).catch(() => null);
              if (deployed === null) return false;
              connection.notify('info', versionWords.isLive(deployed.version));
              onClose();
              return true;
            }}
          />
        )}
      </Stack>
    </Modal>
  );
}
