/** Runs as chat completions and responses: starts them, waits for their end, and streams their text. */
import type { Context } from 'koa';
import type { Scope } from '../../access/caller.ts';
import { conflict, notFound, refuseWith } from '../../errors.ts';
import type { JsonObject } from '../../graph/value.ts';
import type { Reply } from '../../http/route.ts';
import { watchClient, writePiece } from '../../http/write-pieces.ts';
import { findAnswerNodes, AnswerText } from '../../openai/answer.ts';
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
  streamResponse,
  type InputPage,
  type ResponseEvent,
  type ResponseHead,
} from '../../openai/response.ts';
import { cancelByRunId, type CancelDeps } from '../../runs/accept/cancel.ts';
import { startRun, type StartDeps } from '../../runs/accept/start.ts';
import { readDefinition } from '../../runs/ledger/definitions.ts';
import { findRun, toReader, type FoundRun } from '../../runs/ledger/run-reads.ts';
import { readCurrentSegment } from '../../runs/ledger/segments.ts';
import { markResponseDeleted, isResponseDeleted, readRunInput } from '../../runs/ledger/deleted-responses.ts';
import { listLive, listLiveNamed } from '../../runs/ledger/workflows.ts';
import { awaitEnd, type AwaitDeps } from '../../runs/stream/await-run.ts';
import { beginEventStream, type FollowDeps } from '../../runs/stream/follow.ts';
import { readFrames, type RunFrame } from '../../runs/stream/read-frames.ts';
import { readEnding, type Ending } from '../../runs/stream/run-ending.ts';
import type { ChatRequest, ResponseRequest } from './schema.ts';

export type OpenAiDeps = StartDeps & AwaitDeps & CancelDeps & FollowDeps;

/** The longest wait for an answer that is not streamed: the official clients give up after 600 s. */
const MAX_WAIT_SECONDS = 590;
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

/** The HTTP request of an answer. */
interface Request {
  readonly ctx: Context;
  readonly idempotencyKey: string | null;
}

interface NewAnswer extends Request {
  readonly model: Model;
  readonly input: JsonObject;
  readonly threadId: string | null;
  readonly ephemeral: boolean;
}

/** Starts the run of a model. @throws ApiError as startRun */
async function startAnswer(deps: OpenAiDeps, scope: Scope, answer: NewAnswer): Promise<FoundRun> {
  const body = {
    workflow_id: answer.model.workflowId,
    input: answer.input,
    config: answer.threadId === null ? {} : { thread_id: answer.threadId },
    stream: true,
    ephemeral: answer.ephemeral,
    is_private: false,
  };
  const { idempotencyKey } = answer;
  const { run_id: runId } = await startRun(deps, scope, { body, idempotencyKey, chat: null });
  return requireRun(deps, scope, typeof runId === 'string' ? runId : '');
}

/** @throws ApiError 404 for a run that the caller may not see */
async function requireRun({ db }: OpenAiDeps, scope: Scope, runId: string): Promise<FoundRun> {
  const run = await findRun(db, toReader(scope), runId);
  if (run === null) throw notFound('Workflow run');
  return run;
}

/** Waits for the end of a run, at most as long as clients do. */
async function awaitEnding(deps: OpenAiDeps, run: FoundRun, ctx: Context): Promise<Ending> {
  await awaitEnd(deps, run, { seconds: MAX_WAIT_SECONDS, signal: watchClient(ctx) });
  return readEnding(deps.db, run);
}

const toSeconds = (moment: Date): number => Math.floor(moment.getTime() / 1_000);

async function findText({ db }: OpenAiDeps, run: FoundRun): Promise<AnswerText> {
  const definition = await readDefinition(db, run.organizationId, run.definitionHash);
  return new AnswerText(definition === null ? new Set() : findAnswerNodes(definition));
}

interface EventStream<Event> {
  readonly ctx: Context;
  readonly run: FoundRun;
  readonly build: (source: {
    readonly frames: AsyncIterable<RunFrame>;
    readonly answer: AnswerText;
    readonly readEnding: () => Promise<Ending>;
  }) => AsyncIterable<Event>;
  /** The text of an event; empty for one that is left out. */
  readonly write: (event: Event) => string;
}

/** Streams the events of an answer, until its end or until the client leaves. The run goes on in either case. */
async function streamEvents<Event>(
  deps: OpenAiDeps,
  scope: Scope,
  { ctx, run, build, write }: EventStream<Event>,
): Promise<void> {
  const answer = await findText(deps, run);
  const signal = watchClient(ctx);
  const request = { run, afterSeq: 0, authorization: ctx.get('Authorization') };
  beginEventStream(ctx);
  try {
    const frames = readFrames(deps, scope, request, signal);
    for await (const event of build({ frames, answer, readEnding: () => readEnding(deps.db, run) })) {
      const text = write(event);
      if (text !== '' && !(await writePiece(ctx.res, text))) return;
    }
    ctx.res.end('data: [DONE]\n\n');
  } catch (error) {
    deps.log.error({ err: error, run_pk: run.runPk }, 'an answer could not be streamed');
    ctx.res.destroy();
  }
}

const PING = ': ping\n\n';

/** An error of the run, for a completion: its client knows no answer without a text. */
const toProblem = ({ kind, message }: Exclude<Ending, { readonly kind: 'output' }>) =>
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
  { body, ...request }: Request & { readonly body: ChatRequest },
): Promise<Reply | void> {
  const model = await findModel(deps, scope, body.model);
  const input = buildInput(model, readMessages(body.messages), 'messages');
  // A place is taken before the start: a run must not be accepted and then refused.
  const release = deps.feed.semaphore.acquire(scope);
  try {
    const run = await startAnswer(deps, scope, {
      ...request,
      model,
      input,
      threadId: null,
      ephemeral: false,
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
    if (ending.kind !== 'output') throw toProblem(ending);
    return { status: 200, body: presentCompletion(head, ending) };
  } finally {
    release();
  }
}

/** Streams the events of a response after a number. */
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
  { body, ...request }: Request & { readonly body: ResponseRequest },
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
    const run = await startAnswer(deps, scope, { ...request, model, input, threadId, ephemeral });
    const head: ResponseHead = {
      runId: run.runId,
      model: body.model,
      createdSeconds: toSeconds(run.createdAt),
      background,
      store: !ephemeral,
      instructions,
      previousResponseId: previous,
      metadata: body.metadata ?? {},
    };
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

function describeHead(run: FoundRun, id: string): ResponseHead {
  return {
    runId: parseResponseId(id) ?? run.runId,
    model: run.workflowId ?? run.workflowName,
    createdSeconds: toSeconds(run.createdAt),
    background: true,
    store: !run.ephemeral,
    instructions: null,
    previousResponseId: null,
    metadata: {},
  };
}

/**
 * Reads a response, or streams its events after a number.
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
  const head = describeHead(run, id);
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
  return presentResponse(describeHead(run, id), await readEnding(deps.db, run));
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
 * Deletes a response: it is found here no more, and no later one goes on from it. The record of its run stays in the history.
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
