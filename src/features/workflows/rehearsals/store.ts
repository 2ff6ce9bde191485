/** The rows of rehearsals: creation, claims, progress, and what was found of each run. */
import type { PageRead } from '../../../base/db/keyset.ts';
import type { Sql } from '../../../base/db/client.ts';
import type { JsonObject } from '../../../language/graph/values/value.ts';
import type { RehearsedRun } from '../../../engine/runs/rehearse/compare-walks.ts';

/** Of the definition: `draft`, `live`, or the id of a deployment. */
export type RehearsalSource = string;

export interface RehearsalRow {
  readonly id: string;
  readonly organization_id: string;
  readonly workflow_id: string;
  readonly source: RehearsalSource;
  readonly definition_hash: string;
  readonly status: 'pending' | 'running' | 'completed' | 'cancelled';
  /** Number of its runs. */
  readonly total: number;
  readonly walked: number;
  /** Runs by verdict. */
  readonly counts: Readonly<Record<string, number>>;
  readonly created_by: string | null;
  readonly created_at: Date;
  readonly started_at: Date | null;
  readonly completed_at: Date | null;
  readonly expires_at: Date;
}

const COLUMNS = `id, organization_id, workflow_id, source, definition_hash, status, cardinality(root_run_pks) AS total, walked, counts,
  created_by, created_at, started_at, completed_at, expires_at`;
const IS_OPEN = `status IN ('pending', 'running')`;

/** A slice of work belongs to one worker for so long: longer than a slice, its last walk included. */
const CLAIM_SECONDS = 20;

/** Runs of the workflow that filters look at: one that few runs meet would read all of millions. A guess, far below a second. */
export const LOOKED_AT = 10_000;

/** The runs of a workflow that a rehearsal walks, of those that it may walk. */
export interface WalkableRuns {
  readonly limit: number;
  /** Of the newest ones. */
  readonly lookedAt: number;
  readonly status: 'completed' | 'failed' | null;
  /** Created at this time or later. */
  readonly from: Date | null;
  /** Created before this time. */
  readonly to: Date | null;
  readonly deploymentId: string | null;
  /** Any segments of the runs. */
  readonly runPks: readonly string[] | null;
}

/** Lists the newest ended runs of a workflow that a rehearsal may walk, as first segments: without private and ephemeral ones. */
export async function listWalkable(
  sql: Sql,
  { organizationId, workflowId }: { readonly organizationId: string; readonly workflowId: string },
  { limit, lookedAt, status, from, to, deploymentId, runPks }: WalkableRuns,
): Promise<string[]> {
  const rows = await sql.query<{ id: string }>(
    `WITH next AS (
       SELECT r.id, r.created_at, r.deployment_id FROM runs r
       WHERE r.organization_id = $1 AND r.workflow_id = $2 AND r.id = r.root_run_pk AND NOT r.ephemeral AND NOT r.is_private
         AND ($5::timestamptz IS NULL OR r.created_at >= $5) AND ($6::timestamptz IS NULL OR r.created_at < $6)
         AND ($8::uuid[] IS NULL
              OR r.id IN (SELECT named.root_run_pk FROM runs named WHERE named.id = ANY ($8) AND named.organization_id = $1))
       ORDER BY r.created_at DESC, r.id DESC LIMIT $9)
     SELECT r.id FROM next r
     WHERE ($7::uuid IS NULL OR r.deployment_id = $7)
       AND EXISTS (SELECT FROM newest_segments s
                   WHERE s.root_run_pk = r.id AND s.status IN ('completed', 'failed') AND ($4::text IS NULL OR s.status = $4))
     ORDER BY r.created_at DESC, r.id DESC LIMIT $3`,
    [organizationId, workflowId, limit, status, from, to, deploymentId, runPks, lookedAt],
  );
  return rows.map(({ id }) => id);
}

/** @throws the error of PostgreSQL for a second open rehearsal of the workflow */
export async function insertRehearsal(
  sql: Sql,
  row: {
    readonly organizationId: string;
    readonly workflowId: string;
    readonly source: RehearsalSource;
    readonly definitionHash: string;
    readonly definition: JsonObject;
    readonly rootRunPks: readonly string[];
    readonly createdBy: string | null;
  },
): Promise<RehearsalRow> {
  const [made] = await sql.query<RehearsalRow>(
    `INSERT INTO rehearsals (organization_id, workflow_id, source, definition_hash, definition, root_run_pks, created_by)
     VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING ${COLUMNS}`,
    [
      row.organizationId,
      row.workflowId,
      row.source,
      row.definitionHash,
      JSON.stringify(row.definition),
      row.rootRunPks,
      row.createdBy,
    ],
  );
  if (made === undefined) throw new Error('The rehearsal was not stored');
  return made;
}

/** Reads a rehearsal; null when the organization has no such one. */
export async function readRehearsal(
  sql: Sql,
  organizationId: string,
  rehearsalId: string,
): Promise<RehearsalRow | null> {
  const [row] = await sql.query<RehearsalRow>(
    `SELECT ${COLUMNS} FROM rehearsals WHERE id = $1 AND organization_id = $2`,
    [rehearsalId, organizationId],
  );
  return row ?? null;
}

/** Lists the newest rehearsals of a workflow. */
export const listRehearsals = (
  sql: Sql,
  { organizationId, workflowId }: { readonly organizationId: string; readonly workflowId: string },
  limit: number,
): Promise<RehearsalRow[]> =>
  sql.query<RehearsalRow>(
    `SELECT ${COLUMNS} FROM rehearsals WHERE workflow_id = $2 AND organization_id = $1
     ORDER BY created_at DESC, id DESC LIMIT $3`,
    [organizationId, workflowId, limit],
  );

/** Cancels an open rehearsal; what was found until then stays. @returns null when the organization has no such one */
export async function cancelRehearsal(
  sql: Sql,
  organizationId: string,
  rehearsalId: string,
): Promise<RehearsalRow | null> {
  await sql.query(
    `UPDATE rehearsals SET status = 'cancelled', completed_at = now() WHERE id = $1 AND organization_id = $2 AND ${IS_OPEN}`,
    [rehearsalId, organizationId],
  );
  return readRehearsal(sql, organizationId, rehearsalId);
}

/** The parts of a rehearsal that its worker needs. */
export interface ClaimedRehearsal {
  readonly id: string;
  readonly organizationId: string;
  readonly definition: JsonObject;
  readonly rootRunPks: readonly string[];
  readonly walked: number;
}

/** Claims the open rehearsal that has waited longest; null: there is none that no worker walks. */
export async function claimRehearsal(sql: Sql): Promise<ClaimedRehearsal | null> {
  const [claimed] = await sql.query<ClaimedRehearsal>(
    `UPDATE rehearsals SET status = 'running', started_at = coalesce(started_at, now()),
            claimed_until = clock_timestamp() + interval '${CLAIM_SECONDS} seconds'
     WHERE id = (SELECT id FROM rehearsals WHERE ${IS_OPEN} AND claimed_until <= now()
                 ORDER BY claimed_until LIMIT 1 FOR UPDATE SKIP LOCKED)
     RETURNING id, organization_id AS "organizationId", definition, root_run_pks AS "rootRunPks", walked`,
  );
  return claimed ?? null;
}

/** Gives a claim back, behind the others that wait. */
export async function releaseRehearsal(
  sql: Sql,
  { id, organizationId }: Pick<ClaimedRehearsal, 'id' | 'organizationId'>,
): Promise<void> {
  await sql.query(
    `UPDATE rehearsals SET claimed_until = now() WHERE id = $1 AND organization_id = $2 AND ${IS_OPEN}`,
    [id, organizationId],
  );
}

/**
 * Stores what was found of the run at a place, once. Call it in a transaction.
 * @param found null: the run is gone
 * @returns whether there is more to walk; false, too, when the rehearsal was cancelled, or another worker is ahead
 */
export async function saveRehearsed(
  sql: Sql,
  { id, organizationId, rootRunPks }: ClaimedRehearsal,
  {
    place,
    found,
    groupKey,
  }: { readonly place: number; readonly found: RehearsedRun | null; readonly groupKey: string },
): Promise<boolean> {
  const [open] = await sql.query<{ walked: number }>(
    `SELECT walked FROM rehearsals WHERE id = $1 AND organization_id = $2 AND ${IS_OPEN} FOR NO KEY UPDATE`,
    [id, organizationId],
  );
  if (open?.walked !== place) return false;
  const isLast = place + 1 >= rootRunPks.length;
  const stored =
    found === null
      ? []
      : await sql.query(
          `INSERT INTO rehearsed_runs (rehearsal_id, place, organization_id, root_run_pk, verdict, doubt, group_key, differences, first_change)
           SELECT $1, $2, $3, r.id, $5, $6, $7, $8, $9 FROM runs r WHERE r.id = $4 AND r.organization_id = $3 RETURNING place`,
          [
            id,
            place,
            organizationId,
            rootRunPks[place],
            found.verdict,
            found.doubt,
            groupKey,
            JSON.stringify(found.differences),
            found.firstChange === null ? null : JSON.stringify(found.firstChange),
          ],
        );
  const counted = stored.length > 0 && found !== null ? found.verdict : null;
  await sql.query(
    `UPDATE rehearsals SET walked = $2, claimed_until = clock_timestamp() + interval '${CLAIM_SECONDS} seconds',
            counts = CASE WHEN $3::text IS NULL THEN counts
                     ELSE counts || jsonb_build_object($3::text, coalesce((counts->>$3)::int, 0) + 1) END,
            status = CASE WHEN $4 THEN 'completed' ELSE status END, completed_at = CASE WHEN $4 THEN now() END
     WHERE id = $1 AND organization_id = $5`,
    [id, place + 1, counted, isLast, organizationId],
  );
  return !isLast;
}

/** Runs with the same differences. */
export interface RehearsalGroup {
  readonly group_key: string;
  readonly verdict: string;
  readonly doubt: string | null;
  readonly runs: number;
  /** Of one of them, as an example. */
  readonly run_pk: string;
  readonly differences: RehearsedRun['differences'];
  readonly first_change: RehearsedRun['firstChange'];
}

/** Lists the groups of a rehearsal, the largest first. */
export const listGroups = (
  sql: Sql,
  { id, organization_id: organizationId }: RehearsalRow,
  limit: number,
): Promise<RehearsalGroup[]> =>
  sql.query<RehearsalGroup>(
    `SELECT g.group_key, e.verdict, e.doubt, g.runs, e.root_run_pk AS run_pk, e.differences, e.first_change
     FROM (SELECT group_key, count(*)::int AS runs, min(place) AS place FROM rehearsed_runs
           WHERE rehearsal_id = $1 AND organization_id = $2 GROUP BY group_key) AS g
     JOIN rehearsed_runs e ON e.rehearsal_id = $1 AND e.place = g.place
     ORDER BY g.runs DESC, g.place LIMIT $3`,
    [id, organizationId, limit],
  );

export interface RehearsedRow {
  readonly place: number;
  readonly run_pk: string;
  /** When the run was started. */
  readonly created_at: Date;
  readonly verdict: string;
  readonly doubt: string | null;
  readonly group_key: string;
  readonly differences: RehearsedRun['differences'];
  readonly first_change: RehearsedRun['firstChange'];
}

/** Lists the runs of a rehearsal, in the order in which they were walked. */
export function listRehearsedRuns(
  sql: Sql,
  { id, organization_id: organizationId }: RehearsalRow,
  {
    page: { from, isBackward, limit },
    verdict,
    group,
  }: { readonly page: PageRead; readonly verdict?: string | undefined; readonly group?: string | undefined },
): Promise<RehearsedRow[]> {
  const [beyond, order] = isBackward ? ['<', 'DESC'] : ['>', 'ASC'];
  return sql.query<RehearsedRow>(
    `SELECT e.place, e.root_run_pk AS run_pk, r.created_at, e.verdict, e.doubt, e.group_key, e.differences, e.first_change
     FROM rehearsed_runs e JOIN runs r ON r.id = e.root_run_pk
     WHERE e.rehearsal_id = $1 AND e.organization_id = $2 AND e.place ${beyond} $3
       AND ($4::text IS NULL OR e.verdict = $4) AND ($5::text IS NULL OR e.group_key = $5)
     ORDER BY e.place ${order} LIMIT $6`,
    [
      id,
      organizationId,
      from?.place ?? (isBackward ? 2_147_483_647 : -1),
      verdict ?? null,
      group ?? null,
      limit,
    ],
  );
}

/** Deletes rehearsals after 30 days. @returns how many */
export async function deleteExpiredRehearsals(sql: Sql): Promise<number> {
  const rows = await sql.query('DELETE FROM rehearsals WHERE expires_at < now() RETURNING id');
  return rows.length;
}
