/** Owners could not say what may leave, or a colleague would learn of a refusal only after Deploy. In a real browser. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import type { JsonObject } from '../../../src/language/graph/values/value.ts';
import { chain, node } from '../../support/definitions.ts';
import { inBothThemes } from './support/axe.ts';
import { listUnreachable } from './support/phone.ts';
import { visitAs } from './support/visit.ts';
import { startWebStack, type WebStack } from './support/web-stack.ts';

let at: WebStack;
beforeAll(async () => {
  at = await startWebStack();
  await at.canvas.api.deps.db.query(`ALTER TABLE organizations ALTER COLUMN plan SET DEFAULT 'enterprise'`);
});
afterAll(() => at.close());

const send = (id: string, url: string): JsonObject => node(id, 'tool', { kind: 'http', method: 'POST', url });
const names = (page: Page): Promise<string[]> =>
  page.locator('.data-table tbody tr td:first-child').allTextContents();

test('an owner makes, orders and edits rules; a colleague reads them, and sees a refusal before Deploy and before an older version is set live', async () => {
  const { page, open, call, organizationId } = await visitAs(at, 'owner-of-rules@example.com');
  const { id = '' } = await call('POST', '/workflows', {
    name: 'Leaks',
    workflow_schema: chain(send('leak', 'https://bad.example/a'), send('fine', 'https://good.example/a')),
  });
  await call('POST', `/workflows/${id}/deploy`, {});
  await call('PUT', `/workflows/${id}`, {
    name: 'Leaks',
    workflow_schema: chain(send('fine', 'https://good.example/a')),
  });
  await call('POST', `/workflows/${id}/deploy`, {});
  await call('PUT', `/workflows/${id}`, {
    name: 'Leaks',
    workflow_schema: chain(send('other', 'https://other.example/a')),
  });

  await open('/effect-rules');
  await page.getByText('No rules yet').waitFor();
  expect(await inBothThemes(page)).toEqual([]);
  await page.getByRole('button', { name: 'New rule' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Known hosts only');
  await dialog.getByRole('button', { name: 'Add condition' }).click();
  await dialog.getByLabel('Comparison').selectOption('not_in');
  const values = dialog.getByRole('combobox', { name: 'Values' });
  await values.fill('good.example,api.example');
  await values.press('Enter');
  await dialog.getByRole('button', { name: 'Add condition' }).click();
  await dialog.getByLabel('Field').nth(1).selectOption('door');
  await dialog.getByLabel('Comparison').nth(1).selectOption('eq');
  await dialog.getByLabel('Value', { exact: true }).selectOption('http');
  expect(await inBothThemes(page)).toEqual([]);
  // The rows are shown as JSON, too, and come back.
  await dialog.getByRole('button', { name: 'Edit as JSON' }).click();
  const readJson = async (): Promise<unknown> =>
    JSON.parse(await dialog.getByLabel('Condition (JSON)').inputValue());
  await expect.poll(readJson).toEqual([
    { left: '{{host}}', op: 'not_in', right: ['good.example', 'api.example'] },
    { left: '{{door}}', op: 'eq', right: 'http' },
  ]);
  await dialog.getByRole('button', { name: 'Edit as fields' }).click();
  const preview = dialog.getByRole('button', { name: 'Preview on live versions' });
  await preview.click();
  await dialog.getByText('Nothing in 2 live versions matches.').waitFor();
  await dialog.getByRole('button', { name: 'Create rule' }).click();
  await page
    .getByRole('row', {
      name: /1\. Known hosts only Refuse Host is none of good\.example, api\.example and Kind equals HTTP request/,
    })
    .waitFor();

  await page.getByRole('button', { name: 'New rule' }).click();
  await dialog.getByLabel('Name').fill('Other');
  // What the form says of a decision, with whom it asks, is kept.
  await dialog.getByText('Ask', { exact: true }).click();
  await dialog.getByRole('combobox', { name: 'Who may approve' }).click();
  await page.getByRole('option', { name: 'Owners' }).click();
  await page.keyboard.press('Escape');
  await dialog.getByLabel('Required approvals').fill('2');
  await dialog.getByLabel('Time to approve (hours)').fill('0.5');
  await dialog.getByLabel('Message to the people').fill('Look twice');
  // Without a condition it is about all that the rule above leaves to it.
  await preview.click();
  const hits = dialog.getByRole('list', { name: /^Asks people about \d+ effects? of live versions$/ });
  await hits.getByText('Test, version 2.0.0: POST good.example (fine) – today: Allow').waitFor();
  expect(await inBothThemes(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Add condition' }).click();
  // The hits were those of another condition.
  await hits.waitFor({ state: 'detached' });
  // "Is one of" would never match a list.
  await dialog.getByLabel('Field').selectOption('target.knowledge_base_ids');
  await expect.poll(() => dialog.getByLabel('Comparison').inputValue()).toBe('contains');
  await dialog.getByLabel('Field').selectOption('host');
  await dialog.getByLabel('Comparison').selectOption('eq');
  await dialog.getByLabel('Value', { exact: true }).fill('other.example');
  await dialog.getByRole('button', { name: 'Create rule' }).click();
  await expect.poll(() => names(page)).toEqual(['1. Known hosts only', '2. Other']);
  const [made] = await at.canvas.api.deps.db.query(
    `SELECT decision, confirmation AS confirm FROM effect_rules WHERE name = 'Other'`,
  );
  expect(made).toMatchObject({
    decision: 'ask',
    confirm: {
      assignees: { roles: ['owner'] },
      required_responses: 2,
      timeout_seconds: 1_800,
      message: 'Look twice',
    },
  });
  // By keys alone; the focus stays on the rule.
  await page.getByRole('button', { name: 'Move Other up' }).focus();
  await page.keyboard.press('Enter');
  await expect.poll(() => names(page)).toEqual(['1. Other', '2. Known hosts only']);
  await page.getByText('Other is rule 1 of 2.').waitFor({ state: 'attached' });
  await expect.poll(() => page.evaluate('document.activeElement.ariaLabel')).toBe('Move Other up');
  await page.getByRole('button', { name: 'Move Other down' }).click();
  await expect.poll(() => names(page)).toEqual(['1. Known hosts only', '2. Other']);
  await page.getByRole('button', { name: 'Move Other up' }).click();
  // The page shows the order before it is stored.
  const { db } = at.canvas.api.deps;
  await expect
    .poll(() => db.query('SELECT name FROM effect_rules ORDER BY position'))
    .toEqual([{ name: 'Other' }, { name: 'Known hosts only' }]);
  await open(`/workflows/${id}/versions`);
  await page.getByText('POST other.example (other): asks first (rule “Other”)').waitFor();
  await open('/effect-rules');
  await page.getByRole('button', { name: 'Move Other down' }).click();
  await expect.poll(() => names(page)).toEqual(['1. Known hosts only', '2. Other']);
  await page.getByRole('button', { name: 'Edit: Other' }).click();
  await expect.poll(() => dialog.getByLabel('Required approvals').inputValue()).toBe('2');
  await dialog.getByText('Allow', { exact: true }).click();
  await dialog.getByLabel('Name').fill('Also other');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect.poll(() => names(page)).toEqual(['1. Known hosts only', '2. Also other']);
  await dialog.waitFor({ state: 'detached' });
  expect(await inBothThemes(page)).toEqual([]);
  await expect.poll(() => listUnreachable(page)).toEqual([]);

  const colleague = await visitAs(at, 'colleague-of-rules@example.com');
  await at.canvas.api.deps.db.query(
    `INSERT INTO memberships (user_id, organization_id, role) SELECT id, $1, 'admin' FROM users WHERE email = $2`,
    [organizationId, 'colleague-of-rules@example.com'],
  );
  const theirs = colleague.page;
  const visitThere = (path: string) => theirs.goto(`${at.origin}/app/o/${organizationId}${path}`);
  await visitThere('/effect-rules');
  await theirs.getByText('Only owners can change these rules.').waitFor();
  await expect.poll(() => names(theirs)).toEqual(['1. Known hosts only', '2. Also other']);
  await expect.poll(() => theirs.getByRole('button', { name: /New rule|Edit|Delete|Move/ }).count()).toBe(0);
  await visitThere(`/workflows/${id}/versions`);
  const refused = theirs.getByRole('list', { name: 'Refused by rules of the organization' });
  await expect
    .poll(() => refused.getByRole('listitem').allTextContents())
    .toEqual(['POST other.example (other): refused by “Known hosts only”']);
  await expect
    .poll(() => theirs.getByRole('button', { name: 'Deploy', exact: true }).isDisabled())
    .toBe(true);
  expect(await inBothThemes(theirs)).toEqual([]);
  await theirs.getByRole('button', { name: 'Set live: 1.0.0' }).click();
  const setting = theirs.getByRole('dialog', { name: 'Set live: 1.0.0' });
  await expect
    .poll(() =>
      setting
        .getByRole('list', { name: /Refused/ })
        .getByRole('listitem')
        .allTextContents(),
    )
    .toEqual(['POST bad.example (leak): refused by “Known hosts only”']);
  await expect.poll(() => setting.getByRole('button', { name: 'Set live' }).isDisabled()).toBe(true);
  await theirs.keyboard.press('Escape');

  await page.getByRole('button', { name: 'Delete: Known hosts only' }).click();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect.poll(() => names(page)).toEqual(['1. Also other']);
  await theirs.reload();
  await expect.poll(() => theirs.getByRole('button', { name: 'Deploy', exact: true }).isEnabled()).toBe(true);
  await theirs.context().close();
  await page.context().close();
  expect(at.trouble).toEqual([]);
});
