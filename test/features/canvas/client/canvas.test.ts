/** A person on the canvas would lose an edit, or undo a colleague's work. */
import { describe, expect, test, vi } from 'vitest';
import { Canvas } from '../../../../src/features/canvas/client/canvas.ts';
import { readKeptEdits } from '../../../../src/features/canvas/client/kept-edits.ts';
import type { JsonObject } from '../../../../src/language/graph/values/value.ts';
import { listStateFields } from '../../../../src/language/graph/definition/state-fields.ts';
import { MAX_BATCH_OPS } from '../../../../src/features/canvas/room/operations.ts';
import { Rooms } from '../../../../src/features/canvas/room/rooms.ts';
import { randomDurable } from '../simulation/random-operations.ts';
import { canonical, Simulation } from '../simulation/simulation.ts';

/** A simulation where nothing happens by itself. */
async function two(seed = 5): Promise<{ sim: Simulation; ann: Canvas; bob: Canvas }> {
  const sim = new Simulation(seed, { Rooms, Canvas });
  const [ann, bob] = [sim.addCanvas('ann'), sim.addCanvas('bob')];
  await sim.clock.advance(1_000);
  return { sim, ann, bob };
}

const at = (canvas: Canvas, nodeId: string): JsonObject =>
  (canvas.document['nodes'] as JsonObject[]).find((node) => node['id'] === nodeId) ?? {};
const add = (id: string) => ({ type: 'node:add', node: { id, type: 'llm', config: { x: 1 } } }) as const;
const setX = (nodeId: string, x: number) =>
  ({ type: 'node:update', nodeId, set: { '/config/x': x } }) as const;

/** An empty part, in whichever of its forms, is the same as none. */
function shown(canvas: Canvas): string {
  const { state_schema: schema, ...rest } = canvas.document;
  return canonical({ config: {}, metadata: {}, ...rest, fields: listStateFields(schema).fields });
}

describe('undo and redo', () => {
  test('undoing all edits restores the first document, and redoing all restores the last', async () => {
    for (let seed = 1; seed <= 40; seed += 1) {
      const { sim, ann } = await two(seed);
      const states = [shown(ann)];
      for (let n = 0; n < 50; n += 1) {
        const before = shown(ann);
        if (ann.edit(randomDurable(sim.chance, ann.document)) !== null && shown(ann) !== before) {
          states.push(shown(ann));
        }
      }
      const last = states.at(-1);
      for (const state of states.slice(0, -1).toReversed()) {
        ann.undo();
        expect(shown(ann), `seed ${seed}`).toBe(state);
      }
      while (ann.steps.nextRedo !== null) ann.redo();
      expect(shown(ann), `seed ${seed}`).toBe(last);
      await sim.clock.advance(10_000);
      expect(canonical(ann.confirmed.document)).toBe(canonical(ann.document));
    }
  });

  test("undo reverts the own change and keeps a colleague's change beside it", async () => {
    const { sim, ann, bob } = await two();
    ann.edit(add('mine'));
    ann.edit({ type: 'node:update', nodeId: 'mine', set: { '/config/x': 2, '/config/y': 2 } });
    await sim.clock.advance(500);
    bob.edit(setX('mine', 3));
    await sim.clock.advance(500);
    ann.undo();
    await sim.clock.advance(500);
    expect(at(bob, 'mine')['config']).toEqual({ x: 3 });
    // The node is not as it was added any more: removing it would remove the other's work.
    ann.undo();
    await sim.clock.advance(500);
    expect(at(bob, 'mine')['config']).toEqual({ x: 3 });
    ann.redo();
    await sim.clock.advance(3_000);
    expect(canonical(ann.document)).toBe(canonical(bob.document));
  });

  test("undo of a new id keeps a colleague's edge at the node, and redo does", async () => {
    const { sim, ann, bob } = await two();
    ann.edit(add('mine'));
    ann.edit({ type: 'node:rename', nodeId: 'mine', newId: 'ours' }, { label: 'rename' });
    await sim.clock.advance(500);
    bob.edit({ type: 'edge:add', edge: { id: 'x', source: '__start__', target: 'ours' } });
    await sim.clock.advance(500);
    const ends = () => (bob.document['edges'] as JsonObject[]).filter(({ id }) => id === 'x');
    expect(ann.undo()).toMatchObject({ label: 'rename', leftOut: 0 });
    await sim.clock.advance(500);
    expect(ends()).toMatchObject([{ target: 'mine' }]);
    ann.redo();
    await sim.clock.advance(500);
    expect(ends()).toMatchObject([{ target: 'ours' }]);
    expect(canonical(ann.document)).toBe(canonical(bob.document));
  });

  test('two people who edit, rename and undo at once see the same in the end', async () => {
    for (let seed = 1; seed <= 5; seed += 1) {
      const { sim, ann, bob } = await two(seed);
      for (let n = 0; n < 60; n += 1) {
        const canvas = sim.chance.pick([ann, bob]);
        const nodes = canvas.document['nodes'] as JsonObject[];
        if (sim.chance.happens(0.1)) canvas.undo();
        else if (nodes.length > 0 && sim.chance.happens(0.3)) {
          const nodeId = String(sim.chance.pick(nodes)['id']);
          canvas.edit({ type: 'node:rename', nodeId, newId: `r${sim.chance.below(9)}` });
        } else canvas.edit(randomDurable(sim.chance, canvas.document));
        await sim.clock.advance(sim.chance.below(60));
      }
      await sim.clock.advance(10_000);
      expect(canonical(ann.document), `seed ${seed}`).toBe(canonical(bob.document));
      expect(canonical(ann.confirmed.document)).toBe(canonical(ann.document));
      expect([ann.unsent, ann.unsaved, bob.unsent, bob.unsaved, ...sim.failures]).toEqual([0, 0, 0, 0]);
    }
  });

  test("two people who undo fifty steps each keep each other's edits", async () => {
    const { sim, ann, bob } = await two();
    ann.edit(add('shared'));
    await sim.clock.advance(500);
    for (let n = 1; n <= 50; n += 1) {
      ann.edit({ type: 'node:update', nodeId: 'shared', set: { '/config/ann': n } });
      bob.edit({ type: 'node:update', nodeId: 'shared', set: { '/config/bob': n } });
      await sim.clock.advance(sim.chance.pick([0, 50, 300]));
    }
    await sim.clock.advance(1_000);
    for (let n = 1; n <= 50; n += 1) {
      ann.undo();
      await sim.clock.advance(20);
    }
    await sim.clock.advance(3_000);
    expect(at(bob, 'shared')['config']).toEqual({ x: 1, bob: 50 });
    expect(canonical(ann.document)).toBe(canonical(bob.document));
  });

  test('the last fifty steps can be undone', async () => {
    const { ann } = await two();
    for (let n = 0; n < 60; n += 1) ann.edit({ type: 'config:update', set: { '/n': n } });
    for (let n = 0; n < 60; n += 1) ann.undo();
    expect(ann.document['config']).toMatchObject({ n: 9 });
  });
});

describe('steps of undo', () => {
  const typed = (text: string) =>
    ({ type: 'node:update', nodeId: 'a', set: { '/config/text': text } }) as const;

  test('edits with one merge key are one step, also when a colleague edits in between', async () => {
    const { sim, ann, bob } = await two();
    for (const text of ['h', 'he', 'hey']) {
      ann.edit(typed(text), { merge: 'a/config/text', label: 'edit text' });
      await sim.clock.advance(400);
      bob.edit({ type: 'node:update', nodeId: 'a', set: { '/config/bob': text } });
      await sim.clock.advance(400);
    }
    expect(ann.steps.nextUndo).toBe('edit text');
    expect(ann.undo()).toMatchObject({ label: 'edit text', parts: 1, leftOut: 0 });
    expect(ann.steps.nextUndo).toBeNull();
    await sim.clock.advance(500);
    expect(at(bob, 'a')['config']).toEqual({ x: 1, bob: 'hey' });
    ann.redo();
    expect(at(ann, 'a')['config']).toEqual({ x: 1, bob: 'hey', text: 'hey' });
  });

  test('an edit with another merge key is another step', async () => {
    const { ann } = await two();
    ann.edit(typed('one'), { merge: 'focus 1' });
    ann.edit(typed('two'), { merge: 'focus 2' });
    ann.undo();
    expect(at(ann, 'a')['config']).toEqual({ x: 1, text: 'one' });
  });

  test('a move of more nodes than the inverse of one batch has parts for is undone whole', async () => {
    const { sim, ann, bob } = await two();
    const ids = Array.from({ length: 700 }, (_, index) => `n${index}`);
    const position = { x: 0, y: 0 };
    ann.edit({
      type: 'batch',
      ops: ids.map((id) => ({ type: 'node:add', node: { id, type: 'llm', position } })),
      reason: 'paste',
    });
    await sim.clock.advance(500);
    ann.edit({ type: 'nodes:move', moves: ids.map((nodeId) => ({ nodeId, position: { x: 8, y: 8 } })) });
    await sim.clock.advance(500);
    expect(at(bob, 'n699')['position']).toEqual({ x: 8, y: 8 });
    expect(ann.undo()).toMatchObject({ parts: 1_400, leftOut: 0 });
    await sim.clock.advance(500);
    for (const id of ['n0', 'n600', 'n699']) expect(at(bob, id)['position']).toEqual(position);
    expect(ann.unsent).toBe(0);
  });

  const addMany = (many: number, config: JsonObject = {}) =>
    ({
      type: 'batch',
      ops: Array.from({ length: many }, (_, index) => ({
        type: 'node:add' as const,
        node: { id: `n${index}`, type: 'llm', config },
      })),
      reason: 'other',
    }) as const;

  test.each([
    [MAX_BATCH_OPS, 1],
    [MAX_BATCH_OPS + 1, 2],
    [2 * MAX_BATCH_OPS - 2, 2],
  ])('an edit of %i parts is sent in %i batches, and is one undo step', async (parts, batches) => {
    const { sim, ann, bob } = await two();
    ann.edit(addMany(parts), { label: 'import' });
    expect(ann.unsent).toBe(batches);
    await sim.clock.advance(500);
    expect([ann.unsent, at(bob, `n${parts - 1}`)['id']]).toEqual([0, `n${parts - 1}`]);
    expect(ann.undo()).toMatchObject({ label: 'import', leftOut: 0 });
    await sim.clock.advance(500);
    expect([at(bob, 'n0'), at(bob, `n${parts - 1}`), ann.steps.nextUndo]).toEqual([{}, {}, null]);
    ann.redo();
    await sim.clock.advance(500);
    expect(at(bob, `n${parts - 1}`)['id']).toBe(`n${parts - 1}`);
  });

  test('an edit of few but large parts is sent in batches that the room accepts', async () => {
    const { sim, ann, bob } = await two();
    // Numbers count more in the room than their text is long.
    ann.edit(addMany(20, { values: Array.from({ length: 10_000 }, () => 1) }));
    await sim.clock.advance(500);
    expect([ann.unsent, at(bob, 'n19')['id']]).toEqual([0, 'n19']);
  });

  test('when the room rejects a part of an edit that was split, the other parts stay, and undo reverts them', async () => {
    const { sim, bob } = await two();
    const told: [string, boolean][] = [];
    const cleo = sim.addCanvas('cleo', {
      onDropped: ({ isPart }, code) => told.push([code, isPart === true]),
    });
    await sim.clock.advance(1_000);
    const before = shown(bob);
    cleo.edit(addMany(40, { text: 'x'.repeat(150 * 1024) }));
    await sim.clock.advance(2_000);
    expect(told.length).toBeGreaterThan(0);
    expect(new Set(told.map(([code, isPart]) => `${code} ${isPart}`))).toEqual(
      new Set(['DOC_TOO_LARGE true']),
    );
    expect(at(bob, 'n0')['id']).toBe('n0');
    expect(at(bob, 'n39')).toEqual({});
    expect(shown(cleo)).toBe(shown(bob));
    cleo.undo();
    await sim.clock.advance(2_000);
    expect(shown(bob)).toBe(before);
  });

  test('a batch that is rejected as a whole is told by the code of the part that cannot be applied', async () => {
    const { sim, bob } = await two();
    const told: string[] = [];
    const cleo = sim.addCanvas('cleo', { onDropped: (_dropped, code) => told.push(code) });
    await sim.clock.advance(1_000);
    void bob.locks.acquire('a', false);
    await sim.clock.advance(500);
    cleo.edit({ type: 'batch', ops: [add('more'), setX('a', 9)], reason: 'other', mode: 'atomic' });
    await sim.clock.advance(500);
    expect(told).toEqual(['NODE_LOCKED']);
    expect(at(cleo, 'more')).toEqual({});
  });

  test('parts that the room leaves out, because their node is locked, are told', async () => {
    const { sim, bob } = await two();
    const told: (readonly string[])[] = [];
    const cleo = sim.addCanvas('cleo', { onSkipped: (_opId, codes) => told.push(codes) });
    await sim.clock.advance(1_000);
    const isLocked = bob.locks.acquire('a', false);
    await sim.clock.advance(500);
    expect(await isLocked).toMatchObject({ ok: true });
    cleo.edit({ type: 'batch', ops: [setX('a', 9), add('more')], reason: 'other' });
    await sim.clock.advance(500);
    expect(told).toEqual([['NODE_LOCKED']]);
    expect([at(cleo, 'a')['config'], at(bob, 'more')['id']]).toEqual([{ x: 1 }, 'more']);
  });

  test('undo counts the parts that a colleague has overwritten', async () => {
    const { sim, ann, bob } = await two();
    ann.edit({ type: 'node:update', nodeId: 'a', set: { '/config/x': 2, '/config/y': 2 } });
    await sim.clock.advance(500);
    bob.edit(setX('a', 3));
    await sim.clock.advance(500);
    expect(ann.undo()).toMatchObject({ parts: 2, leftOut: 1 });
    expect(at(ann, 'a')['config']).toEqual({ x: 3 });
  });
});

describe('a tab that is reloaded', () => {
  test('sends the unsaved edits of its last page once', async () => {
    const { sim, ann, bob } = await two();
    ann.edit(setX('a', 7));
    await sim.clock.advance(100);
    for (const { socket } of sim.canvases) socket.cut();
    ann.edit(add('fresh'));
    const kept = readKeptEdits(JSON.stringify(ann.kept));
    expect(kept?.ops).toHaveLength(2);
    ann.close();
    const again = sim.addCanvas('ann', kept === undefined ? {} : { kept });
    await sim.clock.advance(10_000);
    expect(at(bob, 'fresh')['id']).toBe('fresh');
    expect(at(bob, 'a')['config']).toEqual({ x: 7 });
    expect([again.unsent, again.unsaved]).toEqual([0, 0]);
    expect(again.edit(setX('a', 8))).toBe(`tab-ann:${String(kept?.nextSeq)}`);
  });

  test('ignores an invalid storage', () => {
    for (const text of [null, '', '[]', '{"nextSeq":"1","ops":[]}', '{"nextSeq":1}', 'null']) {
      expect(readKeptEdits(text)).toBeUndefined();
    }
    const strange = '{"nextSeq":3,"ops":[1,{"opId":"a:1","op":{"type":"toString"}}]}';
    expect(readKeptEdits(strange)).toEqual({ nextSeq: 3, ops: [] });
  });
});

test('a canvas that is closed before it has joined leaves the room', async () => {
  const { sim } = await two();
  const carl = sim.addCanvas('carl');
  const socket = sim.canvases[2]?.socket ?? expect.fail();
  expect(carl.status).toBe('joining');
  carl.close();
  await sim.clock.advance(1_000);
  const heard = socket.heard.map(({ event }) => event);
  expect(heard.filter((event) => /^workflow:(?:joined|left)$/.test(event)).at(-1)).toBe('workflow:left');
});

describe('an own edit', () => {
  test('is applied locally before the server answers, and then seen by others', async () => {
    const { sim, ann, bob } = await two();
    ann.edit(setX('a', 9));
    expect([at(ann, 'a')['config'], at(bob, 'a')['config']]).toEqual([{ x: 9 }, { x: 1 }]);
    await sim.clock.advance(300);
    expect(at(bob, 'a')['config']).toEqual({ x: 9 });
    expect([ann.unsent, ann.unsaved]).toEqual([0, 1]);
    await sim.clock.advance(3_000);
    expect(ann.unsaved).toBe(0);
  });

  test('survives a server crash before the save, without a log', async () => {
    const { sim, ann, bob } = await two();
    ann.edit(setX('a', 9));
    await sim.clock.advance(150);
    expect(ann.unsent).toBe(0);
    sim.crash();
    sim.row.wal = [];
    await sim.clock.advance(10_000);
    expect(at(bob, 'a')['config']).toEqual({ x: 9 });
    expect(JSON.parse(sim.row.document)).toEqual(ann.document);
    expect([ann.unsent, ann.unsaved]).toEqual([0, 0]);
  });

  test('is sent in order after the connection was lost', async () => {
    const { sim, ann, bob } = await two();
    for (const { socket } of sim.canvases) socket.cut();
    ann.edit(add('n'));
    ann.edit(setX('n', 5));
    expect(ann.unsent).toBe(2);
    await sim.clock.advance(5_000);
    expect(at(bob, 'n')['config']).toEqual({ x: 5 });
  });

  test('follows a node that got another id after the room was loaded anew', async () => {
    const { sim, ann, bob } = await two();
    // Many operations and few saves: the versions of the next epoch begin below those of this one.
    for (let n = 0; n < 20; n += 1) bob.edit(setX('b', n));
    await sim.clock.advance(5_000);
    const socket = sim.canvases.find(({ canvas }) => canvas === ann)?.socket;
    const away = vi.spyOn(socket ?? expect.fail(), 'connect').mockImplementation(() => undefined);
    socket?.cut();
    ann.edit(setX('a', 9));
    sim.crash();
    await sim.clock.advance(5_000);
    bob.edit({ type: 'node:rename', nodeId: 'a', newId: 'fresh' });
    await sim.clock.advance(5_000);
    away.mockRestore();
    socket?.connect();
    await sim.clock.advance(5_000);
    expect(at(bob, 'fresh')['config']).toEqual({ x: 9 });
    expect(ann.unsent).toBe(0);
  });

  test('is reported as dropped when it no longer applies', async () => {
    const { sim, ann, bob } = await two();
    bob.edit({ type: 'node:delete', nodeIds: ['b'] });
    ann.edit({ type: 'node:update', nodeId: 'b', set: { '/name': 'late' } });
    await sim.clock.advance(500);
    expect(ann.unsent).toBe(0);
    expect(canonical(ann.document)).toBe(canonical(bob.document));
  });

  test('is reported as contended when it overwrites an unseen value', async () => {
    const { sim, bob } = await two();
    const told: unknown[] = [];
    const carl = sim.addCanvas('carl', { onContended: (_opId, places) => told.push(...places) });
    await sim.clock.advance(1_000);
    // Whose edit arrives first is the network's choice.
    for (let n = 0; n < 8; n += 1) {
      bob.edit(setX('a', 2 * n + 10));
      carl.edit(setX('a', 2 * n + 11));
      await sim.clock.advance(500);
    }
    expect(told).toContainEqual({ ptr: '/nodes/a/config/x', byUserId: 'user-bob' });
  });

  test('acquiring a held lock returns its holder', async () => {
    const { sim, ann, bob } = await two();
    const first = ann.locks.acquire('a', false);
    await sim.clock.advance(500);
    const second = bob.locks.acquire('a', false);
    await sim.clock.advance(500);
    expect(await first).toEqual({ ok: true });
    expect(await second).toMatchObject({ ok: false, code: 'NODE_LOCKED', holder: { userId: 'user-ann' } });
  });

  test('a lock that is granted after the canvas was closed is neither kept nor renewed', async () => {
    const { sim, ann } = await two();
    const socket = sim.canvases.find(({ canvas }) => canvas === ann)?.socket ?? expect.fail();
    const asked = ann.locks.acquire('a', false);
    ann.close();
    const emit = vi.spyOn(socket, 'emit');
    await sim.clock.advance(60_000);
    expect(await asked).toEqual({ ok: false, code: 'OFFLINE', holder: null });
    expect(ann.locks.held).toEqual([]);
    expect(emit.mock.calls.filter(([event]) => event === 'node:lock-renew')).toEqual([]);
  });

  test('a held lock is renewed until it is released', async () => {
    const { sim, ann, bob } = await two();
    void ann.locks.acquire('a', false);
    await sim.clock.advance(90_000);
    bob.edit(setX('a', 5));
    await sim.clock.advance(500);
    expect(at(bob, 'a')['config']).toEqual({ x: 1 });
    void ann.locks.release('a');
    await sim.clock.advance(500);
    bob.edit(setX('a', 5));
    await sim.clock.advance(500);
    expect(at(ann, 'a')['config']).toEqual({ x: 5 });
  });
});
