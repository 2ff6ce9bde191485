/**
 * An operator who brings a service under load from the release before to this one, or back, would see failed requests, lost runs,
 * gaps in streams or lost edits. The database is migrated while the processes of the release before serve (SPEC REL-R92).
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { migrate } from '../../src/base/db/migrate.ts';
import { definition } from '../features/canvas/support/canvas.ts';
import { expectHistoryOf } from '../features/canvas/support/history.ts';
import { emptyDatabase, type TestDatabase } from '../support/database.ts';
import type { Realtime } from '../support/service.ts';
import { eventually, sleep } from '../support/waiting.ts';
import { openEditor } from './support/canvas-situation.ts';
import { PatientClient } from './support/client.ts';
import {
  EARLIER_COMMIT,
  buildEarlierRelease,
  hasEarlierRelease,
  migrateToEarlierRelease,
} from './support/earlier-release.ts';
import { live } from './support/marks.ts';
import { expectPromisesKept, misread } from './support/promises.ts';
import { asking, given, mapped, mixed, talking, waiting } from './support/shapes.ts';
import { startSituation, type Situation } from './support/situation.ts';
import { travel, type Segment } from './support/traveller.ts';

/** Upgrades and returns. */
const ROUNDS = Number(process.env['UPGRADE_ROUNDS'] ?? 1);
const TRAVELLERS = 4;

const isBuildable = hasEarlierRelease();
if (!isBuildable)
  console.warn(`Upgrades are not tested: the history of this checkout does not reach ${EARLIER_COMMIT}.`);

/** Runs of all kinds, begun one after the other by several people until `end`. */
function startLoad(situation: Situation, client: PatientClient) {
  const { recorder } = situation;
  const rows = ['a', 'b', 'c', 'd'];
  const shapes = [
    (key: string) => ({
      definition: mixed(recorder),
      input: given(key, { delays: { get1: 300, put2: 300 } }),
    }),
    (key: string) => ({ definition: asking(recorder), input: { key } }),
    (key: string) => ({ definition: mapped(recorder), input: { key, rows } }),
    (key: string) => ({ definition: waiting(recorder), input: { key } }),
    (key: string) => ({ definition: talking(), input: { key } }),
  ];
  const segments: Segment[] = [];
  let isOver = false;
  const work = Array.from({ length: TRAVELLERS }, async (_, traveller) => {
    for (let turn = traveller; !isOver; turn += 1) {
      const shape = shapes[turn % shapes.length];
      if (shape !== undefined) segments.push(...(await travel(situation, client, shape(randomUUID()))));
    }
  });
  return {
    segments,
    async end() {
      isOver = true;
      await Promise.all(work);
    },
  };
}

/** Two people who edit one workflow until `end`. */
async function startEdits({ service, db }: Situation, client: PatientClient, realtime: Realtime) {
  const body = { name: 'Canvas', workflow_schema: definition() };
  const workflowId = String((await client.send('POST', '/workflows', { body })).body.id);
  const person = {
    token: service.headers['authorization']?.replace('Bearer ', '') ?? '',
    org: service.organizationId,
  };
  const editors = [0, 1].map(() => openEditor(realtime.url, person, workflowId, randomUUID()));
  await live(editors);
  editors[0]?.canvas.edit({ type: 'config:update', set: { '/marks': {} } });
  const made: string[] = [];
  let isOver = false;
  const work = editors.map(async ({ canvas }, index) => {
    for (let edit = 0; !isOver; edit += 1) {
      await sleep(100);
      const mark = `${index}_${edit}`;
      if (canvas.edit({ type: 'config:update', set: { [`/marks/${mark}`]: edit } }) !== null) made.push(mark);
    }
  });
  return {
    made,
    async end() {
      isOver = true;
      await Promise.all(work);
      const isSaved = (): true | null =>
        editors.every(({ canvas }) => canvas.unsent === 0 && canvas.unsaved === 0) || null;
      await eventually('everything to be saved', 60_000, isSaved);
      expect(editors.flatMap(({ dropped }) => dropped)).toEqual([]);
      const stored = (await client.send('GET', `/workflows/${workflowId}`)).body.workflow_schema;
      expect(Object.keys(stored.config.marks).toSorted()).toEqual(made.toSorted());
      for (const { canvas } of editors) expect(canvas.confirmed.document).toEqual(stored);
      await expectHistoryOf(db, workflowId);
      for (const editor of editors) editor.close();
    },
  };
}

describe.skipIf(!isBuildable)('from the release before to this one and back', () => {
  let database: TestDatabase;
  let earlier: string;
  let situation: Situation;
  let realtime: Realtime;
  beforeAll(async () => {
    [earlier, database] = await Promise.all([buildEarlierRelease(), emptyDatabase()]);
    await migrateToEarlierRelease(earlier, database.url);
    situation = await startSituation({ databaseUrl: database.url, built: earlier });
    realtime = await situation.service.addRealtime();
  }, 600_000);
  afterAll(async () => {
    await situation.close();
    await database.drop();
  });

  /** Replaces half of the processes, then the others: one of each kind serves at any time. */
  async function roll(built: string): Promise<void> {
    const { apis, workers } = situation.service;
    const halves = [
      [workers[0], apis[0]],
      [workers[1], apis[1], realtime.slot],
    ];
    for (const slots of halves) {
      const ended = await Promise.all(slots.map((slot) => slot.replace(built)));
      expect(ended).toEqual(slots.map(() => 'exit status 0'));
    }
  }

  test(
    'no request fails, no run is lost, no stream has a gap, and no edit is lost',
    async () => {
      const client = new PatientClient(situation.service);
      const load = startLoad(situation, client);
      const edits = await startEdits(situation, client, realtime);
      const counts: number[] = [];
      const note = (): void => void counts.push(load.segments.length, edits.made.length);
      await eventually('the first runs', 60_000, () => load.segments.length >= TRAVELLERS || null);
      note();
      await migrate(database.url);
      for (let round = 0; round < ROUNDS; round += 1) {
        await roll(inject('builtService'));
        note();
        await roll(earlier);
        note();
      }
      await Promise.all([load.end(), edits.end()]);
      expect(client.failures).toEqual([]);
      for (const { runId, reading } of load.segments) {
        expect(['run_completed', 'run_interrupted']).toContain(reading.end.type);
        expect(await misread(situation.db, runId, reading)).toEqual([]);
      }
      await expectPromisesKept(
        situation,
        load.segments.map(({ runId }) => runId),
      );
      // Work went on between all of these.
      expect(counts).toEqual(counts.map((count, at) => Math.max(count, (counts[at - 2] ?? 0) + 1)));
    },
    240_000 + ROUNDS * 120_000,
  );
});
