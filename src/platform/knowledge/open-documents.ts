/** Finds documents whose ingest is to be started, or has been silent for long. */
import type { DocumentRef } from './ingest-engine.ts';
import type { Sql } from '../../base/db/client.ts';
import { insertEntry } from '../outbox/outbox.ts';

const REF = `d.organization_id AS "organizationId", d.id AS "documentId", d.attempt`;

/** Adds the start of an ingest to the outbox. Call it in the transaction that decides it. */
export function addIngest(
  sql: Sql,
  { organizationId, documentId }: Omit<DocumentRef, 'attempt'>,
): Promise<void> {
  return insertEntry(sql, { kind: 'ingest', organizationId, subjectId: documentId });
}

/** Finds the current attempt at a document; null when it has ended or the document is deleted. */
export async function findOpen(
  sql: Sql,
  { organizationId, documentId }: Omit<DocumentRef, 'attempt'>,
): Promise<DocumentRef | null> {
  const rows = await sql.query<DocumentRef>(
    `SELECT ${REF} FROM knowledge_documents d
     WHERE d.id = $1 AND d.organization_id = $2 AND d.status IN ('pending', 'processing')`,
    [documentId, organizationId],
  );
  return rows[0] ?? null;
}

/**
 * Finds documents whose ingest was started and has been silent for `quietSeconds`, by id.
 * @param after the last id of the previous batch; null starts over
 */
export function findSilentDocuments(
  sql: Sql,
  {
    quietSeconds,
    after,
    limit,
  }: { readonly quietSeconds: number; readonly after: string | null; readonly limit: number },
): Promise<DocumentRef[]> {
  return sql.query<DocumentRef>(
    `SELECT ${REF} FROM knowledge_documents d
     WHERE d.status IN ('pending', 'processing') AND d.updated_at < now() - make_interval(secs => $1)
       AND ($2::uuid IS NULL OR d.id > $2) AND NOT EXISTS (SELECT 1 FROM outbox o WHERE o.subject_id = d.id)
     ORDER BY d.id LIMIT $3`,
    [quietSeconds, after, limit],
  );
}
