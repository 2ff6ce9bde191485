/**
 * Answers of callbacks in the database. An answer that comes before its node waits is kept until the node opens its question;
 * the question takes it then, and is never asked.
 */
import type { Sql } from '../../../../base/db/client.ts';
import type { Json } from '../../../../language/graph/values/value.ts';
import type { RunRef } from '../../engine.ts';
import { INTERRUPT_COLUMNS, type InterruptRow } from './questions.ts';

/** One visit of a node that waits for a callback. */
export interface CallbackPlace extends RunRef {
  readonly nodeId: string;
  readonly visit: number;
}

/** Tells whether an active organization has this run. */
export async function hasRun(sql: Sql, { organizationId, rootRunPk }: RunRef): Promise<boolean> {
  const found = await sql.query(
    `SELECT 1 FROM runs r JOIN organizations o ON o.id = r.organization_id AND o.is_active
     WHERE r.id = $1 AND r.organization_id = $2`,
    [rootRunPk, organizationId],
  );
  return found.length > 0;
}

/** Reads the question of a callback; null before its node waits. */
export async function findCallbackQuestion(
  sql: Sql,
  { organizationId, rootRunPk, nodeId, visit }: CallbackPlace,
): Promise<InterruptRow | null> {
  const [found] = await sql.query<InterruptRow>(
    `SELECT ${INTERRUPT_COLUMNS} FROM run_interrupts i
     WHERE i.root_run_pk = $1 AND i.node_id = $2 AND i.visit = $3 AND i.turn = 0 AND i.organization_id = $4`,
    [rootRunPk, nodeId, visit, organizationId],
  );
  return found ?? null;
}

/** Counts a call that came too late, at most once a second: whoever knows the address must not keep the row busy. */
export async function noteLateCall(
  sql: Sql,
  { organizationId, rootRunPk, nodeId, visit }: CallbackPlace,
): Promise<void> {
  await sql.query(
    `UPDATE run_interrupts SET late_call_count = late_call_count + 1, last_late_call_at = now()
     WHERE root_run_pk = $1 AND node_id = $2 AND visit = $3 AND turn = 0 AND organization_id = $4
       AND (last_late_call_at IS NULL OR last_late_call_at < now() - interval '1 second')`,
    [rootRunPk, nodeId, visit, organizationId],
  );
}

/** Keeps an answer for a node that does not wait yet. @returns false when one is kept already */
export async function keepCallbackAnswer(
  tx: Sql,
  { organizationId, rootRunPk, nodeId, visit }: CallbackPlace,
  data: Json,
): Promise<boolean> {
  const rows = await tx.query(
    `INSERT INTO callback_answers (organization_id, root_run_pk, node_id, visit, data) VALUES ($1, $2, $3, $4, $5::json)
     ON CONFLICT DO NOTHING RETURNING 1`,
    [organizationId, rootRunPk, nodeId, visit, JSON.stringify(data)],
  );
  return rows.length > 0;
}

/** Answers a question that was just opened with the answer that came before it. @returns whether there was one */
export async function claimKeptAnswer(
  tx: Sql,
  {
    interruptId,
    rootRunPk,
    nodeId,
    visit,
  }: Omit<CallbackPlace, 'organizationId'> & { readonly interruptId: string },
): Promise<boolean> {
  const rows = await tx.query(
    `WITH kept AS (
       DELETE FROM callback_answers WHERE root_run_pk = $2 AND node_id = $3 AND visit = $4 RETURNING data, received_at)
     UPDATE run_interrupts i SET status = 'claimed', responded_at = kept.received_at,
            response = json_build_object('action', NULL, 'data', kept.data)
     FROM kept WHERE i.id = $1 RETURNING 1`,
    [interruptId, rootRunPk, nodeId, visit],
  );
  return rows.length > 0;
}
