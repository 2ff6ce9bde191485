/** The page of webhooks in a browser: if this fails, somebody cannot make an address for another service, or see what it sent. */
import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/language/graph/values/value.ts';
import { chain, transform } from '../../support/definitions.ts';
import { sleep } from '../../support/waiting.ts';
import { inBothThemes } from './support/axe.ts';
import { listUnreachable } from './support/phone.ts';
import { createWorkflow } from './support/new-workflow.ts';
import { signInTo } from './support/sign-in.ts';
import { visitAs } from './support/visit.ts';
import { startWebStack, type WebStack } from './support/web-stack.ts';

const SECRET = 'a secret that only two know';

let at: WebStack;
beforeAll(async () => {
  at = await startWebStack();
  // The first test asks nearly as often as the free plan allows in a minute.
  await at.canvas.api.deps.db.query(`ALTER TABLE organizations ALTER COLUMN plan SET DEFAULT 'enterprise'`);
});
afterAll(() => at.close());

/** Sends a body as GitHub does. */
const send = (url: string, body: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(url, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'X-GitHub-Delivery': crypto.randomUUID(),
      'X-Hub-Signature-256': `sha256=${createHmac('sha256', SECRET).update(body).digest('hex')}`,
      ...headers,
    },
    body,
  });

test('a webhook is created, sent to, read in its log, delivered again, switched off, rotated and deleted; an error workflow is chosen', async () => {
  const page = await signInTo(at, { email: 'hooks@example.com' });
  await createWorkflow(page, 'Apology');
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
  await expect.poll(() => listUnreachable(page)).toEqual([]);

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
  // A forced click does not wait until nothing lies above.
  await log.waitFor({ state: 'detached' });

  const enabled = row.getByRole('switch', { name: 'Enable New issues' });
  await enabled.click({ force: true });
  await expect.poll(async () => (await send(url, '{}')).status).toBe(404);
  // The service knows before the page has read its list again.
  await expect.poll(() => enabled.isChecked()).toBe(false);
  await enabled.click({ force: true });
  await expect.poll(async () => (await send(url, '{}')).status).toBe(202);

  await row.getByRole('button', { name: 'Edit: New issues' }).click();
  const edit = page.getByRole('dialog', { name: 'Edit New issues' });
  await edit.getByLabel('Filter (JSON)').fill('{"left": "{{body.action}}", "op": "like", "right": "opened"}');
  await edit.getByRole('button', { name: 'Save' }).click();
  await edit.locator('.mantine-JsonInput-error').waitFor();
  await edit.getByLabel('Filter (JSON)').fill('{"left": "{{body.action}}", "op": "eq"');
  await edit.getByText('This is not valid JSON.').waitFor();
  await edit.getByLabel('Filter (JSON)').fill('{"left": "{{body.action}}", "op": "eq", "right": "opened"}');
  await edit.getByLabel('Mapping (JSON)').fill('{"message": "{{body.action}}"}');
  expect(await inBothThemes(page)).toEqual([]);
  await edit.getByRole('button', { name: 'Save' }).click();
  await edit.waitFor({ state: 'detached' });
  // The secret was kept, and the filter holds.
  const closed = await send(url, '{"action":"closed"}');
  expect([closed.status, ((await closed.json()) as { status: string }).status]).toEqual([200, 'filtered']);
  expect((await send(url, '{"action":"opened","n":3}')).status).toBe(202);
  await row.getByRole('button', { name: 'Edit: New issues' }).click();
  await expect.poll(() => edit.getByLabel('Mapping (JSON)').inputValue()).toContain('{{body.action}}');
  await edit.getByLabel('Filter (JSON)').fill('');
  await edit.getByText('Leave empty to use the body, because GitHub signs only the body.').waitFor();
  await edit.getByLabel('ID header').fill('X Order');
  await edit.getByRole('button', { name: 'Save' }).click();
  await edit.getByLabel('ID header').and(page.locator('[aria-invalid=true]')).waitFor();
  await edit.getByLabel('ID header').fill(' X-Order ');
  expect(await inBothThemes(page)).toEqual([]);
  await edit.getByRole('button', { name: 'Save' }).click();
  await edit.waitFor({ state: 'detached' });
  // The body of the last request, under the ids of two orders: each is one run.
  const order = async (id: string): Promise<string> => {
    const answer = await send(url, '{"action":"opened","n":3}', { 'X-Order': id });
    return ((await answer.json()) as { status: string }).status;
  };
  expect([await order('1'), await order('2'), await order('2')]).toEqual([
    'accepted',
    'accepted',
    'duplicate',
  ]);
  await row.getByRole('button', { name: 'Edit: New issues' }).click();
  await expect.poll(() => edit.getByLabel('ID header').inputValue()).toBe('X-Order');
  await edit.getByRole('combobox', { name: 'Duplicates' }).click();
  await page.getByRole('option', { name: 'Never' }).click();
  await edit.getByLabel('ID header').waitFor({ state: 'detached' });
  await edit.getByRole('button', { name: 'Save' }).click();
  await edit.waitFor({ state: 'detached' });
  expect([await order('2'), await order('2')]).toEqual(['accepted', 'accepted']);

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
});

test('the next request to a webhook fills the input of a test run, without a run of its own', async () => {
  const page = await signInTo(at, { email: 'listener@example.com' });
  await createWorkflow(page, 'Inbox');
  const editor = page.url();
  const dialog = page.getByRole('dialog', { name: 'Run workflow' });
  const open = async (): Promise<void> => {
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await dialog.getByText('Input from a webhook').click();
  };
  await open();
  await dialog.getByText('This workflow has no webhooks.').waitFor();
  await dialog.getByRole('link', { name: 'Create your first webhook' }).click();
  await page.getByRole('button', { name: 'Create your first webhook' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('New issues');
  await page.getByRole('dialog').getByRole('combobox', { name: 'Response' }).click();
  await page.getByRole('option', { name: 'Respond from a node' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
  const url =
    (await page
      .getByRole('row', { name: /New issues/ })
      .locator('code')
      .textContent()) ?? '';

  await page.goto(editor);
  await page.waitForSelector('[data-node="first"]');
  // A stop that is slow does not end what was begun after it.
  const done: string[] = [];
  page.on('requestfinished', (request) => {
    if (request.url().endsWith('/listen')) done.push(request.method());
  });
  await page.route('**/listen', async (route) => {
    if (route.request().method() === 'DELETE') await sleep(1_000);
    await route.continue();
  });
  await open();
  await dialog.getByRole('button', { name: 'Listen for test event' }).press('Enter');
  await dialog.getByText('Waiting for a request').waitFor();
  expect(await inBothThemes(page)).toEqual([]);
  await expect.poll(() => dialog.locator('code').textContent()).toBe(url);
  // The keyboard is at the button that stops.
  await page.keyboard.press('Enter');
  await dialog.getByRole('button', { name: 'Listen for test event' }).press('Enter');
  await dialog.getByText('Waiting for a request').waitFor();
  await expect.poll(() => done).toEqual(['POST', 'DELETE', 'POST']);
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: '{"action":"opened"}',
  });
  expect(await answer.json()).toMatchObject({ status: 'captured', run_id: null });
  await dialog.getByText('The input was filled in. The request did not start a run.').waitFor();
  await expect
    .poll(async () => JSON.parse(await dialog.getByLabel('Input (JSON)').inputValue()))
    .toEqual({ action: 'opened' });
  expect(await inBothThemes(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await page.context().close();
  expect(at.trouble).toEqual([]);
});

test('a workflow is offered as a tool of the MCP server, with the address that clients need', async () => {
  const page = await signInTo(at, { email: 'mcp@example.com' });
  await createWorkflow(page, 'Refunds');
  await page.getByRole('button', { name: 'Workflow settings' }).click();
  await page.getByText('MCP tool', { exact: true }).click();
  await page.getByRole('switch', { name: 'Offer as an MCP tool' }).click({ force: true });
  await page.getByLabel('Tool name').fill('refund');
  await page.getByLabel('Description for the model').fill('Pays money back');
  await page.getByLabel('Description for the model').blur();
  await expect
    .poll(() => page.getByRole('group', { name: 'Server URL' }).locator('code').textContent())
    .toBe(`${at.origin}/mcp`);
  await page.getByRole('button', { name: 'Test', exact: true }).click();
  await page.getByText('Not available yet. Deploy the workflow first.').waitFor();
  expect(await inBothThemes(page)).toEqual([]);
  await expect.poll(() => page.getAttribute('[data-save]', 'data-save')).toBe('Saved');
  await page.getByRole('link', { name: 'Versions' }).click();
  await page.getByRole('heading', { name: /^Versions: / }).waitFor();
  await page.getByRole('button', { name: 'Deploy' }).click();
  await page.getByText('1.0.0').first().waitFor();
  await page.goBack();
  await page.getByRole('button', { name: 'Workflow settings' }).click();
  await page.getByRole('button', { name: 'Test', exact: true }).click();
  await page.getByText('Available as the tool refund.').waitFor();
  await page.context().close();
  expect(at.trouble).toEqual([]);
});

test('a webhook says how its sender signs, and takes what is signed so', async () => {
  const page = await signInTo(at, { email: 'signatures@example.com' });
  await createWorkflow(page, 'Apology');
  await page.getByRole('link', { name: 'Workflows', exact: true }).click();
  await page.getByRole('link', { name: 'Starter workflow' }).click();
  await page.getByRole('link', { name: 'Versions' }).click();
  await page.getByRole('link', { name: 'Webhooks' }).click();
  await page.getByRole('button', { name: 'Create your first webhook' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Orders');
  await dialog.getByRole('combobox', { name: 'Verification' }).click();
  await page.getByRole('option', { name: 'HMAC signature' }).click();
  await dialog.getByLabel('Signature header').fill('X-Proof');
  await dialog.getByLabel('Signed text').fill('{time}.{body}');
  await dialog.getByLabel('Text before the signature').fill('v2=');
  await dialog.getByLabel('Secret').fill(SECRET);
  await dialog.getByRole('button', { name: 'Create' }).click();
  await dialog.getByText(/A signed \{time\} needs/).waitFor();
  await dialog.getByLabel('Time header').fill('X-Time');
  expect(await inBothThemes(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Create' }).click();
  const row = page.getByRole('row', { name: /Orders/ });
  await row.getByText('HMAC signature').waitFor();
  const url = (await row.locator('code').textContent()) ?? '';
  const time = String(Math.floor(Date.now() / 1_000));
  const mac = createHmac('sha256', SECRET).update(`${time}.{}`).digest('hex');
  expect((await send(url, '{}', { 'X-Time': time, 'X-Proof': `v2=${mac}` })).status).toBe(202);
  expect((await send(url, '{"a":1}', { 'X-Time': time, 'X-Proof': `v2=${mac}` })).status).toBe(401);

  await row.getByRole('button', { name: 'Edit: Orders' }).click();
  const edit = page.getByRole('dialog', { name: 'Edit Orders' });
  await expect.poll(() => edit.getByLabel('Time header').inputValue()).toBe('X-Time');
  await edit.getByLabel('Name', { exact: true }).fill('Paid orders');
  await edit.getByRole('button', { name: 'Save' }).click();
  await edit.waitFor({ state: 'detached' });
  expect((await send(url, '{}', { 'X-Time': time, 'X-Proof': `v2=${mac}` })).status).toBe(202);
  await page.context().close();
});

test('a webhook and a schedule of the definition: deployed from the canvas, given a secret, paused, and down with their version', async () => {
  const { page, open, call } = await visitAs(at, 'triggers@example.com');
  const withTriggers = (triggers: JsonObject): JsonObject => ({
    ...chain(transform('answer', { text: 'Thanks' })),
    config: { triggers },
  });
  const triggers = {
    orders: { type: 'webhook', name: 'Orders', verification: 'github' },
    mornings: { type: 'schedule', name: 'Mornings', cron_expression: '30 9 * * 1-5' },
  };
  const { id = '' } = await call('POST', '/workflows', {
    name: 'Shop',
    workflow_schema: withTriggers(triggers),
  });
  await open(`/workflows/${id}`);
  await page.waitForSelector('[data-node="answer"]');
  await page.getByRole('button', { name: 'Deploy', exact: true }).click();
  const deploy = page.getByRole('dialog', { name: /Deploy/ });
  await deploy.getByRole('button', { name: 'Deploy', exact: true }).click();
  await deploy.waitFor({ state: 'detached' });

  await open(`/workflows/${id}/webhooks`);
  const row = page.getByRole('row', { name: /Orders/ });
  await row.getByText('Trigger “orders” of the workflow').waitFor();
  await row.getByText('No secret yet: every request is rejected').waitFor();
  await expect.poll(() => row.getByRole('button').allTextContents()).not.toContain('Edit');
  const url = (await row.locator('code').textContent()) ?? '';
  expect((await send(url, '{}')).status).toBe(401);
  await row.getByRole('button', { name: 'Secrets: Orders' }).click();
  const secrets = page.getByRole('dialog', { name: 'Secrets of Orders' });
  await secrets.getByLabel('Secret').fill(SECRET);
  expect(await inBothThemes(page)).toEqual([]);
  await secrets.getByRole('button', { name: 'Save' }).click();
  await secrets.waitFor({ state: 'detached' });
  await row.getByText('No secret yet').waitFor({ state: 'detached' });
  expect((await send(url, '{}')).status).toBe(202);

  await open('/schedules');
  const mornings = page.getByRole('row', { name: /Mornings/ });
  await mornings.getByText('Trigger “mornings” of the workflow').waitFor();
  await expect.poll(() => mornings.getByRole('button').allTextContents()).not.toContain('Delete');
  expect(await inBothThemes(page)).toEqual([]);

  await call('PUT', `/workflows/${id}`, { workflow_schema: withTriggers({}) });
  await call('POST', `/workflows/${id}/deploy`, {});
  await open('/schedules');
  await mornings.getByText('Not in the live version').waitFor();
  await open(`/workflows/${id}/webhooks`);
  await row.getByText('Not in the live version').waitFor();
  expect((await send(url, '{}')).status).toBe(404);
  await row.getByRole('button', { name: 'Delete: Orders' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('No webhooks yet.').waitFor();
});
