/**
 * Turns of an organization at having runs accepted that need a transaction each (a thread that goes on, an idempotency
 * key). Accepting locks its account, so one of its runs is accepted after the other; those that wait do so here, and not
 * in the connections to PostgreSQL that everybody shares.
 */

/** Fewer than half of the pool's connections (db/client.ts), and more than the event loop keeps busy. */
export const AT_ONCE = 8;

interface Lane {
  underWay: number;
  readonly waiting: (() => void)[];
}

export class AcceptTurns {
  readonly #lanes = new Map<string, Lane>();

  /** Does `work` when it is its turn: first come, first served within an organization. Returns or throws what it does. */
  async take<T>(organizationId: string, work: () => Promise<T>): Promise<T> {
    const lane = this.#lanes.get(organizationId) ?? { underWay: 0, waiting: [] };
    this.#lanes.set(organizationId, lane);
    if (lane.underWay < AT_ONCE) lane.underWay += 1;
    else await new Promise<void>((resolve) => lane.waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = lane.waiting.shift();
      // Who waited takes over the place.
      if (next !== undefined) next();
      else {
        lane.underWay -= 1;
        if (lane.underWay === 0) this.#lanes.delete(organizationId);
      }
    }
  }
}
