/** The list of runs in a browser: if this fails, somebody cannot find a run, or cannot act on many of them. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { deleteValues } from '../../../src/engine/runs/ledger/erase/delete-values.ts';
import { inBothThemes } from './support/axe.ts';
import { signInTo } from './support/sign-in.ts';
import { startWebStack, type WebStack } from './support/web-stack.ts';

let at: WebStack;
beforeAll(async () => {
  at = await startWebStack();
});
afterAll(() => at.close());

const EMAIL = 'lists@example.com';

async function signIn(): Promise<Page> {
  const page = await signInTo(at, { email: EMAIL });
  await page.getByRole('link', { name: 'Runs', exact: true }).click();
  return page;
}

/** Inserts runs of the person's organization, all of one millisecond. */
const insertRuns = (name: string, count: number, status: string): Promise<object[]> =>
  at.canvas.api.deps.db.query(
    `WITH made AS (SELECT gen_random_uuid() AS id FROM generate_series(1, $2::integer))
     INSERT INTO runs (id, root_run_pk, organization_id, created_by, definition_hash, workflow_name, workflow_version,
       workflow_source, trigger_type, is_ad_hoc, status, started_at, completed_at, error)
     SELECT made.id, made.id, m.organization_id, u.id, repeat('0', 64), $1, '1.0.0', 'database', 'schedule', false, $3, now(),
       CASE WHEN $3 = 'failed' THEN now() + interval '90 seconds' END,
       CASE WHEN $3 = 'failed' THEN '{"code":"no_invoice","message":"The invoice is missing","node_id":"send"}'::json END
     FROM made, users u JOIN memberships m ON m.user_id = u.id WHERE u.email = $4`,
    [name, count, status, EMAIL],
  );

/** Inserts workflows of the person's organization. */
const insertWorkflows = (name: string, count: number): Promise<object[]> =>
  at.canvas.api.deps.db.query(
    `INSERT INTO workflows (id, organization_id, creator_id, name, workflow_schema, updated_at)
     SELECT gen_random_uuid(), m.organization_id, u.id, $1 || ' ' || n, '{"nodes":[],"edges":[]}', now()
     FROM users u JOIN memberships m ON m.user_id = u.id, generate_series(1, $2::integer) n WHERE u.email = $3`,
    [name, count, EMAIL],
  );

const names = (page: Page) => page.getByRole('cell').getByRole('link');

test('the list teaches when it is empty, filters by its address, and grows beyond a hundred runs', async () => {
  const page = await signIn();
  await page.getByText('No runs yet.').waitFor();
  expect(await inBothThemes(page)).toEqual([]);

  await insertRuns('Nightly report', 120, 'failed');
  await insertRuns('Refunds', 3, 'running');
  await expect.poll(() => names(page).count()).toBe(50);
  const failed = page.getByRole('row', { name: /Nightly report/ }).first();
  await expect
    .poll(() => failed.textContent())
    .toMatch(/Failed.*send.*invoice is missing.*Schedule.*lists@.*just now.*1 min 30 s/);
  for (const count of [100, 123]) {
    await page.getByRole('button', { name: 'Load more' }).click();
    await expect.poll(() => names(page).count()).toBe(count);
  }
  await expect.poll(() => page.getByRole('button', { name: 'Load more' }).count()).toBe(0);
  const links = await names(page).evaluateAll((all) => all.map((link) => link.getAttribute('href')));
  expect(new Set(links).size).toBe(123);

  await page.getByLabel('Search').fill('refund');
  await expect.poll(() => names(page).count()).toBe(3);
  await page.getByRole('combobox', { name: 'Status' }).click();
  await page.getByRole('option', { name: 'Waiting' }).click();
  await page.getByText('No runs match these filters.').waitFor();
  await expect.poll(() => new URL(page.url()).search).toBe('?q=refund&status=interrupted');
  await page.reload();
  await page.getByText('No runs match these filters.').waitFor();
  expect(await inBothThemes(page)).toEqual([]);
  await page.getByRole('combobox', { name: 'When' }).click();
  await page.getByRole('option', { name: 'Custom range' }).click();
  await page.getByLabel('From').fill('2020-01-02T10:00');
  await expect.poll(() => new URL(page.url()).searchParams.get('from')).toBe('2020-01-02T10:00');
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect.poll(() => names(page).count()).toBe(50);
  await expect.poll(() => page.getByLabel('From').count()).toBe(0);

  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole('listitem').getByRole('link', { name: 'Refunds' }).first().waitFor();
  await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBe(390);
  expect(await inBothThemes(page)).toEqual([]);
  await page.context().close();
  expect(at.trouble).toEqual([]);
});

test('several runs are cancelled after a question that says how many, and each failure names its run', async () => {
  const page = await signIn();
  await insertRuns('Stuck', 3, 'running');
  await page.goto(`${at.origin}/app/runs?q=Stuck`);
  await expect.poll(() => names(page).count()).toBe(3);
  await page.getByLabel('Select all loaded runs').check();
  await page.getByRole('button', { name: 'Cancel runs' }).click();
  await page.getByText('Cancel 3 runs? ').waitFor();
  expect(await inBothThemes(page)).toEqual([]);
  await at.canvas.api.deps.db.query(
    `DELETE FROM runs WHERE id = (SELECT id FROM runs WHERE workflow_name = 'Stuck' LIMIT 1)`,
  );
  await page.getByRole('button', { name: 'Cancel 3 runs' }).click();
  await page.getByText('2 of 3 runs cancelled').waitFor();
  const failures = page.getByRole('alert').getByRole('listitem');
  await expect
    .poll(() => failures.allTextContents())
    .toEqual([expect.stringMatching(/^Stuck, .*: .*not found/)]);
  expect(await inBothThemes(page)).toEqual([]);
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
  await expect.poll(() => page.getByRole('row', { name: /Cancelled/ }).count()).toBe(2);
  await expect.poll(() => page.getByRole('checkbox', { checked: true }).count()).toBe(0);
  await page.context().close();
  expect(at.trouble).toEqual([]);
});

test('the list of workflows grows beyond a hundred, and keeps its search when one was opened', async () => {
  const page = await signInTo(at, { email: EMAIL });
  await insertWorkflows('Order', 150);
  await page.reload();
  const rows = names(page);
  await expect.poll(() => rows.count()).toBe(100);
  await page.getByRole('button', { name: 'Load more' }).click();
  await expect.poll(() => rows.count()).toBeGreaterThanOrEqual(150);
  await expect.poll(() => page.getByRole('button', { name: 'Load more' }).count()).toBe(0);
  await page.getByLabel('Search').pressSequentially('order 15');
  await expect.poll(async () => (await rows.allTextContents()).toSorted()).toEqual(['Order 15', 'Order 150']);
  await rows.first().click();
  await page.getByRole('button', { name: 'Add node' }).waitFor();
  await page.goBack();
  await expect.poll(() => rows.count()).toBe(2);
  await expect.poll(() => page.getByLabel('Search').inputValue()).toBe('order 15');
  await page.context().close();
});

test('a run whose values the retention has deleted says so and when, and is not rerun', async () => {
  const page = await signInTo(at, { email: EMAIL });
  await insertRuns('Old refund', 2, 'failed');
  const { db } = at.canvas.api.deps;
  const rows = await db.query<{ id: string }>(`SELECT id FROM runs WHERE workflow_name = 'Old refund'`);
  await db.transaction((tx) =>
    deleteValues(
      tx,
      rows.map(({ id }) => id),
    ),
  );
  await page.goto(`${at.origin}/app/runs/${rows[0]?.id}`);
  await page.getByText(/^Inputs and outputs were deleted on .*20\d\d/).waitFor();
  await page.getByText('The values were deleted.').waitFor();
  await page.getByRole('alert').filter({ hasText: 'no_invoice' }).waitFor();
  await expect.poll(() => page.getByText('null').count()).toBe(0);
  await expect.poll(() => page.getByRole('button', { name: 'Rerun' }).count()).toBe(0);
  expect(await inBothThemes(page)).toEqual([]);

  await page.goto(`${at.origin}/app/runs?q=Old%20refund`);
  await expect.poll(() => names(page).count()).toBe(2);
  await expect.poll(() => page.getByRole('button', { name: 'Rerun' }).count()).toBe(0);
  await page.getByLabel('Select all loaded runs').check();
  await expect.poll(() => page.getByRole('button', { name: 'Rerun' }).isDisabled()).toBe(true);
  await insertRuns('Old refund', 1, 'failed');
  await page.reload();
  await expect.poll(() => names(page).count()).toBe(3);
  await page.getByLabel('Select all loaded runs').check();
  await page.getByRole('button', { name: 'Rerun' }).click();
  await page.getByText('Rerun 1 run? ').waitFor();
  await page.getByText('2 runs will be skipped: still open, or without stored values.').waitFor();
  await page.context().close();
  expect(at.trouble).toEqual([]);
});
