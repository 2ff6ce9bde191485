/** Queries of knowledge bases and the lists of their documents and chunks, within one organization. */
import { composePage, pageByNumber, type PageRead } from '../../../base/db/keyset.ts';
import { systemClock } from '../../../base/clock.ts';
import type { Db, Sql } from '../../../base/db/client.ts';
import type { Prisma } from '../../../base/db/generated/client.ts';
import { BASE_COLUMNS, type EmbeddingConfig, type KnowledgeBase, type StoredChunking } from '../bases.ts';
import { DOCUMENT_COLUMNS, type DocumentRow, type DocumentStatus } from '../documents.ts';

export interface BaseFields {
  readonly name: string;
  readonly description: string;
  readonly credentialId: string | null;
  readonly embedding: EmbeddingConfig;
  readonly chunking: StoredChunking;
}

/** Locks the organization, so that bases are created one after the other, and counts its bases. */
export async function lockAndCountBases(tx: Sql, organizationId: string): Promise<number> {
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

/** @param change `forgetsDimension`: the base has no vectors, and the next ones may have another dimension */
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

/** True if the base has a document that has not failed. */
export async function hasDocuments(tx: Sql, knowledgeBaseId: string): Promise<boolean> {
  const rows = await tx.query(
    `SELECT 1 FROM knowledge_documents WHERE knowledge_base_id = $1 AND status <> 'failed' LIMIT 1`,
    [knowledgeBaseId],
  );
  return rows.length > 0;
}

/** A base with the counts that are computed on each read. */
export interface BaseWithCounts {
  readonly base: KnowledgeBase;
  readonly byStatus: Readonly<Record<string, number>>;
  readonly searches: number;
}

/** Days that `searches_30d` counts, today included. */
const SEARCH_DAYS = 30;

/** Reads the counts of bases, in the order of the bases. */
export async function readCounts(
  { prisma }: Pick<Db, 'prisma'>,
  bases: readonly KnowledgeBase[],
): Promise<BaseWithCounts[]> {
  const knowledgeBaseId = { in: bases.map(({ id }) => id) };
  const firstDay = new Date(systemClock.now());
  firstDay.setUTCHours(0, 0, 0, 0);
  firstDay.setUTCDate(firstDay.getUTCDate() - SEARCH_DAYS + 1);
  const [statuses, searches] = await Promise.all([
    prisma.knowledgeDocument.groupBy({
      by: ['knowledgeBaseId', 'status'],
      where: { knowledgeBaseId },
      _count: true,
    }),
    prisma.knowledgeSearch.groupBy({
      by: ['knowledgeBaseId'],
      where: { knowledgeBaseId, day: { gte: firstDay } },
      _sum: { searches: true },
    }),
  ]);
  return bases.map((base) => ({
    base,
    byStatus: Object.fromEntries(
      statuses.filter((row) => row.knowledgeBaseId === base.id).map((row) => [row.status, row._count]),
    ),
    searches: searches.find((row) => row.knowledgeBaseId === base.id)?._sum.searches ?? 0,
  }));
}

export function listBases(sql: Sql, organizationId: string, page: PageRead): Promise<KnowledgeBase[]> {
  const params: unknown[] = [organizationId];
  const { condition, tail } = composePage(params, page, ['created_at', 'id']);
  return sql.query<KnowledgeBase>(
    `SELECT ${BASE_COLUMNS} FROM knowledge_bases WHERE organization_id = $1 AND ${condition} ${tail}`,
    params,
  );
}

export function listDocuments(
  sql: Sql,
  base: KnowledgeBase,
  { status, ...page }: PageRead & { readonly status: DocumentStatus | null },
): Promise<DocumentRow[]> {
  const params: unknown[] = [base.id, status];
  const { condition, tail } = composePage(params, page, ['created_at', 'id']);
  return sql.query<DocumentRow>(
    `SELECT ${DOCUMENT_COLUMNS} FROM knowledge_documents
     WHERE knowledge_base_id = $1 AND ($2::text IS NULL OR status = $2) AND ${condition} ${tail}`,
    params,
  );
}

/** The columns of a chunk in lists: without its vector. */
const CHUNK = {
  select: {
    id: true,
    documentId: true,
    position: true,
    content: true,
    tokenCount: true,
    chunkMetadata: true,
  },
} as const;
export type ChunkRow = Prisma.KnowledgeChunkGetPayload<typeof CHUNK>;

/** Lists the chunks of a document in their order. */
export function listChunks(
  { prisma }: Pick<Db, 'prisma'>,
  documentId: string,
  page: PageRead,
): Promise<ChunkRow[]> {
  const { behind, ...rest } = pageByNumber(page, 'position', 'lowest');
  return prisma.knowledgeChunk.findMany({ ...CHUNK, where: { documentId, AND: behind }, ...rest });
}

/** Locks an account against deletion and returns its integration; null when the organization has none of that id. */
export async function lockAccount(
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
