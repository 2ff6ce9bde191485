/**
 * The steps of an ingest as transactions: read, store pieces, convert pieces to chunks, end. Each is fenced by the document's
 * attempt and idempotent, so a lost worker leaves neither gaps nor duplicates.
 */
import { computeTokenPrice } from '../billing/prices.ts';
import { settle } from '../billing/settlement.ts';
import { recordUsage } from '../billing/usage.ts';
import type { Db, Sql } from '../../base/db/client.ts';
import type { DocumentRef } from './ingest-engine.ts';
import { BASE_COLUMNS, isManaged, type KnowledgeBase, type StoredChunking } from './bases.ts';
import { DOCUMENT_COLUMNS, makeCurrent, type DocumentRow } from './documents.ts';
import type { EmbeddingResult } from './embedding-port.ts';
import type { Extraction } from './extraction-port.ts';

/** Limit of one document. */
export const MAX_CHUNKS = 20_000;

/** Rows per INSERT, to limit the size of its parameters. */
const ROWS_AT_ONCE = 1_000;

interface LockedDocument {
  readonly base: KnowledgeBase;
  readonly document: DocumentRow;
}

/** Locks base and document until the transaction ends; null when this attempt is not running (any more). */
async function lockAttempt(tx: Sql, ref: DocumentRef): Promise<LockedDocument | null> {
  const [base] = await tx.query<KnowledgeBase>(
    `SELECT ${BASE_COLUMNS} FROM knowledge_bases
     WHERE id = (SELECT knowledge_base_id FROM knowledge_documents WHERE id = $1 AND organization_id = $2)
     FOR KEY SHARE`,
    [ref.documentId, ref.organizationId],
  );
  if (base === undefined) return null;
  const [document] = await tx.query<DocumentRow>(
    `SELECT ${DOCUMENT_COLUMNS} FROM knowledge_documents
     WHERE id = $1 AND attempt = $2 AND status IN ('pending', 'processing') FOR NO KEY UPDATE`,
    [ref.documentId, ref.attempt],
  );
  return document === undefined ? null : { base, document };
}

interface OpenedDocument {
  /** Number of pieces that an earlier try stored; null before that. */
  readonly piecesStored: number | null;
  readonly name: string;
  readonly content: Uint8Array;
  readonly chunking: StoredChunking;
}

/** Opens a document for an ingest; null when the attempt has ended. */
export function openDocument(db: Db, ref: DocumentRef): Promise<OpenedDocument | null> {
  return db.transaction(async (tx) => {
    const locked = await lockAttempt(tx, ref);
    if (locked === null) return null;
    const { base, document } = locked;
    const shared = { name: document.name, chunking: document.chunking_config ?? base.chunking_config };
    if (document.chunks_total !== null) {
      return { ...shared, piecesStored: document.chunks_total, content: new Uint8Array() };
    }
    await tx.query(
      `UPDATE knowledge_documents SET status = 'processing', stage = 'parsing', updated_at = now()
       WHERE id = $1`,
      [document.id],
    );
    const [row] = await tx.query<{ content: Buffer }>(
      'SELECT content FROM knowledge_contents WHERE document_id = $1',
      [document.id],
    );
    if (row === undefined) throw new Error('the document has no content');
    return { ...shared, piecesStored: null, content: row.content };
  });
}

const INSERT_PIECES = `
  INSERT INTO knowledge_pieces (document_id, position, content, token_count, chunk_metadata)
  SELECT $1, p.position, p.content, p.tokens, p.metadata::jsonb
  FROM unnest($2::integer[], $3::text[], $4::integer[], $5::text[]) AS p(position, content, tokens, metadata)
  ON CONFLICT DO NOTHING`;

/** Stores the pieces of a document. @returns false when the attempt has ended */
export function storePieces(db: Db, ref: DocumentRef, extraction: Extraction): Promise<boolean> {
  return db.transaction(async (tx) => {
    const locked = await lockAttempt(tx, ref);
    if (locked === null) return false;
    if (locked.document.chunks_total !== null) return true;
    const { chunks } = extraction;
    for (let at = 0; at < chunks.length; at += ROWS_AT_ONCE) {
      const rows = chunks.slice(at, at + ROWS_AT_ONCE);
      await tx.query(INSERT_PIECES, [
        ref.documentId,
        rows.map((chunk) => chunk.position),
        // PostgreSQL rejects NUL in text.
        rows.map((chunk) => chunk.text.replaceAll('\0', '')),
        rows.map((chunk) => chunk.tokens),
        rows.map(({ heading }) =>
          JSON.stringify(heading === undefined ? {} : { heading: heading.replaceAll('\0', '') }),
        ),
      ]);
    }
    await tx.query(
      `UPDATE knowledge_documents SET stage = 'embedding', chunks_total = $2, updated_at = now() WHERE id = $1`,
      [ref.documentId, chunks.length],
    );
    return true;
  });
}

interface Piece {
  readonly position: number;
  readonly content: string;
}

/** Texts per call of the model, limited so that the response fits 4 MB of JSON. */
const CALL_TEXTS = 64;
const CALL_NUMBERS = 128 * 1024;
const UNKNOWN_DIMENSION = 4_096;

/** Selects the next pieces without vectors; null when the attempt has ended. */
export async function nextPieces(
  db: Db,
  ref: DocumentRef,
): Promise<{ readonly base: KnowledgeBase; readonly pieces: readonly Piece[] } | null> {
  const [base] = await db.query<KnowledgeBase>(
    `SELECT ${BASE_COLUMNS} FROM knowledge_bases WHERE id = (
       SELECT knowledge_base_id FROM knowledge_documents
       WHERE id = $1 AND organization_id = $2 AND attempt = $3 AND status = 'processing')`,
    [ref.documentId, ref.organizationId, ref.attempt],
  );
  if (base === undefined) return null;
  const dimension = base.dimension ?? base.embedding_config.dimensions ?? UNKNOWN_DIMENSION;
  const texts = Math.max(1, Math.min(CALL_TEXTS, Math.floor(CALL_NUMBERS / dimension)));
  const pieces = await db.query<Piece>(
    'SELECT position, content FROM knowledge_pieces WHERE document_id = $1 ORDER BY position LIMIT $2',
    [ref.documentId, texts],
  );
  return { base, pieces };
}

// Deleting the pieces makes a repeated call find none.
const MOVE = `
  WITH moved AS (
    DELETE FROM knowledge_pieces p USING unnest($2::integer[], $3::text[]) AS v(position, embedding)
    WHERE p.document_id = $1 AND p.position = v.position
    RETURNING p.position, p.content, p.token_count, p.chunk_metadata, v.embedding
  )
  INSERT INTO knowledge_chunks (knowledge_base_id, document_id, position, content, token_count, chunk_metadata, dimension, embedding)
  SELECT $4, $1, position, content, token_count, chunk_metadata, $5, embedding::real[]::vector FROM moved
  ON CONFLICT (document_id, position) DO NOTHING RETURNING 1`;

/** Sets the dimension of a base with its first vectors. @returns the dimension, possibly set by another transaction */
async function fixDimension(tx: Sql, base: KnowledgeBase, dimension: number): Promise<number | null> {
  const [agreed] = await tx.query<{ dimension: number }>(
    'UPDATE knowledge_bases SET dimension = coalesce(dimension, $2) WHERE id = $1 RETURNING dimension',
    [base.id, dimension],
  );
  return agreed?.dimension ?? null;
}

/**
 * Stores the vectors of the first pieces and their cost.
 * @returns false when the attempt has ended; `mismatch` when the base has vectors of another length
 */
export function storeVectors(
  db: Db,
  ref: DocumentRef,
  { pieces, embedded }: { readonly pieces: readonly Piece[]; readonly embedded: EmbeddingResult },
): Promise<boolean | 'mismatch'> {
  const dimension = embedded.vectors[0]?.length ?? 0;
  return db.transaction(async (tx) => {
    const locked = await lockAttempt(tx, ref);
    if (locked === null) return false;
    const { base, document } = locked;
    if ((base.dimension ?? (await fixDimension(tx, base, dimension))) !== dimension) return 'mismatch';
    const moved = await tx.query(MOVE, [
      ref.documentId,
      pieces.slice(0, embedded.vectors.length).map(({ position }) => position),
      embedded.vectors.map((vector) => `{${vector.join(',')}}`),
      base.id,
      dimension,
    ]);
    // Another attempt of the activity was faster, so only its call is billed.
    if (moved.length === 0) return true;
    const managed = isManaged(base);
    const tokens = { input_tokens: embedded.tokens, output_tokens: 0 };
    const use = {
      kind: 'embedding',
      model: base.embedding_config.model,
      isByok: !managed,
      inputTokens: embedded.tokens,
      outputTokens: 0,
      creditsMc: managed ? computeTokenPrice('embedding', tokens) : 0,
    };
    const { ingest_id: subjectId, id: stepId, organization_id: organizationId } = document;
    await recordUsage(tx, { organizationId, subjectId, stepId }, [use]);
    return true;
  });
}

/** Completes an ingest after its last vector; searches find its chunks from now on. */
export function completeDocument(db: Db, ref: DocumentRef): Promise<void> {
  return db.transaction(async (tx) => {
    const locked = await lockAttempt(tx, ref);
    if (locked === null) return;
    const [left] = await tx.query('SELECT 1 FROM knowledge_pieces WHERE document_id = $1 LIMIT 1', [
      ref.documentId,
    ]);
    if (left !== undefined) throw new Error('the document has pieces without vectors');
    await tx.query(
      `UPDATE knowledge_documents SET status = 'completed', stage = NULL, completed_at = now(), updated_at = now()
       WHERE id = $1`,
      [ref.documentId],
    );
    await makeCurrent(tx, locked.document, false);
    await tx.query('UPDATE knowledge_bases SET last_indexed_at = now() WHERE id = $1', [locked.base.id]);
    await settle(tx, [locked.document.ingest_id]);
  });
}

/** Fails an ingest: removes its pieces and chunks and stores the error. @returns false when it had ended before */
export function failDocument(
  db: Db,
  ref: DocumentRef,
  error: { readonly code: string; readonly message: string },
): Promise<boolean> {
  return db.transaction(async (tx) => {
    const locked = await lockAttempt(tx, ref);
    if (locked === null) return false;
    await tx.query('DELETE FROM knowledge_pieces WHERE document_id = $1', [ref.documentId]);
    await tx.query('DELETE FROM knowledge_chunks WHERE document_id = $1', [ref.documentId]);
    await tx.query(
      `UPDATE knowledge_documents
       SET status = 'failed', stage = NULL, error = $2::json, updated_at = now() WHERE id = $1`,
      [ref.documentId, JSON.stringify({ code: error.code, message: error.message })],
    );
    await settle(tx, [locked.document.ingest_id]);
    return true;
  });
}
