/**
 * Writes accepted operations to the write-ahead log in the database: one statement for all rooms of the process, every
 * 100 ms. A crash loses at most the last interval, which clients that are still open send again from their outboxes.
 */
import type { Timer } from '../../../base/clock.ts';
import type { Clock, RoomLog, RoomStore, WalRow } from './ports.ts';

/** Bounds what a crash of this process loses of clients that are closed too (SPEC CAN-R27). */
const INTERVAL_MS = 100;
const RETRY_MS = 1_000;
const MAX_ROWS = 2_000;
/** Beyond this the oldest rows are dropped: the rooms still hold them, and reject further operations. */
const MAX_QUEUED = 50_000;

const toRoomKey = (row: Pick<WalRow, 'workflowId' | 'epoch'>): string => `${row.workflowId} ${row.epoch}`;

export class OpLog {
  readonly #ports: { readonly store: RoomStore; readonly clock: Clock; readonly log: RoomLog };
  #queue: WalRow[] = [];
  #timer: Timer | null = null;
  #writing: { readonly rooms: ReadonlySet<string>; readonly done: Promise<void> } | null = null;
  /** Rooms that are being saved: a row written during the save that contains it would look unsaved for ever. */
  readonly #paused = new Set<string>();
  #isDisposed = false;

  constructor(ports: { readonly store: RoomStore; readonly clock: Clock; readonly log: RoomLog }) {
    this.#ports = ports;
  }

  push(row: WalRow): void {
    this.#queue.push(row);
    if (this.#queue.length > MAX_QUEUED) this.#queue.splice(0, this.#queue.length - MAX_QUEUED);
    this.#arm(INTERVAL_MS);
  }

  /** Stops writing a room's rows until `resume`. @returns after the current write of its rows */
  async pause(room: Pick<WalRow, 'workflowId' | 'epoch'>): Promise<void> {
    this.#paused.add(toRoomKey(room));
    if (this.#writing?.rooms.has(toRoomKey(room)) === true) await this.#writing.done;
  }

  resume(room: Pick<WalRow, 'workflowId' | 'epoch'>): void {
    this.#paused.delete(toRoomKey(room));
    if (this.#queue.length > 0) this.#arm(INTERVAL_MS);
  }

  /** Marks queued rows that a save contains: once written they only answer duplicates. */
  markSaved(room: Pick<WalRow, 'workflowId' | 'epoch'>, through: number, savedIn: number): void {
    this.#queue = this.#queue.map((row) =>
      toRoomKey(row) === toRoomKey(room) && row.version <= through ? { ...row, savedIn } : row,
    );
  }

  #arm(ms: number): void {
    if (this.#timer !== null || this.#writing !== null || this.#isDisposed) return;
    this.#timer = this.#ports.clock.setTimeout(() => {
      this.#timer = null;
      void this.#write();
    }, ms);
  }

  async #write(): Promise<void> {
    const isFree = (row: WalRow): boolean => !this.#paused.has(toRoomKey(row));
    const rows = this.#queue.filter(isFree).slice(0, MAX_ROWS);
    if (rows.length === 0) return;
    const taken = new Set(rows);
    this.#queue = this.#queue.filter((row) => !taken.has(row));
    let wait = INTERVAL_MS;
    const done = this.#ports.store.appendOps(rows).catch((error: unknown) => {
      this.#ports.log.warn({ err: error, rows: rows.length }, 'operations could not be logged');
      this.#queue = [...rows, ...this.#queue];
      wait = RETRY_MS;
    });
    this.#writing = { rooms: new Set(rows.map(toRoomKey)), done };
    await done;
    this.#writing = null;
    if (this.#queue.some(isFree)) this.#arm(wait);
  }

  dispose(): void {
    this.#isDisposed = true;
    if (this.#timer !== null) this.#ports.clock.clearTimeout(this.#timer);
    this.#timer = null;
    this.#queue = [];
  }
}
