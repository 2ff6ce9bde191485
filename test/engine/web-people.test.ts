/** The Assistant, the Composer or the pages of an organization's people would fail somebody in a browser. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import type { TopupPort } from '../../src/platform/billing/topup.ts';
import type { JsonObject } from '../../src/language/graph/values/value.ts';
import { chain, transform } from '../support/definitions.ts';
import { startModelServer, type ModelServer, type ScriptedAnswer } from '../support/model-server.ts';
import { managedModels } from '../support/engine-with-servers.ts';
import { setTerms } from '../support/money.ts';
import { inBothThemes } from '../surfaces/web/support/axe.ts';
import { startEngineStack } from '../surfaces/web/support/engine-stack.ts';
import { signInTo } from '../surfaces/web/support/sign-in.ts';
import type { WebStack } from '../surfaces/web/support/web-stack.ts';

const CHECKOUT = 'https://checkout.example/pay';
const topups: TopupPort = { begin: () => Promise.resolve({ checkoutUrl: CHECKOUT }), confirm: () => null };

let model: ModelServer;
let at: WebStack;
beforeAll(async () => {
  model = await startModelServer();
  at = await startEngineStack({ ...managedModels(model), OUTBOUND_ALLOW: model.hostPort }, { topups });
});
beforeEach(() => {
  at.trouble.length = 0;
});
afterAll(async () => {
  await at.close();
  await model.close();
});

const WITHIN = { timeout: 45_000 };

// Nodes that are not seen are not mounted, and the Composer stands beside them.
const window = { width: 2_000, height: 1_000 };
const signIn = (email: string): Promise<Page> => signInTo(at, { email, window });

/** Managed models are for plans that are paid. */
async function makePaid(email: string): Promise<void> {
  const { db } = at.canvas.api.deps;
  const [row] = await db.query<{ org: string }>(
    'SELECT m.organization_id AS org FROM memberships m JOIN users u ON u.id = m.user_id WHERE u.email = $1',
    [email],
  );
  await setTerms(db, row?.org ?? '', { plan: 'pro' });
}

const go = (page: Page, name: string): Promise<void> =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true }).click();

async function say(page: Page, label: string, text: string): Promise<void> {
  await page.getByLabel(label).fill(text);
  await page.getByRole('button', { name: 'Send', exact: true }).click();
}
const MESSAGE = 'Message to the Assistant';

test('what a model writes is text and safe links; its answer is stopped, allowed to act, named and deleted', async () => {
  const page = await signIn('chats@example.com');
  await makePaid('chats@example.com');
  await page.getByRole('link', { name: 'Starter workflow' }).click();
  await page.getByRole('link', { name: 'Versions' }).click();
  // A new workflow is live: the assistant may run it.
  await page.getByText('No changes since version 1.0.0.').waitFor();

  await go(page, 'Assistant');
  await page.getByText('No chats yet.').waitFor();
  model.script({
    text: [
      '**Bold** <script>alert(1)</script> [click](javascript:alert(2)) ',
      '![pixel](https://evil.example/x.png?data=1) [site](https://example.com/a)\n\n<img src=x onerror=alert(3)>',
    ],
  });
  await say(page, MESSAGE, 'Hello <b>there</b>');
  const answer = page.getByRole('listitem').nth(1);
  await expect.poll(() => answer.textContent(), WITHIN).toContain('<script>alert(1)</script>');
  await expect.poll(() => answer.locator('strong').textContent()).toBe('Bold');
  await expect.poll(() => answer.textContent(), WITHIN).toContain('<img src=x onerror=alert(3)>');
  await expect.poll(() => page.locator('main img, main script').count()).toBe(0);
  const links = await answer
    .getByRole('link')
    .evaluateAll((all) => all.map((one) => [one.getAttribute('href'), one.getAttribute('rel')]));
  expect(links).toEqual([
    ['https://evil.example/x.png?data=1', 'noopener noreferrer'],
    ['https://example.com/a', 'noopener noreferrer'],
  ]);
  await expect.poll(() => answer.textContent()).toContain('(example.com)');
  await expect.poll(() => page.getByRole('listitem').first().textContent()).toContain('Hello <b>there</b>');
  expect(await inBothThemes(page)).toEqual([]);

  model.script({ text: Array.from({ length: 400 }, (_, at) => `word${at} `), delayMs: 100 });
  await say(page, MESSAGE, 'Count');
  await page.getByText('word3').waitFor(WITHIN);
  await page.getByRole('button', { name: 'Stop' }).click();
  await page.getByText('Stopped.').waitFor(WITHIN);

  const [tool] = (model.requests.at(-1)?.body['tools'] ?? []) as { function: { name: string } }[];
  const call = { id: 'c', name: tool?.function.name ?? '', arguments: { text: 'Hi' } };
  model.script({ toolCalls: [call] }, { text: ['It is done'] });
  await say(page, MESSAGE, 'Do it');
  const approve = page.getByRole('button', { name: /^approve/i });
  await approve.waitFor(WITHIN);
  expect(await inBothThemes(page)).toEqual([]);
  await approve.click();
  await page.getByText('It is done').waitFor(WITHIN);
  await expect.poll(() => approve.count()).toBe(0);

  model.script({ status: 400 });
  await say(page, MESSAGE, 'And now?');
  const last = page.getByRole('listitem').last();
  await expect.poll(() => last.textContent(), WITHIN).toMatch(/400|model|provider/i);

  await page.getByRole('button', { name: 'Rename' }).click();
  await page.getByLabel('Chat name').fill('<i>Named</i>');
  await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click();
  await page.getByRole('heading', { name: '<i>Named</i>' }).waitFor();
  await page.getByRole('button', { name: 'Delete chat' }).click();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByText('No chats yet.').waitFor();
  await page.context().close();
  expect(at.trouble).toEqual([]);
});

const says = (value: object): ScriptedAnswer => ({ text: [JSON.stringify(value)] });
const composed = (definition: JsonObject, summary: string): ScriptedAnswer =>
  says({ summary, workflow_schema: definition });

test('a sentence becomes a workflow after a question back; what the Composer saves comes to the open canvas; its chats are named and deleted', async () => {
  const page = await signIn('composer@example.com');
  await makePaid('composer@example.com');
  await page.getByRole('button', { name: 'New with AI' }).click();
  model.script(says({ summary: 'Which **city**?', workflow_schema: null }));
  const message = 'Describe the workflow';
  await say(page, message, 'Tell me the weather');
  await page.getByRole('dialog').getByText('city').waitFor(WITHIN);
  expect(await inBothThemes(page)).toEqual([]);
  model.script(composed(chain(transform('weather', { city: 'Berlin' })), 'It tells the weather'));
  await say(page, message, 'Berlin');
  await page.waitForSelector('[data-node="weather"]', WITHIN);
  const panel = page.getByRole('complementary', { name: 'Composer' });
  await panel.getByText('It tells the weather').waitFor(WITHIN);

  model.script(
    composed(chain(transform('weather', { city: 'Berlin' }), transform('report')), 'Added the report'),
  );
  await say(page, message, 'Report it');
  await panel.getByText('Added the report').waitFor(WITHIN);
  await page.getByRole('button', { name: 'Accept all' }).click();
  await page.locator('.react-flow').focus();
  await page.keyboard.press('1');
  await page.waitForSelector('[data-node="report"]', WITHIN);
  expect(await inBothThemes(page)).toEqual([]);
  model.script({ text: ['I will not'] });
  await say(page, message, 'Break it');
  await panel.getByText(/did not produce a valid workflow/).waitFor(WITHIN);

  await panel.getByRole('button', { name: 'Rename' }).click();
  await page.getByLabel('Chat name').fill('<b>Weather</b>');
  await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click();
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
  await panel.getByRole('button', { name: 'New chat' }).click();
  await expect.poll(() => panel.getByRole('button', { name: 'Rename' }).count()).toBe(0);
  model.script(composed(chain(transform('weather', { city: 'Rome' })), 'It is Rome now'));
  await say(page, message, 'In Rome');
  await panel.getByText('It is Rome now').waitFor(WITHIN);
  await panel.getByLabel('Chats').selectOption({ label: '<b>Weather</b>' });
  await panel.getByText('Added the report').waitFor(WITHIN);
  expect(await inBothThemes(page)).toEqual([]);
  await panel.getByRole('button', { name: 'Delete chat' }).click();
  await page.getByText('Delete “<b>Weather</b>” and').waitFor();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect.poll(() => panel.getByText('Added the report').count()).toBe(0);
  await page.getByRole('button', { name: 'Close the Composer' }).click();
  await expect.poll(() => panel.count()).toBe(0);
  await page.context().close();
  expect(at.trouble).toEqual([]);
});

test('somebody is invited, declines, is invited again, accepts, is made owner and taken out; the last owner stays; organizations are named and made', async () => {
  const bob = await signIn('bob-invited@example.com');
  const page = await signIn('ada-owner@example.com');
  const isIn = (window: Page, name: string) =>
    window.getByRole('button', { name: `Organization: ${name}` }).waitFor();
  await go(page, 'Members');
  await page.getByRole('button', { name: 'Rename' }).click();
  await page.getByLabel('Organization name').fill('Ada & <b>Co</b>');
  await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click();
  await isIn(page, 'Ada & <b>Co</b>');
  await page.getByRole('button', { name: 'Invite member' }).click();
  await page.getByLabel('Email').fill('bob-invited@example.com');
  await page.getByRole('button', { name: 'Invite', exact: true }).click();
  await page.getByText('No email is sent.').waitFor();

  await bob.reload();
  await bob.getByText('You are invited to “Ada & <b>Co</b>”').waitFor();
  expect(await inBothThemes(bob)).toEqual([]);
  await bob.getByRole('button', { name: 'Decline' }).click();
  await bob.getByText('Decline the invitation to “Ada & <b>Co</b>”?').waitFor();
  expect(await inBothThemes(bob)).toEqual([]);
  await bob.getByRole('dialog').getByRole('button', { name: 'Decline' }).click();
  await expect.poll(() => bob.getByText('You are invited').count()).toBe(0);
  await page.reload();
  await page.getByText('No pending invitations.').waitFor();
  await page.getByRole('button', { name: 'Invite member' }).click();
  await page.getByLabel('Email').fill('bob-invited@example.com');
  await page.getByRole('button', { name: 'Invite', exact: true }).click();
  await page.getByText('No email is sent.').waitFor();
  await bob.reload();
  await bob.getByRole('button', { name: 'Accept' }).click();
  await isIn(bob, 'Ada & <b>Co</b>');
  await expect.poll(() => bob.getByRole('button', { name: 'Accept' }).count()).toBe(0);

  await page.reload();
  const choose = async (email: string, role: string): Promise<void> => {
    await page.getByLabel(`Role: ${email}`).first().click();
    await page.getByRole('option', { name: role }).click();
  };
  await choose('ada-owner@example.com', 'Admin');
  await page.getByText('An organization must keep at least one owner').waitFor();
  await choose('bob-invited@example.com', 'Owner');
  const role = page.getByLabel('Role: bob-invited@example.com').first();
  await expect.poll(() => role.inputValue()).toBe('Owner');
  expect(await inBothThemes(page)).toEqual([]);
  await page.getByRole('button', { name: 'Remove: bob-invited@example.com' }).click();
  await page.getByRole('button', { name: 'Remove', exact: true }).click();
  await expect.poll(() => role.count()).toBe(0);
  await bob.reload();
  await bob.getByText('You are not a member of this organization').waitFor();
  await bob.getByRole('button', { name: /^Go to bob/ }).click();
  await isIn(bob, 'bob');
  await bob.context().close();

  await page.getByRole('button', { name: 'New organization' }).click();
  await page.getByLabel('Organization name').fill('Second');
  await page.getByRole('button', { name: 'Create' }).click();
  await isIn(page, 'Second');
  await page.context().close();
  expect(at.trouble).toEqual([]);
});

test('a request for help is sent or kept; a wallet is for paid plans, and is topped up at the provider', async () => {
  const page = await signIn('wallet@example.com');
  await go(page, 'Support');
  await page.getByLabel('Subject').fill('A run hangs');
  await page.getByLabel('What happened').fill('It has waited for a day.');
  await page.route('**/requests', (route) => route.abort(), { times: 4 });
  await page.getByRole('button', { name: 'Send request' }).click();
  await page.getByRole('alert').waitFor(WITHIN);
  await expect.poll(() => page.getByLabel('Subject').inputValue()).toBe('A run hangs');
  await page.unroute('**/requests');
  await page.getByRole('button', { name: 'Send request' }).click();
  await page.getByText(/was sent\.$/).waitFor();
  await expect.poll(() => page.getByLabel('Subject').inputValue()).toBe('');
  expect(await inBothThemes(page)).toEqual([]);

  await go(page, 'Usage');
  await page.getByText('No usage in this period.').waitFor();
  const { db } = at.canvas.api.deps;
  await db.query(
    `INSERT INTO credit_usage (organization_id, subject_id, step_id, kind, model, is_byok, input_tokens, output_tokens, credits_mc)
     SELECT m.organization_id, gen_random_uuid(), gen_random_uuid(), 'llm', 'm', false, 1000, 200, 12500
     FROM memberships m JOIN users u ON u.id = m.user_id WHERE u.email = 'wallet@example.com'`,
  );
  await page.setViewportSize({ width: 360, height: 740 });
  await page.reload();
  const chart = page.getByRole('img', { name: /^Credits: 12.5 in total/ });
  await chart.waitFor();
  await expect.poll(() => chart.locator('title').count()).toBe(30);
  await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBe(360);
  await page.getByText('Show as table').click();
  await page.getByRole('cell', { name: '1,200' }).waitFor();
  expect(await inBothThemes(page)).toEqual([]);
  await page.getByText('7 days').click();
  await expect.poll(() => chart.locator('title').count()).toBe(7);
  await page.getByRole('radiogroup', { name: 'Metric' }).getByText('Runs').click();
  await page.getByText('No usage in this period.').waitFor();
  await page.setViewportSize({ width: 2_000, height: 1_000 });
  const extra = page.getByLabel('Use the wallet when the plan’s credits run out');
  await extra.click();
  await page.getByText('This needs a paid plan.').waitFor();
  await expect.poll(() => extra.isChecked()).toBe(false);
  await makePaid('wallet@example.com');
  await extra.click();
  await expect.poll(() => extra.isChecked()).toBe(true);
  expect(await inBothThemes(page)).toEqual([]);
  await page.route(`${CHECKOUT}**`, (route) => route.fulfill({ body: 'Pay here' }));
  await page.getByRole('button', { name: 'Top up' }).click();
  await page.getByLabel('Amount').fill('500');
  await page.getByRole('button', { name: 'Continue to payment' }).click();
  await page.getByText('Pay here').waitFor();
  await expect.poll(() => page.url()).toBe(CHECKOUT);
  await page.context().close();
  expect(at.trouble).toEqual([]);
});
