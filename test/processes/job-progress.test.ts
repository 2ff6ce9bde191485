/** If this failed, an operator would take a long export for one that hangs, and stop it. */
import { expect, test } from 'vitest';
import type { DataJob } from '../../src/features/data/jobs.ts';
import { JobProgress } from '../../src/processes/job-progress.ts';
import { Chance, VirtualClock } from '../features/canvas/simulation/virtual-clock.ts';

test('a job tells its rows every five seconds, however many steps it takes, and nothing when it is quick', async () => {
  const clock = new VirtualClock(new Chance(1));
  const said: string[] = [];
  const progress = new JobProgress(clock, (line) => said.push(line));
  let runs = 0;
  const read = async () => ({ kind: 'export', counts: { runs, run_steps: 3 * runs } }) as unknown as DataJob;
  for (; runs < 120; runs += 1) {
    await clock.advance(100);
    await progress.note(read);
  }
  expect(said).toEqual(['export so far: runs 49, run_steps 147', 'export so far: runs 99, run_steps 297']);
});
