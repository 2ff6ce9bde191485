/** `workflow workflows deploy` would not tell what a version may do that the one before might not. */
import { expect, test } from 'vitest';
import { listSheetDifferences, listUntrusted } from '../../../src/surfaces/cli/sheet-differences.ts';

type Sheet = Parameters<typeof listSheetDifferences>[1];
type Row = Sheet['rows'][number];

const row = (target: Row['target'], more: Partial<Row> = {}): Row => ({
  door: 'http',
  target,
  effect: 'at_most_once',
  credential_id: null,
  nodes: ['send'],
  refused_by: null,
  asked_by: null,
  unasked: null,
  ...more,
});
const sheet = (...rows: Row[]): Sheet => ({
  rows,
  trusted_values: [],
  untrusted: [],
  is_complete: true,
  definition_hash: '',
});

test('new and lost targets are told with their nodes; other names of nodes and an other order of keys are no difference', () => {
  const before = sheet(
    row({ method: 'POST', host: 'a.example' }),
    row({ method: 'POST', host: 'old.example' }),
  );
  const after = sheet(
    row({ host: 'a.example', method: 'POST' }, { nodes: ['renamed', 'second'] }),
    row({ method: 'POST', host: { from: ['input.url', 'item.url'] } }, { credential_id: 'c-1' }),
  );
  expect(listSheetDifferences(before, after)).toEqual([
    'new: http POST <decided by input.url, item.url> with credential c-1 (send)',
    'no more: http POST old.example (send)',
  ]);
  expect(listSheetDifferences(after, after)).toEqual([]);
});

test('another class or another account of the same target is a difference; all of a first version is new', () => {
  const one = row({ method: 'GET', host: 'a.example' });
  for (const other of [
    { ...one, effect: 'pure' as const },
    { ...one, credential_id: 'c-2' },
  ])
    expect(listSheetDifferences(sheet(one), sheet(other))).toHaveLength(2);
  expect(listSheetDifferences(null, sheet(one))).toEqual(['new: http GET a.example (send)']);
});

test('a value that is newly trusted is told with its reason, and what is still warned of', () => {
  const trusted = { node: 'send', value: 'input.url', reason: 'Signed' };
  const after = { ...sheet(), trusted_values: [trusted], untrusted: ['it decides the host'] };
  expect(listSheetDifferences(sheet(), after)).toEqual(['trusts input.url at send: "Signed"']);
  expect(listSheetDifferences(after, after)).toEqual([]);
  expect(listUntrusted(after)).toEqual(['warning: it decides the host']);
});
