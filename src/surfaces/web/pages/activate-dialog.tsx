/** Asks before another version is set live, and shows what changes for those who run the workflow, inside and outside. */
import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { listRefused, listUnasked, Refusals, Unasked } from '../deploy/refusals.tsx';
import { SheetChanges } from '../deploy/sheet-changes.tsx';
import { useDeploymentSheet, useNames } from '../deploy/use-sheets.ts';
import { describeDeployment, useDeployment, type People } from '../diff/compared-versions.ts';
import { DefinitionComparison } from '../diff/definition-comparison.tsx';
import { Failure, Waiting } from '../kit/page.tsx';
import { words } from '../words.ts';
import { sheetWords } from '../words-sheet.ts';
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
  const names = useNames();
  const nextSheet = useDeploymentSheet(workflowId, version?.id ?? null);
  const liveSheet = useDeploymentSheet(workflowId, version === null ? null : liveId);
  const isKnown =
    next.isSuccess && nextSheet.isSuccess && (liveId === null || (live.isSuccess && liveSheet.isSuccess));
  // One that is no longer valid has none, and sends nothing.
  const sheet = nextSheet.data ?? null;
  const refused = sheet === null ? [] : listRefused(sheet);
  return (
    <Modal
      opened={version !== null}
      onClose={onClose}
      size="min(1100px, 95vw)"
      title={`${versionWords.setLive}: ${version?.version ?? ''}`}
    >
      <Stack>
        <Failure error={next.error ?? live.error ?? nextSheet.error ?? liveSheet.error} />
        {isKnown ? (
          <>
            <Refusals rows={refused} names={names} />
            <Unasked rows={sheet === null ? [] : listUnasked(sheet)} names={names} />
            {sheet === null ? (
              <Text size="sm">{sheetWords.invalid}</Text>
            ) : (
              <SheetChanges live={liveSheet.data ?? null} next={sheet} names={names} />
            )}
            <DefinitionComparison
              before={describeDeployment(live.data, people)}
              after={describeDeployment(next.data, people)}
            />
          </>
        ) : (
          <Waiting />
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {words.cancel}
          </Button>
          <Button
            disabled={!isKnown || refused.length > 0}
            loading={isPending}
            onClick={() => onActivate(version?.id ?? '')}
          >
            {versionWords.setLive}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
