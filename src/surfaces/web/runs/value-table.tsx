/** A list of objects as a table: a column for each key. */
import { Button, Table } from '@mantine/core';
import { useState } from 'react';
import { shortenText } from '../../../language/graph/values/cut-text.ts';
import { ownValue, type Json, type JsonObject } from '../../../language/graph/values/value.ts';
import { runWords } from '../words-runs.ts';

const MAX_COLUMNS = 30;
const MAX_CELL = 300;
const PAGE = 100;

/** Lists the keys of the rows, in the order in which they appear. */
function listColumns(rows: readonly JsonObject[]): readonly string[] {
  return [...new Set(rows.slice(0, PAGE).flatMap((row) => Object.keys(row)))].slice(0, MAX_COLUMNS);
}

const formatCell = (value: Json | undefined): string =>
  shortenText(
    value === undefined || value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value),
    MAX_CELL,
  );

export function ValueTable({ rows }: { readonly rows: readonly JsonObject[] }) {
  const [count, setCount] = useState(PAGE);
  const columns = listColumns(rows);
  return (
    <>
      <Table fz="xs" ff="var(--mantine-font-family)" verticalSpacing={4} stickyHeader>
        <Table.Thead>
          <Table.Tr>
            {columns.map((name) => (
              <Table.Th key={name}>{name}</Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.slice(0, count).map((row, index) => (
            // The rows of a value never change their order.
            <Table.Tr key={index}>
              {columns.map((name) => (
                <Table.Td key={name} maw={320} style={{ overflowWrap: 'anywhere' }}>
                  {formatCell(ownValue(row, name))}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {rows.length > count && (
        <Button variant="default" size="compact-xs" onClick={() => setCount(count + PAGE)}>
          {runWords.moreEntries(rows.length - count)}
        </Button>
      )}
    </>
  );
}
