/** Locks and presence must follow their sessions, and an empty room must be saved and closed. */
import { describe, expect, test } from 'vitest';
import { DOCUMENT, KEY, OneRoom, type Person } from './one-room.ts';
import { MAX_LOCKS_PER_USER } from '../../../../src/features/canvas/room/locks.ts';

const lock = (one: OneRoom, person: Person, more: object = {}): Record<string, unknown> =>
  one.rooms.handleLockRequest(person, 'node:lock', { ...KEY, nodeId: 'a', ...more }) as Record<
    string,
    unknown
  >;
const write = (one: OneRoom, person: Person): unknown =>
  one.op(person, 'node:update', { nodeId: 'a', set: { '/config/x': one.clock.monotonic() + 1 } });

describe('locks', () => {
  test('one of fifty requests gets the lock, a thousand times', async () => {
    const one = new OneRoom();
    const crowd = await Promise.all(Array.from({ length: 50 }, () => one.member()));
    for (let round = 0; round < 1_000; round += 1) {
      const order = crowd.toSorted(() => one.chance.next() - 0.5);
      const winners = order.flatMap((person) => {
        const answer = lock(one, person);
        return answer['ok'] === true ? [{ person, token: answer['token'] }] : [];
      });
      expect(winners).toHaveLength(1);
      const [winner] = winners;
      if (winner === undefined) return;
      expect(
        one.rooms.handleLockRequest(winner.person, 'node:unlock', {
          ...KEY,
          nodeId: 'a',
          token: winner.token,
        }),
      ).toEqual({ ok: true });
    }
  });

  test('others may move a locked node, but not change, delete or rewire it', async () => {
    const one = new OneRoom();
    const [ann, bob] = [await one.member(), await one.member()];
    lock(one, ann);
    expect(write(one, bob)).toMatchObject({ code: 'NODE_LOCKED' });
    expect(one.op(bob, 'node:delete', { nodeId: 'a' })).toMatchObject({ code: 'NODE_LOCKED' });
    expect(one.op(bob, 'edge:update', { edgeId: 'ab', set: { '/source': 'b' } })).toMatchObject({
      code: 'NODE_LOCKED',
    });
    expect(one.move(bob, 5)).toMatchObject({ ok: true });
    expect(write(one, ann)).toMatchObject({ ok: true });
    expect(lock(one, bob)).toMatchObject({
      ok: false,
      code: 'NODE_LOCKED',
      holder: { sessionId: ann.sessionId },
    });
  });

  test('a paused holder has lost its lock and cannot write', async () => {
    const one = new OneRoom();
    const [ann, bob] = [await one.member(), await one.member()];
    const { token } = lock(one, ann);
    await one.clock.advance(31_000);
    expect(bob.of('node:unlocked')).toMatchObject([{ nodeId: 'a', reason: 'expired' }]);
    lock(one, bob);
    expect(write(one, ann)).toMatchObject({ code: 'NODE_LOCKED' });
    const renewal = one.rooms.handleLockRequest(ann, 'node:lock-renew', {
      ...KEY,
      locks: [{ nodeId: 'a', token }],
    });
    expect(renewal).toEqual({ ok: true, renewed: [], lost: ['a'] });
  });

  test('CAN-R47: the limit of locks per user counts all tabs, and moving a lock between tabs needs no further one', async () => {
    const ids = Array.from({ length: 60 }, (_, n) => `n${n}`);
    const nodes = ids.map((id) => ({ id, type: 'llm', config: {}, position: { x: 0, y: 0 } }));
    const one = new OneRoom({ ...DOCUMENT, nodes, edges: [] });
    const tabs: Person[] = [];
    for (let tab = 0; tab < 3; tab += 1) tabs.push(await one.member({ userId: 'ann' }));
    const held = ids.filter(
      (nodeId, at) => lock(one, tabs[Math.floor(at / 20)] as Person, { nodeId })['ok'] === true,
    );
    expect(held).toHaveLength(MAX_LOCKS_PER_USER);
    const third = tabs[2] as Person;
    expect(lock(one, third, { nodeId: 'n59' })).toMatchObject({ code: 'LOCK_LIMIT' });
    expect(lock(one, third, { nodeId: 'n0', steal: true })).toMatchObject({ ok: true });
    expect(lock(one, await one.member({ userId: 'bob' }), { nodeId: 'n59' })).toMatchObject({ ok: true });
  });

  test('renewing keeps the lock', async () => {
    const one = new OneRoom();
    const [ann, bob] = [await one.member(), await one.member()];
    const { token } = lock(one, ann);
    for (let n = 0; n < 6; n += 1) {
      await one.clock.advance(10_000);
      one.rooms.handleLockRequest(ann, 'node:lock-renew', { ...KEY, locks: [{ nodeId: 'a', token }] });
    }
    expect(lock(one, bob)).toMatchObject({ code: 'NODE_LOCKED' });
  });

  test('another tab of the same user may always steal, others only an abandoned lock', async () => {
    const one = new OneRoom();
    const ann = await one.member();
    const [tab, bob] = [await one.member({ userId: ann.userId }), await one.member()];
    lock(one, ann);
    expect(lock(one, bob, { steal: true })).toMatchObject({ code: 'NODE_LOCKED' });
    expect(lock(one, tab, { steal: true })).toMatchObject({ ok: true });
    await one.clock.advance(10_000);
    expect(lock(one, bob, { steal: true })).toMatchObject({ ok: true });
  });

  test('end with their node, their holder and its access', async () => {
    const one = new OneRoom();
    const [ann, bob, eve] = [await one.member(), await one.member(), await one.member()];
    lock(one, ann);
    one.op(ann, 'node:delete', { nodeId: 'a' });
    lock(one, ann, { nodeId: 'b' });
    one.rooms.leave(ann, KEY);
    lock(one, bob, { nodeId: 'b' });
    one.rooms.revoke(bob);
    expect(eve.of('node:unlocked').map(({ reason }) => reason)).toEqual([
      'node-deleted',
      'disconnected',
      'revoked',
    ]);
    expect(bob.of('workflow:access-revoked')).toHaveLength(1);
    expect(one.move(bob, 1)).toMatchObject({ code: 'NOT_JOINED' });
  });

  test('are limited to twenty per session and to existing nodes', async () => {
    const nodes = Array.from({ length: 30 }, (_, n) => ({ id: `n${n}`, type: 'llm' }));
    const one = new OneRoom({ nodes, edges: [] });
    const ann = await one.member();
    const answers = nodes.map(({ id }) => lock(one, ann, { nodeId: id })['ok']);
    expect(answers.filter(Boolean)).toHaveLength(20);
    expect(lock(one, ann, { nodeId: 'nope' })).toMatchObject({ code: 'NODE_NOT_FOUND' });
  });
});

describe('presence', () => {
  test('a lost connection ends its cursor immediately and its presence after the grace period', async () => {
    const one = new OneRoom();
    const [ann, bob] = [await one.member(), await one.member()];
    lock(one, ann);
    one.rooms.updatePresence(ann, 'cursor:move', { ...KEY, x: 1, y: 2, sessionId: 'spoofed' });
    await one.clock.advance(50);
    expect(bob.of('cursor:moved')).toMatchObject([{ sessionId: ann.sessionId, x: 1, y: 2 }]);
    one.rooms.disconnect(ann);
    expect(bob.of('cursor:moved').at(-1)).toMatchObject({ hidden: true });
    await one.clock.advance(4_900);
    expect(bob.of('presence:left')).toEqual([]);
    await one.clock.advance(200);
    expect(bob.of('presence:left')).toMatchObject([{ sessionId: ann.sessionId }]);
    expect(bob.of('node:unlocked')).toHaveLength(1);
  });

  test('a tab that reconnects in time has one presence and keeps its locks', async () => {
    const one = new OneRoom();
    const bob = await one.member();
    const old = await one.member({ clientId: 'tab', userId: 'ann' });
    lock(one, old);
    one.rooms.disconnect(old);
    await one.clock.advance(1_000);
    const back = await one.member({ clientId: 'tab', userId: 'ann' });
    expect(back.of('workflow:joined')[0]?.['presence']).toHaveLength(2);
    expect(old.of('session:replaced')).toMatchObject([{ bySessionId: back.sessionId }]);
    expect(write(one, back)).toMatchObject({ ok: true });
    expect(write(one, bob)).toMatchObject({ code: 'NODE_LOCKED' });
    expect(one.move(old, 1)).toMatchObject({ code: 'NOT_JOINED' });
    await one.clock.advance(10_000);
    expect(write(one, bob)).toMatchObject({ code: 'NODE_LOCKED' });
  });

  test('many cursor moves are broadcast as one, the last', async () => {
    const one = new OneRoom();
    const [ann, bob] = [await one.member(), await one.member()];
    for (let x = 0; x < 50; x += 1) one.rooms.updatePresence(ann, 'cursor:move', { ...KEY, x, y: 0 });
    await one.clock.advance(40);
    expect(bob.of('cursor:moved')).toMatchObject([{ x: 49 }]);
    expect(ann.of('cursor:moved')).toEqual([]);
  });
});

describe('many cursors', () => {
  /** Everybody moves a hundred times a second. @returns deliveries a second */
  async function move(crowd: number, seconds: number): Promise<{ one: OneRoom; deliveries: number }> {
    const one = new OneRoom();
    const people = await Promise.all(Array.from({ length: crowd }, () => one.member()));
    const before = one.told.length;
    for (let tick = 1; tick <= seconds * 100; tick += 1) {
      for (const person of people) one.rooms.updatePresence(person, 'cursor:move', { ...KEY, x: tick, y: 0 });
      await one.clock.advance(10);
    }
    return { one, deliveries: ((one.told.length - before) * (crowd - 1)) / seconds };
  }

  test('of a few people are broadcast at the full rate', async () => {
    const { deliveries } = await move(10, 3);
    expect(deliveries / 90).toBeGreaterThan(24);
  });

  test('of a crowd are broadcast at a bounded rate, with the last position of each', async () => {
    const { one, deliveries } = await move(200, 4);
    expect(deliveries).toBeLessThanOrEqual(35_000);
    await one.clock.advance(2_000);
    const last = new Map(
      one.told
        .filter(({ event }) => event === 'cursor:moved')
        .map(({ payload }) => [payload['sessionId'], payload['x']]),
    );
    expect([last.size, new Set(last.values())]).toEqual([200, new Set([400])]);
  });
});

describe('an empty room', () => {
  test('is saved and closed after a while', async () => {
    const one = new OneRoom();
    const ann = await one.member();
    one.move(ann, 5);
    one.rooms.leave(ann, KEY);
    await one.clock.advance(9_000);
    expect(one.rooms.counts().rooms).toBe(1);
    await one.clock.advance(3_000);
    expect([one.rooms.counts().rooms, one.row.editVersion]).toEqual([0, 1]);
  });

  test('stays open until it can be saved', async () => {
    const one = new OneRoom();
    const ann = await one.member();
    one.move(ann, 5);
    one.store.faults = { error: 2, slowMs: 20 };
    one.rooms.leave(ann, KEY);
    await one.clock.advance(60_000);
    expect(one.rooms.counts()).toMatchObject({ rooms: 1, unsavedOps: 1 });
    one.store.faults = { error: 0, slowMs: 20 };
    await one.clock.advance(120_000);
    expect([one.rooms.counts().rooms, one.row.editVersion]).toEqual([0, 1]);
  });

  test.each([
    ['', 0],
    [', also where every third save and every third return of a lease fails', 0.33],
  ])(
    'joining at any moment of leaving, saving and unloading shows what was written%s',
    async (_, failing) => {
      const one = new OneRoom();
      const { store, chance } = one;
      const unless = async (): Promise<void> => {
        if (chance.happens(failing)) throw new Error('no answer');
      };
      const [save, release] = [store.save.bind(store), store.release.bind(store)];
      store.save = (request) => unless().then(() => save(request));
      store.release = () => unless().then(release);
      for (let round = 1; round <= 1_000; round += 1) {
        const person = await one.member();
        expect(person.of('workflow:joined')[0]).toMatchObject({
          schema: { nodes: [{ position: { x: round - 1 } }, {}] },
        });
        expect(one.move(person, round)).toMatchObject({ ok: true });
        expect(one.rooms.counts().rooms).toBe(1);
        one.rooms.leave(person, KEY);
        await one.clock.advance(one.chance.pick([0, 0, 2_000, 9_990, 10_005, 10_015, 10_030]));
      }
      // Retried saves are 20 s apart, then 40.
      await one.clock.advance(failing === 0 ? 15_000 : 600_000);
      expect(one.rooms.counts()).toMatchObject({ rooms: 0, sessions: { total: 0 } });
      expect(one.row.history.map(({ editVersion }) => editVersion)).toEqual(
        Array.from({ length: one.row.editVersion }, (_entry, index) => index + 1),
      );
      expect(one.stored()['nodes']).toMatchObject([{ position: { x: 1_000 } }, {}]);
    },
    60_000,
  );

  test('a session that leaves during the load is not added; others share one load', async () => {
    const one = new OneRoom();
    const [ann, bob] = [one.person(), one.person()];
    const asked = [one.rooms.join(ann, KEY), one.rooms.join(bob, KEY)];
    one.rooms.leave(ann, KEY);
    const [mine, theirs] = await one.now(Promise.all(asked));
    expect([mine, theirs]).toMatchObject([{ ok: false, code: 'SUPERSEDED' }, { ok: true }]);
    expect([one.store.loads, one.rooms.counts().sessions.total]).toEqual([1, 1]);
  });

  test('a failed load leaves no room', async () => {
    const one = new OneRoom();
    one.store.faults = { error: 2, slowMs: 20 };
    const ann = one.person();
    expect(await one.now(one.rooms.join(ann, KEY))).toMatchObject({ code: 'LOAD_FAILED', retryable: true });
    expect(one.rooms.counts().rooms).toBe(0);
    one.store.faults = { error: 0, slowMs: 20 };
    expect(await one.join(ann)).toMatchObject({ mode: 'snapshot' });
  });

  test('a foreign workflow and a missing one are rejected alike', async () => {
    const one = new OneRoom();
    await one.member();
    const stranger = one.person({ organizationId: '33333333-3333-4333-8333-333333333333' });
    const foreign = await one.now(one.rooms.join(stranger, KEY));
    const missing = await one.now(
      one.rooms.join(stranger, { workflowId: '44444444-4444-4444-8444-444444444444' }),
    );
    expect(foreign).toEqual(missing);
    expect(foreign).toMatchObject({ code: 'WORKFLOW_NOT_FOUND' });
  });
});
