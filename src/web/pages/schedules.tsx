/** Schedules of workflows: create, pause, run now, delete; the next time of each, and the times that were skipped. */
import { Badge, Button, Group, Select, Table, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import type { Reply } from '../../client/operations.ts';
import { moment } from '../kit/moment.ts';
import { Failure, Page, Waiting } from '../kit/page.tsx';
import { DataTable } from '../kit/data-table.tsx';
import { TextLink } from '../kit/text-link.tsx';
import { scheduleWords } from '../words-schedules.ts';
import { words } from '../words.ts';

const route = getRouteApi('/schedules');

type Schedule = Reply<'listSchedules'>['schedules'][number];
type Overlap = Schedule['overlap_policy'];
type Act = 'pause' | 'resume' | 'trigger' | 'delete';

interface Given {
  readonly workflow_id: string;
  readonly name: string;
  readonly cron_expression: string;
  readonly timezone: string;
  readonly overlap_policy: Overlap;
}

const OVERLAPS = Object.entries(scheduleWords.overlaps).map(([value, label]) => ({
  value: value as Overlap,
  label,
}));
const EMPTY = {
  workflow_id: '',
  name: '',
  cron_expression: '0 9 * * 1-5',
  overlap_policy: 'skip' as const,
};

interface NewProps {
  readonly workflows: readonly { readonly id: string; readonly name: string }[];
  readonly isPending: boolean;
  readonly onCreate: (given: Given) => void;
}

interface OverlapChoiceProps {
  /** Above the field; in a table its column says it to the eye, and `describedAs` to a screen reader. */
  readonly label?: string;
  readonly describedAs?: string;
  readonly value: Overlap;
  readonly onChoose: (policy: Overlap) => void;
}

/** The overlap policy of a schedule. */
const OverlapChoice = ({ label, describedAs, value, onChoose }: OverlapChoiceProps) => (
  <Select
    {...(label === undefined ? {} : { label })}
    {...(describedAs === undefined ? {} : { 'aria-label': describedAs })}
    data={OVERLAPS}
    value={value}
    onChange={(policy) => policy !== null && onChoose(policy)}
    allowDeselect={false}
  />
);

function NewSchedule({ workflows, isPending, onCreate }: NewProps) {
  const [given, setGiven] = useState<Given>(() => ({
    ...EMPTY,
    timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  }));
  const set = (more: Partial<Given>): void => setGiven((now) => ({ ...now, ...more }));
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onCreate(given);
      }}
    >
      <Group align="end">
        <Select
          label={words.workflow}
          data={workflows.map(({ id, name }) => ({ value: id, label: name }))}
          value={given.workflow_id === '' ? null : given.workflow_id}
          onChange={(id) => set({ workflow_id: id ?? '' })}
          searchable
        />
        <TextInput
          label={words.name}
          value={given.name}
          onChange={(event) => set({ name: event.currentTarget.value })}
        />
        <TextInput
          label={scheduleWords.cron}
          value={given.cron_expression}
          onChange={(event) => set({ cron_expression: event.currentTarget.value })}
        />
        <TextInput
          label={scheduleWords.timezone}
          value={given.timezone}
          onChange={(event) => set({ timezone: event.currentTarget.value })}
        />
        <OverlapChoice
          label={scheduleWords.overlap}
          value={given.overlap_policy}
          onChoose={(policy) => set({ overlap_policy: policy })}
        />
        <Button
          type="submit"
          loading={isPending}
          disabled={given.workflow_id === '' || given.name.trim() === ''}
        >
          {scheduleWords.newSchedule}
        </Button>
      </Group>
    </form>
  );
}

/** Skipped times, with a link to the run that was still active. */
function Skipped({ row }: { readonly row: Schedule }) {
  const { client, organizationId } = route.useRouteContext().app;
  const runId = row.last_skipped_run_id;
  // Pages know a run by its id in the history.
  const found = useQuery({
    queryKey: [organizationId, 'run of', runId],
    queryFn: () => client.runs.list({ run_id: runId ?? '', limit: 1 }).page(),
    enabled: runId !== null,
  });
  const runPk = found.data?.runs[0]?.id;
  if (row.skipped_count === 0) return null;
  return (
    <Text size="sm" c="dimmed">
      {scheduleWords.skipped(row.skipped_count, moment(row.last_skipped_at))}{' '}
      {runPk !== undefined && (
        <TextLink size="sm" underline="always" to="/runs/$runPk" params={{ runPk }}>
          {scheduleWords.blockingRun}
        </TextLink>
      )}
    </Text>
  );
}

interface ScheduleRowProps {
  readonly row: Schedule;
  readonly onAct: (act: Act) => void;
  readonly onOverlap: (policy: Overlap) => void;
}

function ScheduleRow({ row, onAct, onOverlap }: ScheduleRowProps) {
  const acts: readonly Act[] = [row.enabled ? 'pause' : 'resume', 'trigger', 'delete'];
  return (
    <Table.Tr>
      <Table.Td>{row.name}</Table.Td>
      <Table.Td>
        {row.cron_expression}
        <Text size="sm" c="dimmed">
          {row.timezone}
        </Text>
      </Table.Td>
      <Table.Td>
        {row.enabled ? (
          moment(row.next_run_at)
        ) : (
          <Badge variant="default" miw={96}>
            {row.disabled_reason ?? scheduleWords.paused}
          </Badge>
        )}
      </Table.Td>
      <Table.Td>
        {moment(row.last_run_at)}
        <Skipped row={row} />
      </Table.Td>
      <Table.Td>
        <OverlapChoice
          describedAs={`${scheduleWords.overlap}: ${row.name}`}
          value={row.overlap_policy}
          onChoose={onOverlap}
        />
      </Table.Td>
      <Table.Td>
        <Group gap={4} justify="flex-end">
          {acts.map((act) => (
            <Button
              key={act}
              variant="default"
              size="compact-sm"
              aria-label={`${scheduleWords.scheduleActs[act]}: ${row.name}`}
              onClick={() => onAct(act)}
            >
              {scheduleWords.scheduleActs[act]}
            </Button>
          ))}
        </Group>
      </Table.Td>
    </Table.Tr>
  );
}

export function SchedulesPage() {
  const { client, organizationId } = route.useRouteContext().app;
  const list = useQuery({
    queryKey: [organizationId, 'schedules'],
    queryFn: () => client.schedules.list({ limit: 100 }).page(),
  });
  const workflows = useQuery({
    queryKey: [organizationId, 'workflows', ''],
    queryFn: () => client.workflows.list({ page_size: 100 }).page(),
  });
  const create = useMutation({
    mutationFn: (given: Given) => client.schedules.create({ ...given, organization_id: organizationId }),
    onSuccess: () => list.refetch(),
  });
  const act = useMutation<unknown, Error, { readonly act: Act; readonly id: string }>({
    mutationFn: ({ act: what, id }) => client.schedules[what](id),
    onSuccess: () => list.refetch(),
  });
  const overlap = useMutation({
    mutationFn: ({ id, policy }: { readonly id: string; readonly policy: Overlap }) =>
      client.schedules.update(id, { overlap_policy: policy }),
    onSuccess: () => list.refetch(),
  });
  const rows = list.data?.schedules ?? [];
  return (
    <Page title={words.schedules}>
      <NewSchedule
        workflows={workflows.data?.workflows ?? []}
        isPending={create.isPending}
        onCreate={(given) => create.mutate(given)}
      />
      <Failure error={list.error ?? workflows.error ?? create.error ?? act.error ?? overlap.error} />
      {list.isPending && <Waiting />}
      {list.isSuccess && rows.length === 0 && <Text c="dimmed">{scheduleWords.noSchedules}</Text>}
      {rows.length > 0 && (
        <DataTable
          heads={[
            words.name,
            scheduleWords.cron,
            scheduleWords.nextRun,
            scheduleWords.lastRun,
            scheduleWords.overlap,
            null,
          ]}
        >
          {rows.map((row) => (
            <ScheduleRow
              key={row.id}
              row={row}
              onAct={(what) => act.mutate({ act: what, id: row.id })}
              onOverlap={(policy) => overlap.mutate({ id: row.id, policy })}
            />
          ))}
        </DataTable>
      )}
    </Page>
  );
}
