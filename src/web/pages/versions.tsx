/** The deployments of a workflow: deployed with the difference against live, compared, set live, taken back as the draft. */
import { Alert, Badge, Button, Group, List, Stack, Table, Text, TextInput, Title } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { isObject, ownValue, type JsonObject } from '../../graph/value.ts';
import { isMocked } from '../canvas/kinds.ts';
import { moment } from '../kit/moment.ts';
import { Failure, Page, Waiting } from '../kit/page.tsx';
import { DataTable } from '../kit/data-table.tsx';
import { TextLink } from '../kit/text-link.tsx';
import { usePeople } from '../people/use-people.ts';
import { pinWords } from '../words-pins.ts';
import { words } from '../words.ts';
import { readText } from '../canvas/binding.ts';
import {
  ActivateDialog,
  Changes,
  CompareDialog,
  NOTHING,
  useSnapshot,
  type Version,
} from './version-dialogs.tsx';
import { versionWords } from '../words-versions.ts';

const route = getRouteApi('/workflows/$workflowId/versions');
const PAGE = 50;

interface RowProps {
  readonly row: Version;
  readonly person: string;
  readonly isBusy: boolean;
  readonly onCompare: () => void;
  readonly onActivate: () => void;
}

function VersionRow({ row, person, isBusy, onCompare, onActivate }: RowProps) {
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
        <Group gap={4} justify="flex-end">
          <Button
            variant="subtle"
            size="compact-sm"
            aria-label={`${versionWords.compareDraft}: ${row.version}`}
            onClick={onCompare}
          >
            {versionWords.compareDraft}
          </Button>
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

/** The draft, the deployments, and what may be done with them. */
function useVersions(workflowId: string) {
  const { client, organizationId } = route.useRouteContext().app;
  const queries = useQueryClient();
  const key = [organizationId, 'workflow', workflowId];
  const onSuccess = (): Promise<void> => queries.invalidateQueries({ queryKey: key });
  const draft = useQuery({
    queryKey: [...key, 'draft'],
    queryFn: () => client.workflows.get(workflowId),
    // It was edited a moment ago, on the canvas.
    staleTime: 0,
  });
  const list = useQuery({
    queryKey: [...key, 'deployments'],
    queryFn: () => client.workflows.deployments(workflowId, { limit: PAGE }).page(),
  });
  const deploy = useMutation({
    mutationFn: (note: string) =>
      client.workflows.deploy(workflowId, note === '' ? {} : { deployment_note: note }),
    onSuccess,
  });
  const activate = useMutation({
    mutationFn: (deploymentId: string) => client.workflows.activate({ workflowId, deploymentId }),
    onSuccess,
  });
  return { draft, list, deploy, activate };
}

interface DraftProps {
  readonly workflowId: string;
  readonly draft: JsonObject;
  readonly liveId: string | null;
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

/** Shows the changes that a deployment would set live, and deploys. */
function DraftCard({ workflowId, draft, liveId, isPending, onDeploy }: DraftProps) {
  const [note, setNote] = useState('');
  const live = useSnapshot(workflowId, liveId);
  if (liveId !== null && live.data === undefined)
    return live.isError ? <Failure error={live.error} /> : <Waiting />;
  const before = (live.data?.workflow_schema ?? NOTHING) as unknown as JsonObject;
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
        <Mocks draft={draft} />
        <Group align="end">
          <TextInput
            label={versionWords.note}
            value={note}
            maxLength={500}
            onChange={(event) => setNote(event.currentTarget.value)}
          />
          <Button type="submit" loading={isPending}>
            {versionWords.deploy}
          </Button>
        </Group>
        {/* Below the button: a first deployment lists the whole workflow. */}
        <Changes before={before} after={draft} />
      </Stack>
    </form>
  );
}

export function VersionsPage() {
  const { workflowId } = route.useParams();
  const { client, organizationId } = route.useRouteContext().app;
  const people = usePeople(client, organizationId);
  const { draft, list, deploy, activate } = useVersions(workflowId);
  const [compared, setCompared] = useState<Version | null>(null);
  const [nextLive, setNextLive] = useState<Version | null>(null);
  if (draft.isPending || list.isPending) return <Waiting />;
  if (draft.isError || list.isError) return <Failure error={draft.error ?? list.error} />;
  const rows = list.data.deployments;
  const findPerson = (userId: string | null): string =>
    userId === null || people.size === 0 ? '' : (people.get(userId) ?? versionWords.formerMember);
  const { last_edited_by: editor, last_edited_at: editedAt } = draft.data;
  const definition = draft.data.workflow_schema as unknown as JsonObject;
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
      {editedAt !== null && findPerson(editor) !== '' && (
        <Text size="sm" c="dimmed">
          {versionWords.editedBy(findPerson(editor), moment(editedAt))}
        </Text>
      )}
      <DraftCard
        workflowId={workflowId}
        draft={definition}
        liveId={draft.data.live_deployment_id}
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
              person={findPerson(row.deployed_by)}
              isBusy={activate.isPending && activate.variables === row.id}
              onCompare={() => setCompared(row)}
              onActivate={() => setNextLive(row)}
            />
          ))}
        </DataTable>
      )}
      <CompareDialog
        workflowId={workflowId}
        version={compared}
        draft={definition}
        onClose={() => setCompared(null)}
      />
      <ActivateDialog
        workflowId={workflowId}
        version={nextLive}
        liveId={draft.data.live_deployment_id}
        isPending={activate.isPending}
        onClose={() => setNextLive(null)}
        onActivate={(deploymentId) => activate.mutate(deploymentId, { onSettled: () => setNextLive(null) })}
      />
    </Page>
  );
}
