/** Acknowledged edits would not be saved, be saved twice, or overwrite a save from outside. */
import { describe, expect, test } from 'vitest';
import { isObject } from '../../../../src/language/graph/values/value.ts';
import { KEY, OneRoom, type Heard } from './one-room.ts';

const names = (events: readonly Heard[]): string[] => events.map(({ event }) => event);
const rename = (one: OneRoom, name: string, source: 'rest' | 'activation' = 'rest'): number =>
  one.store.writeExternally(KEY.workflowId, source, (document) => {
    const [, b] = document['nodes'] as Record<string, unknown>[];
    if (b !== undefined) b['name'] = name;
    return [{ op: 'add', path: '/nodes/1/name', value: name }];
  });

describe('saving', () => {
  test('after five operations and one save the counter is base + 5, edit_version base + 1', async () => {
    const one = new OneRoom(undefined, 7);
    const ann = await one.member();
    for (let n = 1; n <= 5; n += 1) one.move(ann, n);
    await one.clock.advance(2_500);
    expect(one.row.editVersion).toBe(8);
    const [saved] = one.told.filter(({ event }) => event === 'saved');
    expect(saved?.payload).toMatchObject({
      version: 8,
      roomVersion: 12,
      savedThrough: 12,
      userId: ann.userId,
    });
    expect(one.row.history).toHaveLength(1);
  });

  test('the tick is fixed: further edits do not delay the save', async () => {
    const one = new OneRoom();
    const ann = await one.member();
    for (let n = 1; n <= 80; n += 1) {
      one.move(ann, n);
      await one.clock.advance(100);
    }
    expect(one.row.editVersion).toBeGreaterThanOrEqual(3);
    expect(one.row.editVersion).toBeLessThanOrEqual(5);
  });

  test('many operations are saved before the tick', async () => {
    const one = new OneRoom();
    const ann = await one.member();
    for (let n = 1; n <= 2_500; n += 1) one.move(ann, n);
    await one.clock.advance(600);
    expect(one.row.editVersion).toBe(1);
  });

  test('a thousand operations a second are saved as often as one, and an outage of seconds rejects nothing', async () => {
    const one = new OneRoom();
    const ann = await one.member();
    let x = 0;
    const work = async (seconds: number): Promise<void> => {
      for (let tick = 0; tick < seconds * 20; tick += 1) {
        for (let n = 0; n < 50; n += 1) expect(one.move(ann, (x += 1))).toMatchObject({ ok: true });
        await one.clock.advance(50);
      }
    };
    await work(8);
    expect(one.row.editVersion).toBeGreaterThanOrEqual(3);
    expect(one.row.editVersion).toBeLessThanOrEqual(4);
    one.store.faults = { error: 2, slowMs: 20 };
    await work(6);
    one.store.faults = { error: 0, slowMs: 20 };
    await one.clock.advance(10_000);
    expect(names(one.told)).not.toContain('persistence:degraded');
    expect(one.stored()['nodes']).toMatchObject([{ position: { x } }, {}]);
  });

  test('operations that cancel each other out write nothing and count as saved', async () => {
    const one = new OneRoom();
    const ann = await one.member();
    one.op(ann, 'config:update', { set: { '/x': 1 } });
    one.op(ann, 'config:update', { unset: ['/x'] });
    await one.clock.advance(3_000);
    expect(one.row.editVersion).toBe(0);
    expect(one.told.at(-1)).toMatchObject({
      event: 'saved',
      payload: { version: 0, savedThrough: 2, noop: true },
    });
    expect(one.row.wal.map((row) => row.savedIn)).toEqual([0, 0]);
  });

  test('a flush replies after the save', async () => {
    const one = new OneRoom();
    const ann = await one.member();
    one.move(ann, 5);
    expect(await one.now(one.rooms.flush(ann, KEY))).toEqual({ ok: true, editVersion: 1, savedThrough: 1 });
  });

  test('a save that loses to an external one broadcasts nothing, and the next one broadcasts both', async () => {
    const one = new OneRoom();
    const ann = await one.member();
    one.move(ann, 64);
    rename(one, 'Outside');
    const before = one.told.length;
    for (let waited = 0; one.store.saves === 0 && waited < 40; waited += 1) await one.clock.advance(100);
    await one.clock.advance(200);
    expect(names(one.told.slice(before))).toEqual([]);
    await one.clock.advance(3_000);
    expect(names(one.told.slice(before))).toEqual(['workflow:external-sync', 'saved']);
    expect(one.row.editVersion).toBe(2);
    expect(one.stored()['nodes']).toMatchObject([{ position: { x: 64 } }, { name: 'Outside' }]);
  });

  test("an announced external save is broadcast immediately and once, and the room's version stays", async () => {
    const one = new OneRoom();
    const ann = await one.member();
    const editVersion = rename(one, 'Outside');
    for (let n = 0; n < 2; n += 1)
      one.rooms.handleExternalSave({ ...KEY, editVersion, source: 'rest', userId: 'eve' });
    await one.clock.advance(1_000);
    const syncs = one.told.filter(({ event }) => event === 'workflow:external-sync');
    expect(syncs.map(({ payload }) => payload)).toMatchObject([
      {
        editVersion: 1,
        version: 0,
        source: 'rest',
        userId: 'eve',
        patches: [{ op: 'add', path: '/nodes/1/name' }],
      },
    ]);
    expect(one.move(ann, 5)).toMatchObject({ version: 1 });
    await one.clock.advance(3_000);
    expect(one.row.editVersion).toBe(2);
  });

  test('unsaved operations on an externally deleted node are listed as dropped', async () => {
    const one = new OneRoom();
    const ann = await one.member();
    one.move(ann, 5, { opId: 'mine' });
    const editVersion = one.store.writeExternally(KEY.workflowId, 'rest', (document) => {
      document['nodes'] = (document['nodes'] as object[]).filter(
        (node) => isObject(node) && node['id'] !== 'a',
      ) as never;
      return [{ op: 'remove', path: '/nodes/0' }];
    });
    one.rooms.handleExternalSave({ ...KEY, editVersion, source: 'rest' });
    await one.clock.advance(200);
    expect(one.told.at(-1)).toMatchObject({
      event: 'workflow:external-sync',
      payload: { dropped: [{ opId: 'mine', userId: ann.userId, code: 'NODE_NOT_FOUND' }] },
    });
    await one.clock.advance(3_000);
    expect(one.told.at(-1)).toMatchObject({
      event: 'saved',
      payload: { version: 1, savedThrough: 1, noop: true },
    });
  });

  test('a save whose answer was lost is recognized as our own', async () => {
    const one = new OneRoom();
    const ann = await one.member();
    const save = one.store.save.bind(one.store);
    let isCut = true;
    one.store.save = async (request) => {
      const result = await save(request);
      if (!isCut) return result;
      isCut = false;
      throw new Error('connection lost after the commit');
    };
    one.move(ann, 5);
    await one.clock.advance(2_500);
    expect([one.row.editVersion, names(one.told).includes('saved')]).toEqual([1, false]);
    one.move(ann, 6);
    await one.clock.advance(6_000);
    expect(names(one.told).filter((event) => event !== 'presence:joined')).toEqual([
      'node:moved',
      'node:moved',
      'saved',
      'saved',
    ]);
    expect(one.row.history.map(({ editVersion }) => editVersion)).toEqual([1, 2]);
  });

  test('an unanswered save on top of an external one is recognized as our own, also when the external one is announced meanwhile', async () => {
    const one = new OneRoom();
    const ann = await one.member();
    const save = one.store.save.bind(one.store);
    let commits = 0;
    one.store.save = async (request) => {
      const result = await save(request);
      if (result.outcome === 'saved') commits += 1;
      if (commits === 1) throw new Error('connection lost after the commit');
      return result;
    };
    const outside = rename(one, 'Outside');
    one.move(ann, 64);
    for (let waited = 0; commits === 0 && waited < 100; waited += 1) await one.clock.advance(100);
    expect([outside, one.row.editVersion]).toEqual([1, 2]);
    one.rooms.handleExternalSave({ ...KEY, editVersion: outside, source: 'rest' });
    await one.clock.advance(100);
    const later = rename(one, 'Later');
    one.rooms.handleExternalSave({ ...KEY, editVersion: later, source: 'rest' });
    await one.clock.advance(10_000);
    const told = one.told.filter(({ event }) => event === 'workflow:external-sync');
    expect(told.map(({ payload }) => payload['editVersion'])).toEqual([outside, later]);
    expect(one.stored()['nodes']).toMatchObject([{ position: { x: 64 } }, { name: 'Later' }]);
    expect(one.row.wal.every((row) => row.savedIn === 2)).toBe(true);
  });

  test('during an outage operations are broadcast, then rejected, until saves succeed again', async () => {
    const one = new OneRoom();
    const ann = await one.member();
    one.store.faults = { error: 2, slowMs: 20 };
    one.move(ann, 5);
    await one.clock.advance(10_000);
    expect(one.move(ann, 6)).toMatchObject({ ok: true });
    await one.clock.advance(25_000);
    expect(names(one.told)).toContain('persistence:degraded');
    expect(one.move(ann, 7)).toMatchObject({ code: 'PERSISTENCE_DEGRADED', retryable: true });
    expect(one.rooms.counts()).toMatchObject({ degradedRooms: 1, unsavedOps: 2 });
    one.store.faults = { error: 0, slowMs: 20 };
    await one.clock.advance(3_000);
    expect(names(one.told).slice(-2)).toEqual(['saved', 'persistence:recovered']);
    expect(one.row.history).toHaveLength(1);
    expect(one.move(ann, 8)).toMatchObject({ ok: true });
  });

  test('an external save found by a sweep is broadcast with the source of its history entry', async () => {
    const one = new OneRoom();
    await one.member();
    const editVersion = rename(one, 'Outside');
    one.rooms.handleExternalSave({ ...KEY, editVersion, source: 'unknown' });
    await one.clock.advance(1_000);
    expect(one.told.at(-1)).toMatchObject({
      event: 'workflow:external-sync',
      payload: { editVersion, source: 'rest' },
    });
  });

  test('an unanswered save does not delay persistence:degraded', async () => {
    const one = new OneRoom();
    const ann = await one.member();
    one.store.faults = { error: 2, slowMs: 60_000 };
    one.move(ann, 5);
    await one.clock.advance(29_900);
    expect(names(one.told)).not.toContain('persistence:degraded');
    await one.clock.advance(200);
    expect(names(one.told).filter((name) => name === 'persistence:degraded')).toHaveLength(1);
  });

  test('a deleted workflow is not saved again', async () => {
    const one = new OneRoom();
    const ann = await one.member();
    one.move(ann, 5);
    one.store.rows.clear();
    one.rooms.handleDeleted(KEY);
    expect(names(one.told).at(-1)).toBe('workflow:deleted');
    expect(one.move(ann, 6)).toMatchObject({ code: 'NOT_JOINED' });
    await one.clock.advance(5_000);
    expect([one.store.saves, one.rooms.counts().rooms]).toEqual([0, 0]);
  });

  test('after twenty lost races saves back off, and nothing is dropped', async () => {
    const one = new OneRoom();
    const ann = await one.member();
    const save = one.store.save.bind(one.store);
    const at: number[] = [];
    let isLosing = true;
    one.store.save = (request) => {
      at.push(one.clock.monotonic());
      if (isLosing) rename(one, `Outside ${at.length}`);
      return save(request);
    };
    one.move(ann, 5);
    await one.clock.advance(120_000);
    const gaps = at.slice(1).map((time, index) => time - (at[index] ?? 0));
    expect(gaps[5]).toBeLessThan(2_400);
    expect(gaps.at(-1)).toBeGreaterThan(7_000);
    isLosing = false;
    await one.clock.advance(20_000);
    expect(one.stored()['nodes']).toMatchObject([{ position: { x: 5 } }, {}]);
    const told = one.told.filter(({ event }) => event === 'workflow:external-sync');
    expect(told.map(({ payload }) => payload['editVersion'])).toEqual(
      at.slice(0, -1).map((_, index) => index + 1),
    );
  });
});

describe('draining', () => {
  test('saves every room, releases the leases, and counts the rooms that it could not save', async () => {
    const one = new OneRoom();
    const ann = await one.member();
    one.move(ann, 5);
    const left = one.now(one.rooms.drain(8_000));
    expect(one.move(ann, 6)).toMatchObject({ code: 'SERVER_DRAINING' });
    expect(await left).toBe(0);
    expect(one.row.editVersion).toBe(1);

    const other = new OneRoom();
    other.move(await other.member(), 5);
    other.store.faults = { error: 2, slowMs: 20 };
    expect(await other.now(other.rooms.drain(2_000))).toBe(1);
  });
});
