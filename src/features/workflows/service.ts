/** Creates, finds, saves and deletes workflows. A save is one transaction under the row's lock. */
import { resolveOwnerScope } from '../../platform/access/membership.ts';
import type { Scope } from '../../platform/access/caller.ts';
import type { BatchedReads, Db, Sql } from '../../base/db/client.ts';
import type { EditNotice, EditSource } from '../../base/db/notices.ts';
import { conflict, invalid, notFound } from '../../base/errors.ts';
import { requireWorkflow } from '../../engine/runs/ledger/read/require-objects.ts';
import { findExcess } from '../../language/graph/definition/definition-size.ts';
import { addNodeFields } from '../../language/graph/definition/state-fields.ts';
import type { JsonObject } from '../../language/graph/values/value.ts';
import { editPatches } from './edit-patches.ts';
import { mirror } from './mirror.ts';
import type { NewWorkflow, WorkflowUpdate } from './schema.ts';
import {
  deleteWorkflowRow,
  insertEdit,
  insertWorkflow,
  selectLocked,
  selectWorkflowText,
  updateWorkflow,
  type WorkflowFields,
  type WorkflowRow,
  type WorkflowTextRow,
} from './store.ts';
import { findMissing, listCalls, listUsers, type WorkflowUser } from './sub-workflows.ts';

export interface WorkflowDeps {
  readonly db: Db;
}

/**
 * @param at the field of the request that an error names, if it is not the definition
 * @throws ApiError 422 for a definition that grows above its limits
 */
function requireSize(after: JsonObject, before: JsonObject | null, at?: readonly string[]): void {
  const excess = findExcess(after, before);
  if (excess === null) return;
  const { path, message, code } = excess;
  throw invalid([{ loc: at ?? ['body', 'workflow_schema', ...path], msg: message, type: code }]);
}

/** Applies the defaults of a new workflow (SPEC API-workflow). @throws ApiError 422 for a definition that is too large */
export function buildNewFields(body: NewWorkflow): WorkflowFields {
  const told = {
    name: body.name ?? '',
    description: body.description ?? null,
    version: body.version ?? '1.0.0',
    tags: body.tags ?? [],
  };
  const { definition, fields } = mirror(addNodeFields(body.workflow_schema), told, {
    isSent: true,
    changed: {},
  });
  requireSize(definition, null);
  return {
    ...fields,
    category: body.category ?? null,
    status: body.status ?? 'draft',
    visibility: body.visibility ?? 'organization',
    workflow_schema: definition,
    input: body.input ?? {},
    config: body.config ?? {},
  };
}

/** @throws ApiError 403 when the body names an organization that the caller may not act in; 422 as buildNewFields */
export async function createWorkflow(
  deps: WorkflowDeps,
  scope: Scope,
  body: NewWorkflow,
): Promise<WorkflowRow> {
  const { organizationId } = await resolveOwnerScope(deps.db, scope, body.organization_id);
  return insertWorkflow(deps.db, { organizationId, userId: scope.caller.userId }, buildNewFields(body));
}

/** The draft of a workflow, at the version that was read. */
interface Draft {
  readonly id: string;
  readonly editVersion: number;
  readonly definition: JsonObject;
}

/** @throws ApiError 404 when the organization has no such workflow */
export async function findWorkflow(
  { db }: WorkflowDeps,
  { organizationId }: Pick<Scope, 'organizationId'>,
  workflowId: string,
): Promise<Draft> {
  const row = await db.prisma.workflow.findFirst({
    where: { id: workflowId, organizationId },
    select: { id: true, editVersion: true, workflowSchema: true },
  });
  if (row === null) throw notFound('Workflow');
  return { id: row.id, editVersion: row.editVersion, definition: row.workflowSchema as JsonObject };
}

/** Finds a workflow to present, with its stored JSON as text. @throws ApiError 404 when the organization has no such workflow */
export async function findWorkflowText(
  db: BatchedReads,
  scope: Pick<Scope, 'organizationId'>,
  workflowId: string,
): Promise<WorkflowTextRow> {
  const row = await selectWorkflowText(db, scope.organizationId, workflowId);
  if (row === null) throw notFound('Workflow');
  return row;
}

/**
 * Locks the workflow's row until the transaction ends. All changes of a workflow or its deployments take this lock first, so
 * that they never deadlock.
 * @throws ApiError 404
 */
export async function lockWorkflow(
  tx: Sql,
  scope: Pick<Scope, 'organizationId'>,
  workflowId: string,
): Promise<WorkflowRow> {
  const row = await selectLocked(tx, { organizationId: scope.organizationId, workflowId });
  if (row === null) throw notFound('Workflow');
  return row;
}

function changeFields(row: WorkflowRow, body: WorkflowUpdate): WorkflowFields {
  const { name, description, version, tags } = body;
  const changed = {
    ...(name === undefined ? {} : { name }),
    ...(description === undefined ? {} : { description }),
    ...(version === undefined ? {} : { version }),
    ...(tags === undefined ? {} : { tags }),
  };
  const kept = { name: row.name, description: row.description, version: row.version, tags: row.tags };
  const isSent = body.workflow_schema !== undefined;
  const { definition, fields } = mirror(
    body.workflow_schema === undefined ? row.workflow_schema : addNodeFields(body.workflow_schema),
    { ...kept, ...changed },
    { isSent, changed },
  );
  return {
    ...fields,
    category: body.category === undefined ? row.category : body.category,
    status: body.status ?? row.status,
    visibility: body.visibility ?? row.visibility,
    workflow_schema: definition,
    input: body.input ?? row.input,
    config: body.config ?? row.config,
  };
}

/** Returns the fields that the edit history records. */
function toHistory(fields: WorkflowFields): JsonObject {
  return {
    workflow_schema: fields.workflow_schema,
    name: fields.name,
    description: fields.description,
    version: fields.version,
    tags: [...fields.tags],
    category: fields.category,
    status: fields.status,
    visibility: fields.visibility,
    input: fields.input,
    config: fields.config,
  };
}

/** Author and origin of a save. */
interface Editor {
  readonly userId: string;
  readonly source: EditSource;
  /** The step of the run that saves for the user; null for a request. */
  readonly stepId: string | null;
  /** The field of the request that an error names; the definition by default. */
  readonly at?: readonly string[] | undefined;
}

/**
 * Writes one save of a workflow whose row is locked: only the supplied fields change, edit_version rises by one, one
 * history entry is written, and the open canvas is notified with the commit.
 * @throws ApiError 422 for a definition that grows above its limits
 */
export async function saveLocked(
  tx: Sql,
  row: WorkflowRow,
  { body, userId, source, stepId, at }: Editor & { readonly body: WorkflowUpdate },
): Promise<WorkflowRow> {
  const fields = changeFields(row, body);
  requireSize(fields.workflow_schema, row.workflow_schema, at);
  const saved = await updateWorkflow(tx, row, { userId, fields });
  const patches = editPatches(toHistory(row), toHistory(fields));
  const editVersion = saved.edit_version;
  await insertEdit(tx, { workflowId: row.id, userId, editVersion, source, patches, stepId });
  return saved;
}

/** Records an activation in the edit history; the draft does not change. Call in the transaction of the activation. */
export async function recordActivation(
  tx: Sql,
  edit: Omit<EditNotice, 'source'>,
  deploymentId: string,
): Promise<void> {
  const patches = [{ op: 'replace' as const, path: '/live_deployment_id', value: deploymentId }];
  const liveDeploymentId = deploymentId;
  await insertEdit(tx, { ...edit, source: 'activation', liveDeploymentId, patches, stepId: null });
}

/**
 * Saves the fields of a request. A body without a known field saves nothing.
 * @throws ApiError 404; 409 when the workflow has another edit_version than expected; 422 as saveLocked
 */
export async function saveWorkflow(
  deps: WorkflowDeps,
  scope: Scope,
  { workflowId, body }: { readonly workflowId: string; readonly body: WorkflowUpdate },
): Promise<WorkflowRow> {
  return deps.db.transaction(async (tx) => {
    const row = await lockWorkflow(tx, scope, workflowId);
    const { expected_edit_version: expected = row.edit_version, ...fields } = body;
    if (expected !== row.edit_version) {
      const message = `The workflow was changed: its edit_version is ${row.edit_version}, not ${expected}`;
      throw conflict('edit_version_conflict', message);
    }
    if (Object.values(fields).every((value) => value === undefined)) return row;
    return saveLocked(tx, row, { body: fields, userId: scope.caller.userId, source: 'rest', stepId: null });
  });
}

/**
 * Refuses a definition that calls a missing workflow. Takes no lock: the callee may be deleted later anyway, and two workflows
 * that call each other would deadlock.
 * @throws ApiError 422 with an issue for each call
 */
export async function requireWorkflows(
  sql: Sql,
  organizationId: string,
  definition: JsonObject,
): Promise<void> {
  const missing = await findMissing(sql, organizationId, listCalls(definition));
  if (missing.length === 0) return;
  throw invalid(
    missing.map(({ path, message, code }) => ({
      loc: ['workflow_schema', ...path],
      msg: message,
      type: code,
    })),
  );
}

/** @throws ApiError 404 when the organization has no such workflow */
export async function findUsers(
  { db }: WorkflowDeps,
  { organizationId }: Pick<Scope, 'organizationId'>,
  workflowId: string,
): Promise<WorkflowUser[]> {
  await requireWorkflow(db, { organizationId }, workflowId);
  return listUsers(db, { organizationId, workflowId });
}

/**
 * Deletes the workflow with its edit history and deployments; runs keep their records.
 * @returns the workflows that still call it
 * @throws ApiError 404
 */
export async function deleteWorkflow(
  { db }: WorkflowDeps,
  { organizationId }: Pick<Scope, 'organizationId'>,
  workflowId: string,
): Promise<WorkflowUser[]> {
  return db.transaction(async (tx) => {
    if (!(await deleteWorkflowRow(tx, organizationId, workflowId))) throw notFound('Workflow');
    return listUsers(tx, { organizationId, workflowId });
  });
}
