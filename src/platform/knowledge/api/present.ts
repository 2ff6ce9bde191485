/** Knowledge bases, documents and chunks as the API returns them. */
import type { KnowledgeBase } from '../bases.ts';
import type { DocumentRow } from '../documents.ts';
import type { BaseWithCounts, ChunkRow } from './store.ts';

export function presentBase({ base, byStatus, searches }: BaseWithCounts): object {
  const isIndexing = (byStatus['pending'] ?? 0) + (byStatus['processing'] ?? 0) > 0;
  return {
    id: base.id,
    organization_id: base.organization_id,
    created_by_user_id: base.created_by,
    credential_id: base.credential_id,
    name: base.name,
    description: base.description,
    embedding_config: presentEmbedding(base),
    chunking_config: base.chunking_config,
    document_count: base.document_count,
    total_chunks: base.total_chunks,
    total_tokens: base.total_tokens,
    status: isIndexing ? 'indexing' : 'active',
    stats: {
      documents_by_status: byStatus,
      last_indexed_at: base.last_indexed_at?.toISOString() ?? null,
      storage_bytes: base.storage_bytes,
      searches_30d: searches,
    },
    created_at: base.created_at.toISOString(),
    updated_at: base.updated_at.toISOString(),
  };
}

/** The chosen model; `dimensions` are those of the stored vectors unless the client chose them. */
function presentEmbedding({
  embedding_config: config,
  credential_id: credentialId,
  dimension,
}: KnowledgeBase) {
  return {
    provider: config.provider,
    model: config.model,
    dimensions: config.dimensions ?? dimension,
    ...(credentialId === null ? {} : { credential_id: credentialId }),
  };
}

export function presentDocument(row: DocumentRow): object {
  return {
    id: row.id,
    knowledge_base_id: row.knowledge_base_id,
    name: row.name,
    source_type: 'upload',
    mime_type: row.mime_type,
    size_bytes: row.size_bytes,
    content_hash: `sha256:${row.content_hash}`,
    status: row.status,
    stage: row.stage,
    progress: { chunks_done: row.chunk_count, chunks_total: row.chunks_total },
    error: row.error,
    chunk_count: row.chunk_count,
    token_count: row.token_count,
    doc_metadata: row.doc_metadata,
    attempts: row.attempt,
    created_by: row.created_by,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    completed_at: row.completed_at?.toISOString() ?? null,
    ...(row.replaced_at === null ? {} : { replaced_at: row.replaced_at.toISOString() }),
  };
}

export function presentChunk(row: ChunkRow): object {
  return {
    id: row.id,
    document_id: row.documentId,
    chunk_index: row.position,
    content: row.content,
    token_count: row.tokenCount,
    chunk_metadata: row.chunkMetadata,
  };
}
