/** A semaphore that organizations share: a capacity for all of them, a bound for each, and turns between those that wait. */

/** Limits in units that the owner chooses: slots, or bytes. */
export interface ShareLimits {
  /** The most that all organizations hold together. */
  readonly capacity: number;
  /** The most that one of them holds. */
  readonly perOrganization: number;
}

/** Gives back what was acquired; more than once is once. */
export type Release = () => void;

interface AcquireOptions {
  /** Units to hold; 1 if not said. */
  readonly weight?: number;
  /** Its abort removes the waiter. Aborted after the admission, it changes nothing: the holder releases. */
  readonly signal?: AbortSignal;
}

interface Waiter {
  readonly weight: number;
  admit(): void;
}

interface Line {
  readonly organizationId: string;
  held: number;
  /** In the order in which they came. */
  readonly waiters: Set<Waiter>;
}

/**
 * Waiters of one organization are admitted in the order in which they came. Organizations take turns, one waiter a turn: the
 * next turn is that of whoever was admitted longest ago, or never. An organization at its bound is passed over and keeps its
 * turn. When the capacity has no room for the waiter whose turn it is, nobody is admitted before it: smaller weights would keep
 * a large one out for ever.
 *
 * A weight above the bound of an organization is admitted when the organization holds nothing else; one above the capacity,
 * when nobody holds anything.
 */
export class FairSemaphore {
  readonly #limits: ShareLimits;
  readonly #lines = new Map<string, Line>();
  /** Lines of which nobody was admitted, in the order in which they came. */
  readonly #newLines = new Set<Line>();
  /** The others, in the order of their last admission. */
  readonly #servedLines = new Set<Line>();
  #held = 0;

  constructor(limits: ShareLimits) {
    requirePositive(limits.capacity, 'The capacity');
    requirePositive(limits.perOrganization, 'The bound of an organization');
    this.#limits = limits;
  }

  /** Units that are held. */
  get held(): number {
    return this.#held;
  }

  /** Units that one organization holds. */
  heldBy(organizationId: string): number {
    return this.#lines.get(organizationId)?.held ?? 0;
  }

  /** Waiters of one organization. */
  waitingOf(organizationId: string): number {
    return this.#lines.get(organizationId)?.waiters.size ?? 0;
  }

  /**
   * Waits for a share.
   * @returns releases it
   * @throws the reason of the signal
   */
  async acquire(organizationId: string, { weight = 1, signal }: AcquireOptions = {}): Promise<Release> {
    requirePositive(weight, 'A weight');
    signal?.throwIfAborted();
    const line = this.#lineOf(organizationId);
    await this.#enter(line, weight, signal);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#held -= weight;
      line.held -= weight;
      this.#admit();
    };
  }

  #enter(line: Line, weight: number, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        line.waiters.delete(waiter);
        reject(signal?.reason as Error);
        // It may have stood in the way of others.
        this.#admit();
      };
      const waiter: Waiter = {
        weight,
        admit() {
          signal?.removeEventListener('abort', leave);
          resolve();
        },
      };
      line.waiters.add(waiter);
      signal?.addEventListener('abort', leave, { once: true });
      this.#admit();
    });
  }

  /** Gives turns for as long as the waiter whose turn it is finds room. */
  #admit(): void {
    for (let next = this.#next(); next !== null; next = this.#next()) {
      const [line, waiter] = next;
      line.waiters.delete(waiter);
      line.held += waiter.weight;
      this.#held += waiter.weight;
      this.#newLines.delete(line);
      this.#servedLines.delete(line);
      this.#servedLines.add(line);
      waiter.admit();
    }
    this.#forgetIdle();
  }

  #next(): [Line, Waiter] | null {
    const { capacity, perOrganization } = this.#limits;
    for (const lines of [this.#newLines, this.#servedLines]) {
      for (const line of lines) {
        const [waiter] = line.waiters;
        if (waiter === undefined) continue;
        if (line.held > 0 && line.held + waiter.weight > perOrganization) continue;
        return this.#held === 0 || this.#held + waiter.weight <= capacity ? [line, waiter] : null;
      }
    }
    return null;
  }

  #lineOf(organizationId: string): Line {
    const known = this.#lines.get(organizationId);
    if (known !== undefined) return known;
    const line: Line = { organizationId, held: 0, waiters: new Set() };
    this.#lines.set(organizationId, line);
    this.#newLines.add(line);
    return line;
  }

  /**
   * Forgets lines that nobody stands in and that hold nothing. One that was admitted after a line that waits is kept: it would
   * come back as a new one, and have the turn of that line again and again.
   */
  #forgetIdle(): void {
    for (const line of this.#newLines) if (line.waiters.size === 0) this.#forget(line);
    for (const line of this.#servedLines) {
      if (line.waiters.size > 0) return;
      if (line.held === 0) this.#forget(line);
    }
  }

  #forget(line: Line): void {
    this.#newLines.delete(line);
    this.#servedLines.delete(line);
    this.#lines.delete(line.organizationId);
  }
}

function requirePositive(value: number, name: string): void {
  if (!(value > 0)) throw new RangeError(`${name} must be above zero, not ${value}`);
}
