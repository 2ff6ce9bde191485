/** Starting a run: choose what runs, accept it durably, answer; Temporal is told out of band (SPEC SRV-accept). */
import type { Scope } from '../../access/caller.ts';
import { admissionOf } from '../../billing/admission.ts';
import type { Deps } from '../../deps.ts';
import { badRequest, conflict, invalid, unavailable } from '../../errors.ts';
import type { JsonObject } from '../../graph/value.ts';
import { acceptIfLive, acceptRun, acceptRunOnce, isAlone, type AcceptedRun, type NewRun } from './accept.ts';
import { hashBody, readReply, type IdempotencyKey, type StoredReply } from './idempotency.ts';
import { runLimits } from './limits.ts';
import { requireOwnThread } from '../../resources/chats/service.ts';
import { rememberedSource } from './live-source.ts';
import { presentStart, saidIn } from '../api/present.ts';
import type { StartBody } from '../api/schema.ts';
import { chooseSource, type RunSource } from './source.ts';
import type { SystemChat } from './system-workflows.ts';

export type StartDeps = Pick<Deps, 'db' | 'config' | 'dispatcher'>;

export interface StartOptions {
  /** The Idempotency-Key header, if there was one. */
  readonly idempotencyKey: string | null;
  /** The chat that the run answers in, and the saved workflow that it is about; null for a run of a client's own. */
  readonly chat: { readonly kind: SystemChat; readonly workflowId: string | null } | null;
}

/** Of an Idempotency-Key. */
export const MAX_KEY_LENGTH = 255;
const BACKLOG_RETRY_SECONDS = 5;

function keyOf(scope: Scope, body: StartBody, header: string | null): IdempotencyKey | null {
  if (header === null) return null;
  if (header.length === 0 || header.length > MAX_KEY_LENGTH) {
    const msg = `Idempotency-Key must have 1 to ${MAX_KEY_LENGTH} characters`;
    throw invalid([{ loc: ['header', 'Idempotency-Key'], msg, type: 'string_length' }]);
  }
  return { organizationId: scope.organizationId, key: header, bodyHash: hashBody(body) };
}

function replayed(reply: StoredReply): JsonObject {
  if (reply.kind === 'replay') return reply.response;
  const msg = 'Idempotency-Key was used with another request body';
  throw invalid([{ loc: ['header', 'Idempotency-Key'], msg, type: 'idempotency_key_reused' }]);
}

function newRun(scope: Scope, body: StartBody, source: RunSource, chat: StartOptions['chat']): NewRun {
  const runInput = body.input ?? {};
  const overrides: JsonObject = {
    ...(body.config?.recursion_limit === undefined ? {} : { recursion_limit: body.config.recursion_limit }),
    ...(body.config?.batch_interval_ms === undefined
      ? {}
      : { batch_interval_ms: body.config.batch_interval_ms }),
  };
  return {
    organizationId: scope.organizationId,
    createdBy: scope.caller.userId,
    workflowId: chat?.workflowId ?? source.workflowId,
    deploymentId: source.deploymentId,
    deploymentVersion: source.deploymentVersion,
    definitionHash: source.definitionHash,
    definitionText: source.definitionText,
    admission: admissionOf(scope),
    workflowName: source.workflowName,
    workflowVersion: source.workflowVersion,
    workflowSource: source.workflowSource,
    triggerType: chat === null ? 'api' : 'chat',
    isAdHoc: source.isAdHoc,
    isPrivate: body.is_private,
    ephemeral: body.ephemeral,
    stream: body.stream,
    threadId: body.config?.thread_id ?? null,
    chatKind: chat?.kind ?? 'workflow',
    said: saidIn({ ...source.input, ...runInput }),
    ...runLimits(overrides, source.config, source.facts.config),
    workflowInput: source.input,
    runInput,
  };
}

/**
 * The run that a request asks for.
 * @throws ApiError as chooseSource; 404 for a thread of somebody else's chat; 400 for a question in an ephemeral run
 */
async function chooseRun(
  deps: StartDeps,
  scope: Scope,
  body: StartBody,
  chat: StartOptions['chat'],
): Promise<NewRun> {
  const threadId = body.config?.thread_id;
  if (threadId !== undefined) await requireOwnThread(deps.db, scope, threadId, chat?.kind ?? 'workflow');
  const source = await chooseSource(deps, scope, body, chat !== null);
  if (body.ephemeral && source.facts.asks) {
    throw badRequest('An ephemeral run cannot have interrupt nodes: nothing is kept that could be resumed');
  }
  return newRun(scope, body, source, chat);
}

/**
 * Starts a run.
 * @returns the run start response; for a known idempotency key the one that was given before
 * @throws ApiError as chooseRun; 409 while a request with the same key is executed, 422 when the key belongs to another
 *   body; 503 when too many runs wait for Temporal; shape D from the gate
 */
export async function startRun(
  deps: StartDeps,
  scope: Scope,
  body: StartBody,
  options: StartOptions,
): Promise<JsonObject> {
  const begun = performance.now();
  const key = keyOf(scope, body, options.idempotencyKey);
  const before = key === null ? null : await readReply(deps.db, key);
  if (before !== null) return replayed(before);
  if (deps.dispatcher.isOverloaded) {
    throw unavailable('Too many runs are waiting to be started', BACKLOG_RETRY_SECONDS);
  }
  const present = (run: NewRun, accepted: AcceptedRun): JsonObject =>
    presentStart({
      ...run,
      ...accepted,
      rootRunPk: accepted.runPk,
      elapsedMs: Math.round(performance.now() - begun),
    });
  const started = key === null ? await startRemembered(deps, scope, body) : null;
  if (started !== null) return present(started.run, started.accepted);

  const run = await chooseRun(deps, scope, body, options.chat);
  // Runs of one organization wait for its account, which each of them locks: not all of them in a connection.
  // Runs on threads of their own are inserted together (journal/insert-together.ts); others are a transaction each.
  const inTurn = <T>(accept: () => Promise<T>): Promise<T> =>
    deps.dispatcher.inTurn(run.organizationId, accept);
  if (key === null) {
    const accept = () => acceptAndStart(deps, run, () => acceptRun(deps.db, run));
    return present(run, await (isAlone(run) ? accept() : inTurn(accept)));
  }
  const respond = (accepted: AcceptedRun): JsonObject => present(run, accepted);
  const outcome = await inTurn(() => acceptRunOnce(deps.db, run, key, respond));
  if (outcome.kind === 'in_flight')
    throw conflict('A request with this Idempotency-Key is still being executed');
  if (outcome.kind !== 'accepted') return replayed(outcome);
  deps.dispatcher.kickStart(run.organizationId);
  return outcome.response;
}

/**
 * Starts a run of the deployment that was live when this process last looked, if it still is.
 * @returns null when none is remembered, or another is live now: nothing was written then
 */
async function startRemembered(
  deps: StartDeps,
  scope: Scope,
  body: StartBody,
): Promise<{ readonly run: NewRun; readonly accepted: AcceptedRun } | null> {
  // What is wrong with a request is said before the gate says no to the suspended, and is not known yet.
  if (scope.subscription.isSuspended) return null;
  const source = rememberedSource(scope.organizationId, body);
  if (source === null) return null;
  const run = newRun(scope, body, source, null);
  const accepted = await acceptAndStart(deps, run, () => acceptIfLive(deps.db, run));
  return accepted === null ? null : { run, accepted };
}

/** Accepts a run, and says that it is to be started. */
async function acceptAndStart<Accepted extends AcceptedRun | null>(
  { dispatcher }: StartDeps,
  { organizationId }: NewRun,
  accept: () => Promise<Accepted>,
): Promise<Accepted> {
  const accepted = await accept();
  if (accepted !== null) dispatcher.kickStart(organizationId);
  return accepted;
}

export interface SystemRun {
  /** The system workflow, and the kind of its chats. */
  readonly name: SystemChat;
  readonly input: JsonObject;
  /** The saved workflow that the chat is about, if any. */
  readonly workflowId?: string | null;
  /** The thread to continue; undefined opens a new one. */
  readonly threadId: string | undefined;
  /** Replaces the managed model: provider, model, credential_id. */
  readonly llm: unknown;
}

/**
 * Starts a private run of a system workflow on behalf of a chat.
 * @throws ApiError as startRun
 */
export function startSystemRun(deps: StartDeps, scope: Scope, run: SystemRun): Promise<JsonObject> {
  const body: StartBody = {
    system_workflow: run.name,
    input: run.input,
    config: run.threadId === undefined ? {} : { thread_id: run.threadId },
    llm: run.llm,
    stream: true,
    ephemeral: false,
    is_private: true,
  };
  return startRun(deps, scope, body, {
    idempotencyKey: null,
    chat: { kind: run.name, workflowId: run.workflowId ?? null },
  });
}
