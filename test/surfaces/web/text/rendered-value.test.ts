/** The value below a template: if this fails, the page shows another value than a run would use, or one that nobody knows. */
import { expect, test } from 'vitest';
import { readDocument } from '../../../../src/features/canvas/room/document.ts';
import type { Json } from '../../../../src/language/graph/values/value.ts';
import { readKnownValues } from '../../../../src/surfaces/web/text/known-values.ts';
import { renderTemplate } from '../../../../src/surfaces/web/text/rendered-value.ts';

const DOCUMENT = readDocument({
  metadata: { canvas: { pins: { fetch: { output: { rows: [{ name: 'Ada' }, { name: 'Bob' }] } } } } },
  nodes: [
    { id: 'fetch', type: 'tool' },
    { id: 'each', type: 'llm', for_each: { items: '{{fetch.rows}}', as: 'person' } },
    { id: 'late', type: 'llm' },
    { id: 'list', type: 'transformer', config: { mode: 'list', source: '{{fetch.rows}}' } },
    { id: 'group', type: 'transformer', config: { mode: 'group', source: '{{fetch.rows}}' } },
    {
      id: 'join',
      type: 'transformer',
      config: { mode: 'join', left: '{{fetch.rows}}', right: [{ name: 'Eve' }] },
    },
    { id: 'half', type: 'transformer', config: { mode: 'join', left: '{{fetch.rows}}', right: '{{late}}' } },
  ],
  edges: [],
});
const BOARD = {
  lastOutput: (id: string) => (id === 'fetch' ? { rows: [] } : undefined),
  lastInput: { n: 3 },
};

const show = (template: Json, entity: `node:${string}` = 'node:each', ptr = '/config/messages/0/content') =>
  renderTemplate(DOCUMENT, { entity, ptr, template }, readKnownValues(DOCUMENT, BOARD));

test('a template is rendered with pins before outputs, the input, and the first item of the list', () => {
  expect(show('{{fetch.rows[1].name}}')).toEqual({ kind: 'value', value: 'Bob' });
  expect(show('Dear {{person.name}}, {{index}}')).toEqual({ kind: 'value', value: 'Dear Ada, 0' });
  expect(show({ n: '{{input.n}}', length: '{{fetch.rows | length}}' })).toEqual({
    kind: 'value',
    value: { n: 3, length: 2 },
  });
  // A list transformer reads its filter once for each item, its source not.
  expect(show('{{item.name}}', 'node:list', '/config/filter')).toEqual({ kind: 'value', value: 'Ada' });
  expect(show('{{item.name}}', 'node:list', '/config/source')).toEqual({ kind: 'invalid' });
});

test('each field of a transformer sees the items of its own list, a selection of a join the pair', () => {
  const value = (text: string) => ({ kind: 'value', value: text });
  expect(show('{{item.name}}', 'node:group', '/config/keys/who')).toEqual(value('Ada'));
  expect(show('{{item.name}}', 'node:group', '/config/values/0/of')).toEqual(value('Ada'));
  expect(show('{{item.name}}', 'node:join', '/config/left_key')).toEqual(value('Ada'));
  expect(show('{{item.name}}', 'node:join', '/config/right_key')).toEqual(value('Eve'));
  const select = '/config/select/who';
  expect(show('{{item.left.name}} {{item.right.name}}', 'node:join', select)).toEqual(value('Ada Eve'));
  expect(show('{{item.left.name}}', 'node:half', select)).toEqual({ kind: 'invalid' });
  expect(show('{{item.name}}', 'node:group', '/config/select')).toEqual({ kind: 'invalid' });
});

test('a value that nobody knows is not made up', () => {
  expect(show('{{late.text}} {{input.n}}')).toEqual({ kind: 'unknown' });
  expect(show('{{fetch.rows[0].age}}')).toEqual({
    kind: 'missing',
    reference: 'fetch.rows[0].age',
    available: ['name'],
  });
  expect(show('{{fetch.')).toEqual({ kind: 'invalid' });
  expect(show('{{loop.iteration}}')).toEqual({ kind: 'invalid' });
});
