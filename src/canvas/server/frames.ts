/**
 * Frames: for clients that can read them, what happens within 16 ms travels as one event `ops` with a list of
 * `[event, payload]`, in order. Each payload is encoded once, however many receive it, and so is each frame: those who
 * are told the same, which is nearly everybody in a room, are written the same bytes.
 */
import { packetOf, type Packet } from './transport.ts';

const FRAME_MS = 16;

/** `["event",payload]` as JSON text. */
export type Entry = string;

export const entryOf = (event: string, payload: object): Entry => JSON.stringify([event, payload]);

/**
 * What somebody has been told in the current frame. Whoever is told the same next is at the same place again: a sender
 * who gets an `ack` where the others get the broadcast goes another way, and everybody else stays together.
 */
export class FrameSoFar {
  readonly #before: FrameSoFar | null;
  readonly #entry: Entry;
  /** The last way on from here: a broadcast is told to one after the other, so it is the one that is asked for. */
  #next: FrameSoFar | null = null;
  #packet: Packet | null = null;

  private constructor(before: FrameSoFar | null, entry: Entry) {
    this.#before = before;
    this.#entry = entry;
  }

  /** A frame in which nothing has been told. */
  static begin(): FrameSoFar {
    return new FrameSoFar(null, '');
  }

  with(entry: Entry): FrameSoFar {
    if (this.#next === null || this.#next.#entry !== entry) this.#next = new FrameSoFar(this, entry);
    return this.#next;
  }

  /** The frame as it is written, once something has been told; encoded when it is first asked for. */
  get packet(): Packet {
    if (this.#packet === null) {
      const entries = [this.#entry];
      for (let at = this.#before; at !== null && at.#before !== null; at = at.#before)
        entries.push(at.#entry);
      // An event packet of the default namespace, as Socket.io encodes it; the entries are JSON already.
      this.#packet = packetOf(`2["ops",[${entries.toReversed().join(',')}]]`);
    }
    return this.#packet;
  }
}

/** Who collects entries until the frame is over. */
export interface Framed {
  flushFrame(): void;
}

/** One clock for all clients of the process: it ticks only while somebody has something to send. */
export class FrameClock {
  readonly #waiting = new Set<Framed>();
  #timer: NodeJS.Timeout | undefined;
  #begin = FrameSoFar.begin();

  /** `framed` is flushed when the current frame is over. @returns where it begins, the same for all */
  enroll(framed: Framed): FrameSoFar {
    this.#waiting.add(framed);
    this.#timer ??= setTimeout(() => this.flush(), FRAME_MS).unref();
    return this.#begin;
  }

  /** Ends the frame now. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const due = [...this.#waiting];
    this.#waiting.clear();
    this.#begin = FrameSoFar.begin();
    for (const framed of due) framed.flushFrame();
  }
}
