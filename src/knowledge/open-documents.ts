/**
 * Documents whose ingest Temporal must hear of, and those that it has not spoken of for long: the outbox of ingests is
 * a column of their rows. Whoever takes an entry has it for ten seconds.
 */
import type { DocumentRef } from './ingest-engine.ts';
import type { Sql } from '../db/client.ts';

const CLAIM_SECONDS = 10;
const MAX_BACKOFF_SECONDS = 5;

const REF = `d.organization_id AS "organizationId", d.id AS "documentId", d.attempt`;

/** Takes up to `limit` documents whose ingest is to be started; another process sees them only after 10 seconds. */
export function claimStarts(sql: Sql, limit: number): Promise<DocumentRef[]> {
  return sql.query<DocumentRef>(
    `WITH due AS (
       SELECT id FROM knowledge_documents
       WHERE start_due_at <= now() AND status IN ('pending', 'processing')
       ORDER BY start_due_at LIMIT $1 FOR NO KEY UPDATE SKIP LOCKED
     )
     UPDATE knowledge_documents d
     SET start_due_at = now() + make_interval(secs => ${CLAIM_SECONDS}), start_tries = start_tries + 1
     FROM due WHERE d.id = due.id RETURNING ${REF}`,
    [limit],
  );
}

/** Temporal has heard. */
export async function removeStart(sql: Sql, ref: DocumentRef): Promise<void> {
  await sql.query('UPDATE knowledge_documents SET start_due_at = NULL WHERE id = $1 AND attempt = $2', [
    ref.documentId,
    ref.attempt,
  ]);
}

/** Puts an entry back: due again after 0.5 s, 1 s, 2 s, 4 s, then every 5 s. */
export async function retryStart(sql: Sql, ref: DocumentRef): Promise<void> {
  await sql.query(
    `UPDATE knowledge_documents
     SET start_due_at = now() + make_interval(secs => least(${MAX_BACKOFF_SECONDS}, 0.25 * power(2, least(start_tries, 10))))
     WHERE id = $1 AND attempt = $2 AND start_due_at IS NOT NULL`,
    [ref.documentId, ref.attempt],
  );
}

/** Has a document's ingest started (again): Temporal does not know of it. */
export async function addStart(sql: Sql, ref: DocumentRef): Promise<void> {
  await sql.query(
    // Cut: the column would round up, and what is due half a millisecond from now may have to wait for the next round.
    `UPDATE knowledge_documents SET start_due_at = date_trunc('milliseconds', now()), updated_at = now()
     WHERE id = $1 AND attempt = $2 AND status IN ('pending', 'processing')`,
    [ref.documentId, ref.attempt],
  );
}

/**
 * Documents whose ingest was started and has left no trace for so long, by id.
 * @param after the last one of the batch before; null begins anew
 */
export function quietDocuments(
  sql: Sql,
  {
    quietSeconds,
    after,
    limit,
  }: { readonly quietSeconds: number; readonly after: string | null; readonly limit: number },
): Promise<DocumentRef[]> {
  return sql.query<DocumentRef>(
    `SELECT ${REF} FROM knowledge_documents d
     WHERE d.status IN ('pending', 'processing') AND d.start_due_at IS NULL
       AND d.updated_at < now() - make_interval(secs => $1) AND ($2::uuid IS NULL OR d.id > $2)
     ORDER BY d.id LIMIT $3`,
    [quietSeconds, after, limit],
  );
}
