/** Selects, accepts, retries and removes documents of knowledge bases; ingest.ts ingests them. */
import { createHash, randomUUID } from 'node:crypto';
import { admit, type Admission } from '../billing/admission.ts';
import { settle } from '../billing/settlement.ts';
import type { Sql } from '../../base/db/client.ts';
import type { JsonObject } from '../../language/graph/values/value.ts';
import { isManaged, type KnowledgeBase, type StoredChunking } from './bases.ts';
import { addIngest } from './open-documents.ts';

/** Longer than any ingest; the credits that a lost one reserved are released afterwards. */
const LEASE_SECONDS = 12 * 3_600;

export type DocumentStatus = 'pending' | 'processing' | 'completed' | 'failed';

export interface DocumentRow {
  readonly id: string;
  readonly organization_id: string;
  readonly knowledge_base_id: string;
  readonly name: string;
  readonly mime_type: string;
  readonly size_bytes: number;
  readonly content_hash: string;
  readonly doc_metadata: JsonObject;
  readonly chunking_config: StoredChunking | null;
  readonly status: DocumentStatus;
  readonly stage: string | null;
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly chunks_total: number | null;
  readonly chunk_count: number;
  readonly token_count: number;
  readonly attempt: number;
  readonly ingest_id: string;
  readonly created_by: string | null;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly completed_at: Date | null;
  /** When a new version of the document replaced it in searches; null: it is the current one. */
  readonly replaced_at: Date | null;
}

export const DOCUMENT_COLUMNS = `
  id, organization_id, knowledge_base_id, name, mime_type, size_bytes, content_hash, doc_metadata, chunking_config,
  status, stage, error, chunks_total, chunk_count, token_count, attempt, ingest_id, created_by, created_at, updated_at,
  completed_at, replaced_at`;

/** Selects a document of a base; null when it does not exist. @param lock for update until the transaction ends */
export async function selectDocument(
  sql: Sql,
  {
    base,
    documentId,
  }: { readonly base: Pick<KnowledgeBase, 'id' | 'organization_id'>; readonly documentId: string },
  lock = false,
): Promise<DocumentRow | null> {
  const rows = await sql.query<DocumentRow>(
    `SELECT ${DOCUMENT_COLUMNS} FROM knowledge_documents
     WHERE organization_id = $1 AND knowledge_base_id = $2 AND id = $3 ${lock ? 'FOR UPDATE' : ''}`,
    [base.organization_id, base.id, documentId],
  );
  return rows[0] ?? null;
}

export interface Upload {
  readonly name: string;
  /** True for a name that was sent beside the file, which may rename an existing document. */
  readonly isNamed: boolean;
  readonly mimeType: string;
  readonly content: Uint8Array;
  /** Null when not sent; an existing document keeps its own. */
  readonly docMetadata: JsonObject | null;
  /** Null for the base's chunking. */
  readonly chunking: StoredChunking | null;
  readonly createdBy: string | null;
}

const INSERT = `
  INSERT INTO knowledge_documents (organization_id, knowledge_base_id, name, mime_type, size_bytes, content_hash,
                                   doc_metadata, chunking_config, ingest_id, created_by)
  VALUES ($1, $2, $3, $4, $5, $6, $7::jsonb, $8::json, $9, $10)
  ON CONFLICT (knowledge_base_id, content_hash) DO NOTHING RETURNING ${DOCUMENT_COLUMNS}`;

// A repeated upload without a difference writes nothing.
const UPDATE_EXISTING = `
  UPDATE knowledge_documents SET doc_metadata = coalesce($3::jsonb, doc_metadata), name = coalesce($4, name), updated_at = now()
  WHERE knowledge_base_id = $1 AND content_hash = $2
    AND (doc_metadata IS DISTINCT FROM coalesce($3::jsonb, doc_metadata) OR name IS DISTINCT FROM coalesce($4, name))`;

const LOCK_VERSIONS = 'SELECT pg_advisory_xact_lock(hashtextextended($1::text || $2::text, 0))';

const LATER_VERSION = `
  SELECT 1 FROM knowledge_documents
  WHERE knowledge_base_id = $1 AND name = $2 AND status = 'completed' AND replaced_at IS NULL
    AND (created_at, id) > ($3::timestamptz, $4::uuid) LIMIT 1`;

const CHOOSE_VERSION = `
  UPDATE knowledge_documents SET replaced_at = CASE WHEN id = $3 THEN NULL ELSE now() END
  WHERE knowledge_base_id = $1 AND name = $2 AND status = 'completed' AND (id = $3) = (replaced_at IS NOT NULL)`;

/**
 * Makes a completed document the one of its name that searches find, in the caller's transaction. Documents of one name are versions
 * of one document.
 * @param isUpload false for the end of an ingest, which loses against a version that was uploaded after it
 */
export async function makeCurrent(
  tx: Sql,
  { id, knowledge_base_id: baseId, name, created_at: createdAt }: DocumentRow,
  isUpload: boolean,
): Promise<void> {
  // Of two versions that end together, the second sees the first.
  await tx.query(LOCK_VERSIONS, [baseId, name]);
  const later = isUpload ? [] : await tx.query(LATER_VERSION, [baseId, name, createdAt, id]);
  if (later.length > 0)
    await tx.query('UPDATE knowledge_documents SET replaced_at = now() WHERE id = $1', [id]);
  else await tx.query(CHOOSE_VERSION, [baseId, name, id]);
}

/** Updates the document with the same content: the metadata and name of the last upload apply. */
async function updateExisting(
  tx: Sql,
  { base, upload }: { readonly base: KnowledgeBase; readonly upload: Upload },
  hash: string,
): Promise<DocumentRow> {
  const { docMetadata, isNamed, name } = upload;
  const given = docMetadata === null ? null : JSON.stringify(docMetadata);
  await tx.query(UPDATE_EXISTING, [base.id, hash, given, isNamed ? name : null]);
  const [document] = await tx.query<DocumentRow>(
    `SELECT ${DOCUMENT_COLUMNS} FROM knowledge_documents WHERE knowledge_base_id = $1 AND content_hash = $2`,
    [base.id, hash],
  );
  if (document === undefined) throw new Error('the document with the same content was just deleted');
  if (document.status !== 'completed') return document;
  await makeCurrent(tx, document, true);
  return { ...document, replaced_at: null };
}

/**
 * Accepts a document in the caller's transaction, which locks the base; its ingest is certain after the commit. A document
 * with the same content is updated with the given metadata and name at no cost.
 * @param terms called for managed bases only, and last, because the gate locks the organization's account
 * @throws ApiError shape D; the caller rolls back
 */
export async function acceptDocument(
  tx: Sql,
  { base, upload }: { readonly base: KnowledgeBase; readonly upload: Upload },
  terms: () => Admission,
): Promise<{ readonly document: DocumentRow; readonly isNew: boolean }> {
  const hash = createHash('sha256').update(upload.content).digest('hex');
  const ingestId = randomUUID();
  const [inserted] = await tx.query<DocumentRow>(INSERT, [
    base.organization_id,
    base.id,
    upload.name,
    upload.mimeType,
    upload.content.byteLength,
    hash,
    JSON.stringify(upload.docMetadata ?? {}),
    upload.chunking === null ? null : JSON.stringify(upload.chunking),
    ingestId,
    upload.createdBy,
  ]);
  if (inserted === undefined)
    return { document: await updateExisting(tx, { base, upload }, hash), isNew: false };
  await tx.query('INSERT INTO knowledge_contents (document_id, content) VALUES ($1, $2)', [
    inserted.id,
    upload.content,
  ]);
  await addIngest(tx, { organizationId: base.organization_id, documentId: inserted.id });
  if (isManaged(base)) await admit(tx, terms(), { subjectId: ingestId, leaseSeconds: LEASE_SECONDS });
  return { document: inserted, isNew: true };
}

/**
 * Starts another attempt at a failed document, which the caller's transaction locks.
 * @throws ApiError shape D, as for a new document
 */
export async function retryDocument(
  tx: Sql,
  { base, document }: { readonly base: KnowledgeBase; readonly document: DocumentRow },
  terms: () => Admission,
): Promise<DocumentRow> {
  const ingestId = randomUUID();
  const [row] = await tx.query<DocumentRow>(
    `UPDATE knowledge_documents
     SET status = 'pending', stage = NULL, error = NULL, chunks_total = NULL, attempt = attempt + 1, ingest_id = $2,
         updated_at = now()
     WHERE id = $1 RETURNING ${DOCUMENT_COLUMNS}`,
    [document.id, ingestId],
  );
  if (row === undefined) throw new Error('the locked document is gone');
  await addIngest(tx, { organizationId: base.organization_id, documentId: document.id });
  if (isManaged(base)) await admit(tx, terms(), { subjectId: ingestId, leaseSeconds: LEASE_SECONDS });
  return row;
}

/** Removes a document and its chunks; a running ingest finds it missing. Call it last: it locks the organization's account. */
export async function removeDocument(tx: Sql, document: DocumentRow): Promise<void> {
  await tx.query('DELETE FROM knowledge_documents WHERE id = $1', [document.id]);
  await settle(tx, [document.ingest_id]);
}

/** Removes a base that is locked for update. Call it last: it locks the organization's account. */
export async function removeBase(tx: Sql, base: KnowledgeBase): Promise<void> {
  const open = await tx.query<{ ingest_id: string }>(
    `SELECT ingest_id FROM knowledge_documents
     WHERE knowledge_base_id = $1 AND status IN ('pending', 'processing')`,
    [base.id],
  );
  // One statement; the cascade would delete document by document.
  await tx.query('DELETE FROM knowledge_chunks WHERE knowledge_base_id = $1', [base.id]);
  await tx.query('DELETE FROM knowledge_bases WHERE id = $1', [base.id]);
  if (open.length > 0)
    await settle(
      tx,
      open.map((row) => row.ingest_id),
    );
}
