/** The store must fence earlier owners, save atomically and keep the log, against a real PostgreSQL. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openDb, openOwnPool, type Db, type OwnPool } from '../../../../src/base/db/client.ts';
import type { RoomKey, SaveRequest, WalRow } from '../../../../src/features/canvas/room/ports.ts';
import { deriveNodeIdentity } from '../../../../src/features/canvas/store/node.ts';
import { PgRoomStore } from '../../../../src/features/canvas/store/room-store.ts';
import { saveRoom } from '../../../../src/features/canvas/store/save.ts';
import { testDatabase, type TestDatabase } from '../../../support/database.ts';
import { eventually } from '../../../support/waiting.ts';

const USER = randomUUID();
/** application_name of connections that wait for locks longer than the store's own do (2 s). */
const PATIENT = `patient saves ${USER}`;
const DOCUMENT = { metadata: { name: 'Canvas' }, nodes: [{ id: 'a', type: 'llm' }], edges: [] };

let database: TestDatabase;
let db: Db;
let patient: OwnPool;
let first: PgRoomStore;
let second: PgRoomStore;
let key: RoomKey;
beforeAll(async () => {
  database = await testDatabase();
  db = openDb(database.url, 5);
  const timeouts = { lockTimeoutMs: 20_000, statementTimeoutMs: 25_000 };
  patient = openOwnPool(database.url, { ...timeouts, name: PATIENT, max: 5 });
  first = new PgRoomStore(database.url, deriveNodeIdentity('first', 1));
  second = new PgRoomStore(database.url, deriveNodeIdentity('second', 2));
});
afterAll(async () => {
  await Promise.all([first.close(), second.close(), patient.close()]);
  await db.close();
  await database.drop();
});
beforeEach(async () => {
  key = await newKey();
});

/** A workflow in an organization of its own. */
async function newKey(): Promise<RoomKey> {
  const [organization] = await db.query<{ id: string }>(
    `INSERT INTO organizations (name, slug) VALUES ('x', $1) RETURNING id`,
    [randomUUID()],
  );
  const organizationId = organization?.id ?? '';
  const [workflow] = await db.query<{ id: string }>(
    `INSERT INTO workflows (organization_id, name, workflow_schema, edit_version) VALUES ($1, 'Canvas', $2::json, 7)
     RETURNING id`,
    [organizationId, JSON.stringify(DOCUMENT)],
  );
  return { organizationId, workflowId: workflow?.id ?? '' };
}

/** Loads and expects success. */
async function load(store: PgRoomStore, of = key) {
  const loaded = await store.load(of);
  if (loaded.outcome !== 'loaded') throw new Error(`the room was not loaded: ${loaded.outcome}`);
  return loaded;
}

const save = (epoch: bigint, more: Partial<SaveRequest> = {}): SaveRequest => ({
  ...key,
  epoch,
  baseEditVersion: 7,
  documentJson: JSON.stringify({ ...DOCUMENT, nodes: [] }),
  patches: [{ op: 'remove', path: '/nodes/0' }],
  mirrors: { name: 'Canvas' },
  userId: USER,
  contributors: [],
  historyId: randomUUID(),
  savedThrough: 8,
  stateHash: 'hash',
  ...more,
});

const logged = (epoch: bigint, version: number, more: Partial<WalRow> = {}): WalRow => ({
  ...key,
  epoch,
  version,
  opId: `op-${version}`,
  userId: USER,
  op: { type: 'node:move', nodeId: 'a', position: { x: version, y: 0.5 } },
  contentHash: `content-${version}`,
  baseEditVersion: 7,
  savedIn: null,
  ...more,
});

const endLease = (): Promise<unknown> =>
  db.query(`UPDATE realtime_room_leases SET expires_at = now() - interval '1 s' WHERE workflow_id = $1`, [
    key.workflowId,
  ]);
const entries = (): Promise<Record<string, unknown>[]> =>
  db.query('SELECT * FROM workflow_edits WHERE workflow_id = $1 ORDER BY edit_version', [key.workflowId]);
const workflow = async (): Promise<Record<string, unknown>> =>
  (await db.query('SELECT * FROM workflows WHERE id = $1', [key.workflowId]))[0] ?? {};

describe('loading', () => {
  test('claims the lease under a rising epoch, and reads the row', async () => {
    const loaded = await load(first);
    expect(loaded).toMatchObject({ epoch: 1n, editVersion: 7, document: DOCUMENT, unsaved: [] });
    // The same place again, such as after a crash: no waiting.
    expect(await load(first)).toMatchObject({ epoch: 2n });
  });

  test('a foreign and a missing workflow are not found and claim no lease', async () => {
    const foreign = { ...key, organizationId: randomUUID() };
    expect(await first.load(foreign)).toEqual({ outcome: 'not-found' });
    expect(await first.load({ ...key, workflowId: randomUUID() })).toEqual({ outcome: 'not-found' });
    expect(
      await db.query('SELECT 1 FROM realtime_room_leases WHERE workflow_id = $1', [key.workflowId]),
    ).toEqual([]);
  });

  test('another node cannot claim a lease until it expires or is released', async () => {
    const { epoch } = await load(first);
    expect(await second.load(key)).toEqual({ outcome: 'owned-elsewhere', url: 'http://first:1' });
    await first.release(key, epoch + 1n);
    expect(await second.load(key)).toMatchObject({ outcome: 'owned-elsewhere' });
    await first.release(key, epoch);
    expect(await load(second)).toMatchObject({ epoch: 2n });
    expect(await first.load(key)).toMatchObject({ outcome: 'owned-elsewhere' });
    await endLease();
    expect(await load(first)).toMatchObject({ epoch: 3n });
  });

  test('one of many concurrent claims wins', async () => {
    const stores = Array.from(
      { length: 8 },
      (_, index) => new PgRoomStore(database.url, deriveNodeIdentity('many', index)),
    );
    const outcomes = await Promise.all(stores.map((store) => store.load(key)));
    expect(outcomes.filter(({ outcome }) => outcome === 'loaded')).toHaveLength(1);
    await Promise.all(stores.map((store) => store.close()));
  });
});

describe('saving', () => {
  test('writes row, history and log together', async () => {
    const { epoch } = await load(first);
    await first.appendOps([logged(epoch, 8), logged(epoch, 9)]);
    const contributors = [randomUUID(), randomUUID()];
    const request = save(epoch, { contributors, mirrors: { name: 'New', tags: ['x'] } });
    expect(await first.save(request)).toEqual({ outcome: 'saved', editVersion: 8 });
    expect(await workflow()).toMatchObject({
      edit_version: 8,
      name: 'New',
      tags: ['x'],
      version: '1.0.0',
      last_edited_by: USER,
      workflow_schema: { ...DOCUMENT, nodes: [] },
    });
    expect(await entries()).toMatchObject([
      {
        id: request.historyId,
        user_id: USER,
        edit_version: 8,
        contributors,
        source: 'canvas',
        patches: [{ op: 'remove', path: '/workflow_schema/nodes/0' }],
      },
    ]);
    const again = await load(first);
    expect(again.unsaved.map((row) => row.version)).toEqual([9]);
    expect(again.remembered).toEqual([{ opId: 'op-8', contentHash: 'content-8', version: 8, savedIn: 8 }]);
  });

  test('the history contains the mirrored columns that the save touches', async () => {
    const { epoch } = await load(first);
    const patches = [{ op: 'replace', path: '/metadata/name', value: 'New' }] as const;
    await first.save(save(epoch, { patches, mirrors: { name: 'New', description: 'same' } }));
    expect(await entries()).toMatchObject([
      {
        patches: [
          { op: 'replace', path: '/workflow_schema/metadata/name', value: 'New' },
          { op: 'replace', path: '/name', value: 'New' },
        ],
      },
    ]);
  });

  test('an earlier owner writes nothing', async () => {
    const { epoch } = await load(first);
    await endLease();
    await load(second);
    expect(await first.save(save(epoch))).toEqual({ outcome: 'lease-lost' });
    await first.appendOps([logged(epoch, 8)]);
    expect(await workflow()).toMatchObject({ edit_version: 7 });
    expect(await db.query('SELECT 1 FROM realtime_ops WHERE workflow_id = $1', [key.workflowId])).toEqual([]);
  });

  test('a save waits for a concurrent claim and then writes nothing', async () => {
    const { epoch } = await load(first);
    const outcome = await db.transaction(async (tx) => {
      await tx.query('UPDATE realtime_room_leases SET epoch = epoch + 1 WHERE workflow_id = $1', [
        key.workflowId,
      ]);
      const saving = saveRoom(patient, save(epoch));
      // The save must have met the lock before it goes.
      await eventually('the save to wait', 8_000, async () => {
        const [waiting] = await db.query(
          `SELECT 1 FROM pg_stat_activity WHERE application_name = $1 AND wait_event_type = 'Lock'`,
          [PATIENT],
        );
        return waiting;
      });
      return { saving };
    });
    expect(await outcome.saving).toEqual({ outcome: 'lease-lost' });
    expect(await workflow()).toMatchObject({ edit_version: 7 });
  });

  test('a save that lost to an external one returns the row and the history since', async () => {
    const { epoch } = await load(first);
    await db.query('UPDATE workflows SET edit_version = 8 WHERE id = $1', [key.workflowId]);
    await db.query(
      `INSERT INTO workflow_edits (workflow_id, user_id, edit_version, patches, source) VALUES ($1, $2, 8, '[]', 'rest')`,
      [key.workflowId, USER],
    );
    const result = await first.save(save(epoch));
    expect(result).toMatchObject({
      outcome: 'external',
      editVersion: 8,
      document: DOCUMENT,
      entries: [{ editVersion: 8, userId: USER, source: 'rest' }],
    });
    expect(await first.readExternal(key, 8)).toMatchObject({ editVersion: 8, entries: [] });
    expect(await first.save(save(epoch, { baseEditVersion: 8 }))).toEqual({
      outcome: 'saved',
      editVersion: 9,
    });
  });

  test('a save whose answer was lost is found by its history entry', async () => {
    const { epoch } = await load(first);
    const request = save(epoch);
    await first.save(request);
    const again = await first.save(request);
    expect(again).toMatchObject({
      outcome: 'external',
      entries: [{ historyId: request.historyId, editVersion: 8 }],
    });
    expect(await entries()).toHaveLength(1);
  });

  test('a deleted workflow stays deleted', async () => {
    const { epoch } = await load(first);
    await db.query('DELETE FROM workflows WHERE id = $1', [key.workflowId]);
    expect(await first.save(save(epoch))).toEqual({ outcome: 'row-gone' });
    expect(await first.readExternal(key, 7)).toBeNull();
    expect(await workflow()).toEqual({});
  });

  test('a concurrent deletion and save do not deadlock', async () => {
    for (let round = 1; round <= 4; round += 1) {
      // No more at once than there are connections: none waits for one.
      const met = await Promise.all(
        Array.from({ length: 5 }, async () => {
          const other = await newKey();
          const { epoch } = await load(first, other);
          const [result] = await Promise.all([
            saveRoom(patient, save(epoch, other)),
            db.query('DELETE FROM workflows WHERE id = $1', [other.workflowId]),
          ]);
          return result.outcome;
        }),
      );
      expect(met.filter((outcome) => outcome === 'saved' || outcome === 'row-gone')).toHaveLength(5);
    }
  });

  test('a permanent database error is returned as rejected', async () => {
    const { epoch } = await load(first);
    expect(await first.save(save(epoch, { documentJson: '{"a": ' }))).toMatchObject({ outcome: 'refused' });
    expect(await workflow()).toMatchObject({ edit_version: 7 });
  });
});

describe('the log', () => {
  test('keeps each operation unchanged, once and in order', async () => {
    const { epoch } = await load(first);
    const odd = logged(epoch, 9, {
      opId: 'odd "quoted", {braced}',
      op: { type: 'node:update', nodeId: 'a', changes: { text: 'Ünï\\cödé "\n', list: [null, 1.5, {}] } },
    });
    await first.appendOps([odd, logged(epoch, 8)]);
    await first.appendOps([odd, logged(epoch, 8, { op: { type: 'node:delete', nodeIds: ['a'] } })]);
    const { unsaved } = await load(first);
    expect(unsaved).toEqual([logged(epoch, 8), odd]);
  });

  test('rows of many rooms in one statement; those of a lost lease are left out', async () => {
    const { epoch } = await load(first);
    const other = { ...logged(1n, 1), workflowId: randomUUID() };
    await first.appendOps([other, logged(epoch, 8), logged(epoch + 1n, 9)]);
    expect((await load(first)).unsaved.map((row) => row.version)).toEqual([8]);
  });

  test('a row that is written after its save, or again, is marked as saved', async () => {
    const { epoch } = await load(first);
    await first.appendOps([logged(epoch, 8)]);
    await first.appendOps([logged(epoch, 8, { savedIn: 8 }), logged(epoch, 9, { savedIn: 8 })]);
    expect(await load(first)).toMatchObject({ unsaved: [], remembered: [{ version: 9 }, { version: 8 }] });
  });

  test('rows are marked as saved without a save, only by their owner', async () => {
    const { epoch } = await load(first);
    await first.appendOps([logged(epoch, 8), logged(epoch, 9)]);
    await first.markOpsSaved(key, { epoch: epoch + 1n, through: 9, savedIn: 7 });
    await first.markOpsSaved(key, { epoch, through: 8, savedIn: 7 });
    expect(await load(first)).toMatchObject({
      unsaved: [{ version: 9 }],
      remembered: [{ version: 8, savedIn: 7 }],
    });
  });

  test('saved rows are purged after an hour, unsaved ones never', async () => {
    const { epoch } = await load(first);
    await first.appendOps([logged(epoch, 8, { savedIn: 8 }), logged(epoch, 9)]);
    await db.query(`UPDATE realtime_ops SET created_at = now() - interval '61 min' WHERE workflow_id = $1`, [
      key.workflowId,
    ]);
    expect(await first.purge()).toBe(1);
    expect((await load(first)).unsaved.map((row) => row.version)).toEqual([9]);
  });
});

describe('leases', () => {
  test('are renewed together; lost ones are returned', async () => {
    const { epoch } = await load(first);
    const room = { ...key, epoch, editVersion: 7 };
    await endLease();
    expect(await first.renew([room])).toEqual([]);
    expect(await second.load(key)).toMatchObject({ outcome: 'owned-elsewhere' });
    const stale = { ...room, epoch: epoch + 1n };
    expect(await first.renew([stale])).toEqual([stale]);
  });
});
