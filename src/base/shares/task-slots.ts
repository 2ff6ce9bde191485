/** Slots that are given or refused at once. Some stay free, however much the organizations want. */
import type { Release } from './fair-semaphore.ts';

/**
 * An organization gets another slot while it holds less than this multiple of the free ones (a dynamic threshold, as switches share
 * their buffers: Choudhury and Hahne, 1998). Alone it holds three quarters, and of ten each holds a tenth.
 */
const SHARE_OF_FREE = 3;

export class TaskSlots {
  readonly #held = new Map<string, number>();
  #free: number;

  constructor(count: number) {
    this.#free = count;
  }

  /** Takes a slot. @returns its release; null when the organization holds its share */
  take(organizationId: string): Release | null {
    const held = this.#held.get(organizationId) ?? 0;
    // The last one is for an organization that holds none.
    const free = held === 0 ? this.#free : this.#free - 1;
    if (held >= SHARE_OF_FREE * free) return null;
    this.#add(organizationId, 1);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#add(organizationId, -1);
    };
  }

  #add(organizationId: string, count: 1 | -1): void {
    this.#free -= count;
    const held = (this.#held.get(organizationId) ?? 0) + count;
    if (held > 0) this.#held.set(organizationId, held);
    else this.#held.delete(organizationId);
  }
}
