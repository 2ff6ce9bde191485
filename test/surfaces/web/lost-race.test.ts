/** If this fails, a person whose colleague has answered first loses what they typed, and believes that their answer counts. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { ask, approval } from '../../support/questions.ts';
import { inBothThemes } from './support/axe.ts';
import { createWorkflow } from './support/new-workflow.ts';
import { signInTo } from './support/sign-in.ts';
import { startWebStack, type WebStack } from './support/web-stack.ts';

let at: WebStack;
beforeAll(async () => {
  at = await startWebStack();
});
afterAll(() => at.close());

/** The list is read every 10 s. */
const WITHIN = { timeout: 45_000 };
const FORM = { type: 'object', properties: { remark: { type: 'string', title: 'Remark' } } };

/** Signs two people of one organization in. @returns the organization with their pages */
async function signBothIn(): Promise<{ org: string; ada: Page; ben: Page }> {
  const ada = await signInTo(at, { email: 'ada@example.com' });
  const ben = await signInTo(at, { email: 'ben@example.com' });
  const [joined] = await at.canvas.api.deps.db.query<{ org: string }>(
    `INSERT INTO memberships (user_id, organization_id, role)
     SELECT b.id, m.organization_id, 'admin' FROM users b, users a JOIN memberships m ON m.user_id = a.id
     WHERE b.email = 'ben@example.com' AND a.email = 'ada@example.com' RETURNING organization_id AS org`,
    [],
  );
  return { org: joined?.org ?? '', ada, ben };
}

/** Starts a run that asks. @returns the run_pk */
async function askIn(page: Page, title: string): Promise<string> {
  const { db } = at.canvas.api.deps;
  await page.getByRole('link', { name: 'Workflows' }).first().click();
  await createWorkflow(page, title);
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await page.getByRole('button', { name: 'Run draft' }).click();
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
  const [run] = await db.query<{ id: string; run_id: string }>(
    'SELECT id, run_id FROM runs WHERE workflow_name = $1',
    [title],
  );
  await ask(db, run?.run_id ?? '', { ...approval, title, form: FORM });
  return run?.id ?? '';
}

test('who answers second, or was still typing, is told who was first, and keeps the text', async () => {
  const { org, ada, ben } = await signBothIn();
  const [first, second] = [await askIn(ada, 'Pay?'), await askIn(ada, 'Ship?')];
  const cardOn = (page: Page, name: string) => page.getByRole('region', { name });
  const address = `${at.origin}/app/o/${org}`;
  await ben.goto(`${address}/questions`);
  const [pay, ship] = [cardOn(ben, 'Pay?'), cardOn(ben, 'Ship?')];
  await pay.getByLabel('Remark').fill('Not before May');
  await ship.getByLabel('Remark').fill('By plane');

  // The list of the second one is older than the answer of the first.
  await ben.route('**/interrupts?*', (route) => route.abort());
  await ada.goto(`${address}/questions`);
  await cardOn(ada, 'Pay?').getByRole('button', { name: 'Approve' }).click();
  await expect.poll(() => cardOn(ada, 'Pay?').count(), WITHIN).toBe(0);
  await pay.getByRole('button', { name: 'Reject' }).click();
  const told = 'Answered first by ada@example.com: Approve.';
  await pay.getByText(told).waitFor(WITHIN);
  await pay.getByText('Not before May').waitFor();
  await expect.poll(() => pay.getByRole('button', { name: 'Approve' }).count()).toBe(0);
  await ben.unrouteAll();
  await expect.poll(() => cardOn(ben, 'Ship?').count(), WITHIN).toBe(1);
  expect(await inBothThemes(ben)).toEqual([]);

  // The page of the run: the answer of somebody else ends the typing there, too.
  const other = await ben.context().newPage();
  await other.goto(`${at.origin}/app/`);
  await other.goto(`${address}/runs/${second}`);
  const onRun = cardOn(other, 'Ship?');
  await onRun.getByLabel('Remark').fill('By train');
  await cardOn(ada, 'Ship?').getByRole('button', { name: 'Approve' }).click();
  for (const [card, text] of [
    [ship, 'By plane'],
    [onRun, 'By train'],
  ] as const) {
    await card.getByText(told).waitFor(WITHIN);
    await card.getByText(text).waitFor();
    await card.getByRole('button', { name: 'Copy your text' }).waitFor();
    await card.getByRole('button', { name: 'Dismiss' }).click();
    await expect.poll(() => card.count()).toBe(0);
  }
  await expect.poll(() => pay.getByText('Not before May').count()).toBe(1);
  expect(first).not.toBe(second);
  await ada.context().close();
  await ben.context().close();
  expect(at.trouble).toEqual([]);
});
