/** One run: its steps with what they were given and came to, its end, and what can still be done about it. */
import { Alert, Anchor, Button, Code, Group, Stack, Table, Text, Title } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { duration, moment } from '../kit/moment.ts';
import type { AppConfig } from '../session/session.ts';
import { Failure, Page, Waiting } from '../kit/page.tsx';
import { DataTable } from '../kit/data-table.tsx';
import { StatusBadge } from '../kit/status-badge.tsx';
import { TextLink } from '../kit/text-link.tsx';
import { words } from '../words.ts';
import { RerunDialog, type RerunFrom } from './rerun.tsx';

const route = getRouteApi('/runs/$runPk');
const LOOK_AGAIN_MS = 2_000;

/** Where operators see the run; null without a UI. A resumed run goes on in the execution of its first. */
function temporalAddress(
  { temporal_ui_url: url, temporal_namespace: namespace }: AppConfig,
  organizationId: string,
  runPk: string,
): string | null {
  if (url === null) return null;
  const workflowId = encodeURIComponent(`org/${organizationId}/run/${runPk}`);
  return `${url}/namespaces/${encodeURIComponent(namespace)}/workflows/${workflowId}`;
}

const goesOn = (status: string): boolean => status === 'running' || status === 'interrupted';

const Value = ({ of }: { readonly of: unknown }) => (
  <Code block mah={320} style={{ overflow: 'auto', whiteSpace: 'pre-wrap' }} tabIndex={0}>
    {JSON.stringify(of, null, 2)}
  </Code>
);

interface StepRow {
  readonly step_id: string;
  readonly node_id: string;
  readonly node_name: string;
  readonly status: string;
  readonly duration_ms: number | null;
  readonly input: unknown;
  readonly output: unknown;
  readonly error: unknown;
}

interface StepsProps {
  readonly steps: readonly StepRow[];
  /** Null while the run goes on: it cannot be run again yet. */
  readonly onRerun: ((nodeId: string) => void) | null;
}

function Steps({ steps, onRerun }: StepsProps) {
  const [opened, setOpened] = useState<string | null>(null);
  return (
    <DataTable heads={[words.node, words.status, words.duration]}>
      {steps.map((step) => (
        <Table.Tr key={step.step_id}>
          <Table.Td>
            <Button
              variant="subtle"
              size="compact-sm"
              aria-expanded={opened === step.step_id}
              onClick={() => setOpened(opened === step.step_id ? null : step.step_id)}
            >
              {step.node_name}
            </Button>
            {opened === step.step_id && (
              <Stack gap="xs" mt="xs">
                <Text size="sm">{words.input}</Text>
                <Value of={step.input} />
                <Text size="sm">{step.error === null ? words.output : words.error}</Text>
                <Value of={step.error ?? step.output} />
                {onRerun !== null && (
                  <Group>
                    <Button variant="default" size="compact-sm" onClick={() => onRerun(step.node_id)}>
                      {words.rerunFrom}
                    </Button>
                  </Group>
                )}
              </Stack>
            )}
          </Table.Td>
          <Table.Td>
            <StatusBadge status={step.status} />
          </Table.Td>
          <Table.Td>{duration(step.duration_ms === null ? null : step.duration_ms / 1_000)}</Table.Td>
        </Table.Tr>
      ))}
    </DataTable>
  );
}

interface ActionsProps {
  readonly status: string;
  readonly temporal: string | null;
  readonly isStopping: boolean;
  readonly onStop: () => void;
  readonly onAgain: () => void;
}

function Actions({ status, temporal, isStopping, onStop, onAgain }: ActionsProps) {
  return (
    <>
      {temporal !== null && (
        <Anchor href={temporal} target="_blank" rel="noopener noreferrer">
          {words.inTemporal}
        </Anchor>
      )}
      {goesOn(status) && (
        <Button variant="default" loading={isStopping} onClick={onStop}>
          {words.stop}
        </Button>
      )}
      {status === 'failed' && <Button onClick={onAgain}>{words.rerun}</Button>}
    </>
  );
}

/** The record of a run, looked at again while it goes on; and what can be done about it. */
function useRun(runPk: string) {
  const { client, organizationId } = route.useRouteContext().place;
  const record = useQuery({
    queryKey: [organizationId, 'run', runPk],
    queryFn: () => client.runs.get(runPk),
    refetchInterval: ({ state }) =>
      state.data !== undefined && !goesOn(state.data.status) ? false : LOOK_AGAIN_MS,
  });
  const stop = useMutation({
    mutationFn: (runId: string) =>
      client.request('POST', '/workflows/cancel/{run_id}', { path: { run_id: runId }, body: {} }),
    onSettled: () => void record.refetch(),
  });
  return { record, stop };
}

interface LeadsProps {
  readonly status: string;
  readonly runPk: string;
  /** The run that this one runs again. */
  readonly original: string | null;
}

/** Where a reader goes from here: to what this runs again, to the question that it waits for. */
function Leads({ status, runPk, original }: LeadsProps) {
  return (
    <>
      {original !== null && (
        <TextLink to="/runs/$runPk/compare/$otherPk" params={{ runPk: original, otherPk: runPk }}>
          {words.compareOriginal}
        </TextLink>
      )}
      {status === 'interrupted' && (
        <Alert color="orange">
          <TextLink to="/questions">{words.waiting}</TextLink>
        </Alert>
      )}
    </>
  );
}

export function RunPage() {
  const { runPk } = route.useParams();
  const { organizationId, config } = route.useRouteContext().place;
  const { record, stop } = useRun(runPk);
  const [from, setFrom] = useState<RerunFrom | null>(null);
  if (record.isPending) return <Waiting />;
  if (record.isError) return <Failure error={record.error} />;
  const run = record.data;
  const temporal = run.resumed_from_run_id === null ? temporalAddress(config, organizationId, runPk) : null;
  return (
    <Page
      title={run.workflow_name}
      mark={<StatusBadge status={run.status} />}
      actions={
        <Actions
          status={run.status}
          temporal={temporal}
          isStopping={stop.isPending}
          onStop={() => stop.mutate(run.run_id)}
          onAgain={() => setFrom({ from: 'failed' })}
        />
      }
    >
      <Failure error={stop.error} />
      <Text c="dimmed">
        {moment(run.created_at)} · {duration(run.duration_seconds)}
      </Text>
      <Leads status={run.status} runPk={runPk} original={run.rerun_of_run_pk} />
      {run.error_message !== null && (
        <Alert color="red" title={words.error}>
          {run.error_message}
        </Alert>
      )}
      <Title order={2} size="h4">
        {words.steps}
      </Title>
      <Steps
        steps={run.steps}
        onRerun={goesOn(run.status) ? null : (nodeId) => setFrom({ from_node_id: nodeId })}
      />
      <Title order={2} size="h4">
        {words.output}
      </Title>
      <Value of={run.output} />
      <RerunDialog
        runPk={runPk}
        from={from}
        hasWorkflow={run.workflow_id !== null}
        onClose={() => setFrom(null)}
      />
    </Page>
  );
}
