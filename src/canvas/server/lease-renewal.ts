/**
 * Keeps this process the owner of its rooms: renews all their leases at once, gives up rooms that are another's by now,
 * and forgets old log rows. In a cluster it also stops to acknowledge when it cannot renew any more, before a lease can
 * have ended; how long ago that was is measured by this machine's monotonic clock, never by comparing two clocks.
 */
import type { Sql } from '../../db/client.ts';
import type { Logger } from '../../log.ts';
import type { RoomApi } from '../room/room-api.ts';
import type { PgRoomStore } from '../store/room-store.ts';

const RENEW_MS = 5_000;
/** Leases last 15 s from a renewal; the rest is for clocks that tick and for work that is under way. */
const FENCE_AFTER_MS = 12_000;
const LOOK_MS = 500;
const PURGE_MS = 60_000;

export interface LeaseRenewalDeps {
  readonly rooms: RoomApi;
  readonly store: PgRoomStore;
  readonly db: Sql;
  readonly log: Logger;
  /** Another process may claim a room whose lease has ended. */
  readonly isCluster: boolean;
}

export class LeaseRenewal {
  readonly #deps: LeaseRenewalDeps;
  readonly #timers: readonly NodeJS.Timeout[];
  /** When the last renewal that succeeded was sent. */
  #renewedAt = performance.now();
  #isLate = false;
  #isRenewing = false;

  constructor(deps: LeaseRenewalDeps) {
    this.#deps = deps;
    const every = (ms: number, work: () => void): NodeJS.Timeout => setInterval(work, ms).unref();
    this.#timers = [
      every(RENEW_MS, () => void this.#renew()),
      every(PURGE_MS, () => void this.#purge()),
      ...(deps.isCluster ? [every(LOOK_MS, () => this.#look())] : []),
    ];
    this.#noteRenewed(this.#renewedAt);
  }

  dispose(): void {
    for (const timer of this.#timers) clearInterval(timer);
  }

  /** The rooms know by themselves when they are fenced; this tells the log, and renews at once. */
  #look(): void {
    if (this.#isLate || performance.now() - this.#renewedAt < FENCE_AFTER_MS) return;
    this.#isLate = true;
    this.#deps.log.warn({}, 'leases are not renewed in time: rooms stop to acknowledge');
    void this.#renew();
  }

  #noteRenewed(at: number): void {
    this.#renewedAt = at;
    if (this.#deps.isCluster) this.#deps.rooms.fenceFrom(at + FENCE_AFTER_MS);
    if (this.#isLate) this.#deps.log.warn({}, 'leases are renewed: rooms go on to acknowledge');
    this.#isLate = false;
  }

  async #renew(): Promise<void> {
    if (this.#isRenewing) return;
    this.#isRenewing = true;
    const { rooms, store, log } = this.#deps;
    const sentAt = performance.now();
    try {
      const live = rooms.live();
      const lost = live.length === 0 ? [] : await store.renew(live);
      if (lost.length > 0) await this.#giveUp(lost.map((room) => room.workflowId));
      this.#noteRenewed(sentAt);
    } catch (error) {
      log.warn({ err: error }, 'the leases of rooms could not be renewed');
    } finally {
      this.#isRenewing = false;
    }
  }

  /** A lease goes with its workflow, or to another process. Rooms that were closed meanwhile are none of these. */
  async #giveUp(workflowIds: readonly string[]): Promise<void> {
    const rows = await this.#deps.db.query<{ id: string }>(
      'SELECT id FROM workflows WHERE id = ANY($1::uuid[])',
      [workflowIds],
    );
    const existing = new Set(rows.map((row) => row.id));
    for (const room of this.#deps.rooms.live()) {
      if (!workflowIds.includes(room.workflowId)) continue;
      this.#deps.log.warn({ workflow_id: room.workflowId }, 'the lease of a room is lost');
      if (existing.has(room.workflowId)) this.#deps.rooms.moved(room);
      else this.#deps.rooms.deleted(room);
    }
  }

  async #purge(): Promise<void> {
    await this.#deps.store.purge().catch((error: unknown) => {
      this.#deps.log.warn({ err: error }, 'old operations could not be removed from the log');
    });
  }
}
