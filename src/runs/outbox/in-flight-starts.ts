/**
 * A cap on each organization's starts in flight: those told to Temporal whose run has no event of its execution yet. What
 * waits in the outbox takes turns with other organizations; what waits in Temporal's queues or for a worker is in
 * everybody's way.
 */
import type { Sql } from '../../db/client.ts';
import type { ClaimRoom } from './outbox.ts';

/** While organizations share the service: for each process that delivers. */
export const SHARED_CAP = 4;
/**
 * For one of them that has a backlog. In a flood of 600 runs the first node of somebody else came after 195 ms (p95) with 1,
 * after 310 to 380 with 2, and 520 to 980 with 4; idle it takes 75. Five that are busy together without a backlog would lose
 * a fifth of their rate with 1 (two cores).
 */
export const BACKLOG_CAP = 1;
/** More starts due are a backlog: half of what a dispatcher delivers concurrently. With all of it others wait a fifth longer. */
export const BACKLOG = 16;
/** For an organization that is alone: as many as a dispatcher delivers concurrently, so that it does not feel the cap. */
export const LONE_CAP = 32;
/** An organization that had a run this recently uses the service. A guess. */
const ACTIVE_MS = 10_000;
/**
 * Each time that nothing has begun for so long, the cap rises by `LONE_CAP`: without a worker a run may wait in Temporal
 * for any time, but fails after 15 minutes in the outbox. Lifting it at once would let a flood through on a machine that
 * is only slow.
 */
export const STANDSTILL_MS = 2_000;

interface User {
  readonly seenMs: number;
  readonly hasBacklog: boolean;
}

interface Start {
  readonly organizationId: string;
  isDelivered: boolean;
  hasBegun: boolean;
}

export class InFlightStarts {
  readonly #sql: Sql;
  readonly #starts = new Map<string, Start>();
  readonly #counts = new Map<string, number>();
  /** Organizations that had a run a short while ago; who had none for the longest time first. */
  readonly #users = new Map<string, User>();
  /** When a run has begun last, or there was none to begin. */
  #movedMs = 0;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  /** Notes that an organization has a run: accepted, started or at work. */
  saw(organizationId: string): void {
    this.#sees(organizationId, this.#users.get(organizationId)?.hasBacklog ?? false);
  }

  /**
   * Counts a start that is about to be delivered, whether or not there is room.
   * @param due how many starts of the organization were due, this one among them
   */
  add(organizationId: string, runPk: string, due = 1): void {
    this.#sees(organizationId, due > BACKLOG);
    // Its entry was claimed again, after a delivery whose removal was lost.
    this.remove(runPk);
    if (this.#starts.size === 0) this.#movedMs = performance.now();
    this.#starts.set(runPk, { organizationId, isDelivered: false, hasBegun: false });
    this.#counts.set(organizationId, this.#countOf(organizationId) + 1);
  }

  /** Forgets a start that was not made. */
  remove(runPk: string): void {
    const start = this.#starts.get(runPk);
    if (start === undefined) return;
    this.#starts.delete(runPk);
    const left = this.#countOf(start.organizationId) - 1;
    if (left > 0) this.#counts.set(start.organizationId, left);
    else this.#counts.delete(start.organizationId);
  }

  /** Notes that Temporal has a start. @returns whether an organization at its cap has room again */
  delivered(runPk: string): boolean {
    const start = this.#starts.get(runPk);
    if (start === undefined) return false;
    start.isDelivered = true;
    return this.#removeIfOver(runPk, start);
  }

  /** Notes that a run has events, or has ended. @returns whether an organization at its cap has room again */
  begun(runPk: string): boolean {
    const start = this.#starts.get(runPk);
    if (start === undefined || start.hasBegun) return false;
    start.hasBegun = true;
    this.#movedMs = performance.now();
    return this.#removeIfOver(runPk, start);
  }

  /** Notes that a run has begun and waits for calls: it is in nobody's way. @returns as `begun` does */
  calls(runPk: string): boolean {
    const start = this.#starts.get(runPk);
    if (start === undefined) return false;
    start.isDelivered = true;
    start.hasBegun = true;
    this.#movedMs = performance.now();
    return this.#removeIfOver(runPk, start);
  }

  hasRoom(organizationId: string): boolean {
    return this.#countOf(organizationId) < this.#capOf(organizationId);
  }

  /** Whether an organization is at its cap: it may have starts due that nobody announces again. */
  get isFull(): boolean {
    return [...this.#counts.keys()].some((organizationId) => !this.hasRoom(organizationId));
  }

  /** The starts that the next claim may take of each organization. */
  room(): ClaimRoom {
    const usual = this.#capOf(null);
    const late = [...this.#users].filter(([, { hasBacklog }]) => hasBacklog);
    const organizationIds = [...new Set([...this.#counts.keys(), ...late.map(([id]) => id)])];
    return {
      usual,
      organizationIds,
      rooms: organizationIds.map((id) => Math.max(0, this.#capOf(id) - this.#countOf(id))),
    };
  }

  /** Reads which runs have begun or ended without word of it. @returns whether one at its cap has room again */
  async look(): Promise<boolean> {
    const waiting = [...this.#starts].filter(([, { hasBegun }]) => !hasBegun).map(([runPk]) => runPk);
    if (waiting.length === 0) return false;
    const rows = await this.#sql.query<{ run_pk: string }>(
      `SELECT asked.run_pk FROM unnest($1::uuid[]) AS asked (run_pk) LEFT JOIN runs r ON r.id = asked.run_pk
       WHERE r.id IS NULL OR r.status <> 'running' OR r.last_seq > 1`,
      [waiting],
    );
    return rows.filter((row) => this.begun(row.run_pk)).length > 0;
  }

  #removeIfOver(runPk: string, { organizationId, isDelivered, hasBegun }: Start): boolean {
    if (!isDelivered || !hasBegun) return false;
    const wasFull = !this.hasRoom(organizationId);
    this.remove(runPk);
    return wasFull && this.hasRoom(organizationId);
  }

  #countOf(organizationId: string): number {
    return this.#counts.get(organizationId) ?? 0;
  }

  #sees(organizationId: string, hasBacklog: boolean): void {
    this.#users.delete(organizationId);
    this.#users.set(organizationId, { seenMs: performance.now(), hasBacklog });
  }

  /** The cap of an organization; null: of one that nothing is known of. Forgets who has not used the service lately. */
  #capOf(organizationId: string | null): number {
    const nowMs = performance.now();
    const sinceMs = nowMs - ACTIVE_MS;
    for (const [userId, { seenMs }] of this.#users) {
      if (seenMs >= sinceMs) break;
      this.#users.delete(userId);
    }
    const hasBacklog = organizationId !== null && this.#users.get(organizationId)?.hasBacklog === true;
    const shared = hasBacklog ? BACKLOG_CAP : SHARED_CAP;
    const usual = this.#users.size > 1 ? shared : LONE_CAP;
    if (this.#starts.size === 0) return usual;
    return usual + LONE_CAP * Math.floor((nowMs - this.#movedMs) / STANDSTILL_MS);
  }
}
