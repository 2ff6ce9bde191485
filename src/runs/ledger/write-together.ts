/** Steps, fields of the state and events that become true together, in one statement. */
import type { Sql } from '../../db/client.ts';
import { wakeListeners, type NewEvent } from './events.ts';
import { UPSERT_STEPS, type StepRow } from './steps.ts';
import { UPSERT_FIELDS, type ChangedFields } from './values.ts';

const WRITE = `
  WITH steps AS (${UPSERT_STEPS('$3')}), fields AS (${UPSERT_FIELDS('$2', '$4', '$5')}), moved AS (
    UPDATE runs SET last_seq = last_seq + $6::int, last_event_at = clock_timestamp()
    WHERE id = $1 AND status = 'running' AND $6 > 0 RETURNING last_seq
  ), added AS (
    INSERT INTO run_events (run_pk, seq, type, payload)
    SELECT $1, moved.last_seq - $6::int + e.ord, e.type, e.payload::json
    FROM moved, unnest($7::text[], $8::text[]) WITH ORDINALITY AS e(type, payload, ord)
  )
  SELECT last_seq FROM moved`;

export interface Together {
  readonly steps: readonly StepRow[];
  readonly fields: ChangedFields;
  readonly events: readonly NewEvent[];
}

/**
 * Writes steps as they are (new ones and those that exist), fields, and events. The caller has locked the segment's row
 * while it was running, so that its events cannot be refused.
 * @throws when the segment does not run: a bug of the caller, whose transaction must not commit
 */
export async function writeTogether(
  sql: Sql,
  segment: { readonly runPk: string; readonly rootRunPk: string },
  { steps, fields, events }: Together,
): Promise<void> {
  if (steps.length === 0 && fields.names.length === 0 && events.length === 0) return;
  const rows = await sql.query(WRITE, [
    segment.runPk,
    segment.rootRunPk,
    JSON.stringify(steps),
    fields.names,
    fields.values,
    events.length,
    events.map((event) => event.type),
    events.map((event) => JSON.stringify(event.payload)),
  ]);
  if (events.length > 0 && rows.length === 0) {
    throw new Error(`Run ${segment.runPk} ended while its row was locked`);
  }
  if (events.length > 0) await wakeListeners(sql, segment.runPk);
}
