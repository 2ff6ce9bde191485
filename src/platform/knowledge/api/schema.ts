/** Wire shapes of knowledge bases and of their search. */
import { z } from 'zod';
import { bodyWarnings } from '../../http/unknown-fields.ts';
import { readFilters } from '../../../language/graph/template/metadata-filter.ts';
import { cursor, limit } from '../../http/paginate.ts';
import { jsonObject, moment, uuid } from '../../http/wire.ts';

const name = z.string().min(1).max(255);
const description = z.string().max(10_000);

/** Larger vectors do not fit into an answer of one call of a model (src/platform/knowledge/ingest.ts). */
const MAX_DIMENSIONS = 4_096;

const embeddingConfig = z
  .object({
    provider: z.string().min(1).max(64).nullish(),
    model: z.string().min(1).max(255).nullish(),
    credential_id: uuid.nullish(),
    dimensions: z.int().min(1).max(MAX_DIMENSIONS).nullish(),
  })
  .meta({ id: 'CreateEmbeddingConfig' });
export type GivenEmbedding = z.output<typeof embeddingConfig>;

/** How texts are cut; what is left out is the default. */
export const chunkingConfig = z
  .object({
    strategy: z.literal('recursive').default('recursive'),
    chunk_size: z.int().min(50).max(4_000).default(800),
    chunk_overlap: z.int().min(0).max(2_000).optional(),
    unit: z.literal('tokens').default('tokens'),
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
    name,
    description: description.nullish(),
    embedding_config: embeddingConfig.nullish(),
    chunking_config: chunkingConfig.nullish(),
    credential_id: uuid
      .nullish()
      .meta({ description: "Embedding model on the organization's own account; the managed one by default" }),
    organization_id: uuid.nullish(),
  })
  .meta({ id: 'CreateKnowledgeBase' });
export type NewBase = z.output<typeof newBase>;

export const baseChange = z
  .object({
    name: name.optional(),
    description: description.optional(),
    embedding_config: embeddingConfig.optional(),
    chunking_config: chunkingConfig.optional(),
    credential_id: uuid.nullable().optional(),
  })
  .meta({ id: 'KnowledgeBaseChange' });
export type BaseChange = z.output<typeof baseChange>;

export const baseList = z.object({ limit: limit(50), cursor });

export const base = z
  .looseObject({
    id: uuid,
    organization_id: uuid,
    created_by_user_id: uuid.nullable(),
    credential_id: uuid.nullable().meta({ description: 'Id of the credential; null: the managed account' }),
    name: z.string(),
    description: z.string(),
    embedding_config: z
      .looseObject({
        provider: z.string(),
        model: z.string(),
        dimensions: z.int().nullable(),
        credential_id: uuid.optional(),
      })
      .meta({ id: 'EmbeddingConfig' }),
    chunking_config: z
      .looseObject({
        strategy: z.string(),
        chunk_size: z.int(),
        chunk_overlap: z.int(),
        unit: z.string(),
      })
      .meta({ id: 'ChunkingConfig' }),
    document_count: z.int(),
    total_chunks: z.int(),
    total_tokens: z.int(),
    status: z.enum(['active', 'indexing']),
    stats: z
      .looseObject({
        documents_by_status: z.record(z.string(), z.int()),
        last_indexed_at: moment.nullable(),
        storage_bytes: z.int(),
        searches_30d: z.int(),
      })
      .meta({ id: 'KnowledgeBaseStats' }),
    created_at: moment,
    updated_at: moment,
    warnings: bodyWarnings,
  })
  .meta({ id: 'KnowledgeBase' });
export const bases = z
  .looseObject({
    knowledge_bases: z.array(base),
    next_cursor: z.string().nullable(),
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
    query: z.string().min(1).max(10_000),
    top_k: z.int().min(1).max(50).default(5),
    min_score: z.number().min(0).max(1).default(0),
    filters: filters.nullish(),
    include_content: z.boolean().default(true),
    include_metadata: z.boolean().default(true),
  })
  .meta({ id: 'KnowledgeSearch' });
export type SearchBody = z.output<typeof searchBody>;

const match = z
  .looseObject({
    chunk_id: uuid,
    document_id: uuid,
    document_name: z.string(),
    knowledge_base_id: uuid,
    chunk_index: z.int(),
    score: z.number(),
    content: z.string().optional(),
    chunk_metadata: jsonObject.optional(),
    doc_metadata: jsonObject.optional(),
    source_url: z.string().nullable(),
    token_count: z.int(),
  })
  .meta({ id: 'KnowledgeMatch' });

export const searchResult = z
  .looseObject({
    query: z.string(),
    knowledge_base_id: uuid,
    top_k: z.int(),
    total_matches: z.int(),
    matches: z.array(match),
  })
  .meta({ id: 'KnowledgeSearchResult' });
