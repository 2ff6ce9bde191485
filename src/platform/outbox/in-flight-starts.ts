/**
 * Caps each organization's starts in flight: claimed by this process, and not yet started by a worker. Starts in the outbox take
 * turns between organizations, while runs that wait in Temporal's queue delay all of them.
 */
import type { Clock } from '../../base/clock.ts';
import type { OutboxSubject, StartCapacity } from './outbox.ts';

/**
 * Starts in flight per organization. Measured: a single organization has the same rate with 2 to 32 and a fifth less with 1;
 * under load, each additional start delays the first nodes of other organizations.
 */
export const MAX_IN_FLIGHT_STARTS = 4;
/** A start without any sign of a worker counts for this long; its run then waits in Temporal. A guess. */
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
  /** Organizations whose last claim reached the cap: they may have more starts, for which no notice comes. */
  readonly #held = new Set<string>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The runs that are in flight. */
  get runPks(): readonly string[] {
    return [...this.#starts.keys()];
  }

  /** True while an organization may have starts that wait for capacity. */
  get isHoldingBack(): boolean {
    return this.#held.size > 0;
  }

  hasCapacity(organizationId: string): boolean {
    return this.#count(organizationId) < MAX_IN_FLIGHT_STARTS;
  }

  /** Returns how many starts of each organization the next claim may take. */
  capacity(): StartCapacity {
    return {
      usual: MAX_IN_FLIGHT_STARTS,
      organizationIds: [...this.#counts.keys()],
      capacities: [...this.#counts.values()].map((count) => Math.max(0, MAX_IN_FLIGHT_STARTS - count)),
    };
  }

  /** Counts the starts of a claim; a start claimed again counts anew. */
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

  /** Stops counting a start. @returns true when its organization may have starts that waited for capacity */
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

  /** Stops counting starts that are in flight for too long. @returns as `remove` */
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
