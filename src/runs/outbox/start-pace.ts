/**
 * How long an organization that floods rests between its starts while others use the service: by what others feel as well,
 * the time that its runs take to begin beyond the shortest that was seen lately. Decides from what one process sees, so
 * that each may decide alone; no database, and the clock is the caller's.
 */

/** Who has had a run this recently is using the service. */
export const ACTIVE_MS = 10_000;
/** A flood: for each start that another organization has waiting, or would have, so many wait. */
export const DEEP = 16;
/** Nobody rests whose starts have waited so long: what is not started within 15 minutes fails (contract). */
export const PATIENCE_SECONDS = 300;
/** It rests so many times as long as its run was late, and is in the way of others a twenty-fifth as much. */
export const RESTS_PER_LATE = 24;
export const LONGEST_REST_MS = 1_000;
/** The shortest time is that of the current span and of the one before. */
export const SPAN_MS = 15_000;

interface Rest {
  readonly organizationId: string;
  readonly untilMs: number;
}

interface Seen {
  lastMs: number;
  /** The starts that waited behind the last one that was claimed, and how long that one had waited. */
  behind: number;
  waitedSeconds: number;
  shortestMs: number;
  shortestBeforeMs: number;
  spanEndsMs: number;
}

export class StartPace {
  readonly #seen = new Map<string, Seen>();
  #rests: Rest[] = [];
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** An organization has a run: accepted, started or at work. */
  saw(organizationId: string): void {
    this.#of(organizationId);
  }

  /** A start was claimed: so many of its organization wait behind it, and so long has it waited itself. */
  claimed(organizationId: string, behind: number, waitedSeconds: number): void {
    Object.assign(this.#of(organizationId), { behind, waitedSeconds });
  }

  /** One of its runs has begun, so long after its delivery began: if it floods, another start has to wait a while. */
  began(organizationId: string, tookMs: number): void {
    const seen = this.#of(organizationId);
    const now = this.#now();
    if (now >= seen.spanEndsMs) {
      seen.shortestBeforeMs = seen.shortestMs;
      seen.shortestMs = tookMs;
      seen.spanEndsMs = now + SPAN_MS;
    }
    seen.shortestMs = Math.min(seen.shortestMs, tookMs);
    if (!this.#floods(organizationId, seen)) return;
    const lateMs = tookMs - Math.min(seen.shortestMs, seen.shortestBeforeMs);
    this.#rests.push({ organizationId, untilMs: now + Math.min(LONGEST_REST_MS, RESTS_PER_LATE * lateMs) });
  }

  /** The organization of each start that has to wait until somebody has rested. */
  resting(): string[] {
    const now = this.#now();
    this.#rests = this.#rests.filter(({ untilMs }) => untilMs > now);
    return this.#rests.map(({ organizationId }) => organizationId);
  }

  /** How long until the next one has rested; infinite when nobody rests. */
  restsForMs(): number {
    const now = this.#now();
    const ends = this.#rests.map(({ untilMs }) => untilMs).filter((untilMs) => untilMs > now);
    return Math.min(...ends) - now;
  }

  #floods(organizationId: string, { behind, waitedSeconds }: Seen): boolean {
    if (behind < DEEP || waitedSeconds > PATIENCE_SECONDS) return false;
    const activeSinceMs = this.#now() - ACTIVE_MS;
    for (const [otherId, other] of this.#seen) {
      if (otherId === organizationId || other.lastMs < activeSinceMs) continue;
      if (behind >= DEEP * Math.max(1, other.behind)) return true;
    }
    return false;
  }

  #of(organizationId: string): Seen {
    const now = this.#now();
    const known = this.#seen.get(organizationId);
    if (known !== undefined) {
      known.lastMs = now;
      return known;
    }
    for (const [otherId, { lastMs }] of this.#seen) {
      if (lastMs < now - ACTIVE_MS) this.#seen.delete(otherId);
    }
    const seen: Seen = {
      lastMs: now,
      behind: 0,
      waitedSeconds: 0,
      shortestMs: Infinity,
      shortestBeforeMs: Infinity,
      spanEndsMs: now + SPAN_MS,
    };
    this.#seen.set(organizationId, seen);
    return seen;
  }
}
