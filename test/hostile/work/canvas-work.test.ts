/**
 * If this failed, one message of an editor would hold all rooms of a process. The counter is imported first, since it counts the blocks
 * of code that is loaded after it.
 */
import { countWork } from './count-work.ts';
import { expect, test } from 'vitest';
import { takeTurn } from '../../../src/base/shares/turns.ts';
import { readDocument, type CanvasDocument } from '../../../src/features/canvas/room/document.ts';
import type { AppliedOp, DurableEvent } from '../../../src/features/canvas/room/operations.ts';
import { readOperation } from '../../../src/features/canvas/room/read-operation.ts';
import { reduce } from '../../../src/features/canvas/room/reduce.ts';
import { createRoomContext, type Reduction } from '../../../src/features/canvas/room/reduction.ts';
import type { ReplayableOp } from '../../../src/features/canvas/room/replay.ts';
import { replayInSlices } from '../../../src/features/canvas/room/sliced-replay.ts';
import type { JsonObject } from '../../../src/language/graph/values/value.ts';
import { fields, times } from './shapes.ts';

const pointers = (n: number, at: string): JsonObject =>
  Object.fromEntries(times(n, (i) => [`${at}/k${i}`, 2]));

/** A document with `n` members in each place that an operation changes. */
const wide = (n: number): CanvasDocument =>
  readDocument({
    metadata: fields(n, () => 1),
    config: { wide: fields(n, () => 1), list: times(n, () => 0) },
    state_schema: { fields: fields(n, () => ({})) },
    nodes: [
      { id: 'a', type: 'tool', config: { wide: fields(n, () => 1), list: times(n, () => 0) } },
      ...times(n / 10, (at) => ({ id: `n${at}`, type: 'tool', config: { text: '{{a.b}}' } })),
    ],
    edges: times(n / 10, (at) => ({ id: `e${at}`, source: 'a', target: `n${at}` })),
  });

/** Operations in their worst shapes, of a size. */
const OPERATIONS: Readonly<Record<string, readonly [DurableEvent, (n: number) => JsonObject]>> = {
  'many pointers into one object': [
    'node:update',
    (n) => ({ nodeId: 'a', set: pointers(n, '/config/wide') }),
  ],
  'many new pointers': ['node:update', (n) => ({ nodeId: 'a', set: pointers(n, '/config/new') })],
  'many pointers to ends of a list': [
    'config:update',
    (n) => ({ set: Object.fromEntries(times(n, (at) => [`/list/${at}`, 2])) }),
  ],
  'many removals': [
    'node:update',
    (n) => ({ nodeId: 'a', unset: times(n / 10, (at) => `/config/wide/k${at}`) }),
  ],
  'a wide merge patch': [
    'node:update',
    (n) => ({ nodeId: 'a', changes: { config: { wide: fields(n, () => 2) } } }),
  ],
  'a merge patch of nulls': [
    'node:update',
    (n) => ({ nodeId: 'a', changes: { config: { wide: fields(n, () => null) } } }),
  ],
  'a merge patch of new objects': [
    'metadata:update',
    (n) => ({ changes: Object.fromEntries(times(n, (at) => [`o${at}`, { a: { b: null } }])) }),
  ],
  'many fields of the state': ['state-schema:update', (n) => ({ set: fields(n, () => ({ type: 'Any' })) })],
  'a renamed node': ['node:rename', () => ({ nodeId: 'a', newId: 'b' })],
  'many moves': [
    'nodes:move',
    (n) => ({ moves: times(n / 10, (at) => ({ nodeId: `n${at}`, position: { x: at, y: 1 } })) }),
  ],
  'nodes deleted one by one': [
    'batch',
    () => ({
      reason: 'other',
      ops: times(20, (at) => ({ type: 'node:delete', nodeId: `n${at}` })),
    }),
  ],
  'a text of templates': [
    'node:update',
    (n) => ({ nodeId: 'a', set: { '/config/text': '{{ a.b }}{{'.repeat(n) } }),
  ],
};

function apply(document: CanvasDocument, event: DurableEvent, payload: JsonObject): Reduction {
  const read = readOperation(event, { workflowId: '11111111-1111-4111-8111-111111111111', ...payload });
  if ('code' in read) throw new Error(`${read.code}: ${read.because}`);
  return reduce(
    document,
    read.op,
    createRoomContext(() => false),
  );
}

test.each(Object.entries(OPERATIONS))(
  'SEC-H08: an operation of the canvas, %s: twice as much takes at most twice the work',
  async (_, [event, make]) => {
    const measure = (n: number): Promise<number> => {
      const [document, payload] = [wide(n), make(n)];
      expect(apply(document, event, payload).outcome).toBe('applied');
      return countWork(() => apply(document, event, payload));
    };
    await measure(1_000);
    const [once, twice] = [await measure(2_000), await measure(4_000)];
    expect(once).toBeGreaterThan(0);
    expect(twice / once).toBeLessThan(2.3);
  },
);

/** Parts that all change the widest node, or compare it. */
const PARTS: Readonly<Record<string, (at: number) => JsonObject>> = {
  'change one object': (at) => ({ type: 'node:update', nodeId: 'a', set: { '/config/wide/x': at } }),
  'are guarded by its hash': (at) => ({
    type: 'node:update',
    nodeId: 'a',
    set: { '/x': at },
    if: { ptr: '', hash: 'x' },
  }),
  'are guarded by its value': (at) => ({
    type: 'node:update',
    nodeId: 'a',
    set: { '/x': at },
    if: { ptr: '/config/wide', equals: { a: at } },
  }),
  'remove from one list': () => ({
    type: 'node:update',
    nodeId: 'a',
    unset: times(20, () => '/config/list/0'),
  }),
};

test.each(Object.entries(PARTS))(
  'SEC-H08: a batch whose parts %s is rejected whole once it takes too much work',
  async (_, make) => {
    const document = wide(40_000);
    const batch = (parts: number): JsonObject => ({ reason: 'other', ops: times(parts, make) });
    expect(apply(document, 'batch', batch(1)).outcome).not.toBe('rejected');
    const rejected = { outcome: 'rejected', code: 'PAYLOAD_TOO_LARGE' };
    expect(apply(document, 'batch', batch(1_000))).toMatchObject(rejected);
    const [some, all] = [500, 1_000].map((parts) => countWork(() => apply(document, 'batch', batch(parts))));
    // The parts behind the limit are read, and nothing more.
    expect((await all!) / (await some!)).toBeLessThan(1.5);
  },
);

const edits = (n: number, op: (at: number) => object): ReplayableOp[] =>
  times(n, (at) => ({ opId: `o${at}`, userId: 'u', op: op(at) as AppliedOp }));
const widen = (at: number): object => ({ type: 'node:update', nodeId: 'a', set: { '/config/wide/x': at } });

/** Accepted operations that are dear to replay. */
const REPLAYED: Readonly<Record<string, readonly [CanvasDocument, readonly ReplayableOp[]]>> = {
  'that change the largest node': [wide(20_000), edits(100, widen)],
  'of a batch each': [
    wide(20_000),
    edits(100, (at) => ({ type: 'batch', reason: 'other', ops: [widen(at)] })),
  ],
  'of a definition at its limit of size': [
    readDocument({ nodes: [{ id: 'a', type: 'tool', config: { text: 'x'.repeat(4_193_900), wide: {} } }] }),
    edits(20, widen),
  ],
  'that move nodes': [
    wide(20_000),
    edits(30_000, (x) => ({ type: 'node:move', nodeId: 'n1', position: { x, y: 1 } })),
  ],
};

test.each(Object.entries(REPLAYED))(
  'SEC-H08: operations %s are all replayed, with turns of the event loop between them',
  async (_, [document, ops]) => {
    let turns = 0;
    let isOver = false;
    const count = (): void => {
      turns += 1;
      if (!isOver) setImmediate(count);
    };
    count();
    const merged = await replayInSlices({ takeTurn }, { base: document, list: () => ops }, (whole) => whole);
    isOver = true;
    expect([merged.kept.length, merged.dropped]).toEqual([ops.length, []]);
    expect(turns).toBeGreaterThan(5);
  },
);

test('SEC-H08: what is accepted while others are replayed is in what is adopted', async () => {
  const ops = edits(100, widen);
  const later = edits(150, widen);
  const [document, list] = [wide(20_000), [...ops]];
  setImmediate(() => list.push(...later.slice(100)));
  const merged = await replayInSlices({ takeTurn }, { base: document, list: () => list }, (whole) => whole);
  expect(merged.kept).toHaveLength(150);
});
