/** The queries of workflows. Every one names the organization; a save begins by locking the workflow's row. */
import type { Operation } from 'fast-json-patch';
import { keysTable } from '../../db/batcher.ts';
import type { BatchedReads, Sql } from '../../db/client.ts';
import { announceEdit, type EditNotice } from '../../db/notices.ts';
import type { JsonObject } from '../../graph/value.ts';
import type { ListQuery } from './schema.ts';

export interface WorkflowSummaryRow {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  readonly version: string | null;
  readonly status: string;
  readonly visibility: string;
  readonly category: string | null;
  readonly tags: readonly string[];
  readonly creator_id: string | null;
  readonly created_at: Date;
  readonly updated_at: Date;
}

export interface WorkflowRow extends WorkflowSummaryRow {
  readonly organization_id: string;
  readonly workflow_schema: JsonObject;
  readonly input: JsonObject;
  readonly config: JsonObject;
  readonly edit_version: number;
  readonly last_edited_by: string | null;
  readonly last_edited_at: Date | null;
  readonly live_deployment_id: string | null;
  readonly deployment_count: number;
}

/** The fields that a save writes. */
export type WorkflowFields = Pick<
  WorkflowRow,
  | 'name'
  | 'description'
  | 'version'
  | 'tags'
  | 'category'
  | 'status'
  | 'visibility'
  | 'workflow_schema'
  | 'input'
  | 'config'
>;

const SUMMARY =
  'id, name, description, version, status, visibility, category, tags, creator_id, created_at, updated_at';
const COLUMNS = `${SUMMARY}, organization_id, workflow_schema, input, config, edit_version, last_edited_by,
  last_edited_at, live_deployment_id, deployment_count`;

const values = (fields: WorkflowFields): unknown[] => [
  fields.name,
  fields.description,
  fields.version,
  fields.tags,
  fields.category,
  fields.status,
  fields.visibility,
  JSON.stringify(fields.workflow_schema),
  JSON.stringify(fields.input),
  JSON.stringify(fields.config),
];

const only = <Row>(rows: readonly Row[]): Row => {
  const [row] = rows;
  if (row === undefined) throw new Error('the statement returned no row');
  return row;
};

export async function insertWorkflow(
  sql: Sql,
  owner: { readonly organizationId: string; readonly userId: string },
  fields: WorkflowFields,
): Promise<WorkflowRow> {
  return only(
    await sql.query<WorkflowRow>(
      `INSERT INTO workflows (organization_id, creator_id, name, description, version, tags, category, status,
                              visibility, workflow_schema, input, config)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10::json, $11::json, $12::json) RETURNING ${COLUMNS}`,
      [owner.organizationId, owner.userId, ...values(fields)],
    ),
  );
}

/** @param lock takes the row's lock: for reads that a write in the same transaction depends on */
export async function selectWorkflow(
  sql: Sql,
  { organizationId, workflowId }: { readonly organizationId: string; readonly workflowId: string },
  lock = false,
): Promise<WorkflowRow | null> {
  const rows = await sql.query<WorkflowRow>(
    `SELECT ${COLUMNS} FROM workflows WHERE id = $1 AND organization_id = $2 ${lock ? 'FOR UPDATE' : ''}`,
    [workflowId, organizationId],
  );
  return rows[0] ?? null;
}

/** A row whose JSON is left as the text that is stored. */
export type WrittenWorkflowRow = Omit<WorkflowRow, 'workflow_schema' | 'input' | 'config'> & {
  readonly workflow_schema: string;
  readonly input: string;
  readonly config: string;
};

const FIND_WRITTEN = `
  SELECT keys.place, found.*
  FROM ${keysTable({ workflow_id: 'uuid', organization_id: 'uuid' })}
  CROSS JOIN LATERAL (
    SELECT ${SUMMARY}, w.organization_id, workflow_schema::text AS workflow_schema, input::text AS input,
           config::text AS config, edit_version, last_edited_by, last_edited_at, live_deployment_id, deployment_count
    FROM workflows w WHERE w.id = keys.workflow_id AND w.organization_id = keys.organization_id LIMIT 1
  ) AS found`;

/** Finds a row to show, together with others who look for theirs. */
export async function selectWritten(
  db: BatchedReads,
  organizationId: string,
  workflowId: string,
): Promise<WrittenWorkflowRow | null> {
  const [row] = await db.batched<WrittenWorkflowRow>(FIND_WRITTEN, [workflowId, organizationId]);
  return row ?? null;
}

/** Writes a save: the fields, who and when, and edit_version + 1. */
export async function updateWorkflow(
  sql: Sql,
  workflow: WorkflowRow,
  { userId, fields }: { readonly userId: string; readonly fields: WorkflowFields },
): Promise<WorkflowRow> {
  return only(
    await sql.query<WorkflowRow>(
      `UPDATE workflows SET
         name = $3, description = $4, version = $5, tags = $6, category = $7, status = $8, visibility = $9,
         workflow_schema = $10::json, input = $11::json, config = $12::json, edit_version = edit_version + 1,
         last_edited_by = $13, last_edited_at = clock_timestamp(), updated_at = clock_timestamp()
       WHERE id = $1 AND organization_id = $2 RETURNING ${COLUMNS}`,
      [workflow.id, workflow.organization_id, ...values(fields), userId],
    ),
  );
}

/**
 * One entry per save (SPEC API-edit-history), and the notice of it to whoever has the canvas open. Call
 * in the transaction that saves.
 */
export async function insertEdit(
  tx: Sql,
  edit: EditNotice & {
    readonly patches: readonly Operation[];
    /** The step of a run that made the edit; null for a person. */
    readonly stepId: string | null;
  },
): Promise<void> {
  await tx.query(
    `INSERT INTO workflow_edits (workflow_id, user_id, edit_version, patches, step_id, source)
     VALUES ($1, $2, $3, $4::json, $5, $6)`,
    [edit.workflowId, edit.userId, edit.editVersion, JSON.stringify(edit.patches), edit.stepId, edit.source],
  );
  await announceEdit(tx, edit);
}

/** The edit that a step has made; null when it has made none. */
export async function selectEditOfStep(
  sql: Sql,
  stepId: string,
): Promise<{ readonly workflow_id: string; readonly edit_version: number } | null> {
  const rows = await sql.query<{ workflow_id: string; edit_version: number }>(
    'SELECT workflow_id, edit_version FROM workflow_edits WHERE step_id = $1',
    [stepId],
  );
  return rows[0] ?? null;
}

/** @returns false when the organization has no such workflow */
export async function deleteWorkflowRow(
  sql: Sql,
  organizationId: string,
  workflowId: string,
): Promise<boolean> {
  const rows = await sql.query('DELETE FROM workflows WHERE id = $1 AND organization_id = $2 RETURNING id', [
    workflowId,
    organizationId,
  ]);
  return rows.length === 1;
}

/** Text as a LIKE pattern that finds it anywhere. */
const containing = (text: string): string => `%${text.replace(/[\\%_]/g, (character) => `\\${character}`)}%`;

const MATCHES = `
  organization_id = $1 AND ($2::text IS NULL OR status = $2) AND ($3::text IS NULL OR category = $3)
  AND ($4::text IS NULL OR visibility = $4) AND ($5::text IS NULL OR name ILIKE $5 OR description ILIKE $5)`;

/** Newest first. Without `page_size`, all. */
export async function listWorkflows(
  sql: Sql,
  organizationId: string,
  query: ListQuery,
): Promise<{ readonly rows: WorkflowSummaryRow[]; readonly total: number }> {
  const filters = [
    organizationId,
    query.status ?? null,
    query.category ?? null,
    query.visibility ?? null,
    query.search === undefined ? null : containing(query.search),
  ];
  const order = 'ORDER BY created_at DESC, id DESC';
  if (query.page_size === undefined) {
    const rows = await sql.query<WorkflowSummaryRow>(
      `SELECT ${SUMMARY} FROM workflows WHERE ${MATCHES} ${order}`,
      filters,
    );
    return { rows, total: rows.length };
  }
  const skipped = ((query.page ?? 1) - 1) * query.page_size;
  const [rows, counted] = await Promise.all([
    sql.query<WorkflowSummaryRow>(
      `SELECT ${SUMMARY} FROM workflows WHERE ${MATCHES} ${order} LIMIT $6 OFFSET $7`,
      [...filters, query.page_size, skipped],
    ),
    sql.query<{ total: number }>(`SELECT count(*) AS total FROM workflows WHERE ${MATCHES}`, filters),
  ]);
  return { rows, total: only(counted).total };
}
