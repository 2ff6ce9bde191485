/** A match as clients, nodes and agents see it (SPEC RUN-4.8). */
import type { JsonObject } from '../graph/value.ts';
import type { FoundChunk } from './chunk-search.ts';

export interface Shown {
  readonly includeContent: boolean;
  readonly includeMetadata: boolean;
}

/** What is not asked for is absent, not null. */
export function presentMatch(knowledgeBaseId: string, chunk: FoundChunk, shown: Shown): JsonObject {
  return {
    chunk_id: chunk.chunk_id,
    document_id: chunk.document_id,
    document_name: chunk.document_name,
    knowledge_base_id: knowledgeBaseId,
    chunk_index: chunk.position,
    score: chunk.score,
    ...(shown.includeContent ? { content: chunk.content ?? '' } : {}),
    ...(shown.includeMetadata
      ? { chunk_metadata: chunk.chunk_metadata, doc_metadata: chunk.doc_metadata }
      : {}),
    // Documents are uploaded; none has an address of its own.
    source_url: null,
    token_count: chunk.token_count,
  };
}
