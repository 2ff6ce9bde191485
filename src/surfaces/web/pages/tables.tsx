/** The tables of the organization: created, opened, deleted with their rows. */
import { Button, Group, Table, Text, TextInput } from '@mantine/core';
import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Table2 } from 'lucide-react';
import { useState } from 'react';
import type { Body, Reply } from '../../client/operations.ts';
import { ConfirmDialog } from '../kit/confirm-dialog.tsx';
import { DataTable } from '../kit/data-table.tsx';
import { EmptyState } from '../kit/empty-state.tsx';
import { withoutFields } from '../kit/field-problem.ts';
import { FormDialog } from '../kit/form-dialog.tsx';
import { LoadMore } from '../kit/load-more.tsx';
import { moment } from '../kit/moment.ts';
import { NameInput } from '../kit/name-input.tsx';
import { Failure, Page, Waiting } from '../kit/page.tsx';
import { TextLink } from '../kit/text-link.tsx';
import { tableWords } from '../words-tables.ts';
import { words } from '../words.ts';

const route = getRouteApi('/tables');

type StoredTable = Reply<'listTables'>['tables'][number];

interface NewProps {
  readonly isPending: boolean;
  readonly error: Error | null;
  readonly onClose: () => void;
  readonly onCreate: (body: Body<'createTable'>) => void;
}

function NewTable({ isPending, error, onClose, onCreate }: NewProps) {
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  return (
    <FormDialog
      title={tableWords.newTable}
      action={words.create}
      isReady={name.trim() !== ''}
      isPending={isPending}
      error={withoutFields(error, ['name'])}
      onClose={onClose}
      onSubmit={() => onCreate({ name: name.trim(), description: description.trim() })}
    >
      <NameInput value={name} error={error} onChange={setName} />
      <TextInput
        label={tableWords.purpose}
        maxLength={1_000}
        value={description}
        onChange={({ currentTarget }) => setDescription(currentTarget.value)}
      />
    </FormDialog>
  );
}

const TableRow = ({ table, onDelete }: { readonly table: StoredTable; readonly onDelete: () => void }) => (
  <Table.Tr>
    <Table.Td>
      <TextLink to="/tables/$tableId" params={{ tableId: table.id }}>
        {table.name}
      </TextLink>
      {table.description !== '' && (
        <Text size="sm" c="dimmed" lineClamp={2}>
          {table.description}
        </Text>
      )}
    </Table.Td>
    <Table.Td>{table.row_count.toLocaleString()}</Table.Td>
    <Table.Td>{moment(table.created_at)}</Table.Td>
    <Table.Td>
      <Group justify="flex-end">
        <Button
          variant="default"
          size="compact-sm"
          aria-label={`${words.remove}: ${table.name}`}
          onClick={onDelete}
        >
          {words.remove}
        </Button>
      </Group>
    </Table.Td>
  </Table.Tr>
);

export function TablesPage() {
  const { client, organizationId } = route.useRouteContext().app;
  const navigate = route.useNavigate();
  const [leaving, setLeaving] = useState<StoredTable | null>(null);
  const [isCreating, setCreating] = useState(false);
  const list = useInfiniteQuery({
    queryKey: [organizationId, 'tables'],
    queryFn: ({ pageParam: cursor }) =>
      client.tables.list({ limit: 50, ...(cursor === null ? {} : { cursor }) }).page(),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
  });
  const create = useMutation({
    mutationFn: (body: Body<'createTable'>) => client.tables.create(body),
    onSuccess: ({ id }) => void navigate({ to: '/tables/$tableId', params: { tableId: id } }),
  });
  const remove = useMutation({
    mutationFn: (tableId: string) => client.tables.delete(tableId),
    onSuccess: () => {
      setLeaving(null);
      void list.refetch();
    },
  });
  const rows = list.data?.pages.flatMap(({ tables }) => tables) ?? [];
  return (
    <Page
      title={words.tables}
      actions={<Button onClick={() => setCreating(true)}>{tableWords.newTable}</Button>}
    >
      <Failure error={list.error} />
      {list.isPending && <Waiting />}
      {list.isSuccess && rows.length === 0 && (
        <EmptyState
          icon={Table2}
          title={tableWords.none.title}
          text={tableWords.none.text}
          action={
            <Button variant="light" onClick={() => setCreating(true)}>
              {tableWords.none.action}
            </Button>
          }
        />
      )}
      {rows.length > 0 && (
        <DataTable heads={[words.name, tableWords.rows, tableWords.made, null]} numbers={[2]}>
          {rows.map((table) => (
            <TableRow key={table.id} table={table} onDelete={() => setLeaving(table)} />
          ))}
        </DataTable>
      )}
      <LoadMore list={list} />
      {isCreating && (
        <NewTable
          isPending={create.isPending}
          error={create.error}
          onClose={() => {
            setCreating(false);
            create.reset();
          }}
          onCreate={(body) => create.mutate(body)}
        />
      )}
      {leaving !== null && (
        <ConfirmDialog
          question={tableWords.deleteTable(leaving.name, leaving.row_count)}
          action={words.remove}
          isPending={remove.isPending}
          error={remove.error}
          onClose={() => setLeaving(null)}
          onConfirm={() => remove.mutate(leaving.id)}
        />
      )}
    </Page>
  );
}
