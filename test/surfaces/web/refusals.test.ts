/** An address that leads nowhere would be a page without a name or a way on, or a refusal would speak the language of the API. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inBothThemes } from './support/axe.ts';
import { signInTo } from './support/sign-in.ts';
import { startWebStack, type WebStack } from './support/web-stack.ts';

let at: WebStack;
beforeAll(async () => {
  at = await startWebStack();
});
afterAll(() => at.close());

const NOTHING = '7af3e603-993f-4223-bac0-c5228dfd1988';

test.each([
  `runs/${NOTHING}`,
  'runs/no-id',
  `workflows/${NOTHING}/versions`,
  `workflows/${NOTHING}/compare`,
  `knowledge-bases/${NOTHING}`,
])('an address that leads nowhere is a page with a title and a way on: %s', async (path) => {
  const page = await signInTo(at, { email: 'lost@example.com' });
  await page.goto(`${page.url()}${path}`);
  await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor();
  await expect.poll(() => page.title()).toMatch(/^Page not found/);
  expect(await inBothThemes(page)).toEqual([]);
  await page.getByRole('main').getByRole('link', { name: 'Workflows' }).click();
  await page.getByRole('button', { name: 'New workflow' }).waitFor();
  await page.context().close();
});

test('a moment in the address of the list of runs that no clock shows is no filter', async () => {
  const page = await signInTo(at, { email: 'moments@example.com' });
  await page.goto(`${page.url()}runs?from=2026-99-99T99:99&to=2026-02-03T10:00`);
  await page.getByText('No runs match these filters.').waitFor();
  await expect.poll(() => page.getByRole('alert').count()).toBe(0);
  await expect.poll(() => page.getByLabel('From').inputValue()).toBe('');
  await expect.poll(() => page.getByLabel('To').inputValue()).toBe('2026-02-03T10:00');
  await page.context().close();
});

test('a request without a response is told in words, and keeps what was typed', async () => {
  const page = await signInTo(at, { email: 'away@example.com' });
  await page.getByRole('link', { name: 'API keys' }).click();
  await page.getByRole('button', { name: 'Create key' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('ci');
  await page.route('**/api-keys', (route) => route.abort());
  await dialog.getByRole('button', { name: 'Create', exact: true }).click();
  const alert = dialog.getByRole('alert');
  await alert.waitFor();
  await expect.poll(() => alert.textContent()).toBe('The service is not available.');
  await page.unrouteAll();
  await expect.poll(() => dialog.getByLabel('Name').inputValue()).toBe('ci');
  await dialog.getByRole('button', { name: 'Create', exact: true }).click();
  await page.locator('[role=status] pre').waitFor();
  await page.context().close();
});

test('a refusal of the session that stays leads to a sign-in, and the page goes on after it', async () => {
  const page = await signInTo(at, { email: 'refused@example.com' });
  // The file of the page is called so, too.
  await page.route(new RegExp(`^${at.origin}/api-keys`), (route) =>
    route.fulfill({ status: 401, json: { detail: 'Token expired', code: 'token_expired' } }),
  );
  await page.getByRole('link', { name: 'API keys' }).click();
  const expired = page.getByRole('dialog', { name: 'Session expired' });
  await expired.waitFor();
  await page.unrouteAll();
  await expired.getByRole('button', { name: 'Sign in' }).click();
  await expect.poll(() => expired.count()).toBe(0);
  await expect.poll(() => page.getByText('Token expired').count()).toBe(0);
  await page.getByRole('button', { name: 'Create key' }).waitFor();
  await page.context().close();
});

test('a service that is away says so at the first page, and is asked again', async () => {
  const page = await signInTo(at, { email: 'gone@example.com' });
  await page.route('**/organizations', (route) => route.abort());
  await page.reload();
  await page.getByText('The service is not available.').first().waitFor();
  const again = page.getByRole('alert').getByRole('button', { name: 'Try again' });
  await again.waitFor();
  await page.unrouteAll();
  await again.click();
  await page.getByRole('button', { name: 'New workflow' }).waitFor();
  await page.context().close();
});
