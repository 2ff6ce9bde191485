/** The deployments of a workflow: deployed with the difference against live, and set live. */
import { Alert, Badge, Button, Group, List, Stack, Table, Text, TextInput, Title } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { useCallback, useMemo, useState, useSyncExternalStore } from 'react';
import { isObject, ownValue, type JsonObject } from '../../../language/graph/values/value.ts';
import { isMocked } from '../canvas/kinds.ts';
import { readUnsent } from '../canvas/unsent-edits.ts';
import { moment } from '../kit/moment.ts';
import { Failure, Page, Waiting } from '../kit/page.tsx';
import { DataTable } from '../kit/data-table.tsx';
import { TextLink } from '../kit/text-link.tsx';
import { usePeople } from '../people/use-people.ts';
import { pinWords } from '../words-pins.ts';
import { useOwner } from '../kit/owner.ts';
import { words } from '../words.ts';
import { UnreadPage } from './unread-page.tsx';
import { readText } from '../canvas/binding.ts';
import {
  describeDeployment,
  describeDraft,
  describeEdit,
  findPerson,
  useDeployment,
} from '../diff/compared-versions.ts';
import { DefinitionComparison, type ComparedDefinition } from '../diff/definition-comparison.tsx';
import { isSameWork } from './definition-diff.ts';
import { ActivateDialog, type Version } from './activate-dialog.tsx';
import { useVersions } from './use-versions.ts';
import { versionWords } from '../words-versions.ts';

const route = getRouteApi('/workflows/$workflowId/versions');

interface RowProps {
  readonly row: Version;
  readonly person: string;
  readonly workflowId: string;
  readonly isBusy: boolean;
  readonly onActivate: () => void;
}

function VersionRow({ row, person, workflowId, isBusy, onActivate }: RowProps) {
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

interface DraftProps {
  readonly workflowId: string;
  readonly draft: ComparedDefinition;
  readonly liveId: string | null;
  readonly people: ReadonlyMap<string, string>;
  readonly isPending: boolean;
  readonly onDeploy: (note: string) => void;
}

/** Lists the nodes that return a fixed output: a deployment would set that live. */
function Mocks({ draft }: { readonly draft: JsonObject }) {
  const listed = ownValue(draft, 'nodes');
  const mocked = (Array.isArray(listed) ? listed : []).filter(isObject).filter(isMocked);
  if (mocked.length === 0) return null;
  return (
    <Alert color="orange" role="status" aria-label={pinWords.mocks}>
      {pinWords.mocksGoLive}
      <List>
        {mocked.map((node) => (
          <List.Item key={readText(node, 'id')}>{readText(node, 'name') || readText(node, 'id')}</List.Item>
        ))}
      </List>
    </Alert>
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

/** Shows the changes that a deployment would set live, and deploys. */
function DraftCard({ workflowId, draft, liveId, people, isPending, onDeploy }: DraftProps) {
  const [note, setNote] = useState('');
  const live = useDeployment(workflowId, liveId);
  const unsent = useUnsent(workflowId);
  const unchanged = useMemo(() => {
    if (live.data === undefined) return null;
    const { version, workflow_schema: deployed } = live.data;
    const isSame = isSameWork(deployed as unknown as JsonObject, draft.definition);
    return isSame ? versionWords.noChangesSince(version) : null;
  }, [live.data, draft.definition]);
  if (liveId !== null && live.data === undefined)
    return live.isError ? <Failure error={live.error} /> : <Waiting />;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        setNote('');
        onDeploy(note.trim());
      }}
    >
      <Stack gap="sm">
        <Title order={2} size="h4">
          {liveId === null ? versionWords.neverDeployed : versionWords.draftAgainstLive}
        </Title>
        <Mocks draft={draft.definition} />
        {unsent > 0 && (
          <Alert color="orange" role="status">
            {versionWords.unsent(unsent)}
          </Alert>
        )}
        <Group align="end">
          <TextInput
            label={versionWords.note}
            value={note}
            maxLength={500}
            onChange={(event) => setNote(event.currentTarget.value)}
          />
          <Button
            type="submit"
            loading={isPending}
            disabled={unsent > 0 || unchanged !== null}
            title={unchanged ?? undefined}
          >
            {versionWords.deploy}
          </Button>
        </Group>
        {/* Below the button: a first deployment lists the whole workflow. */}
        {unchanged === null ? (
          <DefinitionComparison before={describeDeployment(live.data, people)} after={draft} />
        ) : (
          <Text c="dimmed">{unchanged}</Text>
        )}
      </Stack>
    </form>
  );
}

export function VersionsPage() {
  const { workflowId } = route.useParams();
  const { client, organizationId } = route.useRouteContext().app;
  const people = usePeople(client, organizationId);
  const { draft, list, deploy, activate } = useVersions(workflowId);
  const [nextLive, setNextLive] = useState<Version | null>(null);
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
      <Failure error={deploy.error ?? activate.error} />
      {edit !== '' && (
        <Text size="sm" c="dimmed">
          {edit}
        </Text>
      )}
      <DraftCard
        workflowId={workflowId}
        draft={describeDraft(draft.data, people)}
        liveId={draft.data.live_deployment_id}
        people={people}
        isPending={deploy.isPending}
        onDeploy={(note) => deploy.mutate(note)}
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
            />
          ))}
        </DataTable>
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
