/** A page on a phone: what a thumb cannot reach there. */
import type { Page } from 'playwright-core';

const PHONE = { width: 390, height: 844 };
/** The least size of a target in WCAG 2.5.5, in pixels. */
const TARGET = 44;

/** Lists the actions of rows that are cut off or too small on a phone, and whether the page scrolls sideways. */
export async function listUnreachable(page: Page): Promise<string[]> {
  const before = page.viewportSize();
  await page.setViewportSize(PHONE);
  // The page hears of its width with a frame, and draws itself anew with the next.
  await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
  const actions = await page.locator('.data-table-acts td:last-child').getByRole('button').all();
  const found = await Promise.all(
    actions.map(async (action) => {
      const name = (await action.getAttribute('aria-label')) ?? (await action.textContent());
      const { x, width, height } = (await action.boundingBox()) ?? { x: -1, width: 0, height: 0 };
      const isIn = x >= 0 && x + width <= PHONE.width;
      return isIn && width >= TARGET && height >= TARGET ? [] : [`${name}: ${x} ${width} × ${height}`];
    }),
  );
  const width = Number(await page.evaluate('document.documentElement.scrollWidth'));
  if (before !== null) await page.setViewportSize(before);
  const none = actions.length === 0 ? ['no row has an action'] : [];
  return [...none, ...found.flat(), ...(width > PHONE.width ? [`the page is ${width} wide`] : [])];
}
