/** What hands do in an editor: zooming out of a large graph, and a session of clicks and keys. */
import { percentile } from '../statistics.ts';
import type { PartLimits } from '../part.ts';
import type { Bench } from '../system.ts';
import type { Editors } from './editor.ts';
import { makeGrid, zoomIn, type Box, type Found } from './grid.ts';

/** Out and in again, from all nodes in view to twice as near and back. */
export async function zoom(bench: Bench, editors: Editors, limits: PartLimits): Promise<Found[]> {
  limits.tell('zoom of 2,000 nodes');
  const editor = await editors.open(await makeGrid(bench, 2_000));
  const { page } = editor;
  await page.locator('.react-flow').focus();
  await page.keyboard.press('1');
  await page.waitForTimeout(400);
  await editor.idle();
  await page.locator('.wc-overview').waitFor();
  await page.mouse.move(640, 400);
  const steps = limits.quick ? 20 : 60;
  let value = Number.NaN;
  const longest = await editor.longestTaskMs(async () => {
    value = await editor.perStep(steps, async (index) => {
      await page.mouse.wheel(0, index % 20 < 10 ? -24 : 24);
      await editor.painted();
    });
  });
  await page.close();
  return [
    { what: 'web: zoom through the overview of 2,000 nodes, ms a step', value },
    { what: 'web: longest task of that zoom, ms', value: longest },
  ];
}

/**
 * From keys and clicks to the frame that shows their effect, in a session that selects, opens, types, adds and undoes: INP's
 * own measure, but of the 75th percentile of these interactions.
 */
export async function respond(bench: Bench, editors: Editors, limits: PartLimits): Promise<Found[]> {
  limits.tell('a session');
  const editor = await editors.open(await makeGrid(bench, 300));
  const { page } = editor;
  await zoomIn(editor);
  await page.evaluate(
    `globalThis.interactions = new Map();
     new PerformanceObserver((list) => {
       for (const { interactionId, duration } of list.getEntries())
         if (interactionId > 0) interactions.set(interactionId, Math.max(duration, interactions.get(interactionId) ?? 0));
     }).observe({ type: 'event', durationThreshold: 16 })`,
  );
  const boxes = (await page.evaluate(
    `[...document.querySelectorAll('[data-node^="n"]')].map((node) => node.getBoundingClientRect().toJSON())`,
  )) as readonly Box[];
  const seen = boxes.filter(({ x, y }) => x > 100 && x < 800 && y > 120 && y < 700).slice(0, 4);
  let acts = 0;
  for (const { x, y, width } of seen) {
    await page.mouse.click(x + width / 2, y + 10);
    await editor.painted();
    const name = page.getByLabel('Name', { exact: true });
    await name.click();
    for (const key of 'Name') await page.keyboard.press(key);
    await page.locator('.react-flow').focus();
    for (const key of ['ArrowDown', 'Control+z', 'Control+y']) await page.keyboard.press(key);
    acts += 9;
    await editor.painted();
  }
  await page.waitForTimeout(500);
  const slow = (await page.evaluate('[...interactions.values()]')) as readonly number[];
  await page.close();
  // Those below the threshold of 16 ms are not told.
  const all = [...slow, ...Array.from({ length: Math.max(0, acts - slow.length) }, () => 16)];
  return [{ what: 'web: INP of a session, p75, ms', value: percentile(all, 0.75) }];
}
