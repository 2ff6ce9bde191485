/** All copies must converge to the stored document, and the history must lead to it, over random faults. */
import { describe, expect, test } from 'vitest';
import { Canvas } from '../../../../src/features/canvas/client/canvas.ts';
import { Rooms } from '../../../../src/features/canvas/room/rooms.ts';
import { simulate } from './simulation.ts';

/** How many courses of events, and where they begin; a night takes more. */
const SEEDS = Number(process.env['REALTIME_SEEDS'] ?? 300);
const FIRST_SEED = Number(process.env['REALTIME_FIRST_SEED'] ?? 1);
const SUBJECTS = { Rooms, Canvas };

/** The shortest beginning of a failing course that still fails, by halving. */
async function shortest(seed: number): Promise<number> {
  let low = 0;
  let high = 160;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    const { failures } = await simulate(seed, SUBJECTS, middle);
    if (failures.length > 0) high = middle;
    else low = middle;
  }
  return high;
}

describe('convergence', () => {
  test(`${SEEDS} courses of events from seed ${FIRST_SEED}`, { timeout: SEEDS * 2_000 }, async () => {
    for (let seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed += 1) {
      const { failures } = await simulate(seed, SUBJECTS);
      if (failures.length === 0) continue;
      const steps = await shortest(seed);
      const least = await simulate(seed, SUBJECTS, steps);
      const story = least.story.slice(-20).join('\n');
      expect.fail(
        `seed ${seed}, ${steps} steps: ${least.failures.join('; ')}\nof all: ${failures.join('; ')}\n${story}`,
      );
    }
  });
});
