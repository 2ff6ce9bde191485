/** The runs of the organization, the newest first; those that go on are looked at again. */
import { Button, Checkbox, Select, Table, Text } from '@mantine/core';
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

interface RunTableProps {
  readonly rows: readonly RunRow[];
  /** At most two. */
  readonly chosen: readonly string[];
  readonly onChoose: (chosen: readonly string[]) => void;
}

function RunTable({ rows, chosen, onChoose }: RunTableProps) {
  return (
    <DataTable heads={[null, words.started, words.status, words.duration, words.output]}>
      {rows.map((run) => (
        <Table.Tr key={run.id}>
          <Table.Td>
            <Checkbox
              aria-label={`${words.compare}: ${moment(run.created_at)}`}
              checked={chosen.includes(run.id)}
              disabled={chosen.length === 2 && !chosen.includes(run.id)}
              onChange={({ currentTarget }) =>
                onChoose(currentTarget.checked ? [...chosen, run.id] : chosen.filter((id) => id !== run.id))
              }
            />
          </Table.Td>
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

function CompareButton({ chosen }: { readonly chosen: readonly string[] }) {
  const navigate = route.useNavigate();
  const [first, second] = chosen;
  const isReady = first !== undefined && second !== undefined;
  return (
    <Button
      variant="default"
      disabled={!isReady}
      title={isReady ? undefined : words.compareHint}
      onClick={() => {
        if (isReady)
          void navigate({ to: '/runs/$runPk/compare/$otherPk', params: { runPk: first, otherPk: second } });
      }}
    >
      {words.compare}
    </Button>
  );
}

export function RunsPage() {
  const { client, organizationId } = route.useRouteContext().app;
  const [status, setStatus] = useState<RunStatus | null>(null);
  const [chosen, setChosen] = useState<readonly string[]>([]);
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
        <>
          <CompareButton chosen={chosen} />
          <Select
            aria-label={words.status}
            placeholder={words.anyStatus}
            data={STATUSES}
            value={status}
            onChange={(value) => setStatus(value as RunStatus | null)}
            clearable
          />
        </>
      }
    >
      <Failure error={list.error} />
      {list.isPending && <Waiting />}
      {list.isSuccess && rows.length === 0 && <Text c="dimmed">{words.noRuns}</Text>}
      {rows.length > 0 && <RunTable rows={rows} chosen={chosen} onChoose={setChosen} />}
      {list.data?.has_more === true && limit < 100 && (
        <Button variant="default" onClick={() => setLimit(100)}>
          {words.more}
        </Button>
      )}
    </Page>
  );
}
