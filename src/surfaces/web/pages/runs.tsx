/** The page of all runs, newest first: filtered by its address, read again while it is open, cancelled and run again in bulk. */
import { Button, Group, Paper, Stack, Text } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { useCallback, useMemo, useState } from 'react';
import type { RunListItem } from '../../client/openapi.ts';
import { LoadMore } from '../kit/load-more.tsx';
import { Failure, Page, Waiting } from '../kit/page.tsx';
import { TextLink } from '../kit/text-link.tsx';
import { useWorkflowNames } from '../kit/use-workflow-names.ts';
import { usePeople } from '../people/use-people.ts';
import { BulkDialog, selectEligible, type BulkAction } from '../runs/bulk-dialog.tsx';
import { RunFilters } from '../runs/run-filters.tsx';
import { useRunPages } from '../runs/run-pages.ts';
import { parseRunSearch, type RunSearch } from '../runs/run-search.ts';
import { RunTable } from '../runs/run-table.tsx';
import { runWords } from '../words-runs.ts';
import { words } from '../words.ts';

const route = getRouteApi('/runs');
const ACTIONS = ['cancel', 'rerun'] as const;

/** Reads the names that rows and filters show in place of ids. */
function useNames() {
  const { client, organizationId } = route.useRouteContext().app;
  const workflows = useWorkflowNames(client, organizationId).data ?? [];
  const people = usePeople(client, organizationId);
  return { workflows: workflows.map(({ id, name }) => ({ value: id, label: name })), people };
}

interface SelectionProps {
  readonly runs: readonly RunListItem[];
  readonly onAction: (action: BulkAction) => void;
  readonly onClear: () => void;
}

/** The actions on the selected runs. */
function SelectionBar({ runs, onAction, onClear }: SelectionProps) {
  const navigate = route.useNavigate();
  const [newer, older] = runs.map(({ id }) => id);
  const isPair = runs.length === 2 && newer !== undefined && older !== undefined;
  // It lies over the end of the list: above, it would move the rows away from the pointer.
  return (
    <Paper
      role="toolbar"
      aria-label={runWords.selected(runs.length)}
      withBorder
      shadow="md"
      p="xs"
      pos="sticky"
      bottom={12}
    >
      <Group gap="xs">
        <Text size="sm" fw={600}>
          {runWords.selected(runs.length)}
        </Text>
        {ACTIONS.map((action) => (
          <Button
            key={action}
            variant="default"
            size="compact-md"
            disabled={selectEligible(runs, action).length === 0}
            onClick={() => onAction(action)}
          >
            {runWords.bulk[action].action}
          </Button>
        ))}
        <Button
          variant="default"
          size="compact-md"
          disabled={!isPair}
          title={isPair ? undefined : runWords.compareHint}
          onClick={() => {
            if (isPair)
              void navigate({
                to: '/runs/$runPk/compare/$otherPk',
                params: { runPk: older, otherPk: newer },
              });
          }}
        >
          {runWords.compare}
        </Button>
        <Button variant="subtle" size="compact-md" onClick={onClear}>
          {runWords.clearSelection}
        </Button>
      </Group>
    </Paper>
  );
}

/** Teaches how a run comes about, or says that the filters hide all. */
const NoRuns = ({
  isFiltered,
  isSearched,
  onClear,
}: {
  readonly isFiltered: boolean;
  /** Whether all runs were looked at. */
  readonly isSearched: boolean;
  readonly onClear: () => void;
}) =>
  isFiltered || !isSearched ? (
    <Group gap="sm">
      <Text>{isSearched ? runWords.noMatch : runWords.noMatchYet}</Text>
      <Button variant="default" size="compact-md" onClick={onClear}>
        {runWords.clearFilters}
      </Button>
    </Group>
  ) : (
    <Stack gap="xs" maw={560}>
      <Text>{runWords.noRuns}</Text>
      <Text c="dimmed">{runWords.noRunsHow}</Text>
      <TextLink to="/">{words.workflows}</TextLink>
    </Stack>
  );

export function RunsPage() {
  const { client, organizationId } = route.useRouteContext().app;
  const given = route.useSearch();
  const search = useMemo(() => parseRunSearch({ ...given }), [given]);
  const navigate = route.useNavigate();
  const { workflows, people } = useNames();
  const list = useRunPages({ client, organizationId, search });
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [action, setAction] = useState<BulkAction | null>(null);
  const rows = useMemo(() => list.data?.pages.flatMap(({ runs }) => runs) ?? [], [list.data]);
  const chosen = rows.filter(({ id }) => selected.has(id));
  const isFiltered = Object.keys(search).length > 0;
  const filter = (next: RunSearch): void => void navigate({ to: '/runs', search: next, replace: true });
  // The same in every render: a row renders when its own run changes.
  const select = useCallback(
    (ids: readonly string[], isSelected: boolean): void =>
      setSelected((before) => {
        const after = new Set(before);
        for (const id of ids) {
          if (isSelected) after.add(id);
          else after.delete(id);
        }
        return after;
      }),
    [],
  );
  return (
    <Page title={words.runs}>
      <RunFilters
        search={search}
        workflows={workflows}
        people={[...people].map(([value, label]) => ({ value, label }))}
        onChange={filter}
      />
      <Failure error={list.error} />
      {list.isPending && <Waiting />}
      {list.isSuccess && rows.length === 0 && (
        <NoRuns isFiltered={isFiltered} isSearched={!list.hasNextPage} onClear={() => filter({})} />
      )}
      {rows.length > 0 && <RunTable rows={rows} people={people} selected={selected} onSelect={select} />}
      <LoadMore list={list} />
      {chosen.length > 0 && (
        <SelectionBar runs={chosen} onAction={setAction} onClear={() => setSelected(new Set())} />
      )}
      <BulkDialog
        client={client}
        action={action}
        runs={chosen}
        onClose={() => {
          setAction(null);
          setSelected(new Set());
        }}
        onDone={() => void list.refetch()}
      />
    </Page>
  );
}
