/** Starts a rerun after showing its plan: which steps are reused and which run again. */
import { Alert, Badge, Button, Group, Modal, Select, Stack, Table, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import type { WorkflowClient } from '../../client/client.ts';
import type { RerunPlanNode } from '../../client/openapi.ts';
import { DataTable } from '../kit/data-table.tsx';
import { Failure, Waiting } from '../kit/page.tsx';
import { runWords } from '../words-runs.ts';

const RehearseRun = lazy(async () => ({
  default: (await import('../rehearsals/rehearse-run.tsx')).RehearseRun,
}));

const DEFINITIONS = ['same', 'draft', 'live'] as const;
type Definition = (typeof DEFINITIONS)[number];
const COLORS = { reuse: 'green', run: 'blue', skip: 'gray' } as const;

/** From a node, from the nodes that failed, or from the start. */
export type RerunFrom =
  | { readonly from_node_id: string }
  | { readonly from: 'failed' }
  | Readonly<Record<string, never>>;

function Plan({ nodes }: { readonly nodes: readonly RerunPlanNode[] }) {
  return (
    <DataTable heads={[runWords.node, runWords.plan, runWords.why]}>
      {nodes.map((node) => (
        <Table.Tr key={node.node_id}>
          <Table.Td>{node.node_name}</Table.Td>
          <Table.Td>
            <Badge variant="dot" color={COLORS[node.action]}>
              {runWords.planned[node.action]}
            </Badge>
          </Table.Td>
          <Table.Td>
            {runWords.reasons[node.reason]} {node.repeats.length > 0 && runWords.repeats(node.repeats)}
          </Table.Td>
        </Table.Tr>
      ))}
    </DataTable>
  );
}

interface RerunProps {
  readonly client: WorkflowClient;
  readonly runPk: string;
  /** Null: the dialog is closed. */
  readonly from: RerunFrom | null;
  /** Null: there is neither a draft nor what is live. */
  readonly workflowId: string | null;
  readonly onClose: () => void;
  /** The new run, by its run_id. */
  readonly onStarted: (runId: string) => void;
}

export function RerunDialog({ client, runPk, from, workflowId, onClose, onStarted }: RerunProps) {
  const [definition, setDefinition] = useState<Definition>('same');
  const ask = (isDry: boolean) =>
    client.request('POST', '/workflow-runs/{run_pk}/rerun', {
      path: { run_pk: runPk },
      // The plan that is shown names the effects that are repeated.
      body: { ...from, definition, dry_run: isDry, confirm_effects: !isDry },
    });
  const plan = useQuery({
    queryKey: ['rerun', runPk, from, definition],
    queryFn: () => ask(true),
    enabled: from !== null,
    retry: false,
    gcTime: 0,
  });
  const again = useMutation({
    mutationFn: () => ask(false),
    onSuccess: (started) => {
      if ('run_id' in started) onStarted(started.run_id);
    },
  });
  return (
    <Modal opened={from !== null} onClose={onClose} title={runWords.rerunPlan} size="lg">
      <Stack>
        {workflowId !== null && (
          <Select
            label={runWords.withDefinition}
            data={DEFINITIONS.map((value) => ({ value, label: runWords.definitions[value] }))}
            value={definition}
            onChange={(value) => setDefinition((value ?? 'same') as Definition)}
            allowDeselect={false}
          />
        )}
        <Failure error={plan.error ?? again.error} />
        {plan.isPending && <Waiting />}
        {plan.data !== undefined && 'nodes' in plan.data && <Plan nodes={plan.data.nodes} />}
        {plan.data !== undefined && 'nodes' in plan.data && plan.data.effects_to_confirm.length > 0 && (
          <Alert color="orange">{runWords.repeatsEffects(plan.data.effects_to_confirm)}</Alert>
        )}
        <Group justify="space-between">
          <Text size="sm" c="dimmed">
            {runWords.reuseIsFree}
          </Text>
          <Group gap="xs" align="start">
            {workflowId !== null && (
              <Suspense>
                <RehearseRun workflowId={workflowId} runPk={runPk} />
              </Suspense>
            )}
            <Button loading={again.isPending} disabled={!plan.isSuccess} onClick={() => again.mutate()}>
              {runWords.startRerun}
            </Button>
          </Group>
        </Group>
      </Stack>
    </Modal>
  );
}
