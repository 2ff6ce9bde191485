/** Two runs side by side: how each node stands in both, and where their outputs differ. */
import { Badge, Code, Group, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ComparedStep } from '../../client/openapi.ts';
import { duration } from '../kit/moment.ts';
import { Failure, Page, Waiting } from '../kit/page.tsx';
import { DataTable } from '../kit/data-table.tsx';
import { StatusBadge } from '../kit/status-badge.tsx';
import { TextLink } from '../kit/text-link.tsx';
import { words } from '../words.ts';
import { runWords } from '../words-runs.ts';

const route = getRouteApi('/runs/$runPk/compare/$otherPk');

function Side({ step }: { readonly step: ComparedStep | null }) {
  if (step === null) return <Text c="dimmed">{runWords.notReached}</Text>;
  return (
    <Group gap="xs">
      <StatusBadge status={step.status} />
      <Text size="sm">
        {duration(step.duration_ms === null ? null : step.duration_ms / 1_000)}
        {step.credits > 0 && ` · ${step.credits} ${words.credits}`}
      </Text>
    </Group>
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
  return (
    <Page title={runWords.compareRuns}>
      <Failure error={compared.error} />
      {compared.isPending && <Waiting />}
      {compared.data !== undefined && (
        <DataTable
          heads={[
            runWords.node,
            ...([runPk, otherPk] as const).map((pk, index) => (
              <TextLink key={pk} to="/runs/$runPk" params={{ runPk: pk }}>
                {runWords.runOf[index]}
              </TextLink>
            )),
            runWords.differences,
          ]}
        >
          {compared.data.nodes.map((node) => (
            <Table.Tr key={node.node_id}>
              <Table.Td>{node.node_name}</Table.Td>
              <Table.Td>
                <Side step={node.a} />
              </Table.Td>
              <Table.Td>
                <Side step={node.b} />
              </Table.Td>
              <Table.Td>
                {node.branch_differs && (
                  <Badge variant="dot" color="orange">
                    {runWords.otherBranch}
                  </Badge>
                )}
                {node.output_differs && node.differences === null && runWords.outputDiffers}
                {node.differences?.map((pointer) => (
                  <Code key={pointer}>{pointer === '' ? runWords.output : pointer}</Code>
                ))}
              </Table.Td>
            </Table.Tr>
          ))}
        </DataTable>
      )}
    </Page>
  );
}
