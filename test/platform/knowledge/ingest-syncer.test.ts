/** An accepted document would wait for ever because Temporal has never heard of it or has lost it. */
import { NamespaceGuard } from '../../../src/engine/runs/outbox/namespace-guard.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { IngestSyncer } from '../../../src/platform/knowledge/ingest-syncer.ts';
import type { DocumentRow } from '../../../src/platform/knowledge/documents.ts';
import { createLog } from '../../../src/base/log.ts';
import { systemClock } from '../../../src/base/clock.ts';
import { Dispatcher } from '../../../src/platform/outbox/dispatcher.ts';
import { dataJobHandler } from '../../../src/features/data/job-runner.ts';
import { runHandlers } from '../../../src/engine/runs/outbox/run-handlers.ts';
import { ScheduleSyncer } from '../../../src/engine/schedules/schedule-syncer.ts';
import type { DocumentRef, IngestEngine } from '../../../src/platform/knowledge/ingest-engine.ts';
import { TemporalRejected } from '../../../src/base/errors.ts';
import { openTestDatabase, type TestDb } from '../../support/database.ts';
import { idleRuns, idleSchedules } from '../../support/idle-engines.ts';
import { documentNow, storedBase, uploadTo } from '../../support/ingests.ts';
import { until } from '../../support/runs.ts';

let db: TestDb;
let organizationId: string;
let base: string;
const log = createLog('silent', 'test');
const dispatchers: Dispatcher[] = [];

beforeAll(async () => {
  db = await openTestDatabase();
  const [row] = await db.query<{ id: string }>(
    `INSERT INTO organizations (name, slug) VALUES ('Test', 'test') RETURNING id`,
  );
  organizationId = row?.id ?? '';
});
beforeEach(async () => {
  await db.query('DELETE FROM knowledge_bases');
  base = await storedBase(db, organizationId);
});
afterEach(async () => {
  for (const dispatcher of dispatchers.splice(0)) await dispatcher.stop();
  await db.query('TRUNCATE outbox');
});
afterAll(() => db.close());

const upload = (text: string): Promise<DocumentRow> =>
  uploadTo({ db, organizationId, dispatcher: { kick: () => undefined } }, base, text);

function syncerAt(answers: Partial<IngestEngine> = {}): { syncer: IngestSyncer; started: DocumentRef[] } {
  const started: DocumentRef[] = [];
  const ingests: IngestEngine = {
    start: async (document) => {
      started.push(document);
      return answers.start === undefined ? 'started' : answers.start(document);
    },
    readState: answers.readState ?? (async () => 'RUNNING'),
  };
  return { syncer: new IngestSyncer({ db, engine: ingests, log }), started };
}

/** A dispatcher of this syncer's entries, at work. */
function dispatch({ syncer }: { readonly syncer: IngestSyncer }): void {
  const schedule = new ScheduleSyncer({ clock: systemClock, db, engine: idleSchedules, log });
  const guard = new NamespaceGuard({ db, engine: idleRuns, clock: systemClock });
  const runs = runHandlers({ db, engine: idleRuns, guard });
  const handlers = {
    ...runs,
    schedule,
    ingest: syncer,
    data_job: dataJobHandler({ db, clock: systemClock }),
  };
  const dispatcher = new Dispatcher({ db, handlers, clock: systemClock, log });
  dispatchers.push(dispatcher);
  dispatcher.start();
}
const outbox = (): Promise<{ last_error: string | null }[]> => db.query('SELECT last_error FROM outbox');
const isEmpty = async (): Promise<boolean> => (await outbox()).length === 0;

/** A document that Temporal was told of, and that has left no trace for a while. */
async function quiet(): Promise<DocumentRow> {
  const document = await upload('Quiet.');
  await db.query('DELETE FROM outbox WHERE subject_id = $1', [document.id]);
  await db.query(
    `UPDATE knowledge_documents SET status = 'processing', updated_at = now() - interval '5 minutes' WHERE id = $1`,
    [document.id],
  );
  return document;
}

describe('delivery', () => {
  test('every document is started once, by whichever process delivers', async () => {
    const documents = await Promise.all(['a', 'b', 'c', 'd'].map(upload));
    const [one, other] = [syncerAt(), syncerAt()];
    dispatch(one);
    dispatch(other);
    await until(isEmpty);
    const started = [...one.started, ...other.started];
    expect(started.map(({ documentId }) => documentId).toSorted()).toEqual(
      documents.map(({ id }) => id).toSorted(),
    );
    expect(started.every(({ attempt }) => attempt === 1)).toBe(true);
  });

  test('a document that has ended, or is gone, is not started', async () => {
    const [deleted, failed] = [await upload('Deleted.'), await upload('Failed.')];
    await db.query('DELETE FROM knowledge_documents WHERE id = $1', [deleted.id]);
    await db.query(
      `UPDATE knowledge_documents SET status = 'failed', error = '{"code":"x","message":"x"}' WHERE id = $1`,
      [failed.id],
    );
    const at = syncerAt();
    dispatch(at);
    await until(isEmpty);
    expect(at.started).toEqual([]);
  });

  test('Temporal being away costs nothing but time', async () => {
    const document = await upload('Patient.');
    let isAway = true;
    const at = syncerAt({
      start: () => (isAway ? Promise.reject(new Error('no connection')) : Promise.resolve('started')),
    });
    dispatch(at);
    await until(async () => (await outbox())[0]?.last_error === 'no connection');
    expect(await documentNow(db, document)).toMatchObject({ status: 'pending' });
    isAway = false;
    await until(isEmpty);
    expect(at.started.at(-1)).toMatchObject({ documentId: document.id, attempt: 1 });
  });

  test('RUN-4.7: what Temporal refuses for good fails, with its reason', async () => {
    const document = await upload('Refused.');
    dispatch(syncerAt({ start: () => Promise.reject(new TemporalRejected('no such namespace')) }));
    await until(isEmpty);
    expect(await documentNow(db, document)).toMatchObject({
      status: 'failed',
      error: { code: 'start_refused' },
    });
  });
});

describe('the check', () => {
  test.each([
    ['TERMINATED', 'terminated'],
    ['TIMED_OUT', 'ingest_timeout'],
    ['FAILED', 'ingest_lost'],
    ['COMPLETED', 'ingest_lost'],
    ['CANCELLED', 'cancelled'],
  ])('%s is written down', async (state, code) => {
    const document = await quiet();
    const { syncer } = syncerAt({ readState: async () => state });
    await until(async () => (await syncer.check(60)) === 1);
    expect(await documentNow(db, document)).toMatchObject({ status: 'failed', error: { code } });
  });

  test('an execution that is gone is started again', async () => {
    const document = await quiet();
    const { syncer, started } = syncerAt({ readState: async () => 'NOT_FOUND' });
    // A comparison that fails is made again by the next check.
    await until(async () => (await syncer.check(60)) === 1);
    // One with an entry is not judged.
    expect(await syncer.check(60)).toBe(0);
    dispatch({ syncer });
    await until(isEmpty);
    expect(started).toMatchObject([{ documentId: document.id, attempt: 1 }]);
    expect(await documentNow(db, document)).toMatchObject({ status: 'processing' });
  });

  test('a running ingest is left alone, and so is a recently reported one', async () => {
    await quiet();
    expect(await syncerAt().syncer.check(60)).toBe(0);
    await db.query('UPDATE knowledge_documents SET updated_at = now()');
    expect(await syncerAt({ readState: async () => 'TERMINATED' }).syncer.check(60)).toBe(0);
  });

  test('many that wait do not hide one that is lost', async () => {
    await Promise.all(Array.from({ length: 40 }, (_, at) => upload(`Document ${at}.`)));
    await db.query('TRUNCATE outbox');
    await db.query(`UPDATE knowledge_documents SET updated_at = now() - interval '5 minutes'`);
    const [lost] = await db.query<{ id: string }>(
      'SELECT id FROM knowledge_documents ORDER BY id DESC LIMIT 1',
    );
    const { syncer } = syncerAt({
      readState: async ({ documentId }) => (documentId === lost?.id ? 'TERMINATED' : 'RUNNING'),
    });
    expect([await syncer.check(60), await syncer.check(60)]).toEqual([0, 1]);
  });
});
