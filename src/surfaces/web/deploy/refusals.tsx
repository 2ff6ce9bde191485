/** The effects that rules of the organization refuse, so that the version cannot go live: told before anybody tries. */
import { Alert, List } from '@mantine/core';
import type { Sheet, SheetRow } from '../../client/compare-sheets.ts';
import { sheetWords } from '../words-sheet.ts';
import { EffectTarget, nameAccount, type Names } from './effect-line.tsx';

export const listRefused = ({ rows }: Sheet): readonly SheetRow[] =>
  rows.filter(({ refused_by: rule }) => rule !== null);

/** The effects of which a rule wants people to be asked, and nobody can be: their nodes fail in a run. */
export const listUnasked = ({ rows }: Sheet): readonly SheetRow[] =>
  rows.filter(({ unasked }) => (unasked ?? null) !== null);

/** A warning: the version can go live. Shows nothing without any. */
export function Unasked({ rows, names }: { readonly rows: readonly SheetRow[]; readonly names: Names }) {
  if (rows.length === 0) return null;
  return (
    <Alert color="orange" role="status" title={sheetWords.unasked} style={{ overflowWrap: 'anywhere' }}>
      {sheetWords.unaskedWhy}
      <List listStyleType="none" spacing={4} mt="xs" size="sm" aria-label={sheetWords.unasked}>
        {rows.map((row) => (
          <List.Item key={JSON.stringify(row)}>
            <EffectTarget row={row} names={names} /> ({row.nodes.join(', ')}):{' '}
            {sheetWords.asksFirst(row.asked_by ?? '')}, {sheetWords.unaskedReasons[row.unasked ?? 'unshown']}
          </List.Item>
        ))}
      </List>
    </Alert>
  );
}

/** Shows nothing without any. */
export function Refusals({ rows, names }: { readonly rows: readonly SheetRow[]; readonly names: Names }) {
  if (rows.length === 0) return null;
  return (
    <Alert color="red" role="status" title={sheetWords.refused} style={{ overflowWrap: 'anywhere' }}>
      {sheetWords.refusedWhy}
      <List listStyleType="none" spacing={4} mt="xs" size="sm" aria-label={sheetWords.refused}>
        {rows.map((row) => {
          const account = nameAccount(row, names);
          return (
            <List.Item key={JSON.stringify(row)}>
              <EffectTarget row={row} names={names} />
              {account !== null && ` ${sheetWords.with} ${account}`} ({row.nodes.join(', ')}):{' '}
              {sheetWords.refusedBy(row.refused_by ?? '')}
            </List.Item>
          );
        })}
      </List>
    </Alert>
  );
}

/** Where a text of others decides more than what is said: a warning, with the check's own sentences. Shows nothing without any. */
export function Untrusted({ messages }: { readonly messages: readonly string[] }) {
  if (messages.length === 0) return null;
  return (
    <Alert color="orange" role="status" title={sheetWords.untrusted} style={{ overflowWrap: 'anywhere' }}>
      <List listStyleType="none" spacing={4} size="sm" aria-label={sheetWords.untrusted}>
        {messages.map((message) => (
          <List.Item key={message}>{message}.</List.Item>
        ))}
      </List>
    </Alert>
  );
}
