/** Keeping and deleting: retention of runs, exports, erasures, and their receipts. */
import { Button, Group, Table, Text, Title } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import type { Reply } from '../../client/operations.ts';
import { DataTable } from '../kit/data-table.tsx';
import { moment } from '../kit/moment.ts';
import { Failure, Page, Waiting } from '../kit/page.tsx';
import { saveFile } from '../kit/save-file.ts';
import { usePeople } from '../people/use-people.ts';
import { dataWords } from '../words-data.ts';
import { words } from '../words.ts';
import { DataJobDialog } from './data-job-dialog.tsx';
import { OwnData } from './own-data.tsx';
import { RetentionForm, retentionKey, WorkflowRetention } from './retention-form.tsx';

const route = getRouteApi('/data');
const useApp = () => route.useRouteContext().app;

type Job = Reply<'getDataJob'>;
/** A job that is not completed is read again after this time. */
const POLL_MS = 2_000;

function JobRow({ job, people }: { readonly job: Job; readonly people: ReadonlyMap<string, string> }) {
  const { client } = useApp();
  const download = useMutation({
    mutationFn: async () =>
      saveFile(
        `export-${job.id}.jsonl`,
        String(await client.request('GET', '/data-jobs/{job_id}/file', { path: { job_id: job.id } })),
        'application/jsonl',
      ),
  });
  const pairs = Object.entries(job.metadata ?? {}).map(([key, value]) => `${key}=${value}`);
  const subject = job.user_id === null ? pairs.join(', ') : (people.get(job.user_id) ?? job.user_id);
  const { done, total } = job.progress;
  const rows = Object.values(job.counts).reduce((sum, count) => sum + count, 0);
  return (
    <Table.Tr>
      <Table.Td>{moment(job.created_at)}</Table.Td>
      <Table.Td>{dataWords.kinds[job.kind]}</Table.Td>
      <Table.Td>{job.subject === 'organization' ? dataWords.subjects.organization : subject}</Table.Td>
      <Table.Td>
        {job.status === 'running' ? dataWords.progress(done, total) : dataWords.statuses[job.status]}
      </Table.Td>
      <Table.Td>{rows}</Table.Td>
      <Table.Td>
        {job.expires_at !== null && (
          <Button
            variant="subtle"
            size="compact-sm"
            loading={download.isPending}
            onClick={() => download.mutate()}
          >
            {dataWords.download}
          </Button>
        )}
        <Failure error={download.error} />
      </Table.Td>
    </Table.Tr>
  );
}

export function DataPage() {
  const { client, organizationId } = useApp();
  const people = usePeople(client, organizationId);
  const cache = useQueryClient();
  const [asked, setAsked] = useState<Job['kind'] | null>(null);
  const retention = useQuery({
    queryKey: retentionKey(organizationId),
    queryFn: () => client.request('GET', '/retention'),
  });
  const jobsKey = [organizationId, 'data-jobs'];
  const jobs = useQuery({
    queryKey: jobsKey,
    queryFn: () => client.request('GET', '/data-jobs'),
    refetchInterval: ({ state }) =>
      state.data?.jobs.some(({ status }) => status === 'pending' || status === 'running') === true
        ? POLL_MS
        : false,
  });
  const readAgain = () => cache.invalidateQueries({ queryKey: jobsKey });
  const rows = jobs.data?.jobs ?? [];
  return (
    <Page title={words.data}>
      <Title order={2} size="h4">
        {dataWords.retention}
      </Title>
      <Failure error={retention.error} />
      {retention.isPending && <Waiting />}
      {retention.isSuccess && (
        <>
          <RetentionForm retention={retention.data} />
          <WorkflowRetention workflows={retention.data.workflows} />
        </>
      )}
      <Title order={2} size="h4" mt="lg">
        {dataWords.jobs}
      </Title>
      <Group>
        <Button variant="default" onClick={() => setAsked('export')}>
          {dataWords.dialogs.export.title}…
        </Button>
        <Button variant="default" color="red.9" onClick={() => setAsked('erasure')}>
          {dataWords.dialogs.erasure.title}…
        </Button>
      </Group>
      <Failure error={jobs.error} />
      {jobs.isSuccess && rows.length === 0 && <Text c="dimmed">{dataWords.none}</Text>}
      {rows.length > 0 && (
        <DataTable
          heads={[words.when, dataWords.kind, dataWords.of, words.status, dataWords.rows, null]}
          numbers={[5]}
        >
          {rows.map((job) => (
            <JobRow key={job.id} job={job} people={people} />
          ))}
        </DataTable>
      )}
      <OwnData onRequested={() => void readAgain()} />
      {asked !== null && (
        <DataJobDialog
          kind={asked}
          people={people}
          onClose={() => setAsked(null)}
          onRequested={() => {
            setAsked(null);
            void readAgain();
          }}
        />
      )}
    </Page>
  );
}
