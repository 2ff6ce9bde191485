/** A semaphore that organizations share: a total capacity, a limit per organization, and turns between waiting ones. */

/** Limits in units of the owner: slots or bytes. */
export interface ShareLimits {
  /** Maximum of all organizations together. */
  readonly capacity: number;
  /** Maximum of one organization, or of what else `acquire` names, such as a run. */
  readonly perOrganization: number;
}

/** Releases the acquired units; further calls do nothing. */
export type Release = () => void;

interface AcquireOptions {
  /** Units to acquire; default 1. */
  readonly weight?: number;
  /** Removes the waiter on abort. After the admission it has no effect: the holder must release. */
  readonly signal?: AbortSignal;
}

interface Waiter {
  readonly weight: number;
  admit(): void;
}

interface Line {
  readonly organizationId: string;
  held: number;
  /** In order of arrival. */
  readonly waiters: Set<Waiter>;
}

/**
 * Waiters of one organization are admitted in order of arrival. Organizations take turns, one waiter per turn; the next turn
 * belongs to the organization that was admitted longest ago or never. An organization at its limit is skipped and keeps its
 * turn. If the capacity is too small for the next waiter, all others wait behind it: otherwise small weights would starve a
 * large one.
 *
 * A weight above the limit of an organization is admitted when the organization holds nothing; one above the capacity, when
 * nobody holds anything.
 */
export class FairSemaphore {
  readonly #limits: ShareLimits;
  readonly #lines = new Map<string, Line>();
  /** Lines without an admission so far, in order of arrival. */
  readonly #newLines = new Set<Line>();
  /** Lines in the order of their last admission. */
  readonly #servedLines = new Set<Line>();
  #held = 0;

  constructor(limits: ShareLimits) {
    requirePositive(limits.capacity, 'The capacity');
    requirePositive(limits.perOrganization, 'The bound of an organization');
    this.#limits = limits;
  }

  /** Units in use. */
  get held(): number {
    return this.#held;
  }

  /** Units in use by one organization. */
  heldBy(organizationId: string): number {
    return this.#lines.get(organizationId)?.held ?? 0;
  }

  /** Counts the waiters of one organization. */
  countWaiting(organizationId: string): number {
    return this.#lines.get(organizationId)?.waiters.size ?? 0;
  }

  /** Acquires units. @returns a function that releases them @throws the reason of the signal */
  async acquire(organizationId: string, { weight = 1, signal }: AcquireOptions = {}): Promise<Release> {
    requirePositive(weight, 'A weight');
    signal?.throwIfAborted();
    const line = this.#openLine(organizationId);
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

  /** Runs work that holds one unit. Returns or throws what it does. */
  async run<Result>(organizationId: string, work: () => Promise<Result>): Promise<Result> {
    const release = await this.acquire(organizationId);
    try {
      return await work();
    } finally {
      release();
    }
  }

  #enter(line: Line, weight: number, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        line.waiters.delete(waiter);
        reject(signal?.reason as Error);
        // Others may have waited behind it.
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

  /** Admits waiters while the next one fits. */
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

  #openLine(organizationId: string): Line {
    const known = this.#lines.get(organizationId);
    if (known !== undefined) return known;
    const line: Line = { organizationId, held: 0, waiters: new Set() };
    this.#lines.set(organizationId, line);
    this.#newLines.add(line);
    return line;
  }

  /**
   * Forgets idle lines. A line that was admitted after a waiting line is kept: as a new line it would overtake that line again
   * and again.
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
