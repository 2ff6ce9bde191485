/** Asks before another version is set live, and shows what changes for those who run the workflow. */
import { Button, Group, Modal, Stack } from '@mantine/core';
import { describeDeployment, useDeployment, type People } from '../diff/compared-versions.ts';
import { DefinitionComparison } from '../diff/definition-comparison.tsx';
import { Failure, Waiting } from '../kit/page.tsx';
import { words } from '../words.ts';
import { versionWords } from '../words-versions.ts';

export interface Version {
  readonly id: string;
  readonly version: string;
  readonly deployment_note: string | null;
  readonly is_live: boolean;
  readonly created_at: string;
  readonly deployed_by: string | null;
}

interface ActivateProps {
  readonly workflowId: string;
  /** Null: the dialog is closed. */
  readonly version: Version | null;
  readonly liveId: string | null;
  readonly people: People;
  readonly isPending: boolean;
  readonly onClose: () => void;
  readonly onActivate: (deploymentId: string) => void;
}

export function ActivateDialog(props: ActivateProps) {
  const { workflowId, version, liveId, people, isPending, onClose, onActivate } = props;
  const next = useDeployment(workflowId, version?.id ?? null);
  const live = useDeployment(workflowId, version === null ? null : liveId);
  const isKnown = next.isSuccess && (liveId === null || live.isSuccess);
  return (
    <Modal
      opened={version !== null}
      onClose={onClose}
      size="min(1100px, 95vw)"
      title={`${versionWords.setLive}: ${version?.version ?? ''}`}
    >
      <Stack>
        <Failure error={next.error ?? live.error} />
        {isKnown ? (
          <DefinitionComparison
            before={describeDeployment(live.data, people)}
            after={describeDeployment(next.data, people)}
          />
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
