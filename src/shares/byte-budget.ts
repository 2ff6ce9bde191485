/** Bytes that are counted while they come in: each holder grows, and nobody knows beforehand how far. */
import type { ShareLimits } from './fair-semaphore.ts';

/** The bytes of one holder, from its opening until its end. */
export interface ByteLease {
  /**
   * Counts further bytes; call it before they are taken in.
   * @returns null: they are counted; else a promise that resolves once they are, and rejects with the signal's reason
   */
  grow(bytes: number, signal: AbortSignal | null): Promise<void> | null;
  /** Gives back everything that was counted. What grows afterwards is not counted, and does not wait. */
  close(): void;
}

interface Growth {
  readonly bytes: number;
  grant(): void;
}

interface Holder {
  held: number;
  /** Growths that wait. */
  readonly growths: Set<Growth>;
}

interface Line {
  held: number;
  /** In the order in which they began to grow. */
  readonly holders: Set<Holder>;
}

/**
 * A holder that has grown keeps its bytes while it waits for more, so that two of them could wait for each other for ever. The
 * oldest of each organization therefore never waits, whatever the limits say: it ends, gives its bytes back, and the next one
 * is the oldest. Above the limits is at most what the oldest of each organization holds.
 *
 * Within an organization nobody grows before an older one that waits: the limits are better spent on few whole holders than on
 * pieces of many. Between organizations growths take turns.
 */
export class ByteBudget {
  readonly #limits: ShareLimits;
  /** Organizations that hold bytes, the next turn first. */
  readonly #lines = new Map<string, Line>();
  #held = 0;
  #waiting = 0;

  constructor(limits: ShareLimits) {
    this.#limits = limits;
  }

  /** Bytes that are counted now. */
  get held(): number {
    return this.#held;
  }

  /** Growths that wait. */
  get waiting(): number {
    return this.#waiting;
  }

  /** Bytes that are counted now of one organization. */
  heldBy(organizationId: string): number {
    return this.#lines.get(organizationId)?.held ?? 0;
  }

  /** Opens a lease, which counts nothing yet. Whoever opens it closes it. */
  open(organizationId: string): ByteLease {
    const holder: Holder = { held: 0, growths: new Set() };
    let isOpen = true;
    return {
      grow: (bytes, signal) => {
        if (!isOpen || bytes <= 0) return null;
        const line = this.#lineOf(organizationId);
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
        // It may have stood in the way of younger ones.
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

  /** One growth a turn: an organization that was granted one goes behind the others, where this loop comes to it again. */
  #grantAll(): void {
    if (this.#waiting === 0) return;
    for (const [organizationId, line] of this.#lines) {
      if (!this.#grantNext(line)) continue;
      this.#lines.delete(organizationId);
      this.#lines.set(organizationId, line);
    }
  }

  /** Grants the growth that is next in an organization. @returns false when none waits, or it has to wait on */
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

  #lineOf(organizationId: string): Line {
    const known = this.#lines.get(organizationId);
    if (known !== undefined) return known;
    const line: Line = { held: 0, holders: new Set() };
    this.#lines.set(organizationId, line);
    return line;
  }
}
