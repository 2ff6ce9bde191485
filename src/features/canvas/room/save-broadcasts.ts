/** The broadcasts about saving: `saved`, `workflow:external-sync`, `persistence:degraded` and `persistence:recovered`. */
import type { JsonObject } from '../../../language/graph/values/value.ts';
import type { CanvasDocument } from './document.ts';
import { stateHash } from './document-measures.ts';
import { toExternalSyncEvents } from './external-saves.ts';
import type { ExternalState, RoomKey, RoomPorts } from './ports.ts';
import type { ReplayableOp, ReplayResult } from './replay.ts';
import type { ExternalSaveNotice } from './room-api.ts';

/** The room as its saver sees it. */
export interface SaveHost {
  readonly key: RoomKey;
  readonly epoch: bigint;
  readonly document: CanvasDocument;
  readonly version: number;
  /** Replaces the document after an external save was adopted; the room's version does not change. */
  replaceDocument(document: CanvasDocument): void;
  broadcast(event: string, payload: JsonObject): void;
  /** Ends the room: its row or its lease is gone, so it cannot be saved any more. */
  end(reason: 'moved' | 'deleted'): void;
}

interface SavedFacts {
  readonly editVersion: number;
  readonly savedThrough: number;
  /** Author of the last operation. */
  readonly userId: string;
  /** Nothing was written: the operations cancelled each other out. */
  readonly isNoop: boolean;
}

export class SaveBroadcasts {
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

  /** The hash is of the room's current document, which may be newer than the saved one: clients compare it with theirs. */
  broadcastSaved({ editVersion, savedThrough, userId, isNoop }: SavedFacts, unsavedOps: number): void {
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
    this.#host.broadcast('persistence:recovered', this.#describeOutage(this.#degradedSince, unsavedOps));
    this.#degradedSince = null;
  }

  /** Replaces the room's document by one with an external save, and broadcasts the difference. */
  adoptExternal(
    external: ExternalState,
    { document: after, dropped }: Pick<ReplayResult<ReplayableOp>, 'document' | 'dropped'>,
    hint: ExternalSaveNotice | null,
  ): void {
    const before = this.#host.document;
    this.#host.replaceDocument(after);
    const { key, version, epoch } = this.#host;
    for (const payload of toExternalSyncEvents(external, { before, after, dropped, hint })) {
      this.#host.broadcast('workflow:external-sync', {
        workflowId: key.workflowId,
        version,
        epoch: Number(epoch),
        ...payload,
      });
    }
  }

  /** Broadcasts `persistence:degraded` once until a save succeeds. */
  broadcastDegraded(unsavedOps: number): void {
    if (this.#degradedSince !== null) return;
    this.#degradedSince = this.#ports.clock.now();
    this.#ports.log.error({ ...this.#host.key, unsavedOps }, 'a room cannot be saved');
    this.#host.broadcast('persistence:degraded', this.#describeOutage(this.#degradedSince, unsavedOps));
  }

  #describeOutage(since: number, unsavedOps: number): JsonObject {
    const { workflowId } = this.#host.key;
    return { workflowId, since: new Date(since).toISOString(), unsavedOps };
  }
}
