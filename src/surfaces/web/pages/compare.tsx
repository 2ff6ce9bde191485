/** Two runs side by side: their facts, each node's status in both, and the values in which they differ. */
import { Anchor, Badge, Button, Group, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import type { ComparedNode, ComparedStep } from '../../client/openapi.ts';
import { DataTable } from '../kit/data-table.tsx';
import { duration } from '../kit/moment.ts';
import { Failure, Page, Waiting } from '../kit/page.tsx';
import { StatusBadge } from '../kit/status-badge.tsx';
import { ComparedOutputs } from '../runs/compared-outputs.tsx';
import { ComparedRuns } from '../runs/compared-runs.tsx';
import { runWords } from '../words-runs.ts';
import { words } from '../words.ts';

// React Flow is loaded beside the table.
const ComparedGraphs = lazy(async () => ({
  default: (await import('../runs/compared-graphs.tsx')).ComparedGraphs,
}));

const route = getRouteApi('/runs/$runPk/compare/$otherPk');

function Side({ step }: { readonly step: ComparedStep | null }) {
  if (step === null) return <Text c="dimmed">{runWords.notReached}</Text>;
  return (
    <Group gap="xs">
      <StatusBadge status={step.status} />
      <Text size="sm">
        {duration(step.duration_ms === null ? null : step.duration_ms / 1_000)}
        {step.credits > 0 && ` · ${words.creditCount(step.credits)}`}
      </Text>
    </Group>
  );
}

interface NodeRowProps {
  readonly node: ComparedNode;
  readonly runPks: readonly [string, string];
  readonly isSelected: boolean;
  readonly onSelect: () => void;
}

function NodeRow({ node, runPks, isSelected, onSelect }: NodeRowProps) {
  const { client } = route.useRouteContext().app;
  const [isOpen, setOpen] = useState(false);
  const errorDiffers = (node.a?.error_code ?? null) !== (node.b?.error_code ?? null);
  const difference = errorDiffers
    ? runWords.errorDiffers
    : node.output_differs
      ? runWords.outputDiffers
      : null;
  return (
    <>
      <Table.Tr {...(isSelected ? { 'aria-current': true, bg: 'var(--mantine-color-default-hover)' } : {})}>
        <Table.Td>
          <Anchor
            component="button"
            type="button"
            ta="start"
            style={{ overflowWrap: 'anywhere' }}
            onClick={onSelect}
          >
            {node.node_name}
          </Anchor>
        </Table.Td>
        <Table.Td>
          <Side step={node.a} />
        </Table.Td>
        <Table.Td>
          <Side step={node.b} />
        </Table.Td>
        <Table.Td>
          <Group gap="xs">
            {node.branch_differs && (
              <Badge variant="dot" color="orange">
                {runWords.otherBranch}
              </Badge>
            )}
            {difference !== null && (
              <Button
                variant="default"
                size="compact-sm"
                aria-expanded={isOpen}
                aria-label={`${node.node_name}: ${difference}`}
                onClick={() => setOpen(!isOpen)}
              >
                {difference}
              </Button>
            )}
          </Group>
        </Table.Td>
      </Table.Tr>
      {isOpen && (
        <Table.Tr>
          <Table.Td colSpan={4}>
            <ComparedOutputs client={client} runPks={runPks} node={node} />
          </Table.Td>
        </Table.Tr>
      )}
    </>
  );
}

export function ComparePage() {
  const { runPk, otherPk } = route.useParams();
  const { client, organizationId } = route.useRouteContext().app;
  const compared = useQuery({
    queryKey: [organizationId, 'compare', runPk, otherPk],
    queryFn: () =>
      client.request('GET', '/workflow-runs/{run_pk}/compare/{other_run_pk}', {
        path: { run_pk: runPk, other_run_pk: otherPk },
      }),
  });
  const runPks = [runPk, otherPk] as const;
  const [selected, setSelected] = useState<string | null>(null);
  return (
    <Page title={runWords.compareRuns}>
      <Failure error={compared.error} />
      {compared.isPending && <Waiting />}
      {compared.data !== undefined && (
        <>
          <ComparedRuns client={client} organizationId={organizationId} runPks={runPks} />
          <Suspense fallback={<Waiting />}>
            <ComparedGraphs
              client={client}
              organizationId={organizationId}
              runPks={runPks}
              nodes={compared.data.nodes}
              selected={selected}
              onSelect={setSelected}
            />
          </Suspense>
          <DataTable heads={[runWords.node, ...runWords.runOf, runWords.differences]}>
            {compared.data.nodes.map((node) => (
              <NodeRow
                key={node.node_id}
                node={node}
                runPks={runPks}
                isSelected={node.node_id === selected}
                onSelect={() => setSelected(node.node_id)}
              />
            ))}
          </DataTable>
        </>
      )}
    </Page>
  );
}
