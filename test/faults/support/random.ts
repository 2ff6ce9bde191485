/** Seeded chance: FAULT_SEED repeats a run's decisions, though never its timing. */

export interface Random {
  readonly seed: number;
  /** A number from `from` up to, without, `to`. */
  readonly between: (from: number, to: number) => number;
  readonly pick: <Item>(items: readonly Item[]) => Item;
  /** True this often. */
  readonly chance: (probability: number) => boolean;
}

/** @param seed the one of FAULT_SEED, or a new one, unless given */
export function random(seed = Number(process.env['FAULT_SEED'] ?? Date.now() % 1_000_000)): Random {
  let state = seed >>> 0;
  // mulberry32: small, and good enough to decide who is killed next.
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    seed,
    between: (from, to) => from + next() * (to - from),
    chance: (probability) => next() < probability,
    pick: (items) => {
      const item = items[Math.floor(next() * items.length)];
      if (item === undefined) throw new Error('there is nothing to pick from');
      return item;
    },
  };
}
