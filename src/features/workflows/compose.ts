/**
 * Saves a definition that a model has written: validated as a client's, merged with concurrent saves, and stored as one edit
 * of the user who requested it. Nothing is deployed.
 */
import { requireMembership } from '../../platform/access/membership.ts';
import type { Db, Sql } from '../../base/db/client.ts';
import { ApiError } from '../../base/errors.ts';
import { KEPT_KEYS } from '../../language/graph/definition/definition.ts';
import { mergeDefinitions } from '../../language/graph/definition/merge.ts';
import { validate } from '../../language/graph/checks/validate.ts';
import { isObject, ownValue, setOwn, type Json, type JsonObject } from '../../language/graph/values/value.ts';
import { PARSING } from '../../platform/http/issues.ts';
import { kindRules } from '../../language/nodes/registry.ts';
import type { Composition, CompositionOutcome } from '../../language/nodes/tools.ts';
import { lockCredentials } from '../../platform/credentials/require-credentials.ts';
import { requireBases } from '../../platform/knowledge/require-bases.ts';
import { requireTables } from '../../platform/tables/require-tables.ts';
import { workflowUpdate } from './schema.ts';
import { lockWorkflow, buildNewFields, saveLocked } from './service.ts';
import { insertWorkflow, selectEditOfStep, type WorkflowRow } from './store.ts';
import { findMissing, listCalls } from './sub-workflows.ts';

/** The most problems that a model gets: it fixes what it can read. */
const MAX_PROBLEMS = 20;
const EMPTY: JsonObject = { nodes: [], edges: [] };

interface NewComposition extends Composition {
  /** The user whose rights apply, and who is recorded as the editor. */
  readonly userId: string;
}
type SaveOutcome =
  | CompositionOutcome
  /** Concurrent saves changed the same places; nothing was saved. */
  | { readonly kind: 'conflict'; readonly places: readonly string[] };

/** Completes a definition with the base's values for the keys that the model omitted; drops unknown keys. */
function completeDefinition(definition: JsonObject, base: JsonObject): JsonObject {
  const whole: JsonObject = {};
  for (const key of KEPT_KEYS) {
    const value = ownValue(definition, key) ?? ownValue(base, key);
    if (value !== undefined) setOwn(whole, key, value);
  }
  return { ...whole, nodes: keepPositions(whole['nodes'], base['nodes']) };
}

/** Nodes without a position keep theirs on the canvas. */
function keepPositions(nodes: Json | undefined, before: Json | undefined): Json {
  if (!Array.isArray(nodes)) return nodes ?? null;
  const positions = new Map(
    (Array.isArray(before) ? before : []).map((node) => [ownValue(node, 'id'), ownValue(node, 'position')]),
  );
  return nodes.map((node) => {
    const position = positions.get(ownValue(node, 'id'));
    if (!isObject(node) || position === undefined || Object.hasOwn(node, 'position')) return node;
    return { ...node, position };
  });
}

/** Lists the errors of a definition as messages; warnings are left out. */
async function listProblems(tx: Sql, organizationId: string, definition: JsonObject): Promise<string[]> {
  const shape = workflowUpdate.safeParse({ workflow_schema: definition }, PARSING);
  if (!shape.success)
    return shape.error.issues.map(({ path, message }) => `${path.slice(1).join('.')}: ${message}`);
  const errors = validate(definition, kindRules).filter(({ severity }) => severity === 'error');
  if (errors.length > 0) return errors.map(({ message }) => message);
  const missing = await findMissing(tx, organizationId, listCalls(definition));
  if (missing.length > 0) return missing.map(({ message }) => message);
  try {
    await lockCredentials(tx, organizationId, definition);
    await requireBases(tx, organizationId, definition);
    await requireTables(tx, organizationId, definition);
  } catch (error) {
    if (error instanceof ApiError && error.failure.shape === 'A') return [error.failure.detail];
    throw error;
  }
  return [];
}

function lockOrInsert(tx: Sql, { organizationId, userId, base }: NewComposition): Promise<WorkflowRow> {
  if (base !== null) return lockWorkflow(tx, { organizationId }, base.workflowId);
  return insertWorkflow(
    tx,
    { organizationId, userId },
    buildNewFields({ name: 'Untitled workflow', workflow_schema: EMPTY }),
  );
}

/** Stores the workflow that the chat is about, which is known once it is saved. */
async function nameInChat(
  tx: Sql,
  { organizationId, threadId }: NewComposition,
  workflowId: string,
): Promise<void> {
  if (threadId === null) return;
  await tx.query(
    `UPDATE chats SET workflow_id = $3 WHERE organization_id = $1 AND thread_id = $2 AND kind = 'composer'`,
    [organizationId, threadId, workflowId],
  );
}

/** Thrown to roll back the transaction. */
class NotSaved extends Error {
  readonly outcome: SaveOutcome;
  constructor(outcome: SaveOutcome) {
    super('The composition was not saved');
    this.outcome = outcome;
  }
}

/** Turns a 422 into problems for the model, which can fix them. */
function throwToModel(error: unknown): never {
  if (!(error instanceof ApiError) || error.failure.shape !== 'C') throw error;
  throw new NotSaved({ kind: 'invalid', problems: error.failure.issues.map(({ msg }) => msg) });
}

async function save(tx: Sql, composition: NewComposition): Promise<SaveOutcome> {
  const { organizationId, userId, stepId, base } = composition;
  const before = await selectEditOfStep(tx, stepId);
  if (before !== null)
    return { kind: 'saved', workflowId: before.workflow_id, editVersion: before.edit_version };
  await requireMembership(tx, userId, organizationId);
  const wanted = completeDefinition(composition.definition, base?.definition ?? EMPTY);
  if (composition.isProposal && base !== null) {
    const found = await listProblems(tx, organizationId, wanted);
    if (found.length > 0) return { kind: 'invalid', problems: found.slice(0, MAX_PROBLEMS) };
    await nameInChat(tx, composition, base.workflowId);
    return { kind: 'proposed', definition: wanted };
  }
  const row = await lockOrInsert(tx, composition);
  const isStale = base !== null && base.editVersion !== row.edit_version;
  const merged = isStale
    ? mergeDefinitions(base.definition, wanted, row.workflow_schema)
    : { definition: wanted, conflicts: [] };
  if (merged.conflicts.length > 0) throw new NotSaved({ kind: 'conflict', places: merged.conflicts });
  const problems = await listProblems(tx, organizationId, merged.definition);
  if (problems.length > 0) throw new NotSaved({ kind: 'invalid', problems: problems.slice(0, MAX_PROBLEMS) });
  const body = { workflow_schema: merged.definition };
  const saved = await saveLocked(tx, row, { body, userId, source: 'composer', stepId }).catch(throwToModel);
  await nameInChat(tx, composition, saved.id);
  return { kind: 'saved', workflowId: saved.id, editVersion: saved.edit_version };
}

/**
 * Saves a composition in one transaction; a repeated step saves once. A proposal is checked and not saved.
 * @throws ApiError 403 when the user may no longer edit workflows of the organization, 404 when the workflow is gone
 */
export async function saveComposed(db: Db, composition: NewComposition): Promise<SaveOutcome> {
  try {
    return await db.transaction((tx) => save(tx, composition));
  } catch (error) {
    if (error instanceof NotSaved) return error.outcome;
    throw error;
  }
}
