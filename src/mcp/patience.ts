/** How long a call waits for its run before it becomes a task: less once the run pauses, because nobody waits for a sleep. */
import type { Clock } from '../clock.ts';
import type { RunFrame } from '../runs/stream/read-frames.ts';

/** A guess: most clients give up after a minute, and a task costs them requests. */
const RUNNING_MS = 10_000;
/** The question of an interrupt comes with its start; what has not come after this long is a sleep, or waits for other branches. */
const PAUSED_MS = 1_000;

export class Patience {
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

  /** Takes notice of a frame of the run. */
  notice({ type, node_type: nodeType }: RunFrame): void {
    if (type === 'node_started' && nodeType === 'interrupt' && this.#timer !== null)
      this.#endAfter(PAUSED_MS);
  }

  close(): void {
    if (this.#timer !== null) this.#clock.clearTimeout(this.#timer);
  }

  #endAfter(ms: number): void {
    this.close();
    this.#timer = this.#clock.setTimeout(() => this.#end.abort(), ms);
  }
}
