/** Schedules of workflows: create, pause, run now, delete; the next time of each, and the times that were skipped. */
import { Badge, Button, Group, Table, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { CalendarClock } from 'lucide-react';
import { useState } from 'react';
import type { Reply } from '../../client/operations.ts';
import { ConfirmDialog } from '../kit/confirm-dialog.tsx';
import { EmptyState } from '../kit/empty-state.tsx';
import { moment } from '../kit/moment.ts';
import { Failure, Page, Waiting } from '../kit/page.tsx';
import { DataTable } from '../kit/data-table.tsx';
import { readAll } from '../kit/read-all.ts';
import { TextLink } from '../kit/text-link.tsx';
import { useWorkflowNames } from '../kit/use-workflow-names.ts';
import { NewSchedule, type ScheduleDraft } from '../schedules/new-schedule.tsx';
import { OverlapChoice, type Overlap } from '../schedules/overlap-choice.tsx';
import { previewCron } from '../schedules/preview.ts';
import { scheduleWords } from '../words-schedules.ts';
import { words } from '../words.ts';

const route = getRouteApi('/schedules');

type Schedule = Reply<'listSchedules'>['schedules'][number];
type RowAction = 'pause' | 'resume' | 'trigger' | 'delete';

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
  readonly onAction: (act: RowAction) => void;
  readonly onOverlap: (policy: Overlap) => void;
}

function ScheduleRow({ row, onAction, onOverlap }: ScheduleRowProps) {
  const preview = previewCron(row.cron_expression, row.timezone, 0);
  // The definition describes it: pausing it alone is of this environment.
  const isDefined = row.trigger !== null;
  const isDown = row.trigger !== null && !row.trigger.is_live;
  const rowActions: readonly RowAction[] = [
    ...(isDown ? [] : [row.enabled ? ('pause' as const) : ('resume' as const), 'trigger' as const]),
    ...(isDefined && !isDown ? [] : ['delete' as const]),
  ];
  return (
    <Table.Tr>
      <Table.Td>
        {row.name}
        {row.trigger !== null && (
          <Text size="sm" c="dimmed">
            {scheduleWords.trigger(row.trigger.id)}
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        {preview.kind === 'valid' ? preview.text : row.cron_expression}
        <Text size="sm" c="dimmed">
          {preview.kind === 'valid' ? `${row.cron_expression} · ${row.timezone}` : row.timezone}
        </Text>
      </Table.Td>
      <Table.Td>
        {row.enabled ? (
          moment(row.next_run_at)
        ) : (
          <>
            <Badge variant="default">{isDown ? scheduleWords.notLive : scheduleWords.paused}</Badge>
            {row.disabled_reason !== null && <Text size="sm">{row.disabled_reason}</Text>}
          </>
        )}
      </Table.Td>
      <Table.Td>
        {moment(row.last_run_at)}
        <Skipped row={row} />
      </Table.Td>
      <Table.Td>
        {isDefined ? (
          scheduleWords.overlaps[row.overlap_policy]
        ) : (
          <OverlapChoice
            describedAs={`${scheduleWords.overlap}: ${row.name}`}
            value={row.overlap_policy}
            onChoose={onOverlap}
          />
        )}
      </Table.Td>
      <Table.Td>
        <Group gap={4} justify="flex-end" wrap="nowrap">
          {rowActions.map((act) => (
            <Button
              key={act}
              variant="default"
              size="compact-sm"
              aria-label={`${scheduleWords.scheduleActs[act]}: ${row.name}`}
              onClick={() => onAction(act)}
            >
              {scheduleWords.scheduleActs[act]}
            </Button>
          ))}
        </Group>
      </Table.Td>
    </Table.Tr>
  );
}

/** The schedules, and the changes to them. */
function useSchedules() {
  const { client, organizationId } = route.useRouteContext().app;
  const list = useQuery({
    queryKey: [organizationId, 'schedules'],
    queryFn: () => readAll(client.schedules.list({ limit: 100 })),
  });
  const workflows = useWorkflowNames(client, organizationId);
  const create = useMutation({
    mutationFn: (draft: ScheduleDraft) =>
      client.schedules.create({ ...draft, organization_id: organizationId }),
    onSuccess: () => list.refetch(),
  });
  const act = useMutation<unknown, Error, { readonly act: RowAction; readonly id: string }>({
    mutationFn: ({ act: name, id }) => client.schedules[name](id),
    onSuccess: () => list.refetch(),
  });
  const overlap = useMutation({
    mutationFn: ({ id, policy }: { readonly id: string; readonly policy: Overlap }) =>
      client.schedules.update(id, { overlap_policy: policy }),
    onSuccess: () => list.refetch(),
  });
  return { list, workflows, create, act, overlap };
}

export function SchedulesPage() {
  const { list, workflows, create, act, overlap } = useSchedules();
  const [isCreating, setCreating] = useState(false);
  const [deleting, setDeleting] = useState<Schedule | null>(null);
  const rows = list.data ?? [];
  const open = (): void => {
    create.reset();
    setCreating(true);
  };
  return (
    <Page title={words.schedules} actions={<Button onClick={open}>{scheduleWords.newSchedule}</Button>}>
      <Failure error={list.error ?? workflows.error ?? act.error ?? overlap.error} />
      {list.isPending && <Waiting />}
      {list.isSuccess && rows.length === 0 && (
        <EmptyState
          icon={CalendarClock}
          title={scheduleWords.noSchedules.title}
          text={scheduleWords.noSchedules.text}
          action={
            <Button variant="light" onClick={open}>
              {scheduleWords.noSchedules.action}
            </Button>
          }
        />
      )}
      {rows.length > 0 && (
        <DataTable
          heads={[
            words.name,
            scheduleWords.when,
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
              onAction={(name) =>
                name === 'delete' ? setDeleting(row) : act.mutate({ act: name, id: row.id })
              }
              onOverlap={(policy) => overlap.mutate({ id: row.id, policy })}
            />
          ))}
        </DataTable>
      )}
      {isCreating && (
        <NewSchedule
          workflows={workflows.data ?? []}
          isPending={create.isPending}
          error={create.error}
          onClose={() => setCreating(false)}
          onCreate={(draft) => create.mutate(draft, { onSuccess: () => setCreating(false) })}
        />
      )}
      <ConfirmDialog
        question={deleting === null ? null : scheduleWords.deleteSure(deleting.name)}
        action={words.remove}
        isPending={act.isPending}
        onClose={() => setDeleting(null)}
        onConfirm={() => {
          if (deleting !== null)
            act.mutate({ act: 'delete', id: deleting.id }, { onSettled: () => setDeleting(null) });
        }}
      />
    </Page>
  );
}
