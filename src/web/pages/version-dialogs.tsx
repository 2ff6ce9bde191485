/** A version against the draft, and against what is live: the dialogs before it is restored or set live. */
import { Button, Group, List, Modal, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { JsonObject } from '../../graph/value.ts';
import { Failure, Waiting } from '../kit/page.tsx';
import { TextLink } from '../kit/text-link.tsx';
import { words } from '../words.ts';
import { ChangeLine } from './change-line.tsx';
import { listDefinitionChanges } from './definition-diff.ts';
import type { Definitions } from './describe-change.ts';
import { versionWords } from '../words-versions.ts';

const route = getRouteApi('/workflows/$workflowId/versions');
export const NOTHING: JsonObject = { nodes: [], edges: [] };

/** Lists the changes between two definitions. */
export function Changes(definitions: Definitions) {
  const changes = listDefinitionChanges(definitions.before, definitions.after);
  if (changes.length === 0) return <Text c="dimmed">{versionWords.noChanges}</Text>;
  return (
    <List listStyleType="none" spacing="xs">
      {changes.map((change) => (
        <List.Item key={`${change.what} ${change.id}`}>
          <ChangeLine change={change} definitions={definitions} />
        </List.Item>
      ))}
    </List>
  );
}

export interface Version {
  readonly id: string;
  readonly version: string;
  readonly deployment_note: string | null;
  readonly is_live: boolean;
  readonly created_at: string;
  readonly deployed_by: string | null;
}

export function useSnapshot(workflowId: string, deploymentId: string | null) {
  const { client, organizationId } = route.useRouteContext().app;
  return useQuery({
    queryKey: [organizationId, 'workflow', workflowId, 'deployment', deploymentId],
    queryFn: () => client.workflows.getDeployment({ workflowId, deploymentId: deploymentId ?? '' }),
    enabled: deploymentId !== null,
    staleTime: 'static',
  });
}

interface CompareProps {
  readonly workflowId: string;
  /** Null: the dialog is closed. */
  readonly version: Version | null;
  readonly draft: JsonObject;
  readonly onClose: () => void;
}

export function CompareDialog({ workflowId, version, draft, onClose }: CompareProps) {
  const snapshot = useSnapshot(workflowId, version?.id ?? null);
  const definition = snapshot.data?.workflow_schema as unknown as JsonObject | undefined;
  const isDifferent = definition !== undefined && listDefinitionChanges(definition, draft).length > 0;
  return (
    <Modal
      opened={version !== null}
      onClose={onClose}
      size="lg"
      title={versionWords.sinceVersion(version?.version ?? '')}
    >
      <Stack>
        <Failure error={snapshot.error} />
        {definition === undefined ? <Waiting /> : <Changes before={definition} after={draft} />}
        {version !== null && isDifferent && (
          <Group justify="flex-end">
            <Text size="sm" c="dimmed">
              {versionWords.restoreWhy}
            </Text>
            <TextLink to="/workflows/$workflowId" params={{ workflowId }} search={{ restore: version.id }}>
              {versionWords.restore}
            </TextLink>
          </Group>
        )}
      </Stack>
    </Modal>
  );
}

interface ActivateProps {
  readonly workflowId: string;
  /** Null: the dialog is closed. */
  readonly version: Version | null;
  readonly liveId: string | null;
  readonly isPending: boolean;
  readonly onClose: () => void;
  readonly onActivate: (deploymentId: string) => void;
}

/** Asks before another version is set live, with what that changes for those who run what is live. */
export function ActivateDialog({
  workflowId,
  version,
  liveId,
  isPending,
  onClose,
  onActivate,
}: ActivateProps) {
  const next = useSnapshot(workflowId, version?.id ?? null);
  const live = useSnapshot(workflowId, version === null ? null : liveId);
  const isKnown = next.isSuccess && (liveId === null || live.isSuccess);
  const before = (live.data?.workflow_schema ?? NOTHING) as unknown as JsonObject;
  return (
    <Modal
      opened={version !== null}
      onClose={onClose}
      size="lg"
      title={`${versionWords.setLive}: ${version?.version ?? ''}`}
    >
      <Stack>
        <Failure error={next.error ?? live.error} />
        {isKnown ? (
          <Changes before={before} after={next.data.workflow_schema as unknown as JsonObject} />
        ) : (
          <Waiting />
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {words.cancel}
          </Button>
          <Button disabled={!isKnown} loading={isPending} onClick={() => onActivate(version?.id ?? '')}>
            {versionWords.setLive}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
