/** The difference of effects between the live version and the next, in words. */
import { Badge, List, Stack, Text } from '@mantine/core';
import { compareSheets, listNewTrust, type Sheet, type SheetRow } from '../../client/compare-sheets.ts';
import { sheetWords } from '../words-sheet.ts';
import { EffectTarget, nameAccount, type Names } from './effect-line.tsx';
import { SheetTable, TrustedValues } from './sheet-table.tsx';

interface LineProps {
  readonly row: SheetRow;
  readonly names: Names;
  readonly isNew: boolean;
}

function Line({ row, names, isNew }: LineProps) {
  const account = nameAccount(row, names);
  return (
    <List.Item>
      <Badge variant="light" color={isNew ? 'orange' : 'gray'}>
        {isNew ? sheetWords.added : sheetWords.removed}
      </Badge>{' '}
      <EffectTarget row={row} names={names} />
      {account !== null && (
        <>
          {` ${sheetWords.with} `}
          <Text span inherit fw={600}>
            {account}
          </Text>
        </>
      )}{' '}
      <Text span inherit c="dimmed">
        ({row.nodes.join(', ')})
      </Text>
      {isNew && (row.asked_by ?? null) !== null && `: ${sheetWords.asksFirst(row.asked_by ?? '')}`}
    </List.Item>
  );
}

interface ChangesProps {
  /** Null: nothing is live, or the live version has none any more. */
  readonly live: Sheet | null;
  /** Of the draft, or of the version that is to be live. */
  readonly next: Sheet;
  readonly names: Names;
}

export function SheetChanges({ live, next, names }: ChangesProps) {
  const { added, removed } = compareSheets(live, next);
  return (
    <Stack gap="xs">
      {next.rows.length === 0 && <Text size="sm">{sheetWords.none}</Text>}
      {next.rows.length > 0 && added.length === 0 && <Text size="sm">{sheetWords.noNew}</Text>}
      {added.length + removed.length > 0 && (
        <List listStyleType="none" spacing={4} size="sm" style={{ overflowWrap: 'anywhere' }}>
          {added.map((row) => (
            <Line key={JSON.stringify(row)} row={row} names={names} isNew />
          ))}
          {removed.map((row) => (
            <Line key={JSON.stringify(row)} row={row} names={names} isNew={false} />
          ))}
        </List>
      )}
      <TrustedValues trusted={listNewTrust(live, next)} />
      {(next.rows.length > added.length || !next.is_complete) && (
        <details>
          <Text component="summary" size="sm" style={{ cursor: 'pointer' }}>
            {sheetWords.all(next.rows.length)}
          </Text>
          <SheetTable sheet={next} names={names} />
        </details>
      )}
    </Stack>
  );
}
