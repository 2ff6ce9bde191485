/** An activity at work for a run: its heartbeat, and the signals that end it early. */
import { Context } from '@temporalio/activity';
import type { HeartbeatPosition } from '../engine.ts';
import type { EngineDeps } from './engine-deps.ts';

/**
 * How late a cancellation is heard that was made in Temporal; one that was made here is told at once (live-runs.ts). Far
 * below the 10 s after which Temporal gives up work that is not heard of. Each beat is a write of the Temporal server:
 * with one a second, 200 models that think took 60 to 110 % of a core.
 */
export const HEARTBEAT_MS = 3_000;
/** Up to three times as late: work that is done by then never beats, and a listener who asks after a second finds a beat. */
const FIRST_BEAT_MS = 300;
/** How long work that has heard of its run's end waits for Temporal's word for it: the outbox is on its way with it. */
const WORD_COMES_WITHIN_MS = 1_500;

export interface WorkOf {
  readonly rootRunPk: string;
  readonly timeoutMs: number;
  position(): HeartbeatPosition;
}

export class LiveWork {
  readonly signal: AbortSignal;
  readonly #context = Context.current();
  readonly #of: WorkOf;
  readonly #timeout: AbortSignal;
  readonly #fenced = new AbortController();
  readonly #unfollow: () => void;
  #isRunCancelled = false;
  #beat: NodeJS.Timeout;

  constructor(deps: EngineDeps, of: WorkOf) {
    this.#of = of;
    this.#timeout = AbortSignal.timeout(of.timeoutMs);
    this.signal = AbortSignal.any([this.#context.cancellationSignal, this.#timeout, this.#fenced.signal]);
    this.#unfollow = deps.liveRuns.follow(of.rootRunPk, () => {
      this.#isRunCancelled = true;
      this.fence();
    });
    // From a moment by chance: two hundred nodes that begin together would beat together, and hold up their own words.
    this.#beat = setTimeout(
      () => {
        this.#heartbeat();
        this.#beat = setInterval(() => this.#heartbeat(), HEARTBEAT_MS);
      },
      FIRST_BEAT_MS * (1 + 2 * Math.random()),
    );
  }

  get timedOut(): boolean {
    return this.#timeout.aborted;
  }
  get isFenced(): boolean {
    return this.#fenced.signal.aborted;
  }

  /** Nothing that is done from here on counts. */
  fence(): void {
    this.#fenced.abort(new Error('The run has ended or another attempt has begun'));
  }

  /** For work that ends because its run was cancelled: it ends in Temporal as what it is, too, if that is told in time. */
  async temporalsWord(): Promise<void> {
    if (!this.#isRunCancelled || this.#context.cancellationSignal.aborted) return;
    const beat = setInterval(() => this.#heartbeat(), WORD_COMES_WITHIN_MS / 10);
    let timer: NodeJS.Timeout | undefined;
    await Promise.race([
      this.#context.cancelled.catch(() => undefined),
      new Promise((resolve) => (timer = setTimeout(resolve, WORD_COMES_WITHIN_MS))),
    ]);
    clearTimeout(timer);
    clearInterval(beat);
  }

  close(): void {
    clearInterval(this.#beat);
    this.#unfollow();
  }

  #heartbeat(): void {
    this.#context.heartbeat(this.#of.position());
  }
}
