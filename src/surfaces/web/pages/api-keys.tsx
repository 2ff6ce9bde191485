/** API keys of programs: create (shown once), list, revoke. */
import { Button, Code, Group, Table } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Terminal } from 'lucide-react';
import { useState } from 'react';
import { ConfirmDialog } from '../kit/confirm-dialog.tsx';
import { DataTable } from '../kit/data-table.tsx';
import { EmptyState } from '../kit/empty-state.tsx';
import { moment } from '../kit/moment.ts';
import { Failure, Page, Waiting } from '../kit/page.tsx';
import { keyWords } from '../words-keys.ts';
import { words } from '../words.ts';
import { KeyNameDialog, NewKeyDialog } from './key-dialogs.tsx';
import { ServiceAccounts } from './service-accounts.tsx';

const route = getRouteApi('/api-keys');

/** The keys that still work, and the changes to them. */
function useKeys() {
  const { client, organizationId } = route.useRouteContext().app;
  const list = useQuery({
    queryKey: [organizationId, 'api-keys'],
    queryFn: () => client.apiKeys.list().page(),
  });
  const create = useMutation({
    mutationFn: (name: string) => client.apiKeys.create({ name, organization_id: organizationId }),
    onSuccess: () => list.refetch(),
    // The cache must not keep the key longer than the page shows it.
    gcTime: 0,
  });
  const revoke = useMutation({
    mutationFn: (keyId: string) => client.apiKeys.revoke(keyId),
    onSuccess: () => list.refetch(),
  });
  return { list, create, revoke, keys: (list.data?.api_keys ?? []).filter((key) => key.is_active) };
}

export function ApiKeysPage() {
  const { list, create, revoke, keys } = useKeys();
  const [isNaming, setNaming] = useState(false);
  const [revoking, setRevoking] = useState<{ readonly id: string; readonly name: string } | null>(null);
  return (
    <Page title={words.apiKeys} actions={<Button onClick={() => setNaming(true)}>{words.newKey}</Button>}>
      <Failure error={list.error} />
      {list.isPending && <Waiting />}
      {list.isSuccess && keys.length === 0 && (
        <EmptyState icon={Terminal} title={keyWords.noKeys.title} text={keyWords.noKeys.text} />
      )}
      {keys.length > 0 && (
        <DataTable heads={[words.name, words.key, words.lastUsed, words.expires, null]}>
          {keys.map((key) => (
            <Table.Tr key={key.id}>
              <Table.Td>{key.name}</Table.Td>
              <Table.Td>
                <Code>{key.masked_key}</Code>
              </Table.Td>
              <Table.Td>{moment(key.last_used_at) || words.never}</Table.Td>
              <Table.Td>{moment(key.expires_at) || words.never}</Table.Td>
              <Table.Td>
                <Group justify="flex-end">
                  <Button
                    variant="default"
                    size="compact-sm"
                    aria-label={`${words.revoke}: ${key.name}`}
                    onClick={() => setRevoking(key)}
                  >
                    {words.revoke}
                  </Button>
                </Group>
              </Table.Td>
            </Table.Tr>
          ))}
        </DataTable>
      )}
      {isNaming && (
        <KeyNameDialog
          title={words.newKey}
          isPending={create.isPending}
          error={create.error}
          onClose={() => setNaming(false)}
          onCreate={(name) => create.mutate(name, { onSuccess: () => setNaming(false) })}
        />
      )}
      {create.data !== undefined && <NewKeyDialog secret={create.data.key} onClose={() => create.reset()} />}
      <ConfirmDialog
        question={revoking === null ? null : keyWords.revokeSure(revoking.name)}
        action={words.revoke}
        isPending={revoke.isPending}
        error={revoke.error}
        onClose={() => setRevoking(null)}
        onConfirm={() => {
          if (revoking !== null) revoke.mutate(revoking.id, { onSuccess: () => setRevoking(null) });
        }}
      />
      <ServiceAccounts />
    </Page>
  );
}
