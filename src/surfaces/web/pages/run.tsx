/** The page of one run: its steps with their values, its result, and the actions on it. All its segments are one run here. */
import { Alert, Anchor, Button, Grid, Paper, Stack, Tabs, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { lazy, Suspense, useState, type ReactNode } from 'react';
import type { WorkflowClient } from '../../client/client.ts';
import { duration, moment } from '../kit/moment.ts';
import { Failure, Page, Waiting } from '../kit/page.tsx';
import { StatusBadge } from '../kit/status-badge.tsx';
import { TextLink } from '../kit/text-link.tsx';
import { EarlierEvents } from '../runs/earlier-events.tsx';
import { EventList } from '../runs/event-list.tsx';
import { isOpen, isUnattended, isWaiting, type JoinedRun } from '../runs/joined-run.ts';
import type { ListedStep } from '../runs/listed-step.ts';
import { QuestionCard } from '../runs/question-card.tsx';
import { RelativeTime, useNow } from '../kit/relative-time.tsx';
import { RerunDialog, type RerunFrom } from '../runs/rerun-dialog.tsx';
import type { NodeTokens } from '../runs/run-stream.ts';
import { StepDetails } from '../runs/step-details.tsx';
import { StepList } from '../runs/step-list.tsx';
import { useJoinedRun } from '../runs/use-joined-run.ts';
import { useRunStream } from '../runs/use-run-stream.ts';
import { useStreamRefresh, type Refetch } from '../runs/use-stream-refresh.ts';
import { ValueView } from '../runs/value-view.tsx';
import { Waterfall } from '../runs/waterfall.tsx';
import type { AppConfig } from '../session/session.ts';
import { useHeldRows } from '../kit/use-held-rows.ts';
import { runWords } from '../words-runs.ts';
import { words } from '../words.ts';
import { UnreadPage } from './unread-page.tsx';

// React Flow is loaded when somebody opens the graph.
const RunGraph = lazy(async () => ({ default: (await import('../runs/run-graph.tsx')).RunGraph }));

const route = getRouteApi('/runs/$runPk');

/** Returns the address of the run in Temporal's UI; null without one. All segments of a run share one execution. */
function formatTemporalUrl(
  { temporal_ui_url: url, temporal_namespace: namespace }: AppConfig,
  organizationId: string,
  { first }: JoinedRun,
): string | null {
  if (url === null) return null;
  const workflowId = encodeURIComponent(`org/${organizationId}/run/${first.id}`);
  return `${url}/namespaces/${encodeURIComponent(namespace)}/workflows/${workflowId}`;
}

/** Shows the texts that models are writing, node by node. */
const Written = ({ writing }: { readonly writing: readonly NodeTokens[] }) =>
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

/** Finds the step that a reader looks for first: the one that failed or waits; else the run itself, by null. */
function findFirstStep({ newest, steps }: JoinedRun): string | null {
  const status = isOpen(newest) ? 'interrupted' : 'failed';
  const step = steps.findLast((one) => one.status === status && one.parent_step_id === null);
  return step?.step_id ?? null;
}

/** The retention of values deletes those of all segments together. */
const hasValues = ({ newest }: JoinedRun): boolean => newest.values_deleted_at === null;

interface StepsProps {
  readonly run: JoinedRun;
  readonly details: (step: ListedStep) => ReactNode;
}

/** The steps beside the values of the selected one. */
function Steps({ run, details }: StepsProps) {
  const [chosen, setChosen] = useState<{ readonly stepId: string | null } | null>(null);
  const selected = chosen === null ? findFirstStep(run) : chosen.stepId;
  const step = run.steps.find(({ step_id: id }) => id === selected);
  return (
    <Grid gap="md">
      <Grid.Col span={{ base: 12, sm: 4 }}>
        <StepList
          steps={run.steps}
          selected={step === undefined ? null : selected}
          onSelect={(stepId) => setChosen({ stepId })}
        />
      </Grid.Col>
      <Grid.Col span={{ base: 12, sm: 8 }}>
        <section aria-label={step?.node_name ?? runWords.wholeRun}>
          {step === undefined ? (
            <Stack gap="sm">
              {!hasValues(run) && (
                <Text c="dimmed" size="sm">
                  {runWords.valuesGone}
                </Text>
              )}
              {hasValues(run) && !isOpen(run.newest) && (
                <ValueView name={runWords.output} value={run.newest.output} />
              )}
              {hasValues(run) && <ValueView name={runWords.runInput} value={run.first.input} />}
            </Stack>
          ) : (
            details(step)
          )}
        </section>
      </Grid.Col>
    </Grid>
  );
}

type View = keyof typeof runWords.views;
const VIEWS = Object.keys(runWords.views) as View[];

interface ViewsProps {
  readonly run: JoinedRun;
  readonly client: WorkflowClient;
  readonly onRerun: ((nodeId: string) => void) | null;
  /** Reads the run again. */
  readonly refetch: Refetch;
}

/** The run as its steps, on the graph that it walked, over time, and as its raw events. */
function Views({ run, client, onRerun, refetch }: ViewsProps) {
  const [view, setView] = useState<View>('steps');
  const { newest, steps } = run;
  const isWanted = isOpen(newest) || view === 'events';
  const stream = useRunStream({ client, runId: newest.run_id, isWanted });
  useStreamRefresh(isOpen(newest) ? stream : null, refetch);
  const details = ({ step_id: stepId }: ListedStep) => {
    const step = steps.find(({ step_id: id }) => id === stepId);
    return (
      step && (
        <StepDetails key={stepId} client={client} step={step} onRerun={onRerun} hasValues={hasValues(run)} />
      )
    );
  };
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
          <Steps run={run} details={details} />
        </Tabs.Panel>
        <Tabs.Panel value="graph">
          <Suspense fallback={<Waiting />}>
            <RunGraph runPk={newest.id} steps={steps} client={client} details={details} />
          </Suspense>
        </Tabs.Panel>
        <Tabs.Panel value="timeline">
          <Waterfall run={run} details={details} />
        </Tabs.Panel>
        <Tabs.Panel value="events">
          <EarlierEvents run={run} client={client} />
          <EventList stream={stream} />
        </Tabs.Panel>
      </Tabs>
    </>
  );
}

/** The state of the run: one that no worker has begun is not running. */
function RunMark({ run }: { readonly run: JoinedRun }) {
  const nowMs = useNow();
  return <StatusBadge status={isUnattended(run, nowMs) ? 'noWorker' : run.newest.status} />;
}

/** The facts of the run in one line. */
function Facts({ run: { first, newest, credits } }: { readonly run: JoinedRun }) {
  const nowMs = useNow();
  const end = newest.completed_at === null || isOpen(newest) ? nowMs : Date.parse(newest.completed_at);
  const { workflow_id: workflowId, deployment_version: version } = newest;
  return (
    <Text c="dimmed" size="sm">
      {runWords.started} <RelativeTime at={first.started_at} /> ·{' '}
      {duration(Math.max(0, end - Date.parse(first.started_at)) / 1_000)}
      {credits > 0 && ` · ${words.creditCount(credits)}`} ·{' '}
      {version !== null && workflowId !== null ? (
        <TextLink to="/workflows/$workflowId/versions" params={{ workflowId }} size="sm">
          {runWords.versionRan(version)}
        </TextLink>
      ) : (
        runWords.draftRan
      )}
    </Text>
  );
}

/** Links to the pages that belong to this run: its workflow, and the run that it repeats. */
function Links({ run: { newest } }: { readonly run: JoinedRun }) {
  const { id: runPk, rerun_of_run_pk: original, workflow_id: workflowId } = newest;
  return (
    <>
      {workflowId !== null && (
        <TextLink to="/workflows/$workflowId" params={{ workflowId }} search={{ run: runPk }} size="sm">
          {runWords.onCanvas}
        </TextLink>
      )}
      {original !== null && (
        <TextLink to="/runs/$runPk/compare/$otherPk" params={{ runPk: original, otherPk: runPk }} size="sm">
          {runWords.compareOriginal}
        </TextLink>
      )}
    </>
  );
}

interface QuestionsProps {
  readonly run: JoinedRun;
  readonly client: WorkflowClient;
  readonly onAnswered: () => void;
}

/** The open questions of the run, answered in place. */
function Questions({ run: { newest }, client, onAnswered }: QuestionsProps) {
  const open = newest.interrupts
    .filter(({ status }) => isWaiting(newest) && status === 'pending')
    // The run goes on in another segment, and a held question belongs to its own.
    .map((question) => ({ question, runId: newest.run_id }));
  const { rows, hold, release } = useHeldRows(open, ({ question }) => question.interrupt_id);
  return rows.map(({ row, isGone }) => (
    <QuestionCard
      key={row.question.interrupt_id}
      client={client}
      runId={row.runId}
      question={row.question}
      isGone={isGone}
      onHold={(isHeld) => (isHeld ? hold : release)(row)}
      onAnswered={onAnswered}
    />
  ));
}

/** Calls of callbacks after their answer or timeout. */
const LateCalls = ({ run: { newest } }: { readonly run: JoinedRun }) =>
  newest.interrupts
    .filter(({ late_call_count: count }) => count > 0)
    .map(
      ({ interrupt_id: id, title, node_id: nodeId, late_call_count: count, last_late_call_at: lastAt }) => (
        <Text key={id} size="sm" c="dimmed">
          {runWords.lateCalls(title === '' ? nodeId : title, count, lastAt === null ? '' : moment(lastAt))}
        </Text>
      ),
    );

export function RunPage() {
  const { runPk } = route.useParams();
  const { client, organizationId, config } = route.useRouteContext().app;
  const navigate = route.useNavigate();
  const { run, error, refetch } = useJoinedRun({ client, organizationId, runPk });
  const [from, setFrom] = useState<RerunFrom | null>(null);
  const stop = useMutation({
    mutationFn: (runId: string) => client.runs.cancel(runId),
    onSettled: () => refetch(),
  });
  const toRun = async (runId: string): Promise<void> => {
    const { runs } = await client.runs.list({ run_id: runId }).page();
    const made = runs[0]?.id;
    if (made !== undefined) await navigate({ to: '/runs/$runPk', params: { runPk: made } });
  };
  if (run === null) return error === null ? <Waiting /> : <UnreadPage title={words.runs} error={error} />;
  const { newest } = run;
  const temporal = formatTemporalUrl(config, organizationId, run);
  return (
    <Page
      title={newest.workflow_name}
      mark={<RunMark run={run} />}
      actions={
        <>
          {isOpen(newest) ? (
            <Button variant="default" loading={stop.isPending} onClick={() => stop.mutate(newest.run_id)}>
              {runWords.stop}
            </Button>
          ) : (
            hasValues(run) && (
              <Button onClick={() => setFrom(newest.status === 'failed' ? { from: 'failed' } : {})}>
                {runWords.rerun}
              </Button>
            )
          )}
          <Links run={run} />
          {temporal !== null && (
            <Anchor href={temporal} target="_blank" rel="noopener noreferrer" size="sm">
              {runWords.inTemporal}
            </Anchor>
          )}
        </>
      }
    >
      <Failure error={stop.error ?? error} />
      <Facts run={run} />
      {newest.values_deleted_at !== null && (
        <Alert color="gray">{runWords.valuesDeleted(moment(newest.values_deleted_at))}</Alert>
      )}
      {newest.error_message !== null && (
        <Alert color="red" title={runWords.error}>
          {hasValues(run) ? newest.error_message : newest.error?.code}
        </Alert>
      )}
      <Questions run={run} client={client} onAnswered={() => void refetch()} />
      <LateCalls run={run} />
      <Views
        run={run}
        client={client}
        onRerun={isOpen(newest) || !hasValues(run) ? null : (nodeId) => setFrom({ from_node_id: nodeId })}
        refetch={refetch}
      />
      <RerunDialog
        client={client}
        runPk={newest.id}
        from={from}
        workflowId={newest.workflow_id}
        onClose={() => setFrom(null)}
        onStarted={(runId) => {
          setFrom(null);
          void toRun(runId);
        }}
      />
    </Page>
  );
}
