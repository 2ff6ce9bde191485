/**
 * HNSW indexes over vectors, one per dimension for the chunks of all bases. The operator builds them beside the running
 * service, because it takes minutes; without an index every search is exact.
 */
import type { Sql } from '../../base/db/client.ts';

/** Bases with fewer chunks are searched exactly, which is fast enough. */
export const EXACT_BELOW = 20_000;

/** pgvector's limit for HNSW. */
const MAX_INDEXED_DIMENSION = 2_000;

const toIndexName = (dimension: number): string => `knowledge_chunks_hnsw_${dimension}`;

/** `iterative` continues the scan when filters leave too few results (pgvector 0.8 and later). */
export type VectorIndex = 'none' | 'plain' | 'iterative';

/** Finds the valid index of a dimension. */
export async function findVectorIndex(sql: Sql, dimension: number): Promise<VectorIndex> {
  const [found] = await sql.query<{ is_iterative: boolean }>(
    `SELECT string_to_array(substring(e.extversion FROM '^\\d+\\.\\d+'), '.')::integer[] >= '{0,8}' AS is_iterative
     FROM pg_index i, pg_extension e
     WHERE i.indexrelid = to_regclass($1) AND i.indisvalid AND e.extname = 'vector'`,
    [toIndexName(dimension)],
  );
  if (found === undefined) return 'none';
  return found.is_iterative ? 'iterative' : 'plain';
}

/** Finds dimensions of large bases that lack an index; none without pgvector. */
async function findDimensionsWithoutIndex(sql: Sql): Promise<number[]> {
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

/** Drops the rest of an interrupted build first. */
async function build(sql: Sql, dimension: number): Promise<void> {
  await sql.query(`DROP INDEX CONCURRENTLY IF EXISTS ${toIndexName(dimension)}`);
  await sql.query(
    `CREATE INDEX CONCURRENTLY ${toIndexName(dimension)} ON knowledge_chunks
     USING hnsw ((embedding::vector(${dimension})) vector_cosine_ops) WHERE dimension = ${dimension}`,
  );
}

/**
 * Builds missing indexes without blocking the service.
 * @param session without a transaction and without a statement timeout (db/client.ts, openPatientSession)
 * @returns the dimensions of the new indexes
 */
export async function buildMissingIndexes(session: Sql): Promise<number[]> {
  const dimensions = await findDimensionsWithoutIndex(session);
  for (const dimension of dimensions) await build(session, dimension);
  return dimensions;
}
