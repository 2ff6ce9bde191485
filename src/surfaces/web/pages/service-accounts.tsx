/** Service accounts of the organization: create, change, make a key (shown once), delete. */
import { Button, Group, Table, Text, Title } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import type { ServiceAccount, ServiceAccountChange } from '../../client/openapi.ts';
import { ConfirmDialog } from '../kit/confirm-dialog.tsx';
import { DataTable } from '../kit/data-table.tsx';
import { moment } from '../kit/moment.ts';
import { Failure, Waiting } from '../kit/page.tsx';
import { keyWords } from '../words-keys.ts';
import { words } from '../words.ts';
import { KeyNameDialog, NewKeyDialog } from './key-dialogs.tsx';
import { ServiceAccountDialog } from './service-account-dialog.tsx';

const route = getRouteApi('/api-keys');

interface AccountRef {
  readonly id: string;
  readonly name: string;
}

function useAccounts() {
  const { client, organizationId } = route.useRouteContext().app;
  const list = useQuery({
    queryKey: [organizationId, 'service-accounts'],
    queryFn: () => client.serviceAccounts.list().page(),
  });
  const create = useMutation({
    mutationFn: (name: string) => client.serviceAccounts.create({ name }),
    onSuccess: () => list.refetch(),
  });
  const createKey = useMutation({
    mutationFn: ({ id, name }: AccountRef) => client.serviceAccounts.createKey(id, { name }),
    // The cache must not keep the key longer than the page shows it.
    gcTime: 0,
  });
  const update = useMutation({
    mutationFn: ({ id, change }: { readonly id: string; readonly change: ServiceAccountChange }) =>
      client.serviceAccounts.update(id, change),
    onSuccess: () => list.refetch(),
  });
  const remove = useMutation({
    mutationFn: (id: string) => client.serviceAccounts.delete(id),
    onSuccess: () => list.refetch(),
  });
  return { list, create, createKey, update, remove, accounts: list.data?.service_accounts ?? [] };
}

export function ServiceAccounts() {
  const { list, create, createKey, update, remove, accounts } = useAccounts();
  const [isNaming, setNaming] = useState(false);
  const [changing, setChanging] = useState<ServiceAccount | null>(null);
  const [deleting, setDeleting] = useState<AccountRef | null>(null);
  return (
    <section aria-label={keyWords.serviceAccounts.title}>
      <Group justify="space-between" mt="xl" mb="xs">
        <Title order={2} size="h4">
          {keyWords.serviceAccounts.title}
        </Title>
        <Button variant="default" onClick={() => setNaming(true)}>
          {keyWords.serviceAccounts.create}
        </Button>
      </Group>
      <Text c="dimmed" mb="md">
        {keyWords.serviceAccounts.text}
      </Text>
      <Failure error={list.error ?? createKey.error} />
      {list.isPending && <Waiting />}
      {accounts.length > 0 && (
        <DataTable
          heads={[
            words.name,
            words.role,
            keyWords.serviceAccounts.perMinute,
            keyWords.serviceAccounts.createdBy,
            keyWords.serviceAccounts.created,
            null,
          ]}
        >
          {accounts.map((account) => (
            <Table.Tr key={account.id}>
              <Table.Td>{account.name}</Table.Td>
              <Table.Td>{account.role === 'owner' ? words.roles.owner : words.roles.admin}</Table.Td>
              <Table.Td>{account.rate_limit_per_minute}</Table.Td>
              <Table.Td>{account.created_by_email}</Table.Td>
              <Table.Td>{moment(account.created_at)}</Table.Td>
              <Table.Td>
                <Group justify="flex-end" gap="xs">
                  <Button
                    variant="default"
                    size="compact-sm"
                    aria-label={`${words.newKey}: ${account.name}`}
                    loading={createKey.isPending && createKey.variables.id === account.id}
                    onClick={() => createKey.mutate({ id: account.id, name: account.name })}
                  >
                    {words.newKey}
                  </Button>
                  <Button
                    variant="default"
                    size="compact-sm"
                    aria-label={`${keyWords.serviceAccounts.edit}: ${account.name}`}
                    onClick={() => setChanging(account)}
                  >
                    {keyWords.serviceAccounts.edit}
                  </Button>
                  <Button
                    variant="default"
                    size="compact-sm"
                    aria-label={`${keyWords.serviceAccounts.delete}: ${account.name}`}
                    onClick={() => setDeleting(account)}
                  >
                    {keyWords.serviceAccounts.delete}
                  </Button>
                </Group>
              </Table.Td>
            </Table.Tr>
          ))}
        </DataTable>
      )}
      {isNaming && (
        <KeyNameDialog
          title={keyWords.serviceAccounts.create}
          isPending={create.isPending}
          error={create.error}
          onClose={() => setNaming(false)}
          onCreate={(name) => create.mutate(name, { onSuccess: () => setNaming(false) })}
        />
      )}
      {createKey.data !== undefined && (
        <NewKeyDialog secret={createKey.data.key} onClose={() => createKey.reset()} />
      )}
      {changing !== null && (
        <ServiceAccountDialog
          account={changing}
          isPending={update.isPending}
          error={update.error}
          onClose={() => {
            update.reset();
            setChanging(null);
          }}
          onSave={(change) =>
            update.mutate({ id: changing.id, change }, { onSuccess: () => setChanging(null) })
          }
        />
      )}
      <ConfirmDialog
        question={deleting === null ? null : keyWords.serviceAccounts.deleteSure(deleting.name)}
        action={keyWords.serviceAccounts.delete}
        isPending={remove.isPending}
        error={remove.error}
        onClose={() => setDeleting(null)}
        onConfirm={() => {
          if (deleting !== null) remove.mutate(deleting.id, { onSuccess: () => setDeleting(null) });
        }}
      />
    </section>
  );
}
