/** The page of one run: its steps with their values, its result, and the actions on it. */
import { Alert, Anchor, Button, Paper, Stack, Table, Tabs, Text, Title } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { lazy, Suspense, useState, type ReactNode } from 'react';
import type { WorkflowClient } from '../../client/client.ts';
import type { Run, RunStep } from '../../client/openapi.ts';
import { duration, moment } from '../kit/moment.ts';
import type { AppConfig } from '../session/session.ts';
import { Failure, Page, Waiting } from '../kit/page.tsx';
import { DataTable } from '../kit/data-table.tsx';
import { StatusBadge } from '../kit/status-badge.tsx';
import { TextLink } from '../kit/text-link.tsx';
import { runWords } from '../words-runs.ts';
import { words } from '../words.ts';
import { EventList } from '../runs/event-list.tsx';
import { RerunDialog, type RerunFrom } from '../runs/rerun-dialog.tsx';
import type { Writing } from '../runs/run-stream.ts';
import { toSeconds, StepDetails, Value } from '../runs/step-details.tsx';
import { useRunStream } from '../runs/use-run-stream.ts';
import { Waterfall } from '../runs/waterfall.tsx';

// React Flow is loaded by whoever looks at a graph.
const RunGraph = lazy(async () => ({ default: (await import('../runs/run-graph.tsx')).RunGraph }));

const route = getRouteApi('/runs/$runPk');
const LOOK_AGAIN_MS = 2_000;

/** Returns the address of the run in Temporal's UI; null without one. All segments of a run share one execution. */
function formatTemporalUrl(
  { temporal_ui_url: url, temporal_namespace: namespace }: AppConfig,
  organizationId: string,
  runPk: string,
): string | null {
  if (url === null) return null;
  const workflowId = encodeURIComponent(`org/${organizationId}/run/${runPk}`);
  return `${url}/namespaces/${encodeURIComponent(namespace)}/workflows/${workflowId}`;
}

/** A segment that was answered stays interrupted: the run goes on in the next one. */
const isWaiting = ({ status, resumed_by_run_ids: next }: Run): boolean =>
  status === 'interrupted' && next.length === 0;
const isOpen = (run: Run): boolean => run.status === 'running' || isWaiting(run);

interface StepsProps {
  readonly steps: readonly RunStep[];
  readonly details: (step: RunStep) => ReactNode;
}

function Steps({ steps, details }: StepsProps) {
  const [opened, setOpened] = useState<string | null>(null);
  return (
    <DataTable heads={[runWords.node, words.status, runWords.duration]}>
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
            {opened === step.step_id && details(step)}
          </Table.Td>
          <Table.Td>
            <StatusBadge status={step.status} />
          </Table.Td>
          <Table.Td>{duration(toSeconds(step.duration_ms))}</Table.Td>
        </Table.Tr>
      ))}
    </DataTable>
  );
}

/** Shows the texts that models are writing, node by node. */
const Written = ({ writing }: { readonly writing: readonly Writing[] }) =>
  writing.length === 0 ? null : (
    <Stack component="section" gap="xs" aria-label={runWords.now}>
      {writing.map(({ stepId, nodeName, text }) => (
        <Paper key={stepId} withBorder p="sm">
          <Text size="sm" c="dimmed">
            {nodeName}
          </Text>
          <Text style={{ whiteSpace: 'pre-wrap' }}>{text}</Text>
        </Paper>
      ))}
    </Stack>
  );

type View = keyof typeof runWords.views;
const VIEWS = Object.keys(runWords.views) as View[];

interface ViewsProps {
  readonly run: Run;
  readonly client: WorkflowClient;
  readonly onRerun: ((nodeId: string) => void) | null;
}

/** The run as its steps, on the graph that it walked, over time, and as its raw events. */
function Views({ run, client, onRerun }: ViewsProps) {
  const [view, setView] = useState<View>('steps');
  const isWanted = isOpen(run) || view === 'events';
  const stream = useRunStream({ client, runId: run.run_id, isWanted });
  const details = (step: RunStep) => (
    <StepDetails client={client} runPk={run.id} step={step} onRerun={onRerun} />
  );
  return (
    <>
      <Written writing={stream?.writing ?? []} />
      <Tabs value={view} onChange={(next) => setView((next ?? 'steps') as View)} keepMounted={false}>
        <Tabs.List mb="sm">
          {VIEWS.map((name) => (
            <Tabs.Tab key={name} value={name}>
              {runWords.views[name]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="steps">
          <Steps steps={run.steps} details={details} />
        </Tabs.Panel>
        <Tabs.Panel value="graph">
          <Suspense fallback={<Waiting />}>
            <RunGraph run={run} client={client} details={details} />
          </Suspense>
        </Tabs.Panel>
        <Tabs.Panel value="timeline">
          <Waterfall steps={run.steps} details={details} />
        </Tabs.Panel>
        <Tabs.Panel value="events">
          <EventList stream={stream} />
        </Tabs.Panel>
      </Tabs>
    </>
  );
}

interface ActionsProps {
  readonly status: string;
  readonly isStoppable: boolean;
  readonly temporal: string | null;
  readonly isStopping: boolean;
  readonly onStop: () => void;
  readonly onAgain: () => void;
}

function Actions({ status, isStoppable, temporal, isStopping, onStop, onAgain }: ActionsProps) {
  return (
    <>
      {temporal !== null && (
        <Anchor href={temporal} target="_blank" rel="noopener noreferrer">
          {runWords.inTemporal}
        </Anchor>
      )}
      {isStoppable && (
        <Button variant="default" loading={isStopping} onClick={onStop}>
          {runWords.stop}
        </Button>
      )}
      {status === 'failed' && <Button onClick={onAgain}>{runWords.rerun}</Button>}
    </>
  );
}

/** The record of a run, looked at again while it goes on; and what can be done about it. */
function useRun(runPk: string) {
  const { client, organizationId } = route.useRouteContext().app;
  const record = useQuery({
    queryKey: [organizationId, 'run', runPk],
    queryFn: () => client.runs.get(runPk),
    refetchInterval: ({ state }) => (state.data !== undefined && !isOpen(state.data) ? false : LOOK_AGAIN_MS),
  });
  const stop = useMutation({
    mutationFn: (runId: string) =>
      client.request('POST', '/workflows/cancel/{run_id}', { path: { run_id: runId }, body: {} }),
    onSettled: () => void record.refetch(),
  });
  return { record, stop };
}

interface LeadsProps {
  readonly run: Run;
  readonly onRun: (runId: string) => void;
}

/** Links to the runs and pages that belong to this run: its original, its open question, its next segment. */
function Leads({ run, onRun }: LeadsProps) {
  const { id: runPk, rerun_of_run_pk: original, workflow_id: workflowId, resumed_by_run_ids: next } = run;
  const last = next.at(-1);
  return (
    <>
      {workflowId !== null && (
        <TextLink to="/workflows/$workflowId" params={{ workflowId }} search={{ run: runPk }}>
          {runWords.onCanvas}
        </TextLink>
      )}
      {original !== null && (
        <TextLink to="/runs/$runPk/compare/$otherPk" params={{ runPk: original, otherPk: runPk }}>
          {runWords.compareOriginal}
        </TextLink>
      )}
      {isWaiting(run) && (
        <Alert color="orange">
          <TextLink to="/questions">{words.waiting}</TextLink>
        </Alert>
      )}
      {last !== undefined && (
        <Button variant="subtle" size="compact-sm" onClick={() => onRun(last)}>
          {runWords.wentOn}
        </Button>
      )}
    </>
  );
}

export function RunPage() {
  const { runPk } = route.useParams();
  const { client, organizationId, config } = route.useRouteContext().app;
  const navigate = route.useNavigate();
  const { record, stop } = useRun(runPk);
  const [from, setFrom] = useState<RerunFrom | null>(null);
  const toRun = async (runId: string): Promise<void> => {
    const { runs } = await client.runs.list({ run_id: runId }).page();
    const made = runs[0]?.id;
    if (made !== undefined) await navigate({ to: '/runs/$runPk', params: { runPk: made } });
  };
  if (record.isPending) return <Waiting />;
  if (record.isError) return <Failure error={record.error} />;
  const run = record.data;
  const temporal = run.resumed_from_run_id === null ? formatTemporalUrl(config, organizationId, runPk) : null;
  return (
    <Page
      title={run.workflow_name}
      mark={<StatusBadge status={run.status} />}
      actions={
        <Actions
          status={run.status}
          isStoppable={isOpen(run)}
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
        {run.credits.charged > 0 && ` · ${run.credits.charged} ${words.credits}`}
      </Text>
      <Leads run={run} onRun={(runId) => void toRun(runId)} />
      {run.error_message !== null && (
        <Alert color="red" title={runWords.error}>
          {run.error_message}
        </Alert>
      )}
      <Views
        run={run}
        client={client}
        onRerun={isOpen(run) ? null : (nodeId) => setFrom({ from_node_id: nodeId })}
      />
      <Title order={2} size="h4">
        {runWords.output}
      </Title>
      <Value of={run.output} />
      <RerunDialog
        client={client}
        runPk={runPk}
        from={from}
        hasWorkflow={run.workflow_id !== null}
        onClose={() => setFrom(null)}
        onStarted={(runId) => {
          setFrom(null);
          void toRun(runId);
        }}
      />
    </Page>
  );
}
