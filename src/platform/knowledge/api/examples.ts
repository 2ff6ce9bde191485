/** Examples of knowledge bases, their documents and their search. */
import type { RowExamples } from '../../http/route.ts';
import { AT, IDS, LATER } from '../../http/docs/example-ids.ts';

const config = {
  embedding_config: { provider: 'managed', model: 'text-embedding-3-small', dimensions: 1_536 },
  chunking_config: { strategy: 'recursive', chunk_size: 800, chunk_overlap: 100, unit: 'tokens' },
};
const base = {
  id: IDS.knowledgeBase,
  organization_id: IDS.organization,
  created_by_user_id: IDS.user,
  credential_id: null,
  name: 'Handbook',
  description: 'What support may promise',
  ...config,
  document_count: 1,
  total_chunks: 3,
  total_tokens: 1_840,
  status: 'active',
  stats: {
    documents_by_status: { completed: 1 },
    last_indexed_at: LATER,
    storage_bytes: 20_480,
    searches_30d: 12,
  },
  created_at: AT,
  updated_at: AT,
};
const document = {
  id: IDS.document,
  knowledge_base_id: IDS.knowledgeBase,
  name: 'refunds.md',
  source_type: 'upload',
  mime_type: 'text/markdown',
  size_bytes: 20_480,
  content_hash: 'sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  status: 'completed',
  stage: null,
  progress: { chunks_done: 3, chunks_total: 3 },
  error: null,
  chunk_count: 3,
  token_count: 1_840,
  doc_metadata: { lang: 'en', year: 2026 },
  attempts: 1,
  created_by: IDS.user,
  created_at: AT,
  updated_at: LATER,
  completed_at: LATER,
};
const pending = {
  ...document,
  status: 'pending',
  progress: { chunks_done: 0, chunks_total: null },
  chunk_count: 0,
  token_count: 0,
  updated_at: AT,
  completed_at: null,
};
const passage = { content: 'Refunds are paid within five working days.', token_count: 620 };
const chunk = { id: IDS.chunk, document_id: IDS.document, chunk_index: 1, ...passage };
const match = {
  chunk_id: IDS.chunk,
  document_id: IDS.document,
  document_name: 'refunds.md',
  knowledge_base_id: IDS.knowledgeBase,
  chunk_index: 1,
  score: 0.71,
  ...passage,
  chunk_metadata: { heading: 'Time' },
  doc_metadata: { lang: 'en', year: 2026 },
  source_url: null,
};
const found = { query: 'how long may a refund take', top_k: 3 };
const one = '/knowledge-bases/:knowledge_id';

export const KNOWLEDGE_EXAMPLES: RowExamples = {
  'POST /knowledge-bases': {
    request: { name: 'Handbook', description: 'What support may promise' },
    replies: { 201: base },
  },
  'GET /knowledge-bases': { replies: { 200: { knowledge_bases: [base], next_cursor: null } } },
  [`GET ${one}`]: { replies: { 200: base } },
  [`DELETE ${one}`]: { replies: { 200: { success: true, message: 'Knowledge base deleted' } } },
  [`PATCH ${one}`]: { request: { description: 'For support' }, replies: { 200: base } },
  [`POST ${one}/search`]: {
    request: { ...found, filters: { year: { op: 'gte', value: 2025 } } },
    replies: {
      200: { ...found, knowledge_base_id: IDS.knowledgeBase, total_matches: 1, matches: [match] },
      503: { detail: 'The connection to the model provider failed' },
    },
  },
  [`POST ${one}/documents`]: { replies: { 202: pending, 200: document } },
  [`GET ${one}/documents`]: { replies: { 200: { documents: [document], next_cursor: null } } },
  [`GET ${one}/documents/:document_id`]: { replies: { 200: document } },
  [`DELETE ${one}/documents/:document_id`]: {
    replies: { 200: { success: true, message: 'Document deleted' } },
  },
  [`POST ${one}/documents/:document_id/retry`]: { replies: { 202: { ...pending, attempts: 2 } } },
  [`GET ${one}/documents/:document_id/chunks`]: {
    replies: {
      200: {
        chunks: [{ ...chunk, chunk_metadata: { heading: 'Time' } }],
        has_more: false,
        limit: 50,
        offset: 0,
        next_cursor: null,
        previous_cursor: null,
      },
    },
  },
};
