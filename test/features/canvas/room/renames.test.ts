/** Renaming a node: if this fails, an edge, a template or a pin goes on naming a node that is not there any more, or an edit is lost. */
import { expect, test } from 'vitest';
import { readDocument, writeDocument } from '../../../../src/features/canvas/room/document.ts';
import { reduce } from '../../../../src/features/canvas/room/reduce.ts';
import { UNLOCKED } from '../../../../src/features/canvas/room/reduction.ts';
import type { JsonObject } from '../../../../src/language/graph/values/value.ts';
import { WORKFLOW as WORKFLOW_ID } from '../simulation/simulation.ts';
import { OneRoom, type Person } from './one-room.ts';

const WORKFLOW = {
  metadata: {
    name: 'W',
    canvas: { pins: { a: { output: 1 } }, groups: { g: { name: 'G', nodes: ['a', 'b'] } } },
  },
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

const RENAME = { type: 'node:rename', nodeId: 'a', newId: 'fetch' } as const;

test('a renamed node is named anew by edges, templates, output, pin and state, in one operation', () => {
  const document = readDocument(WORKFLOW);
  const reduction = reduce(document, RENAME, UNLOCKED);
  if (reduction.outcome !== 'applied') throw new Error(JSON.stringify(reduction));
  expect(writeDocument(reduction.document)).toEqual({
    metadata: {
      name: 'W',
      canvas: { pins: { fetch: { output: 1 } }, groups: { g: { name: 'G', nodes: ['fetch', 'b'] } } },
    },
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

/** Ann has given the node another id; Bob, and Cat who only looks, are in the room. */
async function renamedRoom(): Promise<{ one: OneRoom; ann: Person; bob: Person; cat: Person }> {
  const one = new OneRoom(WORKFLOW);
  const [ann, bob, cat] = [await one.member(), await one.member(), await one.member()];
  return { one, ann, bob, cat };
}

const show = async (one: OneRoom, person: Person): Promise<JsonObject> => {
  await one.rooms.resync(person, { workflowId: WORKFLOW_ID });
  return person.of('workflow:snapshot').at(-1)?.['schema'] as JsonObject;
};

const PIN = { output: 2 };
/** What Bob does to the node by its old id, and what comes of it under the new one. */
const EDITS: readonly (readonly [string, string, object, object])[] = [
  [
    'an edge from it',
    'edge:add',
    { edge: { id: 'n', source: 'a', target: '__end__', when: [{ left: '{{a.ok}}', op: 'is_true' }] } },
    {
      edges: [
        {},
        {},
        { id: 'n', source: 'fetch', target: '__end__', when: [{ left: '{{fetch.ok}}', op: 'is_true' }] },
      ],
    },
  ],
  [
    'an edge to it',
    'edge:update',
    { edgeId: 'ab', set: { '/source': 'b', '/target': 'a' } },
    { edges: [{}, { id: 'ab', source: 'b', target: 'fetch' }] },
  ],
  [
    'its config',
    'node:update',
    { nodeId: 'a', set: { '/config/code': 'y' } },
    { nodes: [{ id: 'fetch', config: { code: 'y' } }, {}] },
  ],
  [
    'its place',
    'nodes:move',
    { moves: [{ nodeId: 'a', position: { x: 1, y: 2 } }] },
    { nodes: [{ id: 'fetch', position: { x: 1, y: 2 } }, {}] },
  ],
  [
    'a template',
    'node:update',
    { nodeId: 'b', changes: { config: { messages: [{ content: '{{a.x}}' }] } } },
    { nodes: [{}, { config: { messages: [{ content: '{{fetch.x}}' }] } }] },
  ],
  [
    'a new node',
    'node:add',
    { node: { id: 'c', type: 'tool', config: { q: '{{ a }}' } } },
    {
      nodes: [{}, {}, { id: 'c', config: { q: '{{ fetch }}' } }],
    },
  ],
  [
    'the output',
    'config:update',
    { set: { '/output/text': '{{a.y}}' } },
    { config: { output: { text: '{{fetch.y}}' } } },
  ],
  [
    'its state field',
    'state-schema:update',
    { set: { a: { type: 'string' } } },
    { state_schema: { fields: { fetch: { type: 'string' } } } },
  ],
  [
    'its pin',
    'metadata:update',
    { set: { '/canvas/pins/a': PIN } },
    { metadata: { canvas: { pins: { fetch: PIN } } } },
  ],
  [
    'its pin, as a merge patch',
    'metadata:update',
    { changes: { canvas: { pins: { a: PIN } } } },
    { metadata: { canvas: { pins: { fetch: PIN } } } },
  ],
  [
    'its group',
    'metadata:update',
    { set: { '/canvas/groups/g/nodes': ['a'] } },
    { metadata: { canvas: { groups: { g: { nodes: ['fetch'] } } } } },
  ],
  ['its deletion', 'node:delete', { nodeIds: ['a'] }, { nodes: [{ id: 'b' }], edges: [] }],
  [
    'several at once',
    'batch',
    {
      reason: 'other',
      ops: [
        { type: 'node:add', node: { id: 'c', type: 'tool' } },
        { type: 'edge:add', edge: { id: 'n', source: 'a', target: 'c' } },
        {
          type: 'metadata:update',
          set: { '/canvas/pins/a': PIN },
          if: { ptr: '/canvas/pins/a', equals: { output: 1 } },
        },
      ],
    },
    {
      edges: [{}, {}, { id: 'n', source: 'fetch', target: 'c' }],
      metadata: { canvas: { pins: { fetch: PIN } } },
    },
  ],
];

test.for(EDITS)(
  '%s, edited while a colleague renames the node, belongs to the renamed one',
  async ([, event, fields, after]) => {
    for (const isFirst of [true, false]) {
      const { one, ann, bob, cat } = await renamedRoom();
      const rename = () =>
        one.op(ann, 'node:rename', { nodeId: 'a', newId: 'fetch', version: 0, opId: 'ann:1' });
      const edit = () => one.op(bob, event, { ...fields, version: 0, opId: 'bob:1' });
      const replies = isFirst ? [rename(), edit()] : [edit(), rename()];
      const isGone = !isFirst && event === 'node:delete';
      expect(replies.map(({ ok }) => ok)).toEqual([true, !isGone]);
      const schema = await show(one, cat);
      expect(schema).toMatchObject(after);
      if (isGone) continue;
      expect(JSON.stringify(schema)).not.toContain('"a"');
      expect(JSON.stringify(schema)).not.toMatch(/(?<!\\)\{\{ ?a\b/);
      // Its author is told what has come of it.
      if (isFirst) expect(bob.of('ack')[0]).toHaveProperty('normalized');
    }
  },
);

test('an id that its author knew to be another node is not rewritten, nor one that the edit itself gives', async () => {
  const { one, ann, bob } = await renamedRoom();
  one.op(ann, 'node:rename', { nodeId: 'a', newId: 'fetch', version: 0 });
  expect(one.op(bob, 'edge:add', { edge: { id: 'n', source: 'a', target: 'b' }, version: 1 })).toMatchObject({
    code: 'EDGE_ENDPOINT_MISSING',
  });
  const again = [
    { type: 'node:add', node: { id: 'a', type: 'tool' } },
    { type: 'edge:add', edge: { id: 'n', source: 'a', target: 'b' } },
  ];
  expect(one.op(bob, 'batch', { reason: 'paste', ops: again, version: 0 })).toMatchObject({ ok: true });
  one.op(bob, 'edge:add', { edge: { id: 'm', source: 'a', target: '__end__' }, version: 0 });
  expect(await show(one, bob)).toMatchObject({
    edges: [{ source: '__start__' }, { source: 'fetch' }, { source: 'a' }, { source: 'a' }],
  });
});

test('an edit that was made before two renamings follows both, however late it is sent', async () => {
  const { one, ann, bob } = await renamedRoom();
  one.op(ann, 'node:rename', { nodeId: 'a', newId: 'c', version: 0 });
  one.op(ann, 'node:rename', { nodeId: 'c', newId: 'd', version: 1 });
  const late = { edge: { id: 'n', source: 'a', target: '__end__' }, version: 2, baseVersion: 0 };
  expect(one.op(bob, 'edge:add', late)).toMatchObject({ normalized: { edge: { source: 'd' } } });
  one.op(bob, 'node:rename', { nodeId: 'a', newId: 'e', version: 0 });
  expect(await show(one, bob)).toMatchObject({ nodes: [{ id: 'e' }, {}], edges: [{}, {}, { source: 'e' }] });
});

test('a node gets no id that a node or a state field has', async () => {
  const { one, ann } = await renamedRoom();
  for (const newId of ['b', 'topics'])
    expect(one.op(ann, 'node:rename', { nodeId: 'a', newId })).toMatchObject({ ok: false });
  expect(one.op(ann, 'node:rename', { nodeId: 'nope', newId: 'x' })).toMatchObject({
    code: 'NODE_NOT_FOUND',
  });
  expect(one.op(ann, 'node:rename', { nodeId: 'a', newId: 'a' })).toMatchObject({ noop: true });
  expect(await show(one, ann)).toEqual(WORKFLOW);
});

test('a renamed node is still followed after the process has died', async () => {
  const { one, ann } = await renamedRoom();
  one.op(ann, 'node:rename', { nodeId: 'a', newId: 'fetch', version: 0 });
  await one.clock.advance(150);
  one.crash();
  const bob = await one.member();
  const late = { edge: { id: 'n', source: 'a', target: '__end__' }, baseVersion: 0 };
  expect(one.op(bob, 'edge:add', late)).toMatchObject({ normalized: { edge: { source: 'fetch' } } });
});

test('a group that still lists a deleted node is no obstacle to a new id', () => {
  const document = readDocument({
    ...WORKFLOW,
    metadata: { canvas: { groups: { g: { name: 'G', nodes: ['a', 'gone', 'b'] } } } },
  });
  expect(reduce(document, RENAME, UNLOCKED).outcome).toBe('applied');
});
