/** A definition as JSON at the end of messages: encoded once, and written from the same bytes to everybody who is shown it. */
import type { JsonObject } from '../../graph/value.ts';
import { packetWithTail, tailOf, type Packet, type Tail } from './transport.ts';

interface Whole {
  readonly event: string;
  readonly payload: object;
}

export class SharedSchema {
  readonly #text: string;
  #plain: Tail | null = null;
  #framed: Tail | null = null;

  constructor(schema: JsonObject) {
    this.#text = JSON.stringify(schema);
  }

  /** Bytes that it holds, or will: as text, and for both kinds of readers. */
  get bytes(): number {
    return 3 * this.#text.length;
  }

  /** An event with the definition as the last field of its payload; for those who read frames as the one entry of a frame. */
  packet({ event, payload }: Whole, isFramed: boolean): Packet {
    const fields = JSON.stringify(payload).slice(1, -1);
    const entry = `[${JSON.stringify(event)},{${fields}${fields === '' ? '' : ','}"schema":`;
    // Event packets of the default namespace, as Socket.io encodes them.
    if (isFramed) return packetWithTail(`2["ops",[${entry}`, (this.#framed ??= tailOf(`${this.#text}}]]]`)));
    return packetWithTail(`2${entry}`, (this.#plain ??= tailOf(`${this.#text}}]`)));
  }
}

/** Encoded definitions of all rooms, those that were shown last. */
const MAX_KEPT_BYTES = 96 * 1_048_576;

/** The encoded definitions of a process: each version is encoded once while it is among those that were shown last. */
export class SharedSchemas {
  readonly #maxBytes: number;
  /** By the object that a room has for a version of its document, the one that was shown longest ago first. */
  readonly #kept = new Map<JsonObject, SharedSchema>();
  #bytes = 0;

  constructor(maxBytes = MAX_KEPT_BYTES) {
    this.#maxBytes = maxBytes;
  }

  /** Bytes that are kept. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The encoded definition of a version. */
  share(schema: JsonObject): SharedSchema {
    const known = this.#kept.get(schema);
    const shared = known ?? new SharedSchema(schema);
    if (known === undefined) this.#bytes += shared.bytes;
    this.#kept.delete(schema);
    this.#kept.set(schema, shared);
    for (const [old, { bytes }] of this.#kept) {
      if (this.#bytes <= this.#maxBytes) break;
      this.#kept.delete(old);
      this.#bytes -= bytes;
    }
    return shared;
  }
}
