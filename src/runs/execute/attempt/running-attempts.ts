/**
 * The executions that are under way in this process, by their place in the run. An execution belongs to its process and not to
 * the task of Temporal that began it: a task that is late, or comes twice, joins the execution that is there, and only a host
 * that asks for a cancellation ends it. So a slow Temporal forgets no result, and no attempt is fenced by its own process.
 */
import type { Clock } from '../../../clock.ts';
import type { HeartbeatPosition } from '../../engine.ts';
import type { StepKey } from '../../ledger/steps.ts';
import type { AttemptEnd, Host, HostedEnd } from '../host.ts';

/** How an execution hears that it is to end, and tells where it is. */
export interface AttemptControl {
  /** Aborts when the run was cancelled in Temporal, or the process stops. */
  readonly signal: AbortSignal;
  readonly isCancelled: boolean;
  /** Set by the attempt that is under way: where it is, as heartbeats say it. */
  position: (() => HeartbeatPosition) | null;
}

interface Options {
  readonly clock: Clock;
  /** The task queue of this process. */
  readonly queue: string;
}

/** The name of the place of an execution: a turn or a tool call of an agent is one of its own. */
const toPlaceKey = ({ runPk, nodeId, visit, itemIndex, turn = 0, call = -1 }: StepKey): string =>
  JSON.stringify([runPk, nodeId, visit, itemIndex, turn, call]);

const ABANDONED = {
  kind: 'released',
  code: 'attempt_abandoned',
  message: 'The attempt was given up by its host',
} as const;

class RunningExecution<Result> implements AttemptControl {
  readonly end: Promise<AttemptEnd<Result>>;
  position: (() => HeartbeatPosition) | null = null;
  isCancelled = false;
  readonly #clock: Clock;
  readonly #queue: string;
  readonly #since: string;
  readonly #given = new AbortController();

  constructor({ clock, queue }: Options, run: (control: AttemptControl) => Promise<AttemptEnd<Result>>) {
    this.#clock = clock;
    this.#queue = queue;
    this.#since = new Date(clock.now()).toISOString();
    this.end = run(this).catch((error: unknown) => {
      if (!this.signal.aborted || error !== this.signal.reason) throw error;
      return this.isCancelled ? { kind: 'cancelled' } : ABANDONED;
    });
    // Its hosts may all be gone when it ends.
    this.end.catch(() => undefined);
  }

  get signal(): AbortSignal {
    return this.#given.signal;
  }

  abort(reason: string): void {
    this.#given.abort(new Error(reason));
  }

  /** Waits for the end on behalf of a host: as long as its patience lasts, and it does not give up. */
  async join(host: Host): Promise<HostedEnd<Result>> {
    const position = (): HeartbeatPosition | null => this.position?.() ?? null;
    const stopHeartbeat = host.startHeartbeat(position);
    try {
      const end = await this.#endWithin(host);
      if (end === 'patience') return { kind: 'running', running: { queue: this.#queue, since: this.#since } };
      if (end !== 'given up') {
        // A host that is told of the cancellation ends as cancelled, too: Temporal shows it so.
        if (end.kind === 'gone') await host.awaitCancellation(position);
        return host.cancelRequested() && end.kind === 'gone' ? { kind: 'cancelled' } : end;
      }
      if (!host.cancelRequested()) return ABANDONED;
      this.isCancelled = true;
      this.abort('The run was cancelled');
      const last = await this.end;
      return last.kind === 'gone' || last.kind === 'released' ? { kind: 'cancelled' } : last;
    } finally {
      stopHeartbeat();
    }
  }

  /** The end; or why the host waits no longer. */
  #endWithin({ patienceMs, signal }: Host): Promise<AttemptEnd<Result> | 'patience' | 'given up'> {
    return new Promise((resolve, reject) => {
      const giveUp = (): void => settle(() => resolve('given up'));
      const timer =
        patienceMs === null
          ? null
          : this.#clock.setTimeout(() => settle(() => resolve('patience')), Math.max(0, patienceMs));
      const settle = (how: () => void): void => {
        if (timer !== null) this.#clock.clearTimeout(timer);
        signal.removeEventListener('abort', giveUp);
        how();
      };
      this.end.then(
        (end) => settle(() => resolve(end)),
        (error: unknown) => settle(() => reject(error)),
      );
      if (signal.aborted) giveUp();
      else signal.addEventListener('abort', giveUp, { once: true });
    });
  }
}

export class RunningAttempts {
  readonly #options: Options;
  readonly #executions = new Map<string, RunningExecution<unknown>>();

  constructor(options: Options) {
    this.#options = options;
  }

  /**
   * Runs an execution, or joins the one that is under way at this place.
   * @throws what `run` throws
   */
  async run<Result>(
    host: Host,
    key: StepKey,
    run: (control: AttemptControl) => Promise<AttemptEnd<Result>>,
  ): Promise<HostedEnd<Result>> {
    const name = toPlaceKey(key);
    let execution = this.#executions.get(name) as RunningExecution<Result> | undefined;
    if (execution === undefined) {
      const begun = new RunningExecution(this.#options, run);
      const forget = (): void => void this.#executions.delete(name);
      begun.end.then(forget, forget);
      this.#executions.set(name, begun as RunningExecution<unknown>);
      execution = begun;
    }
    return execution.join(host);
  }

  /** Whether an execution is under way at this place. */
  has(key: StepKey): boolean {
    return this.#executions.has(toPlaceKey(key));
  }

  /** Waits until nothing is under way any more, for so many milliseconds; then ends what still is, undecided. */
  async stop(withinMs: number): Promise<void> {
    const ends = [...this.#executions.values()].map(({ end }) => end.catch(() => undefined));
    let timer: object | undefined;
    const late = new Promise<void>((resolve) => {
      timer = this.#options.clock.setTimeout(() => {
        for (const execution of this.#executions.values()) execution.abort('The worker stops');
        resolve();
      }, withinMs);
    });
    await Promise.race([Promise.all(ends), late]);
    if (timer !== undefined) this.#options.clock.clearTimeout(timer);
    await Promise.all(ends);
  }
}
