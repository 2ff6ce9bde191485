/** Tests one node of the draft alone, and pins an output: that of the test, or that of a past run. */
import { Alert, Button, Group, NativeSelect, Stack, Text, Textarea } from '@mantine/core';
import { useMutation, useQuery, type UseMutationResult } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { Body } from '../../client/client.ts';
import type { RunStep } from '../../client/openapi.ts';
import { parseExactJson } from '../../../language/graph/values/exact-json.ts';
import { findReferences } from '../../../language/graph/template/template.ts';
import { isObject, setOwn, type Json, type JsonObject } from '../../../language/graph/values/value.ts';
import { useEditing, useHasPin, useRun } from '../canvas/context.ts';
import { isMocked } from '../canvas/kinds.ts';
import { fetchPins } from '../canvas/pins.ts';
import { hasCode } from '../kit/has-code.ts';
import { duration, moment } from '../kit/moment.ts';
import { Failure } from '../kit/page.tsx';
import { StatusBadge } from '../kit/status-badge.tsx';
import { pinWords } from '../words-pins.ts';
import { words } from '../words.ts';
import { statusLabel } from '../words-statuses.ts';
import { JsonView } from './json-view.tsx';

const PAST_RUNS = 20;

/** The result of a test; a pin takes its output from the run of `runPk`. */
interface Outcome {
  readonly runPk: string;
  readonly status: string;
  readonly step: RunStep | null;
}

/** @throws Error in words when a text is not an object */
function parseObject(text: string): JsonObject | null {
  if (text.trim() === '') return null;
  let value: unknown = null;
  try {
    value = parseExactJson(text);
  } catch {
    // Told below, as any other text that is no object.
  }
  if (!isObject(value)) throw new Error(pinWords.notObject);
  return value;
}

/** @throws Error in words when a text is not an object */
function buildRequest({ past, ...texts }: TestInput): Body<'testNode'> {
  const [input, state] = [parseObject(texts.input), parseObject(texts.state)];
  return {
    ...(input === null ? {} : { input }),
    ...(state === null ? {} : { state }),
    ...(past === '' ? {} : { from_run_pk: past }),
    confirm_effects: false,
  } as Body<'testNode'>;
}

function usePastRuns() {
  const { client, connection } = useEditing();
  const { runId, status } = useRun();
  const list = useQuery({
    // A run that is shown and has ended may be one of them.
    queryKey: ['past-runs', connection.workflowId, runId, status],
    queryFn: async () =>
      (await client.runs.list({ workflow_id: connection.workflowId, limit: PAST_RUNS }).page()).runs,
  });
  const runs = list.data ?? [];
  return { runs, shown: runs.find((run) => run.run_id === runId)?.id ?? runs[0]?.id ?? '' };
}

/** One try at a time; leaving the panel stops listening, not the run. */
function useTest(nodeId: string) {
  const { client, connection } = useEditing();
  const [streamed, setStreamed] = useState('');
  const leaving = useRef(new AbortController());
  useEffect(() => {
    const controller = new AbortController();
    leaving.current = controller;
    return () => controller.abort();
  }, []);
  const trial = useMutation({
    mutationFn: async (body: Body<'testNode'>): Promise<Outcome> => {
      const { signal } = leaving.current;
      setStreamed('');
      // The service tries the node as it is stored.
      await connection.saved();
      const read = new Set(findReferences(connection.node(nodeId) ?? {}).references.map(({ root }) => root));
      const state: JsonObject = {};
      const pins = await fetchPins(client, connection.view, (id) => id !== nodeId && read.has(id));
      for (const [id, output] of pins) setOwn(state, id, output);
      Object.assign(state, body.state);
      const path = { workflow_id: connection.workflowId, node_id: nodeId };
      const runId = await connection.board.startAside(async () => {
        const started = await client.request('POST', '/workflows/{workflow_id}/nodes/{node_id}/test', {
          path,
          body: Object.keys(state).length === 0 ? body : { ...body, state },
        });
        return started.run_id;
      });
      const run = client.runs.byRunId(runId);
      for await (const token of run.tokens({ signal }))
        setStreamed((text) => (token.type === 'token' ? text + token.delta : ''));
      const record = await run.record({ signal });
      const step = record.steps.findLast(({ node_id }) => node_id === nodeId) ?? null;
      if (step?.status === 'succeeded') connection.board.keepOutput(nodeId, step.output as Json);
      return { runPk: record.id, status: record.status, step };
    },
  });
  return { trial, streamed };
}

function usePin(nodeId: string) {
  const { client, connection } = useEditing();
  const path = { workflow_id: connection.workflowId, node_id: nodeId };
  const pin = useMutation({
    mutationFn: (runPk: string) =>
      client.request('POST', '/workflows/{workflow_id}/nodes/{node_id}/pin', {
        path,
        body: { run_pk: runPk },
      }),
  });
  const unpin = useMutation({
    mutationFn: () => client.request('DELETE', '/workflows/{workflow_id}/nodes/{node_id}/pin', { path }),
  });
  return { pin, unpin };
}

function OutcomeView({ outcome }: { readonly outcome: Outcome }) {
  const { status, step } = outcome;
  return (
    <Stack gap="xs" role="status" aria-label={pinWords.outcome}>
      <Group gap="xs">
        <StatusBadge status={status} />
        {step !== null && (
          <Text size="sm">
            {duration(step.duration_ms === null ? null : step.duration_ms / 1_000)}
            {step.credits > 0 && ` · ${words.creditCount(step.credits)}`}
          </Text>
        )}
      </Group>
      {status === 'interrupted' && <Text size="sm">{words.waiting}</Text>}
      {step !== null && step.error !== null && <p className="wc-trouble">{step.error.message}</p>}
      {step?.error?.response !== undefined && <JsonView value={{ ...step.error.response } as JsonObject} />}
      {step?.warnings.map(({ code, message }) => (
        <Text size="sm" key={code}>
          {message}
        </Text>
      ))}
      {step?.error === null && <JsonView value={step.output as Json} />}
    </Stack>
  );
}

interface ConfirmEffectsProps {
  readonly trial: UseMutationResult<Outcome, Error, Body<'testNode'>>;
}

/** The service tests a node with external effects only after a confirmation. */
function ConfirmEffects({ trial }: ConfirmEffectsProps) {
  const { error, variables } = trial;
  if (!hasCode(error, 'effects_not_confirmed')) return <Failure error={error} />;
  return (
    <Alert color="orange" role="alert">
      <Stack gap="xs">
        {pinWords.hasEffect}
        <Button
          size="compact-sm"
          color="orange.9"
          onClick={() => trial.mutate({ ...variables, confirm_effects: true })}
        >
          {pinWords.confirm}
        </Button>
      </Stack>
    </Alert>
  );
}

interface TestInput {
  readonly past: string;
  readonly input: string;
  readonly state: string;
}

interface TestInputProps {
  readonly runs: ReturnType<typeof usePastRuns>['runs'];
  readonly value: TestInput;
  readonly onChange: (more: Partial<TestInput>) => void;
}

/** The values that the templates of the node read: those of a past run, and texts that override them. */
function TestInputFields({ runs, value, onChange }: TestInputProps) {
  return (
    <>
      <NativeSelect
        label={pinWords.pastRun}
        value={value.past}
        onChange={({ currentTarget }) => onChange({ past: currentTarget.value })}
        data={[
          { value: '', label: pinWords.noPastRun },
          ...runs.map(({ id, created_at: at, status }) => ({
            value: id,
            label: `${moment(at)} · ${statusLabel(status)}`,
          })),
        ]}
      />
      {(['input', 'state'] as const).map((which) => (
        <Textarea
          key={which}
          label={pinWords[which]}
          description={pinWords[`${which}Hint`]}
          autosize
          minRows={1}
          maxRows={8}
          spellCheck={false}
          value={value[which]}
          onChange={({ currentTarget }) => onChange({ [which]: currentTarget.value })}
        />
      ))}
    </>
  );
}

interface SmallButtonProps {
  readonly label: string;
  readonly isBusy: boolean;
  readonly disabled?: boolean;
  readonly variant?: 'filled' | 'default';
  readonly onClick: () => void;
}

const SmallButton = ({ label, isBusy, variant = 'default', ...rest }: SmallButtonProps) => (
  <Button size="compact-sm" variant={variant} loading={isBusy} {...rest}>
    {label}
  </Button>
);

export function TryNode({ nodeId, node }: { readonly nodeId: string; readonly node: JsonObject }) {
  const { runs, shown } = usePastRuns();
  const { trial, streamed } = useTest(nodeId);
  const { pin, unpin } = usePin(nodeId);
  const hasPin = useHasPin(nodeId);
  const [written, setWritten] = useState<Partial<TestInput>>({});
  const [trouble, setTrouble] = useState<Error | null>(null);
  const input = { past: shown, input: '', state: '', ...written };
  const { past } = input;
  const outcome = trial.data;
  const start = (): void => {
    setTrouble(null);
    try {
      trial.mutate(buildRequest(input));
    } catch (error) {
      setTrouble(error as Error);
    }
  };
  return (
    <details className="wc-try">
      <summary>{pinWords.title}</summary>
      <Stack gap="sm">
        {(hasPin || isMocked(node)) && (
          <Group gap="xs">
            <Text size="sm">{hasPin ? pinWords.pinned : pinWords.mocked}</Text>
            <SmallButton
              label={hasPin ? pinWords.unpin : pinWords.unmock}
              isBusy={unpin.isPending}
              onClick={() => unpin.mutate()}
            />
          </Group>
        )}
        <TestInputFields
          runs={runs}
          value={input}
          onChange={(more) => setWritten((now) => ({ ...now, ...more }))}
        />
        <Group gap="xs">
          <SmallButton label={pinWords.try} variant="filled" isBusy={trial.isPending} onClick={start} />
          <SmallButton
            label={pinWords.pinPast}
            isBusy={pin.isPending}
            disabled={past === ''}
            onClick={() => pin.mutate(past)}
          />
        </Group>
        <Failure error={trouble ?? pin.error ?? unpin.error} />
        <ConfirmEffects trial={trial} />
        {trial.isPending && streamed !== '' && <p className="wc-stream">{streamed}</p>}
        {outcome !== undefined && <OutcomeView outcome={outcome} />}
        {outcome?.step?.status === 'succeeded' && (
          <Group>
            <SmallButton
              label={pinWords.pinThis}
              isBusy={pin.isPending}
              onClick={() => pin.mutate(outcome.runPk)}
            />
          </Group>
        )}
      </Stack>
    </details>
  );
}
