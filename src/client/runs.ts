/** Runs: started, found, listed. */
import { WorkflowApiError } from './error.ts';
import { List } from './list.ts';
import type { Body, CallOptions, Query, Reply } from './operations.ts';
import { Run, type RunRecord } from './run.ts';
import type { Transport } from './transport.ts';

export interface StartOptions extends CallOptions {
  /** One run for one key within 24 hours; made when it is left out, and kept when the call is sent again. */
  readonly idempotencyKey?: string | undefined;
}

export interface StartedRun extends Run {
  /** The answer to the start. */
  readonly started: Reply<'startRun'>;
}

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
   * Starts a run.
   * @throws WorkflowApiError 400 without a live deployment, 402, 403 and 429 where the billing gate denies
   */
  async start(
    body: Body<'startRun'>,
    { idempotencyKey = newKey(), ...options }: StartOptions = {},
  ): Promise<StartedRun> {
    const started = (await this.#transport.call({
      ...options,
      method: 'POST',
      path: '/workflows/run',
      headers: { ...options.headers, 'Idempotency-Key': idempotencyKey },
      body,
    })) as Reply<'startRun'>;
    const run = new Run(this.#transport, { runId: started.run_id, threadId: started.thread_id });
    return Object.assign(run, { started });
  }

  /** The record of a run by its `run_pk`. */
  async get(runPk: string, options: CallOptions = {}): Promise<RunRecord> {
    const record = await this.#transport.call({
      ...options,
      method: 'GET',
      path: '/workflow-runs/{run_pk}',
      parameters: { run_pk: runPk },
    });
    return record as RunRecord;
  }

  /** One step with its full values. */
  async step(
    { runPk, stepId }: { readonly runPk: string; readonly stepId: string },
    options: CallOptions = {},
  ): Promise<Reply<'getRunStep'>> {
    const step = await this.#transport.call({
      ...options,
      method: 'GET',
      path: '/workflow-runs/{run_pk}/steps/{step_id}',
      parameters: { run_pk: runPk, step_id: stepId },
    });
    return step as Reply<'getRunStep'>;
  }

  /** The history, newest first. */
  list(query?: Query<'listRuns'>, options?: CallOptions) {
    return new List<Reply<'listRuns'>, Reply<'listRuns'>['runs'][number]>(
      async (given) =>
        (await this.#transport.call({
          ...options,
          method: 'GET',
          path: '/workflow-runs',
          query: given,
        })) as Reply<'listRuns'>,
      (answer) => answer.runs,
      query,
    );
  }

  /** A handle by the id that the start told, without a request. */
  byRunId(runId: string): Run {
    return new Run(this.#transport, { runId });
  }

  /**
   * A handle by either id: the key of the history (`run_pk`) or a `run_id`.
   * @throws WorkflowApiError 404 when there is no such run
   */
  async handle(id: string, options: CallOptions = {}): Promise<Run> {
    try {
      const record = await this.get(id, options);
      return this.#handleOf(record);
    } catch (error) {
      if (!(error instanceof WorkflowApiError) || error.status !== 404) throw error;
    }
    const { runs } = await this.list({ run_id: id }, options).page();
    const [row] = runs;
    if (row !== undefined) return new Run(this.#transport, { runId: row.run_id, runPk: row.id });
    throw new WorkflowApiError({ status: 404, code: null, detail: 'Workflow run not found' });
  }

  /** Cancels by run_id; one that has ended stays as it ended. */
  cancel(runId: string, options?: Parameters<Run['cancel']>[0]): Promise<Reply<'cancelRun'>> {
    return this.byRunId(runId).cancel(options);
  }

  /** Answers by run_id; see `Run.resume`. */
  resume(runId: string, body: Body<'resumeRun'>, options?: CallOptions): Promise<Run> {
    return this.byRunId(runId).resume(body, options);
  }

  #handleOf({ id, run_id: runId, thread_id: threadId }: RunRecord): Run {
    return new Run(this.#transport, { runId, runPk: id, threadId });
  }
}
