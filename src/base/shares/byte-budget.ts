/** A byte budget that organizations share, for data whose size is unknown until it has arrived. */
import type { ShareLimits } from './fair-semaphore.ts';

/** The bytes of one holder. */
export interface ByteLease {
  /**
   * Acquires more bytes; call it before the bytes are read.
   * @returns null when they are granted; else a promise that resolves when they are, and rejects with the signal's reason
   */
  grow(bytes: number, signal: AbortSignal | null): Promise<void> | null;
  /** Releases all bytes. Later calls of `grow` are granted without counting. */
  close(): void;
}

interface Growth {
  readonly bytes: number;
  grant(): void;
}

interface Holder {
  held: number;
  /** Waiting growths. */
  readonly growths: Set<Growth>;
}

interface Line {
  held: number;
  /** In the order of their first growth. */
  readonly holders: Set<Holder>;
}

/**
 * A holder keeps its bytes while it waits for more, so two holders could deadlock. Therefore the oldest holder of each
 * organization never waits, even beyond the limits; when it closes, the next one is the oldest.
 *
 * Within an organization an older waiting holder goes first, because few complete holders are better than many partial ones.
 * Organizations take turns.
 */
export class ByteBudget {
  readonly #limits: ShareLimits;
  /** Organizations with holders; the first one has the next turn. */
  readonly #lines = new Map<string, Line>();
  #held = 0;
  #waiting = 0;

  constructor(limits: ShareLimits) {
    this.#limits = limits;
  }

  /** Bytes in use. */
  get held(): number {
    return this.#held;
  }

  /** Waiting growths. */
  get waiting(): number {
    return this.#waiting;
  }

  /** Bytes in use by one organization. */
  heldBy(organizationId: string): number {
    return this.#lines.get(organizationId)?.held ?? 0;
  }

  /** Opens an empty lease. The caller must close it. */
  open(organizationId: string): ByteLease {
    const holder: Holder = { held: 0, growths: new Set() };
    let isOpen = true;
    return {
      grow: (bytes, signal) => {
        if (!isOpen || bytes <= 0) return null;
        const line = this.#openLine(organizationId);
        line.holders.add(holder);
        return this.#grow(line, holder, { bytes, signal });
      },
      close: () => {
        if (!isOpen) return;
        isOpen = false;
        this.#close(organizationId, holder);
      },
    };
  }

  #grow(
    line: Line,
    holder: Holder,
    { bytes, signal }: { readonly bytes: number; readonly signal: AbortSignal | null },
  ): Promise<void> | null {
    let onGrant = (): void => undefined;
    const growth: Growth = { bytes, grant: () => onGrant() };
    holder.growths.add(growth);
    this.#waiting += 1;
    this.#grantNext(line);
    if (!holder.growths.has(growth)) return null;
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        if (holder.growths.delete(growth)) this.#waiting -= 1;
        reject(signal?.reason as Error);
        // Younger holders may have waited behind it.
        this.#grantAll();
      };
      onGrant = () => {
        signal?.removeEventListener('abort', leave);
        resolve();
      };
      if (signal?.aborted === true) leave();
      else signal?.addEventListener('abort', leave, { once: true });
    });
  }

  #close(organizationId: string, holder: Holder): void {
    const line = this.#lines.get(organizationId);
    if (line === undefined || !line.holders.delete(holder)) return;
    line.held -= holder.held;
    this.#held -= holder.held;
    if (line.holders.size === 0) this.#lines.delete(organizationId);
    for (const growth of holder.growths) {
      this.#waiting -= 1;
      growth.grant();
    }
    holder.growths.clear();
    this.#grantAll();
  }

  /** Grants one growth per turn: the organization moves to the end of the map, where this loop visits it again. */
  #grantAll(): void {
    if (this.#waiting === 0) return;
    for (const [organizationId, line] of this.#lines) {
      if (!this.#grantNext(line)) continue;
      this.#lines.delete(organizationId);
      this.#lines.set(organizationId, line);
    }
  }

  /** Grants the next growth of an organization. @returns false when none waits or none fits */
  #grantNext(line: Line): boolean {
    const { capacity, perOrganization } = this.#limits;
    let isOldest = true;
    for (const holder of line.holders) {
      const [growth] = holder.growths;
      if (growth !== undefined) {
        const { bytes } = growth;
        const fits = line.held + bytes <= perOrganization && this.#held + bytes <= capacity;
        if (!isOldest && !fits) return false;
        holder.growths.delete(growth);
        this.#waiting -= 1;
        holder.held += bytes;
        line.held += bytes;
        this.#held += bytes;
        growth.grant();
        return true;
      }
      isOldest = false;
    }
    return false;
  }

  #openLine(organizationId: string): Line {
    const known = this.#lines.get(organizationId);
    if (known !== undefined) return known;
    const line: Line = { held: 0, holders: new Set() };
    this.#lines.set(organizationId, line);
    return line;
  }
}
