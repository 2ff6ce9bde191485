/** A table of rows with a heading for each column; wide ones scroll inside their own frame, and rows with actions are cards on a phone. */
import './data-table.css';
import { Table } from '@mantine/core';
import type { ReactNode } from 'react';

interface DataTableProps {
  /** A column without a heading holds what can be done with its row. */
  readonly heads: readonly ReactNode[];
  /** The columns of numbers, from 1: their ends stand below each other. */
  readonly numbers?: readonly number[];
  /** One `Table.Tr` for each row. */
  readonly children: ReactNode;
}

/** The headings for the cards of a phone, whose style sheet shows each beside its cell. */
const styleHeadings = (heads: readonly ReactNode[]) =>
  Object.fromEntries(
    heads.flatMap((head, column) =>
      typeof head === 'string' ? [[`--heading-${column + 1}`, JSON.stringify(head)]] : [],
    ),
  );

export function DataTable({ heads, numbers = [], children }: DataTableProps) {
  return (
    <Table.ScrollContainer minWidth={320}>
      <Table
        highlightOnHover
        verticalSpacing="sm"
        style={styleHeadings(heads)}
        data-numbers={numbers.join(' ')}
        className={`data-table ${heads.at(-1) === null ? 'data-table-acts' : ''}`}
      >
        <Table.Thead>
          <Table.Tr>
            {heads.map((head, column) =>
              // The columns of a table never change their order.
              head === null ? <Table.Td key={column} /> : <Table.Th key={column}>{head}</Table.Th>,
            )}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>{children}</Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
