/** The rows of saved sets and their cases. */
import type { PageRead } from '../../../base/db/keyset.ts';
import { toMoment } from '../../../base/db/keyset.ts';
import type { Sql } from '../../../base/db/client.ts';
import type { Json, JsonObject } from '../../../language/graph/values/value.ts';

export interface SetRow {
  readonly id: string;
  readonly organization_id: string;
  readonly workflow_id: string;
  readonly name: string;
  readonly description: string;
  readonly case_count: number;
  /** Of inputs and expected outputs as JSON. */
  readonly bytes: number;
  readonly created_by: string | null;
  readonly created_at: Date;
  readonly updated_at: Date;
}

const SET = `s.id, s.organization_id, s.workflow_id, s.name, s.description, held.case_count, held.bytes, s.created_by, s.created_at,
  s.updated_at`;
const HELD = `CROSS JOIN LATERAL (
  SELECT count(*)::int AS case_count, coalesce(sum(c.bytes), 0)::int AS bytes FROM evaluation_cases c
  WHERE c.set_id = s.id AND c.organization_id = s.organization_id) AS held`;

/** The columns of a new set. */
interface NewSetRow {
  readonly organizationId: string;
  readonly workflowId: string;
  readonly name: string;
  readonly description: string;
  readonly createdBy: string | null;
}

/** @throws the error of PostgreSQL for a name that is taken */
export async function insertSet(sql: Sql, row: NewSetRow): Promise<string> {
  const [made] = await sql.query<{ id: string }>(
    `INSERT INTO evaluation_sets (organization_id, workflow_id, name, description, created_by)
     VALUES ($1, $2, $3, $4, $5) RETURNING id`,
    [row.organizationId, row.workflowId, row.name, row.description, row.createdBy],
  );
  if (made === undefined) throw new Error('The set was not stored');
  return made.id;
}

/** Counts the sets of an organization. */
export async function countSets(sql: Sql, organizationId: string): Promise<number> {
  const [row] = await sql.query<{ count: number }>(
    'SELECT count(*)::int AS count FROM evaluation_sets WHERE organization_id = $1',
    [organizationId],
  );
  return row?.count ?? 0;
}

/** Reads a set; null when the organization has no such one. */
export async function readSet(sql: Sql, organizationId: string, setId: string): Promise<SetRow | null> {
  const [row] = await sql.query<SetRow>(
    `SELECT ${SET} FROM evaluation_sets s ${HELD} WHERE s.id = $1 AND s.organization_id = $2`,
    [setId, organizationId],
  );
  return row ?? null;
}

/** Lists sets of an organization, newest first. */
export const listSets = (
  sql: Sql,
  organizationId: string,
  {
    page: { from, limit },
    workflowId,
    name,
  }: { readonly page: PageRead; readonly workflowId: string | null; readonly name: string | null },
): Promise<SetRow[]> =>
  sql.query<SetRow>(
    `SELECT ${SET} FROM (
       SELECT * FROM evaluation_sets
       WHERE organization_id = $1 AND ($2::uuid IS NULL OR workflow_id = $2) AND ($3::text IS NULL OR name = $3)
         AND (created_at, id) < (coalesce($4::timestamptz, 'infinity'), coalesce($5::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff'))
       ORDER BY created_at DESC, id DESC LIMIT $6) AS s ${HELD}
     ORDER BY s.created_at DESC, s.id DESC`,
    [organizationId, workflowId, name, from === null ? null : toMoment(from), from?.rowId ?? null, limit],
  );

/** Changes the fields that are not null. @throws the error of PostgreSQL for a name that is taken */
export async function updateSet(
  sql: Sql,
  { organizationId, setId }: { readonly organizationId: string; readonly setId: string },
  { name, description }: { readonly name: string | null; readonly description: string | null },
): Promise<void> {
  await sql.query(
    `UPDATE evaluation_sets SET name = coalesce($3, name), description = coalesce($4, description), updated_at = now()
     WHERE id = $1 AND organization_id = $2`,
    [setId, organizationId, name, description],
  );
}

/** Deletes a set with its cases and its evaluations. @returns false when the organization has no such one */
export async function deleteSetRow(sql: Sql, organizationId: string, setId: string): Promise<boolean> {
  const rows = await sql.query(
    'DELETE FROM evaluation_sets WHERE id = $1 AND organization_id = $2 RETURNING id',
    [setId, organizationId],
  );
  return rows.length > 0;
}

/** Locks a set until the transaction ends, so that concurrent additions count one another. */
export async function lockSet(sql: Sql, organizationId: string, setId: string): Promise<void> {
  await sql.query('SELECT 1 FROM evaluation_sets WHERE id = $1 AND organization_id = $2 FOR NO KEY UPDATE', [
    setId,
    organizationId,
  ]);
}

/** Finds the first segments of ended runs of a workflow, by any of their segments: without private and ephemeral runs. */
export async function findRecordedRuns(
  sql: Sql,
  { organizationId, workflowId }: { readonly organizationId: string; readonly workflowId: string },
  runPks: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await sql.query<{ given: string; root: string }>(
    `SELECT named.id AS given, r.id AS root FROM runs named JOIN runs r ON r.id = named.root_run_pk
     WHERE named.id = ANY ($3::uuid[]) AND named.organization_id = $1 AND r.organization_id = $1 AND r.workflow_id = $2
       AND r.parent_run_pk IS NULL AND NOT r.ephemeral AND NOT r.is_private
       AND EXISTS (SELECT FROM newest_segments s WHERE s.root_run_pk = r.id AND s.status IN ('completed', 'failed'))`,
    [organizationId, workflowId, runPks],
  );
  return new Map(rows.map(({ given, root }) => [given, root]));
}

/** A case before it is stored. */
export interface NewCaseRow {
  readonly name: string;
  readonly rootRunPk: string | null;
  readonly input: JsonObject | null;
  /** Null: none. */
  readonly expected: Json;
  readonly bytes: number;
}

/** Adds cases behind the others of a locked set. Runs that it has stay as they are. @returns how many were added */
export async function insertCases(
  sql: Sql,
  {
    organizationId,
    setId,
    createdBy,
  }: { readonly organizationId: string; readonly setId: string; readonly createdBy: string | null },
  cases: readonly NewCaseRow[],
): Promise<number> {
  const rows = await sql.query(
    `INSERT INTO evaluation_cases (set_id, organization_id, place, name, root_run_pk, input, expected, bytes, created_by)
     SELECT $1, $2, last.place + u.place, u.name, u.root_run_pk, u.input::json, u.expected::json, u.bytes, $8
     FROM (SELECT coalesce(max(place), 0) AS place FROM evaluation_cases WHERE set_id = $1) AS last,
          unnest($3::text[], $4::uuid[], $5::text[], $6::text[], $7::int[])
            WITH ORDINALITY AS u (name, root_run_pk, input, expected, bytes, place)
     ON CONFLICT (set_id, root_run_pk) DO NOTHING RETURNING id`,
    [
      setId,
      organizationId,
      cases.map(({ name }) => name),
      cases.map(({ rootRunPk }) => rootRunPk),
      cases.map(({ input }) => (input === null ? null : JSON.stringify(input))),
      cases.map(({ expected }) => (expected === null ? null : JSON.stringify(expected))),
      cases.map(({ bytes }) => bytes),
      createdBy,
    ],
  );
  return rows.length;
}

export interface CaseRow {
  readonly id: string;
  readonly place: number;
  readonly name: string;
  readonly run_pk: string | null;
  readonly input: JsonObject | null;
  readonly expected: Json;
  readonly created_by: string | null;
  readonly created_at: Date;
}

/** Lists cases of a set in their order. */
export const listCaseRows = (
  sql: Sql,
  { id, organization_id: organizationId }: Pick<SetRow, 'id' | 'organization_id'>,
  { from, limit }: Pick<PageRead, 'from' | 'limit'>,
): Promise<CaseRow[]> =>
  sql.query<CaseRow>(
    `SELECT id, place, name, root_run_pk AS run_pk, input, expected, created_by, created_at FROM evaluation_cases
     WHERE set_id = $1 AND organization_id = $2 AND place > $3 ORDER BY place LIMIT $4`,
    [id, organizationId, from?.place ?? 0, limit],
  );

/** Lists the recorded runs of a set in their order, by their first segments. */
export async function listRunsOfSet(
  sql: Sql,
  { id, organization_id: organizationId }: Pick<SetRow, 'id' | 'organization_id'>,
  limit: number,
): Promise<string[]> {
  const rows = await sql.query<{ run_pk: string }>(
    `SELECT root_run_pk AS run_pk FROM evaluation_cases
     WHERE set_id = $1 AND organization_id = $2 AND root_run_pk IS NOT NULL ORDER BY place LIMIT $3`,
    [id, organizationId, limit],
  );
  return rows.map(({ run_pk: runPk }) => runPk);
}

/** @returns false when the set has no such case */
export async function deleteCaseRow(
  sql: Sql,
  { id, organization_id: organizationId }: Pick<SetRow, 'id' | 'organization_id'>,
  caseId: string,
): Promise<boolean> {
  const rows = await sql.query(
    'DELETE FROM evaluation_cases WHERE id = $1 AND set_id = $2 AND organization_id = $3 RETURNING id',
    [caseId, id, organizationId],
  );
  return rows.length > 0;
}
