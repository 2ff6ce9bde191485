/** An edit on the canvas would be applied wrongly, or reach colleagues without its version or author. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BROADCASTS } from '../../../../src/features/canvas/room/operations.ts';
import type { Reply } from '../../../../src/features/canvas/room/ports.ts';
import { canonical } from '../simulation/simulation.ts';
import { OneRoom, type Person } from './one-room.ts';

/** Two people in a room. */
async function pair(): Promise<{ one: OneRoom; ann: Person; bob: Person }> {
  const one = new OneRoom();
  return { one, ann: await one.member(), bob: await one.member() };
}

const shown = async (one: OneRoom, person: Person): Promise<Record<string, unknown>> => {
  await one.rooms.resync(person, { workflowId: '11111111-1111-4111-8111-111111111111' });
  return person.of('workflow:snapshot').at(-1)?.['schema'] as Record<string, unknown>;
};

const FUZZ_RUNS = Number(process.env['CANVAS_ROOM_FUZZ_RUNS'] ?? 1_500);

describe('operations', () => {
  test('an operation is acknowledged to its sender and broadcast to the others with its version', async () => {
    const { one, ann, bob } = await pair();
    const reply = one.move(ann, 5, { opId: 'op-1' });
    expect(reply).toMatchObject({ ok: true, opId: 'op-1', version: 1 });
    expect(ann.of('ack')).toMatchObject([{ opId: 'op-1', version: 1 }]);
    expect(bob.of('node:moved')).toMatchObject([
      { version: 1, opId: 'op-1', userId: ann.userId, nodeId: 'a', position: { x: 5, y: 1 } },
    ]);
    expect([ann.of('node:moved'), bob.of('ack')]).toEqual([[], []]);
  });

  test.for([
    ['node:move', { nodeId: 'nope', position: { x: 1, y: 1 } }, 'NODE_NOT_FOUND'],
    ['node:move', { nodeId: '__end__', position: { x: 1, y: 1 } }, 'RESERVED_NODE_ID'],
    ['node:move', { nodeId: 'a', position: { x: 1e8, y: 1 } }, 'INVALID_PAYLOAD'],
    ['node:update', { nodeId: 'nope', changes: { name: 'x' } }, 'NODE_NOT_FOUND'],
    ['node:update', { nodeId: 'a', set: { '/id': 'c' } }, 'INVALID_PAYLOAD'],
    ['node:update', { nodeId: 'a', set: { '/type': 'magic' } }, 'INVALID_PAYLOAD'],
    ['node:update', { nodeId: 'a', unset: ['/type'] }, 'INVALID_PAYLOAD'],
    ['node:update', { nodeId: 'a', set: { [`${'/d'.repeat(80)}`]: 1 } }, 'INVALID_PAYLOAD'],
    ['node:add', { node: { id: 'a', type: 'llm' } }, 'NODE_EXISTS'],
    ['node:add', { node: { id: '__start__', type: 'llm' } }, 'RESERVED_NODE_ID'],
    ['node:add', { node: { id: 'n' } }, 'INVALID_PAYLOAD'],
    ['edge:add', { edge: { id: 'e', source: 'a', target: 'nope' } }, 'EDGE_ENDPOINT_MISSING'],
    ['edge:add', { edge: { id: 'ab', source: 'b', target: 'a' } }, 'EDGE_EXISTS'],
    ['edge:update', { edgeId: 'nope', changes: { x: 1 } }, 'EDGE_NOT_FOUND'],
    ['edge:update', { edgeId: 'ab', set: { '/target': 'nope' } }, 'EDGE_ENDPOINT_MISSING'],
    ['workflow:update', { colour: 'red' }, 'UNKNOWN_KEY'],
    ['metadata:update', { set: { '/name': 5 } }, 'INVALID_PAYLOAD'],
    ['metadata:update', { set: { '/name': 'n'.repeat(256) } }, 'INVALID_PAYLOAD'],
    ['node:update', { nodeId: 'a', changes: { name: 'nul \0' } }, 'INVALID_PAYLOAD'],
    ['node:update', { nodeId: 'a', changes: { name: '\ud800' } }, 'INVALID_PAYLOAD'],
    [
      'node:update',
      { nodeId: 'a', changes: JSON.parse('{"__proto__":{"x":1}}') as object },
      'INVALID_PAYLOAD',
    ],
    ['node:update', { nodeId: 'a', changes: { x: 'y'.repeat(300_000) } }, 'PAYLOAD_TOO_LARGE'],
    ['batch', { ops: [{ type: 'node:fly' }], reason: 'other' }, 'INVALID_PAYLOAD'],
    [
      'batch',
      {
        ops: [
          { type: 'node:delete', nodeId: 'a' },
          { type: 'edge:update', edgeId: 'ab', set: { '/x': 1 } },
        ],
        reason: 'other',
        mode: 'atomic',
      },
      'BATCH_REJECTED',
    ],
    ['node:fly', { nodeId: 'a' }, 'UNKNOWN_EVENT'],
  ] as const)('SEC-M11, SEC-M13: %s %j is %s, and changes nothing', async ([event, fields, code]) => {
    const { one, ann, bob } = await pair();
    const before = canonical(await shown(one, ann));
    expect(one.op(ann, event, { opId: 'x', ...fields })).toMatchObject({ ok: false, code });
    expect(ann.of('operation:rejected')).toMatchObject([{ event, code }]);
    expect(canonical(await shown(one, ann))).toBe(before);
    expect(one.move(bob, 5)).toMatchObject({ version: 1 });
  });

  test.for([
    [
      'node:update',
      { nodeId: 'a', changes: JSON.parse('{"config": {"__proto__": 1}}') as object },
      'INVALID_PAYLOAD',
    ],
    ['node:update', { nodeId: 'a', set: { '/config/__proto__/x': 1 } }, 'INVALID_PAYLOAD'],
    ['edge:update', { edgeId: 'ab', set: { '/data/__proto__/x': 1 } }, 'INVALID_PAYLOAD'],
    ['config:update', { set: { '/__proto__': 1 } }, 'INVALID_PAYLOAD'],
    ['metadata:update', { set: { '/a/__proto__/b': 1 } }, 'INVALID_PAYLOAD'],
    [
      'state-schema:update',
      { set: JSON.parse('{"__proto__": {"type": "string"}}') as object },
      'INVALID_PAYLOAD',
    ],
    ['state-schema:update', { changes: { field: { type: 'string' } } }, 'INVALID_PAYLOAD'],
    ['node:add', { node: { id: '__proto__', type: 'llm' } }, 'RESERVED_NODE_ID'],
    [
      'node:update',
      { nodeId: 'a', changes: { config: { constructor: { prototype: { x: 1 } } } } },
      'INVALID_PAYLOAD',
    ],
    ['node:update', { nodeId: 'a', set: { '/config/constructor/prototype/x': 1 } }, 'INVALID_PAYLOAD'],
  ] as const)('SEC-P09: %s %j writes a key that is none, and is %s', async ([event, fields, code]) => {
    const { one, ann } = await pair();
    const before = canonical(await shown(one, ann));
    expect(one.op(ann, event, fields)).toMatchObject({ ok: false, code });
    expect(canonical(await shown(one, ann))).toBe(before);
  });
  test('SEC-P09: the forbidden key may be removed', async () => {
    const { one, ann } = await pair();
    expect(one.op(ann, 'config:update', { unset: ['/__proto__'] })).toMatchObject({ ok: true });
  });
  test.for([
    ['node:update', { nodeId: 'a', changes: { config: { constructor: { isAdmin: 1 } } } }],
    ['node:update', { nodeId: 'a', set: { '/config/prototype/isAdmin': 1 } }],
    ['config:update', { set: { '/constructor': { isAdmin: 1 } } }],
    ['state-schema:update', { set: { constructor: { type: 'isAdmin' } } }],
  ] as const)('SEC-P09: %s %j writes an own key', async ([event, fields]) => {
    const { one, ann } = await pair();
    expect(one.op(ann, event, fields)).toMatchObject({ ok: true, version: 1 });
    expect(canonical(await shown(one, ann))).toContain('isAdmin');
    expect(({} as { isAdmin?: unknown }).isAdmin).toBeUndefined();
  });

  test.for([
    ['node:delete', { nodeId: 'nope' }],
    ['edge:delete', { edgeIds: ['nope'] }],
    ['node:add', { node: { id: 'b', type: 'tool', config: {} } }],
    ['node:move', { nodeId: 'a', position: { x: 0, y: 0 } }],
    ['node:update', { nodeId: 'a', set: { '/config/x': 1 }, unset: ['/gone'] }],
    ['workflow:update', { entry_point: null }],
  ] as const)('%s %j changes nothing, and is no version', async ([event, fields]) => {
    const { one, ann, bob } = await pair();
    expect(one.op(ann, event, fields)).toMatchObject({ ok: true, noop: true, version: 0 });
    expect(bob.heard.filter(({ payload }) => 'version' in payload && 'opId' in payload)).toEqual([]);
    await one.clock.advance(5_000);
    expect(one.row.editVersion).toBe(0);
  });

  test('a new node gets a state field, and its deletion removes the field and its edges', async () => {
    const { one, ann, bob } = await pair();
    one.op(ann, 'node:add', { node: { id: 'c', type: 'llm' }, index: 99 });
    expect(bob.of('node:added')).toMatchObject([
      { index: 2, stateSchema: { c: { type: 'Any', reducer: 'none' } } },
    ]);
    one.op(ann, 'edge:add', { edge: { id: 'bc', source: 'b', target: 'c' } });
    one.op(ann, 'node:delete', { nodeIds: ['c', 'nope'] });
    expect(bob.of('node:deleted')).toMatchObject([
      { nodeIds: ['c'], edgeIds: ['bc'], stateSchemaKeys: ['c'] },
    ]);
    expect(await shown(one, bob)).toMatchObject({ state_schema: { fields: {} } });
  });

  test('an edited state field stays when its node is deleted', async () => {
    const { one, ann, bob } = await pair();
    one.op(ann, 'state-schema:update', { set: { a: { type: 'array', reducer: 'add' } } });
    one.op(ann, 'node:delete', { nodeId: 'a' });
    expect(bob.of('node:deleted')).toMatchObject([{ stateSchemaKeys: [] }]);
    expect(await shown(one, bob)).toMatchObject({ state_schema: { fields: { a: { reducer: 'add' } } } });
  });

  test('a merge patch is broadcast as exact pointers', async () => {
    const { one, ann, bob } = await pair();
    const reply = one.op(ann, 'node:update', {
      nodeId: 'a',
      changes: { config: { x: null, y: { z: 1, n: null } } },
    });
    const exact = { set: { '/config/y': { z: 1 } }, unset: ['/config/x'] };
    expect(bob.of('node:updated')).toMatchObject([exact]);
    expect(reply).toMatchObject({ normalized: exact });
  });

  test('overwriting an unseen value is acknowledged with its author', async () => {
    const { one, ann, bob } = await pair();
    one.op(ann, 'node:update', { nodeId: 'a', set: { '/config/x': 2 }, version: 0 });
    const other = one.op(bob, 'node:update', { nodeId: 'a', set: { '/config/y': 2 }, version: 0 });
    const same = one.op(bob, 'node:update', { nodeId: 'a', set: { '/config': {} }, version: 0 });
    const seen = one.op(bob, 'node:update', { nodeId: 'a', set: { '/config/x': 4 }, version: 3 });
    expect(other).not.toHaveProperty('contended');
    expect(same['contended']).toEqual([{ ptr: '/nodes/a/config/x', byUserId: ann.userId, version: 1 }]);
    expect(seen).not.toHaveProperty('contended');
  });

  test('a batch has one version; parts that do not apply or whose guard fails are listed as skipped', async () => {
    const { one, ann, bob } = await pair();
    const reply = one.op(ann, 'batch', {
      reason: 'paste',
      ops: [
        { type: 'node:move', nodeId: 'a', position: { x: 7, y: 7 }, if: { ptr: '/position/x', equals: 0 } },
        { type: 'node:update', nodeId: 'a', set: { '/config/x': 9 }, if: { ptr: '/config/x', equals: 5 } },
        { type: 'node:delete', nodeId: 'nope' },
        { type: 'edge:update', edgeId: 'nope', set: { '/x': 1 } },
      ],
    });
    expect(reply).toMatchObject({
      version: 1,
      skipped: [
        { index: 1, code: 'GUARD_FAILED' },
        { index: 3, code: 'EDGE_NOT_FOUND' },
      ],
    });
    expect(bob.of('batch:applied')).toMatchObject([
      { version: 1, reason: 'paste', ops: [{ type: 'node:move', nodeId: 'a', position: { x: 7, y: 7 } }] },
    ]);
  });

  test('an atomic batch is rejected as a whole when a guard is not met, and applied when all are', async () => {
    const { one, ann, bob } = await pair();
    const before = canonical(await shown(one, ann));
    const write = (x: number) => ({
      reason: 'other',
      mode: 'atomic',
      ops: [
        { type: 'node:move', nodeId: 'a', position: { x: 7, y: 7 } },
        { type: 'node:update', nodeId: 'a', set: { '/config/x': 9 }, if: { ptr: '/position/x', equals: x } },
      ],
    });
    expect(one.op(ann, 'batch', write(5))).toMatchObject({ ok: false, code: 'BATCH_REJECTED' });
    expect(ann.of('operation:rejected')).toMatchObject([{ details: { index: 1, code: 'GUARD_FAILED' } }]);
    expect(canonical(await shown(one, ann))).toBe(before);
    expect(one.op(ann, 'batch', write(7))).toMatchObject({ version: 1 });
    expect(bob.of('batch:applied')).toHaveLength(1);
  });

  test('operations without access or without a join are rejected', async () => {
    const { one, ann, bob } = await pair();
    ann.isAllowed = false;
    expect(one.move(ann, 1)).toMatchObject({ code: 'FORBIDDEN' });
    one.rooms.leave(bob, { workflowId: '11111111-1111-4111-8111-111111111111' });
    expect(one.move(bob, 1)).toMatchObject({ code: 'NOT_JOINED' });
    ann.isAllowed = true;
    one.rooms.fenceFrom(one.clock.monotonic() + 1_000);
    expect(one.move(ann, 1)).toMatchObject({ ok: true });
    await one.clock.advance(1_000);
    expect(one.move(ann, 2)).toMatchObject({ code: 'OWNER_LOST', retryable: true });
  });

  test('an operation that would make the document too large is rejected', async () => {
    const { one, ann } = await pair();
    const text = 'x'.repeat(200_000);
    const replies: Reply[] = [];
    for (let n = 0; n < 25; n += 1) {
      // As long as a connection may take to send it: their work is limited, too.
      await one.clock.advance(500);
      replies.push(one.op(ann, 'config:update', { set: { [`/k${n}`]: text } }));
    }
    expect(replies.filter((reply) => reply.ok)).toHaveLength(20);
    expect(replies.at(-1)).toMatchObject({ code: 'DOC_TOO_LARGE' });
    expect(one.op(ann, 'config:update', { unset: ['/k1'] })).toMatchObject({ ok: true });
    expect(one.op(ann, 'config:update', { set: { '/again': text } })).toMatchObject({ ok: true });
  });

  test('any payload is answered, and one without an acknowledgement changes nothing', async () => {
    const { one, ann } = await pair();
    const events = [...Object.keys(BROADCASTS), 'node:lock', 'node:lock-renew', 'node:unlock', 'cursor:move'];
    const fields = [
      'nodeId',
      'node',
      'edge',
      'set',
      'changes',
      'ops',
      'moves',
      'position',
      'opId',
      'version',
    ];
    const payload = fc.oneof(
      fc.anything(),
      fc.dictionary(
        fc.constantFrom(...fields),
        fc.oneof(fc.anything(), fc.constant('a'), fc.constant({ length: { toString: null } })),
      ),
    );
    let before = canonical(await shown(one, ann));
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...events), payload, async (event, sent) => {
        const isObject = typeof sent === 'object' && sent !== null && !Array.isArray(sent);
        const whole = isObject ? { ...sent, workflowId: '11111111-1111-4111-8111-111111111111' } : sent;
        one.rooms.updatePresence(ann, event, whole);
        one.rooms.handleLockRequest(ann, event, whole);
        const reply = one.rooms.apply(ann, event, whole);
        const after = canonical(await shown(one, ann));
        if (!reply.ok) expect(after).toBe(before);
        before = after;
        // What was heard before is not looked at any more.
        for (const heard of [ann.heard, one.told]) heard.length = 0;
        // Slowly enough for the room's rate.
        await one.clock.advance(1);
      }),
      { numRuns: FUZZ_RUNS },
    );
  }, 600_000);
});
