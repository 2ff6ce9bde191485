/**
 * How far the starts of one organization may run ahead of its runs: few of them may be with Temporal and not have begun.
 * What waits in the outbox waits in turns with other organizations; what waits in Temporal's queues, or for a worker's
 * attention, is in everybody's way.
 */
import type { Sql } from '../db/client.ts';

/** Enough to keep a worker busy: where nothing is in its way, a run begins within some hundredths of a second. */
export const STARTS_AHEAD = 2;
/**
 * When no start at all has begun for so long, no worker is there. Then runs wait in Temporal, as long as it takes: a run
 * that waited in the outbox for 15 minutes would fail.
 */
const STANDSTILL_MS = 2_000;

/** PostgreSQL's largest integer. */
const MOST = 2 ** 31 - 1;

/** A start that takes up room; `runPk` is null as long as its run is being accepted. */
export interface Start {
  readonly organizationId: string;
  runPk: string | null;
}

export class StartRoom {
  readonly #sql: Sql;
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
    return Math.max(0, STARTS_AHEAD - (this.#starts.get(organizationId)?.size ?? 0));
  }

  get #standsStill(): boolean {
    return this.#starts.size > 0 && performance.now() - this.#movedMs > STANDSTILL_MS;
  }

  /** The organizations with less room than others, for the claim. */
  narrow(): { readonly organizationIds: readonly string[]; readonly rooms: readonly number[] } {
    const organizationIds = [...this.#starts.keys()];
    const rooms = organizationIds.map((id) => Math.min(MOST, this.roomOf(id)));
    return { organizationIds, rooms };
  }

  /** An organization has no room: what it has in the outbox may be due, and nobody will say so. */
  get isFull(): boolean {
    return [...this.#starts.keys()].some((id) => this.roomOf(id) === 0);
  }

  /** Takes room for a start, whether or not there is any. */
  take(organizationId: string, runPk: string | null): Start {
    const start: Start = { organizationId, runPk: null };
    // While nothing begins there is nothing to share out, and no need to remember thousands.
    if (this.#standsStill) return start;
    if (this.#starts.size === 0) this.#movedMs = performance.now();
    const starts = this.#starts.get(organizationId) ?? new Set();
    this.#starts.set(organizationId, starts.add(start));
    if (runPk !== null) this.name(start, runPk);
    return start;
  }

  /** Says which run a start is of. */
  name(start: Start, runPk: string): void {
    // Claimed again, after a delivery whose removal was lost.
    const before = this.#byRun.get(runPk);
    if (before !== undefined) this.leave(before);
    start.runPk = runPk;
    if (this.#starts.get(start.organizationId)?.has(start)) this.#byRun.set(runPk, start);
  }

  /** Gives the room back. */
  leave(start: Start): void {
    const starts = this.#starts.get(start.organizationId);
    starts?.delete(start);
    if (starts?.size === 0) this.#starts.delete(start.organizationId);
    if (start.runPk !== null) this.#byRun.delete(start.runPk);
  }

  /** A run has begun: gives back its room; false when it took up none here. */
  begun(runPk: string): boolean {
    const start = this.#byRun.get(runPk);
    if (start === undefined) return false;
    this.leave(start);
    this.#movedMs = performance.now();
    return true;
  }

  /** Looks which runs have begun, or ended; true when there were any. */
  async look(): Promise<boolean> {
    const runPks = [...this.#byRun.keys()];
    if (runPks.length === 0) return false;
    const rows = await this.#sql.query<{ id: string }>(
      `SELECT id FROM runs WHERE id = ANY($1::uuid[]) AND status = 'running' AND last_seq = 1`,
      [runPks],
    );
    const waiting = new Set(rows.map((row) => row.id));
    const begun = runPks.filter((runPk) => !waiting.has(runPk));
    for (const runPk of begun) this.begun(runPk);
    return begun.length > 0;
  }
}
