/**
 * How far the starts of one organization may run ahead of its runs: few of them may be with Temporal and not have begun.
 * What waits in the outbox waits in turns with other organizations; what waits in Temporal's queues, or for a worker's
 * attention, is in everybody's way.
 */
import type { Sql } from '../../db/client.ts';
import type { OutboxEntry } from './outbox.ts';
import { StartPace } from './start-pace.ts';

/** Enough to keep a worker busy: where nothing is in its way, a run begins within some hundredths of a second. */
export const STARTS_AHEAD = 4;
/**
 * When no start at all has begun for so long, no worker is there. Then runs wait in Temporal, as long as it takes: a run
 * that waited in the outbox for 15 minutes would fail.
 */
const STANDSTILL_MS = 2_000;

/** PostgreSQL's largest integer. */
const MOST = 2 ** 31 - 1;

/** A start that takes up room. */
export interface Start {
  readonly organizationId: string;
  readonly runPk: string;
  /** When its delivery began. */
  readonly sinceMs: number;
  /** Temporal has it. */
  isDelivered: boolean;
  /** When its run has begun, before it was delivered (whoever starts a run may do its first advance); else null. */
  begunMs: number | null;
}

export class StartRoom {
  readonly #sql: Sql;
  readonly #pace = new StartPace(() => performance.now());
  readonly #starts = new Map<string, Set<Start>>();
  readonly #byRun = new Map<string, Start>();
  /** When a run has begun last, or there was none to begin. */
  #movedMs = 0;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  /** How many starts an organization has room for. */
  roomOf(organizationId: string): number {
    if (this.#standsStill) return Infinity;
    const resting = this.#pace.resting().filter((restingId) => restingId === organizationId).length;
    return Math.max(0, STARTS_AHEAD - (this.#starts.get(organizationId)?.size ?? 0) - resting);
  }

  get #standsStill(): boolean {
    return this.#starts.size > 0 && performance.now() - this.#movedMs > STANDSTILL_MS;
  }

  /** Those who have less room than others. */
  get #narrowed(): string[] {
    return [...new Set([...this.#starts.keys(), ...this.#pace.resting()])];
  }

  /** The organizations with less room than others, for the claim. */
  narrow(): { readonly organizationIds: readonly string[]; readonly rooms: readonly number[] } {
    const organizationIds = this.#narrowed;
    const rooms = organizationIds.map((id) => Math.min(MOST, this.roomOf(id)));
    return { organizationIds, rooms };
  }

  /** The organizations without room: what they have in the outbox may be due, and nobody will say so. */
  full(): string[] {
    return this.#narrowed.filter((id) => this.roomOf(id) === 0);
  }

  /** How long until an organization has rested, and has more room; infinite when none rests. */
  get restsForMs(): number {
    return this.#pace.restsForMs();
  }

  /** An organization has a run. */
  saw(organizationId: string): void {
    this.#pace.saw(organizationId);
  }

  /** Takes room for a start that was claimed. */
  claim({ run, runPk, behind, ageSeconds }: OutboxEntry): Start {
    this.#pace.claimed(run.organizationId, behind, ageSeconds);
    return this.take(run.organizationId, runPk);
  }

  /** Takes room for a start that is about to be delivered, whether or not there is any. */
  take(organizationId: string, runPk: string): Start {
    const now = performance.now();
    const start: Start = { organizationId, runPk, sinceMs: now, isDelivered: false, begunMs: null };
    // While nothing begins there is nothing to share out, and no need to remember thousands.
    if (this.#standsStill) return start;
    // Claimed again, after a delivery whose removal was lost.
    const before = this.#byRun.get(runPk);
    if (before !== undefined) this.leave(before);
    if (this.#starts.size === 0) this.#movedMs = now;
    const starts = this.#starts.get(organizationId) ?? new Set();
    this.#starts.set(organizationId, starts.add(start));
    this.#byRun.set(runPk, start);
    return start;
  }

  /** Gives the room back. */
  leave(start: Start): void {
    const starts = this.#starts.get(start.organizationId);
    starts?.delete(start);
    if (starts?.size === 0) this.#starts.delete(start.organizationId);
    if (this.#byRun.get(start.runPk) === start) this.#byRun.delete(start.runPk);
  }

  /** A run has begun, so long ago: gives back its room once it is delivered, too; false when it took up none here. */
  begun(runPk: string, agoMs = 0): boolean {
    const start = this.#byRun.get(runPk);
    if (start === undefined) return false;
    this.#byRun.delete(runPk);
    this.#movedMs = performance.now();
    start.begunMs = this.#movedMs - agoMs;
    if (start.isDelivered) this.#end(start, start.begunMs);
    return true;
  }

  /** A start is with Temporal: gives back its room if its run has begun; false when it has not. */
  delivered(start: Start): boolean {
    start.isDelivered = true;
    if (start.begunMs === null) return false;
    this.#end(start, performance.now());
    return true;
  }

  #end(start: Start, endMs: number): void {
    this.leave(start);
    this.#pace.began(start.organizationId, Math.max(0, endMs - start.sinceMs));
  }

  /** Looks which runs have begun, or ended. */
  async look(): Promise<void> {
    const runPks = [...this.#byRun.keys()];
    if (runPks.length === 0) return;
    const begun = await this.#sql.query<{ run_pk: string; ago_ms: number | null }>(
      `SELECT asked.run_pk, extract(epoch FROM clock_timestamp() - e.created_at)::float8 * 1000 AS ago_ms
       FROM unnest($1::uuid[]) AS asked (run_pk) LEFT JOIN runs r ON r.id = asked.run_pk
       LEFT JOIN run_events e ON e.run_pk = r.id AND e.seq = 2
       WHERE r.id IS NULL OR r.status <> 'running' OR r.last_seq > 1`,
      [runPks],
    );
    for (const { run_pk: runPk, ago_ms: agoMs } of begun) this.begun(runPk, agoMs ?? 0);
  }
}
