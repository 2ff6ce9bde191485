/** The runs of the organization, the newest first; those that go on are looked at again. */
import { Button, Select, Table, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { duration, moment } from '../kit/moment.ts';
import { Failure, Page, Waiting } from '../kit/page.tsx';
import { DataTable } from '../kit/data-table.tsx';
import { StatusBadge } from '../kit/status-badge.tsx';
import { TextLink } from '../kit/text-link.tsx';
import { words } from '../words.ts';

const route = getRouteApi('/runs');
const PAGE = 50;
const LOOK_AGAIN_MS = 5_000;

const STATUSES = ['running', 'interrupted', 'succeeded', 'failed', 'cancelled'] as const;
type RunStatus = (typeof STATUSES)[number];

interface RunRow {
  readonly id: string;
  readonly created_at: string;
  readonly status: string;
  readonly duration_seconds: number | null;
  readonly error_message: string | null;
  readonly output_summary: string | null;
}

function RunTable({ rows }: { readonly rows: readonly RunRow[] }) {
  return (
    <DataTable heads={[words.started, words.status, words.duration, words.output]}>
      {rows.map((run) => (
        <Table.Tr key={run.id}>
          <Table.Td>
            <TextLink to="/runs/$runPk" params={{ runPk: run.id }}>
              {moment(run.created_at)}
            </TextLink>
          </Table.Td>
          <Table.Td>
            <StatusBadge status={run.status} />
          </Table.Td>
          <Table.Td>{duration(run.duration_seconds)}</Table.Td>
          <Table.Td>
            <Text size="sm" lineClamp={1} maw={420}>
              {run.error_message ?? run.output_summary}
            </Text>
          </Table.Td>
        </Table.Tr>
      ))}
    </DataTable>
  );
}

export function RunsPage() {
  const { client, organizationId } = route.useRouteContext().place;
  const [status, setStatus] = useState<RunStatus | null>(null);
  const [limit, setLimit] = useState(PAGE);
  const list = useQuery({
    queryKey: [organizationId, 'runs', status, limit],
    queryFn: () =>
      client.request('GET', '/workflow-runs', {
        query: { limit: Math.min(limit, 100), ...(status === null ? {} : { status }) },
      }),
    placeholderData: keepPreviousData,
    refetchInterval: LOOK_AGAIN_MS,
  });
  const rows = list.data?.runs ?? [];
  return (
    <Page
      title={words.runs}
      actions={
        <Select
          aria-label={words.status}
          placeholder={words.anyStatus}
          data={STATUSES}
          value={status}
          onChange={(value) => setStatus(value as RunStatus | null)}
          clearable
        />
      }
    >
      <Failure error={list.error} />
      {list.isPending && <Waiting />}
      {list.isSuccess && rows.length === 0 && <Text c="dimmed">{words.noRuns}</Text>}
      {rows.length > 0 && <RunTable rows={rows} />}
      {list.data?.has_more === true && limit < 100 && (
        <Button variant="default" onClick={() => setLimit(100)}>
          {words.more}
        </Button>
      )}
    </Page>
  );
}
