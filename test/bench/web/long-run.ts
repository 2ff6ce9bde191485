/** The page of a run of 10,000 steps: from the click in the list to its first steps, and their unfolding. */
import { insertMappedRun } from '../../support/mapped-run.ts';
import type { PartLimits } from '../part.ts';
import { percentile } from '../statistics.ts';
import type { Bench } from '../system.ts';
import type { Editors, Watched } from './editor.ts';
import type { Found } from './grid.ts';

const ITEMS = 10_000;
const RUNS = 5;

/**
 * Measures in the page, from the event itself: a click of Playwright waits for two frames before it is one.
 * @param rows of the mapped node that are shown then
 * @returns by the clock until these rows are painted, and of the main thread, in ms
 */
async function measure(
  watched: Watched,
  { event, rows }: { readonly event: 'click' | 'keydown'; readonly rows: number },
  act: () => Promise<void>,
) {
  const { page } = watched;
  const spent = await watched.spentMs();
  await page.evaluate(`void (globalThis.shownAfter = new Promise((done) => addEventListener('${event}', ({ timeStamp }) => {
    const look = () => {
      const shown = [...document.querySelectorAll('[role="treeitem"]')];
      if (shown.filter(({ textContent }) => textContent.startsWith('Each order')).length < ${rows}) return requestAnimationFrame(look);
      setTimeout(() => done(performance.now() - timeStamp), 0);
    };
    requestAnimationFrame(look);
  }, { capture: true, once: true })))`);
  await act();
  const wall = Number(await page.evaluate('globalThis.shownAfter'));
  return { wall, main: (await watched.spentMs()) - spent };
}

/** Opens runs that the page has not read before. */
export async function longRuns(bench: Bench, editors: Editors, limits: PartLimits): Promise<Found[]> {
  limits.tell('runs of 10,000 steps');
  const { organizationId } = await bench.tenant(0);
  const names = Array.from({ length: RUNS }, (_, number) => `Long run ${number}`);
  for (const name of names)
    await insertMappedRun((sql, values) => bench.db.query(sql, values), {
      organizationId,
      name,
      items: ITEMS,
    });
  const watched = await editors.openRuns();
  const { page } = watched;
  const step = page.getByRole('tree', { name: 'Steps' }).getByRole('treeitem', { name: /^Each order/ });
  const opened = [];
  const unfolded = [];
  for (const name of names) {
    const row = page.getByRole('link', { name, exact: true });
    await row.waitFor();
    await watched.idle();
    opened.push(await measure(watched, { event: 'click', rows: 1 }, () => row.click()));
    await step.first().click();
    unfolded.push(
      await measure(watched, { event: 'keydown', rows: 2 }, () => page.keyboard.press('ArrowRight')),
    );
    await page.goBack();
  }
  await page.close();
  const median = (values: readonly number[]): number => percentile(values, 0.5);
  return [
    { what: 'web: open a run of 10,000 steps, ms', value: median(opened.map(({ wall }) => wall)) },
    { what: 'web: the same, main thread, ms', value: median(opened.map(({ main }) => main)) },
    { what: 'web: unfold its 10,000 steps, ms', value: median(unfolded.map(({ wall }) => wall)) },
  ];
}
