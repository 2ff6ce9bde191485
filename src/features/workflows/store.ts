/** Queries of workflows; each names the organization. A save locks the workflow's row first. */
import type { Operation } from 'fast-json-patch';
import { pageByTime, type PageRead } from '../../base/db/keyset.ts';
import { keysTable } from '../../base/db/batcher.ts';
import type { BatchedReads, Db, Sql } from '../../base/db/client.ts';
import { escapeLike } from '../../base/db/like.ts';
import type { Prisma } from '../../base/db/generated/client.ts';
import { announceEdit, type EditNotice } from '../../base/db/notices.ts';
import type { JsonObject } from '../../language/graph/values/value.ts';
import { selectRedactedPaths } from '../../engine/runs/ledger/read/redacted-paths.ts';
import type { ListQuery } from './schema.ts';

export interface WorkflowRow {
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

const PLAIN_COLUMNS = `
  id, name, description, version, status, visibility, category, tags, creator_id, created_at, updated_at,
  edit_version, last_edited_by, last_edited_at, live_deployment_id, deployment_count`;
const COLUMNS = `${PLAIN_COLUMNS}, organization_id, workflow_schema, input, config`;

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

/** Reads a workflow and locks its row until the transaction ends; null when the organization has none of that id. */
export async function selectLocked(
  tx: Sql,
  { organizationId, workflowId }: { readonly organizationId: string; readonly workflowId: string },
): Promise<WorkflowRow | null> {
  const rows = await tx.query<WorkflowRow>(
    `SELECT ${COLUMNS} FROM workflows WHERE id = $1 AND organization_id = $2 FOR UPDATE`,
    [workflowId, organizationId],
  );
  return rows[0] ?? null;
}

/** A row with its JSON as the stored text. */
export type WorkflowTextRow = Omit<WorkflowRow, 'workflow_schema' | 'input' | 'config'> & {
  readonly workflow_schema: string;
  readonly input: string;
  readonly config: string;
  /** The paths whose values are redacted in its runs. */
  readonly redacted_paths: readonly string[];
};

const FIND_WRITTEN = `
  SELECT keys.place, found.*
  FROM ${keysTable({ workflow_id: 'uuid', organization_id: 'uuid' })}
  CROSS JOIN LATERAL (
    SELECT ${PLAIN_COLUMNS}, w.organization_id, workflow_schema::text AS workflow_schema, input::text AS input,
           config::text AS config, ${selectRedactedPaths('w.organization_id', 'w.id')} AS redacted_paths
    FROM workflows w WHERE w.id = keys.workflow_id AND w.organization_id = keys.organization_id LIMIT 1
  ) AS found`;

/** Selects a row to present; concurrent reads share a statement. */
export async function selectWorkflowText(
  db: BatchedReads,
  organizationId: string,
  workflowId: string,
): Promise<WorkflowTextRow | null> {
  const [row] = await db.batched<WorkflowTextRow>(FIND_WRITTEN, [workflowId, organizationId]);
  return row ?? null;
}

/** Writes the fields, the editor and the time, and increments edit_version. */
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
 * Inserts the history entry of a save (SPEC API-edit-history) and notifies the open canvas. Call in the transaction that
 * saves.
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

/** Selects the edit that a step has saved, or null. */
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

/** The columns of a workflow in lists. */
const LISTED = {
  omit: { workflowSchema: true, input: true, config: true },
} as const;
export type ListedWorkflow = Prisma.WorkflowGetPayload<typeof LISTED>;

type WorkflowFilter = Omit<ListQuery, 'page' | 'page_size' | 'limit' | 'cursor'>;

function whereListed(
  organizationId: string,
  { status, category, visibility, search }: WorkflowFilter,
): Prisma.WorkflowWhereInput {
  const found = search === undefined ? null : { contains: escapeLike(search), mode: 'insensitive' as const };
  return {
    organizationId,
    ...(status === undefined ? {} : { status }),
    ...(category === undefined ? {} : { category }),
    ...(visibility === undefined ? {} : { visibility }),
    ...(found === null ? {} : { OR: [{ name: found }, { description: found }] }),
  };
}

/** Selects the workflows that match, newest first: a page, or all without one. */
export function selectWorkflows(
  { prisma }: Pick<Db, 'prisma'>,
  organizationId: string,
  { page, ...filter }: WorkflowFilter & { readonly page?: PageRead },
): Promise<ListedWorkflow[]> {
  const where = whereListed(organizationId, filter);
  if (page === undefined) {
    return prisma.workflow.findMany({ ...LISTED, where, orderBy: [{ createdAt: 'desc' }, { id: 'desc' }] });
  }
  const { behind, ...rest } = pageByTime(page, 'createdAt');
  return prisma.workflow.findMany({ ...LISTED, where: { ...where, AND: behind }, ...rest });
}

/** Counts the workflows that match. */
export const countWorkflows = (
  { prisma }: Pick<Db, 'prisma'>,
  organizationId: string,
  filter: WorkflowFilter,
): Promise<number> => prisma.workflow.count({ where: whereListed(organizationId, filter) });
