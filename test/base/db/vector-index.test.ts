/** A search in a large knowledge base would be slow with pgvector, or find other passages than an exact search. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPatientSession } from '../../../src/base/db/client.ts';
import type { KnowledgeBase } from '../../../src/platform/knowledge/bases.ts';
import {
  findNearestChunks,
  type FoundChunk,
  type SearchOptions,
} from '../../../src/platform/knowledge/chunk-search.ts';
import {
  EXACT_BELOW,
  buildMissingIndexes,
  findVectorIndex,
} from '../../../src/platform/knowledge/vector-index.ts';
import { openTestDatabase, type TestDb } from '../../support/database.ts';
import { storedBase } from '../../support/ingests.ts';

const DIMENSION = 8;
const WANTED: SearchOptions = { topK: 10, minScore: 0, conditions: [], includeContent: false };

let db: TestDb;
let base: KnowledgeBase;
let hasPgvector: boolean;

beforeAll(async () => {
  db = await openTestDatabase();
  const [organization] = await db.query<{ id: string }>(
    `INSERT INTO organizations (name, slug) VALUES ('Test', 'test') RETURNING id`,
  );
  const id = await storedBase(db, organization?.id ?? '');
  await db.query(
    `INSERT INTO knowledge_documents (id, organization_id, knowledge_base_id, name, mime_type, size_bytes, content_hash,
                                      doc_metadata, status)
     SELECT gen_random_uuid(), $1, $2, n::text, 'text/plain', 1, n::text, jsonb_build_object('n', n), 'completed'
     FROM generate_series(1, 100) n`,
    [organization?.id, id],
  );
  await db.query(
    `INSERT INTO knowledge_chunks (knowledge_base_id, document_id, position, content, token_count, chunk_metadata, dimension, embedding)
     SELECT $1, d.id, p, 'x', 1, '{}', ${DIMENSION},
            (SELECT array_agg(random() - 0.5) FROM generate_series(1, ${DIMENSION}) WHERE p = p)::real[]::vector
     FROM knowledge_documents d, generate_series(1, $2::int) p`,
    [id, EXACT_BELOW / 100],
  );
  await db.query(`UPDATE knowledge_bases SET dimension = ${DIMENSION}`);
  await db.query('ANALYZE knowledge_chunks');
  [base] = (await db.query<KnowledgeBase>('SELECT * FROM knowledge_bases')) as [KnowledgeBase];
  const extensions = await db.query(`SELECT 1 FROM pg_extension WHERE extname = 'vector'`);
  hasPgvector = extensions.length > 0;
});
afterAll(() => db.close());

const vector = (): number[] => Array.from({ length: DIMENSION }, () => Math.random() - 0.5);
/** As if the base were small. */
const exactly = (query: readonly number[], wanted = WANTED): Promise<FoundChunk[]> =>
  findNearestChunks(db, { ...base, total_chunks: 1 }, query, wanted);
const idsOf = (chunks: readonly FoundChunk[]): string[] => chunks.map(({ chunk_id: id }) => id);

test('the operator builds what is missing, once, and only where pgvector is', async () => {
  expect(base.total_chunks).toBe(EXACT_BELOW);
  const session = openPatientSession(db.url);
  // An index of a hundred thousand vectors takes minutes.
  expect(await session.query('SHOW statement_timeout')).toEqual([{ statement_timeout: '1d' }]);
  expect(await buildMissingIndexes(session)).toEqual(hasPgvector ? [DIMENSION] : []);
  expect(await buildMissingIndexes(session)).toEqual([]);
  await session.close();
  expect(await findVectorIndex(db, DIMENSION)).toMatch(hasPgvector ? /^(plain|iterative)$/ : /^none$/);
});

test('a large base finds nearly all of the nearest, in the same order', async () => {
  let common = 0;
  for (let round = 0; round < 20; round += 1) {
    const query = vector();
    const [found, right] = [await findNearestChunks(db, base, query, WANTED), await exactly(query)];
    const scores = found.map(({ score }) => score);
    expect(found).toHaveLength(WANTED.topK);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    common += idsOf(found).filter((id) => idsOf(right).includes(id)).length;
  }
  expect(common / (20 * WANTED.topK)).toBeGreaterThan(0.9);
});

test('a filter that leaves little, and a threshold, are answered as exact search answers them', async () => {
  const query = vector();
  const narrow = { ...WANTED, topK: 50, conditions: [{ key: 'n', op: 'eq', value: 7 } as const] };
  expect(idsOf(await findNearestChunks(db, base, query, narrow))).toEqual(
    idsOf(await exactly(query, narrow)),
  );
  const near = { ...WANTED, minScore: 0.99 };
  const found = await findNearestChunks(db, base, query, near);
  expect(found.every(({ score }) => score >= 0.99)).toBe(true);
});
