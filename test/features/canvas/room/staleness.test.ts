/** A stale operation must be a conflict, and a duplicate must be applied once. */
import { describe, expect, test } from 'vitest';
import { KEY, OneRoom } from './one-room.ts';

describe('an operation that is behind', () => {
  async function behindBy(lag: number, pinned: number | null): Promise<Record<string, unknown>> {
    const one = new OneRoom(undefined, 3, pinned);
    const [ann, bob] = [await one.member(), await one.member()];
    // Slow enough that the traffic does not widen the window.
    for (let n = 1; n <= 300; n += 1) {
      one.op(ann, 'node:move', { nodeId: 'b', position: { x: n, y: 0 } });
      if (pinned === null) await one.clock.advance(100);
    }
    return one.move(bob, 1, { opId: 'late', version: 303 - lag });
  }

  test.for([
    [5, 5, true],
    [6, 5, false],
    [0, 5, true],
    [-1, 5, false],
    [256, null, true],
    [257, null, false],
  ] as const)('by %i of at most %s', async ([lag, pinned, isAccepted]) => {
    expect(await behindBy(lag, pinned)).toMatchObject(
      isAccepted ? { ok: true, version: 304 } : { ok: false, code: 'CONFLICT' },
    );
  });

  test('the allowed lag grows with the traffic', async () => {
    const one = new OneRoom();
    const [ann, bob] = [await one.member(), await one.member()];
    for (let n = 1; n <= 1_000; n += 1) one.op(ann, 'node:move', { nodeId: 'b', position: { x: n, y: 0 } });
    expect(one.move(bob, 1, { version: 0 })).toMatchObject({ ok: true, version: 1_001 });
    await one.clock.advance(6_000);
    expect(one.move(bob, 2, { version: 0 })).toMatchObject({ ok: false, code: 'CONFLICT' });
  });

  test.for([-1, '5', 1.5, null])('a version %j is invalid', async (version) => {
    const one = new OneRoom();
    expect(one.move(await one.member(), 1, { version })).toMatchObject({ code: 'INVALID_PAYLOAD' });
  });

  test('the conflict names both versions; after joining again the next operation is accepted', async () => {
    const one = new OneRoom(undefined, 2);
    const ann = await one.member();
    expect(one.move(ann, 5, { opId: 'future', version: 1e15 })).toMatchObject({ code: 'CONFLICT' });
    expect(ann.of('conflict')).toEqual([
      {
        workflowId: KEY.workflowId,
        opId: 'future',
        yourVersion: 1e15,
        serverVersion: 2,
        resolution: 'rebase',
      },
    ]);
    one.rooms.leave(ann, KEY);
    const joined = await one.join(ann);
    expect(joined).toMatchObject({ version: 2 });
    expect(one.move(ann, 5, { opId: 'future', version: 2 })).toMatchObject({ ok: true, version: 3 });
  });
});

describe('a duplicate operation', () => {
  test('gets the first answer on any connection and is not broadcast', async () => {
    const one = new OneRoom();
    const [ann, bob] = [await one.member({ clientId: 'tab' }), await one.member()];
    one.move(ann, 5, { opId: 'tab:1' });
    one.move(bob, 6, { opId: 'x' });
    expect(one.move(ann, 5, { opId: 'tab:1' })).toMatchObject({ ok: true, version: 1, duplicate: true });
    const again = await one.member({ clientId: 'tab', userId: ann.userId });
    expect(one.move(again, 5, { opId: 'tab:1' })).toMatchObject({ version: 1, duplicate: true });
    expect(bob.of('node:moved')).toHaveLength(1);
    expect(again.of('workflow:joined')[0]).toMatchObject({ version: 2, you: { appliedSeq: 1 } });
  });

  test('with other content is rejected', async () => {
    const one = new OneRoom();
    const ann = await one.member();
    one.move(ann, 5, { opId: 'x' });
    expect(one.move(ann, 6, { opId: 'x' })).toMatchObject({ code: 'OPID_REUSED' });
  });

  test('is recognized after the room was unloaded', async () => {
    const one = new OneRoom();
    const ann = await one.member();
    one.move(ann, 5, { opId: 'x' });
    one.rooms.leave(ann, KEY);
    await one.clock.advance(30_000);
    expect(one.rooms.counts().rooms).toBe(0);
    await one.join(ann);
    expect(one.move(ann, 5, { opId: 'x' })).toMatchObject({ version: 1, duplicate: true, savedIn: 1 });
    expect(one.move(ann, 6, { opId: 'x' })).toMatchObject({ code: 'OPID_REUSED' });
  });

  test('is recognized after a crash before the save, and the operation is not lost', async () => {
    const one = new OneRoom();
    const ann = await one.member();
    one.move(ann, 5, { opId: 'x' });
    await one.clock.advance(300);
    expect(one.row.editVersion).toBe(0);
    one.crash();
    const bob = await one.member();
    expect(bob.of('workflow:joined')[0]).toMatchObject({ version: 1, editVersion: 0 });
    expect(one.move(bob, 5, { opId: 'x' })).toMatchObject({ version: 1, duplicate: true });
    await one.clock.advance(3_000);
    expect(one.stored()['nodes']).toMatchObject([{ id: 'a', position: { x: 5 } }, {}]);
    expect(one.row.wal.every((row) => row.savedIn === 1)).toBe(true);
  });

  test('is recognized beyond the window by its sequence number', async () => {
    const one = new OneRoom(undefined, 0, 1e6);
    const ann = await one.member();
    for (let n = 1; n <= 4_200; n += 1) one.move(ann, n, { opId: `tab:${n}` });
    expect(one.move(ann, 1, { opId: 'tab:1' })).toMatchObject({ ok: true, duplicate: true });
    expect(one.move(ann, 1, { opId: 'tab:9999' })).toMatchObject({ ok: true, version: 4_201 });
  });
});
