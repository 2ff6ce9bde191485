/** Somebody could deploy a version without having seen what it may do outside, or could not deploy from the canvas. In a real browser. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import type { JsonObject } from '../../../src/language/graph/values/value.ts';
import { chain, node } from '../../support/definitions.ts';
import { inBothThemes } from './support/axe.ts';
import { goOffline } from './support/canvas-page.ts';
import { listUnreachable } from './support/phone.ts';
import { visitAs } from './support/visit.ts';
import { startWebStack, type WebStack } from './support/web-stack.ts';

let at: WebStack;
beforeAll(async () => {
  at = await startWebStack();
  await at.canvas.api.deps.db.query(`ALTER TABLE organizations ALTER COLUMN plan SET DEFAULT 'enterprise'`);
});
afterAll(() => at.close());
const send = (id: string, url: string, more: JsonObject = {}): JsonObject =>
  node(id, 'tool', { kind: 'http', method: 'POST', url, ...more });
const lines = (page: Page): Promise<string[]> =>
  page.getByRole('region', { name: 'Effects' }).getByRole('listitem').allTextContents();

test('Deploy on the canvas shows what is new inside and outside, says when nothing is, and waits for edits that no server has', async () => {
  const { page, open, call } = await visitAs(at, 'deploys@example.com');
  const { credential_id: credential = '' } = await call('POST', '/credentials', {
    name: 'Team Slack',
    integration: 'http',
    auth_type: 'bearer',
    data: { access_token: 'secret-of-the-team' },
    allowed_hosts: ['hooks.example'],
  });
  const { id = '' } = await call('POST', '/workflows', {
    name: 'Reports',
    workflow_schema: chain(
      send('notify', 'https://hooks.example/T1', { credential_id: credential }),
      send('again', 'https://hooks.example/T2', { credential_id: credential }),
      send('callback', '{{input.url}}'),
    ),
  });
  await open(`/workflows/${id}`);
  await page.waitForSelector('[data-node="notify"]');
  await page.getByRole('button', { name: 'Deploy', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Deploy: Test' });
  await expect
    .poll(() => lines(page))
    .toEqual([
      'New POST hooks.example with Team Slack (notify, again)',
      'New POST a host decided at run time from input.url (callback)',
    ]);
  await dialog.getByText('added node notify').waitFor();
  // A key in a graph of the dialog is none of the canvas.
  const after = dialog.getByRole('region', { name: 'Draft' });
  await after.locator('[data-node="notify"]').click();
  await page.keyboard.press('/');
  expect(await inBothThemes(page)).toEqual([]);
  await dialog.getByLabel('Note').fill('the first');
  await page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'detached' });
  await page.getByText('Version 1.0.0 is live.').waitFor();
  await page.getByText('Live: 1.0.0', { exact: true }).waitFor();

  // By keys alone.
  await page.locator('.react-flow').focus();
  await page.keyboard.press('Control+Shift+Enter');
  await dialog.getByText('No new effects.').waitFor();
  await dialog.getByText('No changes since version 1.0.0.').waitFor();
  const deploy = dialog.getByRole('button', { name: 'Deploy' });
  await expect.poll(() => deploy.isDisabled()).toBe(true);
  await dialog.getByText('All: 2 effects').click();
  await dialog
    .getByRole('row', { name: 'POST hooks.example Team Slack notify, again Not repeated' })
    .waitFor();
  expect(await inBothThemes(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await expect.poll(() => page.locator('.react-flow:focus').count()).toBe(1);

  await page.locator('[data-node="callback"]').click();
  await page.getByRole('complementary', { name: 'Details' }).getByRole('group', { name: 'URL' }).waitFor();
  await page.locator('.react-flow').focus();
  await page.keyboard.press('Delete');
  await expect.poll(() => page.getAttribute('[data-save]', 'data-save')).toBe('Saved');
  await page.keyboard.press('Control+Shift+Enter');
  await expect
    .poll(() => lines(page))
    .toEqual(['No more POST a host decided at run time from input.url (callback)']);
  await expect.poll(() => deploy.isEnabled()).toBe(true);
  await goOffline(page);
  await dialog.getByText('You are offline.').waitFor();
  await expect.poll(() => deploy.isDisabled()).toBe(true);
  await page.context().setOffline(false);
  await expect.poll(() => deploy.isEnabled()).toBe(true);
  await deploy.click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByText('Live: 2.0.0', { exact: true }).waitFor();
  await page.context().close();
  expect(at.trouble).toEqual([]);
});

test('each version shows its effects; a sheet that cannot be read is told and tried again, and nothing is deployed meanwhile', async () => {
  const { page, open, call } = await visitAs(at, 'sheets@example.com');
  const { id = '' } = await call('POST', '/workflows', {
    name: 'Sheets',
    workflow_schema: chain(send('old', 'https://old.example/a')),
  });
  await call('POST', `/workflows/${id}/deploy`, {});
  await call('PUT', `/workflows/${id}`, {
    name: 'Sheets',
    workflow_schema: chain(send('fresh', 'https://new.example/a')),
  });
  await page.route('**/sheet', (route) =>
    route.fulfill({ status: 400, json: { code: 'bad', message: 'Not now' } }),
  );
  await open(`/workflows/${id}/versions`);
  await page.getByRole('heading', { name: 'Versions: Test' }).waitFor();
  const effects = page.getByRole('region', { name: 'Effects' });
  await effects.getByRole('alert').waitFor();
  const deploy = page.getByRole('button', { name: 'Deploy', exact: true });
  await expect.poll(() => deploy.isDisabled()).toBe(true);
  await page.unroute('**/sheet');
  await effects.getByRole('button', { name: 'Try again' }).click();
  await expect
    .poll(() => lines(page))
    .toEqual(['New POST new.example (fresh)', 'No more POST old.example (old)']);
  await expect.poll(() => deploy.isEnabled()).toBe(true);
  await deploy.click();
  await effects.getByText('No new effects.').waitFor();
  await page.getByRole('button', { name: 'Effects of version 1.0.0' }).click();
  const sheet = page.getByRole('dialog', { name: 'Effects of version 1.0.0' });
  await sheet.getByRole('row', { name: 'POST old.example' }).waitFor();
  expect(await inBothThemes(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await sheet.waitFor({ state: 'detached' });
  await expect.poll(() => listUnreachable(page)).toEqual([]);
  await page.context().close();
  expect(at.trouble).toEqual([]);
});

test('a draft that changes after its effects were shown is not deployed: the new difference is shown, and the note stays', async () => {
  const { page, open, call } = await visitAs(at, 'changed@example.com');
  const { id = '' } = await call('POST', '/workflows', {
    name: 'Changed',
    workflow_schema: chain(send('old', 'https://old.example/a')),
  });
  await open(`/workflows/${id}/versions`);
  await expect.poll(() => lines(page)).toEqual(['New POST old.example (old)']);
  await page.getByLabel('Note').fill('What I mean');
  const workflow_schema = chain(send('fresh', 'https://colleague.example/a'));
  // The page reads the draft every ten seconds: the change reaches it no sooner than the refusal.
  await page.route(`**/workflows/${id}`, (route) => route.abort());
  await call('PUT', `/workflows/${id}`, { name: 'Changed', workflow_schema });
  await page.getByRole('button', { name: 'Deploy', exact: true }).click();
  await page.getByText('A colleague has changed the draft.').waitFor();
  await page.unroute(`**/workflows/${id}`);
  await expect.poll(() => lines(page), { timeout: 30_000 }).toEqual(['New POST colleague.example (fresh)']);
  await expect.poll(() => page.getByLabel('Note').inputValue()).toBe('What I mean');
  await page.getByRole('button', { name: 'Deploy', exact: true }).click();
  await page.getByRole('cell', { name: 'What I mean' }).waitFor();
  await page.context().close();
  expect(at.trouble).toEqual([]);
});
