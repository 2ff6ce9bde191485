/** Formats a match for clients, nodes and agents (SPEC RUN-4.8). */
import type { JsonObject } from '../../language/graph/values/value.ts';
import type { FoundChunk } from './chunk-search.ts';

/** Fields that are not included are absent, not null. */
export function presentMatch(
  knowledgeBaseId: string,
  chunk: FoundChunk,
  shown: { readonly includeContent: boolean; readonly includeMetadata: boolean },
): JsonObject {
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
    // Documents are uploaded and have no URL.
    source_url: null,
    token_count: chunk.token_count,
  };
}
