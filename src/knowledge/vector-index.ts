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

/** Whether there is a usable index of this dimension. */
export async function hasVectorIndex(sql: Sql, dimension: number): Promise<boolean> {
  const rows = await sql.query(`SELECT 1 FROM pg_index WHERE indexrelid = to_regclass($1) AND indisvalid`, [
    nameOf(dimension),
  ]);
  return rows.length > 0;
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
 * @param session one connection, outside of a transaction: its time limits are lifted
 * @returns the dimensions of the new indexes
 */
export async function buildMissingIndexes(session: Sql): Promise<number[]> {
  await session.query('SET statement_timeout = 0');
  await session.query('SET lock_timeout = 0');
  const dimensions = await dimensionsWithoutIndex(session);
  for (const dimension of dimensions) await build(session, dimension);
  return dimensions;
}
