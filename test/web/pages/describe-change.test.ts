/** A change of a definition in words: if this fails, somebody who deploys reads a pointer in place of the field that changed. */
import { expect, test } from 'vitest';
import { listDefinitionChanges } from '../../../src/web/pages/definition-diff.ts';
import { describeChange } from '../../../src/web/pages/describe-change.ts';

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
        { label: 'Messages', from: '[{"content":"Hi"}]', to: '[{"content":"Hello"}]' },
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
