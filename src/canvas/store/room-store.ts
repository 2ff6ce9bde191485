/**
 * Where rooms persist: PostgreSQL, through connections of their own, so that saves never wait behind requests. The log
 * has one to itself and does not wait for the disk: what it may lose in a crash of the server, its authors still hold.
 */
import { openOwnPool, type OwnPool } from '../../db/client.ts';
import type { LiveRoom } from '../room/room-api.ts';
import type {
  LoadResult,
  RoomKey,
  RoomStore,
  SaveRequest,
  SaveResult,
  SettledOps,
  WalRow,
} from '../room/ports.ts';
import { answerFlush, renewLeases, releaseLease } from './leases.ts';
import { loadRoom } from './load.ts';
import { appendOps, purgeOps, settleOps } from './log.ts';
import type { NodeIdentity } from './node.ts';
import { readExternal, saveRoom } from './save.ts';

const STATEMENT_TIMEOUT_MS = 5_000;
const LOCK_TIMEOUT_MS = 2_000;
const SAVE_CONNECTIONS = 4;

/** Looks on at what the store does. */
export interface StoreMeters {
  /** Rows that were written to the log. */
  logged(rows: number): void;
  /** Runs one save, and returns or throws what it does. */
  save(request: SaveRequest, work: () => Promise<SaveResult>): Promise<SaveResult>;
}

const UNMETERED: StoreMeters = { logged: () => undefined, save: (_request, work) => work() };

export class PgRoomStore implements RoomStore {
  readonly #node: NodeIdentity;
  readonly #meters: StoreMeters;
  readonly #saves: OwnPool;
  readonly #log: OwnPool;
  /** Renewals must not queue behind saves that wait for locks: who misses them loses every room. */
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

  settleOps(key: RoomKey, settled: SettledOps): Promise<void> {
    return settleOps(this.#saves, key.workflowId, settled);
  }

  readExternal(key: RoomKey, sinceEditVersion: number): ReturnType<RoomStore['readExternal']> {
    return readExternal(this.#saves, key, sinceEditVersion);
  }

  release(key: RoomKey, epoch: bigint): Promise<void> {
    return releaseLease(this.#leases, key, epoch);
  }

  /** Renews the leases of `rooms`. @returns those that are another node's by now */
  renew(rooms: readonly LiveRoom[]): Promise<readonly LiveRoom[]> {
    return renewLeases(this.#leases, rooms);
  }

  /** Tells who asked for the save numbered `asked` that it was made. */
  answerFlush(workflowId: string, asked: number): Promise<void> {
    return answerFlush(this.#leases, workflowId, asked);
  }

  purge(): Promise<number> {
    return purgeOps(this.#log);
  }

  async close(): Promise<void> {
    await Promise.all([this.#saves.close(), this.#log.close(), this.#leases.close()]);
  }
}
