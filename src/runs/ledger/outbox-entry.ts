/** Entries of the outbox: decisions of PostgreSQL that must reach Temporal, written with the decision. runs/outbox/ delivers them. */
import type { Sql } from '../../db/client.ts';
import { activeTraceparent, follow } from '../../observe/tracing.ts';

export type OutboxKind = 'start' | 'resume' | 'cancel';

/**
 * Adds an entry, in the transaction of its decision. The trace of the decision is linked to the one that the run was started
 * in.
 */
export async function addOutbox(
  sql: Sql,
  entry: {
    readonly kind: OutboxKind;
    readonly organizationId: string;
    readonly runPk: string;
    readonly rootRunPk: string;
  },
): Promise<void> {
  const [added] = await sql.query<{ begun_in: string | null }>(
    `INSERT INTO outbox (kind, organization_id, run_pk, root_run_pk, traceparent) VALUES ($1, $2, $3, $4, $5)
     RETURNING (SELECT r.traceparent FROM runs r WHERE r.id = outbox.root_run_pk) AS begun_in`,
    [entry.kind, entry.organizationId, entry.runPk, entry.rootRunPk, activeTraceparent()],
  );
  follow(added?.begun_in ?? null);
}
