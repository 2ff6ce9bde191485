/**
 * A search would rank worse than exact cosines over the same vectors (nDCG@10 by numpy). Runs where `TEST_PYTHON`
 * names a Python that has numpy.
 */
import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findNearestChunks } from '../../../src/platform/knowledge/chunk-search.ts';
import { openTestDatabase, type TestDb } from '../../support/database.ts';
import { storedBase } from '../../support/ingests.ts';

const PYTHON = process.env['TEST_PYTHON'];
const CHUNKS = 2_000;
const DIMENSION = 96;
const QUERIES = 50;
const TOP = 10;

/** Graded relevance is the exact cosine; a ranking is worth its discounted sum as a share of the best one's. */
const PROGRAM = `
import json, sys
import numpy as np
given = json.load(sys.stdin)
chunks = np.array(given["chunks"], dtype=np.float64)
queries = np.array(given["queries"], dtype=np.float64)
unit = lambda m: m / np.linalg.norm(m, axis=1, keepdims=True)
cosines = np.clip(unit(queries) @ unit(chunks).T, 0, 1)
discounts = 1 / np.log2(np.arange(2, ${TOP} + 2))
worth, same, off = [], 0, 0.0
for row, found, scores in zip(cosines, given["found"], given["scores"]):
    best = np.sort(row)[::-1][:${TOP}]
    worth.append(float((row[found] * discounts).sum() / (best * discounts).sum()))
    same += int(list(np.argsort(-row, kind="stable")[:${TOP}]) == found)
    off = max(off, float(np.abs(row[found] - scores).max()))
print(json.dumps({"ndcg": float(np.mean(worth)), "worst": min(worth), "same": same, "off": off}))
`;

let db: TestDb;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db.close());

/** Vectors in clusters, as those of texts are: near neighbours that are hard to tell apart. */
function clustered(count: number): number[][] {
  const around = (center: readonly number[], spread: number): number[] =>
    center.map((value) => Math.fround(value + (Math.random() - 0.5) * spread));
  const centers = Array.from({ length: 20 }, () =>
    around(
      Array.from({ length: DIMENSION }, () => 0),
      2,
    ),
  );
  return Array.from({ length: count }, (_, at) => around(centers[at % centers.length] ?? [], 0.5));
}

test.runIf(PYTHON !== undefined)('the ranking is that of exact cosines in numpy', async () => {
  const [organization] = await db.query<{ id: string }>(
    `INSERT INTO organizations (name, slug) VALUES ('Test', 'test') RETURNING id`,
  );
  const id = await storedBase(db, organization?.id ?? '');
  const [document] = await db.query<{ id: string }>(
    `INSERT INTO knowledge_documents (organization_id, knowledge_base_id, name, mime_type, size_bytes, content_hash, status)
     VALUES ($1, $2, 'd', 'text/plain', 1, 'h', 'completed') RETURNING id`,
    [organization?.id, id],
  );
  const chunks = clustered(CHUNKS);
  await db.query(
    `INSERT INTO knowledge_chunks (knowledge_base_id, document_id, position, content, token_count, chunk_metadata, dimension, embedding)
     SELECT $1, $2, n - 1, 'x', 1, '{}', ${DIMENSION}, v::real[]::vector FROM unnest($3::text[]) WITH ORDINALITY AS given(v, n)`,
    [id, document?.id, chunks.map((vector) => `{${vector.join(',')}}`)],
  );
  const queries = clustered(QUERIES);
  const found: number[][] = [];
  const scores: number[][] = [];
  for (const query of queries) {
    const wanted = { topK: TOP, minScore: 0, conditions: [], includeContent: false };
    const matches = await findNearestChunks(db, { id, total_chunks: CHUNKS }, query, wanted);
    found.push(matches.map(({ position }) => position));
    scores.push(matches.map(({ score }) => score));
  }
  const input = JSON.stringify({ chunks, queries, found, scores });
  const ran = spawnSync(PYTHON ?? '', ['-c', PROGRAM], { input, encoding: 'utf8', maxBuffer: 1 << 26 });
  expect(ran.stderr).toBe('');
  const said = JSON.parse(ran.stdout) as { ndcg: number; worst: number; same: number; off: number };
  // Seen with TEST_LOG_LEVEL=info, for the figures.
  if (process.env['TEST_LOG_LEVEL'] === 'info') process.stdout.write(`${ran.stdout}\n`);
  expect(said.worst).toBeGreaterThan(1 - 1e-6);
  expect(said.off).toBeLessThan(1e-5);
});
