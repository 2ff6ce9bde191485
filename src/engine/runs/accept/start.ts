/** Starts runs: chooses the definition, accepts the run durably, answers. The outbox starts it in Temporal (SPEC SRV-accept). */
import type { Scope } from '../../../platform/access/caller.ts';
import { buildAdmission } from '../../../platform/billing/admission.ts';
import { badRequest, conflict, invalid, unavailable, type ApiError } from '../../../base/errors.ts';
import type { Json, JsonObject } from '../../../language/graph/values/value.ts';
import type { InputParameter } from '../../../language/graph/definition/input-parameters.ts';
import type { Clock } from '../../../base/clock.ts';
import {
  hashBody,
  readReply,
  type IdempotencyKey,
  type StoredReply,
} from '../ledger/write/idempotency-keys.ts';
import type { NewRun } from '../ledger/write/insert-runs.ts';
import { toReader } from '../ledger/read/run-reads.ts';
import type { Dispatcher } from '../../../platform/outbox/dispatcher.ts';
import type { AcceptedOnce, RunAcceptor } from './accept.ts';
import { chooseLimits, requireStartDepth } from './limits.ts';
import { requireFiles } from '../../../platform/files/require-files.ts';
import { requireInput } from './run-input.ts';
import { requireOwnThread } from './own-thread.ts';
import { messagePreview, presentStart } from './start-response.ts';
import type { StartBody } from '../api/schema.ts';
import { adaptSource, chooseSource, type SourceDeps } from './source.ts';
import type { SystemChat } from './system-workflows.ts';

/** The longest Idempotency-Key, in characters. */
export const MAX_KEY_LENGTH = 255;
const BACKLOG_RETRY_SECONDS = 5;

export interface StartDeps extends SourceDeps {
  readonly acceptor: RunAcceptor;
  readonly clock: Clock;
  /** Delivers the start to Temporal. */
  readonly dispatcher: Pick<Dispatcher, 'isOverloaded' | 'kickStart'>;
}

/** A request that starts at most one run per Idempotency-Key. */
export interface KeyedRequest {
  readonly body: unknown;
  /** The Idempotency-Key header; null without one. */
  readonly idempotencyKey: string | null;
}

interface StartRequest extends KeyedRequest {
  readonly body: StartBody;
  /** The chat that the run answers in, and the workflow that the chat is about; null for a run without a chat. */
  readonly chat: { readonly kind: SystemChat; readonly workflowId: string | null } | null;
  /** The fields that a response of the OpenAI door repeats. */
  readonly openAiResponse?: JsonObject | null;
  /** A change of the definition for this run alone. */
  readonly adaptation?: Adaptation | null;
}

interface Adaptation {
  /** The facts that the change depends on, next to the body: requests with the same Idempotency-Key have the same. */
  readonly facts: Json;
  /** @throws ApiError for a definition that cannot be changed so */
  readonly adapt: (definition: JsonObject) => JsonObject;
}

/** Reads the Idempotency-Key of a request; null without one. @throws ApiError 422 for a key of an invalid length */
function parseKey(scope: Scope, { body, idempotencyKey: key }: KeyedRequest): IdempotencyKey | null {
  if (key === null) return null;
  if (key.length === 0 || key.length > MAX_KEY_LENGTH) {
    const msg = `Idempotency-Key must have 1 to ${MAX_KEY_LENGTH} characters`;
    throw invalid([{ loc: ['header', 'Idempotency-Key'], msg, type: 'string_length' }]);
  }
  return {
    organizationId: scope.organizationId,
    userId: scope.caller.userId,
    key,
    bodyHash: hashBody(body),
  };
}

/** Returns the stored answer of a key. @throws ApiError 422 when the key was used with another body */
function replay(reply: StoredReply): JsonObject {
  if (reply.kind === 'replay') return reply.response;
  const msg = 'Idempotency-Key was used with another request body';
  throw invalid([{ loc: ['header', 'Idempotency-Key'], msg, type: 'idempotency_key_reused' }]);
}

/** @throws ApiError as chooseUnfilled; 422 without a required parameter */
export async function chooseRun(deps: StartDeps, scope: Scope, request: StartRequest): Promise<NewRun> {
  const { run, parameters } = await chooseUnfilled(deps, scope, request);
  await requireFiles(deps.db, scope.organizationId, { value: run.runInput, loc: ['body', 'input'] });
  return { ...run, runInput: requireInput(parameters, run, ['body', 'input']) };
}

/**
 * Builds the run that a request describes, with its input as it was sent, and the parameters that it has to meet.
 * @throws ApiError as chooseSource, adaptSource and requireOwnThread; 400 for an ephemeral run of a workflow with questions
 */
export async function chooseUnfilled(
  deps: StartDeps,
  scope: Scope,
  { body, chat, openAiResponse = null, adaptation = null }: StartRequest,
): Promise<{ readonly run: NewRun; readonly parameters: readonly InputParameter[] }> {
  const threadId = body.config?.thread_id;
  if (threadId !== undefined) {
    await requireOwnThread(deps.db, toReader(scope), { threadId, kind: chat?.kind ?? 'workflow' });
  }
  const chosen = await chooseSource(deps, scope, { body, isChat: chat !== null });
  const source =
    adaptation === null ? chosen : await adaptSource(deps, scope, { source: chosen, ...adaptation });
  if (body.ephemeral && source.facts.hasPeopleQuestion) {
    throw badRequest(
      'ephemeral_asks_people',
      'An ephemeral run cannot have interrupt nodes, because it cannot be resumed',
    );
  }
  const runInput = body.input ?? {};
  const run: NewRun = {
    ...source,
    organizationId: scope.organizationId,
    createdBy: scope.caller.userId,
    workflowId: chat?.workflowId ?? source.workflowId,
    admission: buildAdmission(scope),
    triggerType: chat === null ? 'api' : 'chat',
    isPrivate: body.is_private,
    ephemeral: body.ephemeral,
    metadata: body.metadata ?? null,
    stream: body.stream,
    threadId: threadId ?? null,
    chatKind: chat?.kind ?? 'workflow',
    messagePreview: messagePreview({ ...source.input, ...runInput }),
    ...chooseLimits(body.config, source.config, source.facts.config),
    workflowInput: source.input,
    runInput,
    openAiResponse,
  };
  return { run, parameters: source.facts.parameters };
}

/**
 * Starts a run.
 * @returns the run start response; for a known idempotency key the stored one
 * @throws ApiError as chooseRun and startChosen
 */
export function startRun(deps: StartDeps, scope: Scope, request: StartRequest): Promise<JsonObject> {
  const { body, adaptation = null } = request;
  return startChosen(deps, scope, {
    ...request,
    // Without an adaptation a body keeps the hash that its Idempotency-Key was stored with.
    body: adaptation === null ? body : { ...body, adaptation: adaptation.facts },
    choose: () => chooseRun(deps, scope, request),
  });
}

/** @throws ApiError 503 when too many runs wait for Temporal */
export function requireNoBacklog({ dispatcher }: Pick<StartDeps, 'dispatcher'>): void {
  if (dispatcher.isOverloaded)
    throw unavailable(
      'backlog_full',
      'Too many runs are waiting to start. Try again later',
      BACKLOG_RETRY_SECONDS,
    );
}

/** The error while another request with the same key is in progress. */
const keyInUse = (): ApiError =>
  conflict('idempotency_key_in_use', 'A request with this Idempotency-Key is still in progress');

/** A rerun keeps the depth of the original run if that is deeper. */
const setMinimumDepth = (run: NewRun, depth: number): NewRun =>
  depth <= (run.childDepth ?? 0) ? run : { ...run, childDepth: depth };

/**
 * Answers a request that starts runs: a repeat gets the stored answer, and new runs are delivered to Temporal at once.
 * @param accept gets the depth of the calling run in its tree
 * @throws ApiError 409 while a request with the same key is in progress, 422 when the key belongs to another body or the
 *   calling run is too deep; 503 when too many runs wait for Temporal; as accept
 */
export async function answerStart(
  deps: StartDeps,
  scope: Scope,
  request: KeyedRequest & {
    readonly accept: (key: IdempotencyKey | null, depth: number) => Promise<AcceptedOnce>;
  },
): Promise<JsonObject> {
  const { db, dispatcher } = deps;
  const key = parseKey(scope, request);
  const before = key === null ? null : await readReply(db, key);
  if (before !== null) return replay(before);
  requireNoBacklog(deps);
  const outcome = await request.accept(key, requireStartDepth(scope));
  if (outcome.kind === 'in_flight') throw keyInUse();
  if (outcome.kind !== 'accepted') return replay(outcome);
  dispatcher.kickStart(scope.organizationId);
  return outcome.response;
}

/**
 * Starts the run that `choose` returns, unless a run was started with the request's key.
 * @returns the run start response; for a known idempotency key the stored one
 * @throws ApiError as answerStart; shape D from the gate
 */
export function startChosen(
  deps: StartDeps,
  scope: Scope,
  { choose, ...request }: KeyedRequest & { readonly choose: () => Promise<NewRun> },
): Promise<JsonObject> {
  const { acceptor, clock } = deps;
  const beganMs = clock.monotonic();
  const accept = async (key: IdempotencyKey | null, depth: number): Promise<AcceptedOnce> => {
    const run = setMinimumDepth(await choose(), depth);
    return acceptor.acceptOnce(run, key, (accepted) => ({
      ...presentStart({
        ...run,
        ...accepted,
        rootRunPk: accepted.runPk,
        elapsedMs: Math.round(clock.monotonic() - beganMs),
      }),
      ...(run.rerunOf ? { rerun_of: run.rerunOf } : {}),
    }));
  };
  return answerStart(deps, scope, { ...request, accept });
}

interface SystemRun {
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
  const chat = { kind: run.name, workflowId: run.workflowId ?? null };
  return startRun(deps, scope, { body, idempotencyKey: null, chat });
}
