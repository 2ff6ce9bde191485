/** A model of embeddings that never answers would hold the slot of an ingest, and the shutdown of its worker, for ever. */
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { systemClock } from '../../../src/base/clock.ts';
import type { Db } from '../../../src/base/db/client.ts';
import { createExtractor } from '../../../src/platform/knowledge/extraction/extractor.ts';
import { openDocument, storePieces } from '../../../src/platform/knowledge/ingest.ts';
import { createIngestActivities } from '../../../temporal/activities/ingest.ts';
import { openTestDatabase } from '../../support/database.ts';
import { cut } from '../../support/knowledge.ts';
import { storedBase, uploadTo } from '../../support/ingests.ts';

let db: Db;
const extractor = createExtractor(pino({ level: 'silent' }));
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db.close());

test('an ingest whose model never answers ends when it is cancelled', async () => {
  const [organization] = await db.query<{ id: string }>(
    `INSERT INTO organizations (name, slug) VALUES ('Test', 'test') RETURNING id`,
  );
  const organizationId = organization?.id ?? '';
  const base = await storedBase(db, organizationId);
  const dispatcher = { kick: () => undefined };
  const row = await uploadTo({ db, organizationId, dispatcher }, base, 'one two three');
  const document = { organizationId, documentId: row.id, attempt: 1 };
  await openDocument(db, document);
  await storePieces(db, document, cut('one two three'));
  const embed = vi.fn(() => new Promise<never>(() => undefined));
  const activities = createIngestActivities({
    db,
    clock: { ...systemClock, setTimeout: (work) => systemClock.setTimeout(work, 0) },
    extractor,
    log: pino({ level: 'silent' }),
    embedding: () => ({ createEmbedder: { embed }, redact: (error) => error }),
  });
  const worker = new MockActivityEnvironment({}, { logger: new DefaultLogger('ERROR') });
  const end = worker.run(() => activities.embedDocument(document)).catch((error: Error) => error.message);
  await vi.waitFor(() => expect(embed).toHaveBeenCalledTimes(1));
  worker.cancel('CANCELLED');
  expect(await end).toBe('The indexing was cancelled');
});
