/** An organization could not see or set its budgets without the API, or would read figures without their limit. In a real browser. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { reserveBudget } from '../../../src/platform/billing/budgets.ts';
import { accept } from '../../support/runs.ts';
import { chain, transform } from '../../support/definitions.ts';
import { inBothThemes } from './support/axe.ts';
import { listUnreachable } from './support/phone.ts';
import { visitAs } from './support/visit.ts';
import { startWebStack, type WebStack } from './support/web-stack.ts';

let at: WebStack;
beforeAll(async () => {
  at = await startWebStack();
});
afterAll(() => at.close());

test('a budget is made, shows what is used of it, is changed by keys and deleted', async () => {
  const { db } = at.canvas.api.deps;
  const { page, open, call, organizationId } = await visitAs(at, 'owner-of-budgets@example.com');
  const { id: workflowId = '' } = await call('POST', '/workflows', {
    name: 'Test',
    workflow_schema: chain(transform('t')),
  });
  await open('/');
  await page.getByRole('link', { name: 'Budgets' }).click();
  await page.getByText('No budgets yet').waitFor();
  expect(await inBothThemes(page)).toEqual([]);

  await page.getByRole('button', { name: 'New budget' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Credits').fill('10');
  await dialog.getByLabel('Messages').fill('2');
  await dialog.getByText('Runs ask', { exact: true }).click();
  await dialog.getByText('The run waits before the call').waitFor();
  expect(await inBothThemes(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Create budget' }).click();
  await page
    .getByRole('row', { name: /All workflows Per month until .* Credits 0 of 10 .* Runs ask/ })
    .waitFor();

  // A second one for the same period is refused in the dialog.
  await page.getByRole('button', { name: 'New budget' }).click();
  await dialog.getByRole('button', { name: 'Create budget' }).click();
  await dialog.getByText('There is a budget for the month already').waitFor();
  await dialog.getByRole('combobox', { name: 'For' }).click();
  if (process.env['BUDGET_SHOTS'] !== undefined) {
    await page.screenshot({ path: `${process.env['BUDGET_SHOTS']}/new.png` });
  }
  await page.getByRole('option', { name: 'Test' }).click();
  await dialog.getByText('Per day', { exact: true }).click();
  await dialog.getByRole('button', { name: 'Create budget' }).click();
  await page.getByRole('row', { name: /Test Per day .* Credits 0, no limit .* Runs fail/ }).waitFor();

  const run = await accept(db, { organizationId, workflowId });
  const user = { runPk: run.runPk, stepId: randomUUID(), attempt: 1, workerId: randomUUID(), budgets: [] };
  const use = (door: string, creditsMc: number) =>
    reserveBudget(db, user, { reservationId: randomUUID(), door, creditsMc });
  expect([await use('model', 1_250), await use('message', 0), await use('message', 0)]).toEqual([
    null,
    null,
    null,
  ]);
  await page.reload();
  const row = page.getByRole('row', { name: /All workflows/ });
  await row.getByText('0 of 10 + 1.25 reserved').waitFor();
  await row.getByText('2 of 2', { exact: true }).waitFor();
  await expect
    .poll(() => row.getByRole('progressbar', { name: /Messages/ }).getAttribute('aria-valuenow'))
    .toBe('100');
  await page.getByText(/^Updated /).waitFor();
  expect(await inBothThemes(page)).toEqual([]);
  await expect.poll(() => listUnreachable(page)).toEqual([]);
  if (process.env['BUDGET_SHOTS'] !== undefined) {
    await page.screenshot({ path: `${process.env['BUDGET_SHOTS']}/list.png` });
  }

  await page.getByRole('button', { name: 'Edit: All workflows, per month' }).focus();
  await page.keyboard.press('Enter');
  await dialog.getByLabel('Credits').fill('12.5');
  if (process.env['BUDGET_SHOTS'] !== undefined)
    await page.screenshot({ path: `${process.env['BUDGET_SHOTS']}/edit.png` });
  await page.keyboard.press('Enter');
  await row.getByText('0 of 12.5 + 1.25 reserved').waitFor();
  await page.getByRole('button', { name: 'Delete: Test, per day' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('row', { name: /Test/ }).waitFor({ state: 'detached' });
  await page.context().close();
  expect(at.trouble).toEqual([]);
});
