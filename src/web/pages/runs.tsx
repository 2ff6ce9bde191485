/** The runs of the organization, the newest first; those that go on are looked at again. */
import { Alert, Badge, Button, Group, Select, Stack, Table, Text, Title } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { duration, moment } from '../kit/moment.ts';
import { words } from '../words.ts';

const route = getRouteApi('/runs');
const PAGE = 50;
const LOOK_AGAIN_MS = 5_000;

const STATUSES = ['running', 'interrupted', 'succeeded', 'failed', 'cancelled'] as const;
type RunStatus = (typeof STATUSES)[number];

/** As an anchor of the kit looks. */
export const LINK = { color: 'var(--mantine-color-anchor)' };

const COLORS: Readonly<Record<string, string>> = {
  running: 'blue',
  interrupted: 'orange',
  succeeded: 'green',
  failed: 'red',
};

export const StatusBadge = ({ status }: { readonly status: string }) => (
  <Badge variant="dot" color={COLORS[status] ?? 'gray'}>
    {status}
  </Badge>
);

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
    <Table.ScrollContainer minWidth={320}>
      <Table highlightOnHover>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{words.started}</Table.Th>
            <Table.Th>{words.status}</Table.Th>
            <Table.Th>{words.duration}</Table.Th>
            <Table.Th>{words.output}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((run) => (
            <Table.Tr key={run.id}>
              <Table.Td>
                <Link to="/runs/$runPk" params={{ runPk: run.id }} style={LINK}>
                  {moment(run.created_at)}
                </Link>
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
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
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
    <Stack p="md" maw={1100} mx="auto">
      <Group justify="space-between">
        <Title order={1} size="h2">
          {words.runs}
        </Title>
        <Select
          aria-label={words.status}
          placeholder={words.anyStatus}
          data={STATUSES}
          value={status}
          onChange={(value) => setStatus(value as RunStatus | null)}
          clearable
        />
      </Group>
      {list.isError && (
        <Alert color="red" role="alert">
          {words.failed} {list.error.message}
        </Alert>
      )}
      {list.isSuccess && rows.length === 0 && <Text c="dimmed">{words.noRuns}</Text>}
      {rows.length > 0 && <RunTable rows={rows} />}
      {list.data?.has_more === true && limit < 100 && (
        <Button variant="default" onClick={() => setLimit(100)}>
          {words.more}
        </Button>
      )}
    </Stack>
  );
}
