/** Limits the wait of a call for its run, before the call becomes a task; a paused run gets less time, because it may sleep for days. */
import type { Clock } from '../../base/clock.ts';
import type { RunFrame } from '../../engine/runs/stream/read-frames.ts';

/** A guess: most clients give up after a minute, and a task costs them requests. */
const RUNNING_MS = 10_000;
/** An interrupt's question follows its start at once. Without one after this time it is a sleep, or waits for other branches. */
const PAUSED_MS = 1_000;

export class WaitLimit {
  readonly #clock: Pick<Clock, 'setTimeout' | 'clearTimeout'>;
  readonly #end = new AbortController();
  #timer: ReturnType<Clock['setTimeout']> | null = null;

  /** @param hasEnd false: the client cannot follow tasks, so the call waits for as long as the run takes */
  constructor(clock: Pick<Clock, 'setTimeout' | 'clearTimeout'>, hasEnd: boolean) {
    this.#clock = clock;
    if (hasEnd) this.#endAfter(RUNNING_MS);
  }

  /** Aborted when the call is to become a task. */
  get signal(): AbortSignal {
    return this.#end.signal;
  }

  /** Shortens the wait when a frame says that the run has reached an interrupt. */
  notice({ type, node_type: nodeType }: RunFrame): void {
    if (type === 'node_started' && nodeType === 'interrupt' && this.#timer !== null)
      this.#endAfter(PAUSED_MS);
  }

  /** Ends the timer; the signal is not aborted any more. */
  close(): void {
    if (this.#timer !== null) this.#clock.clearTimeout(this.#timer);
  }

  #endAfter(ms: number): void {
    this.close();
    this.#timer = this.#clock.setTimeout(() => this.#end.abort(), ms);
  }
}
