/** Knowledge bases as search and ingest know them: who embeds, how texts are cut, what is in them. */
import type { Sql } from '../db/client.ts';
import type { EmbeddingModel } from './embedding-port.ts';
import type { ChunkingConfig } from './extraction-port.ts';

/** The provider of managed bases as clients see it; its endpoint is the deployment's own. */
export const MANAGED_PROVIDER = 'managed';

/** `embedding_config` as it is stored: complete, whatever was sent. */
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

/** How long a base is held while something is decided about it. */
export type BaseLock = 'key share' | 'update';

/**
 * A base of the organization; null when it has none of that id.
 * @param lock until the transaction ends: `key share` keeps it from being deleted, `update` from being changed, too.
 *   Locks are taken in the order base, document, and only then the counts (by triggers).
 */
export async function selectBase(
  sql: Sql,
  { organizationId, knowledgeBaseId }: { readonly organizationId: string; readonly knowledgeBaseId: string },
  lock: BaseLock | null = null,
): Promise<KnowledgeBase | null> {
  const held = lock === null ? '' : lock === 'update' ? 'FOR UPDATE' : 'FOR KEY SHARE';
  const rows = await sql.query<KnowledgeBase>(
    `SELECT ${BASE_COLUMNS} FROM knowledge_bases WHERE organization_id = $1 AND id = $2 ${held}`,
    [organizationId, knowledgeBaseId],
  );
  return rows[0] ?? null;
}

/** Managed bases are embedded at the deployment's cost, and billed; others on the organization's own account. */
export const isManaged = (base: Pick<KnowledgeBase, 'credential_id'>): boolean => base.credential_id === null;

/** Who embeds for a base. */
export function modelOf(base: Pick<KnowledgeBase, 'credential_id' | 'embedding_config'>): EmbeddingModel {
  const { provider, model, dimensions } = base.embedding_config;
  return { provider, model, dimensions, credentialId: base.credential_id };
}

/** How a stored config cuts texts. */
export const chunkingOf = (stored: StoredChunking): ChunkingConfig => ({
  chunkSize: stored.chunk_size,
  chunkOverlap: stored.chunk_overlap,
});
