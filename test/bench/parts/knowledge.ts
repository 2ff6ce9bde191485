/**
 * Part `knowledge`: how fast documents are taken in, beside bare inserts of as many vectors, and how long a search takes
 * at several sizes of a base, beside the same search as one statement.
 */
import { randomUUID } from 'node:crypto';
import type { Tenant } from '../client.ts';
import { roundsOf, type Measured, type Part, type PartLimits, type Row } from '../part.ts';
import { inTurns, percentile, timed } from '../statistics.ts';
import type { Bench } from '../system.ts';
import { ms, perSecond } from '../table.ts';

const DIMENSION = 384;
const SEED_ROWS = 2_000;
/** As many chunks as one call of the model embeds. */
const BATCH = 64;
const PARAGRAPHS = 250;
const SEARCHES = 10;

const vector = (): string => `{${Array.from({ length: DIMENSION }, () => Math.random() - 0.5).join(',')}}`;

async function makeBase(tenant: Tenant): Promise<string> {
  const chunking = { chunk_size: 50, chunk_overlap: 0 };
  const { id } = await tenant.post('/knowledge-bases', { name: 'Bench', chunking_config: chunking });
  return String(id);
}

/** One paragraph is one chunk: too long for two of them. */
const document = (): string =>
  Array.from(
    { length: PARAGRAPHS },
    (_, at) => `${randomUUID()} ${at} ${'lorem ipsum dolor sit amet '.repeat(5)}`,
  ).join('\n\n');

async function countChunks({ db }: Bench, base: string): Promise<{ chunks: number; isOver: boolean }> {
  const { rows } = await db.query<{ chunks: number; is_over: boolean }>(
    `SELECT total_chunks AS chunks, NOT EXISTS (
       SELECT 1 FROM knowledge_documents WHERE knowledge_base_id = $1 AND status IN ('pending', 'processing')) AS is_over
     FROM knowledge_bases WHERE id = $1`,
    [base],
  );
  return { chunks: rows[0]?.chunks ?? 0, isOver: rows[0]?.is_over ?? false };
}

/** Chunks a second from the first upload to the last document that is completed. */
async function ingest(bench: Bench, tenant: Tenant, documents: number): Promise<number> {
  const base = await makeBase(tenant);
  let chunks = 0;
  const took = await timed(async () => {
    await Promise.all(
      Array.from({ length: documents }, (_, at) => tenant.upload(base, `${at}.txt`, document())),
    );
    for (;;) {
      const now = await countChunks(bench, base);
      chunks = now.chunks;
      if (now.isOver) return;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  });
  return chunks / (took / 1_000);
}

/** Rows a second of a bare table, in batches as an ingest has them. */
async function insertBare({ db }: Bench, rows: number): Promise<number> {
  await db.query(
    'CREATE TABLE IF NOT EXISTS bare_chunks (id UUID PRIMARY KEY DEFAULT gen_random_uuid(), content TEXT, embedding vector)',
  );
  const vectors = Array.from({ length: BATCH }, vector);
  const took = await timed(async () => {
    for (let done = 0; done < rows; done += BATCH) {
      await db.query(
        `INSERT INTO bare_chunks (content, embedding) SELECT 'a text', v::real[]::vector FROM unnest($1::text[]) v`,
        [vectors],
      );
    }
  });
  return rows / (took / 1_000);
}

/** A base of so many chunks, written past the ingest. */
async function seed(bench: Bench, tenant: Tenant, chunks: number, limits: PartLimits): Promise<string> {
  const base = await makeBase(tenant);
  const { rows } = await bench.db.query<{ id: string }>(
    `INSERT INTO knowledge_documents (organization_id, knowledge_base_id, name, mime_type, size_bytes, content_hash, status)
     VALUES ($1, $2::uuid, 'seeded', 'text/plain', 1, $2::uuid::text, 'completed') RETURNING id`,
    [tenant.organizationId, base],
  );
  for (let done = 0; done < chunks; done += SEED_ROWS) {
    limits.tell(`${done} of ${chunks} chunks written`);
    const count = Math.min(SEED_ROWS, chunks - done);
    await bench.db.query(
      `INSERT INTO knowledge_chunks (knowledge_base_id, document_id, position, content, token_count, chunk_metadata, dimension, embedding)
       SELECT $1, $2, $3::int + n, 'a text of the bench', 5, '{}', ${DIMENSION}, v::real[]::vector
       FROM unnest($4::text[]) WITH ORDINALITY AS given(v, n)`,
      [base, rows[0]?.id, done, Array.from({ length: count }, vector)],
    );
  }
  await bench.db.query('ANALYZE knowledge_chunks');
  await bench.db.query('CHECKPOINT');
  return base;
}

async function several(work: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  for (let count = 0; count < SEARCHES; count += 1) times.push(await timed(work));
  return times;
}

/** Searches of a base of this size: through the API, and as a statement with the vector at hand. */
async function measureSearch(
  bench: Bench,
  tenant: Tenant,
  chunks: number,
  limits: PartLimits,
): Promise<{ readonly row: Row; readonly ratio: number }> {
  const base = await seed(bench, tenant, chunks, limits);
  const times = await inTurns(roundsOf(limits, 10, 4), limits, {
    service: () => several(() => tenant.post(`/knowledge-bases/${base}/search`, { query: randomUUID() })),
    bare: () =>
      several(() =>
        bench.db.query(
          `SELECT id, content, embedding <=> $2::real[]::vector AS distance FROM knowledge_chunks
           WHERE knowledge_base_id = $1 ORDER BY distance LIMIT 5`,
          [base, vector()],
        ),
      ),
  });
  const [service, bare] = [percentile(times.service, 0.95), percentile(times.bare, 0.95)];
  const row = {
    workload: `search of ${chunks} chunks, p95 (p50)`,
    service: `${ms(service)} (${ms(percentile(times.service, 0.5))})`,
    beside: `${ms(bare)} (${ms(percentile(times.bare, 0.5))}) raw SQL`,
    ratio: service / bare,
  };
  return { row, ratio: service / bare };
}

async function hasPgvector({ db }: Bench): Promise<boolean> {
  const { rows } = await db.query(`SELECT 1 FROM pg_extension WHERE extname = 'vector'`);
  return rows.length > 0;
}

export const knowledge: Part = {
  name: 'knowledge',
  summary:
    'documents taken in, and searches of bases of 1,000, 10,000 and (not --quick, pgvector) 100,000 chunks',
  weight: 3,
  async run(bench, limits): Promise<Measured> {
    const tenant = await bench.tenant(0);
    const documents = roundsOf(limits, 24, 8);
    const speeds = await inTurns(1, limits, {
      service: async (isWarmUp) => [await ingest(bench, tenant, isWarmUp ? 2 : documents)],
      bare: async () => [await insertBare(bench, documents * PARAGRAPHS)],
    });
    const [taken = 0, inserted = 1] = [speeds.service[0], speeds.bare[0]];
    const rows: Row[] = [
      {
        workload: `ingest of ${documents} documents of ${PARAGRAPHS} chunks`,
        service: perSecond(taken),
        beside: `${perSecond(inserted)} bare inserts`,
        ratio: taken / inserted,
      },
    ];
    const values: Record<string, number> = { 'ingest: chunks a second': taken };
    const sizes = [1_000, 10_000, ...(!limits.quick && (await hasPgvector(bench)) ? [100_000] : [])];
    for (const chunks of sizes) {
      const { row, ratio } = await measureSearch(bench, tenant, chunks, limits);
      rows.push(row);
      values[`search of ${chunks.toLocaleString('en')} chunks p95 / raw SQL`] = ratio;
    }
    return { rows, values };
  },
};
