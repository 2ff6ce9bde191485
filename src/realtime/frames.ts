/**
 * Frames: for clients that can read them, what happens within 16 ms travels as one event `ops` with a list of
 * `[event, payload]`, in order. Each payload is encoded once, however many receive it, and a frame is put together
 * from texts: one write per client and frame, in place of one per event.
 */

const FRAME_MS = 16;

/** `["event",payload]` as JSON text. */
export type Entry = string;

export const entryOf = (event: string, payload: object): Entry => JSON.stringify([event, payload]);

/** Who collects entries until the frame is over. */
export interface Framed {
  flushFrame(): void;
}

/** One clock for all clients of the process: it ticks only while somebody has something to send. */
export class FrameClock {
  readonly #waiting = new Set<Framed>();
  #timer: NodeJS.Timeout | undefined;

  /** `framed` is flushed when the current frame is over. */
  enroll(framed: Framed): void {
    this.#waiting.add(framed);
    this.#timer ??= setTimeout(() => this.flush(), FRAME_MS).unref();
  }

  /** Ends the frame now. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const due = [...this.#waiting];
    this.#waiting.clear();
    for (const framed of due) framed.flushFrame();
  }
}
