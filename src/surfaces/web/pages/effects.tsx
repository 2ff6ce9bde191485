/** The ledger of effects: what runs have changed outside, newest first; filtered by its address, and exported as JSON Lines. */
import { Button, Group, Text } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Send } from 'lucide-react';
import { useMemo } from 'react';
import { systemClock } from '../../../base/clock.ts';
import { EffectFilters } from '../effects/effect-filters.tsx';
import { parseEffectSearch, toEffectQuery, type EffectSearch } from '../effects/effect-search.ts';
import { EffectTable } from '../effects/effect-table.tsx';
import { EmptyState } from '../kit/empty-state.tsx';
import { LoadMore } from '../kit/load-more.tsx';
import { Failure, Page, Waiting } from '../kit/page.tsx';
import { saveLines } from '../kit/save-file.ts';
import { useWorkflowNames } from '../kit/use-workflow-names.ts';
import { usePeople } from '../people/use-people.ts';
import { effectWords } from '../words-effects.ts';
import { words } from '../words.ts';

const route = getRouteApi('/effects');
const PAGE = 50;

/** The start of a page after the first. */
interface PageStart {
  readonly cursor: string;
  readonly filters: ReturnType<typeof toEffectQuery>;
}

function useEffectPages(search: EffectSearch) {
  const { client, organizationId } = route.useRouteContext().app;
  return useInfiniteQuery({
    queryKey: [organizationId, 'effects', search],
    async queryFn({ pageParam }) {
      // A cursor is bound to its filters, so later pages keep the period that the first one began with.
      const filters = pageParam?.filters ?? toEffectQuery(search, systemClock.now());
      const cursor = pageParam === null ? {} : { cursor: pageParam.cursor };
      const query = { ...filters, ...cursor, limit: PAGE };
      return { ...(await client.request('GET', '/effects', { query })), filters };
    },
    initialPageParam: null as PageStart | null,
    getNextPageParam: ({ next_cursor: cursor, filters }) => (cursor === null ? null : { cursor, filters }),
    placeholderData: keepPreviousData,
  });
}

/** Reads the names that rows and filters show in place of ids. */
function useNames() {
  const { client, organizationId } = route.useRouteContext().app;
  const workflows = useWorkflowNames(client, organizationId).data ?? [];
  const credentials = useQuery({
    queryKey: [organizationId, 'credentials'],
    queryFn: () => client.credentials.list().page(),
  });
  return {
    people: usePeople(client, organizationId),
    workflows: workflows.map(({ id, name }) => ({ value: id, label: name })),
    credentials: (credentials.data?.credentials ?? []).map(({ credential_id: id, name }) => ({
      value: id,
      label: name,
    })),
  };
}

export function EffectsPage() {
  const { client } = route.useRouteContext().app;
  const given = route.useSearch();
  const search = useMemo(() => parseEffectSearch({ ...given }), [given]);
  const navigate = route.useNavigate();
  const { people, workflows, credentials } = useNames();
  const names = new Map(credentials.map(({ value, label }) => [value, label]));
  const list = useEffectPages(search);
  const rows = list.data?.pages.flatMap(({ effects }) => effects) ?? [];
  const isEmpty = list.isSuccess && rows.length === 0;
  const isFiltered = Object.keys(search).length > 0;
  const filter = (next: EffectSearch): void =>
    void navigate({ to: '/effects', search: parseEffectSearch({ ...next }), replace: true });
  const download = useMutation({
    mutationFn: () =>
      saveLines('effects.jsonl', client.effects.list(toEffectQuery(search, systemClock.now()))),
  });
  return (
    <Page
      title={words.effects}
      actions={
        <Button variant="default" loading={download.isPending} onClick={() => download.mutate()}>
          {effectWords.export}
        </Button>
      }
    >
      <EffectFilters
        search={search}
        workflows={workflows}
        credentials={credentials}
        people={[...people].map(([value, label]) => ({ value, label }))}
        onChange={filter}
      />
      {isFiltered && (
        <Group gap="sm">
          {search.run !== undefined && <Text size="sm">{effectWords.onlyRun}</Text>}
          <Button variant="default" size="compact-sm" onClick={() => filter({})}>
            {effectWords.clearFilters}
          </Button>
        </Group>
      )}
      <Failure error={list.error ?? download.error} />
      {list.isPending && <Waiting />}
      {isEmpty && (isFiltered || list.hasNextPage) && (
        <Text c="dimmed">{list.hasNextPage ? effectWords.noMatchYet : effectWords.noMatch}</Text>
      )}
      {isEmpty && !isFiltered && !list.hasNextPage && (
        <EmptyState icon={Send} title={effectWords.noneTitle} text={effectWords.noneText} />
      )}
      {rows.length > 0 && <EffectTable rows={rows} names={names} people={people} />}
      <LoadMore list={list} />
    </Page>
  );
}
