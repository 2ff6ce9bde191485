/** Reads knowledge bases with their embedding model, chunking and counts. */
import type { Sql } from '../../base/db/client.ts';
import type { EmbeddingModel } from './embedding-port.ts';
import type { ChunkingConfig } from './extraction-port.ts';

/** Provider name of managed bases in the API; the endpoint is the deployment's own. */
export const MANAGED_PROVIDER = 'managed';

/** `embedding_config` as stored, with defaults filled in. */
export interface EmbeddingConfig {
  readonly provider: string;
  readonly model: string;
  readonly dimensions: number | null;
}

/** `chunking_config` as it is stored. */
export interface StoredChunking {
  readonly strategy: string;
  readonly chunk_size: number;
  readonly chunk_overlap: number;
  readonly unit: 'tokens';
}

export interface KnowledgeBase {
  readonly id: string;
  readonly organization_id: string;
  readonly created_by: string | null;
  readonly credential_id: string | null;
  readonly name: string;
  readonly description: string;
  readonly embedding_config: EmbeddingConfig;
  readonly chunking_config: StoredChunking;
  readonly dimension: number | null;
  readonly document_count: number;
  readonly total_chunks: number;
  readonly total_tokens: number;
  readonly storage_bytes: number;
  readonly last_indexed_at: Date | null;
  readonly created_at: Date;
  readonly updated_at: Date;
}

export const BASE_COLUMNS = `
  id, organization_id, created_by, credential_id, name, description, embedding_config, chunking_config, dimension,
  document_count, total_chunks, total_tokens, storage_bytes, last_indexed_at, created_at, updated_at`;

/**
 * Selects a base of the organization; null when it does not exist.
 * @param lock held until the transaction ends: `key share` blocks deletion, `update` also blocks changes. The lock order is
 *   base, document, counts (by triggers).
 */
export async function selectBase(
  sql: Sql,
  { organizationId, knowledgeBaseId }: { readonly organizationId: string; readonly knowledgeBaseId: string },
  lock: 'key share' | 'update' | null = null,
): Promise<KnowledgeBase | null> {
  const clause = lock === null ? '' : lock === 'update' ? 'FOR UPDATE' : 'FOR KEY SHARE';
  const rows = await sql.query<KnowledgeBase>(
    `SELECT ${BASE_COLUMNS} FROM knowledge_bases WHERE organization_id = $1 AND id = $2 ${clause}`,
    [organizationId, knowledgeBaseId],
  );
  return rows[0] ?? null;
}

/** A managed base uses the deployment's model and is billed; any other uses the organization's own account. */
export const isManaged = (base: Pick<KnowledgeBase, 'credential_id'>): boolean => base.credential_id === null;

export function toEmbeddingModel(
  base: Pick<KnowledgeBase, 'credential_id' | 'embedding_config'>,
): EmbeddingModel {
  const { provider, model, dimensions } = base.embedding_config;
  return { provider, model, dimensions, credentialId: base.credential_id };
}

export const toChunking = (stored: StoredChunking): ChunkingConfig => ({
  chunkSize: stored.chunk_size,
  chunkOverlap: stored.chunk_overlap,
});
