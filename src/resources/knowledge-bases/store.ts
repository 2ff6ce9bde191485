/** The queries of knowledge bases, their documents and chunks as lists show them, all within one organization. */
import type { Sql } from '../../db/client.ts';
import type { JsonObject } from '../../graph/value.ts';
import type { Position } from '../../http/cursor.ts';
import {
  BASE_COLUMNS,
  type EmbeddingConfig,
  type KnowledgeBase,
  type StoredChunking,
} from '../../knowledge/bases.ts';
import { DOCUMENT_COLUMNS, type DocumentRow, type DocumentStatus } from '../../knowledge/documents.ts';

export interface BaseFields {
  readonly name: string;
  readonly description: string;
  readonly credentialId: string | null;
  readonly embedding: EmbeddingConfig;
  readonly chunking: StoredChunking;
}

/** How many bases the organization has, under the lock that making one holds, too. */
export async function countBases(tx: Sql, organizationId: string): Promise<number> {
  await tx.query('SELECT 1 FROM organizations WHERE id = $1 FOR NO KEY UPDATE', [organizationId]);
  const [row] = await tx.query<{ count: number }>(
    'SELECT count(*) AS count FROM knowledge_bases WHERE organization_id = $1',
    [organizationId],
  );
  return row?.count ?? 0;
}

export async function insertBase(
  tx: Sql,
  of: { readonly organizationId: string; readonly userId: string },
  fields: BaseFields,
): Promise<KnowledgeBase | undefined> {
  const [row] = await tx.query<KnowledgeBase>(
    `INSERT INTO knowledge_bases (organization_id, created_by, credential_id, name, description, embedding_config,
                                  chunking_config)
     VALUES ($1, $2, $3, $4, $5, $6::json, $7::json) RETURNING ${BASE_COLUMNS}`,
    [
      of.organizationId,
      of.userId,
      fields.credentialId,
      fields.name,
      fields.description,
      JSON.stringify(fields.embedding),
      JSON.stringify(fields.chunking),
    ],
  );
  return row;
}

/** @param change `forgetsDimension` of its vectors: there are none, and the next ones may be of another */
export async function updateBase(
  tx: Sql,
  base: KnowledgeBase,
  { fields, forgetsDimension }: { readonly fields: BaseFields; readonly forgetsDimension: boolean },
): Promise<void> {
  await tx.query(
    `UPDATE knowledge_bases
     SET name = $2, description = $3, credential_id = $4, embedding_config = $5::json, chunking_config = $6::json,
         dimension = CASE WHEN $7 THEN NULL ELSE dimension END, updated_at = now()
     WHERE id = $1`,
    [
      base.id,
      fields.name,
      fields.description,
      fields.credentialId,
      JSON.stringify(fields.embedding),
      JSON.stringify(fields.chunking),
      forgetsDimension,
    ],
  );
}

/** Whether a document is in the base, or on its way into it. */
export async function hasDocuments(tx: Sql, knowledgeBaseId: string): Promise<boolean> {
  const rows = await tx.query(
    `SELECT 1 FROM knowledge_documents WHERE knowledge_base_id = $1 AND status <> 'failed' LIMIT 1`,
    [knowledgeBaseId],
  );
  return rows.length > 0;
}

/** A base with what is counted when it is looked at. */
export interface BaseFacts {
  readonly base: KnowledgeBase;
  readonly byStatus: Readonly<Record<string, number>>;
  readonly searches: number;
}

/** The facts of bases, in their order. */
export async function readFacts(sql: Sql, bases: readonly KnowledgeBase[]): Promise<BaseFacts[]> {
  const ids = bases.map(({ id }) => id);
  const statuses = await sql.query<{ id: string; status: DocumentStatus; count: number }>(
    `SELECT knowledge_base_id AS id, status, count(*) AS count FROM knowledge_documents
     WHERE knowledge_base_id = ANY ($1::uuid[]) GROUP BY 1, 2`,
    [ids],
  );
  const searches = await sql.query<{ id: string; count: number }>(
    `SELECT knowledge_base_id AS id, sum(searches) AS count FROM knowledge_searches
     WHERE knowledge_base_id = ANY ($1::uuid[]) AND day > (now() AT TIME ZONE 'UTC')::date - 30 GROUP BY 1`,
    [ids],
  );
  return bases.map((base) => ({
    base,
    byStatus: Object.fromEntries(
      statuses.filter(({ id }) => id === base.id).map(({ status, count }) => [status, count]),
    ),
    searches: searches.find(({ id }) => id === base.id)?.count ?? 0,
  }));
}

/** The place behind which a page begins, newest first. */
const AFTER = `($2::timestamptz IS NULL OR (created_at, id) < ($2::timestamptz, $3::uuid))`;

export function listBases(
  sql: Sql,
  organizationId: string,
  { after, limit }: { readonly after: Position | null; readonly limit: number },
): Promise<KnowledgeBase[]> {
  return sql.query<KnowledgeBase>(
    `SELECT ${BASE_COLUMNS} FROM knowledge_bases WHERE organization_id = $1 AND ${AFTER}
     ORDER BY created_at DESC, id DESC LIMIT $4`,
    [organizationId, after?.updatedAt ?? null, after?.rowId ?? null, limit],
  );
}

export function listDocuments(
  sql: Sql,
  base: KnowledgeBase,
  page: { readonly after: Position | null; readonly limit: number; readonly status: DocumentStatus | null },
): Promise<DocumentRow[]> {
  return sql.query<DocumentRow>(
    `SELECT ${DOCUMENT_COLUMNS} FROM knowledge_documents
     WHERE knowledge_base_id = $1 AND ${AFTER} AND ($5::text IS NULL OR status = $5)
     ORDER BY created_at DESC, id DESC LIMIT $4`,
    [base.id, page.after?.updatedAt ?? null, page.after?.rowId ?? null, page.limit, page.status],
  );
}

export interface ChunkRow {
  readonly id: string;
  readonly document_id: string;
  readonly position: number;
  readonly content: string;
  readonly token_count: number;
  readonly chunk_metadata: JsonObject;
}

/** The chunks of a document in their order. */
export function listChunks(
  sql: Sql,
  documentId: string,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<ChunkRow[]> {
  return sql.query<ChunkRow>(
    `SELECT id, document_id, position, content, token_count, chunk_metadata FROM knowledge_chunks
     WHERE document_id = $1 ORDER BY position LIMIT $2 OFFSET $3`,
    [documentId, limit, offset],
  );
}

/** An account as a base may use it; null when the organization has none of that id. Keeps it from being deleted. */
export async function selectAccount(
  tx: Sql,
  organizationId: string,
  credentialId: string,
): Promise<{ readonly integration: string } | null> {
  const [row] = await tx.query<{ integration: string }>(
    'SELECT integration FROM credentials WHERE organization_id = $1 AND id = $2 FOR KEY SHARE',
    [organizationId, credentialId],
  );
  return row ?? null;
}
