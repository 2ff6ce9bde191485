/** A person who tries the API on its own page would enter key and organization anew for each operation. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Browser, Page } from 'playwright-core';
import { startApi, type ApiServer } from '../../support/api-server.ts';
import { launchChromium } from './support/chromium.ts';

let api: ApiServer;
let browser: Browser;
beforeAll(async () => {
  [api, browser] = await Promise.all([startApi(), launchChromium()]);
});
afterAll(async () => {
  await browser.close();
  await api.close();
});

/** Sends "List workflows" from the page. @returns the headers of the request that matter */
async function tryList(page: Page): Promise<unknown> {
  const operation = page.locator('#operations-workflows-listWorkflows');
  await operation.locator('button.opblock-summary-control').click();
  await operation.getByRole('button', { name: 'Try it out' }).click();
  const sent = page.waitForRequest((request) => new URL(request.url()).pathname === '/workflows');
  await operation.getByRole('button', { name: 'Execute' }).click();
  const headers = await (await sent).allHeaders();
  return { authorization: headers['authorization'], organization: headers['x-organization-id'] };
}

test('/docs sends the key and the organization that were entered once, also when it is loaded again, and forgets them with its tab', async () => {
  const { token, org } = await api.tenant();
  const context = await browser.newContext();
  const page = await context.newPage();
  const failures: string[] = [];
  page.on('pageerror', (error) => failures.push(String(error)));
  await page.goto(`${api.url}/docs`);
  await page.getByRole('button', { name: 'Authorize' }).first().click();
  for (const [scheme, value] of [
    ['bearer', token],
    ['organization', org],
  ] as const) {
    const entry = page.locator('.auth-container', { has: page.locator('code', { hasText: scheme }) });
    await entry.getByRole('textbox').fill(value);
    await entry.getByRole('button', { name: 'Apply credentials' }).click();
  }
  await page.getByRole('button', { name: 'Close', exact: true }).last().click();
  const expected = { authorization: `Bearer ${token}`, organization: org };
  expect(await tryList(page)).toEqual(expected);
  // Without the fragment, by which the page would open the operation itself.
  await page.goto(`${api.url}/docs?again`);
  expect(await tryList(page)).toEqual(expected);
  const another = await context.newPage();
  await another.goto(`${api.url}/docs`);
  expect(await tryList(another)).toEqual({ authorization: undefined, organization: undefined });
  expect(failures).toEqual([]);
  await context.close();
});
