/** A person would not see where their colleagues are, or would see those who have left. */
import { expect, test, vi } from 'vitest';
import { RemotePresence } from '../../../../src/features/canvas/client/presence.ts';
import { Canvas } from '../../../../src/features/canvas/client/canvas.ts';
import { Rooms } from '../../../../src/features/canvas/room/rooms.ts';
import type { Position } from '../../../../src/features/canvas/room/operations.ts';
import { Simulation, WORKFLOW } from '../simulation/simulation.ts';

/** Ann and Bob in one room, each with a presence. */
async function two() {
  const sim = new Simulation(3, { Rooms, Canvas });
  const cursors: (Position | null)[] = [];
  const drags: number[] = [];
  const of = (index: number) => {
    const socket = sim.canvases[index]?.socket;
    if (socket === undefined) throw new Error('nobody is there');
    return new RemotePresence({
      transport: socket,
      workflowId: WORKFLOW,
      clock: sim.clock,
      onCursor: (_sessionId, at) => cursors.push(at),
      onDrag: (_sessionId, moves) => drags.push(moves.length),
    });
  };
  sim.addCanvas('ann');
  const ann = of(0);
  sim.addCanvas('bob');
  const bob = of(1);
  await sim.clock.advance(1_000);
  return { sim, ann, bob, cursors, drags };
}

test('people are the other members with their selection and view, without oneself', async () => {
  const { sim, ann, bob } = await two();
  ann.select(['a'], []);
  ann.activity({ state: 'active', focus: { nodeId: 'a', field: '/config/x' } });
  await sim.clock.advance(500);
  expect(bob.people).toMatchObject([
    {
      userId: 'user-ann',
      selection: { nodeIds: ['a'], edgeIds: [] },
      focus: { nodeId: 'a', field: '/config/x' },
    },
  ]);
  ann.activity({ state: 'idle' });
  await sim.clock.advance(500);
  expect(bob.people[0]).toMatchObject({
    state: 'idle',
    selection: { nodeIds: ['a'] },
    focus: { nodeId: 'a' },
  });
  ann.activity({ state: 'active', focus: null });
  await sim.clock.advance(500);
  expect(bob.people[0]).toMatchObject({ state: 'active', focus: null });
});

test('the first and the last of many cursor positions are sent', async () => {
  const { sim, ann, cursors } = await two();
  for (let x = 1; x <= 200; x += 1) {
    ann.cursor({ x, y: 0 });
    if (x % 20 === 0) await sim.clock.advance(10);
  }
  await sim.clock.advance(1_000);
  const shown = cursors.map((at) => at?.x);
  expect(shown.at(-1)).toBe(200);
  expect(shown.length).toBeLessThan(8);
  ann.cursor(null);
  await sim.clock.advance(500);
  expect(cursors.at(-1)).toBeNull();
});

test('a lost connection ends its cursor and drag, and it is present again after the next join', async () => {
  const { sim, ann, bob, drags } = await two();
  ann.select(['a'], []);
  ann.drag([{ nodeId: 'a', position: { x: 1, y: 1 } }]);
  await sim.clock.advance(500);
  expect(drags).toEqual([1]);
  sim.canvases[0]?.socket.cut();
  await sim.clock.advance(30_000);
  expect(bob.people).toMatchObject([{ userId: 'user-ann', selection: { nodeIds: ['a'] } }]);
});

test('a member that hid the cursor or left while one was away has no cursor after the next join', async () => {
  const { sim, ann, bob } = await two();
  sim.addCanvas('carl');
  const socket = sim.canvases[2]?.socket ?? expect.fail();
  const carl = new RemotePresence({ transport: socket, workflowId: WORKFLOW, clock: sim.clock });
  await sim.clock.advance(1_000);
  const shown = new Map<string, Position | null>();
  const dave = sim.addCanvas('dave');
  const away = sim.canvases[3]?.socket ?? expect.fail();
  const presence = new RemotePresence({
    transport: away,
    workflowId: WORKFLOW,
    clock: sim.clock,
    onCursor: (sessionId, at) => shown.set(sessionId.split('/')[0] ?? '', at),
  });
  await sim.clock.advance(1_000);
  for (const one of [ann, bob, carl]) one.cursor({ x: 1, y: 1 });
  await sim.clock.advance(500);
  expect([...shown.values()]).toEqual([
    { x: 1, y: 1 },
    { x: 1, y: 1 },
    { x: 1, y: 1 },
  ]);
  const offline = vi.spyOn(away, 'connect').mockImplementation(() => undefined);
  away.cut();
  await sim.clock.advance(500);
  ann.cursor(null);
  sim.canvases[2]?.canvas.close();
  await sim.clock.advance(6_000);
  offline.mockRestore();
  away.connect();
  await sim.clock.advance(2_000);
  expect(dave.status).toBe('live');
  expect(presence.people.map(({ userId }) => userId).toSorted()).toEqual(['user-ann', 'user-bob']);
  expect(Object.fromEntries(shown)).toEqual({
    'user-ann': null,
    'user-bob': { x: 1, y: 1 },
    'user-carl': null,
  });
});

test('findLock returns the holder of another member, not oneself', async () => {
  const { sim, ann, bob } = await two();
  void sim.canvases[0]?.canvas.locks.acquire('a', false);
  await sim.clock.advance(500);
  expect(bob.findLock('a')).toMatchObject({ userId: 'user-ann' });
  expect(ann.findLock('a')).toBeNull();
  void sim.canvases[0]?.canvas.locks.release('a');
  await sim.clock.advance(500);
  expect(bob.findLock('a')).toBeNull();
});
