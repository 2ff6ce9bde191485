/** What axe-core finds wrong with a page, as it stands, in both themes. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * Half-way through a change of colours there is no contrast to measure; what turns for ever is not waited for. Asked frame by
 * frame: the promise of an animation whose element goes meanwhile may never settle.
 */
const COLOURS_STAND = `(async () => {
  const frame = () => new Promise((painted) => requestAnimationFrame(painted));
  await frame();
  do await frame();
  while (document.getAnimations().some(({ playState, effect }) =>
    playState === 'running' && effect.getComputedTiming().endTime !== Infinity));
})()`;

/** The rules that colours decide: in the second theme of a page the others would find the same again. */
const RULES_OF_COLOURS = ['color-contrast', 'link-in-text-block'];

/** Lists the rules of axe that the page breaks, as it stands. @param rules only these; without them, all */
export async function listBroken(page: Page, rules?: readonly string[]): Promise<string[]> {
  // Evaluated by the driver, which the page's policy does not bind.
  if (!(await page.evaluate('"axe" in globalThis'))) await page.evaluate(AXE);
  await page.evaluate(COLOURS_STAND);
  const found = await page.evaluate(async (runOnly) => {
    const { axe } = globalThis as unknown as {
      axe: {
        run(options: {
          runOnly?: readonly string[];
          resultTypes: string[];
        }): Promise<{ violations: { id: string; nodes: { html: string; failureSummary: string }[] }[] }>;
      };
    };
    const limited = runOnly === undefined ? {} : { runOnly };
    return (await axe.run({ ...limited, resultTypes: ['violations'] })).violations;
  }, rules);
  const told = ({ html, failureSummary }: (typeof found)[number]['nodes'][number]): string =>
    `${html.slice(0, 160)} (${failureSummary.split('\n').slice(1).join(' ').trim()})`;
  return found.map(({ id, nodes }) => `${id}: ${nodes.map(told).join(' | ')}`);
}

/** Shows the page in a theme. It hears of it by an event: until it has, a look at it would find both. */
export async function showInTheme(page: Page, colorScheme: 'dark' | 'light'): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor({ state: 'attached' });
}

/** @returns one line for each rule that is broken, with the elements that break it */
export async function inBothThemes(page: Page): Promise<string[]> {
  const first = await listBroken(page);
  await showInTheme(page, 'dark');
  const second = await listBroken(page, RULES_OF_COLOURS);
  await showInTheme(page, 'light');
  return [...first, ...second];
}
