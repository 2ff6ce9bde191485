/** Order statistics, and how two sides are measured in turns. */
import type { PartLimits } from './part.ts';

/** The value below which the share `p` (0 to 1) of the values lies (nearest rank). @throws when there are none */
export function percentile(values: readonly number[], p: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const value = sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(p * sorted.length) - 1))];
  if (value === undefined) throw new Error('nothing was measured');
  return value;
}

export const median = (values: readonly number[]): number => percentile(values, 0.5);

/** Measures one round of a side: one or more values. What costs seconds does less of it to warm up. */
export type Side = (isWarmUp: boolean) => Promise<readonly number[]>;

/**
 * Measures the sides in turns (A B A B), so that what else happens on the machine meets all of them. The first round
 * warms up and is not counted.
 * @param limits no further round begins after the deadline, but one round is always counted; each is told of
 * @returns the values of each side
 */
export async function inTurns<Name extends string>(
  rounds: number,
  limits: Pick<PartLimits, 'deadline' | 'tell'>,
  sides: Readonly<Record<Name, Side>>,
): Promise<Record<Name, number[]>> {
  const names = Object.keys(sides) as Name[];
  const values = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>;
  for (let round = 0; round <= rounds; round += 1) {
    if (round > 1 && performance.now() > limits.deadline) break;
    for (const name of names) {
      limits.tell(round === 0 ? `warming up: ${name}` : `round ${round} of ${rounds}: ${name}`);
      const measured = await sides[name](round === 0);
      if (round > 0) values[name].push(...measured);
    }
  }
  return values;
}

/** The time that `work` takes, in milliseconds. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

/** Runs `work` `count` times, `width` at once; what each returned, in the order of their ends. */
export async function concurrently<T>(
  count: number,
  width: number,
  work: (index: number) => Promise<T>,
): Promise<T[]> {
  const results: T[] = [];
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < count) {
      const index = next;
      next += 1;
      results.push(await work(index));
    }
  };
  await Promise.all(Array.from({ length: Math.min(width, count) }, lane));
  return results;
}
