/** Accounts of other services: made, tried, renamed, given a new secret, deleted; and the integrations that take them. */
import { Alert, Badge, Button, Group, Table, Text, Title } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import type { Reply } from '../../client/operations.ts';
import type { Integration } from '../forms/account-fields.tsx';
import { CredentialDialog } from '../forms/credential-dialog.tsx';
import { useIntegrations } from '../forms/use-integrations.ts';
import { ChangeDialog, type CredentialRow } from './credential-change.tsx';
import { Uses } from './credential-uses.tsx';
import { ToolsDialog } from './credential-tools.tsx';
import { DataTable } from '../kit/data-table.tsx';
import { ConfirmDialog } from '../kit/confirm-dialog.tsx';
import { EmptyState } from '../kit/empty-state.tsx';
import { Failure, Page, Waiting } from '../kit/page.tsx';
import { RelativeTime } from '../kit/relative-time.tsx';
import { credentialWords } from '../words-credentials.ts';
import { words } from '../words.ts';

const route = getRouteApi('/credentials');
const LOOK_AGAIN_MS = 10_000;

const COLORS: Readonly<Record<CredentialRow['status'], string>> = {
  active: 'green',
  expired: 'orange',
  error: 'red',
  revoked: 'gray',
};
const ROW_ACTIONS = ['test', 'tools', 'change', 'delete'] as const;
type RowAction = (typeof ROW_ACTIONS)[number];

/** Names an integration as people know it; the managed model is the service's own and in no catalog. */
function nameIntegration(name: string, integrations: readonly Integration[]): string {
  if (name === 'managed') return words.managed;
  return integrations.find((one) => one.name === name)?.display_name ?? name;
}

interface RowProps {
  readonly row: CredentialRow;
  /** The name of its integration for people. */
  readonly label: string;
  readonly isTested: boolean;
  readonly onAction: (act: RowAction) => void;
}

function Row({ row, label, isTested, onAction }: RowProps) {
  const masked = Object.values(row.masked).join(' ');
  return (
    <Table.Tr>
      <Table.Td>
        {row.name}
        <Text size="sm" c="dimmed">
          {row.allowed_hosts.join(', ')}
        </Text>
      </Table.Td>
      <Table.Td>
        {label}
        <Text size="sm" c="dimmed">
          {masked}
        </Text>
      </Table.Td>
      <Table.Td>
        <Badge variant="dot" color={COLORS[row.status]}>
          {credentialWords.credentialStates[row.status]}
        </Badge>
        {row.status_message !== null && <Text size="sm">{row.status_message}</Text>}
      </Table.Td>
      <Table.Td>{row.last_used_at === null ? words.never : <RelativeTime at={row.last_used_at} />}</Table.Td>
      <Table.Td>
        <Group gap={4} justify="flex-end" wrap="nowrap">
          {ROW_ACTIONS.filter((act) => act !== 'tools' || row.integration === 'mcp').map((act) => (
            <Button
              key={act}
              variant="default"
              size="compact-sm"
              loading={act === 'test' && isTested}
              aria-label={`${credentialWords.credentialActs[act]}: ${row.name}`}
              onClick={() => onAction(act)}
            >
              {credentialWords.credentialActs[act]}
            </Button>
          ))}
        </Group>
      </Table.Td>
    </Table.Tr>
  );
}

interface CatalogProps {
  readonly integrations: readonly Integration[];
  readonly onConnect: (name: string) => void;
}

const Catalog = ({ integrations, onConnect }: CatalogProps) => (
  <DataTable heads={[words.integration, words.actions, null]}>
    {integrations.map(({ name, display_name: label, description, actions, connected }) => (
      <Table.Tr key={name}>
        <Table.Td>
          {label} {connected && <Badge variant="default">{words.connected}</Badge>}
          <Text size="sm" c="dimmed">
            {description}
          </Text>
        </Table.Td>
        <Table.Td>{actions.map(({ display_name: action }) => action).join(', ')}</Table.Td>
        <Table.Td>
          <Button
            variant="default"
            size="compact-sm"
            aria-label={`${words.connect}: ${label}`}
            onClick={() => onConnect(name)}
          >
            {words.connect}
          </Button>
        </Table.Td>
      </Table.Tr>
    ))}
  </DataTable>
);

/** Result of a test. */
function Verdict({ found }: { readonly found: Reply<'testCredential'> }) {
  return (
    <Alert color={found.success ? 'green' : 'red'} role="status">
      {found.message}
    </Alert>
  );
}

interface ChosenAction {
  readonly act: RowAction;
  readonly row: CredentialRow;
}

interface ActionDialogProps extends ChosenAction {
  readonly onClose: () => void;
  readonly onChanged: () => void;
}

/** The dialog of a row action. */
function ActionDialog({ act, row, onClose, onChanged }: ActionDialogProps) {
  const { client } = route.useRouteContext().app;
  const remove = useMutation({
    mutationFn: () => client.credentials.delete(row.credential_id),
    onSuccess: () => {
      onClose();
      onChanged();
    },
  });
  if (act === 'change') return <ChangeDialog row={row} onClose={onClose} onChanged={onChanged} />;
  if (act === 'tools') return <ToolsDialog row={row} onClose={onClose} />;
  return (
    <ConfirmDialog
      question={credentialWords.deleteCredential(row.name)}
      action={words.remove}
      isPending={remove.isPending}
      error={remove.error}
      onClose={onClose}
      onConfirm={() => remove.mutate()}
    >
      <Uses credentialId={row.credential_id} />
    </ConfirmDialog>
  );
}

export function CredentialsPage() {
  const { app } = route.useRouteContext();
  const { client, organizationId } = app;
  const [dialog, setDialog] = useState<ChosenAction | null>(null);
  const [connecting, setConnecting] = useState<string | null>(null);
  const list = useQuery({
    queryKey: [organizationId, 'credentials'],
    queryFn: () => client.credentials.list().page(),
    // A run uses a credential, or its provider refuses it, while the page is open.
    refetchInterval: LOOK_AGAIN_MS,
  });
  const catalog = useIntegrations(app);
  const look = (): void => void Promise.all([list.refetch(), catalog.refetch()]);
  const test = useMutation({
    mutationFn: (credentialId: string) => client.credentials.test(credentialId),
    onSuccess: look,
  });
  const ask = (act: RowAction, row: CredentialRow): void => {
    test.reset();
    if (act === 'test') test.mutate(row.credential_id);
    else setDialog({ act, row });
  };
  const rows = list.data?.credentials ?? [];
  return (
    <Page
      title={words.credentials}
      actions={<Button onClick={() => setConnecting('')}>{words.newCredential}</Button>}
    >
      <Failure error={list.error ?? catalog.error ?? test.error} />
      {test.data !== undefined && <Verdict found={test.data} />}
      {list.isPending && <Waiting />}
      {list.isSuccess && rows.length === 0 && (
        <EmptyState
          icon={KeyRound}
          title={credentialWords.noCredentials.title}
          text={credentialWords.noCredentials.text}
          action={
            <Button variant="light" onClick={() => setConnecting('')}>
              {credentialWords.noCredentials.action}
            </Button>
          }
        />
      )}
      {rows.length > 0 && (
        <DataTable heads={[words.name, words.integration, words.status, words.lastUsed, null]}>
          {rows.map((one) => (
            <Row
              key={one.credential_id}
              row={one}
              label={nameIntegration(one.integration, catalog.data?.integrations ?? [])}
              isTested={test.isPending && test.variables === one.credential_id}
              onAction={(act) => ask(act, one)}
            />
          ))}
        </DataTable>
      )}
      <Title order={2} size="h4">
        {words.integrations}
      </Title>
      {catalog.isSuccess && <Catalog integrations={catalog.data.integrations} onConnect={setConnecting} />}
      <CredentialDialog
        client={client}
        organizationId={organizationId}
        isOpen={connecting !== null}
        integration={connecting ?? ''}
        onClose={() => setConnecting(null)}
        onCreated={look}
      />
      {dialog !== null && <ActionDialog {...dialog} onClose={() => setDialog(null)} onChanged={look} />}
    </Page>
  );
}
