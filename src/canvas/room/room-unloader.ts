/**
 * Ends rooms that nobody is in: a while after the last one left, saved, its lease given back. What cannot be saved
 * stays, and whoever comes back in time finds the room as it was.
 */
import type { Timer } from '../../clock.ts';
import type { RoomPorts } from './ports.ts';
import type { Room } from './room.ts';

/** People come back soon: a reload, a network that changes (SPEC CAN-R29). */
const LINGER_MS = 10_000;
const MAX_RETRY_MS = 60_000;

export class RoomUnloader {
  readonly #ports: RoomPorts;
  readonly #onEnded: (room: Room) => void;
  readonly #timers = new Map<Room, Timer>();

  /** @param onEnded takes the room out of the map, in the turn in which it ended */
  constructor(ports: RoomPorts, onEnded: (room: Room) => void) {
    this.#ports = ports;
    this.#onEnded = onEnded;
  }

  /** Ends the room some time from now if it is still empty then. */
  watch(room: Room, waitMs = LINGER_MS): void {
    if (this.#timers.has(room) || room.isClosed) return;
    const timer = this.#ports.clock.setTimeout(() => {
      this.#timers.delete(room);
      void this.#end(room, waitMs);
    }, waitMs);
    this.#timers.set(room, timer);
  }

  /** Somebody came back, or the room has ended. */
  forget(room: Room): void {
    const timer = this.#timers.get(room);
    if (timer !== undefined) this.#ports.clock.clearTimeout(timer);
    this.#timers.delete(room);
  }

  async #end(room: Room, waitedMs: number): Promise<void> {
    if (room.attendance.size > 0 || room.isClosed) return;
    await room.saver.flush();
    // Somebody may have joined, or edited, while it was saved.
    if (room.attendance.size > 0 || room.isClosed) return;
    if (room.saver.isDirty) return this.watch(room, Math.min(waitedMs * 2, MAX_RETRY_MS));
    await this.#close(room);
  }

  /** Saves and ends a room with everybody in it. Leaves it as it is when it cannot be saved. */
  async unload(room: Room): Promise<void> {
    await room.saver.flush();
    if (!room.saver.isDirty && !room.isClosed) await this.#close(room);
  }

  async #close(room: Room): Promise<void> {
    room.close();
    this.#onEnded(room);
    await this.#ports.store.release(room.key, room.epoch).catch((error: unknown) => {
      // It expires by itself.
      this.#ports.log.warn({ err: error, ...room.key }, 'a lease could not be given back');
    });
  }

  dispose(): void {
    for (const timer of this.#timers.values()) this.#ports.clock.clearTimeout(timer);
    this.#timers.clear();
  }
}
