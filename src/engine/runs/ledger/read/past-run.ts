/** Reads an earlier run for a rerun or a comparison: its definition, its input, and its steps. */
import type { Sql } from '../../../../base/db/client.ts';
import type { Json, JsonObject } from '../../../../language/graph/values/value.ts';
import type { RunStatus } from '../write/events.ts';
import type { RunSubject } from '../write/insert-runs.ts';
import { selectRedactedPaths } from './redacted-paths.ts';
import type { StepOutcome, StepStatus } from '../write/steps.ts';
import { ENDED_VISITS, STEP_OUTPUT, VALUES_OF_STEP } from './values.ts';
import { readerParams, VISIBLE, type Reader } from './run-reads.ts';

export interface PastRun {
  readonly runPk: string;
  readonly runId: string;
  readonly rootRunPk: string;
  /** Redacted by its own paths and those of today. */
  readonly subject: RunSubject;
  /** Null: it is no longer stored. */
  readonly definition: JsonObject | null;
  readonly isPrivate: boolean;
  readonly stream: boolean;
  readonly childDepth: number;
  /** Limits and inputs: `recursion_limit`, `batch_interval_ms`, `workflow_input`, `run_input`. */
  readonly config: JsonObject;
  /** The status of its newest segment. */
  readonly status: RunStatus;
  /** Its inputs and outputs were deleted. */
  readonly hasNoValues: boolean;
}

/** Finds a run by its history id, with its definition; null when the reader may not see one. */
export async function findPastRun(sql: Sql, reader: Reader, runPk: string): Promise<PastRun | null> {
  const rows = await sql.query<PastRun>(
    `SELECT r.id AS "runPk", r.run_id AS "runId", r.root_run_pk AS "rootRunPk", d.definition,
            json_build_object('workflowId', r.workflow_id, 'deploymentId', r.deployment_id, 'deploymentVersion',
              r.deployment_version, 'definitionHash', r.definition_hash, 'definitionText', NULL, 'workflowName',
              r.workflow_name, 'workflowVersion', r.workflow_version, 'workflowSource', r.workflow_source, 'isAdHoc',
              r.is_ad_hoc, 'redactedPaths',
              ${selectRedactedPaths('r.organization_id', 'r.workflow_id')} || coalesce(r.redacted_paths, '{}')) AS subject, r.is_private AS "isPrivate", r.stream, r.child_depth AS "childDepth", r.config,
            r.values_deleted_at IS NOT NULL AS "hasNoValues",
            (SELECT s.status FROM newest_segments s WHERE s.root_run_pk = r.root_run_pk) AS status
     FROM runs r LEFT JOIN definitions d ON d.organization_id = r.organization_id AND d.hash = r.definition_hash
     WHERE ${VISIBLE} AND r.id = $4 AND NOT r.ephemeral`,
    [...readerParams(reader), runPk],
  );
  return rows[0] ?? null;
}

export interface PastStep {
  readonly stepId: string;
  readonly nodeId: string;
  readonly visit: number;
  readonly position: number;
  readonly status: StepStatus;
  readonly effect: string;
  readonly outcome: StepOutcome | null;
  readonly errorCode: string | null;
  readonly selectedHandle: string | null;
  /** Whether the request of an attempt was sent. */
  readonly wasSent: boolean;
  /** Whether its updates of state fields are stored. */
  readonly hasUpdates: boolean;
  /** For a mapped node: whether some of its items failed. */
  readonly hasFailedItems: boolean;
}

/** Reads the steps of a run in the order of their ends, without items and tool calls; those that have not ended come last. */
export async function readPastSteps(sql: Sql, rootRunPk: string): Promise<PastStep[]> {
  const rows = await sql.query<PastStep & { readonly stepId: string | null }>(
    // The failed items are read as a set of their own: with a subquery per step and stale statistics, the planner reads the
    // whole run each time, which takes 400 ms for a thousand steps. A FULL join forces a hash or merge join.
    `WITH past AS MATERIALIZED (
       SELECT s.step_id AS "stepId", s.node_id AS "nodeId", s.visit, s.position, s.status, s.effect, s.outcome,
              v.error->>'code' AS "errorCode", s.selected_handle AS "selectedHandle", s.sent_at IS NOT NULL AS "wasSent",
              v.updates IS NOT NULL AS "hasUpdates", v.run_pk, s.ended, s.completed_at
       FROM run_steps s ${VALUES_OF_STEP}
       WHERE s.root_run_pk = $1 AND s.item_index = -1 AND s.turn = 0
     ), failed AS MATERIALIZED (
       SELECT DISTINCT run_pk, node_id, visit FROM run_steps
       WHERE run_pk IN (SELECT run_pk FROM past) AND item_index >= 0 AND turn = 0 AND status = 'failed'
     )
     SELECT p."stepId", p."nodeId", p.visit, p.position, p.status, p.effect, p.outcome, p."errorCode",
            p."selectedHandle", p."wasSent", p."hasUpdates", f.run_pk IS NOT NULL AS "hasFailedItems"
     FROM past p FULL JOIN failed f ON f.run_pk = p.run_pk AND f.node_id = p."nodeId" AND f.visit = p.visit
     ORDER BY p.outcome IS NULL, p.ended NULLS FIRST, p.completed_at, p.position`,
    [rootRunPk],
  );
  // Failures of a run whose other steps were reused.
  return rows.filter(({ stepId }) => stepId !== null);
}

/** Reads the sizes of the state updates of these executions, in order, as bytes of JSON; without those that have none. */
export async function readUpdateSizes(
  sql: Sql,
  stepIds: readonly string[],
): Promise<{ readonly stepId: string; readonly bytes: number }[]> {
  return sql.query(
    `SELECT p.step_id AS "stepId", octet_length(v.updates::text) AS bytes
     FROM unnest($1::uuid[]) WITH ORDINALITY AS p(step_id, place) ${HOLDER} WHERE v.updates IS NOT NULL ORDER BY p.place`,
    [stepIds],
  );
}

/** Reads the state updates of these executions, in order. */
export async function readUpdates(sql: Sql, stepIds: readonly string[]): Promise<JsonObject[]> {
  const rows = await sql.query<{ updates: JsonObject }>(
    `SELECT v.updates FROM unnest($1::uuid[]) WITH ORDINALITY AS p(step_id, place) ${HOLDER}
     WHERE v.updates IS NOT NULL ORDER BY p.place`,
    [stepIds],
  );
  return rows.map(({ updates }) => updates);
}

/** Joins each step of the list `p` with the step that has its values. */
const HOLDER = `JOIN run_steps s ON s.step_id = p.step_id ${VALUES_OF_STEP}`;

/** Reads the succeeded items of mapped executions. @param stepIds the mapped executions */
export async function readDoneItems(sql: Sql, stepIds: readonly string[]): Promise<string[]> {
  const rows = await sql.query<{ step_id: string }>(
    `SELECT i.step_id FROM run_steps m JOIN run_steps i
       ON i.run_pk = m.run_pk AND i.node_id = m.node_id AND i.visit = m.visit AND i.item_index >= 0 AND i.turn = 0
     WHERE m.step_id = ANY($1::uuid[]) AND i.status IN ('succeeded', 'reused') ORDER BY i.item_index`,
    [stepIds],
  );
  return rows.map((row) => row.step_id);
}

/** A value of a run's state for the start of another run: a field, or the latest output of a node. */
export interface PastValue {
  readonly name: string;
  /** JSON text. */
  readonly value: string;
}

/** The names to read of a state; null: all. */
export type ReadNames = readonly string[] | null;

const PAST_STATE = `
  SELECT name, value FROM run_fields WHERE root_run_pk = $1 AND ($2::text[] IS NULL OR name = ANY($2))
  UNION ALL
  SELECT name, coalesce(output, 'null') FROM (
    SELECT DISTINCT ON (node_id) node_id AS name, ${STEP_OUTPUT} AS output, status ${ENDED_VISITS}
      AND ($2::text[] IS NULL OR node_id = ANY($2))
    ORDER BY node_id, visit DESC
  ) AS latest WHERE status <> 'skipped'`;

/** Counts the bytes, as JSON, of the named fields and latest outputs of a run. */
export async function readPastBytes(sql: Sql, rootRunPk: string, names: ReadNames): Promise<number> {
  const [row] = await sql.query<{ bytes: number }>(
    `SELECT coalesce(sum(octet_length(value::text)), 0)::bigint AS bytes FROM (${PAST_STATE}) AS state`,
    [rootRunPk, names],
  );
  return row?.bytes ?? 0;
}

/** Reads the named fields and latest outputs of a run. Check their size first (readPastBytes). */
export function readPastValues(sql: Sql, rootRunPk: string, names: ReadNames): Promise<PastValue[]> {
  return sql.query<PastValue>(`SELECT name, value::text AS value FROM (${PAST_STATE}) AS state`, [
    rootRunPk,
    names,
  ]);
}

/** Reads the input of a run. */
export async function readPastInput(sql: Sql, rootRunPk: string): Promise<JsonObject> {
  const [row] = await sql.query<{ input: JsonObject | null }>('SELECT input FROM runs WHERE id = $1', [
    rootRunPk,
  ]);
  return row?.input ?? {};
}

interface PastOutput {
  /** The segment and the step of the output. */
  readonly runPk: string;
  readonly stepId: string;
  readonly output: Json;
  readonly bytes: number;
}

/**
 * Reads the output of a node in a run.
 * @param visit null: the last one
 * @returns its step, its bytes as JSON, and the output, which is null above `maxBytes`; null when the node has none
 */
export async function readPastOutput(
  sql: Sql,
  rootRunPk: string,
  {
    nodeId,
    visit,
    maxBytes,
  }: { readonly nodeId: string; readonly visit: number | null; readonly maxBytes: number },
): Promise<PastOutput | null> {
  const rows = await sql.query<PastOutput>(
    `SELECT run_pk AS "runPk", step_id AS "stepId", CASE WHEN bytes <= $4 THEN output END AS output, bytes
     FROM (
       SELECT run_pk, step_id, output, coalesce(octet_length(output::text), 4) AS bytes
       FROM (
         SELECT s.run_pk, s.step_id, ${STEP_OUTPUT} AS output FROM run_steps s
         WHERE root_run_pk = $1 AND node_id = $2 AND item_index = -1 AND turn = 0 AND status IN ('succeeded', 'reused')
           AND ($3::int IS NULL OR visit = $3)
         ORDER BY visit DESC LIMIT 1
       ) AS found
     ) AS sized`,
    [rootRunPk, nodeId, visit, maxBytes],
  );
  return rows[0] ?? null;
}
