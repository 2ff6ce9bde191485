/**
 * Keeps this process the owner of its rooms: renews all leases in one statement, closes rooms whose lease is lost and purges
 * old log rows. In a cluster it fences the rooms before a lease can expire, measured by this machine's monotonic clock.
 */
import { systemClock } from '../../../base/clock.ts';
import type { Sql } from '../../../base/db/client.ts';
import type { Logger } from '../../../base/log.ts';
import type { RoomApi } from '../room/room-api.ts';
import type { PgRoomStore } from '../store/room-store.ts';

const RENEW_MS = 5_000;
/** Leases last 15 s from a renewal; the remaining 3 s cover clock drift and work in progress. */
const FENCE_AFTER_MS = 12_000;
const CHECK_MS = 500;
const PURGE_MS = 60_000;

interface LeaseRenewalDeps {
  readonly rooms: RoomApi;
  readonly store: PgRoomStore;
  readonly db: Sql;
  readonly log: Logger;
  /** Whether another process may claim a room whose lease has expired. */
  readonly isCluster: boolean;
}

export class LeaseRenewal {
  readonly #deps: LeaseRenewalDeps;
  readonly #timers: readonly NodeJS.Timeout[];
  /** Monotonic time at which the last successful renewal was sent. */
  #renewedAt = systemClock.monotonic();
  #isLate = false;
  #isRenewing = false;

  constructor(deps: LeaseRenewalDeps) {
    this.#deps = deps;
    const every = (ms: number, work: () => void): NodeJS.Timeout => setInterval(work, ms).unref();
    this.#timers = [
      every(RENEW_MS, () => void this.#renew()),
      every(PURGE_MS, () => void this.#purge()),
      ...(deps.isCluster ? [every(CHECK_MS, () => this.#checkLateness())] : []),
    ];
    this.#noteRenewed(this.#renewedAt);
  }

  dispose(): void {
    for (const timer of this.#timers) clearInterval(timer);
  }

  /** Logs that the rooms are fenced, and renews without waiting for the next interval. */
  #checkLateness(): void {
    if (this.#isLate || systemClock.monotonic() - this.#renewedAt < FENCE_AFTER_MS) return;
    this.#isLate = true;
    this.#deps.log.warn({}, 'leases were not renewed in time: rooms reject operations');
    void this.#renew();
  }

  #noteRenewed(at: number): void {
    this.#renewedAt = at;
    if (this.#deps.isCluster) this.#deps.rooms.fenceFrom(at + FENCE_AFTER_MS);
    if (this.#isLate) this.#deps.log.warn({}, 'leases are renewed: rooms accept operations again');
    this.#isLate = false;
  }

  async #renew(): Promise<void> {
    if (this.#isRenewing) return;
    this.#isRenewing = true;
    const { rooms, store, log } = this.#deps;
    const sentAt = systemClock.monotonic();
    try {
      const live = rooms.listLive();
      const lost = live.length === 0 ? [] : await store.renew(live);
      if (lost.length > 0) await this.#closeLost(lost.map((room) => room.workflowId));
      this.#noteRenewed(sentAt);
    } catch (error) {
      log.warn({ err: error }, 'the leases of rooms could not be renewed');
    } finally {
      this.#isRenewing = false;
    }
  }

  /** Closes rooms whose lease is lost: the workflow was deleted, or another process claimed it. */
  async #closeLost(workflowIds: readonly string[]): Promise<void> {
    const rows = await this.#deps.db.query<{ id: string }>(
      'SELECT id FROM workflows WHERE id = ANY($1::uuid[])',
      [workflowIds],
    );
    const existing = new Set(rows.map((row) => row.id));
    for (const room of this.#deps.rooms.listLive()) {
      if (!workflowIds.includes(room.workflowId)) continue;
      this.#deps.log.warn({ workflow_id: room.workflowId }, 'the lease of a room was lost');
      if (existing.has(room.workflowId)) this.#deps.rooms.handleMoved(room);
      else this.#deps.rooms.handleDeleted(room);
    }
  }

  async #purge(): Promise<void> {
    await this.#deps.store.purge().catch((error: unknown) => {
      this.#deps.log.warn({ err: error }, 'old operations could not be removed from the log');
    });
  }
}
