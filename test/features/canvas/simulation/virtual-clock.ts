/** Virtual time and seeded randomness of a simulation: time passes only when a test advances it. */
import type { Timer } from '../../../../src/base/clock.ts';
import type { Clock } from '../../../../src/features/canvas/room/ports.ts';

/** mulberry32 (public domain). */
export class Chance {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  next = (): number => {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let t = this.#state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };

  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  between(low: number, high: number): number {
    return low + this.next() * (high - low);
  }

  happens(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(list: readonly T[]): T {
    const item = list[this.below(list.length)];
    if (item === undefined) throw new Error('nothing to pick from');
    return item;
  }
}

interface Due {
  readonly at: number;
  readonly order: number;
  readonly work: () => void;
}

/** Lets every promise that can go on do so. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

export class VirtualClock implements Clock {
  readonly #chance: Chance;
  readonly #due = new Set<Due>();
  #now = 0;
  #order = 0;
  #ids = 0;

  constructor(chance: Chance) {
    this.#chance = chance;
  }

  now(): number {
    return 1_700_000_000_000 + this.#now;
  }
  monotonic(): number {
    return this.#now;
  }
  random(): number {
    return this.#chance.next();
  }
  newId(): string {
    this.#ids += 1;
    return `00000000-0000-4000-8000-${String(this.#ids).padStart(12, '0')}`;
  }

  setTimeout(work: () => void, ms: number): Timer {
    const due: Due = { at: this.#now + Math.max(0, ms), order: (this.#order += 1), work };
    this.#due.add(due);
    return due;
  }

  clearTimeout(timer: Timer): void {
    this.#due.delete(timer as Due);
  }

  /** Timers that nobody has cleared. */
  get pending(): number {
    return this.#due.size;
  }

  /** A wait inside the simulation. */
  wait(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.setTimeout(resolve, ms);
    });
  }

  #first(until: number): Due | null {
    let first: Due | null = null;
    for (const due of this.#due) {
      if (due.at > until) continue;
      if (first === null || due.at < first.at || (due.at === first.at && due.order < first.order))
        first = due;
    }
    return first;
  }

  /** Time passes: everything that is due happens, in its order. */
  async advance(ms: number): Promise<void> {
    const until = this.#now + ms;
    await settle();
    for (let due = this.#first(until); due !== null; due = this.#first(until)) {
      this.#due.delete(due);
      this.#now = Math.max(this.#now, due.at);
      due.work();
      await settle();
    }
    this.#now = until;
  }
}
