/** Starts the Composer: a private run of its system workflow, with the current draft as input. */
import type { Scope } from '../../platform/access/caller.ts';
import { KEPT_KEYS } from '../../language/graph/definition/definition.ts';
import { ownValue, setOwn, type JsonObject } from '../../language/graph/values/value.ts';
import { listCredentials } from '../../platform/credentials/api/service.ts';
import { readComposerModel } from '../accounts/organizations/service.ts';
import { requireOwnThread } from '../../engine/runs/accept/own-thread.ts';
import { toReader } from '../../engine/runs/ledger/read/run-reads.ts';
import { startSystemRun, type StartDeps } from '../../engine/runs/accept/start.ts';
import { findWorkflow } from '../workflows/service.ts';
import type { ComposeBody } from './composer-schema.ts';

/** Credentials in the input of the model. */
const MAX_CREDENTIALS = 50;

/** Finds the id of the workflow that the chat is about: the body's, else the thread's. @throws ApiError 404 for the thread */
async function findWorkflowId(deps: StartDeps, scope: Scope, body: ComposeBody): Promise<string | null> {
  const { workflow_id: requested = null, thread_id: threadId } = body;
  if (threadId === undefined) return requested;
  const ofThread = await requireOwnThread(deps.db, toReader(scope), { threadId, kind: 'composer' });
  return requested ?? ofThread;
}

/** Lists the organization's credentials for the model, which would invent ids otherwise. */
async function listCredentialNames(deps: StartDeps, scope: Scope): Promise<JsonObject[]> {
  const rows = await listCredentials(deps, scope, null);
  return rows.slice(0, MAX_CREDENTIALS).map(({ id: credentialId, name, integration }) => ({
    credential_id: credentialId,
    name,
    integration,
  }));
}

/** Copies the keys of a definition that the canvas keeps. */
function pickKeptKeys(definition: JsonObject): JsonObject {
  const kept: JsonObject = {};
  for (const key of KEPT_KEYS) {
    const value = ownValue(definition, key);
    if (value !== undefined) setOwn(kept, key, value);
  }
  return kept;
}

/** Returns the model of the body, or the organization's default when the body names none. */
async function chooseModel(
  deps: StartDeps,
  scope: Scope,
  requested: ComposeBody['llm'],
): Promise<ComposeBody['llm']> {
  if (requested?.model || requested?.credential_id || requested?.provider) return requested;
  const model = await readComposerModel(deps, scope.organizationId);
  return model === null ? requested : { ...requested, model };
}

interface StartedComposition {
  /** The response of the start, as of every run. */
  readonly started: JsonObject;
  /** The edited workflow; null when the model makes a new one. */
  readonly workflowId: string | null;
  /** The version in the input of the model, with which its result is merged; null without a workflow. */
  readonly editVersion: number | null;
}

/**
 * Starts a run of the Composer.
 * @throws ApiError 404 for a workflow or a thread that the caller may not see; 402 and 429 of the billing gate; as startRun
 */
export async function compose(deps: StartDeps, scope: Scope, body: ComposeBody): Promise<StartedComposition> {
  const workflowId = await findWorkflowId(deps, scope, body);
  const workflow = workflowId === null ? null : await findWorkflow(deps, scope, workflowId);
  const llm = await chooseModel(deps, scope, body.llm);
  const started = await startSystemRun(deps, scope, {
    name: 'composer',
    input: {
      message: body.message,
      model: llm?.model ?? deps.config.managedLlm?.model ?? 'managed',
      workflow_id: workflow?.id ?? null,
      edit_version: workflow?.editVersion ?? null,
      definition: workflow === null ? null : pickKeptKeys(workflow.definition),
      credentials: await listCredentialNames(deps, scope),
      propose: body.propose === true && workflow !== null,
    },
    workflowId: workflow?.id ?? null,
    threadId: body.thread_id,
    llm,
  });
  return { started, workflowId: workflow?.id ?? null, editVersion: workflow?.editVersion ?? null };
}
