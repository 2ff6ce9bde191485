/** Loads rooms: concurrent joins of one workflow share one load. */
import type { LoadResult, RoomKey, RoomPorts } from './ports.ts';
import type { Rejection } from './rejection.ts';
import type { Room } from './room.ts';

/** How long a join waits for the database. */
const DEADLINE_MS = 5_000;

type Loaded = Extract<LoadResult, { outcome: 'loaded' }>;

export class RoomLoader {
  readonly #ports: RoomPorts;
  readonly #open: (key: RoomKey, loaded: Loaded) => Room;
  readonly #loading = new Map<string, Promise<Room | Rejection>>();

  /** @param open creates the room and registers it */
  constructor(ports: RoomPorts, open: (key: RoomKey, loaded: Loaded) => Room) {
    this.#ports = ports;
    this.#open = open;
  }

  /** Returns the room, or why it could not be loaded. */
  async load(key: RoomKey): Promise<Room | Rejection> {
    const name = `${key.organizationId} ${key.workflowId}`;
    let loading = this.#loading.get(name);
    if (loading === undefined) {
      loading = this.#load(key).finally(() => this.#loading.delete(name));
      this.#loading.set(name, loading);
    }
    return this.#inTime(loading);
  }

  async #load(key: RoomKey): Promise<Room | Rejection> {
    try {
      const result = await this.#ports.store.load(key);
      switch (result.outcome) {
        case 'loaded':
          return this.#open(key, result);
        case 'not-found':
          return { code: 'WORKFLOW_NOT_FOUND' };
        case 'owned-elsewhere':
          return result.url === null
            ? { code: 'LOAD_FAILED', because: 'another server has it' }
            : { code: 'REDIRECT', details: { url: result.url } };
      }
    } catch (error) {
      this.#ports.log.warn({ err: error, ...key }, 'a workflow could not be loaded');
      return { code: 'LOAD_FAILED' };
    }
  }

  async #inTime(loading: Promise<Room | Rejection>): Promise<Room | Rejection> {
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
