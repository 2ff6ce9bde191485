/** From a text to a workflow: a private run of the Composer's system workflow, over the workflow as it is now. */
import type { Scope } from '../../access/caller.ts';
import { KEPT_KEYS } from '../../graph/definition.ts';
import { ownValue, setOwn, type JsonObject } from '../../graph/value.ts';
import { listOwn } from '../credentials/service.ts';
import { readComposerModel } from '../organizations/service.ts';
import { requireOwnThread } from '../../runs/accept/own-thread.ts';
import { toReader } from '../../runs/ledger/run-reads.ts';
import { startSystemRun, type StartDeps } from '../../runs/accept/start.ts';
import { findWorkflow } from '../workflows/service.ts';
import type { ComposeBody } from './composer-schema.ts';

/** Credentials that the model may choose from. */
const MAX_CREDENTIALS = 50;

/** The workflow that the chat is about: the one that is named, else the one that the thread is about. */
async function subjectOf(deps: StartDeps, scope: Scope, body: ComposeBody): Promise<string | null> {
  const { workflow_id: named, thread_id: threadId } = body;
  if (threadId === undefined) return named ?? null;
  const known = await requireOwnThread(deps.db, toReader(scope), { threadId, kind: 'composer' });
  return named ?? known;
}

/** Names of the organization's accounts: a model that is not told of them would make some up. */
async function credentialsOf(deps: StartDeps, scope: Scope): Promise<JsonObject[]> {
  const rows = await listOwn(deps, scope, null);
  return rows.slice(0, MAX_CREDENTIALS).map(({ id: credentialId, name, integration }) => ({
    credential_id: credentialId,
    name,
    integration,
  }));
}

/** The part of a definition that the canvas keeps. */
function keptOf(definition: JsonObject): JsonObject {
  const kept: JsonObject = {};
  for (const key of KEPT_KEYS) {
    const value = ownValue(definition, key);
    if (value !== undefined) setOwn(kept, key, value);
  }
  return kept;
}

/** What the body says of the model; where it names none, the organization's default. */
async function chosenModel(
  deps: StartDeps,
  scope: Scope,
  given: ComposeBody['llm'],
): Promise<ComposeBody['llm']> {
  if (given?.model || given?.credential_id || given?.provider) return given;
  const model = await readComposerModel(deps, scope.organizationId);
  return model === null ? given : { ...given, model };
}

export interface Composing {
  readonly started: JsonObject;
  readonly workflowId: string | null;
  /** The version that the model is shown; what is saved meanwhile is merged. */
  readonly editVersion: number | null;
}

/**
 * Starts a run of the Composer.
 * @throws ApiError 404 for a workflow or a thread that the caller does not have, shape D from the gate, and as startRun
 */
export async function compose(deps: StartDeps, scope: Scope, body: ComposeBody): Promise<Composing> {
  const workflowId = await subjectOf(deps, scope, body);
  const workflow = workflowId === null ? null : await findWorkflow(deps, scope, workflowId);
  const llm = await chosenModel(deps, scope, body.llm);
  const started = await startSystemRun(deps, scope, {
    name: 'composer',
    input: {
      message: body.message,
      model: llm?.model ?? deps.config.managedLlm?.model ?? 'managed',
      workflow_id: workflow?.id ?? null,
      edit_version: workflow?.editVersion ?? null,
      definition: workflow === null ? null : keptOf(workflow.definition),
      credentials: await credentialsOf(deps, scope),
    },
    workflowId: workflow?.id ?? null,
    threadId: body.thread_id,
    llm,
  });
  return { started, workflowId: workflow?.id ?? null, editVersion: workflow?.editVersion ?? null };
}
