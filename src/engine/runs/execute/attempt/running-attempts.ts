/**
 * The running executions of this process, by their place in the run. An execution belongs to its process and not to the Temporal
 * task that started it: a late or repeated task joins the running execution, and only a host that requests a cancellation ends it.
 * So a slow Temporal loses no result, and no process fences its own attempt.
 */
import type { Clock, Timer } from '../../../../base/clock.ts';
import type { HeartbeatPosition, RunRef } from '../../engine.ts';
import type { StepKey } from '../../ledger/write/steps.ts';
import type { AttemptEnd, Host, HostedEnd } from '../host.ts';

/** The signals of an execution, and its position for heartbeats. */
export interface AttemptControl {
  /** Aborts when the run was cancelled, or the process stops. */
  readonly signal: AbortSignal;
  /** Temporal has told of the cancellation. */
  readonly isCancelled: boolean;
  /** The database has told of the cancellation: the record of the run has ended. */
  readonly isRunOver: boolean;
  /** Set by the running attempt; heartbeats report it. */
  position: (() => HeartbeatPosition) | null;
}

interface Options {
  readonly clock: Clock;
  /** The task queue of this process. */
  readonly queue: string;
  /** Called while an execution has no host, in growing intervals. */
  readonly onUnhosted: (run: RunRef) => void;
}

/**
 * An execution whose local activity has left it gets its next host within milliseconds, or with the end of a workflow task, 4 s. After
 * a termination none comes.
 */
const UNHOSTED_MS = 2_000;
const MAX_UNHOSTED_MS = 30_000;

/** Builds the key of an execution; each turn and each tool call of an agent has its own. */
const toPlaceKey = ({ runPk, nodeId, visit, itemIndex, turn = 0, call = -1 }: StepKey): string =>
  JSON.stringify([runPk, nodeId, visit, itemIndex, turn, call]);

const ABANDONED = {
  kind: 'released',
  code: 'attempt_abandoned',
  message: 'The attempt was abandoned by its worker',
} as const;

class RunningExecution<Result> implements AttemptControl {
  readonly end: Promise<AttemptEnd<Result>>;
  position: (() => HeartbeatPosition) | null = null;
  isCancelled = false;
  isRunOver = false;
  readonly #clock: Clock;
  readonly #queue: string;
  readonly #since: string;
  readonly #given = new AbortController();
  readonly #onUnhosted: () => void;
  #hosts = 0;
  #hasEnded = false;
  #watch: Timer | undefined;

  constructor(
    { clock, queue, onUnhosted }: Options,
    ref: RunRef,
    run: (control: AttemptControl) => Promise<AttemptEnd<Result>>,
  ) {
    this.#clock = clock;
    this.#queue = queue;
    this.#since = new Date(clock.now()).toISOString();
    const { organizationId, rootRunPk } = ref;
    this.#onUnhosted = () => onUnhosted({ organizationId, rootRunPk });
    this.end = run(this).catch((error: unknown) => {
      if (!this.signal.aborted || error !== this.signal.reason) throw error;
      if (this.isCancelled) return { kind: 'cancelled' };
      return this.isRunOver ? { kind: 'gone' } : ABANDONED;
    });
    const ended = (): void => {
      this.#hasEnded = true;
      this.#stopWatch();
    };
    // Also prevents an unhandled rejection when no host is left.
    this.end.then(ended, ended);
  }

  get signal(): AbortSignal {
    return this.#given.signal;
  }

  abort(reason: string): void {
    this.#given.abort(new Error(reason));
  }

  /** Gives the execution up, because the record of its run has ended: nothing is left to be read or written. */
  endWithRun(): void {
    this.isRunOver = true;
    this.abort('The run has ended');
  }

  /** Waits for the end until the patience of the host is over or the host gives up. */
  async join(host: Host): Promise<HostedEnd<Result>> {
    const position = (): HeartbeatPosition | null => this.position?.() ?? null;
    const stopHeartbeat = host.startHeartbeat(position);
    this.#hosts += 1;
    this.#stopWatch();
    let checkAfterMs = UNHOSTED_MS;
    try {
      const end = await this.#endWithin(host);
      if (end === 'patience') return { kind: 'running', running: { queue: this.#queue, since: this.#since } };
      if (end !== 'given up') {
        // A host that knows of the cancellation ends as cancelled, so that Temporal shows it.
        if (end.kind === 'gone') await host.awaitCancellation(position);
        return host.cancelRequested() && end.kind === 'gone' ? { kind: 'cancelled' } : end;
      }
      checkAfterMs = 0;
      if (!host.cancelRequested()) return ABANDONED;
      this.isCancelled = true;
      this.abort('The run was cancelled');
      const last = await this.end;
      return last.kind === 'gone' || last.kind === 'released' ? { kind: 'cancelled' } : last;
    } finally {
      stopHeartbeat();
      this.#hosts -= 1;
      if (this.#hosts === 0 && !this.#hasEnded) this.#startWatch(checkAfterMs);
    }
  }

  #startWatch(afterMs: number): void {
    this.#watch = this.#clock.setTimeout(() => {
      this.#onUnhosted();
      this.#startWatch(Math.min(Math.max(UNHOSTED_MS, afterMs * 2), MAX_UNHOSTED_MS));
    }, afterMs);
  }

  #stopWatch(): void {
    if (this.#watch !== undefined) this.#clock.clearTimeout(this.#watch);
    this.#watch = undefined;
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
  /** The same, by their run. */
  readonly #byRun = new Map<string, Set<RunningExecution<unknown>>>();

  constructor(options: Options) {
    this.#options = options;
  }

  /**
   * Runs an execution, or joins the running one with the same key.
   * @throws what `run` throws
   */
  async run<Result>(
    host: Host,
    key: StepKey & RunRef,
    run: (control: AttemptControl) => Promise<AttemptEnd<Result>>,
  ): Promise<HostedEnd<Result>> {
    const name = toPlaceKey(key);
    let execution = this.#executions.get(name) as RunningExecution<Result> | undefined;
    if (execution === undefined) {
      const begun = new RunningExecution(this.#options, key, run);
      const remembered = begun as RunningExecution<unknown>;
      const ofRun = this.#byRun.get(key.rootRunPk) ?? new Set();
      this.#byRun.set(key.rootRunPk, ofRun.add(remembered));
      const forget = (): void => {
        this.#executions.delete(name);
        ofRun.delete(remembered);
        if (ofRun.size === 0) this.#byRun.delete(key.rootRunPk);
      };
      begun.end.then(forget, forget);
      this.#executions.set(name, remembered);
      execution = begun;
    }
    return execution.join(host);
  }

  /** Tells whether an execution with this key is running. */
  has(key: StepKey): boolean {
    return this.#executions.has(toPlaceKey(key));
  }

  /**
   * Ends the executions of a run whose cancellation is committed, also those that wait for a slot: without a statement for each. Temporal's
   * own cancellation comes with a heartbeat, seconds later.
   */
  cancelled(rootRunPk: string): void {
    for (const execution of this.#byRun.get(rootRunPk) ?? []) execution.endWithRun();
  }

  /** Waits for all executions, also those that begin meanwhile, at most `withinMs`; then aborts the others, undecided. */
  async stop(withinMs: number): Promise<void> {
    const aborted: Promise<unknown>[] = [];
    const timer = this.#options.clock.setTimeout(() => {
      for (const execution of this.#executions.values()) execution.abort('The worker is shutting down');
      aborted.push(this.#allEnded());
    }, withinMs);
    while (this.#executions.size > 0 && aborted.length === 0) await this.#allEnded();
    this.#options.clock.clearTimeout(timer);
    await Promise.all(aborted);
  }

  /** Resolves when the executions that run now have ended. */
  #allEnded(): Promise<unknown> {
    return Promise.allSettled([...this.#executions.values()].map(({ end }) => end));
  }
}
