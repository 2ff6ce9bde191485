/** Runs as chat completions and responses. */
import type { Context } from 'koa';
import type { Scope } from '../../platform/access/caller.ts';
import { conflict, notFound, refuseWith } from '../../base/errors.ts';
import { requireRun } from '../../engine/runs/ledger/read/require-objects.ts';
import type { JsonObject } from '../../language/graph/values/value.ts';
import type { Reply } from '../../platform/http/route.ts';
import {
  presentCompletion,
  streamCompletion,
  type ChunkEvent,
  type CompletionHead,
} from './chat-completion.ts';
import { buildInput, readItems, readMessages } from './conversation.ts';
import { openAiErrors } from './errors.ts';
import { presentSettings, readChatSettings, readResponseSettings } from './model-settings.ts';
import { toModels, type Model } from './models.ts';
import {
  parseResponseId,
  presentDeleted,
  presentInputItems,
  presentResponse,
  readRequest,
  streamResponse,
  toSeconds,
  type InputPage,
  type ResponseEvent,
  type ResponseHead,
} from './response.ts';
import { cancelByRunId } from '../../engine/runs/accept/cancel.ts';
import type { FoundRun } from '../../engine/runs/ledger/read/run-reads.ts';
import { readCurrentSegment } from '../../engine/runs/ledger/write/segments.ts';
import {
  isResponseDeleted,
  markResponseDeleted,
  readResponseStart,
  readRunInput,
} from '../../engine/runs/ledger/read/openai-responses.ts';
import { listLive, listLiveNamed } from '../../engine/runs/ledger/read/workflows.ts';
import type { RunOutcome } from '../../engine/runs/stream/run-ending.ts';
import {
  awaitEnding,
  readAnswerEnding,
  startAnswer,
  streamEvents,
  type AnswerRequest,
  type EventStream,
  type OpenAiDeps,
} from './answer-run.ts';
import type { ChatRequest, ResponseRequest } from './schema.ts';

/** The most workflows in the list of models: clients show it as a menu. */
const MAX_MODELS = 1_000;

/** Lists the models of the organization. */
export const listModels = async ({ db }: OpenAiDeps, { organizationId }: Scope): Promise<Model[]> =>
  toModels(await listLive(db, organizationId, MAX_MODELS));

/**
 * Finds the model that a request names, by the id or the slug of its workflow.
 * @throws ApiError 404 when no workflow has the name, or several have it
 */
export async function findModel({ db }: OpenAiDeps, scope: Scope, name: string): Promise<Model> {
  const found = toModels(await listLiveNamed(db, scope.organizationId, name));
  const model = found.find(({ workflowId }) => workflowId === name) ?? found.find(({ id }) => id === name);
  if (model !== undefined) return model;
  const why = found.length > 1 ? 'is the name of several workflows. Use an id instead' : 'does not exist';
  throw refuseWith(404, 'model_not_found', `The model \`${name}\` ${why}`);
}

const PING = ': ping\n\n';

/** An ending without a text to answer with: an error for a completion. */
type OutcomeWithoutOutput = Exclude<RunOutcome, { readonly kind: 'output' }>;

const toErrorStatus = ({ kind }: OutcomeWithoutOutput): 422 | 504 => (kind === 'run_not_ended' ? 504 : 422);

/** Formats an event of a completion as server-sent events. */
function writeChunk(event: ChunkEvent): string {
  if (event.kind === 'ping') return PING;
  if (event.kind === 'data') return `data: ${JSON.stringify(event.data)}\n\n`;
  const { kind: code, message } = event.ending;
  const error = { status: toErrorStatus(event.ending), code, message, field: null, issue: null };
  return `data: ${JSON.stringify(openAiErrors.write(error, '').body)}\n\n`;
}

/**
 * Answers a chat completion with a run of its model.
 * @throws ApiError 404 for an unknown model; 422 when the run fails, is cancelled or asks a person; 504 when it outlives the
 *   wait; 429 when the caller has too many streams and waits open; as startRun
 */
export async function completeChat(
  deps: OpenAiDeps,
  scope: Scope,
  { body, ...request }: AnswerRequest & { readonly body: ChatRequest },
): Promise<Reply | void> {
  const model = await findModel(deps, scope, body.model);
  const input = buildInput(model, readMessages(body.messages), 'messages');
  // Acquired before the start: a refusal after it would leave a run that nobody reads.
  const release = deps.feed.semaphore.acquire(scope);
  try {
    const run = await startAnswer(deps, scope, {
      ...request,
      model,
      input,
      threadId: null,
      ephemeral: false,
      metadata: body.metadata ?? {},
      settings: readChatSettings(body),
      response: null,
    });
    const head: CompletionHead = {
      runId: run.runId,
      model: body.model,
      createdSeconds: toSeconds(run.createdAt),
    };
    if (body.stream === true) {
      const includesUsage = body.stream_options?.include_usage === true;
      const build: EventStream<ChunkEvent>['build'] = (source) =>
        streamCompletion({ head, includesUsage, ...source });
      await streamEvents(deps, scope, { ctx: request.ctx, run, build, write: writeChunk });
      return undefined;
    }
    const ending = await awaitEnding(deps, run, request.ctx);
    if (ending.kind !== 'output') throw refuseWith(toErrorStatus(ending), ending.kind, ending.message);
    return { status: 200, body: presentCompletion(head, ending) };
  } finally {
    release();
  }
}

/** Streams the events of a response whose `sequence_number` is above `after`. */
function streamFrom(
  deps: OpenAiDeps,
  scope: Scope,
  source: {
    readonly ctx: Context;
    readonly run: FoundRun;
    readonly head: ResponseHead;
    readonly after: number;
  },
): Promise<void> {
  const { ctx, run, head, after } = source;
  const write = (event: ResponseEvent): string => {
    if (event.type === 'ping') return PING;
    if (Number(event['sequence_number']) <= after) return '';
    return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
  };
  const build: EventStream<ResponseEvent>['build'] = (parts) => streamResponse({ head, ...parts });
  return streamEvents(deps, scope, { ctx, run, build, write });
}

interface ResponseKey {
  /** `resp_` and a run_id. */
  readonly id: string;
}

interface FoundResponse {
  /** The run_id in the id of the response, which it keeps when an answer resumes its run. */
  readonly runId: string;
  /** The newest segment of the run. */
  readonly run: FoundRun;
}

/** Finds the run of a response. @throws ApiError 404 without one, and for a deleted response */
async function findResponse(deps: OpenAiDeps, scope: Scope, id: string): Promise<FoundResponse> {
  const runId = parseResponseId(id);
  if (runId === null) throw notFound('Workflow run', 'run');
  const run = await requireRun(deps.db, scope, runId);
  if (await isResponseDeleted(deps.db, run)) throw notFound('Workflow run', 'run');
  const newest = await readCurrentSegment(deps.db, run, false);
  const isNewest = newest === null || newest.runPk === run.runPk;
  return { runId, run: isNewest ? run : await requireRun(deps.db, scope, newest.runId) };
}

/** Reads the fields of a response that are those of its request. */
async function readHead({ db }: OpenAiDeps, { runId, run }: FoundResponse): Promise<ResponseHead> {
  const start = await readResponseStart(db, run);
  const { workflowId, workflowName } = run;
  return {
    runId,
    createdSeconds: toSeconds(start?.createdAt ?? run.createdAt),
    store: !run.ephemeral,
    ...readRequest(start?.request ?? null, {
      model: workflowId ?? workflowName,
      metadata: start?.metadata ?? {},
    }),
  };
}

/**
 * Answers with a response, which is a run of its model.
 * @throws ApiError 404 for an unknown model or previous response; 429 as completeChat; as startRun
 */
export async function createResponse(
  deps: OpenAiDeps,
  scope: Scope,
  { body, ...request }: AnswerRequest & { readonly body: ResponseRequest },
): Promise<Reply | void> {
  const model = await findModel(deps, scope, body.model);
  const instructions = body.instructions ?? null;
  const input = buildInput(model, readItems(body.input, instructions), 'input');
  const previous = body.previous_response_id ?? null;
  const threadId = previous === null ? null : (await findResponse(deps, scope, previous)).run.threadId;
  const background = body.background === true;
  const keepsOpen = !background || body.stream === true;
  const release = keepsOpen ? deps.feed.semaphore.acquire(scope) : () => undefined;
  try {
    const ephemeral = body.store === false;
    const metadata = body.metadata ?? {};
    const response = {
      model: body.model,
      background,
      instructions,
      previousResponseId: previous,
      metadata,
      settings: presentSettings(body),
    };
    const run = await startAnswer(deps, scope, {
      ...request,
      model,
      input,
      threadId,
      ephemeral,
      metadata,
      settings: readResponseSettings(body),
      response,
    });
    // Read back like every later answer: a request repeated under its key has the fields of the first, and values are redacted.
    const head = await readHead(deps, { runId: run.runId, run });
    if (body.stream === true) {
      await streamFrom(deps, scope, { ctx: request.ctx, run, head, after: -1 });
      return undefined;
    }
    const ending = background ? await readAnswerEnding(deps, run) : await awaitEnding(deps, run, request.ctx);
    return { status: 200, body: presentResponse(head, ending) };
  } finally {
    release();
  }
}

/**
 * Reads a response, or streams its events whose `sequence_number` is above `after`.
 * @throws ApiError 404; 429 when the caller has too many streams open
 */
export async function readResponse(
  deps: OpenAiDeps,
  scope: Scope,
  {
    id,
    ctx,
    stream,
    after,
  }: ResponseKey & {
    readonly ctx: Context;
    readonly stream: boolean;
    readonly after: number;
  },
): Promise<Reply | void> {
  const found = await findResponse(deps, scope, id);
  const { run } = found;
  const head = await readHead(deps, found);
  if (!stream) return { status: 200, body: presentResponse(head, await readAnswerEnding(deps, run)) };
  const release = deps.feed.semaphore.acquire(scope);
  try {
    await streamFrom(deps, scope, { ctx, run, head, after });
    return undefined;
  } finally {
    release();
  }
}

/** Cancels the run of a response; repeating the call has no effect. @throws ApiError 404 */
export async function cancelResponse(
  deps: OpenAiDeps,
  scope: Scope,
  { id }: ResponseKey,
): Promise<JsonObject> {
  const { run } = await findResponse(deps, scope, id);
  await cancelByRunId(deps, scope, { runId: run.runId, reason: null });
  const cancelled = await findResponse(deps, scope, id);
  return presentResponse(await readHead(deps, cancelled), await readAnswerEnding(deps, cancelled.run));
}

/** Lists the messages of the request of a response, page by page. @throws ApiError 404 */
export async function listInput(
  deps: OpenAiDeps,
  scope: Scope,
  { id, ...page }: ResponseKey & InputPage,
): Promise<JsonObject> {
  const { runId, run } = await findResponse(deps, scope, id);
  return presentInputItems(runId, await readRunInput(deps.db, run), page);
}

/**
 * Deletes a response: it can no longer be read or continued. Its run stays in the history.
 * @throws ApiError 404; 409 while its run has not ended
 */
export async function deleteResponse(
  deps: OpenAiDeps,
  scope: Scope,
  { id }: ResponseKey,
): Promise<JsonObject> {
  const { run } = await findResponse(deps, scope, id);
  const { kind } = await readAnswerEnding(deps, run);
  if (kind === 'run_not_ended' || kind === 'input_required')
    throw conflict('response_not_ended', 'The response is still in progress. Cancel it first');
  await markResponseDeleted(deps.db, run);
  return presentDeleted(id);
}
