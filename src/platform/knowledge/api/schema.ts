/** Wire shapes of knowledge bases and of their search. */
import { z } from 'zod';
import { bodyWarnings } from '../../http/unknown-fields.ts';
import { readFilters } from '../../../language/graph/template/metadata-filter.ts';
import { cursor, limit } from '../../http/paginate.ts';
import { jsonObject, moment, uuid } from '../../http/wire.ts';
import {
  chosenOrganizationId,
  createdAt,
  displayName,
  modelName,
  nextCursor,
  owningOrganizationId,
  uniqueId,
  updatedAt,
} from '../../http/fields.ts';
import { ABOUT_DOC_METADATA, knowledgeBaseId, tokenCount } from './fields.ts';

const ABOUT_CREDENTIAL_ID =
  "Id of the credential with the organization's own account; null: the managed account";
const ABOUT_DIMENSIONS = "Number of dimensions of the embeddings; null: the model's default";
const ABOUT_CHUNKING_CONFIG = 'How documents are split into chunks; null: the defaults';
const ABOUT_STRATEGY = 'Chunking strategy: full chunks that end at the best boundary in their second half';
const ABOUT_CHUNK_OVERLAP = 'Number of tokens that a chunk shares with the previous one';

const name = z.string().min(1).max(255);
const description = z.string().max(10_000);

/** Larger vectors do not fit into an answer of one call of a model (src/platform/knowledge/ingest.ts). */
const MAX_DIMENSIONS = 4_096;

const embeddingConfig = z
  .object({
    provider: z
      .string()
      .min(1)
      .max(64)
      .nullish()
      .meta({ description: 'Name of the provider; null: the managed one' }),
    model: z
      .string()
      .min(1)
      .max(255)
      .nullish()
      .meta({ description: 'Name of the model; null: the managed one' }),
    credential_id: uuid.nullish().meta({ description: ABOUT_CREDENTIAL_ID }),
    dimensions: z.int().min(1).max(MAX_DIMENSIONS).nullish().meta({ description: ABOUT_DIMENSIONS }),
  })
  .meta({ id: 'CreateEmbeddingConfig' });
export type GivenEmbedding = z.output<typeof embeddingConfig>;

/** How texts are cut; what is left out is the default. */
export const chunkingConfig = z
  .object({
    strategy: z.literal('recursive').default('recursive').meta({ description: ABOUT_STRATEGY }),
    chunk_size: z
      .int()
      .min(50)
      .max(4_000)
      .default(800)
      .meta({ description: 'Maximum number of tokens in a chunk' }),
    chunk_overlap: z.int().min(0).max(2_000).optional().meta({ description: ABOUT_CHUNK_OVERLAP }),
    unit: z.literal('tokens').default('tokens').meta({ description: 'Unit of the sizes' }),
  })
  .transform(({ chunk_overlap: given, ...rest }, ctx) => {
    const chunkOverlap = given ?? Math.min(100, Math.floor(rest.chunk_size / 8));
    if (chunkOverlap <= rest.chunk_size / 2) return { ...rest, chunk_overlap: chunkOverlap };
    const message = 'Must be at most half of chunk_size';
    ctx.addIssue({ code: 'custom', path: ['chunk_overlap'], message, params: { type: 'less_than_equal' } });
    return z.NEVER;
  });

export const newBase = z
  .object({
    name: name.meta({ description: 'Display name' }),
    description: description.nullish().meta({ description: 'Short description; null or empty: none' }),
    embedding_config: embeddingConfig
      .nullish()
      .meta({ description: 'The embedding model; null: the managed one' }),
    chunking_config: chunkingConfig.nullish().meta({ description: ABOUT_CHUNKING_CONFIG }),
    credential_id: uuid
      .nullish()
      .meta({ description: "Embedding model on the organization's own account; the managed one by default" }),
    organization_id: chosenOrganizationId,
  })
  .meta({ id: 'CreateKnowledgeBase' });
export type NewBase = z.output<typeof newBase>;

export const baseChange = z
  .object({
    name: name.optional().meta({ description: 'Display name' }),
    description: description.optional().meta({ description: 'Short description; null or empty: none' }),
    embedding_config: embeddingConfig
      .optional()
      .meta({ description: 'The embedding model; null: the managed one' }),
    chunking_config: chunkingConfig.optional().meta({ description: ABOUT_CHUNKING_CONFIG }),
    credential_id: uuid.nullable().optional().meta({ description: ABOUT_CREDENTIAL_ID }),
  })
  .meta({ id: 'KnowledgeBaseChange' });
export type BaseChange = z.output<typeof baseChange>;

export const baseList = z.object({ limit: limit(50), cursor });

export const base = z
  .looseObject({
    id: uniqueId,
    organization_id: owningOrganizationId,
    created_by_user_id: uuid
      .nullable()
      .meta({ description: 'Id of the user who created it; null after the user was deleted' }),
    credential_id: uuid.nullable().meta({ description: 'Id of the credential; null: the managed account' }),
    name: displayName,
    description: z.string().meta({ description: 'Short description; null or empty: none' }),
    embedding_config: z
      .looseObject({
        provider: z.string().meta({ description: 'Name of the model provider' }),
        model: modelName,
        dimensions: z.int().nullable().meta({ description: ABOUT_DIMENSIONS }),
        credential_id: uuid.optional().meta({
          description:
            "Id of the credential with the organization's own account; absent: the managed account",
        }),
      })
      .meta({ id: 'EmbeddingConfig' })
      .meta({ description: 'The embedding model; null: the managed one' }),
    chunking_config: z
      .looseObject({
        strategy: z.string().meta({ description: ABOUT_STRATEGY }),
        chunk_size: z.int().meta({ description: 'Maximum number of tokens in a chunk' }),
        chunk_overlap: z.int().meta({ description: ABOUT_CHUNK_OVERLAP }),
        unit: z.string().meta({ description: 'Unit of the sizes' }),
      })
      .meta({ id: 'ChunkingConfig' })
      .meta({ description: ABOUT_CHUNKING_CONFIG }),
    document_count: z.int().meta({ description: 'Number of documents' }),
    total_chunks: z.int().meta({ description: 'Total number of chunks' }),
    total_tokens: z.int().meta({ description: 'Total number of tokens' }),
    status: z.enum(['active', 'indexing']).meta({ description: '`indexing` while a document is indexed' }),
    stats: z
      .looseObject({
        documents_by_status: z
          .record(z.string(), z.int())
          .meta({ description: 'Number of documents in each status' }),
        last_indexed_at: moment
          .nullable()
          .meta({ description: 'Time at which a document was last indexed, ISO 8601 UTC; null: never' }),
        storage_bytes: z.int().meta({ description: 'Size of the documents, in bytes' }),
        searches_30d: z.int().meta({ description: 'Number of searches in the last 30 days' }),
      })
      .meta({ id: 'KnowledgeBaseStats' })
      .meta({ description: 'Statistics of the knowledge base' }),
    created_at: createdAt,
    updated_at: updatedAt,
    warnings: bodyWarnings,
  })
  .meta({ id: 'KnowledgeBase' });
export const bases = z
  .looseObject({
    knowledge_bases: z.array(base).meta({ description: 'The knowledge bases of this page' }),
    next_cursor: nextCursor,
  })
  .meta({ id: 'KnowledgeBasePage' });

const filters = jsonObject
  .transform((given, ctx) => {
    const read = readFilters(given);
    if ('conditions' in read) return read.conditions;
    const { path, message } = read.problem;
    ctx.addIssue({ code: 'custom', path: [...path], message, params: { type: 'filter_invalid' } });
    return z.NEVER;
  })
  .meta({
    override: { type: 'object' },
    description:
      'Conditions on doc_metadata and chunk_metadata: {"lang": "en"}, {"year": {"op": "gte", "value": 2024}}',
  });

/** Bounds of SPEC API-limits; a query of 10,000 characters is more than any embedding model reads. */
export const searchBody = z
  .object({
    query: z.string().min(1).max(10_000).meta({ description: 'The search text in natural language' }),
    top_k: z.int().min(1).max(50).default(5).meta({ description: 'Maximum number of matches' }),
    min_score: z.number().min(0).max(1).default(0).meta({ description: 'Minimum score of a match' }),
    filters: filters
      .nullish()
      .meta({ description: 'Conditions on doc_metadata and chunk_metadata; null: none' }),
    include_content: z.boolean().default(true).meta({ description: 'Whether matches include their text' }),
    include_metadata: z
      .boolean()
      .default(true)
      .meta({ description: 'Whether matches include their metadata' }),
  })
  .meta({ id: 'KnowledgeSearch' });
export type SearchBody = z.output<typeof searchBody>;

const match = z
  .looseObject({
    chunk_id: uuid.meta({ description: 'Id of the chunk' }),
    document_id: uuid.meta({ description: 'Id of the document' }),
    document_name: z.string().meta({ description: 'Name of the document' }),
    knowledge_base_id: knowledgeBaseId,
    chunk_index: z.int().meta({ description: 'Index of the chunk in its document, from 0' }),
    score: z.number().meta({ description: 'Similarity: 1 minus the cosine distance, from 0 to 1' }),
    content: z.string().optional().meta({ description: 'The text' }),
    chunk_metadata: jsonObject.optional().meta({ description: 'Free-form metadata of the chunk' }),
    doc_metadata: jsonObject.optional().meta({ description: ABOUT_DOC_METADATA }),
    source_url: z.string().nullable().meta({ description: 'URL of the document; null: it was uploaded' }),
    token_count: tokenCount,
  })
  .meta({ id: 'KnowledgeMatch' });

export const searchResult = z
  .looseObject({
    query: z.string().meta({ description: 'The search text in natural language' }),
    knowledge_base_id: knowledgeBaseId,
    top_k: z.int().meta({ description: 'Maximum number of matches' }),
    total_matches: z.int().meta({ description: 'Number of matches' }),
    matches: z.array(match).meta({ description: 'The matches, best first' }),
  })
  .meta({ id: 'KnowledgeSearchResult' });
