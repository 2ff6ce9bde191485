/**
 * Indexes over vectors: HNSW, one per dimension, for the chunks of all bases of that dimension. Made by the operator
 * beside the running service, because building one takes minutes; without them every search is exact.
 */
import type { Sql } from '../db/client.ts';

/** Bases with fewer chunks are searched exactly: that is fast enough, and finds the best for certain. */
export const EXACT_BELOW = 20_000;

/** What pgvector can index (its documentation, "HNSW"). */
const MAX_INDEXED_DIMENSION = 2_000;

const nameOf = (dimension: number): string => `knowledge_chunks_hnsw_${dimension}`;

/** What a search can use: `iterative` goes on looking when filters leave too little (pgvector 0.8 and later). */
export type VectorIndex = 'none' | 'plain' | 'iterative';

/** The index of this dimension, if there is one that is whole. */
export async function vectorIndexOf(sql: Sql, dimension: number): Promise<VectorIndex> {
  const [found] = await sql.query<{ is_iterative: boolean }>(
    `SELECT string_to_array(substring(e.extversion FROM '^\\d+\\.\\d+'), '.')::integer[] >= '{0,8}' AS is_iterative
     FROM pg_index i, pg_extension e
     WHERE i.indexrelid = to_regclass($1) AND i.indisvalid AND e.extname = 'vector'`,
    [nameOf(dimension)],
  );
  if (found === undefined) return 'none';
  return found.is_iterative ? 'iterative' : 'plain';
}

/** The dimensions that a large base makes worth an index, and that have none; without pgvector there are none. */
async function dimensionsWithoutIndex(sql: Sql): Promise<number[]> {
  const rows = await sql.query<{ dimension: number; is_valid: boolean | null }>(
    `SELECT DISTINCT b.dimension, i.indisvalid AS is_valid FROM knowledge_bases b
     LEFT JOIN pg_index i ON i.indexrelid = to_regclass('knowledge_chunks_hnsw_' || b.dimension)
     WHERE b.total_chunks >= $1 AND b.dimension <= $2 AND i.indisvalid IS NOT TRUE
       AND EXISTS (SELECT 1 FROM pg_extension WHERE extname = 'vector')
     ORDER BY b.dimension`,
    [EXACT_BELOW, MAX_INDEXED_DIMENSION],
  );
  return rows.map(({ dimension }) => dimension);
}

/** One that an interrupted build has left behind is built anew. */
async function build(sql: Sql, dimension: number): Promise<void> {
  await sql.query(`DROP INDEX CONCURRENTLY IF EXISTS ${nameOf(dimension)}`);
  await sql.query(
    `CREATE INDEX CONCURRENTLY ${nameOf(dimension)} ON knowledge_chunks
     USING hnsw ((embedding::vector(${dimension})) vector_cosine_ops) WHERE dimension = ${dimension}`,
  );
}

/**
 * Builds the indexes that are missing, while the service goes on.
 * @param session outside of a transaction, and patient (db/client.ts, openPatientSession)
 * @returns the dimensions of the new indexes
 */
export async function buildMissingIndexes(session: Sql): Promise<number[]> {
  const dimensions = await dimensionsWithoutIndex(session);
  for (const dimension of dimensions) await build(session, dimension);
  return dimensions;
}
