/** Renaming a node: if this fails, an edge, a template or a pin goes on naming a node that is not there any more. */
import { expect, test } from 'vitest';
import { readDocument, writeDocument } from '../../../src/canvas/room/document.ts';
import { reduce } from '../../../src/canvas/room/reduce.ts';
import { UNLOCKED } from '../../../src/canvas/room/reduction.ts';
import { renameNode, suggestId } from '../../../src/web/panel/rename-node.ts';

const WORKFLOW = {
  metadata: { name: 'W', canvas: { pins: { a: { output: 1 } } } },
  config: { output: { text: '{{a.text}}', other: '{{ab.text}}' } },
  state_schema: { fields: { a: { type: 'any' }, topics: { reducer: 'add' } } },
  nodes: [
    { id: 'a', type: 'function', config: { code: 'x' }, state_updates: { topics: '{{ a.topic }}' } },
    { id: 'b', type: 'llm', config: { messages: [{ content: '{{state.a.text}} \\{{a}} {{input.a}}' }] } },
  ],
  edges: [
    { id: 's', source: '__start__', target: 'a' },
    { id: 'ab', source: 'a', target: 'b', when: [{ left: '{{a.ok}}', op: 'is_true' }] },
  ],
};

test('a renamed node is named anew by edges, templates, output, pin and state, in one operation', () => {
  const document = readDocument(WORKFLOW);
  const reduction = reduce(document, renameNode(document, 'a', 'fetch'), UNLOCKED);
  if (reduction.outcome !== 'applied') throw new Error(JSON.stringify(reduction));
  expect(writeDocument(reduction.document)).toEqual({
    metadata: { name: 'W', canvas: { pins: { fetch: { output: 1 } } } },
    config: { output: { text: '{{fetch.text}}', other: '{{ab.text}}' } },
    state_schema: { fields: { fetch: { type: 'any' }, topics: { reducer: 'add' } } },
    nodes: [
      {
        id: 'fetch',
        type: 'function',
        config: { code: 'x' },
        state_updates: { topics: '{{ fetch.topic }}' },
      },
      {
        id: 'b',
        type: 'llm',
        config: { messages: [{ content: '{{state.fetch.text}} \\{{a}} {{input.a}}' }] },
      },
    ],
    edges: [
      { id: 's', source: '__start__', target: 'fetch' },
      { id: 'ab', source: 'fetch', target: 'b', when: [{ left: '{{fetch.ok}}', op: 'is_true' }] },
    ],
  });
});

test('an id is made of a name, and is free', () => {
  const document = readDocument({ nodes: [{ id: 'fetch_list', type: 'tool' }], edges: [] });
  expect(suggestId(document, 'Classify the Ticket!')).toBe('classify_the_ticket');
  expect(suggestId(document, 'Fetch list')).toBe('fetch_list_2');
  expect(suggestId(document, 'Café menu')).toBe('cafe_menu');
  expect(suggestId(document, '123 !')).toBeNull();
  expect(suggestId(document, 'Input')).toBeNull();
});
