/** One run, to follow, answer and cancel. */
import { WorkflowApiError } from './error.ts';
import { followRun, isEnd, type RunEnd, type RunEvent } from './event-stream.ts';
import type { Body, CallOptions, Reply } from './operations.ts';
import type { Transport } from './transport.ts';

/** What is known of a run; its key in the history (`run_pk`) is not told at the start and found when it is needed. */
export interface RunIds {
  readonly runId: string;
  readonly runPk?: string | null;
  readonly threadId?: string | null;
}

export interface FollowOptions {
  /** Events up to this `seq` are known; 0 is all. */
  readonly afterSeq?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** The connection has failed; it is opened again by itself, until an event comes or the iteration throws. */
  readonly onReconnect?: ((failure: WorkflowApiError) => void) | undefined;
}

export type TokenEvent = Extract<RunEvent, { type: 'token' | 'token_reset' }>;
/** Of one question; several are answered together with `responses`. */
export type Answer = Omit<Body<'resumeRun'>, 'interrupt_id' | 'responses'>;
export type RunRecord = Reply<'getRun'>;

export class Run {
  readonly runId: string;
  readonly threadId: string | null;
  readonly #transport: Transport;
  #runPk: string | null;
  #end: RunEnd | null = null;
  /** What was seen need not be sent again to one who waits for the end. */
  #seenSeq = 0;

  constructor(transport: Transport, ids: RunIds) {
    this.#transport = transport;
    this.runId = ids.runId;
    this.threadId = ids.threadId ?? null;
    this.#runPk = ids.runPk ?? null;
  }

  /** The key in the history; null until `record()` has found it. */
  get runPk(): string | null {
    return this.#runPk;
  }

  /**
   * Every event, in order, to the end of the run; connections that break are opened again.
   * @throws WorkflowApiError when the run is not to be seen; the signal's reason
   */
  async *events({ afterSeq = 0, ...options }: FollowOptions = {}): AsyncGenerator<RunEvent, void, void> {
    for await (const event of followRun(this.#transport, { ...options, runId: this.runId, afterSeq })) {
      if ('seq' in event && event.seq > this.#seenSeq) this.#seenSeq = event.seq;
      if (isEnd(event)) this.#end = event;
      yield event;
    }
  }

  /** The text of models as it comes, and where text must be forgotten because it is said anew. */
  async *tokens(options: FollowOptions = {}): AsyncGenerator<TokenEvent, void, void> {
    for await (const event of this.events(options))
      if (event.type === 'token' || event.type === 'token_reset') yield event;
  }

  /**
   * Waits for the end, however it is: `status` tells which. A large output is fetched from the history. A run that waited for
   * an answer is looked at again each time: it may have gone on, or have been cancelled.
   * @throws WorkflowApiError when the run is not to be seen; the signal's reason
   */
  async result({ signal }: { readonly signal?: AbortSignal | undefined } = {}): Promise<RunEnd> {
    const known = this.#end?.type === 'run_interrupted' ? null : this.#end;
    const end = known ?? (await this.#awaitEnd(signal));
    if (end.type !== 'run_completed' || !end.output_truncated) return end;
    const { output } = await this.record({ signal });
    this.#end = { ...end, output, output_truncated: false };
    return this.#end;
  }

  /**
   * The run that goes on from this one, once its questions are answered or have expired.
   * @returns null while it waits, and when it has ended otherwise
   * @throws as `result`
   */
  async continuation(options?: { readonly signal?: AbortSignal | undefined }): Promise<Run | null> {
    const end = await this.result(options);
    if (end.type !== 'run_interrupted' || end.resumed_by_run_id === undefined) return null;
    return new Run(this.#transport, { runId: end.resumed_by_run_id, threadId: this.threadId });
  }

  /** The record of the run in the history, with its steps and questions. */
  async record(options: CallOptions = {}): Promise<RunRecord> {
    this.#runPk ??= await this.#findPk(options);
    const record = await this.#transport.call({
      ...options,
      method: 'GET',
      path: '/workflow-runs/{run_pk}',
      parameters: { run_pk: this.#runPk },
    });
    return record as RunRecord;
  }

  /**
   * Answers one question, or several with a list of `responses`.
   * @returns the run that goes on: it has a run_id of its own
   * @throws WorkflowApiError 410 when somebody else was first
   */
  answer(interruptId: string, answer?: Answer, options?: CallOptions): Promise<Run> {
    return this.resume({ ...answer, interrupt_id: interruptId }, options);
  }

  /** The body of the API, for several answers at once. */
  async resume(body: Body<'resumeRun'>, options: CallOptions = {}): Promise<Run> {
    const resumed = (await this.#transport.call({
      ...options,
      method: 'POST',
      path: '/workflows/resume/{run_id}',
      parameters: { run_id: this.runId },
      body,
    })) as Reply<'resumeRun'>;
    return new Run(this.#transport, { runId: resumed.run_id, threadId: resumed.thread_id });
  }

  /** Cancels the run; one that has ended stays as it ended. */
  async cancel({ reason, ...options }: CallOptions & { readonly reason?: string | undefined } = {}): Promise<
    Reply<'cancelRun'>
  > {
    const cancelled = await this.#transport.call({
      ...options,
      method: 'POST',
      path: '/workflows/cancel/{run_id}',
      parameters: { run_id: this.runId },
      body: reason === undefined ? {} : { reason },
    });
    return cancelled as Reply<'cancelRun'>;
  }

  async #findPk(options: CallOptions): Promise<string> {
    const found = (await this.#transport.call({
      ...options,
      method: 'GET',
      path: '/workflow-runs',
      query: { run_id: this.runId },
    })) as Reply<'listRuns'>;
    const [row] = found.runs;
    if (row === undefined)
      throw new WorkflowApiError({ status: 404, code: null, detail: 'Workflow run not found' });
    return row.id;
  }

  async #awaitEnd(signal: AbortSignal | undefined): Promise<RunEnd> {
    const afterSeq = this.#end === null ? this.#seenSeq : this.#end.seq - 1;
    // Read past the end: the connection is used again.
    let end: RunEnd | null = null;
    for await (const event of this.events({ afterSeq, signal })) if (isEnd(event)) end = event;
    if (end !== null) return end;
    throw new Error('a stream ends with the end of its run');
  }
}
