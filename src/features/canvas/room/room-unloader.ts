/**
 * Closes empty rooms: 10 s after the last member left it saves the room and releases its lease. A room that cannot be
 * saved stays open and is tried again.
 */
import type { Timer } from '../../../base/clock.ts';
import type { RoomPorts } from './ports.ts';
import type { Room } from './room.ts';

/** Keeps the room over a page reload or a network change (SPEC CAN-R29). */
const LINGER_MS = 10_000;
const MAX_RETRY_MS = 60_000;

export class RoomUnloader {
  readonly #ports: RoomPorts;
  readonly #onEnded: (room: Room) => void;
  readonly #timers = new Map<Room, Timer>();

  /** @param onEnded called synchronously when a room is closed, to unregister it */
  constructor(ports: RoomPorts, onEnded: (room: Room) => void) {
    this.#ports = ports;
    this.#onEnded = onEnded;
  }

  /** Closes the room after `waitMs` if it is still empty then. */
  schedule(room: Room, waitMs = LINGER_MS): void {
    if (this.#timers.has(room) || room.isClosed) return;
    const timer = this.#ports.clock.setTimeout(() => {
      this.#timers.delete(room);
      void this.#end(room, waitMs);
    }, waitMs);
    this.#timers.set(room, timer);
  }

  /** Cancels the scheduled closing. */
  cancel(room: Room): void {
    const timer = this.#timers.get(room);
    if (timer !== undefined) this.#ports.clock.clearTimeout(timer);
    this.#timers.delete(room);
  }

  async #end(room: Room, waitedMs: number): Promise<void> {
    if (room.members.size > 0 || room.isClosed) return;
    await room.saver.flush();
    // A session may have joined or edited during the save.
    if (room.members.size > 0 || room.isClosed) return;
    if (room.saver.isDirty) return this.schedule(room, Math.min(waitedMs * 2, MAX_RETRY_MS));
    await this.#close(room);
  }

  /** Saves and closes a room with its members; leaves it open when it cannot be saved. */
  async unload(room: Room): Promise<void> {
    await room.saver.flush();
    if (!room.saver.isDirty && !room.isClosed) await this.#close(room);
  }

  async #close(room: Room): Promise<void> {
    room.close();
    this.#onEnded(room);
    await this.#ports.store.release(room.key, room.epoch).catch((error: unknown) => {
      // The lease expires after 15 s anyway.
      this.#ports.log.warn({ err: error, ...room.key }, 'a lease could not be released');
    });
  }

  dispose(): void {
    for (const timer of this.#timers.values()) this.#ports.clock.clearTimeout(timer);
    this.#timers.clear();
  }
}
