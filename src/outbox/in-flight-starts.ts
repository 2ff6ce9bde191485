/**
 * A cap on each organization's starts in flight: those claimed by this process whose run no worker has begun yet. Starts
 * that wait in the outbox take turns with those of other organizations; runs that wait for a worker are in everybody's way.
 */
import type { Clock } from '../clock.ts';
import type { OutboxSubject, StartCapacity } from './outbox.ts';

/**
 * Starts of one organization in flight. Measured: with 2 to 32 an organization that is alone has the same rate, with 1 a fifth
 * less; each one more delays somebody else's first node in a flood.
 */
export const MAX_IN_FLIGHT_STARTS = 4;
/** A start that nothing is heard of counts this long: there is no worker, and its run may wait in Temporal for one. A guess. */
export const MAX_IN_FLIGHT_MS = 2_000;

interface InFlightStart {
  readonly organizationId: string;
  readonly sinceMs: number;
}

export class InFlightStarts {
  readonly #clock: Clock;
  /** By run, the oldest first. */
  readonly #starts = new Map<string, InFlightStart>();
  readonly #counts = new Map<string, number>();
  /** Organizations of which the last claim took as many as it might: they may have more that nobody announces again. */
  readonly #held = new Set<string>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The runs that are in flight. */
  get runPks(): readonly string[] {
    return [...this.#starts.keys()];
  }

  /** Whether an organization may have starts that wait for capacity. */
  get isHoldingBack(): boolean {
    return this.#held.size > 0;
  }

  hasCapacity(organizationId: string): boolean {
    return this.#count(organizationId) < MAX_IN_FLIGHT_STARTS;
  }

  /** The starts that the next claim may take of each organization. */
  capacity(): StartCapacity {
    return {
      usual: MAX_IN_FLIGHT_STARTS,
      organizationIds: [...this.#counts.keys()],
      capacities: [...this.#counts.values()].map((count) => Math.max(0, MAX_IN_FLIGHT_STARTS - count)),
    };
  }

  /** Counts the starts of a claim; those anew whose claim had run out. */
  add(
    claimed: readonly Pick<OutboxSubject, 'organizationId' | 'subjectId'>[],
    capacity: StartCapacity,
  ): void {
    const left = new Map(capacity.organizationIds.map((id, at) => [id, capacity.capacities[at] ?? 0]));
    for (const { organizationId, subjectId: runPk } of claimed) {
      left.set(organizationId, (left.get(organizationId) ?? capacity.usual) - 1);
      this.remove(runPk);
      this.#starts.set(runPk, { organizationId, sinceMs: this.#clock.monotonic() });
      this.#counts.set(organizationId, this.#count(organizationId) + 1);
    }
    this.#held.clear();
    for (const [organizationId, capacityLeft] of left) if (capacityLeft <= 0) this.#held.add(organizationId);
  }

  /** Counts a start no longer. @returns whether its organization may have others that waited for that */
  remove(runPk: string): boolean {
    const start = this.#starts.get(runPk);
    if (start === undefined) return false;
    const { organizationId } = start;
    this.#starts.delete(runPk);
    const left = this.#count(organizationId) - 1;
    if (left > 0) this.#counts.set(organizationId, left);
    else this.#counts.delete(organizationId);
    return this.#held.has(organizationId);
  }

  /** Counts no longer what has been in flight for too long. @returns as `remove` does */
  expire(): boolean {
    const sinceMs = this.#clock.monotonic() - MAX_IN_FLIGHT_MS;
    let hasFreed = false;
    for (const [runPk, start] of this.#starts) {
      if (start.sinceMs > sinceMs) break;
      if (this.remove(runPk)) hasFreed = true;
    }
    return hasFreed;
  }

  #count(organizationId: string): number {
    return this.#counts.get(organizationId) ?? 0;
  }
}
