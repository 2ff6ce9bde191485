/** All effects of a version: what, with which account, from which nodes, and what a crash does to it. */
import { Alert, Stack, Table, Text } from '@mantine/core';
import type { Sheet } from '../../client/compare-sheets.ts';
import { DataTable } from '../kit/data-table.tsx';
import { sheetWords } from '../words-sheet.ts';
import { EffectTarget, nameAccount, type Names } from './effect-line.tsx';

export function SheetTable({ sheet, names }: { readonly sheet: Sheet; readonly names: Names }) {
  const { what, account, nodes, repeats } = sheetWords;
  return (
    <Stack gap="sm">
      {!sheet.is_complete && (
        <Alert color="orange" role="status">
          {sheetWords.incomplete}
        </Alert>
      )}
      {sheet.rows.length === 0 ? (
        <Text c="dimmed">{sheetWords.none}</Text>
      ) : (
        <DataTable heads={[what, account, nodes, repeats]}>
          {sheet.rows.map((row) => (
            <Table.Tr
              key={JSON.stringify([row.door, row.target, row.effect, row.credential_id, row.refused_by])}
            >
              <Table.Td>
                <EffectTarget row={row} names={names} />
                {row.refused_by !== null && (
                  <Text span inherit c="red" display="block">
                    {sheetWords.refusedBy(row.refused_by)}
                  </Text>
                )}
              </Table.Td>
              <Table.Td style={{ overflowWrap: 'break-word' }}>
                {nameAccount(row, names) ?? sheetWords.noAccount}
              </Table.Td>
              <Table.Td style={{ overflowWrap: 'break-word' }}>{row.nodes.join(', ')}</Table.Td>
              <Table.Td>{sheetWords.classes[row.effect]}</Table.Td>
            </Table.Tr>
          ))}
        </DataTable>
      )}
    </Stack>
  );
}
