/** Somebody could not see, find, add, correct or delete what workflows remember, or would overwrite what another has written. In a real browser. */
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inBothThemes } from './support/axe.ts';
import { listUnreachable } from './support/phone.ts';
import { visitAs } from './support/visit.ts';
import { startWebStack, type WebStack } from './support/web-stack.ts';

let at: WebStack;
beforeAll(async () => {
  at = await startWebStack();
});
afterAll(() => at.close());

const SHOTS = process.env['TABLE_SHOTS'];

test('a table is made, and its rows are added, found, edited, exported and deleted by keys and pointer', async () => {
  const { page, open, call, organizationId } = await visitAs(at, 'owner-of-tables@example.com');
  await open('/');
  await page.getByRole('link', { name: 'Tables' }).click();
  await page.getByText('No tables yet.').waitFor();
  expect(await inBothThemes(page)).toEqual([]);
  await page.getByRole('button', { name: 'Create your first table' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Customers');
  await dialog.getByLabel('Description').fill('The last order of each customer');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Customers' }).waitFor();
  await page.getByText('No rows yet.').waitFor();
  expect(await inBothThemes(page)).toEqual([]);
  const tableId = page.url().split('/').at(-1) ?? '';

  await page.getByRole('button', { name: 'New row' }).click();
  await dialog.getByLabel('Key').fill('ada');
  await dialog.getByLabel('Value').fill('active');
  await dialog.getByText('This is not JSON.').waitFor();
  await expect.poll(() => dialog.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
  expect(await inBothThemes(page)).toEqual([]);
  await dialog.getByLabel('Value').fill('{"status": "active", "orders": 3}');
  await dialog.getByRole('button', { name: 'Save' }).click();
  const ada = page.getByRole('row', { name: /^ada/ });
  await ada.getByText('owner-of-tables@example.com').waitFor();
  await page.getByText('1 row', { exact: true }).waitFor();

  // A key that is taken is not replaced.
  await page.getByRole('button', { name: 'New row' }).click();
  await dialog.getByLabel('Key').fill('ada');
  await dialog.getByLabel('Value').fill('1');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText('There is a row with this key.').waitFor();
  await page.keyboard.press('Escape');

  // A row that somebody else has changed meanwhile is not overwritten.
  await page.getByRole('button', { name: 'Edit: ada' }).focus();
  await page.keyboard.press('Enter');
  await call('PUT', `/tables/${tableId}/rows/ada`, { value: { status: 'gone' } });
  await dialog.getByLabel('Value').fill('{"status": "late"}');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText('Someone else has changed this row.').waitFor();
  await page.keyboard.press('Escape');
  await ada.getByText('{"status":"gone"}').waitFor();
  await page.getByRole('button', { name: 'Edit: ada' }).click();
  await dialog.getByLabel('Value').fill('{"status": "late"}');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await ada.getByText('{"status":"late"}').waitFor();

  const { db } = at.canvas.api.deps;
  const runPk = randomUUID();
  await db.query(
    `INSERT INTO data_rows (table_id, organization_id, key, value, version, run_pk, step_id)
     SELECT $1, $2, 'feed ' || lpad(n::text, 3, '0'), '{"seen":"done"}', 1, $3, $3 FROM generate_series(1, 60) AS n`,
    [tableId, organizationId, runPk],
  );
  await db.query('UPDATE data_tables SET row_count = row_count + 60 WHERE id = $1', [tableId]);
  await page.reload();
  await ada.waitFor();
  const run = page.getByRole('link', { name: 'Run: feed 001' });
  await expect.poll(() => run.getAttribute('href')).toContain(`/runs/${runPk}`);
  await expect.poll(() => page.getByRole('row', { name: /^feed/ }).count()).toBe(49);
  await page.getByRole('button', { name: 'Load more' }).click();
  await page.getByRole('row', { name: /^feed 060/ }).waitFor();
  expect(await inBothThemes(page)).toEqual([]);
  if (SHOTS !== undefined) await page.screenshot({ path: `${SHOTS}/rows.png` });

  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export' }).click();
  const file = await downloading;
  expect(file.suggestedFilename()).toBe('Customers.jsonl');
  const lines = (await readFile(await file.path(), 'utf8')).trim().split('\n');
  expect([lines.length, lines[0]]).toEqual([61, '{"key":"ada","value":{"status":"late"}}']);

  await page.getByRole('searchbox', { name: 'Field' }).fill('status');
  await page.getByRole('searchbox', { name: 'Equals' }).fill('late');
  await expect.poll(() => page.getByRole('row', { name: /^feed/ }).count()).toBe(0);
  await ada.waitFor();
  await page.getByRole('searchbox', { name: 'Keys that begin with' }).fill('b');
  await page.getByText('No rows match.').waitFor();
  await page.getByRole('searchbox', { name: 'Keys that begin with' }).fill('a');
  await ada.waitFor();

  await page.setViewportSize({ width: 390, height: 800 });
  await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
  await expect.poll(() => listUnreachable(page)).toEqual([]);
  expect(await inBothThemes(page)).toEqual([]);
  if (SHOTS !== undefined) await page.screenshot({ path: `${SHOTS}/phone.png` });
  await page.getByRole('button', { name: 'Delete: ada' }).click();
  await dialog.getByText('Delete the row “ada”?').waitFor();
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await page.getByText('No rows match.').waitFor();

  await open('/tables');
  await page.getByRole('row', { name: /^Customers/ }).waitFor();
  if (SHOTS !== undefined) await page.screenshot({ path: `${SHOTS}/list.png` });
  await page.getByRole('button', { name: 'Delete: Customers' }).click();
  await dialog.getByText('Delete “Customers” with 60 rows?').waitFor();
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await page.getByText('No tables yet.').waitFor();
  expect(await db.query('SELECT 1 FROM data_rows WHERE table_id = $1', [tableId])).toEqual([]);
  await page.context().close();
  expect(at.trouble).toEqual([]);
});

test('a table that is not there is a missing page', async () => {
  const { page, open } = await visitAs(at, 'nobody-of-tables@example.com');
  await open(`/tables/${randomUUID()}`);
  await page
    .getByText(/not exist|not found/i)
    .first()
    .waitFor();
  await page.context().close();
});
