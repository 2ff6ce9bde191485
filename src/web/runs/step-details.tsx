/** Everything that is known of a step: its error, values, attempts, warnings, tool calls and log. */
import { Alert, Badge, Button, Group, List, Stack, Table, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { WorkflowClient } from '../../client/client.ts';
import type { RunStep } from '../../client/openapi.ts';
import { ownValue, type Json } from '../../graph/value.ts';
import { DataTable } from '../kit/data-table.tsx';
import { duration, moment } from '../kit/moment.ts';
import { Failure } from '../kit/page.tsx';
import { StatusBadge } from '../kit/status-badge.tsx';
import { runWords } from '../words-runs.ts';
import { words } from '../words.ts';
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
    type,
    ms !== null && duration(toSeconds(ms)),
    attempt > 1 && runWords.attemptCount(attempt),
    credits > 0 && `${credits} ${words.credits}`,
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
  const status = ownValue(output as Json, 'status');
  return {
    input: `${runWords.request}: ${method} ${url}`,
    output: typeof status === 'number' ? `${runWords.response}: ${status}` : runWords.response,
  };
}

interface StepDetailsProps {
  readonly client: WorkflowClient;
  /** The segment that holds the step. */
  readonly runPk: string;
  readonly step: RunStep;
  /** Null while the run goes on: it cannot be run again yet. */
  readonly onRerun: ((nodeId: string) => void) | null;
}

export function StepDetails({ client, runPk, step: listed, onRerun }: StepDetailsProps) {
  const whole = useMutation({ mutationFn: () => client.runs.step({ runPk, stepId: listed.step_id }) });
  const step = whole.data?.step_id === listed.step_id ? whole.data : listed;
  const isCut = step.input_truncated || step.output_truncated;
  const names = nameValues(step);
  return (
    <Stack gap="sm">
      <Group gap="xs">
        <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
          {formatStepName(step)}
        </Text>
        <StatusBadge status={step.status} />
      </Group>
      <Facts step={step} />
      {step.error !== null && (
        <Alert color="red" title={step.error.code}>
          <Text size="sm" style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
            {step.error.message}
          </Text>
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
      {isCut && (
        <Group gap="xs">
          <Text size="sm">{runWords.valueIsCut}</Text>
          <Button
            variant="default"
            size="compact-sm"
            loading={whole.isPending}
            onClick={() => whole.mutate()}
          >
            {runWords.wholeValue}
          </Button>
        </Group>
      )}
      <Failure error={whole.error} />
      {!step.output_truncated && step.output !== null && (
        <ValueView name={names.output} value={step.output} />
      )}
      {!step.input_truncated && step.input !== null && <ValueView name={names.input} value={step.input} />}
      {step.logs !== null && step.logs.length > 0 && (
        <ValueView name={runWords.logs} value={step.logs.join('\n')} />
      )}
      <Attempts step={step} />
      <ToolCalls step={step} />
      {onRerun !== null && step.parent_step_id === null && (
        <Group>
          <Button variant="default" size="compact-sm" onClick={() => onRerun(step.node_id)}>
            {runWords.rerunFrom}
          </Button>
        </Group>
      )}
    </Stack>
  );
}
