/**
 * Saving what a model has made of a workflow: judged by the rules that a client's definition meets, merged with what
 * others have saved meanwhile, and written as one edit of the user who asked for it. Nothing is deployed or activated.
 */
import { readMemberRole, requireLiveRole } from '../../access/membership.ts';
import type { Db, Sql } from '../../db/client.ts';
import { ApiError } from '../../errors.ts';
import { KEPT_KEYS } from '../../graph/definition.ts';
import { mergeDefinitions } from '../../graph/merge.ts';
import { validate } from '../../graph/validate.ts';
import { isObject, ownValue, setOwn, type Json, type JsonObject } from '../../graph/value.ts';
import { kindRules } from '../../nodes/registry.ts';
import type { Composition, CompositionOutcome } from '../../nodes/tools.ts';
import { lockCredentials } from '../../credentials/require-credentials.ts';
import { requireBases } from '../../knowledge/require-bases.ts';
import { workflowUpdate } from './schema.ts';
import { lockWorkflow, newFields, saveLocked } from './service.ts';
import { insertWorkflow, selectEditOfStep, type WorkflowRow } from './store.ts';
import { findMissing, listCalls } from './sub-workflows.ts';

/** What is told of a definition at once: a model mends what it can read. */
const MAX_PROBLEMS = 20;
const EMPTY: JsonObject = { nodes: [], edges: [] };

export interface NewComposition extends Composition {
  /** For whom, and with whose rights. */
  readonly userId: string;
}
export type Composed =
  | CompositionOutcome
  /** Others have changed the same places; nothing was saved. */
  | { readonly kind: 'conflict'; readonly places: readonly string[] };

/** The keys that a definition may have, in the order of the base; what the model left out stays as it was. */
function completed(definition: JsonObject, base: JsonObject): JsonObject {
  const whole: JsonObject = {};
  for (const key of KEPT_KEYS) {
    const value = ownValue(definition, key) ?? ownValue(base, key);
    if (value !== undefined) setOwn(whole, key, value);
  }
  return { ...whole, nodes: placed(whole['nodes'], base['nodes']) };
}

/** Nodes that come without a position keep the one that they had on the canvas. */
function placed(nodes: Json | undefined, before: Json | undefined): Json {
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

/** Everything that is wrong with a definition, in words; warnings are no problem. */
async function problemsOf(tx: Sql, organizationId: string, definition: JsonObject): Promise<string[]> {
  const shape = workflowUpdate.safeParse({ workflow_schema: definition });
  if (!shape.success)
    return shape.error.issues.map(({ path, message }) => `${path.slice(1).join('.')}: ${message}`);
  const errors = validate(definition, kindRules).filter(({ severity }) => severity === 'error');
  if (errors.length > 0) return errors.map(({ message }) => message);
  const missing = await findMissing(tx, organizationId, listCalls(definition));
  if (missing.length > 0) return missing.map(({ message }) => message);
  try {
    await lockCredentials(tx, organizationId, definition);
    await requireBases(tx, organizationId, definition);
  } catch (error) {
    if (error instanceof ApiError && error.failure.shape === 'A') return [error.failure.detail];
    throw error;
  }
  return [];
}

function rowOf(tx: Sql, { organizationId, userId, base }: NewComposition): Promise<WorkflowRow> {
  if (base !== null) return lockWorkflow(tx, { organizationId }, base.workflowId);
  return insertWorkflow(
    tx,
    { organizationId, userId },
    newFields({ name: 'Untitled workflow', workflow_schema: EMPTY }),
  );
}

/** The workflow that a chat is about is known once it is saved. */
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

/** Ends the transaction without its writes. */
class NotSaved extends Error {
  readonly outcome: Composed;
  constructor(outcome: Composed) {
    super('The composition was not saved');
    this.outcome = outcome;
  }
}

/** What a client would be refused is told to the model, which can mend it. */
function refuseToModel(error: unknown): never {
  if (!(error instanceof ApiError) || error.failure.shape !== 'C') throw error;
  throw new NotSaved({ kind: 'invalid', problems: error.failure.issues.map(({ msg }) => msg) });
}

async function save(tx: Sql, composition: NewComposition): Promise<Composed> {
  const { organizationId, userId, stepId, base } = composition;
  const before = await selectEditOfStep(tx, stepId);
  if (before !== null)
    return { kind: 'saved', workflowId: before.workflow_id, editVersion: before.edit_version };
  requireLiveRole(await readMemberRole(tx, userId, organizationId));
  const row = await rowOf(tx, composition);
  const wanted = completed(composition.definition, base?.definition ?? EMPTY);
  const isStale = base !== null && base.editVersion !== row.edit_version;
  const merged = isStale
    ? mergeDefinitions(base.definition, wanted, row.workflow_schema)
    : { definition: wanted, conflicts: [] };
  if (merged.conflicts.length > 0) throw new NotSaved({ kind: 'conflict', places: merged.conflicts });
  const problems = await problemsOf(tx, organizationId, merged.definition);
  if (problems.length > 0) throw new NotSaved({ kind: 'invalid', problems: problems.slice(0, MAX_PROBLEMS) });
  const body = { workflow_schema: merged.definition };
  const saved = await saveLocked(tx, row, { body, userId, source: 'composer', stepId }).catch(refuseToModel);
  await nameInChat(tx, composition, saved.id);
  return { kind: 'saved', workflowId: saved.id, editVersion: saved.edit_version };
}

/**
 * Saves a composition, in one transaction; the same step saves once.
 * @throws ApiError 403 when the user may not edit workflows of the organization any more, 404 when the workflow is gone
 */
export async function saveComposed(db: Db, composition: NewComposition): Promise<Composed> {
  try {
    return await db.transaction((tx) => save(tx, composition));
  } catch (error) {
    if (error instanceof NotSaved) return error.outcome;
    throw error;
  }
}
