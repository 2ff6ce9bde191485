/**
 * Steps that have failed because nobody knows whether their request had its effect, and what people have decided about them: once for
 * each step, and before any rerun.
 */
import { composePage, type PageRead } from '../../../../base/db/keyset.ts';
import type { Sql, Tx } from '../../../../base/db/client.ts';
import type { Json, JsonObject } from '../../../../language/graph/values/value.ts';
import { selectRedactedPaths } from '../read/redacted-paths.ts';
import { readerParams, VISIBLE, type Reader } from '../read/run-reads.ts';

export const SETTLE_ACTIONS = ['happened', 'send', 'give_up'] as const;
export type SettleAction = (typeof SETTLE_ACTIONS)[number];

// A failure that the definition handles goes on in its run; items and tool calls cannot be taken over one by one.
const IS_UNKNOWN = `s.status = 'failed' AND NOT s.error_handled AND s.item_index = -1 AND s.turn = 0
  AND s.error->>'code' = 'outcome_unknown'`;

export interface UnknownOutcome {
  /** The id of its effect. */
  readonly id: string;
  readonly created_at: Date;
  readonly step_id: string;
  readonly node_id: string;
  readonly node_name: string;
  readonly door: string;
  readonly target: JsonObject;
  readonly host: string | null;
  readonly credential_id: string | null;
  readonly error_message: string | null;
  readonly run_pk: string;
  readonly run_id: string;
  readonly workflow_id: string | null;
  readonly workflow_name: string;
}

// Sub-selects for each row, not joins: the rows come from the index of the list, in its order.
const LISTED = `
  SELECT e.* FROM run_effects e
  WHERE e.organization_id = $1 AND e.outcome = 'unknown' AND e.effect = 'at_most_once'
    AND (SELECT ${IS_UNKNOWN} FROM run_steps s WHERE s.step_id = e.step_id)
    AND (SELECT ${VISIBLE} AND r.status = 'failed' AND NOT r.ephemeral FROM runs r WHERE r.id = e.run_pk)`;

/** Reads a page of the outcomes that wait for a decision, newest first. */
export function readUnknownOutcomes(
  sql: Sql,
  reader: Reader,
  { page, runPk }: { readonly page: PageRead; readonly runPk: string | null },
): Promise<UnknownOutcome[]> {
  const params = readerParams(reader);
  const ofRun = runPk === null ? '' : ` AND e.run_pk = $${params.push(runPk)}`;
  const { condition, tail } = composePage(params, page, ['e.created_at', 'e.id']);
  const direction = page.isBackward ? 'ASC' : 'DESC';
  return sql.query<UnknownOutcome>(
    `WITH page AS MATERIALIZED (${LISTED}${ofRun} AND ${condition} ${tail})
     SELECT e.id, e.created_at, e.step_id, e.node_id, e.door, e.target, e.host, e.credential_id, e.run_pk, e.workflow_id,
            s.node_name, s.error->>'message' AS error_message, r.run_id, r.workflow_name
     FROM page e JOIN run_steps s ON s.step_id = e.step_id JOIN runs r ON r.id = e.run_pk
     ORDER BY e.created_at ${direction}, e.id ${direction}`,
    params,
  );
}

/** A step that has failed with an unknown outcome, settled or not. */
export interface FailedStep {
  readonly stepId: string;
  readonly nodeId: string;
  readonly nodeName: string;
  readonly runPk: string;
  readonly runId: string;
  readonly rootRunPk: string;
  readonly redactedPaths: readonly string[];
}

/** Finds the step; null when the reader may not see one, or its outcome is no question. */
export async function findFailedStep(sql: Sql, reader: Reader, stepId: string): Promise<FailedStep | null> {
  const [row] = await sql.query<FailedStep>(
    `SELECT s.step_id AS "stepId", s.node_id AS "nodeId", s.node_name AS "nodeName", r.id AS "runPk", r.run_id AS "runId",
            r.root_run_pk AS "rootRunPk",
            ${selectRedactedPaths('r.organization_id', 'r.workflow_id')} || coalesce(r.redacted_paths, '{}') AS "redactedPaths"
     FROM run_steps s JOIN runs r ON r.id = s.run_pk
     WHERE s.step_id = $4 AND ${IS_UNKNOWN} AND ${VISIBLE} AND r.status = 'failed' AND NOT r.ephemeral`,
    [...readerParams(reader), stepId],
  );
  return row ?? null;
}

interface Decision {
  readonly action: SettleAction;
  /** Of `happened`: the output that the node would have had. */
  readonly output: JsonObject | null;
  readonly settledBy: string;
}

interface SettledRow {
  readonly action: SettleAction;
  readonly settled_by: string | null;
  readonly email: string | null;
  readonly settled_at: Date;
}

/** Claims a step. @returns when it was settled; null: somebody else was first */
export async function claimOutcome(
  tx: Tx,
  organizationId: string,
  { stepId, runPk, rootRunPk }: FailedStep,
  { action, output, settledBy }: Decision,
): Promise<Date | null> {
  const [row] = await tx.query<{ settled_at: Date }>(
    `INSERT INTO settled_outcomes (step_id, run_pk, root_run_pk, organization_id, action, output, settled_by)
     VALUES ($1, $2, $3, $4, $5, $6::json, $7) ON CONFLICT (step_id) DO NOTHING RETURNING settled_at`,
    [
      stepId,
      runPk,
      rootRunPk,
      organizationId,
      action,
      output === null ? null : JSON.stringify(output),
      settledBy,
    ],
  );
  return row?.settled_at ?? null;
}

/** Reads who has settled a step. */
export async function readSettled(
  sql: Sql,
  organizationId: string,
  stepId: string,
): Promise<SettledRow | null> {
  const [row] = await sql.query<SettledRow>(
    `SELECT o.action, o.settled_by, o.settled_at, u.email FROM settled_outcomes o LEFT JOIN users u ON u.id = o.settled_by
     WHERE o.organization_id = $1 AND o.step_id = $2`,
    [organizationId, stepId],
  );
  return row ?? null;
}

/** Counts the outcomes of a run that wait for a decision. */
export async function countUnknownOutcomes(sql: Sql, runPk: string): Promise<number> {
  const [row] = await sql.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM run_effects e JOIN run_steps s ON s.step_id = e.step_id AND ${IS_UNKNOWN}
     WHERE e.run_pk = $1 AND e.outcome = 'unknown' AND e.effect = 'at_most_once'`,
    [runPk],
  );
  return row?.count ?? 0;
}

/** A decision as a rerun takes it. */
export interface SettledOutcome {
  readonly stepId: string;
  readonly nodeId: string;
  readonly action: SettleAction;
  readonly output: Json;
  /** A rerun sends the request, or has sent it. */
  readonly isUsed: boolean;
}

/** Reads the decisions about the steps of a run. */
export const readSettledOutcomes = (sql: Sql, rootRunPk: string): Promise<SettledOutcome[]> =>
  sql.query<SettledOutcome>(
    `SELECT o.step_id AS "stepId", s.node_id AS "nodeId", o.action, o.output, o.rerun_run_pk IS NOT NULL AS "isUsed"
     FROM settled_outcomes o JOIN run_steps s ON s.step_id = o.step_id WHERE o.root_run_pk = $1`,
    [rootRunPk],
  );

/** Claims the requests that a rerun sends once more. @returns false: another rerun has claimed one of them */
export async function claimRequests(tx: Tx, runPk: string, stepIds: readonly string[]): Promise<boolean> {
  const claimed = await tx.query(
    `UPDATE settled_outcomes SET rerun_run_pk = $1
     WHERE step_id = ANY ($2::uuid[]) AND action = 'send' AND rerun_run_pk IS NULL RETURNING step_id`,
    [runPk, stepIds],
  );
  return claimed.length === stepIds.length;
}
