/** Wire shapes of documents and their chunks. */
import { z } from 'zod';
import { cursor, limit, offsetPage, pageOfList } from '../../http/paginate.ts';
import { jsonObject, moment, uuid } from '../../http/wire.ts';

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

// oxlint-disable-next-line no-control-regex -- they are what is removed
const UNSHOWN = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
/** Removes control characters and text directions from a name, which could display it as another one. */
export const shownName = (name: string): string => name.replaceAll(UNSHOWN, '').trim();
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
    id: uuid,
    knowledge_base_id: uuid,
    name: z.string(),
    source_type: z.literal('upload'),
    mime_type: z.string(),
    size_bytes: z.int(),
    content_hash: z.string(),
    status: statuses,
    stage: z.enum(['parsing', 'embedding']).nullable(),
    progress: z
      .looseObject({ chunks_done: z.int(), chunks_total: z.int().nullable() })
      .meta({ id: 'DocumentProgress' }),
    error: z.looseObject({ code: z.string(), message: z.string() }).meta({ id: 'DocumentError' }).nullable(),
    chunk_count: z.int(),
    token_count: z.int(),
    doc_metadata: jsonObject,
    attempts: z.int(),
    created_by: uuid.nullable(),
    created_at: moment,
    updated_at: moment,
    completed_at: moment.nullable(),
    replaced_at: moment.optional().meta({
      description:
        'When a new version, a document of the same name, replaced it in searches; absent while it is the current one',
    }),
  })
  .meta({ id: 'KnowledgeDocument' });
export const documents = z
  .looseObject({
    documents: z.array(document),
    next_cursor: z.string().nullable(),
  })
  .meta({ id: 'KnowledgeDocumentPage' });

const chunk = z
  .looseObject({
    id: uuid,
    document_id: uuid,
    chunk_index: z.int(),
    content: z.string(),
    token_count: z.int(),
    chunk_metadata: jsonObject,
  })
  .meta({ id: 'KnowledgeChunk' });
export const chunks = z
  .looseObject({
    chunks: z.array(chunk),
    ...pageOfList,
  })
  .meta({ id: 'KnowledgeChunkList' });
