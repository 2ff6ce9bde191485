/** Trying one node of the draft alone, and pinning an output: its own of now, or that of a past run. */
import { Alert, Button, Group, NativeSelect, Stack, Text, Textarea } from '@mantine/core';
import { useMutation, useQuery, type UseMutationResult } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { WorkflowApiError, type Body } from '../../client/client.ts';
import type { RunStep } from '../../client/openapi.ts';
import { parseExactJson } from '../../graph/exact-json.ts';
import { findReferences } from '../../graph/template.ts';
import { isObject, setOwn, type JsonObject } from '../../graph/value.ts';
import { useEditing, useHasPin, useRun } from '../canvas/context.ts';
import { isMocked } from '../canvas/kinds.ts';
import { fetchPins } from '../canvas/pins.ts';
import { duration, moment } from '../kit/moment.ts';
import { Failure } from '../kit/page.tsx';
import { StatusBadge } from '../kit/status-badge.tsx';
import { pinWords } from '../words-pins.ts';
import { words } from '../words.ts';
import { JsonView } from './json-view.tsx';

const PAST_RUNS = 20;

/** What a try came to; its `run_pk` is what a pin takes the output from. */
interface Outcome {
  readonly runPk: string;
  readonly status: string;
  readonly step: RunStep | null;
}

/** @throws Error in words when a text is not an object */
function objectOf(text: string): JsonObject | null {
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
function bodyOf({ past, ...texts }: Given): Body<'testNode'> {
  const [input, state] = [objectOf(texts.input), objectOf(texts.state)];
  return {
    ...(input === null ? {} : { input }),
    ...(state === null ? {} : { state }),
    ...(past === '' ? {} : { from_run_pk: past }),
    confirm_effects: false,
  } as Body<'testNode'>;
}

function usePastRuns() {
  const { client, room } = useEditing();
  const { runId, status } = useRun();
  const list = useQuery({
    // A run that is shown and has ended may be one of them.
    queryKey: ['past-runs', room.workflowId, runId, status],
    queryFn: async () =>
      (await client.runs.list({ workflow_id: room.workflowId, limit: PAST_RUNS }).page()).runs,
  });
  const runs = list.data ?? [];
  return { runs, shown: runs.find((run) => run.run_id === runId)?.id ?? runs[0]?.id ?? '' };
}

/** One try at a time; leaving the panel stops listening, not the run. */
function useTry(nodeId: string) {
  const { client, room } = useEditing();
  const [said, setSaid] = useState('');
  const leaving = useRef(new AbortController());
  useEffect(() => {
    const controller = new AbortController();
    leaving.current = controller;
    return () => controller.abort();
  }, []);
  const trial = useMutation({
    mutationFn: async (body: Body<'testNode'>): Promise<Outcome> => {
      const { signal } = leaving.current;
      setSaid('');
      // The service tries the node as it is stored.
      await room.saved();
      const read = new Set(findReferences(room.node(nodeId) ?? {}).references.map(({ root }) => root));
      const state: JsonObject = {};
      const pins = await fetchPins(client, room.view, (id) => id !== nodeId && read.has(id));
      for (const [id, output] of pins) setOwn(state, id, output);
      Object.assign(state, body.state);
      const path = { workflow_id: room.workflowId, node_id: nodeId };
      const runId = await room.board.aside(async () => {
        const started = await client.request('POST', '/workflows/{workflow_id}/nodes/{node_id}/test', {
          path,
          body: Object.keys(state).length === 0 ? body : { ...body, state },
        });
        return started.run_id;
      });
      const run = client.runs.byRunId(runId);
      for await (const token of run.tokens({ signal }))
        setSaid((text) => (token.type === 'token' ? text + token.delta : ''));
      const record = await run.record({ signal });
      const step = record.steps.findLast(({ node_id }) => node_id === nodeId) ?? null;
      return { runPk: record.id, status: record.status, step };
    },
  });
  return { trial, said };
}

function usePin(nodeId: string) {
  const { client, room } = useEditing();
  const path = { workflow_id: room.workflowId, node_id: nodeId };
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
            {step.credits > 0 && ` · ${step.credits} ${words.credits}`}
          </Text>
        )}
      </Group>
      {status === 'interrupted' && <Text size="sm">{words.waiting}</Text>}
      {step !== null && step.error !== null && <p className="wc-trouble">{step.error.message}</p>}
      {step?.warnings.map(({ code, message }) => (
        <Text size="sm" key={code}>
          {message}
        </Text>
      ))}
      {step?.error === null && <JsonView value={step.output as JsonObject[string]} />}
    </Stack>
  );
}

interface EffectProps {
  readonly trial: UseMutationResult<Outcome, Error, Body<'testNode'>>;
}

/** A tool or an agent that may act on something outside is not tried before somebody says so. */
function Effect({ trial }: EffectProps) {
  const { error, variables } = trial;
  // The refusal names what must be sent.
  const isAsked = error instanceof WorkflowApiError && error.message.includes('confirm_effects');
  if (!isAsked) return <Failure error={error} />;
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

interface Given {
  readonly past: string;
  readonly input: string;
  readonly state: string;
}

interface GivenProps {
  readonly runs: ReturnType<typeof usePastRuns>['runs'];
  readonly given: Given;
  readonly onGive: (more: Partial<Given>) => void;
}

/** What the templates of the node read: the values of a past run, and what wins over them. */
function GivenFields({ runs, given, onGive }: GivenProps) {
  return (
    <>
      <NativeSelect
        label={pinWords.pastRun}
        value={given.past}
        onChange={({ currentTarget }) => onGive({ past: currentTarget.value })}
        data={[
          { value: '', label: pinWords.noPastRun },
          ...runs.map(({ id, created_at: at, status }) => ({
            value: id,
            label: `${moment(at)} · ${status}`,
          })),
        ]}
      />
      {(['input', 'state'] as const).map((which) => (
        <Textarea
          key={which}
          label={pinWords[which]}
          autosize
          minRows={1}
          maxRows={8}
          spellCheck={false}
          value={given[which]}
          onChange={({ currentTarget }) => onGive({ [which]: currentTarget.value })}
        />
      ))}
    </>
  );
}

interface SmallButtonProps {
  readonly label: string;
  readonly isBusy: boolean;
  readonly isOff?: boolean;
  readonly isMain?: boolean;
  readonly onClick: () => void;
}

const SmallButton = ({ label, isBusy, isOff = false, isMain = false, onClick }: SmallButtonProps) => (
  <Button
    size="compact-sm"
    variant={isMain ? 'filled' : 'default'}
    loading={isBusy}
    disabled={isOff}
    onClick={onClick}
  >
    {label}
  </Button>
);

export function TryNode({ nodeId, node }: { readonly nodeId: string; readonly node: JsonObject }) {
  const { runs, shown } = usePastRuns();
  const { trial, said } = useTry(nodeId);
  const { pin, unpin } = usePin(nodeId);
  const hasPin = useHasPin(nodeId);
  const [written, setWritten] = useState<Partial<Given>>({});
  const [trouble, setTrouble] = useState<Error | null>(null);
  const given = { past: shown, input: '', state: '', ...written };
  const { past } = given;
  const tried = trial.data;
  const start = (): void => {
    setTrouble(null);
    try {
      trial.mutate(bodyOf(given));
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
        <GivenFields
          runs={runs}
          given={given}
          onGive={(more) => setWritten((now) => ({ ...now, ...more }))}
        />
        <Group gap="xs">
          <SmallButton label={pinWords.try} isMain isBusy={trial.isPending} onClick={start} />
          <SmallButton
            label={pinWords.pinPast}
            isBusy={pin.isPending}
            isOff={past === ''}
            onClick={() => pin.mutate(past)}
          />
        </Group>
        <Failure error={trouble ?? pin.error ?? unpin.error} />
        <Effect trial={trial} />
        {trial.isPending && said !== '' && <p className="wc-stream">{said}</p>}
        {tried !== undefined && <OutcomeView outcome={tried} />}
        {tried?.step?.status === 'succeeded' && (
          <Group>
            <SmallButton
              label={pinWords.pinThis}
              isBusy={pin.isPending}
              onClick={() => pin.mutate(tried.runPk)}
            />
          </Group>
        )}
      </Stack>
    </details>
  );
}
