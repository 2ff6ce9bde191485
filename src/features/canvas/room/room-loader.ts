/** Loads rooms: concurrent joins of one workflow share one load. */
import { replayLoaded, type LoadedRoom } from './loaded-room.ts';
import type { RoomKey, RoomPorts } from './ports.ts';
import type { Rejection } from './rejection.ts';
import type { Room } from './room.ts';

/** How long a join waits for the database. */
const DEADLINE_MS = 5_000;

/** The room is open in another process; null: one that does not tell its address. */
interface OwnedElsewhere {
  readonly ownerUrl: string | null;
}

type Loading = Promise<Room | Rejection | OwnedElsewhere>;

export class RoomLoader {
  readonly #ports: RoomPorts;
  readonly #open: (key: RoomKey, begun: LoadedRoom) => Room;
  readonly #loading = new Map<string, Loading>();

  /** @param open creates the room and registers it */
  constructor(ports: RoomPorts, open: (key: RoomKey, begun: LoadedRoom) => Room) {
    this.#ports = ports;
    this.#open = open;
  }

  /** Returns the room, its other owner, or why it could not be loaded. */
  async load(key: RoomKey): Loading {
    const name = `${key.organizationId} ${key.workflowId}`;
    let loading = this.#loading.get(name);
    if (loading === undefined) {
      loading = this.#load(key).finally(() => this.#loading.delete(name));
      this.#loading.set(name, loading);
    }
    return this.#inTime(loading);
  }

  async #load(key: RoomKey): Loading {
    try {
      const result = await this.#ports.store.load(key);
      switch (result.outcome) {
        case 'loaded':
          return this.#open(key, await replayLoaded(this.#ports, result));
        case 'not-found':
          return { code: 'WORKFLOW_NOT_FOUND' };
        case 'owned-elsewhere':
          return { ownerUrl: result.url };
      }
    } catch (error) {
      this.#ports.log.warn({ err: error, ...key }, 'a workflow could not be loaded');
      return { code: 'LOAD_FAILED' };
    }
  }

  async #inTime(loading: Loading): Loading {
    const { clock } = this.#ports;
    return new Promise((resolve) => {
      const timer = clock.setTimeout(() => resolve({ code: 'LOAD_FAILED' }), DEADLINE_MS);
      void loading.then((result) => {
        clock.clearTimeout(timer);
        resolve(result);
      });
    });
  }
}
