/** The difference of effects between the live version and the draft, in words. */
import { Badge, List, Stack, Text } from '@mantine/core';
import { compareSheets, type Sheet, type SheetRow } from '../../client/compare-sheets.ts';
import { sheetWords } from '../words-sheet.ts';
import { EffectTarget, nameAccount, type Names } from './effect-line.tsx';
import { SheetTable } from './sheet-table.tsx';

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
    </List.Item>
  );
}

interface ChangesProps {
  /** Null: nothing is live, or the live version has none any more. */
  readonly live: Sheet | null;
  readonly draft: Sheet;
  readonly names: Names;
}

export function SheetChanges({ live, draft, names }: ChangesProps) {
  const { added, removed } = compareSheets(live, draft);
  return (
    <Stack gap="xs">
      {draft.rows.length === 0 && <Text size="sm">{sheetWords.none}</Text>}
      {draft.rows.length > 0 && added.length === 0 && <Text size="sm">{sheetWords.noNew}</Text>}
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
      {(draft.rows.length > added.length || !draft.is_complete) && (
        <details>
          <Text component="summary" size="sm" style={{ cursor: 'pointer' }}>
            {sheetWords.all(draft.rows.length)}
          </Text>
          <SheetTable sheet={draft} names={names} />
        </details>
      )}
    </Stack>
  );
}
