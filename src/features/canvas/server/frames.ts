/**
 * Frames: clients with the capability `frames` get all messages of 16 ms as one event `ops`, a list of `[event, payload]`
 * in order. Each payload is encoded once, and so is each frame that several clients share.
 */
import { encodePacket, type Packet } from './transport.ts';

const FRAME_MS = 16;

/** JSON text of `["event",payload]`. */
export type Entry = string;

export const encodeEntry = (event: string, payload: object): Entry => JSON.stringify([event, payload]);

/**
 * A node in the trie of the messages sent in this frame: members with the same sequence share one encoded packet. The
 * sender's `ack` branches off.
 */
export class FrameNode {
  readonly #before: FrameNode | null;
  readonly #entry: Entry;
  /** The child appended last. A broadcast is appended for one member after the other, so the last child is the usual hit. */
  #next: FrameNode | null = null;
  #packet: Packet | null = null;

  private constructor(before: FrameNode | null, entry: Entry) {
    this.#before = before;
    this.#entry = entry;
  }

  /** Creates the root: a frame without messages. */
  static empty(): FrameNode {
    return new FrameNode(null, '');
  }

  append(entry: Entry): FrameNode {
    if (this.#next === null || this.#next.#entry !== entry) this.#next = new FrameNode(this, entry);
    return this.#next;
  }

  /** The encoded packet of all messages up to this node; encoded on first use. */
  get packet(): Packet {
    if (this.#packet === null) {
      const entries = [this.#entry];
      for (let at = this.#before; at !== null && at.#before !== null; at = at.#before)
        entries.push(at.#entry);
      // An event packet of the default namespace, as Socket.io encodes it; the entries are JSON already.
      this.#packet = encodePacket(`2["ops",[${entries.toReversed().join(',')}]]`);
    }
    return this.#packet;
  }
}

/** A session that collects entries until its frame is flushed. */
export interface FrameReceiver {
  flushFrame(): void;
}

/** Flushes the frames of all sessions of the process together; its timer runs only while entries wait. */
export class FrameScheduler {
  readonly #waiting = new Set<FrameReceiver>();
  #timer: NodeJS.Timeout | undefined;
  #root = FrameNode.empty();

  /** Schedules `framed` to be flushed with the current frame. @returns the frame's root, shared by all sessions */
  schedule(framed: FrameReceiver): FrameNode {
    this.#waiting.add(framed);
    this.#timer ??= setTimeout(() => this.flush(), FRAME_MS).unref();
    return this.#root;
  }

  /** Ends the frame now. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const due = [...this.#waiting];
    this.#waiting.clear();
    this.#root = FrameNode.empty();
    for (const framed of due) framed.flushFrame();
  }
}
