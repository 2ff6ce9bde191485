/**
 * The running executions of this process, by their place in the run. An execution belongs to its process and not to the Temporal
 * task that started it: a late or repeated task joins the running execution, and only a host that requests a cancellation ends it.
 * So a slow Temporal loses no result, and no process fences its own attempt.
 */
import type { Clock } from '../../../clock.ts';
import type { HeartbeatPosition } from '../../engine.ts';
import type { StepKey } from '../../ledger/steps.ts';
import type { AttemptEnd, Host, HostedEnd } from '../host.ts';

/** The signals of an execution, and its position for heartbeats. */
export interface AttemptControl {
  /** Aborts when the run was cancelled in Temporal, or the process stops. */
  readonly signal: AbortSignal;
  readonly isCancelled: boolean;
  /** Set by the running attempt; heartbeats report it. */
  position: (() => HeartbeatPosition) | null;
}

interface Options {
  readonly clock: Clock;
  /** The task queue of this process. */
  readonly queue: string;
}

/** Builds the key of an execution; each turn and each tool call of an agent has its own. */
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
    // Prevents an unhandled rejection when no host is left.
    this.end.catch(() => undefined);
  }

  get signal(): AbortSignal {
    return this.#given.signal;
  }

  abort(reason: string): void {
    this.#given.abort(new Error(reason));
  }

  /** Waits for the end until the patience of the host is over or the host gives up. */
  async join(host: Host): Promise<HostedEnd<Result>> {
    const position = (): HeartbeatPosition | null => this.position?.() ?? null;
    const stopHeartbeat = host.startHeartbeat(position);
    try {
      const end = await this.#endWithin(host);
      if (end === 'patience') return { kind: 'running', running: { queue: this.#queue, since: this.#since } };
      if (end !== 'given up') {
        // A host that knows of the cancellation ends as cancelled, so that Temporal shows it.
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

  /** @returns the end, or why the host stops waiting */
  #endWithin({ patienceMs, signal }: Host): Promise<AttemptEnd<Result> | 'patience' | 'given up'> {
    return new Promise((resolve, reject) => {
      const giveUp = (): void => settle(() => resolve('given up'));
      const timer =
        patienceMs === null
          ? null
          : this.#clock.setTimeout(() => settle(() => resolve('patience')), Math.max(0, patienceMs));
      const settle = (finish: () => void): void => {
        if (timer !== null) this.#clock.clearTimeout(timer);
        signal.removeEventListener('abort', giveUp);
        finish();
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
   * Runs an execution, or joins the running one with the same key.
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

  /** Tells whether an execution with this key is running. */
  has(key: StepKey): boolean {
    return this.#executions.has(toPlaceKey(key));
  }

  /** Waits for all executions, at most `withinMs`; then aborts the others, undecided. */
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
