/** The list of 300 runs while nothing happens: what its page spends of a core. */
import { insertMappedRun } from '../../support/mapped-run.ts';
import type { PartLimits } from '../part.ts';
import type { Bench } from '../system.ts';
import type { Editors } from './editor.ts';
import type { Found } from './grid.ts';

const RUNS = 300;
const PAGE = 50;

/** Loads all pages of the list, and leaves it alone for a while. */
export async function idleList(bench: Bench, editors: Editors, limits: PartLimits): Promise<Found[]> {
  limits.tell('an idle list of runs');
  const { organizationId } = await bench.tenant(0);
  for (let number = 0; number < RUNS; number += 1)
    await insertMappedRun((sql, values) => bench.db.query(sql, values), {
      organizationId,
      name: `Idle run ${number}`,
      items: 1,
    });
  const watched = await editors.openRuns();
  const { page } = watched;
  const rows = page.getByRole('row');
  for (let count = PAGE; count < RUNS; count += PAGE) {
    await rows.nth(count).waitFor();
    await page.getByRole('button', { name: 'Load more' }).click();
  }
  await rows.nth(RUNS).waitFor();
  await watched.idle();
  const seconds = limits.quick ? 5 : 20;
  const before = await watched.spentMs();
  await page.waitForTimeout(seconds * 1_000);
  const value = ((await watched.spentMs()) - before) / seconds;
  await page.close();
  return [{ what: 'web: 300 runs in the list, idle, ms a second', value }];
}
