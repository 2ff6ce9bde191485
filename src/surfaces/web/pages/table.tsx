/** One table: its rows in pages by key, filtered, added, edited and deleted, with who wrote each last. */
import { Button, Group, Table, Text } from '@mantine/core';
import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Rows3 } from 'lucide-react';
import { useState } from 'react';
import { ConfirmDialog } from '../kit/confirm-dialog.tsx';
import { DataTable } from '../kit/data-table.tsx';
import { EmptyState } from '../kit/empty-state.tsx';
import { LoadMore } from '../kit/load-more.tsx';
import { moment } from '../kit/moment.ts';
import { Failure, Page, Waiting } from '../kit/page.tsx';
import { saveFile } from '../kit/save-file.ts';
import { TextLink } from '../kit/text-link.tsx';
import { usePeople } from '../people/use-people.ts';
import { RowDialog, type RowChange, type StoredRow } from '../tables/row-dialog.tsx';
import { RowFilters, toQuery, type RowFilter } from '../tables/row-filters.tsx';
import { tableWords } from '../words-tables.ts';
import { words } from '../words.ts';
import { UnreadPage } from './unread-page.tsx';

const route = getRouteApi('/tables/$tableId');
const useApp = () => route.useRouteContext().app;

const PAGE = 50;
/** Rows of one export: they are in memory before they are a file. */
const MAX_EXPORTED = 10_000;

function Writer({ row, people }: { readonly row: StoredRow; readonly people: ReadonlyMap<string, string> }) {
  if (row.run_pk !== null)
    return (
      <TextLink
        size="sm"
        to="/runs/$runPk"
        params={{ runPk: row.run_pk }}
        aria-label={`${tableWords.run}: ${row.key}`}
      >
        {tableWords.run}
      </TextLink>
    );
  return <>{people.get(row.updated_by ?? '') ?? tableWords.gone}</>;
}

interface RowProps {
  readonly row: StoredRow;
  readonly people: ReadonlyMap<string, string>;
  readonly onEdit: () => void;
  readonly onDelete: () => void;
}

const RowLine = ({ row, people, onEdit, onDelete }: RowProps) => (
  <Table.Tr>
    <Table.Td style={{ overflowWrap: 'anywhere' }}>
      <bdi>{row.key}</bdi>
    </Table.Td>
    <Table.Td>
      <Text ff="monospace" size="xs" lineClamp={3} style={{ overflowWrap: 'anywhere' }}>
        {JSON.stringify(row.value)}
      </Text>
    </Table.Td>
    <Table.Td>{row.version}</Table.Td>
    <Table.Td>
      <Writer row={row} people={people} />
    </Table.Td>
    <Table.Td>{moment(row.updated_at)}</Table.Td>
    <Table.Td>
      <Group gap={4} justify="flex-end" wrap="nowrap">
        <Button
          variant="default"
          size="compact-sm"
          aria-label={`${tableWords.edit}: ${row.key}`}
          onClick={onEdit}
        >
          {tableWords.edit}
        </Button>
        <Button
          variant="default"
          size="compact-sm"
          aria-label={`${words.remove}: ${row.key}`}
          onClick={onDelete}
        >
          {words.remove}
        </Button>
      </Group>
    </Table.Td>
  </Table.Tr>
);

/** Rows of a table, and the changes to them. */
function useRows(tableId: string, filter: RowFilter, onChanged: () => void) {
  const { client, organizationId } = useApp();
  const list = useInfiniteQuery({
    queryKey: [organizationId, 'table-rows', tableId, filter],
    queryFn: ({ pageParam: cursor }) =>
      client.tables
        .rows(tableId, { limit: PAGE, ...toQuery(filter), ...(cursor === null ? {} : { cursor }) })
        .page(),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
  });
  const look = (): void => {
    onChanged();
    void list.refetch();
  };
  const put = useMutation({
    mutationFn: ({ key, body }: RowChange) => client.tables.putRow({ tableId, key }, body),
    onSettled: look,
  });
  const remove = useMutation({
    mutationFn: ({ key, version }: StoredRow) =>
      client.tables.deleteRow({ tableId, key }, { expected_version: version }),
    onSettled: look,
  });
  const save = useMutation({
    mutationFn: async (name: string) => {
      const lines: string[] = [];
      let isCut = false;
      for await (const { key, value } of client.tables.rows(tableId, { limit: 100, ...toQuery(filter) })) {
        isCut = lines.length === MAX_EXPORTED;
        if (isCut) break;
        lines.push(`${JSON.stringify({ key, value })}\n`);
      }
      saveFile(`${name}.jsonl`, lines.join(''), 'application/jsonl');
      return isCut;
    },
  });
  return { list, put, remove, save };
}

interface RowsProps {
  readonly tableId: string;
  readonly name: string;
  readonly isAdding: boolean;
  readonly onAdded: () => void;
  readonly onChanged: () => void;
}

function Rows({ tableId, name, isAdding, onAdded, onChanged }: RowsProps) {
  const { client, organizationId } = useApp();
  const people = usePeople(client, organizationId);
  const [filter, setFilter] = useState<RowFilter>({});
  const [editing, setEditing] = useState<StoredRow | null>(null);
  const [leaving, setLeaving] = useState<StoredRow | null>(null);
  const { list, put, remove, save } = useRows(tableId, filter, onChanged);
  const rows = list.data?.pages.flatMap((page) => page.rows) ?? [];
  const isFiltered = Object.keys(toQuery(filter)).length > 0;
  const close = (): void => {
    setEditing(null);
    onAdded();
    put.reset();
  };
  return (
    <>
      <Group justify="space-between">
        <RowFilters filter={filter} onChange={setFilter} />
        <Button variant="default" loading={save.isPending} onClick={() => save.mutate(name)}>
          {tableWords.exportRows}
        </Button>
      </Group>
      {save.data === true && <Text role="status">{tableWords.tooMany(MAX_EXPORTED)}</Text>}
      <Failure error={list.error ?? save.error} />
      {list.isPending && <Waiting />}
      {list.isSuccess && rows.length === 0 && !list.hasNextPage && (
        <EmptyState
          icon={Rows3}
          title={isFiltered ? tableWords.noMatches : tableWords.noRows.title}
          {...(isFiltered ? {} : { text: tableWords.noRows.text })}
        />
      )}
      {rows.length > 0 && (
        <DataTable
          heads={[
            tableWords.key,
            tableWords.value,
            tableWords.version,
            tableWords.writtenBy,
            tableWords.changed,
            null,
          ]}
          numbers={[3]}
        >
          {rows.map((row) => (
            <RowLine
              key={row.key}
              row={row}
              people={people}
              onEdit={() => setEditing(row)}
              onDelete={() => setLeaving(row)}
            />
          ))}
        </DataTable>
      )}
      <LoadMore list={list} />
      {(isAdding || editing !== null) && (
        <RowDialog
          row={editing}
          isPending={put.isPending}
          error={put.error}
          onClose={close}
          onSave={(change) => put.mutate(change, { onSuccess: close })}
        />
      )}
      {leaving !== null && (
        <ConfirmDialog
          question={tableWords.deleteRow(leaving.key)}
          action={words.remove}
          isPending={remove.isPending}
          error={remove.error}
          onClose={() => {
            setLeaving(null);
            remove.reset();
          }}
          onConfirm={() => remove.mutate(leaving, { onSuccess: () => setLeaving(null) })}
        />
      )}
    </>
  );
}

export function TablePage() {
  const { tableId } = route.useParams();
  const { client, organizationId } = useApp();
  const [isAdding, setAdding] = useState(false);
  const table = useQuery({
    queryKey: [organizationId, 'table', tableId],
    queryFn: () => client.tables.get(tableId),
  });
  if (table.isPending) return <Waiting />;
  if (table.isError) return <UnreadPage title={words.tables} error={table.error} />;
  const { name, description, row_count: count } = table.data;
  return (
    <Page title={name} actions={<Button onClick={() => setAdding(true)}>{tableWords.newRow}</Button>}>
      {description !== '' && <Text>{description}</Text>}
      <Text c="dimmed">{tableWords.rowCount(count)}</Text>
      <Rows
        tableId={tableId}
        name={name}
        isAdding={isAdding}
        onAdded={() => setAdding(false)}
        onChanged={() => void table.refetch()}
      />
    </Page>
  );
}
