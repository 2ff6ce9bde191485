/**
 * Stores rooms in PostgreSQL over connections of its own, so that saves never queue behind requests. The log does not wait for
 * the disk: operations lost in a database crash are still in their authors' outboxes.
 */
import { openOwnPool, type OwnPool } from '../../../base/db/client.ts';
import type { LiveRoom } from '../room/room-api.ts';
import type {
  LoadResult,
  RoomKey,
  RoomStore,
  SaveRequest,
  SaveResult,
  SavedRange,
  WalRow,
} from '../room/ports.ts';
import { answerFlush, renewLeases, releaseLease } from './leases.ts';
import { loadRoom } from './load.ts';
import { appendOps, purgeOps, markOpsSaved } from './log.ts';
import type { NodeIdentity } from './node.ts';
import { readExternal, saveRoom } from './save.ts';

const STATEMENT_TIMEOUT_MS = 5_000;
const LOCK_TIMEOUT_MS = 2_000;
const SAVE_CONNECTIONS = 4;

/** Observes the store. */
export interface StoreMeters {
  /** Called after rows were written to the log. */
  logged(rows: number): void;
  /** Runs one save; returns or throws what it does. */
  save(request: SaveRequest, work: () => Promise<SaveResult>): Promise<SaveResult>;
}

const UNMETERED: StoreMeters = { logged: () => undefined, save: (_request, work) => work() };

export class PgRoomStore implements RoomStore {
  readonly #node: NodeIdentity;
  readonly #meters: StoreMeters;
  readonly #saves: OwnPool;
  readonly #log: OwnPool;
  /** Renewals must not queue behind saves that wait for locks: without them the process loses all rooms. */
  readonly #leases: OwnPool;

  constructor(databaseUrl: string, node: NodeIdentity, meters: StoreMeters = UNMETERED) {
    this.#node = node;
    this.#meters = meters;
    const timeouts = { statementTimeoutMs: STATEMENT_TIMEOUT_MS, lockTimeoutMs: LOCK_TIMEOUT_MS };
    const open = (name: string, max: number, awaitsDisk = true): OwnPool =>
      openOwnPool(databaseUrl, { ...timeouts, name: `workflow-automation-service ${name}`, max, awaitsDisk });
    this.#saves = open('rooms', SAVE_CONNECTIONS);
    this.#log = open('room log', 1, false);
    this.#leases = open('room leases', 1);
  }

  load(key: RoomKey): Promise<LoadResult> {
    return loadRoom(this.#saves, key, this.#node);
  }

  save(request: SaveRequest): Promise<SaveResult> {
    return this.#meters.save(request, () => saveRoom(this.#saves, request));
  }

  async appendOps(rows: readonly WalRow[]): Promise<void> {
    await appendOps(this.#log, rows);
    this.#meters.logged(rows.length);
  }

  markOpsSaved(key: RoomKey, settled: SavedRange): Promise<void> {
    return markOpsSaved(this.#saves, key.workflowId, settled);
  }

  readExternal(key: RoomKey, sinceEditVersion: number): ReturnType<RoomStore['readExternal']> {
    return readExternal(this.#saves, key, sinceEditVersion);
  }

  release(key: RoomKey, epoch: bigint): Promise<void> {
    return releaseLease(this.#leases, key, epoch);
  }

  /** Renews the leases of `rooms`. @returns the rooms whose lease is lost */
  renew(rooms: readonly LiveRoom[]): Promise<readonly LiveRoom[]> {
    return renewLeases(this.#leases, rooms);
  }

  /** Records that the flush request numbered `request` is done. */
  answerFlush(workflowId: string, request: number): Promise<void> {
    return answerFlush(this.#leases, workflowId, request);
  }

  purge(): Promise<number> {
    return purgeOps(this.#log);
  }

  async close(): Promise<void> {
    await Promise.all([this.#saves.close(), this.#log.close(), this.#leases.close()]);
  }
}
