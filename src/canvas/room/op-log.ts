/**
 * Accepted operations on their way to the log in the database: one write for all rooms of the process, every 100 ms.
 * It narrows what a crash can take; while the database is away clients' own outboxes have to do.
 */
import type { Timer } from '../../clock.ts';
import type { Clock, RoomLog, RoomStore, WalRow } from './ports.ts';

/** What a crash of this process can lose of people whose tabs are gone too (SPEC CAN-R27). */
const INTERVAL_MS = 100;
const RETRY_MS = 1_000;
const MAX_ROWS = 2_000;
/** Beyond this the oldest rows are given up: the rooms still have them, and refuse more. */
const MAX_QUEUED = 50_000;

const roomOf = (row: Pick<WalRow, 'workflowId' | 'epoch'>): string => `${row.workflowId} ${row.epoch}`;

export class OpLog {
  readonly #ports: { readonly store: RoomStore; readonly clock: Clock; readonly log: RoomLog };
  #queue: WalRow[] = [];
  #timer: Timer | null = null;
  #writing: { readonly rooms: ReadonlySet<string>; readonly done: Promise<void> } | null = null;
  /** Rooms that are being saved: a row written beside its own save would look unsaved for ever. */
  readonly #held = new Set<string>();
  #isDisposed = false;

  constructor(ports: { readonly store: RoomStore; readonly clock: Clock; readonly log: RoomLog }) {
    this.#ports = ports;
  }

  push(row: WalRow): void {
    this.#queue.push(row);
    if (this.#queue.length > MAX_QUEUED) this.#queue.splice(0, this.#queue.length - MAX_QUEUED);
    this.#arm(INTERVAL_MS);
  }

  /** Keeps a room's rows back until `resume`, after those that are being written. */
  async hold(room: Pick<WalRow, 'workflowId' | 'epoch'>): Promise<void> {
    this.#held.add(roomOf(room));
    if (this.#writing?.rooms.has(roomOf(room)) === true) await this.#writing.done;
  }

  resume(room: Pick<WalRow, 'workflowId' | 'epoch'>): void {
    this.#held.delete(roomOf(room));
    if (this.#queue.length > 0) this.#arm(INTERVAL_MS);
  }

  /** Rows that a save covered before they were written: they only answer repetitions from now on. */
  markSaved(room: Pick<WalRow, 'workflowId' | 'epoch'>, through: number, savedIn: number): void {
    this.#queue = this.#queue.map((row) =>
      roomOf(row) === roomOf(room) && row.version <= through ? { ...row, savedIn } : row,
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
    const isFree = (row: WalRow): boolean => !this.#held.has(roomOf(row));
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
    this.#writing = { rooms: new Set(rows.map(roomOf)), done };
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
