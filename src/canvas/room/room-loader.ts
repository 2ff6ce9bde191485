/** From a stored workflow to a live room: once, however many ask at the same time. */
import type { LoadResult, RoomKey, RoomPorts } from './ports.ts';
import type { Refusal } from './rejection.ts';
import type { Room } from './room.ts';

/** A join waits this long for a database that does not answer. */
const DEADLINE_MS = 5_000;

type Loaded = Extract<LoadResult, { outcome: 'loaded' }>;

export class RoomLoader {
  readonly #ports: RoomPorts;
  readonly #open: (key: RoomKey, loaded: Loaded) => Room;
  readonly #loading = new Map<string, Promise<Room | Refusal>>();

  /** @param open makes the room and puts it where it is found */
  constructor(ports: RoomPorts, open: (key: RoomKey, loaded: Loaded) => Room) {
    this.#ports = ports;
    this.#open = open;
  }

  /** The room, or why there is none. */
  async load(key: RoomKey): Promise<Room | Refusal> {
    const name = `${key.organizationId} ${key.workflowId}`;
    let loading = this.#loading.get(name);
    if (loading === undefined) {
      loading = this.#load(key).finally(() => this.#loading.delete(name));
      this.#loading.set(name, loading);
    }
    return this.#inTime(loading);
  }

  async #load(key: RoomKey): Promise<Room | Refusal> {
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

  async #inTime(loading: Promise<Room | Refusal>): Promise<Room | Refusal> {
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
