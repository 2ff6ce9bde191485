/** Starts, finds and lists runs. */
import { WorkflowApiError } from './error.ts';
import { followRuns, type FollowedEvent } from './follow-runs.ts';
import { List } from './list.ts';
import type { Body, CallOptions, Query, Reply } from './operations.ts';
import { Run, type FollowOptions, type RunRecord } from './run.ts';
import type { Transport } from './transport.ts';

export interface StartOptions extends CallOptions {
  /** One run, or batch, per key within 24 hours; default: a new key, kept for the retries of this call. */
  readonly idempotencyKey?: string | undefined;
}

export interface StartedRun extends Run {
  /** The response to the start. */
  readonly started: Reply<'startRun'>;
}

/** A start outlasts a restart of the service. */
const START_PATIENCE_MS = 60_000;

/** At least 122 random bits. `randomUUID` is missing in pages that were not loaded over TLS. */
function newKey(): string {
  if (typeof crypto.randomUUID === 'function') return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

export class Runs {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Starts a run. It is sent again with the same key while the service is away for up to 60 s, and for as long as a rate limit
   * refuses it, so a lost answer starts no second run; `retryForMs` and `signal` end that earlier.
   * @throws WorkflowApiError 400 without a live deployment; 402 and 403 when the billing gate denies it, 429 after `retryForMs`
   */
  async start(body: Body<'startRun'>, options: StartOptions = {}): Promise<StartedRun> {
    const started = await this.#send<Reply<'startRun'>>('/workflows/run', body, options);
    const run = new Run(this.#transport, { runId: started.run_id, threadId: started.thread_id });
    return Object.assign(run, { started });
  }

  /**
   * Starts a run of a workflow for each of up to 1,000 inputs, with one key for all, as `start`.
   * @returns a receipt for each input, in their order: its run, or why the plan refused it
   * @throws WorkflowApiError as `start`, when no run was started
   */
  startBatch(body: Body<'startRunBatch'>, options: StartOptions = {}): Promise<Reply<'startRunBatch'>> {
    return this.#send('/workflows/run/batch', body, options);
  }

  async #send<Started>(
    path: '/workflows/run' | '/workflows/run/batch',
    body: unknown,
    { idempotencyKey = newKey(), ...options }: StartOptions,
  ): Promise<Started> {
    const headers = { ...options.headers, 'Idempotency-Key': idempotencyKey };
    const patienceMs = START_PATIENCE_MS;
    return (await this.#transport.call({
      ...options,
      method: 'POST',
      path,
      headers,
      body,
      patienceMs,
    })) as Started;
  }

  /** Returns the record of a run by its `run_pk`. */
  get(runPk: string, options: CallOptions = {}): Promise<RunRecord> {
    return this.#transport.request('GET', '/workflow-runs/{run_pk}', { ...options, path: { run_pk: runPk } });
  }

  /** Returns one step with its full values. */
  step(
    { runPk, stepId }: { readonly runPk: string; readonly stepId: string },
    options: CallOptions = {},
  ): Promise<Reply<'getRunStep'>> {
    const path = { run_pk: runPk, step_id: stepId };
    return this.#transport.request('GET', '/workflow-runs/{run_pk}/steps/{step_id}', { ...options, path });
  }

  /** Lists the history, newest first. */
  list(query?: Query<'listRuns'>, options?: CallOptions) {
    return new List(
      (page) => this.#transport.request('GET', '/workflow-runs', { ...options, query: page }),
      ({ runs }) => runs,
      query,
    );
  }

  /** Makes a handle from a `run_id`, without a request. */
  byRunId(runId: string): Run {
    return new Run(this.#transport, { runId });
  }

  /**
   * Follows many runs at once: yields their events as they come, until all have ended. It keeps within the streams that the
   * service lets a user have, so any number of runs may be given.
   * @param runs handles or `run_id`s
   * @throws WorkflowApiError when a run is not visible; the signal's reason
   */
  follow(
    runs: Iterable<Run | string>,
    options: FollowOptions = {},
  ): AsyncGenerator<FollowedEvent, void, void> {
    const handles = [...runs].map((run) => (typeof run === 'string' ? this.byRunId(run) : run));
    return followRuns(handles, options);
  }

  /**
   * Makes a handle from a `run_pk` or a `run_id`.
   * @throws WorkflowApiError 404 when the run does not exist
   */
  async handle(id: string, options: CallOptions = {}): Promise<Run> {
    try {
      const { id: runPk, run_id: runId, thread_id: threadId } = await this.get(id, options);
      return new Run(this.#transport, { runId, runPk, threadId });
    } catch (error) {
      if (!(error instanceof WorkflowApiError) || error.status !== 404) throw error;
    }
    const run = this.byRunId(id);
    await run.record(options);
    return run;
  }

  /** Cancels by `run_id`; a run that has ended does not change. */
  cancel(runId: string, options?: Parameters<Run['cancel']>[0]): Promise<Reply<'cancelRun'>> {
    return this.byRunId(runId).cancel(options);
  }

  /** Answers by `run_id`; see `Run.resume`. */
  resume(runId: string, body: Body<'resumeRun'>, options?: CallOptions): Promise<Run> {
    return this.byRunId(runId).resume(body, options);
  }
}
