/** What is decided in PostgreSQL and must reach Temporal: written with the decision, delivered by runs/outbox/. */
import type { Sql } from '../../db/client.ts';
import { activeTraceparent } from '../../observe/tracing.ts';

export type OutboxKind = 'start' | 'resume' | 'cancel';

/** Adds an entry. Call inside the transaction that decides what the entry tells. */
export async function addOutbox(
  sql: Sql,
  entry: {
    readonly kind: OutboxKind;
    readonly organizationId: string;
    readonly runPk: string;
    readonly rootRunPk: string;
  },
): Promise<void> {
  await sql.query(
    `INSERT INTO outbox (kind, organization_id, run_pk, root_run_pk, traceparent) VALUES ($1, $2, $3, $4, $5)`,
    [entry.kind, entry.organizationId, entry.runPk, entry.rootRunPk, activeTraceparent()],
  );
}
