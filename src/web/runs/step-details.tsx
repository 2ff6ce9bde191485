/** Everything that is known of a step: what it was given, what it came to, attempts, warnings, tool calls, its log. */
import { Badge, Button, Code, Group, List, Stack, Table, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { WorkflowClient } from '../../client/client.ts';
import type { RunStep } from '../../client/openapi.ts';
import { DataTable } from '../kit/data-table.tsx';
import { duration, moment } from '../kit/moment.ts';
import { Failure } from '../kit/page.tsx';
import { StatusBadge } from '../kit/status-badge.tsx';
import { runWords } from '../words-runs.ts';
import { words } from '../words.ts';

export const Value = ({ of }: { readonly of: unknown }) => (
  <Code block mah={320} style={{ overflow: 'auto', whiteSpace: 'pre-wrap' }} tabIndex={0}>
    {typeof of === 'string' ? of : JSON.stringify(of, null, 2)}
  </Code>
);

export const toSeconds = (ms: number | null): number | null => (ms === null ? null : ms / 1_000);

function Attempts({ step }: { readonly step: RunStep }) {
  if (step.attempts.length < 2) return null;
  return (
    <>
      <Text size="sm">{runWords.attempts}</Text>
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
      <Text size="sm">{runWords.toolCalls}</Text>
      {step.tool_calls.map((call) => (
        <Stack key={call.id} gap={4}>
          <Text size="sm">
            <b>{call.name}</b> {duration(toSeconds(call.duration_ms))}
          </Text>
          <Value of={call.arguments} />
          <Value of={call.error ?? call.result} />
        </Stack>
      ))}
    </>
  );
}

function Facts({ step }: { readonly step: RunStep }) {
  const { visit, item_index: item, credits, usage, reused_from_step_id: origin } = step;
  const facts = [
    visit > 1 && runWords.times(visit),
    item !== null && runWords.item(item),
    credits > 0 && `${credits} ${words.credits}`,
    usage !== null && runWords.tokens(usage.input_tokens, usage.output_tokens),
    origin !== null && runWords.reused,
  ].filter((fact) => fact !== false);
  return facts.length === 0 ? null : <Text size="sm">{facts.join(' · ')}</Text>;
}

interface StepDetailsProps {
  readonly client: WorkflowClient;
  readonly runPk: string;
  readonly step: RunStep;
  /** Null while the run goes on: it cannot be run again yet. */
  readonly onRerun: ((nodeId: string) => void) | null;
}

export function StepDetails({ client, runPk, step: listed, onRerun }: StepDetailsProps) {
  const whole = useMutation({ mutationFn: () => client.runs.step({ runPk, stepId: listed.step_id }) });
  const step = whole.data ?? listed;
  const isCut = step.input_truncated || step.output_truncated;
  return (
    <Stack gap="xs" my="xs">
      <Facts step={step} />
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
      <Text size="sm">{runWords.input}</Text>
      <Value of={step.input} />
      <Text size="sm">{step.error === null ? runWords.output : runWords.error}</Text>
      <Value of={step.error ?? step.output} />
      <Failure error={whole.error} />
      {step.logs !== null && step.logs.length > 0 && (
        <>
          <Text size="sm">{runWords.logs}</Text>
          <Value of={step.logs.join('\n')} />
        </>
      )}
      <Attempts step={step} />
      <ToolCalls step={step} />
      <Group gap="xs">
        {isCut && (
          <Button
            variant="default"
            size="compact-sm"
            loading={whole.isPending}
            onClick={() => whole.mutate()}
          >
            {runWords.wholeValue}
          </Button>
        )}
        {onRerun !== null && step.parent_step_id === null && (
          <Button variant="default" size="compact-sm" onClick={() => onRerun(step.node_id)}>
            {runWords.rerunFrom}
          </Button>
        )}
      </Group>
    </Stack>
  );
}
