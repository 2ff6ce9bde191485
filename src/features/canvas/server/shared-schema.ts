/** A definition encoded once as the tail of snapshot messages, so that all sockets are written the same bytes. */
import type { JsonObject } from '../../../language/graph/values/value.ts';
import { encodePacketWithTail, encodeTail, type Packet, type Tail } from './transport.ts';

interface EventHead {
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

  /** Upper bound of its bytes: the text, and the tails with and without frames. */
  get bytes(): number {
    return 3 * this.#text.length;
  }

  /** Encodes an event with the definition as the last field of its payload; for `frames` as a frame of one entry. */
  packet({ event, payload }: EventHead, isFramed: boolean): Packet {
    const fields = JSON.stringify(payload).slice(1, -1);
    const entry = `[${JSON.stringify(event)},{${fields}${fields === '' ? '' : ','}"schema":`;
    // Event packets of the default namespace, as Socket.io encodes them.
    if (isFramed)
      return encodePacketWithTail(`2["ops",[${entry}`, (this.#framed ??= encodeTail(`${this.#text}}]]]`)));
    return encodePacketWithTail(`2${entry}`, (this.#plain ??= encodeTail(`${this.#text}}]`)));
  }
}

/** Bound of the cache of a process. */
const MAX_KEPT_BYTES = 96 * 1_048_576;

/** LRU cache of the encoded definitions of a process. */
export class SharedSchemaCache {
  readonly #maxBytes: number;
  /** By the definition object of a document's version, least recently used first. */
  readonly #kept = new Map<JsonObject, SharedSchema>();
  #bytes = 0;

  constructor(maxBytes = MAX_KEPT_BYTES) {
    this.#maxBytes = maxBytes;
  }

  /** Bytes in the cache. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Returns the encoded definition, from the cache if it is there. */
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
