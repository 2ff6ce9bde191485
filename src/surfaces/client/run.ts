/** Handle of one run: follows, answers and cancels it. */
import type { WorkflowApiError } from './error.ts';
import { followRun, isEnd, type RunEnd, type RunEvent } from './event-stream.ts';
import type * as api from './openapi.ts';
import type { Body, CallOptions, Reply } from './operations.ts';
import type { Transport } from './transport.ts';

/** The ids of a run. A start returns no `run_pk` (the key in the history), so it is looked up when needed. */
interface RunIds {
  readonly runId: string;
  readonly runPk?: string | null;
  readonly threadId?: string | null;
}

export interface FollowOptions {
  /** Skips events up to this `seq`; 0 skips none. */
  readonly afterSeq?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called when a connection fails; the client reconnects by itself. */
  readonly onReconnect?: ((failure: WorkflowApiError) => void) | undefined;
}

export type TokenEvent = Extract<RunEvent, { type: 'token' | 'token_reset' }>;
/** The answer to one question; `Run.resume` takes several. */
export type Answer = Omit<Body<'resumeRun'>, 'interrupt_id' | 'responses'>;
/** A run in the history. An interface, since `Run` is the handle. */
export interface RunRecord extends api.Run {}

export class Run {
  readonly runId: string;
  readonly threadId: string | null;
  readonly #transport: Transport;
  #runPk: string | null;
  #end: RunEnd | null = null;
  /** `result()` reads on from here. */
  #seenSeq = 0;

  constructor(transport: Transport, ids: RunIds) {
    this.#transport = transport;
    this.runId = ids.runId;
    this.threadId = ids.threadId ?? null;
    this.#runPk = ids.runPk ?? null;
  }

  /** The key in the history; null until `record()` has looked it up. */
  get runPk(): string | null {
    return this.#runPk;
  }

  /**
   * Yields every event in order until the run ends, and reconnects when a connection breaks.
   * @throws WorkflowApiError when the run is not visible; the signal's reason
   */
  async *events({ afterSeq = 0, ...options }: FollowOptions = {}): AsyncGenerator<RunEvent, void, void> {
    for await (const event of followRun(this.#transport, { ...options, runId: this.runId, afterSeq })) {
      if ('seq' in event && event.seq > this.#seenSeq) this.#seenSeq = event.seq;
      if (isEnd(event)) this.#end = event;
      yield event;
    }
  }

  /** Yields the text of models as it is generated; `token_reset` voids the text so far. */
  async *tokens(options: FollowOptions = {}): AsyncGenerator<TokenEvent, void, void> {
    for await (const event of this.events(options))
      if (event.type === 'token' || event.type === 'token_reset') yield event;
  }

  /**
   * Waits until the run ends or waits for an answer, over all runs that continue it after an answer. A waiting run is read
   * again on each call, because it may have been answered or cancelled since.
   * @throws WorkflowApiError when the run is not visible; the signal's reason
   */
  async result(options: { readonly signal?: AbortSignal | undefined } = {}): Promise<RunEnd> {
    let end = await this.ownEnd(options);
    for (let next = this.#follow(end); next !== null; next = next.#follow(end))
      end = await next.ownEnd(options);
    return end;
  }

  /** Waits for the end of this run alone: an answered one ends as `run_interrupted`. A large output is fetched. @throws as `result` */
  async ownEnd({ signal }: { readonly signal?: AbortSignal | undefined } = {}): Promise<RunEnd> {
    const known = this.#end?.type === 'run_interrupted' ? null : this.#end;
    const end = known ?? (await this.#awaitEnd(signal));
    if (end.type !== 'run_completed' || !end.output_truncated) return end;
    const { output } = await this.record({ signal });
    this.#end = { ...end, output, output_truncated: false };
    return this.#end;
  }

  /**
   * Returns the run that continues this one after its questions were answered or expired.
   * @returns null while the run waits, and when it ended in another way
   * @throws as `result`
   */
  async continuation(options?: { readonly signal?: AbortSignal | undefined }): Promise<Run | null> {
    return this.#follow(await this.ownEnd(options));
  }

  /** Returns the run's record in the history, with its steps and questions. */
  async record(options: CallOptions = {}): Promise<RunRecord> {
    const path = { run_id: this.runId };
    const record = await this.#transport.request('GET', '/workflows/runs/{run_id}', { ...options, path });
    this.#runPk = record.id;
    return record;
  }

  /** Returns the ended run as a case, for the command `workflow test`. @throws WorkflowApiError 409 before its end */
  async case(options: CallOptions = {}): Promise<Reply<'getRunCase'>> {
    const path = { run_pk: this.#runPk ?? (await this.record(options)).id };
    return this.#transport.request('GET', '/workflow-runs/{run_pk}/case', { ...options, path });
  }

  /**
   * Answers one question.
   * @returns the run that continues this one, under a new `run_id`
   * @throws WorkflowApiError 410 when the question was answered before
   */
  answer(interruptId: string, answer?: Answer, options?: CallOptions): Promise<Run> {
    return this.resume({ ...answer, interrupt_id: interruptId }, options);
  }

  /** Answers with the API's body, which takes several answers in `responses`. */
  async resume(body: Body<'resumeRun'>, options: CallOptions = {}): Promise<Run> {
    const path = { run_id: this.runId };
    const resumed = await this.#transport.request('POST', '/workflows/resume/{run_id}', {
      ...options,
      path,
      body,
    });
    return new Run(this.#transport, { runId: resumed.run_id, threadId: resumed.thread_id });
  }

  /** Cancels the run; a run that has ended does not change. */
  async cancel({ reason, ...options }: CallOptions & { readonly reason?: string | undefined } = {}): Promise<
    Reply<'cancelRun'>
  > {
    const body = reason === undefined ? {} : { reason };
    const path = { run_id: this.runId };
    return this.#transport.request('POST', '/workflows/cancel/{run_id}', { ...options, path, body });
  }

  /** Returns the run that continues one with this end; null without one. */
  #follow(end: RunEnd): Run | null {
    if (end.type !== 'run_interrupted' || end.resumed_by_run_id === undefined) return null;
    return new Run(this.#transport, { runId: end.resumed_by_run_id, threadId: this.threadId });
  }

  async #awaitEnd(signal: AbortSignal | undefined): Promise<RunEnd> {
    const afterSeq = this.#end === null ? this.#seenSeq : this.#end.seq - 1;
    // Reading past the last event lets the connection be reused.
    let end: RunEnd | null = null;
    for await (const event of this.events({ afterSeq, signal })) if (isEnd(event)) end = event;
    if (end !== null) return end;
    throw new Error('a stream ends with the end of its run');
  }
}
