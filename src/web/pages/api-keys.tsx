/** The keys with which programs call the API: made (told once), listed, revoked. */
import { Alert, Button, Code, Table, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { moment } from '../kit/moment.ts';
import { Failure, Page, Waiting } from '../kit/page.tsx';
import { DataTable } from '../kit/data-table.tsx';
import { LineForm } from '../kit/line-form.tsx';
import { words } from '../words.ts';

const route = getRouteApi('/api-keys');

export function ApiKeysPage() {
  const { client, organizationId } = route.useRouteContext().app;
  const list = useQuery({
    queryKey: [organizationId, 'api-keys'],
    queryFn: () => client.apiKeys.list().page(),
  });
  const create = useMutation({
    mutationFn: (name: string) => client.apiKeys.create({ name, organization_id: organizationId }),
    onSuccess: () => list.refetch(),
    // The key itself is kept nowhere longer than this page shows it.
    gcTime: 0,
  });
  const revoke = useMutation({
    mutationFn: (keyId: string) => client.apiKeys.revoke(keyId),
    onSuccess: () => list.refetch(),
  });
  const keys = (list.data?.api_keys ?? []).filter((key) => key.is_active);
  return (
    <Page title={words.apiKeys}>
      <LineForm
        label={words.name}
        action={words.newKey}
        maxLength={100}
        isPending={create.isPending}
        onSend={(name) => create.mutate(name)}
      />
      <Failure error={list.error ?? create.error ?? revoke.error} />
      {create.data !== undefined && (
        <Alert color="green" title={words.keyOnce} role="status">
          <Code block tabIndex={0}>
            {create.data.key}
          </Code>
        </Alert>
      )}
      {list.isPending && <Waiting />}
      {list.isSuccess && keys.length === 0 && <Text c="dimmed">{words.noKeys}</Text>}
      {keys.length > 0 && (
        <DataTable heads={[words.name, words.key, words.lastUsed, words.expires, null]}>
          {keys.map((key) => (
            <Table.Tr key={key.id}>
              <Table.Td>{key.name}</Table.Td>
              <Table.Td>{key.masked_key}</Table.Td>
              <Table.Td>{moment(key.last_used_at) || words.never}</Table.Td>
              <Table.Td>{moment(key.expires_at) || words.never}</Table.Td>
              <Table.Td>
                <Button
                  variant="default"
                  size="compact-sm"
                  loading={revoke.isPending && revoke.variables === key.id}
                  aria-label={`${words.revoke}: ${key.name}`}
                  onClick={() => revoke.mutate(key.id)}
                >
                  {words.revoke}
                </Button>
              </Table.Td>
            </Table.Tr>
          ))}
        </DataTable>
      )}
    </Page>
  );
}
