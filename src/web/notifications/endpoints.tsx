/** The endpoints: create (the secret is shown once), switch off, test, rotate, delete, and look at what was delivered. */
import { Button, Code, CopyButton, Group, Stack, Switch, Table, Text, Title } from '@mantine/core';
import { Bell } from 'lucide-react';
import { useState } from 'react';
import type { WorkflowClient } from '../../client/client.ts';
import { ConfirmDialog } from '../kit/confirm-dialog.tsx';
import { DataTable } from '../kit/data-table.tsx';
import { EmptyState } from '../kit/empty-state.tsx';
import { moment } from '../kit/moment.ts';
import { Failure, Waiting } from '../kit/page.tsx';
import { notificationWords } from '../words-notifications.ts';
import { words } from '../words.ts';
import { EndpointLog } from './endpoint-log.tsx';
import { SecretDialog } from '../kit/secret-dialog.tsx';
import { NewEndpoint } from './new-endpoint.tsx';
import { useEndpoints, type Endpoint } from './use-endpoints.ts';

type Act = 'test' | 'log' | 'rotate' | 'delete';

const ACTS: readonly (readonly [Act, string])[] = [
  ['test', notificationWords.test],
  ['log', notificationWords.log],
  ['rotate', notificationWords.rotate],
  ['delete', notificationWords.delete],
];

interface EndpointRowProps {
  readonly endpoint: Endpoint;
  readonly onEnable: (enabled: boolean) => void;
  readonly onAct: (act: Act) => void;
}

const EndpointRow = ({ endpoint, onEnable, onAct }: EndpointRowProps) => (
  <Table.Tr>
    <Table.Td>
      <Switch
        label={endpoint.name}
        aria-label={notificationWords.enable(endpoint.name)}
        checked={endpoint.enabled}
        onChange={({ currentTarget }) => onEnable(currentTarget.checked)}
      />
      {endpoint.disabled_reason !== null && (
        <Text size="sm" c="red.9">
          {endpoint.disabled_reason}
        </Text>
      )}
    </Table.Td>
    <Table.Td>
      <Group gap="xs" wrap="nowrap">
        <Code style={{ overflowWrap: 'anywhere' }}>{endpoint.url}</Code>
        <CopyButton value={endpoint.url}>
          {({ copied, copy }) => (
            <Button variant="default" size="compact-sm" aria-label={notificationWords.copyUrl} onClick={copy}>
              {copied ? words.copied : words.copy}
            </Button>
          )}
        </CopyButton>
      </Group>
    </Table.Td>
    <Table.Td>
      {moment(endpoint.last_delivery_at) || words.never}
      {endpoint.failing_since !== null && (
        <Text size="sm" c="red.9">
          {notificationWords.failingSince(moment(endpoint.failing_since))}
        </Text>
      )}
    </Table.Td>
    <Table.Td>
      <Group gap="xs" justify="flex-end" wrap="nowrap">
        {ACTS.map(([act, label]) => (
          <Button
            key={act}
            variant="default"
            size="compact-sm"
            aria-label={`${label}: ${endpoint.name}`}
            onClick={() => onAct(act)}
          >
            {label}
          </Button>
        ))}
      </Group>
    </Table.Td>
  </Table.Tr>
);

interface EndpointsProps {
  readonly client: WorkflowClient;
  readonly organizationId: string;
}

export function Endpoints({ client, organizationId }: EndpointsProps) {
  const { list, change, act, create, createEndpoint, secret, forgetSecret } = useEndpoints(
    client,
    organizationId,
  );
  const [isCreating, setCreating] = useState(false);
  const [chosen, setChosen] = useState<{ readonly endpoint: Endpoint; readonly what: Act } | null>(null);
  const endpoints = list.data?.endpoints ?? [];
  const sure = chosen?.what === 'rotate' || chosen?.what === 'delete' ? chosen : null;
  const close = (): void => setChosen(null);
  const begin = (endpoint: Endpoint, what: Act): void => {
    if (what !== 'test') setChosen({ endpoint, what });
    // The log shows the result of the test.
    else act.mutate({ endpoint, what }, { onSuccess: () => setChosen({ endpoint, what: 'log' }) });
  };
  const newButton = (label: string) => <Button onClick={() => setCreating(true)}>{label}</Button>;
  return (
    <Stack component="section" aria-label={notificationWords.endpoints}>
      <Group justify="space-between">
        <Title order={2} size="h4">
          {notificationWords.endpoints}
        </Title>
        {endpoints.length > 0 && newButton(notificationWords.newEndpoint)}
      </Group>
      <Failure error={list.error ?? change.error ?? (sure === null ? act.error : null)} />
      {list.isPending && <Waiting />}
      {list.isSuccess && endpoints.length === 0 && (
        <EmptyState
          icon={Bell}
          title={notificationWords.none.title}
          text={notificationWords.none.text}
          action={newButton(notificationWords.none.action)}
        />
      )}
      {endpoints.length > 0 && (
        <DataTable heads={[words.name, notificationWords.url, notificationWords.lastDelivery, null]}>
          {endpoints.map((endpoint) => (
            <EndpointRow
              key={endpoint.id}
              endpoint={endpoint}
              onEnable={(enabled) => change.mutate({ endpointId: endpoint.id, body: { enabled } })}
              onAct={(what) => begin(endpoint, what)}
            />
          ))}
        </DataTable>
      )}
      {isCreating && (
        <NewEndpoint
          isPending={create.isPending}
          error={create.error}
          onClose={() => setCreating(false)}
          onCreate={(draft) => createEndpoint(draft, () => setCreating(false))}
        />
      )}
      {secret !== null && (
        <SecretDialog {...secret} text={notificationWords.secretOnce} onClose={forgetSecret} />
      )}
      {chosen?.what === 'log' && <EndpointLog client={client} endpoint={chosen.endpoint} onClose={close} />}
      <ConfirmDialog
        question={
          sure === null
            ? null
            : sure.what === 'rotate'
              ? notificationWords.rotateSure(sure.endpoint.name)
              : notificationWords.deleteSure(sure.endpoint.name)
        }
        action={sure?.what === 'rotate' ? notificationWords.rotate : notificationWords.delete}
        isPending={act.isPending}
        error={act.error}
        onClose={close}
        onConfirm={() => {
          if (sure?.what === 'rotate' || sure?.what === 'delete')
            act.mutate({ endpoint: sure.endpoint, what: sure.what }, { onSuccess: close });
        }}
      />
    </Stack>
  );
}
