/** Wire shapes of documents and their chunks. */
import { z } from 'zod';
import { cursor, limit, offsetPage, pageOfList } from '../../http/paginate.ts';
import { shownName } from '../../../language/graph/values/shown-name.ts';
import { jsonObject, moment, uuid } from '../../http/wire.ts';
import {
  completedAt,
  createdAt,
  createdBy,
  displayName,
  nextCursor,
  readableMessage,
  stableCode,
  textContent,
  uniqueId,
  updatedAt,
} from '../../http/fields.ts';
import { ABOUT_DOC_METADATA, knowledgeBaseId, tokenCount } from './fields.ts';

const statuses = z.enum(['pending', 'processing', 'completed', 'failed']);

/** The parts of an upload, as the API's description shows them. */
export const uploadParts = z
  .object({
    file: z
      .string()
      .meta({ format: 'binary', description: 'Text, Markdown, HTML, PDF or DOCX; at most 25 MiB' }),
    name: z.string().optional().meta({ description: 'Name of the document; the file name by default' }),
    doc_metadata: z
      .string()
      .optional()
      .meta({ description: 'Metadata as a JSON object, for filters of searches' }),
    chunking_config: z.string().optional().meta({
      description: 'Chunking config of the document as a JSON object; that of the knowledge base by default',
    }),
  })
  .meta({ id: 'DocumentUpload' });

export const documentName = z.string().overwrite(shownName).min(1).max(255);
export const documentMetadata = z
  .record(z.string().min(1).max(128), z.unknown())
  .refine((given) => Object.keys(given).length <= 100, 'Must have at most 100 fields');

export const documentQuery = z.object({
  limit: limit(50),
  cursor,
  status: statuses.optional().meta({ description: 'Only documents in this status' }),
});
export const chunkQuery = z.object(offsetPage(50));

export const document = z
  .looseObject({
    id: uniqueId,
    knowledge_base_id: knowledgeBaseId,
    name: displayName,
    source_type: z.literal('upload').meta({ description: 'Source of the document' }),
    mime_type: z.string().meta({ description: 'Media type of the file' }),
    size_bytes: z.int().meta({ description: 'Size of the file, in bytes' }),
    content_hash: z
      .string()
      .meta({ description: 'SHA-256 of the file; files with the same content are the same document' }),
    status: statuses.meta({ description: 'Status of the indexing' }),
    stage: z
      .enum(['parsing', 'embedding'])
      .nullable()
      .meta({ description: 'Current stage of the indexing; null when there is none' }),
    progress: z
      .looseObject({
        chunks_done: z.int().meta({ description: 'Number of chunks with an embedding' }),
        chunks_total: z
          .int()
          .nullable()
          .meta({ description: 'Number of chunks; null until the document is split' }),
      })
      .meta({ id: 'DocumentProgress' })
      .meta({ description: 'Progress of the indexing' }),
    error: z
      .looseObject({ code: stableCode, message: readableMessage })
      .meta({ id: 'DocumentError' })
      .nullable()
      .meta({ description: 'Reason of the failure; null without one' }),
    chunk_count: z.int().meta({ description: 'Number of chunks' }),
    token_count: tokenCount,
    doc_metadata: jsonObject.meta({ description: ABOUT_DOC_METADATA }),
    attempts: z.int().meta({ description: 'Number of attempts to index the document' }),
    created_by: createdBy,
    created_at: createdAt,
    updated_at: updatedAt,
    completed_at: completedAt,
    replaced_at: moment.optional().meta({
      description:
        'When a new version, a document of the same name, replaced it in searches; absent while it is the current one',
    }),
  })
  .meta({ id: 'KnowledgeDocument' });
export const documents = z
  .looseObject({
    documents: z.array(document).meta({ description: 'The documents of this page' }),
    next_cursor: nextCursor,
  })
  .meta({ id: 'KnowledgeDocumentPage' });

const chunk = z
  .looseObject({
    id: uniqueId,
    document_id: uuid.meta({ description: 'Id of the document' }),
    chunk_index: z.int().meta({ description: 'Index of the chunk in its document, from 0' }),
    content: textContent,
    token_count: tokenCount,
    chunk_metadata: jsonObject.meta({ description: 'Free-form metadata of the chunk' }),
  })
  .meta({ id: 'KnowledgeChunk' });
export const chunks = z
  .looseObject({
    chunks: z.array(chunk).meta({ description: 'The chunks of this page, in the order of the document' }),
    ...pageOfList,
  })
  .meta({ id: 'KnowledgeChunkList' });
