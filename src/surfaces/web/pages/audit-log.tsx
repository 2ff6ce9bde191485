/** The audit log: who did what in the organization, when and from where; filtered, and exported as JSON Lines. */
import { Button, Code, Select, SimpleGrid, Table, Text, TextInput } from '@mantine/core';
import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { ScrollText } from 'lucide-react';
import { useState } from 'react';
import type { Reply } from '../../client/operations.ts';
import { DataTable } from '../kit/data-table.tsx';
import { EmptyState } from '../kit/empty-state.tsx';
import { moment } from '../kit/moment.ts';
import { LoadMore } from '../kit/load-more.tsx';
import { Failure, Page, Waiting } from '../kit/page.tsx';
import { saveLines } from '../kit/save-file.ts';
import { usePeople } from '../people/use-people.ts';
import { auditWords } from '../words-audit.ts';
import { words } from '../words.ts';

const route = getRouteApi('/audit-log');

type Entry = Reply<'listAuditLog'>['entries'][number];

interface Filter {
  readonly actor: string | null;
  readonly type: string | null;
  /** Local times, as the inputs have them; empty: none. */
  readonly from: string;
  readonly to: string;
}

const NO_FILTER: Filter = { actor: null, type: null, from: '', to: '' };
const TYPES = Object.entries(auditWords.types).map(([value, label]) => ({ value, label }));

const toQuery = ({ actor, type, from, to }: Filter) => ({
  ...(actor === null ? {} : { actor_id: actor }),
  ...(type === null ? {} : { action: type }),
  ...(from === '' ? {} : { since: new Date(from).toISOString() }),
  ...(to === '' ? {} : { until: new Date(to).toISOString() }),
});

const describeActor = ({ actor }: Entry): string =>
  `${actor.name ?? auditWords.actors[actor.type]}${actor.api_key_id === null ? '' : ` ${auditWords.apiKey}`}`;

/** `credential.secret_changed` as `Credential secret changed`. */
function describeAction({ action, object }: Entry): string {
  const verb = action.slice(action.indexOf('.') + 1);
  return `${auditWords.types[object.type] ?? object.type} ${verb.replaceAll('_', ' ')}`;
}

const describeObject = ({ object }: Entry): string => object.name ?? object.id ?? '';

function Details({ entry: { details } }: { readonly entry: Entry }) {
  if (Object.keys(details).length === 0) return null;
  return (
    <details>
      <summary>{auditWords.details}</summary>
      <Code block>{JSON.stringify(details, null, 2)}</Code>
    </details>
  );
}

const Entries = ({ entries }: { readonly entries: readonly Entry[] }) => (
  <DataTable
    heads={[words.when, auditWords.actor, auditWords.action, auditWords.object, auditWords.address, null]}
  >
    {entries.map((entry) => (
      <Table.Tr key={entry.id}>
        <Table.Td>{moment(entry.created_at)}</Table.Td>
        <Table.Td>{describeActor(entry)}</Table.Td>
        <Table.Td>{describeAction(entry)}</Table.Td>
        <Table.Td>{describeObject(entry)}</Table.Td>
        <Table.Td>{entry.ip_address}</Table.Td>
        <Table.Td>
          <Details entry={entry} />
        </Table.Td>
      </Table.Tr>
    ))}
  </DataTable>
);

interface FiltersProps {
  readonly filter: Filter;
  readonly people: ReadonlyMap<string, string>;
  readonly onChange: (filter: Filter) => void;
}

function Filters({ filter, people, onChange }: FiltersProps) {
  const timeInput = (name: 'from' | 'to') => (
    <TextInput
      type="datetime-local"
      label={auditWords[name]}
      value={filter[name]}
      onChange={({ currentTarget: { value } }) => onChange({ ...filter, [name]: value })}
    />
  );
  return (
    <SimpleGrid role="search" aria-label={auditWords.filters} cols={{ base: 1, xs: 2, md: 4 }} spacing="xs">
      <Select
        label={auditWords.actor}
        placeholder={auditWords.anyActor}
        data={[...people].map(([value, label]) => ({ value, label }))}
        value={filter.actor}
        clearable
        searchable
        onChange={(actor) => onChange({ ...filter, actor })}
      />
      <Select
        label={auditWords.type}
        placeholder={auditWords.anyType}
        data={TYPES}
        value={filter.type}
        clearable
        searchable
        onChange={(type) => onChange({ ...filter, type })}
      />
      {timeInput('from')}
      {timeInput('to')}
    </SimpleGrid>
  );
}

export function AuditLogPage() {
  const { client, organizationId } = route.useRouteContext().app;
  const people = usePeople(client, organizationId);
  const [filter, setFilter] = useState(NO_FILTER);
  const query = toQuery(filter);
  const log = useInfiniteQuery({
    queryKey: [organizationId, 'audit-log', query],
    queryFn: ({ pageParam }) =>
      client.request('GET', '/audit-log', {
        query: { ...query, limit: 50, ...(pageParam === null ? {} : { cursor: pageParam }) },
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
  });
  const download = useMutation({
    mutationFn: () => saveLines('audit-log.jsonl', client.auditLog.list(query)),
  });
  const entries = log.data?.pages.flatMap((page) => page.entries) ?? [];
  const isFiltered = Object.keys(query).length > 0;
  return (
    <Page
      title={words.auditLog}
      actions={
        <Button variant="default" loading={download.isPending} onClick={() => download.mutate()}>
          {auditWords.download}
        </Button>
      }
    >
      <Filters filter={filter} people={people} onChange={setFilter} />
      <Failure error={log.error ?? download.error} />
      {log.isPending && <Waiting />}
      {log.isSuccess && entries.length === 0 && isFiltered && <Text c="dimmed">{auditWords.noMatch}</Text>}
      {log.isSuccess && entries.length === 0 && !isFiltered && (
        <EmptyState icon={ScrollText} title={auditWords.noneTitle} text={auditWords.noneText} />
      )}
      {entries.length > 0 && <Entries entries={entries} />}
      <LoadMore list={log} />
    </Page>
  );
}
