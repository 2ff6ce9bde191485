/** The page of webhooks in a browser: if this fails, somebody cannot make an address for another service, or see what it sent. */
import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inBothThemes } from './support/axe.ts';
import { signInTo } from './support/sign-in.ts';
import { startWebStack, type WebStack } from './support/web-stack.ts';

const SECRET = 'a secret that only two know';

let at: WebStack;
beforeAll(async () => {
  at = await startWebStack();
}, 180_000);
afterAll(() => at.close());

/** Sends a body as GitHub does. */
const send = (url: string, body: string): Promise<Response> =>
  fetch(url, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'X-GitHub-Delivery': crypto.randomUUID(),
      'X-Hub-Signature-256': `sha256=${createHmac('sha256', SECRET).update(body).digest('hex')}`,
    },
    body,
  });

test('a webhook is created, sent to, read in its log, delivered again, switched off, rotated and deleted; an error workflow is chosen', async () => {
  const page = await signInTo(at, { email: 'hooks@example.com' });
  await page.getByRole('button', { name: 'New workflow' }).click();
  await page.getByLabel('Name').fill('Apology');
  await page.getByRole('button', { name: 'Create' }).click();
  await page.waitForSelector('[data-node="first"]');
  await page.getByRole('link', { name: 'Workflows', exact: true }).click();
  await page.getByRole('link', { name: 'Starter workflow' }).click();
  await page.getByRole('link', { name: 'Versions' }).click();
  await page.getByRole('link', { name: 'Webhooks' }).click();
  await page.getByText('No webhooks yet.').waitFor();
  expect(await inBothThemes(page)).toEqual([]);

  await page.getByRole('button', { name: 'Create your first webhook' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('New issues');
  await dialog.getByRole('combobox', { name: 'Verification' }).click();
  await page.getByRole('option', { name: 'GitHub' }).click();
  await dialog.getByLabel('Secret').fill('short');
  await dialog.getByRole('button', { name: 'Create' }).click();
  await dialog.getByText(/at least 8/).waitFor();
  await dialog.getByLabel('Secret').fill(SECRET);
  expect(await inBothThemes(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Create' }).click();
  const row = page.getByRole('row', { name: /New issues/ });
  await row.getByText('GitHub').waitFor();
  const url = (await row.locator('code').textContent()) ?? '';
  expect(url).toMatch(new RegExp(`^${at.origin}/hooks/[\\w-]{32}$`));
  expect(await page.content()).not.toContain(SECRET);

  expect((await send(url, '{"action":"opened"}')).status).toBe(202);
  await row.getByRole('button', { name: 'Deliveries' }).click();
  const log = page.getByRole('dialog', { name: 'Deliveries of New issues' });
  await expect.poll(() => log.getByRole('listitem').count()).toBe(1);
  await log.getByText('Run started').waitFor();
  await log.getByText('"action": "opened"').waitFor();
  expect(await inBothThemes(page)).toEqual([]);
  await log.getByRole('button', { name: 'Redeliver' }).click();
  await expect.poll(() => log.getByRole('listitem').count()).toBe(2);
  await page.keyboard.press('Escape');

  const enabled = row.getByRole('switch', { name: 'Enable New issues' });
  await enabled.click({ force: true });
  await expect.poll(async () => (await send(url, '{}')).status).toBe(404);
  // The service knows before the page has read its list again.
  await expect.poll(() => enabled.isChecked()).toBe(false);
  await enabled.click({ force: true });
  await expect.poll(async () => (await send(url, '{}')).status).toBe(202);

  await row.getByRole('button', { name: 'Rotate URL' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Rotate URL' }).click();
  await expect.poll(() => row.locator('code').textContent()).not.toBe(url);
  expect((await send(url, '{"n":1}')).status).toBe(202);

  await row.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('No webhooks yet.').waitFor();
  expect((await send(url, '{"n":2}')).status).toBe(404);
  const choice = page.getByRole('combobox', { name: 'Error workflow' });
  await choice.click();
  await page.getByRole('option', { name: 'Apology' }).click();
  await expect.poll(() => choice.inputValue()).toBe('Apology');
  await page.reload();
  await expect.poll(() => choice.inputValue()).toBe('Apology');
  expect(await inBothThemes(page)).toEqual([]);
  await page.context().close();
  expect(at.trouble).toEqual([]);
}, 120_000);
