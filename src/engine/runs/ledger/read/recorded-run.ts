/** The record of a run as a rehearsal reads it: its input, and the end of each execution. Nothing of it is changed. */
import type { Sql } from '../../../../base/db/client.ts';
import type { JsonObject } from '../../../../language/graph/values/value.ts';
import { readSegment, toInputs, type Segment } from '../write/segments.ts';
import type { RecordedRun, RecordedStep } from '../../rehearse/record.ts';
import { VALUES_OF_STEP } from './values.ts';

/** The values of one run that a rehearsal reads; a larger run is not rehearsed. */
export const MAX_RECORD_BYTES = 32 * 1024 * 1024;

/** Counts the bytes, as JSON, of all that `readRecordedRun` reads. */
export async function countRecordedBytes(sql: Sql, rootRunPk: string): Promise<number> {
  const [row] = await sql.query<{ bytes: number }>(
    `SELECT (SELECT coalesce(octet_length(input::text), 0) + coalesce(octet_length(config::text), 0) FROM runs WHERE id = $1)
            + coalesce((SELECT sum(octet_length(v.output::text)) FROM run_steps s ${VALUES_OF_STEP}
                        WHERE s.root_run_pk = $1 AND s.turn = 0), 0)::bigint AS bytes`,
    [rootRunPk],
  );
  return row?.bytes ?? 0;
}

/** Reads the record of a run; null when the organization has no such run. Count its bytes first. */
export async function readRecordedRun(
  sql: Sql,
  { organizationId, rootRunPk }: Pick<Segment, 'organizationId' | 'rootRunPk'>,
): Promise<(RecordedRun & { readonly segment: Segment }) | null> {
  const segment = await readSegment(sql, { organizationId, runPk: rootRunPk });
  const [given] = await sql.query<{ config: JsonObject; input: JsonObject | null; hasValues: boolean }>(
    'SELECT config, input, values_deleted_at IS NULL AS "hasValues" FROM runs WHERE id = $1 AND organization_id = $2',
    [rootRunPk, organizationId],
  );
  const inputs = given === undefined ? null : toInputs(given.config, given.input ?? {});
  if (segment === null || given === undefined || inputs === null) return null;
  const steps = await sql.query<RecordedStep>(
    // A question that was answered in a later segment has a step in both: the one that has ended counts.
    `SELECT "nodeId", visit, "itemIndex", status, output, error, handle, taken FROM (
       SELECT DISTINCT ON (s.node_id, s.visit, s.item_index) s.node_id AS "nodeId", s.visit, s.item_index AS "itemIndex",
              CASE WHEN s.reused_from IS NULL THEN s.status ELSE v.status END AS status, v.output, v.error,
              s.selected_handle AS handle, s.outcome->'taken' AS taken, s.outcome, s.ended, s.completed_at, s.position
       FROM run_steps s ${VALUES_OF_STEP}
       WHERE s.root_run_pk = $1 AND s.turn = 0
       ORDER BY s.node_id, s.visit, s.item_index, s.outcome IS NULL
     ) AS newest
     ORDER BY outcome IS NULL, ended NULLS FIRST, completed_at, position`,
    [rootRunPk],
  );
  return {
    segment,
    inputs,
    hasValues: given.hasValues,
    steps,
  };
}
