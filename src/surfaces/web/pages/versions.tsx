/** The deployments of a workflow: deployed with the difference against live, and set live. */
import { Badge, Button, Group, Table, Text } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { lazy, Suspense, useCallback, useState, useSyncExternalStore } from 'react';
import { readUnsent } from '../canvas/unsent-edits.ts';
import { moment } from '../kit/moment.ts';
import { Failure, Page, Waiting } from '../kit/page.tsx';
import { DataTable } from '../kit/data-table.tsx';
import { TextLink } from '../kit/text-link.tsx';
import { usePeople } from '../people/use-people.ts';
import { useOwner } from '../kit/owner.ts';
import { words } from '../words.ts';
import { UnreadPage } from './unread-page.tsx';
import { DeployFailure } from '../deploy/deploy-failure.tsx';
import { DeployForm } from '../deploy/deploy-form.tsx';
import { describeDraft, describeEdit, findPerson } from '../diff/compared-versions.ts';
import { ActivateDialog, type Version } from './activate-dialog.tsx';
import { useVersions } from './use-versions.ts';
import { sheetWords } from '../words-sheet.ts';
import { versionWords } from '../words-versions.ts';

const SheetDialog = lazy(async () => ({ default: (await import('../deploy/sheet-dialog.tsx')).SheetDialog }));

const route = getRouteApi('/workflows/$workflowId/versions');

interface RowProps {
  readonly row: Version;
  readonly person: string;
  readonly workflowId: string;
  readonly isBusy: boolean;
  readonly onActivate: () => void;
  readonly onSheet: () => void;
}

function VersionRow({ row, person, workflowId, isBusy, onActivate, onSheet }: RowProps) {
  return (
    <Table.Tr>
      <Table.Td>
        {row.version}{' '}
        {row.is_live && (
          <Badge variant="dot" color="green">
            {versionWords.live}
          </Badge>
        )}
      </Table.Td>
      <Table.Td>{moment(row.created_at)}</Table.Td>
      <Table.Td style={{ overflowWrap: 'anywhere' }}>{person}</Table.Td>
      <Table.Td>{row.deployment_note}</Table.Td>
      <Table.Td>
        <Group gap="xs" justify="flex-end">
          <Button
            variant="default"
            size="compact-sm"
            aria-label={sheetWords.of(row.version)}
            onClick={onSheet}
          >
            {sheetWords.show}
          </Button>
          <TextLink
            to="/workflows/$workflowId/compare"
            params={{ workflowId }}
            search={{ from: row.id }}
            size="sm"
            aria-label={`${versionWords.compareDraft}: ${row.version}`}
          >
            {versionWords.compareDraft}
          </TextLink>
          {!row.is_live && (
            <Button
              variant="default"
              size="compact-sm"
              loading={isBusy}
              aria-label={`${versionWords.setLive}: ${row.version}`}
              onClick={onActivate}
            >
              {versionWords.setLive}
            </Button>
          )}
        </Group>
      </Table.Td>
    </Table.Tr>
  );
}

/** Returns the number of edits of this tab that a deployment would lack, also while the canvas that was left sends them. */
function useUnsent(workflowId: string): number {
  const { leaving } = route.useRouteContext().app;
  const owner = useOwner();
  const subscribe = useCallback(
    (listener: () => void) => leaving.get(workflowId)?.subscribe(listener) ?? (() => undefined),
    [leaving, workflowId],
  );
  return useSyncExternalStore(subscribe, () => readUnsent({ ...owner, workflowId }));
}

export function VersionsPage() {
  const { workflowId } = route.useParams();
  const { client, organizationId } = route.useRouteContext().app;
  const people = usePeople(client, organizationId);
  const { draft, list, deploy, activate } = useVersions(workflowId);
  const unsent = useUnsent(workflowId);
  const [nextLive, setNextLive] = useState<Version | null>(null);
  const [shown, setShown] = useState<Version | null>(null);
  if (draft.isPending || list.isPending) return <Waiting />;
  if (draft.isError || list.isError)
    return <UnreadPage title={words.versions} error={draft.error ?? list.error} />;
  const rows = list.data;
  const edit = describeEdit(draft.data, people);
  return (
    <Page
      title={`${words.versions}: ${draft.data.name}`}
      actions={
        <>
          <TextLink to="/workflows/$workflowId/webhooks" params={{ workflowId }} size="sm">
            {versionWords.toWebhooks}
          </TextLink>
          <TextLink to="/workflows/$workflowId" params={{ workflowId }} search={{}} size="sm">
            {versionWords.toCanvas}
          </TextLink>
        </>
      }
    >
      <DeployFailure error={deploy.error} />
      <Failure error={activate.error} />
      {edit !== '' && (
        <Text size="sm" c="dimmed">
          {edit}
        </Text>
      )}
      <DeployForm
        workflowId={workflowId}
        draft={describeDraft(draft.data, people)}
        liveId={draft.data.live_deployment_id}
        people={people}
        waiting={unsent > 0 ? versionWords.unsent(unsent) : null}
        isSettled
        isPending={deploy.isPending}
        onDeploy={(seen) =>
          deploy.mutateAsync(seen).then(
            () => true,
            () => false,
          )
        }
      />
      {rows.length > 0 && (
        <DataTable
          heads={[
            versionWords.version,
            versionWords.deployed,
            versionWords.deployedBy,
            versionWords.note,
            null,
          ]}
        >
          {rows.map((row) => (
            <VersionRow
              key={row.id}
              row={row}
              person={findPerson(row.deployed_by, people)}
              workflowId={workflowId}
              isBusy={activate.isPending && activate.variables === row.id}
              onActivate={() => setNextLive(row)}
              onSheet={() => setShown(row)}
            />
          ))}
        </DataTable>
      )}
      {shown !== null && (
        <Suspense>
          <SheetDialog workflowId={workflowId} version={shown} onClose={() => setShown(null)} />
        </Suspense>
      )}
      <ActivateDialog
        workflowId={workflowId}
        version={nextLive}
        liveId={draft.data.live_deployment_id}
        people={people}
        isPending={activate.isPending}
        onClose={() => setNextLive(null)}
        onActivate={(deploymentId) => activate.mutate(deploymentId, { onSettled: () => setNextLive(null) })}
      />
    </Page>
  );
}
