/** The endpoints: create (the secret is shown once), switch off, test, rotate, delete, and look at what was delivered. */
import { Button, Group, Stack, Table, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Bell } from 'lucide-react';
import { useState } from 'react';
import type { WorkflowClient } from '../../client/client.ts';
import { AddressRow, Problem } from '../kit/address-row.tsx';
import { ConfirmDialog } from '../kit/confirm-dialog.tsx';
import { DataTable } from '../kit/data-table.tsx';
import { EmptyState } from '../kit/empty-state.tsx';
import { moment } from '../kit/moment.ts';
import { Failure, Waiting } from '../kit/page.tsx';
import { notificationWords } from '../words-notifications.ts';
import { words } from '../words.ts';
import { EndpointLog } from './endpoint-log.tsx';
import { SecretDialog } from '../kit/secret-dialog.tsx';
import { EndpointDialog } from './endpoint-dialog.tsx';
import { useEndpoints, type Endpoint } from './use-endpoints.ts';

type RowAction = 'test' | 'log' | 'edit' | 'rotate' | 'delete';

const ROW_ACTIONS: readonly (readonly [RowAction, string])[] = [
  ['test', notificationWords.test],
  ['log', notificationWords.log],
  ['edit', notificationWords.edit],
  ['rotate', notificationWords.rotate],
  ['delete', notificationWords.delete],
];

interface EndpointsProps {
  readonly client: WorkflowClient;
  readonly organizationId: string;
}

export function Endpoints({ client, organizationId }: EndpointsProps) {
  const { list, change, act, save, secret, forgetSecret } = useEndpoints(client, organizationId);
  const [isCreating, setCreating] = useState(false);
  const [chosen, setChosen] = useState<{ readonly endpoint: Endpoint; readonly what: RowAction } | null>(
    null,
  );
  const endpoints = list.data?.endpoints ?? [];
  const workflows = useQuery({
    queryKey: [organizationId, 'workflows to choose'],
    queryFn: () => client.request('GET', '/workflows'),
  });
  const sure = chosen?.what === 'rotate' || chosen?.what === 'delete' ? chosen : null;
  const close = (): void => {
    setChosen(null);
    setCreating(false);
  };
  const begin = (endpoint: Endpoint, what: RowAction): void => {
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
        <DataTable
          heads={[
            words.name,
            notificationWords.url,
            notificationWords.workflows,
            notificationWords.lastDelivery,
            null,
          ]}
        >
          {endpoints.map((endpoint) => (
            <AddressRow
              key={endpoint.id}
              name={endpoint.name}
              url={endpoint.url}
              copyLabel={notificationWords.copyUrl}
              enableLabel={notificationWords.enable(endpoint.name)}
              isEnabled={endpoint.enabled}
              problem={endpoint.disabled_reason}
              rowActions={ROW_ACTIONS}
              onEnable={(enabled) => change.mutate({ endpointId: endpoint.id, body: { enabled } })}
              onAction={(what) => begin(endpoint, what)}
            >
              <Table.Td>
                {endpoint.workflow_ids === null
                  ? notificationWords.everyWorkflow
                  : notificationWords.onlyWorkflows(endpoint.workflow_ids.length)}
              </Table.Td>
              <Table.Td>
                {moment(endpoint.last_delivery_at) || words.never}
                {endpoint.failing_since !== null && (
                  <Problem text={notificationWords.failingSince(moment(endpoint.failing_since))} />
                )}
              </Table.Td>
            </AddressRow>
          ))}
        </DataTable>
      )}
      {(isCreating || chosen?.what === 'edit') && (
        <EndpointDialog
          endpoint={chosen?.endpoint ?? null}
          workflows={workflows.data?.workflows ?? []}
          onClose={close}
          onSave={(draft) => save(chosen?.endpoint ?? null, draft).then(close)}
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
