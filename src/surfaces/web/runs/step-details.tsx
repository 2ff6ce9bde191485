/** Everything that is known of a step: its error, values, attempts, warnings, tool calls and log. */
import { Alert, Badge, Button, Group, List, Stack, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { WorkflowClient } from '../../client/client.ts';
import type { RunStep } from '../../client/openapi.ts';
import { ownValue, type Json, type JsonObject } from '../../../language/graph/values/value.ts';
import { findKindStyle } from '../canvas/kinds.ts';
import { DataTable } from '../kit/data-table.tsx';
import { duration, moment } from '../kit/moment.ts';
import { Failure, Waiting } from '../kit/page.tsx';
import { StatusBadge } from '../kit/status-badge.tsx';
import { runWords } from '../words-runs.ts';
import { words } from '../words.ts';
import type { JoinedStep } from './joined-run.ts';
import { formatStepName } from './step-tree.ts';
import { ValueView } from './value-view.tsx';

export const toSeconds = (ms: number | null): number | null => (ms === null ? null : ms / 1_000);

function Attempts({ step }: { readonly step: RunStep }) {
  if (step.attempts.length < 2) return null;
  return (
    <>
      <Text size="sm" fw={600}>
        {runWords.attempts}
      </Text>
      <DataTable
        heads={[runWords.attempt, words.status, runWords.started, runWords.duration, runWords.error]}
      >
        {step.attempts.map((attempt) => (
          <Table.Tr key={attempt.attempt}>
            <Table.Td>{attempt.attempt}</Table.Td>
            <Table.Td>
              <StatusBadge status={attempt.status} />
            </Table.Td>
            <Table.Td>{moment(attempt.started_at)}</Table.Td>
            <Table.Td>{duration(toSeconds(attempt.duration_ms))}</Table.Td>
            <Table.Td>{attempt.error?.message}</Table.Td>
          </Table.Tr>
        ))}
      </DataTable>
    </>
  );
}

function ToolCalls({ step }: { readonly step: RunStep }) {
  if (step.tool_calls === null || step.tool_calls.length === 0) return null;
  return (
    <>
      <Text size="sm" fw={600}>
        {runWords.toolCalls}
      </Text>
      {step.tool_calls.map((call) => (
        <Stack key={call.id} gap={4} pl="sm">
          <Text size="sm">
            <b>{call.name}</b> {duration(toSeconds(call.duration_ms))}
          </Text>
          <ValueView name={runWords.arguments} value={call.arguments} />
          <ValueView
            name={call.error === null ? runWords.result : runWords.error}
            value={call.error ?? call.result}
          />
        </Stack>
      ))}
    </>
  );
}

function Facts({ step }: { readonly step: RunStep }) {
  const { node_type: type, duration_ms: ms, credits, usage, attempt, reused_from_step_id: origin } = step;
  const facts = [
    findKindStyle(type).label,
    ms !== null && duration(toSeconds(ms)),
    attempt > 1 && runWords.attemptCount(attempt),
    credits > 0 && words.creditCount(credits),
    usage !== null && runWords.tokens(usage.input_tokens, usage.output_tokens),
    origin !== null && runWords.reused,
  ].filter((fact) => fact !== false);
  return (
    <Text size="sm" c="dimmed">
      {facts.join(' · ')}
    </Text>
  );
}

/** A call over HTTP keeps its request as input, and the response as output. */
function nameValues({ input, output }: RunStep): { readonly input: string; readonly output: string } {
  const [method, url] = ['method', 'url'].map((key) => ownValue(input as Json, key));
  if (typeof method !== 'string' || typeof url !== 'string')
    return { input: runWords.input, output: runWords.output };
  return {
    input: `${runWords.request}: ${method} ${url}`,
    output: nameResponse(ownValue(output as Json, 'status')),
  };
}

const nameResponse = (status: unknown): string =>
  typeof status === 'number' ? `${runWords.response}: ${status}` : runWords.response;

/** The output of a failed step repeats its error, unless the node has a default output. */
const repeatsError = ({ error, output }: RunStep): boolean =>
  error !== null && Object.keys((output ?? {}) as JsonObject).every((key) => key === 'error');

/** Error, values, log, attempts and tool calls of a step. */
function Values({ step, hasValues }: Pick<StepDetailsProps, 'hasValues'> & { readonly step: RunStep }) {
  const names = nameValues(step);
  return (
    <>
      {step.error !== null && (
        <Alert color="red" title={step.error.code}>
          {hasValues && (
            <Text size="sm" style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
              {step.error.message}
            </Text>
          )}
        </Alert>
      )}
      {step.warnings.length > 0 && (
        <List size="sm" aria-label={runWords.warnings}>
          {step.warnings.map(({ code, message }) => (
            <List.Item key={code}>
              <Badge variant="dot" color="orange">
                {code}
              </Badge>{' '}
              {message}
            </List.Item>
          ))}
        </List>
      )}
      {!hasValues && (
        <Text c="dimmed" size="sm">
          {runWords.valuesGone}
        </Text>
      )}
      {step.error?.response !== undefined && (
        <ValueView name={nameResponse(step.error.response.status)} value={step.error.response} />
      )}
      {!step.output_truncated && step.output !== null && !repeatsError(step) && (
        <ValueView name={step.error === null ? names.output : runWords.output} value={step.output} />
      )}
      {!step.input_truncated && step.input !== null && <ValueView name={names.input} value={step.input} />}
      {step.logs !== null && step.logs.length > 0 && (
        <ValueView name={runWords.logs} value={step.logs.join('\n')} />
      )}
      <Attempts step={step} />
      <ToolCalls step={step} />
    </>
  );
}

interface StepDetailsProps {
  readonly client: WorkflowClient;
  readonly step: JoinedStep;
  /** Null while the run goes on: it cannot be run again yet. */
  readonly onRerun: ((nodeId: string) => void) | null;
  /** False after the retention of values. */
  readonly hasValues: boolean;
}

/** Steps that the arrow keys pass by are not read. */
const PAUSE_MS = 150;

/** Reads a step when the record has its outline alone, or when its values are too large for the record. */
function useWholeStep(client: WorkflowClient, { step_id: stepId, run_pk: runPk, status, whole }: JoinedStep) {
  const [isWanted, setWanted] = useState(false);
  const read = useQuery({
    queryKey: ['run-step', runPk, stepId, status],
    queryFn: async ({ signal }) => {
      await new Promise((resolve) => {
        setTimeout(resolve, whole === null ? PAUSE_MS : 0);
      });
      signal.throwIfAborted();
      return client.runs.step({ runPk, stepId }, { signal });
    },
    enabled: whole === null || isWanted,
    staleTime: 'static',
  });
  return {
    step: read.data ?? whole,
    error: read.error,
    isReading: read.isFetching,
    read: () => setWanted(true),
  };
}

export function StepDetails({ client, step: listed, onRerun, hasValues }: StepDetailsProps) {
  const { step, error, isReading, read } = useWholeStep(client, listed);
  return (
    <Stack gap="sm">
      <Group gap="xs">
        <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
          {formatStepName(listed)}
        </Text>
        <StatusBadge status={listed.status} />
      </Group>
      {/* A step that was answered counts from its question on, which an earlier segment asked. */}
      {step !== null && <Facts step={{ ...step, duration_ms: listed.duration_ms }} />}
      {step !== null && (step.input_truncated || step.output_truncated) && (
        <Group gap="xs">
          <Text size="sm">{runWords.valueIsCut}</Text>
          <Button variant="default" size="compact-sm" loading={isReading} onClick={read}>
            {runWords.wholeValue}
          </Button>
        </Group>
      )}
      <Failure error={error} />
      {step === null ? error === null && <Waiting /> : <Values step={step} hasValues={hasValues} />}
      {onRerun !== null && listed.parent_step_id === null && (
        <Group>
          <Button variant="default" size="compact-sm" onClick={() => onRerun(listed.node_id)}>
            {runWords.rerunFrom}
          </Button>
        </Group>
      )}
    </Stack>
  );
}
