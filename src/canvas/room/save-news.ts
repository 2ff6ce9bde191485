/** What a room tells about being saved: `saved`, and that saving does not work or works again. */
import type { JsonObject } from '../../graph/value.ts';
import type { CanvasDocument } from './document.ts';
import { stateHash } from './entity-facts.ts';
import type { RoomKey, RoomPorts } from './ports.ts';

/** The room as its saver sees it. */
export interface SaveHost {
  readonly key: RoomKey;
  readonly epoch: bigint;
  readonly document: CanvasDocument;
  readonly version: number;
  /** The document after somebody else's save was taken over; the counter does not move. */
  replaceDocument(document: CanvasDocument): void;
  broadcast(event: string, payload: JsonObject): void;
  /** The row or the lease is gone: nothing can be saved any more. */
  quit(reason: 'moved' | 'deleted'): void;
}

interface SaveFacts {
  readonly editVersion: number;
  readonly savedThrough: number;
  /** Author of the last operation. */
  readonly userId: string;
  /** Nothing had to be written: the operations took each other back. */
  readonly isNoop: boolean;
}

export class SaveNews {
  readonly #host: SaveHost;
  readonly #ports: Pick<RoomPorts, 'clock' | 'log'>;
  #degradedSince: number | null = null;

  constructor(host: SaveHost, ports: Pick<RoomPorts, 'clock' | 'log'>) {
    this.#host = host;
    this.#ports = ports;
  }

  get isDegraded(): boolean {
    return this.#degradedSince !== null;
  }

  /** The hash is of what members have now, which may be more than what was saved. */
  saved({ editVersion, savedThrough, userId, isNoop }: SaveFacts, unsavedOps: number): void {
    const { key, document, version, epoch } = this.#host;
    this.#host.broadcast('saved', {
      workflowId: key.workflowId,
      version: editVersion,
      roomVersion: version,
      savedThrough,
      epoch: Number(epoch),
      userId,
      at: new Date(this.#ports.clock.now()).toISOString(),
      stateHash: stateHash(document),
      ...(isNoop ? { noop: true } : {}),
    });
    if (this.#degradedSince === null) return;
    this.#host.broadcast('persistence:recovered', this.#trouble(this.#degradedSince, unsavedOps));
    this.#degradedSince = null;
  }

  /** Told once until a save succeeds. */
  degraded(unsavedOps: number): void {
    if (this.#degradedSince !== null) return;
    this.#degradedSince = this.#ports.clock.now();
    this.#ports.log.error({ ...this.#host.key, unsavedOps }, 'a room cannot be saved');
    this.#host.broadcast('persistence:degraded', this.#trouble(this.#degradedSince, unsavedOps));
  }

  #trouble(since: number, unsavedOps: number): JsonObject {
    const { workflowId } = this.#host.key;
    return { workflowId, since: new Date(since).toISOString(), unsavedOps };
  }
}
