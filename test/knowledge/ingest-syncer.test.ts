/** The ingest syncer: what was accepted reaches Temporal, and what Temporal has lost is begun again or written down. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openDb, type Db } from '../../src/db/client.ts';
import { IngestSyncer } from '../../src/knowledge/ingest-syncer.ts';
import type { DocumentRow } from '../../src/knowledge/documents.ts';
import { addStart, claimStarts } from '../../src/knowledge/open-documents.ts';
import { createLog } from '../../src/log.ts';
import type { DocumentRef, IngestEngine } from '../../src/knowledge/ingest-engine.ts';
import { TemporalRejected } from '../../src/errors.ts';
import { testDatabase, type TestDatabase } from '../support/database.ts';
import { documentNow, storedBase, uploadTo } from '../support/ingests.ts';

let database: TestDatabase;
let db: Db;
let organizationId: string;
let base: string;
const log = createLog('silent', 'test');
const ingestSyncer = { kick: () => undefined };

beforeAll(async () => {
  database = await testDatabase();
  db = openDb(database.url);
  const [row] = await db.query<{ id: string }>(
    `INSERT INTO organizations (name, slug) VALUES ('Test', 'test') RETURNING id`,
  );
  organizationId = row?.id ?? '';
});
beforeEach(async () => {
  await db.query('DELETE FROM knowledge_bases');
  base = await storedBase(db, organizationId);
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

const upload = (text: string): Promise<DocumentRow> =>
  uploadTo({ db, organizationId, ingestSyncer }, base, text);

function syncerAt(answers: Partial<IngestEngine> = {}): { syncer: IngestSyncer; started: DocumentRef[] } {
  const started: DocumentRef[] = [];
  const ingests: IngestEngine = {
    start: async (document) => {
      started.push(document);
      return answers.start === undefined ? 'started' : answers.start(document);
    },
    stateOf: answers.stateOf ?? (async () => 'RUNNING'),
  };
  return { syncer: new IngestSyncer({ db, engine: ingests, log }), started };
}

// A second ago: the column rounds to milliseconds, and what is due half of one from now is not due yet.
const dueNow = () =>
  db.query(
    `UPDATE knowledge_documents SET start_due_at = now() - interval '1 second' WHERE start_due_at IS NOT NULL`,
  );

/** A document that Temporal was told of, and that has left no trace for a while. */
async function quiet(): Promise<DocumentRow> {
  const document = await upload('Quiet.');
  await db.query(
    `UPDATE knowledge_documents SET start_due_at = NULL, status = 'processing', updated_at = now() - interval '5 minutes'
     WHERE id = $1`,
    [document.id],
  );
  return document;
}

describe('delivery', () => {
  test('every document is started once, whoever delivers', async () => {
    const documents = await Promise.all(['a', 'b', 'c', 'd'].map(upload));
    const [one, other] = [syncerAt(), syncerAt()];
    await Promise.all([one.syncer.deliver(), other.syncer.deliver(), one.syncer.deliver()]);
    const started = [...one.started, ...other.started];
    expect(started.map(({ documentId }) => documentId).toSorted()).toEqual(
      documents.map(({ id }) => id).toSorted(),
    );
    expect(started.every(({ attempt }) => attempt === 1)).toBe(true);
    expect(await one.syncer.deliver()).toBe(0);
  });

  test('what is to be started is due at once, not half a millisecond later', async () => {
    const row = await upload('Now.');
    const document = { organizationId, documentId: row.id, attempt: row.attempt };
    const claimed: number[] = [];
    // In one transaction it is the same moment for both.
    for (let round = 0; round < 20; round += 1)
      await db.transaction(async (tx) => {
        await addStart(tx, document);
        claimed.push((await claimStarts(tx, 1)).length);
      });
    expect(claimed).toEqual(claimed.map(() => 1));
  });

  test('Temporal being away costs nothing but time', async () => {
    const document = await upload('Patient.');
    const { syncer, started } = syncerAt({ start: () => Promise.reject(new Error('no connection')) });
    await syncer.deliver();
    await dueNow();
    await syncer.deliver();
    expect(started).toHaveLength(2);
    expect(await documentNow(db, document)).toMatchObject({ status: 'pending' });
    await dueNow();
    const back = syncerAt();
    await back.syncer.deliver();
    expect(back.started).toHaveLength(1);
    await dueNow();
    expect(await back.syncer.deliver()).toBe(0);
  });

  test('what Temporal refuses for good fails, with its reason', async () => {
    const document = await upload('Refused.');
    const refused = new TemporalRejected('no such namespace');
    await syncerAt({ start: () => Promise.reject(refused) }).syncer.deliver();
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
    expect(await syncerAt({ stateOf: async () => state }).syncer.check(60)).toBe(1);
    expect(await documentNow(db, document)).toMatchObject({ status: 'failed', error: { code } });
  });

  test('an execution that is gone is started again', async () => {
    const document = await quiet();
    const { syncer, started } = syncerAt({ stateOf: async () => 'NOT_FOUND' });
    await syncer.check(60);
    await syncer.deliver();
    expect(started).toMatchObject([{ documentId: document.id, attempt: 1 }]);
    expect(await documentNow(db, document)).toMatchObject({ status: 'processing' });
  });

  test('one that runs is left alone, and so is a document that was heard of', async () => {
    await quiet();
    expect(await syncerAt().syncer.check(60)).toBe(0);
    await db.query('UPDATE knowledge_documents SET updated_at = now()');
    expect(await syncerAt({ stateOf: async () => 'TERMINATED' }).syncer.check(60)).toBe(0);
  });

  test('many that wait do not hide one that is lost', async () => {
    await Promise.all(Array.from({ length: 40 }, (_, at) => upload(`Document ${at}.`)));
    await db.query(
      `UPDATE knowledge_documents SET start_due_at = NULL, updated_at = now() - interval '5 minutes'`,
    );
    const [lost] = await db.query<{ id: string }>(
      'SELECT id FROM knowledge_documents ORDER BY id DESC LIMIT 1',
    );
    const { syncer } = syncerAt({
      stateOf: async ({ documentId }) => (documentId === lost?.id ? 'TERMINATED' : 'RUNNING'),
    });
    expect([await syncer.check(60), await syncer.check(60)]).toEqual([0, 1]);
  });
});
