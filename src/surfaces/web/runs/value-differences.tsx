/** The places in which two values differ, each with its old and its new value. */
import { Stack, Table, Text } from '@mantine/core';
import { shortenText } from '../../../language/graph/values/cut-text.ts';
import type { Json } from '../../../language/graph/values/value.ts';
import { DataTable } from '../kit/data-table.tsx';
import { runWords } from '../words-runs.ts';

const MAX_TEXT = 2_000;
/** Places that are shown of one value. */
const MAX_PLACES = 50;

export interface ValueDifference {
  /** The name of the value and the keys inside it. */
  readonly path: readonly string[];
  readonly values: readonly [Json | undefined, Json | undefined];
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

interface ValueDifferencesProps {
  readonly differences: readonly ValueDifference[];
  /** The names of both sides. */
  readonly sides?: readonly [string, string];
}

export const ValueDifferences = ({ differences, sides = runWords.runOf }: ValueDifferencesProps) => (
  <Stack gap="xs">
    <DataTable heads={[runWords.place, ...sides]}>
      {differences.slice(0, MAX_PLACES).map(({ path, values: [first, second] }) => (
        <Table.Tr key={path.join('\n')}>
          <Table.Td>{path.join(' › ')}</Table.Td>
          <Table.Td>
            <Value value={first} />
          </Table.Td>
          <Table.Td>
            <Value value={second} />
          </Table.Td>
        </Table.Tr>
      ))}
    </DataTable>
    {differences.length > MAX_PLACES && (
      <Text size="xs">{runWords.morePlaces(differences.length - MAX_PLACES)}</Text>
    )}
  </Stack>
);
