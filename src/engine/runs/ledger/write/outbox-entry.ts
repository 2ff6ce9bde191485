/** Decisions about runs that must reach Temporal: each writes an outbox entry in its transaction. */
import type { Sql } from '../../../../base/db/client.ts';
import { activeTraceparent, follow } from '../../../../base/observe/tracing.ts';
import { insertEntry } from '../../../../platform/outbox/outbox.ts';
import type { RunRef } from '../../engine.ts';

/** Adds an entry in the transaction of the decision. The trace of the decision is linked to the trace of the run's start. */
export async function addOutbox(
  sql: Sql,
  { kind, organizationId, rootRunPk }: RunRef & { readonly kind: 'start' | 'resume' | 'cancel' | 'waits' },
): Promise<void> {
  await insertEntry(sql, { kind, organizationId, subjectId: rootRunPk });
  await linkStartTrace(sql, { organizationId, rootRunPk });
}

/** Links the active span, if there is one, to the trace of the run's start. */
export async function linkStartTrace(sql: Sql, { organizationId, rootRunPk }: RunRef): Promise<void> {
  if (activeTraceparent() === null) return;
  const [run] = await sql.query<{ traceparent: string | null }>(
    'SELECT traceparent FROM runs WHERE id = $1 AND organization_id = $2',
    [rootRunPk, organizationId],
  );
  follow(run?.traceparent ?? null);
}
