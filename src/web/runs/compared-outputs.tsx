/** The outputs of one node in two runs: each place in which they differ, with both values. */
import { Stack, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { WorkflowClient } from '../../client/client.ts';
import type { ComparedNode, ComparedStep } from '../../client/openapi.ts';
import { shortenText } from '../../graph/cut-text.ts';
import { getAt, parsePointer } from '../../graph/pointer.ts';
import type { Json } from '../../graph/value.ts';
import { DataTable } from '../kit/data-table.tsx';
import { Failure, Waiting } from '../kit/page.tsx';
import { runWords } from '../words-runs.ts';

const MAX_TEXT = 2_000;
/** Places that are shown of one output. */
const MAX_PLACES = 50;

interface ComparedOutputsProps {
  readonly client: WorkflowClient;
  /** Both runs, by run_pk. */
  readonly runPks: readonly [string, string];
  readonly node: ComparedNode;
}

const toText = (value: Json | undefined): string =>
  value === undefined
    ? runWords.notThere
    : typeof value === 'string'
      ? value
      : JSON.stringify(value, null, 2);

const Value = ({ value }: { readonly value: Json | undefined }) => (
  <Text size="xs" ff="monospace" style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
    {shortenText(toText(value), MAX_TEXT)}
  </Text>
);

export function ComparedOutputs({ client, runPks: [first, second], node }: ComparedOutputsProps) {
  const { a, b, differences } = node;
  const steps = useQuery({
    queryKey: ['compared-outputs', first, second, node.node_id],
    queryFn: async () => {
      const read = (runPk: string, step: ComparedStep | null) =>
        step === null ? Promise.resolve(null) : client.runs.step({ runPk, stepId: step.step_id });
      return Promise.all([read(first, a), read(second, b)]);
    },
    staleTime: 'static',
  });
  if (steps.data === undefined) return steps.isError ? <Failure error={steps.error} /> : <Waiting />;
  const [old, now] = steps.data.map((step) => (step?.output ?? undefined) as Json | undefined);
  const places = (differences ?? ['']).slice(0, MAX_PLACES);
  return (
    <Stack gap="xs">
      <DataTable heads={[runWords.place, ...runWords.runOf]}>
        {places.map((pointer) => {
          const tokens = parsePointer(pointer);
          return (
            <Table.Tr key={pointer}>
              <Table.Td>{[runWords.output, ...tokens].join(' › ')}</Table.Td>
              <Table.Td>
                <Value value={getAt(old, tokens)} />
              </Table.Td>
              <Table.Td>
                <Value value={getAt(now, tokens)} />
              </Table.Td>
            </Table.Tr>
          );
        })}
      </DataTable>
      {(differences?.length ?? 0) > MAX_PLACES && (
        <Text size="xs">{runWords.morePlaces((differences?.length ?? 0) - MAX_PLACES)}</Text>
      )}
    </Stack>
  );
}
