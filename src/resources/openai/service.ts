/** Runs as chat completions and responses. */
import type { Context } from 'koa';
import type { Scope } from '../../access/caller.ts';
import { conflict, notFound, refuseWith } from '../../errors.ts';
import type { JsonObject } from '../../graph/value.ts';
import type { Reply } from '../../http/route.ts';
import {
  presentCompletion,
  streamCompletion,
  type ChunkEvent,
  type CompletionHead,
} from '../../openai/chat-completion.ts';
import { buildInput, readItems, readMessages } from '../../openai/conversation.ts';
import { openAiErrors } from '../../openai/errors.ts';
import { toModels, type Model } from '../../openai/models.ts';
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
} from '../../openai/response.ts';
import { cancelByRunId } from '../../runs/accept/cancel.ts';
import type { FoundRun } from '../../runs/ledger/run-reads.ts';
import { readCurrentSegment } from '../../runs/ledger/segments.ts';
import {
  isResponseDeleted,
  markResponseDeleted,
  readResponseStart,
  readRunInput,
} from '../../runs/ledger/openai-responses.ts';
import { listLive, listLiveNamed } from '../../runs/ledger/workflows.ts';
import { readEnding, type Ending } from '../../runs/stream/run-ending.ts';
import {
  awaitEnding,
  requireRun,
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

/** Finds the model that a request names. @throws ApiError 404 without one, and when several have the name */
export async function findModel({ db }: OpenAiDeps, scope: Scope, word: string): Promise<Model> {
  const found = toModels(await listLiveNamed(db, scope.organizationId, word));
  const model = found.find(({ workflowId }) => workflowId === word) ?? found.find(({ id }) => id === word);
  if (model !== undefined) return model;
  const why =
    found.length > 1 ? 'is the name of several workflows; use the id of one' : 'does not exist here';
  throw refuseWith(404, 'model_not_found', `The model \`${word}\` ${why}`);
}

const PING = ': ping\n\n';

/** Turns an ending without output into an error: a completion cannot be without a text. */
const toCompletionError = ({ kind, message }: Exclude<Ending, { readonly kind: 'output' }>) =>
  kind === 'run_not_ended' ? refuseWith(504, kind, message) : refuseWith(422, kind, message);

function writeChunk(event: ChunkEvent): string {
  if (event.kind === 'ping') return PING;
  if (event.kind === 'data') return `data: ${JSON.stringify(event.data)}\n\n`;
  const { kind, message } = event.ending;
  const status = kind === 'run_not_ended' ? 504 : 422;
  return `data: ${JSON.stringify(openAiErrors.write({ status, code: kind, message, field: null }, '').body)}\n\n`;
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
  // Takes a place among the caller's streams before the start, so that no run is accepted and then refused.
  const release = deps.feed.semaphore.acquire(scope);
  try {
    const run = await startAnswer(deps, scope, {
      ...request,
      model,
      input,
      threadId: null,
      ephemeral: false,
      metadata: body.metadata ?? {},
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
    if (ending.kind !== 'output') throw toCompletionError(ending);
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

/** Finds the thread of an earlier response. @throws ApiError 404 */
async function findThread(deps: OpenAiDeps, scope: Scope, id: string): Promise<string | null> {
  return (await findResponse(deps, scope, id)).threadId;
}

/** Finds the newest segment of the run of a response. @throws ApiError 404 */
async function findResponse(deps: OpenAiDeps, scope: Scope, id: string): Promise<FoundRun> {
  const runId = parseResponseId(id);
  if (runId === null) throw notFound('Workflow run');
  const run = await requireRun(deps, scope, runId);
  if (await isResponseDeleted(deps.db, run)) throw notFound('Workflow run');
  const newest = await readCurrentSegment(deps.db, run, false);
  return newest === null || newest.runPk === run.runPk ? run : requireRun(deps, scope, newest.runId);
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
  const threadId = previous === null ? null : await findThread(deps, scope, previous);
  const background = body.background === true;
  const waits = !background || body.stream === true;
  const release = waits ? deps.feed.semaphore.acquire(scope) : () => undefined;
  try {
    const ephemeral = body.store === false;
    const metadata = body.metadata ?? {};
    const response = {
      model: body.model,
      background,
      instructions,
      previousResponseId: previous,
      metadata,
    };
    const run = await startAnswer(deps, scope, {
      ...request,
      model,
      input,
      threadId,
      ephemeral,
      metadata,
      response,
    });
    // Read back, as every later answer does: a repeated request gets the fields of the first, and named values are redacted.
    const head = await readHead(deps, run, run.runId);
    if (body.stream === true) {
      await streamFrom(deps, scope, { ctx: request.ctx, run, head, after: -1 });
      return undefined;
    }
    const ending = background ? await readEnding(deps.db, run) : await awaitEnding(deps, run, request.ctx);
    return { status: 200, body: presentResponse(head, ending) };
  } finally {
    release();
  }
}

interface ResponseKey {
  readonly id: string;
}

/** Reads what a response repeats of its request. @param runId that its id names */
async function readHead({ db }: OpenAiDeps, run: FoundRun, runId: string): Promise<ResponseHead> {
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
  const run = await findResponse(deps, scope, id);
  const head = await readHead(deps, run, parseResponseId(id) ?? run.runId);
  if (!stream) return { status: 200, body: presentResponse(head, await readEnding(deps.db, run)) };
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
  const { runId } = await findResponse(deps, scope, id);
  await cancelByRunId(deps, scope, { runId, reason: null });
  const run = await findResponse(deps, scope, id);
  const head = await readHead(deps, run, parseResponseId(id) ?? run.runId);
  return presentResponse(head, await readEnding(deps.db, run));
}

/** Lists the messages that a response answers. @throws ApiError 404 */
export async function listInput(
  deps: OpenAiDeps,
  scope: Scope,
  { id, ...page }: ResponseKey & InputPage,
): Promise<JsonObject> {
  const run = await findResponse(deps, scope, id);
  return presentInputItems(parseResponseId(id) ?? run.runId, await readRunInput(deps.db, run), page);
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
  const run = await findResponse(deps, scope, id);
  const { kind } = await readEnding(deps.db, run);
  if (kind === 'run_not_ended' || kind === 'input_required')
    throw conflict('response_not_ended', 'The response has not ended; cancel it first');
  await markResponseDeleted(deps.db, run);
  return presentDeleted(id);
}
