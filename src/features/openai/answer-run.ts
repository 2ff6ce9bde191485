/** The run behind an answer of the OpenAI door: started, awaited, and streamed. */
import type { Context } from 'koa';
import type { Scope } from '../../platform/access/caller.ts';
import type { JsonObject } from '../../language/graph/values/value.ts';
import { watchClient, writePiece } from '../../platform/http/write-pieces.ts';
import { AnswerText, findAnswerSource, findJsonText, readAnswerText, type AnswerSource } from './answer.ts';
import { applySettings, type ModelSettings } from './model-settings.ts';
import type { Model } from './models.ts';
import { writeRequest, type ResponseRequestFields } from './response.ts';
import type { CancelDeps } from '../../engine/runs/accept/cancel.ts';
import { selectRunMetadata } from '../../engine/runs/accept/metadata.ts';
import { startRun, type StartDeps } from '../../engine/runs/accept/start.ts';
import { readDefinition } from '../../engine/runs/ledger/write/definitions.ts';
import { requireRun } from '../../engine/runs/ledger/read/require-objects.ts';
import type { FoundRun } from '../../engine/runs/ledger/read/run-reads.ts';
import { awaitEnd, type AwaitDeps } from '../../engine/runs/stream/await-run.ts';
import { beginEventStream, type FollowDeps } from '../../engine/runs/stream/follow.ts';
import { readFrames, type RunFrame } from '../../engine/runs/stream/read-frames.ts';
import { readEnding, type RunOutcome } from '../../engine/runs/stream/run-ending.ts';

export type OpenAiDeps = StartDeps & AwaitDeps & CancelDeps & FollowDeps;

/** The longest wait for an answer that is not streamed: the official clients give up after 600 s. */
const MAX_WAIT_SECONDS = 590;

/** The HTTP request of an answer. */
export interface AnswerRequest {
  readonly ctx: Context;
  readonly idempotencyKey: string | null;
}

interface NewAnswer extends AnswerRequest {
  readonly model: Model;
  readonly input: JsonObject;
  readonly threadId: string | null;
  readonly ephemeral: boolean;
  /** The metadata of the request: pairs that a run can have are those of the run. */
  readonly metadata: Readonly<Record<string, string>>;
  /** Settings of the request for the model that answers. */
  readonly settings: ModelSettings;
  /** The fields that a response repeats; null for a chat completion. */
  readonly response: ResponseRequestFields | null;
}

/** Starts the run of a model. @throws ApiError as startRun and applySettings */
export async function startAnswer(deps: OpenAiDeps, scope: Scope, answer: NewAnswer): Promise<FoundRun> {
  const metadata = selectRunMetadata(answer.metadata);
  const body = {
    workflow_id: answer.model.workflowId,
    input: answer.input,
    config: answer.threadId === null ? {} : { thread_id: answer.threadId },
    stream: true,
    ephemeral: answer.ephemeral,
    is_private: false,
    // Left out without pairs: a body without metadata keeps the hash that its Idempotency-Key was stored with.
    ...(Object.keys(metadata).length === 0 ? {} : { metadata }),
  };
  const { idempotencyKey, response, settings } = answer;
  const { run_id: runId } = await startRun(deps, scope, {
    body,
    idempotencyKey,
    chat: null,
    openAiResponse: response === null ? null : writeRequest(response),
    adaptation:
      settings.length === 0
        ? null
        : {
            facts: settings.map(({ field, value }) => [field, value]),
            adapt: (definition) => applySettings(definition, settings),
          },
  });
  return requireRun(deps.db, scope, typeof runId === 'string' ? runId : '');
}

/** Waits for the end of a run, at most as long as clients do. @returns `run_not_ended` for one that goes on */
export async function awaitEnding(deps: OpenAiDeps, run: FoundRun, ctx: Context): Promise<RunOutcome> {
  await awaitEnd(deps, run, { seconds: MAX_WAIT_SECONDS, signal: watchClient(ctx) });
  return readAnswerEnding(deps, run);
}

/** Reads the end of a run as that of an answer: JSON is nothing but JSON, and what was cut in it are cuts of the answer itself. */
export async function readAnswerEnding(deps: OpenAiDeps, run: FoundRun): Promise<RunOutcome> {
  const ending = await readEnding(deps.db, run);
  if (ending.kind !== 'output') return ending;
  const source = await readSource(deps, run);
  const output = source.isJson ? findJsonText(readAnswerText(ending.output)) : ending.output;
  return { ...ending, output, cuts: new AnswerText(source).chooseCuts(ending.cuts) };
}

async function readSource({ db }: OpenAiDeps, run: FoundRun): Promise<AnswerSource> {
  const definition = await readDefinition(db, run.organizationId, run.definitionHash);
  return definition === null
    ? { models: [], isAlwaysModel: false, isJson: false }
    : findAnswerSource(definition);
}

export interface EventStream<Event> {
  readonly ctx: Context;
  readonly run: FoundRun;
  readonly build: (source: {
    readonly frames: AsyncIterable<RunFrame>;
    readonly answer: AnswerText;
    readonly readEnding: () => Promise<RunOutcome>;
  }) => AsyncIterable<Event>;
  /** The text of an event; empty for one that is left out. */
  readonly write: (event: Event) => string;
}

/** Streams the events of an answer, until its end or until the client leaves. The run goes on in either case. */
export async function streamEvents<Event>(
  deps: OpenAiDeps,
  scope: Scope,
  { ctx, run, build, write }: EventStream<Event>,
): Promise<void> {
  const answer = new AnswerText(await readSource(deps, run));
  const signal = watchClient(ctx);
  const request = { run, afterSeq: 0, authorization: ctx.get('Authorization') };
  beginEventStream(ctx);
  try {
    const frames = readFrames(deps, scope, request, signal);
    for await (const event of build({ frames, answer, readEnding: () => readAnswerEnding(deps, run) })) {
      const text = write(event);
      if (text !== '' && !(await writePiece(ctx.res, text))) return;
    }
    ctx.res.end('data: [DONE]\n\n');
  } catch (error) {
    deps.log.error({ err: error, run_pk: run.runPk }, 'an answer could not be streamed');
    ctx.res.destroy();
  }
}
