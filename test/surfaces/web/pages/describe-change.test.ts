/** A change of a definition in words: if this fails, somebody who deploys reads a pointer in place of the field that changed. */
import { expect, test } from 'vitest';
import { listDefinitionChanges } from '../../../../src/surfaces/web/pages/definition-diff.ts';
import { shortenDifference } from '../../../../src/surfaces/web/diff/shorten-difference.ts';
import { describeChange, describePlace } from '../../../../src/surfaces/web/pages/describe-change.ts';

const before = {
  nodes: [
    { id: 'n1', type: 'llm', name: 'Answer', config: { model: 'small', messages: [{ content: 'Hi' }] } },
    { id: 'n2', type: 'transformer', name: 'Send' },
  ],
  edges: [
    { id: 'e', source: 'n1', target: 'n2' },
    { id: 'first', source: '__start__', target: 'n1' },
    { id: 'last', source: 'n2', target: '__end__' },
  ],
  config: { recursion_limit: 10 },
} as never;
const after = {
  nodes: [
    {
      id: 'n1',
      type: 'llm',
      name: 'Answer',
      config: { model: 'large', messages: [{ content: 'Hello' }] },
      retry: { max_attempts: 3 },
    },
    { id: 'n2', type: 'transformer', name: 'Send' },
  ],
  edges: [],
  config: { recursion_limit: 20 },
} as never;

test('a change names the node and the label of each field, with the old and the new value', () => {
  const described = listDefinitionChanges(before, after).map((change) =>
    describeChange(change, { before, after }),
  );
  expect(described).toEqual([
    {
      name: 'Answer',
      fields: [
        { label: 'Messages › 1 › content', from: 'Hi', to: 'Hello' },
        { label: 'Model', from: 'small', to: 'large' },
        { label: 'Retry', from: null, to: '{"max_attempts":3}' },
      ],
    },
    { name: 'from Answer to Send', fields: [] },
    { name: 'from Start to Answer', fields: [] },
    { name: 'from Send to End', fields: [] },
    { name: '', fields: [{ label: 'Recursion limit', from: '10', to: '20' }] },
  ]);
});

test('edges from two branches to one node are told apart', () => {
  const question = {
    id: 'ask',
    type: 'interrupt',
    name: 'Ask',
    config: { kind: 'approval', actions: [{ id: 'yes', label: 'Yes' }, { id: 'no' }] },
  };
  const edges = ['yes', 'no'].map((handle) => ({
    id: handle,
    source: 'ask',
    source_handle: handle,
    target: '__end__',
  }));
  const asked = { nodes: [question], edges };
  const names = ['yes', 'no'].map(
    (id) => describeChange({ what: 'edge', id, how: 'added', fields: [] }, { before: {}, after: asked }).name,
  );
  expect(names).toEqual(['from Ask (Yes) to End', 'from Ask (no) to End']);
});

test('long texts are shown from before their first difference, short ones whole', () => {
  const [same, tail] = ['a'.repeat(3_000), 'b'.repeat(3_000)];
  expect(shortenDifference('old', null)).toEqual(['old', null]);
  const [from, to] = shortenDifference(`${same}old${tail}`, `${same}new${tail}`);
  expect(from).toMatch(/^…a{200}oldb+…$/);
  expect(to).toMatch(/^…a{200}newb+…$/);
});

test.each([
  ['nodes/n1/config/model', /^Answer › Model$/],
  ['nodes/n1', /^Answer$/],
  ['metadata/name', /^Name$/],
  ['config/recursion_limit', /^Recursion limit$/],
])('the place %s of a conflict is told in words', (place, said) => {
  expect(describePlace(place, { before, after: before } as never)).toMatch(said);
});
