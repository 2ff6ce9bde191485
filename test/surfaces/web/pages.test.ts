/**
 * A person could not sign in or out, work with workflows and runs, or read them by a screen reader; or a page would run foreign
 * scripts. In a real browser.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Page, WebSocketRoute } from 'playwright-core';
import { StripeTopups } from '../../../src/platform/billing/stripe-topups.ts';
import { END, START } from '../../../src/language/graph/definition/definition.ts';
import { takeStep } from '../../../src/features/data/job-runner.ts';
import { createLog } from '../../../src/base/log.ts';
import { acceptScheduledRun } from '../../../src/engine/schedules/scheduled-run.ts';
import { noteFigures } from '../../support/figures.ts';
import { setTerms } from '../../support/money.ts';
import { ask, approval } from '../../support/questions.ts';
import { inBothThemes } from './support/axe.ts';
import { startStripeServer, type StripeServer } from '../../support/stripe-server.ts';
import { compressedSizes } from './support/sizes.ts';
import { lose } from './support/engine-io.ts';
import { createWorkflow } from './support/new-workflow.ts';
import { signInTo } from './support/sign-in.ts';
import { startWebStack, type WebStack } from './support/web-stack.ts';

let at: WebStack;
let stripe: StripeServer;
beforeAll(async () => {
  stripe = await startStripeServer();
  const settings = {
    secretKey: 'sk_test_of_the_tests',
    webhookSecret: 'whsec_of_the_tests',
    currency: 'usd',
    returnUrl: 'https://app.example/billing',
    apiBase: stripe.apiBase,
  };
  const topups = new StripeTopups(settings, createLog('silent', 'test'));
  at = await startWebStack(() => Promise.resolve({ topups }));
});
afterAll(async () => {
  await at.close();
  await stripe.close();
});

/** A busy machine takes long to save what takes a second. */
const WITHIN = { timeout: 45_000 };

const signIn = (email?: string): Promise<Page> => signInTo(at, email === undefined ? {} : { email });

test('somebody signs in, makes a workflow, reloads, finds it, deletes it, and signs out', async () => {
  const page = await signIn();
  await createWorkflow(page, '<img src=x onerror=alert(1)>');
  const address = page.url();
  // A token is not kept anywhere: the provider is asked again, and nobody else.
  await page.reload();
  await page.waitForSelector('[data-node="first"]');
  await expect.poll(() => page.url()).toBe(address);
  expect(
    await page.evaluate(() =>
      JSON.stringify(['localStorage', 'sessionStorage'].map((name) => Reflect.get(globalThis, name))),
    ),
  ).not.toContain('eyJ');
  await page.getByRole('link', { name: 'Workflows' }).click();
  await page.getByRole('link', { name: '<img src=x onerror=alert(1)>' }).waitFor();
  await page.getByRole('button', { name: 'Delete: <img' }).click();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect.poll(() => page.getByRole('link', { name: '<img' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Account' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('button', { name: /Yes|Continue|sign out/i }).click();
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
  await page.reload();
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
  await page.context().close();
});

test('the audit log shows who did what, filtered; on a phone its rows are cards', async () => {
  const page = await signIn('auditor@example.com');
  await createWorkflow(page, 'Watched');
  await page.getByRole('link', { name: 'Audit log' }).click();
  const row = page.getByRole('row', { name: /auditor@example\.com.*Workflow created.*Watched/ });
  await row.waitFor();
  await page.getByRole('combobox', { name: 'Type' }).fill('Alert');
  await page.getByRole('option', { name: 'Alert' }).click();
  await page.getByText('No entries match these filters.').waitFor();
  await page.setViewportSize({ width: 375, height: 700 });
  await page.getByRole('combobox', { name: 'Type' }).fill('Workflow');
  await page.getByRole('option', { name: 'Workflow', exact: true }).click();
  await page.getByText('Workflow created').first().waitFor();
  await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(375);
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export' }).click();
  expect((await downloading).suggestedFilename()).toBe('audit-log.jsonl');
  await page.context().close();
  expect(at.trouble).toEqual([]);
});

test('the page names the workflows that call one before it is deleted', async () => {
  const page = await signIn('callers@example.com');
  for (const name of ['Sub', '<b>Caller</b>']) {
    await createWorkflow(page, name);
    await page.getByRole('link', { name: 'Workflows' }).click();
    await page.getByRole('link', { name }).waitFor();
  }
  await at.canvas.api.deps.db.query(
    `UPDATE workflows SET workflow_schema = json_build_object('edges', '[]'::json, 'nodes', json_build_array(
       json_build_object('id', 'call', 'type', 'tool', 'config',
         json_build_object('kind', 'workflow', 'workflow_id', (SELECT id FROM workflows WHERE name = 'Sub')))))
     WHERE name = '<b>Caller</b>'`,
    [],
  );
  await page.getByRole('button', { name: 'Delete: <b>Caller' }).click();
  await page.getByRole('dialog').waitFor();
  await expect.poll(() => page.getByRole('dialog').textContent()).not.toContain('call it');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Delete: Sub' }).click();
  await page.getByRole('dialog').getByText('These workflows call it and will fail: <b>Caller</b>').waitFor();
  expect(await inBothThemes(page)).toEqual([]);
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect.poll(() => page.getByRole('button', { name: 'Delete: Sub' }).count()).toBe(0);
  await page.context().close();
});

test('people of one machine are different people, each with an organization of their own', async () => {
  const page = await signIn('grace@example.com');
  await page.getByRole('button', { name: /^Organization: grace/ }).waitFor();
  await page.context().close();
});

test('SEC-W01: pages keep to their policy, and a screen reader finds its way in both themes', async () => {
  const first = await at.open('/app/');
  await first.getByRole('button', { name: 'Sign in' }).waitFor();
  expect(await inBothThemes(first)).toEqual([]);
  await first.context().close();
  const page = await signIn('axe@example.com');
  expect(await inBothThemes(page)).toEqual([]);
  await page.getByRole('link', { name: 'Runs' }).click();
  await page.getByRole('heading', { name: 'Runs' }).waitFor();
  expect(await inBothThemes(page)).toEqual([]);
  for (const name of ['Schedules', 'Members', 'Notifications', 'API keys', 'Usage']) {
    await page.getByRole('link', { name, exact: true }).click();
    await page.getByRole('heading', { name, exact: true }).waitFor();
    await expect.poll(() => page.getByRole('status').count()).toBe(0);
    await expect.poll(() => page.getByRole('alert').count()).toBe(0);
    expect(await inBothThemes(page)).toEqual([]);
  }
  await page.context().close();
  expect(at.trouble).toEqual([]);
});

/** What an injected text would come to, from within the page: each is `refused`, or what it came to instead. */
const TRY_SINKS = `[
  () => (document.createElement('div').innerHTML = '<b>x</b>'),
  () => (document.createElement('script').src = 'https://evil.example/x.js'),
  () => (document.createElement('script').text = '1'),
  () => new Worker('https://evil.example/x.js'),
  () => trustedTypes.createPolicy('another', {}),
].map((attempt) => {
  try {
    attempt();
    return 'done';
  } catch (error) {
    return error instanceof TypeError ? 'refused' : String(error);
  }
})`;

test('SEC-W01: no page, the editor and its workers included, gives text to a sink of scripts; an injected text is refused', async () => {
  const page = await signIn('sinks@example.com');
  for (const name of ['Runs', 'Schedules', 'Credentials', 'Knowledge', 'Members', 'API keys', 'Usage']) {
    await page.getByRole('link', { name, exact: true }).click();
    await expect.poll(() => page.getByRole('status').count()).toBe(0);
  }
  await page.getByRole('link', { name: 'Workflows' }).click();
  await createWorkflow(page, 'Sinks');
  // Both workers and the editor of code: a problem that is found, a layout that is saved, a function.
  await page.keyboard.press('/');
  await page.keyboard.type('function');
  await page.keyboard.press('Enter');
  await page.waitForSelector('.wc-selected[data-node="function"]');
  await page.keyboard.press('Enter');
  await page.locator('.wc-panel .cm-content').first().waitFor();
  await page.locator('.wc-panel-close').press('Enter');
  await page.keyboard.press('Control+k');
  await page.keyboard.type('tidy');
  await page.keyboard.press('Enter');
  await expect.poll(() => page.getAttribute('[data-save]', 'data-save')).toBe('Saved');
  expect(at.trouble).toEqual([]);
  const refused = await page.evaluate(TRY_SINKS);
  expect(refused).toEqual(['refused', 'refused', 'refused', 'refused', 'refused']);
  await page.context().close();
  at.trouble.length = 0;
});

test('a key is told once; somebody is invited', async () => {
  const page = await signIn('keys@example.com');
  await page.getByRole('link', { name: 'API keys' }).click();
  await page.getByText('No API keys yet.').waitFor();
  await page.getByRole('button', { name: 'Create key' }).click();
  await page.getByLabel('Name').fill('ci');
  expect(await inBothThemes(page)).toEqual([]);
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  const key = (await page.locator('[role=status] pre').textContent()) ?? '';
  const asked = await fetch(`${at.origin}/auth/me`, { headers: { authorization: `Bearer ${key}` } });
  expect(asked.status).toBe(200);
  expect(await inBothThemes(page)).toEqual([]);
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('button', { name: 'Revoke: ci' }).click();
  await page.getByText('Revoke “ci”?').waitFor();
  await page.getByRole('button', { name: 'Revoke', exact: true }).click();
  await page.getByText('No API keys yet.').waitFor();
  await page.getByRole('button', { name: 'Create service account' }).click();
  await page.getByLabel('Name').fill('pipeline');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await page.getByRole('button', { name: 'Create key: pipeline' }).click();
  const machine = (await page.locator('[role=status] pre').textContent()) ?? '';
  const known = await fetch(`${at.origin}/auth/me`, { headers: { authorization: `Bearer ${machine}` } });
  expect(((await known.json()) as { subject: string }).subject).toMatch(/^service-account:/);
  expect(await inBothThemes(page)).toEqual([]);
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('button', { name: 'Edit: pipeline' }).click();
  await page.getByLabel('Requests per minute').fill('120');
  await page.getByRole('combobox', { name: 'Role' }).click();
  await page.getByRole('option', { name: 'Owner' }).click();
  expect(await inBothThemes(page)).toEqual([]);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('row', { name: /pipeline Owner 120/ }).waitFor();
  await page.getByRole('button', { name: 'Delete: pipeline' }).click();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByRole('button', { name: 'Delete: pipeline' }).waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'Members' }).click();
  await page.getByRole('button', { name: 'Invite member' }).click();
  await page.getByLabel('Email').fill('bob@localhost');
  await page.getByRole('button', { name: 'Invite', exact: true }).click();
  // The refusal stands at its field, without the name that the API has for it.
  await page.locator('input[type=email][aria-invalid=true]').waitFor();
  await expect.poll(() => page.getByRole('dialog').textContent()).not.toContain('body');
  expect(await inBothThemes(page)).toEqual([]);
  await page.getByLabel('Email').fill('bob@example.com');
  await page.getByRole('button', { name: 'Invite', exact: true }).click();
  await page.getByRole('button', { name: 'Revoke: bob@example.com' }).click();
  await page.getByText('No pending invitations.').waitFor();
  await page.context().close();
});

test('a workflow is deployed with its difference, an older version is set live, a question is answered on a telephone', async () => {
  const page = await signIn('versions@example.com');
  const { db } = at.canvas.api.deps;
  // A script reads more pages in a minute than a person.
  await db.query(
    `UPDATE organizations o SET plan = 'enterprise' FROM memberships m JOIN users u ON u.id = m.user_id
     WHERE m.organization_id = o.id AND u.email = 'versions@example.com'`,
  );
  await createWorkflow(page, 'Versions');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await page.getByRole('button', { name: 'Run draft' }).click();
  // Nobody works here: for some seconds the run counts as running.
  await page.getByRole('button', { name: 'Waiting for a worker' }).waitFor();
  await page.getByRole('link', { name: 'Versions' }).click();
  await page.getByRole('heading', { name: 'Versions: Versions' }).waitFor();
  await expect.poll(() => page.getByRole('listitem').allTextContents()).toContain('added node First step');
  await page.getByLabel('Note').fill('the first');
  const deploy = page.getByRole('button', { name: 'Deploy' });
  await deploy.click();
  await page.getByText('No changes since version 1.0.0.').waitFor();
  await expect
    .poll(async () => [await deploy.isDisabled(), await deploy.getAttribute('title')])
    .toEqual([true, 'No changes since version 1.0.0.']);
  await page.getByRole('link', { name: 'Open canvas' }).click();
  await page.waitForSelector('[data-node="first"]');
  await page.locator('.react-flow').focus();
  await page.keyboard.press('/');
  await page.keyboard.type('guard');
  await page.keyboard.press('Enter');
  await page.waitForSelector('[data-node="guardrails"]');
  await expect.poll(() => page.getAttribute('[data-save]', 'data-save')).toBe('Saved');
  await page.getByRole('link', { name: 'Versions' }).click();
  await page.getByRole('heading', { name: /^Versions: / }).waitFor();
  await expect.poll(() => deploy.isEnabled()).toBe(true);
  await deploy.click();
  await page.getByRole('button', { name: 'Set live' }).click();
  const sure = page.getByRole('dialog');
  await sure.getByText('removed node').first().waitFor();
  await sure.getByRole('button', { name: 'Set live' }).click();
  await expect.poll(() => page.getByRole('row', { name: /the first/ }).textContent()).toContain('live');
  expect(await inBothThemes(page)).toEqual([]);
  // Under the pointer a button is darker, and still to be read.
  await page.getByRole('button', { name: 'Set live' }).first().hover();
  expect(await inBothThemes(page)).toEqual([]);

  const [run] = await db.query<{ run_id: string }>(
    `SELECT run_id FROM runs WHERE workflow_name = 'Versions' ORDER BY created_at DESC LIMIT 1`,
    [],
  );
  await ask(db, run?.run_id ?? '', { ...approval, title: '<b>Pay?</b>' });
  await page.setViewportSize({ width: 360, height: 640 });
  await page.getByRole('link', { name: 'Questions' }).click();
  await page.getByRole('heading', { name: '<b>Pay?</b>' }).waitFor();
  expect(await inBothThemes(page)).toEqual([]);
  await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360);
  const chooseKind = async (kind: string): Promise<void> => {
    await page.getByRole('combobox', { name: 'Kind of question' }).click();
    await page.getByRole('option', { name: kind }).click();
  };
  await chooseKind('Unknown outcomes');
  await page.getByText('No open questions of this kind.').waitFor();
  await expect.poll(() => page.getByRole('heading', { name: '<b>Pay?</b>' }).count()).toBe(0);
  expect(new URL(page.url()).searchParams.get('kind')).toBe('unknown_effect');
  await chooseKind('Approvals');
  await page.getByRole('heading', { name: '<b>Pay?</b>' }).waitFor();
  await page.getByRole('link', { name: 'Show run' }).click();
  await page.getByRole('tree', { name: 'Steps' }).waitFor();
  await page.goBack();
  await page.getByRole('button', { name: 'Approve' }).click();
  await page.getByText('No open questions of this kind.').waitFor();
  await page.context().close();
  expect(at.trouble).toEqual([]);
});

test('edits that are unsent when the canvas is left are sent from the next page; until then the tab asks before it is closed, and nothing is deployed', async () => {
  const page = await signIn('unsent@example.com');
  const sockets = new Set<WebSocketRoute>();
  let isAway = false;
  await page.routeWebSocket(/socket\.io/, (socket) => {
    if (isAway) return lose(socket);
    sockets.add(socket);
    socket.connectToServer();
    return undefined;
  });
  const loseNetwork = async (): Promise<void> => {
    isAway = true;
    for (const socket of sockets) await socket.close();
    sockets.clear();
  };
  await createWorkflow(page, 'Unsent');
  const isSaved = () => expect.poll(() => page.getAttribute('[data-save]', 'data-save')).toBe('Saved');
  await isSaved();
  const addOffline = async (kind: string): Promise<void> => {
    await loseNetwork();
    await page.locator('.react-flow').focus();
    await page.keyboard.press('/');
    await page.keyboard.type(kind);
    await page.keyboard.press('Enter');
    await expect
      .poll(() => page.getAttribute('[data-save]', 'data-save'))
      .toMatch(/^Offline. \d unsaved edits?$/);
    await page.getByRole('link', { name: 'Versions' }).click();
    await page.getByRole('heading', { name: /^Versions: / }).waitFor();
    await page.getByText(/not saved yet, so this draft does not include/).waitFor();
  };
  const deploy = page.getByRole('button', { name: 'Deploy' });
  const asks = () => page.evaluate(`!dispatchEvent(new Event('beforeunload', { cancelable: true }))`);
  await addOffline('guard');
  await expect.poll(async () => [await deploy.isDisabled(), await asks()]).toEqual([true, true]);
  expect(await inBothThemes(page)).toEqual([]);
  isAway = false;
  await expect.poll(() => deploy.isEnabled()).toBe(true);
  await expect.poll(asks).toBe(false);
  await page.getByRole('link', { name: 'Open canvas' }).click();
  await page.waitForSelector('[data-node="guardrails"]');
  await isSaved();

  // A tab that is loaded again elsewhere still has them; the canvas sends them.
  await addOffline('function');
  await page.reload();
  await page.getByText(/not saved yet, so this draft does not include/).waitFor();
  await expect.poll(async () => [await deploy.isDisabled(), await asks()]).toEqual([true, true]);
  isAway = false;
  await page.getByRole('link', { name: 'Open canvas' }).click();
  await page.waitForSelector('[data-node="function"]');
  await isSaved();
  await page.getByRole('link', { name: 'Versions' }).click();
  await page.getByRole('heading', { name: /^Versions: / }).waitFor();
  // What is sent has an error: it says so, and is not deployed either.
  await page.getByRole('region', { name: 'Effects' }).getByRole('alert').waitFor();
  await page.getByText(/not saved yet, so this draft does not include/).waitFor({ state: 'detached' });
  await expect.poll(() => deploy.isDisabled()).toBe(true);
  await expect.poll(asks).toBe(false);

  // Signing out says that they would be lost.
  await page.getByRole('link', { name: 'Open canvas' }).click();
  await page.waitForSelector('[data-node="function"]');
  await isSaved();
  await addOffline('router');
  const signOut = async (): Promise<void> => {
    await page.getByRole('button', { name: 'Account' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
  };
  await signOut();
  const dialog = page.getByRole('dialog');
  await dialog.getByText(/Some of your edits are not saved yet/).waitFor();
  expect(await inBothThemes(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect.poll(asks).toBe(true);
  await signOut();
  await dialog.getByRole('button', { name: 'Discard and sign out' }).click();
  await page.getByRole('button', { name: /Yes|Continue|sign out/i }).click();
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
  await expect
    .poll(() => page.evaluate(`Object.keys(sessionStorage).filter((key) => key.startsWith('un'))`))
    .toEqual([]);
  await page.context().close();
  expect(at.trouble).toEqual([]);
});

test('a session is renewed in silence; one that the provider has ended asks to sign in, and what is typed and edited stays', async () => {
  const page = await signIn('renewal@example.com');
  await createWorkflow(page, 'Renewal');
  const address = page.url();
  let renewals = 0;
  let isRefused = false;
  await page.route('**/token', (route) => {
    const isRenewal = (route.request().postData() ?? '').includes('refresh_token');
    if (isRenewal) renewals += 1;
    return isRenewal && isRefused
      ? route.fulfill({
          status: 400,
          json: { error: 'invalid_grant' },
          headers: { 'access-control-allow-origin': '*' },
        })
      : route.continue();
  });
  // The token's hour is over: the page's clock says so, and the service refuses it once.
  let isOver = false;
  await page.route(new RegExp(`^${at.origin}/(workflows/|requests$)`), (route) => {
    const isRefusedNow = isOver;
    isOver = false;
    return isRefusedNow ? route.fulfill({ status: 401, json: { detail: 'Expired' } }) : route.continue();
  });
  const later = async (): Promise<void> => {
    isOver = true;
    await page.evaluate(() => {
      const now = Date.now.bind(Date);
      Date.now = () => now() + 3_600_000;
    });
  };
  const add = async (kind: string): Promise<void> => {
    await page.locator('.react-flow').focus();
    await page.keyboard.press('/');
    await page.keyboard.type(kind);
    await page.keyboard.press('Enter');
  };
  await later();
  await add('guard');
  await page.getByRole('link', { name: 'Versions' }).click();
  await page.getByRole('heading', { name: 'Versions: Renewal' }).waitFor();
  expect(renewals).toBe(1);
  await page.getByRole('link', { name: 'Open canvas' }).click();
  await page.waitForSelector('[data-node="guardrails"]');
  await add('function');
  await page.waitForSelector('[data-node="function"]');

  isRefused = true;
  await page.getByRole('link', { name: 'Support' }).click();
  await page.getByLabel('Subject').fill('A half-written request');
  await page.getByLabel('What happened').fill('It is kept.');
  await later();
  await page.getByRole('button', { name: 'Send request' }).click();
  const expired = page.getByRole('dialog', { name: 'Session expired' });
  await expired.waitFor();
  expect(await inBothThemes(page)).toEqual([]);
  await expect.poll(() => page.getByLabel('Subject').inputValue()).toBe('A half-written request');
  await page.keyboard.press('Escape');
  // The provider still knows its user: its window closes by itself. Its tokens are of the present time.
  await page.evaluate(() => {
    Date.now = () => performance.timeOrigin + performance.now();
  });
  await expired.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText(/^Request .* was sent/).waitFor();
  await expect.poll(() => expired.count()).toBe(0);

  await page.goto(address);
  await page.waitForSelector('[data-node="function"]');
  await expect.poll(() => page.getAttribute('[data-save]', 'data-save')).toBe('Saved');
  await page.context().close();
  expect(at.trouble).toEqual([]);
});

test('a link opens in the organization that it names; of one without me the page says so, and shows a way on', async () => {
  const page = await signIn('links-ada@example.com');
  await createWorkflow(page, 'Linked');
  const link = page.url();
  const old = link.replace(/\/o\/[0-9a-f-]{36}/, '');
  expect(old).not.toBe(link);
  // An address from before organizations were in it.
  await page.goto(old);
  await page.waitForSelector('[data-node="first"]');
  await expect.poll(() => page.url()).toBe(link);
  await expect.poll(() => page.title()).toContain('Linked');

  const ben = await signIn('links-ben@example.com');
  await ben.goto(link);
  await ben.getByRole('heading', { name: 'You are not a member of this organization' }).waitFor();
  expect(await inBothThemes(ben)).toEqual([]);
  await ben.getByRole('button', { name: /^Go to / }).click();
  await ben.getByRole('button', { name: /^Organization: links-ben/ }).waitFor();

  // Ben becomes a member while he works in his own organization: the link changes to the other one, and back.
  await at.canvas.api.deps.db.query(
    `INSERT INTO memberships (user_id, organization_id, role)
     SELECT b.id, m.organization_id, 'admin' FROM users b, users a JOIN memberships m ON m.user_id = a.id
     WHERE b.email = 'links-ben@example.com' AND a.email = 'links-ada@example.com'`,
    [],
  );
  await ben.goto(link);
  await ben.waitForSelector('[data-node="first"]');
  await ben.getByRole('button', { name: /^Organization: links-ada/ }).click();
  await ben.getByRole('menuitem', { name: /^links-ben/ }).click();
  await ben.getByRole('button', { name: /^Organization: links-ben/ }).waitFor();
  await ben.goBack();
  await ben.waitForSelector('[data-node="first"]');
  await ben.getByRole('button', { name: /^Organization: links-ada/ }).waitFor();
  await Promise.all([page.context().close(), ben.context().close()]);
  expect(at.trouble).toEqual([]);
});

test('a new tab signs in without a click; where the provider has forgotten its user, it offers the button and comes back', async () => {
  const page = await signIn('tabs@example.com');
  const address = page.url().replace(/\/$/, '/usage');
  const tab = await page.context().newPage();
  await tab.goto(address);
  await tab.getByRole('heading', { name: 'Usage' }).waitFor();
  await expect.poll(() => tab.title()).toBe('Usage · Workflows');

  await page.context().clearCookies();
  await tab.reload();
  await tab.getByRole('button', { name: 'Sign in' }).click();
  await tab.getByLabel('or as somebody else').fill('tabs@example.com');
  await tab.getByRole('button', { name: 'Continue', exact: true }).click();
  await tab.getByRole('heading', { name: 'Usage' }).waitFor();
  await expect.poll(() => tab.url()).toBe(address);
  await page.context().close();
  expect(at.trouble).toEqual([]);
});

test('a newcomer who is invited begins in the organization that invited; somebody with an account accepts at the link', async () => {
  const page = await signIn('host@example.com');
  const guest = await signIn('guest@example.com');
  await page.getByRole('link', { name: 'Members' }).click();
  for (const email of ['newcomer@example.com', 'guest@example.com']) {
    await page.getByRole('button', { name: 'Invite member' }).click();
    await page.getByLabel('Email').fill(email);
    await page.getByRole('dialog').getByRole('button', { name: 'Invite' }).click();
    await page.getByRole('button', { name: `Revoke: ${email}` }).waitFor();
  }
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: 'Copy invitation link' }).click();
  const readCopied = async (): Promise<string> =>
    String(await page.evaluate('navigator.clipboard.readText()'));
  await expect.poll(readCopied).toMatch(/^http/);
  const link = await readCopied();

  const newcomer = await at.open(new URL(link).pathname);
  await newcomer.getByRole('button', { name: 'Sign in' }).click();
  await newcomer.getByLabel('or as somebody else').fill('newcomer@example.com');
  await newcomer.getByRole('button', { name: 'Continue', exact: true }).click();
  await newcomer.getByRole('button', { name: /^Organization: host/ }).waitFor();
  await expect.poll(() => newcomer.url()).toBe(link);
  // Who has lost the link gets there, too: it is not their own organization that they were invited to.
  const without = await at.open('/app/');
  await without.getByRole('button', { name: 'Sign in' }).click();
  await without.getByLabel('or as somebody else').fill('newcomer@example.com');
  await without.getByRole('button', { name: 'Continue', exact: true }).click();
  await without.getByRole('button', { name: /^Organization: host/ }).waitFor();
  await without.context().close();

  await guest.goto(link);
  await guest.getByText(/^You are invited to “host/).waitFor();
  expect(await inBothThemes(guest)).toEqual([]);
  await guest.getByRole('button', { name: 'Accept' }).click();
  await guest.getByRole('button', { name: /^Organization: host/ }).waitFor();
  await expect.poll(() => guest.url()).toBe(link);
  await Promise.all([page, newcomer, guest].map((one) => one.context().close()));
  expect(at.trouble).toEqual([]);
});

test('after a new release the page asks to reload, and keeps what was typed', async () => {
  const page = await signIn('release@example.com');
  await page.getByRole('link', { name: 'Support' }).click();
  await page.getByLabel('Subject').fill('Half-written');
  await page.route('**/app/', async (route) => {
    const answer = await route.fetch();
    const body = (await answer.text()).replace(/index-[\w-]+\.js/, 'index-NEXT.js');
    await route.fulfill({ response: answer, body });
  });
  await page.clock.install();
  await page.clock.fastForward(10 * 60_000);
  await page.evaluate(`window.dispatchEvent(new Event('visibilitychange'))`);
  await page.getByText('A new version is available.').waitFor();
  expect(await inBothThemes(page)).toEqual([]);
  await page.unroute('**/app/');
  // The page before has the same heading.
  const loaded = page.waitForEvent('load');
  await page.getByRole('button', { name: 'Reload' }).click();
  await loaded;
  await page.getByRole('heading', { name: 'Support' }).waitFor();
  await expect.poll(() => page.getByLabel('Subject').inputValue()).toBe('Half-written');
  await page.context().close();
  expect(at.trouble).toEqual([]);
});

test('a version of more parts than one batch has is restored whole, and one undo takes it back', async () => {
  const page = await signIn('many@example.com');
  const ids = Array.from({ length: 700 }, (_, index) => `n${index}`);
  const definition = {
    nodes: ids.map((id, index) => ({
      id,
      type: 'transformer',
      position: { x: (index % 30) * 300, y: Math.floor(index / 30) * 120 },
      config: { mode: 'template', template: id },
    })),
    edges: [...ids, END].map((target, index) => ({
      id: `e${index}`,
      source: ids[index - 1] ?? START,
      target,
    })),
  };
  await page.locator('input[type=file]').setInputFiles({
    name: 'Many.json',
    mimeType: 'application/json',
    buffer: Buffer.from(JSON.stringify(definition)),
  });
  await page.locator('.react-flow').waitFor();
  await page.getByRole('link', { name: 'Versions' }).click();
  await page.getByRole('heading', { name: /^Versions: / }).waitFor();
  await page.getByRole('button', { name: 'Deploy' }).click();
  await page.getByText('No changes since version 1.0.0.').waitFor();
  await page.getByRole('link', { name: 'Open canvas' }).click();
  const stored = async (): Promise<{ nodes: number; edges: number } | undefined> => {
    const [row] = await at.canvas.api.deps.db.query<{ nodes: number; edges: number }>(
      `SELECT json_array_length(workflow_schema->'nodes') AS nodes, json_array_length(workflow_schema->'edges') AS edges
       FROM workflows WHERE name = 'Many'`,
      [],
    );
    return row;
  };
  await page.locator('.react-flow__node').first().waitFor();
  await page.locator('.react-flow').focus();
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Delete');
  await expect.poll(stored, WITHIN).toEqual({ nodes: 0, edges: 0 });
  await page.getByRole('link', { name: 'Versions' }).click();
  await page.getByRole('link', { name: /^Compare with the draft/ }).click();
  await page.getByRole('link', { name: 'Restore to draft' }).click();
  // Only the changes in view are mounted, and the buttons below them need no scrolling.
  const panel = page.getByRole('complementary', { name: 'Proposed change' });
  await panel.locator('li[aria-posinset="1"]').waitFor();
  await expect.poll(() => panel.getByRole('checkbox').count()).toBeLessThan(60);
  await page.evaluate(`document.querySelector('.wc-changes').scrollTop = 1e9`);
  await panel.getByText('from n699 to End').waitFor();
  await expect.poll(() => panel.locator('li[aria-posinset="1"]').count()).toBe(0);
  expect(await inBothThemes(page)).toEqual([]);
  await panel.getByRole('button', { name: 'Accept all' }).click();
  await expect.poll(stored, WITHIN).toEqual({ nodes: 700, edges: 701 });
  await page.locator('.react-flow').focus();
  await page.keyboard.press('Control+z');
  await expect.poll(stored, WITHIN).toEqual({ nodes: 0, edges: 0 });
  await page.context().close();
});

test('a version is restored as the draft, it runs by the clock, and a wallet is topped up', async () => {
  const page = await signIn('forms@example.com');
  await createWorkflow(page, 'Forms');
  await page.getByRole('link', { name: 'Versions' }).click();
  await page.getByRole('heading', { name: /^Versions: / }).waitFor();
  await page.getByRole('button', { name: 'Deploy' }).click();
  await page.getByText('No changes since version 1.0.0.').waitFor();
  await page.getByRole('link', { name: 'Open canvas' }).click();
  await page.waitForSelector('[data-node="first"]');
  await page.locator('.react-flow').focus();
  await page.keyboard.press('/');
  await page.keyboard.type('guard');
  await page.keyboard.press('Enter');
  await page.waitForSelector('[data-node="guardrails"]');
  await expect.poll(() => page.getAttribute('[data-save]', 'data-save')).toBe('Saved');
  await page.getByRole('link', { name: 'Versions' }).click();
  await page.getByRole('heading', { name: /^Versions: / }).waitFor();
  await page.getByRole('link', { name: /^Compare with the draft/ }).click();
  await expect
    .poll(() => page.getByRole('main').getByRole('listitem').allTextContents())
    .toContainEqual(expect.stringMatching(/^added node Guardrails/));
  const [deployed, draft] = [/^Version/, 'Draft'].map((name) => page.getByRole('region', { name }));
  await draft?.locator('[data-node="guardrails"]').getByRole('img', { name: 'added' }).waitFor();
  await expect
    .poll(() => deployed?.locator('[data-node="guardrails"]').textContent())
    .toContain('Not in this version');
  await page.getByRole('button', { name: 'Guardrails', exact: true }).click();
  await expect.poll(() => page.locator('.wc-current[data-node="guardrails"]').count()).toBe(2);
  const views = (): Promise<string[]> =>
    page.$$eval('.react-flow__viewport', (all) => all.map((one) => one.getAttribute('style') ?? ''));
  const [before] = await views();
  await draft?.getByRole('button', { name: 'Zoom In' }).click();
  await expect.poll(async () => (await views())[1]).not.toBe(before);
  await expect.poll(async () => new Set(await views()).size).toBe(1);
  expect(await inBothThemes(page)).toEqual([]);
  await page.getByRole('link', { name: 'Restore to draft' }).click();
  await page.getByRole('button', { name: 'Accept all' }).click();
  await expect.poll(() => page.locator('[data-node="guardrails"]').count()).toBe(0);

  await page.getByRole('link', { name: 'Schedules' }).click();
  await page.getByText('No schedules yet.').waitFor();
  await page.getByRole('button', { name: 'New schedule' }).click();
  await page.getByLabel('Cron expression').fill('0 9 * *');
  await page.getByText('Must have five fields').waitFor();
  await page.getByLabel('Cron expression').fill('30 9 * * 1-5');
  await page.getByText('At 09:30, Monday to Friday', { exact: true }).waitFor();
  await expect.poll(() => page.getByRole('dialog').getByRole('listitem').count()).toBe(5);
  expect(await inBothThemes(page)).toEqual([]);
  await page.getByLabel('Workflow', { exact: true }).first().fill('Forms');
  await page.getByRole('option', { name: 'Forms' }).click();
  await page.getByLabel('Name').fill('every morning');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await page.getByRole('button', { name: 'Pause: every morning' }).click();
  await page.getByRole('button', { name: 'Resume: every morning' }).waitFor();
  const { db } = at.canvas.api.deps;
  const schedule = async (): Promise<Record<string, unknown>> =>
    (await db.query(`SELECT * FROM schedules WHERE name = 'every morning'`, []))[0] ?? {};
  expect(await schedule()).toMatchObject({ overlap_policy: 'skip' });
  const { id, organization_id: organizationId } = await schedule();
  const fired = (minute: number) =>
    acceptScheduledRun(db, {
      scheduleId: String(id),
      organizationId: String(organizationId),
      scheduledAt: new Date(Date.UTC(2026, 0, 5, 9, minute)).toISOString(),
    });
  const open = await fired(0);
  expect([open === null, await fired(1), await fired(2)]).toEqual([false, null, null]);
  await page.reload();
  await page.getByText(/^Skipped 2 times, last .*: the previous run was still active\./).waitFor();
  await expect
    .poll(() => page.getByRole('link', { name: 'Show run' }).getAttribute('href'))
    .toBe(`/app/o/${String(organizationId)}/runs/${open?.rootRunPk}`);
  await page.getByRole('combobox', { name: 'If the previous run is still active: every morning' }).click();
  await page.getByRole('option', { name: 'Run in parallel' }).click();
  await expect.poll(async () => (await schedule())['overlap_policy']).toBe('allow_all');
  expect(await inBothThemes(page)).toEqual([]);
  await page.getByRole('button', { name: 'Delete: every morning' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('No schedules yet').waitFor();

  const [organization] = await db.query<{ id: string }>(
    `SELECT w.organization_id AS id FROM workflows w WHERE w.name = 'Forms'`,
    [],
  );
  await setTerms(db, organization?.id ?? '', { plan: 'pro' });
  await page.route('https://pay.example/**', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<title>Pay</title>' }),
  );
  await page.getByRole('link', { name: 'Usage' }).click();
  await page.getByRole('button', { name: 'Top up' }).click();
  await page.getByLabel('Amount').fill('25');
  expect(await inBothThemes(page)).toEqual([]);
  await page.getByRole('button', { name: 'Continue to payment' }).click();
  await page.waitForURL('https://pay.example/**');
  expect(stripe.calls).toHaveLength(1);
  await page.context().close();
  expect(at.trouble).toEqual([]);
});

test('a page whose organization has reached its limit of requests says so, and for how long nothing new comes', async () => {
  const page = await signIn('busy@example.com');
  await page.getByRole('button', { name: 'New workflow' }).waitFor();
  await at.canvas.api.deps.db.query(
    `UPDATE organizations SET entitlements = '{"api": 1}'
     WHERE id IN (SELECT m.organization_id FROM memberships m JOIN users u ON u.id = m.user_id WHERE u.email = $1)`,
    ['busy@example.com'],
  );
  await page.getByRole('link', { name: 'Runs', exact: true }).click();
  await page.getByText('Your organization has reached its limit of requests per minute.').waitFor();
  await page.getByText(/^Trying again in \d+ s\.$/).waitFor();
  expect(await inBothThemes(page)).toEqual([]);
  await page.context().close();
});

test('a keyboard user skips to the content; a phone has the ways at the bottom, and the rest behind More', async () => {
  const page = await signIn('ways@example.com');
  await expect.poll(() => page.title()).toBe('Workflows');
  const ways = page.getByRole('navigation', { name: 'Main' });
  await expect.poll(() => ways.locator('[aria-current=page]').allTextContents()).toEqual(['Workflows']);
  await page.reload();
  await page.getByRole('button', { name: 'New workflow' }).waitFor();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('main');

  await page.setViewportSize({ width: 390, height: 780 });
  const bar = page.getByRole('navigation', { name: 'Main' });
  await expect
    .poll(() => bar.getByRole('link').allTextContents())
    .toEqual(['Questions', 'Runs', 'Workflows']);
  expect(await inBothThemes(page)).toEqual([]);
  for (const name of [
    'Schedules',
    'Credentials',
    'Knowledge',
    'Assistant',
    'Members',
    'Notifications',
    'API keys',
    'Usage',
    'Support',
  ]) {
    await ways.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name }).click();
    await page.getByRole('heading', { name, exact: true }).waitFor();
    await expect.poll(() => page.title()).toBe(`${name} · Workflows`);
    await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
  }
  await page.goto(`${page.url()}/nowhere`);
  await page.getByRole('heading', { name: 'Page not found' }).waitFor();
  expect(await inBothThemes(page)).toEqual([]);
  await page.context().close();
  expect(at.trouble).toEqual([]);
});

test('the first page is at most 240 KiB compressed, and the editor at most 400', () => {
  const { first, editor } = compressedSizes(at.outDir);
  noteFigures('the page, compressed', { 'first page, KiB': first / 1_024, 'editor, KiB': editor / 1_024 });
  expect(first).toBeLessThanOrEqual(240 * 1_024);
  expect(editor).toBeLessThanOrEqual(400 * 1_024);
});

test('SEC-W01: files are kept for ever, the page never; what is no file is the page', async () => {
  const page = await fetch(`${at.origin}/app/workflows/x`);
  expect([page.status, page.headers.get('cache-control')]).toEqual([200, 'no-store']);
  const policy = page.headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'none'; script-src 'self';");
  expect(policy).not.toMatch(/unsafe|\*/);
  const script = /src="(\/app\/assets\/[^"]+\.js)"/.exec(await page.text())?.[1] ?? '';
  for (const [accepted, encoding] of [
    ['br', 'br'],
    ['gzip', 'gzip'],
    ['identity', null],
  ] as const) {
    const asset = await fetch(at.origin + script, { headers: { 'accept-encoding': accepted } });
    expect([asset.status, asset.headers.get('content-encoding')]).toEqual([200, encoding]);
    expect(asset.headers.get('cache-control')).toContain('immutable');
  }
  for (const missing of ['/app/assets/none.js', '/app/assets/..%2findex.html', '/application'])
    expect((await fetch(at.origin + missing)).status).toBe(404);
  expect((await fetch(`${at.origin}/app/`, { method: 'POST' })).status).toBe(404);
  const config = (await (await fetch(`${at.origin}/app/config.json`)).json()) as object;
  expect(Object.keys(config).toSorted()).toEqual([
    'client_id',
    'issuer',
    'realtime_url',
    'temporal_namespace',
    'temporal_ui_url',
  ]);
});

test('an owner sets retention, also of a workflow, exports a member, and erases the runs of a customer', async () => {
  const { db } = at.canvas.api.deps;
  const finishJobs = async (): Promise<void> => {
    const jobs = await db.query<{ id: string }>(`SELECT id FROM data_jobs WHERE status <> 'completed'`);
    for (const { id } of jobs) while (await takeStep(db, id));
  };
  const page = await signIn('keeper@example.com');
  await page.getByRole('link', { name: 'Data', exact: true }).click();
  await page.getByText('No exports or erasures yet.').waitFor();
  const audit = page.getByLabel('Keep the audit log (days)');
  await audit.fill('30');
  await page.getByLabel('Keep inputs and outputs (days)').fill('30');
  await expect.poll(() => audit.inputValue()).toBe('90');
  await audit.fill('');
  const paths = page.getByLabel('Redacted values');
  await paths.fill('items[].card');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('write items.*.card').waitFor();
  await paths.fill('customer.ssn\n**.password');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Settings saved.').waitFor();
  await page.getByRole('button', { name: 'Add workflow settings' }).click();
  const ofWorkflow = page.getByRole('dialog', { name: 'Add workflow settings' });
  await ofWorkflow.getByRole('combobox', { name: 'Workflow' }).click();
  await page.getByRole('option').first().click();
  await ofWorkflow.getByLabel('Keep runs (days)').fill('7');
  await ofWorkflow.getByLabel('Redacted values').fill('order.iban');
  await ofWorkflow.getByRole('button', { name: 'Save' }).click();
  const own = page.getByRole('row', { name: /7 days.*Organization default.*order\.iban/ });
  await own.waitFor();
  expect(await inBothThemes(page)).toEqual([]);
  await own.getByRole('button', { name: 'Use organization default' }).click();
  await expect.poll(() => own.count()).toBe(0);

  await page.getByRole('button', { name: 'Export data…' }).click();
  const exporting = page.getByRole('dialog', { name: 'Export data' });
  await exporting.getByText('Everything stored').waitFor();
  await exporting.getByRole('combobox', { name: 'What to export' }).click();
  await page.getByRole('option', { name: 'A member' }).click();
  await exporting.getByRole('combobox', { name: 'Member' }).click();
  await page.getByRole('option', { name: /keeper/ }).click();
  expect(await inBothThemes(page)).toEqual([]);
  await exporting.getByRole('button', { name: 'Export data' }).click();
  const exported = page.getByRole('row', { name: /Export.*keeper/ });
  await exported.waitFor();
  await finishJobs();
  await exported.getByText('Succeeded').waitFor();
  const file = page.waitForEvent('download');
  await exported.getByRole('button', { name: 'Download' }).click();
  expect((await file).suggestedFilename()).toMatch(/^export-.*\.jsonl$/);

  await page.getByRole('button', { name: 'Erase data…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Erase data' });
  await dialog.getByText(/cannot be undone/).waitFor();
  expect(await inBothThemes(page)).toEqual([]);
  await dialog.getByLabel('Metadata value').fill('42');
  await dialog.getByRole('button', { name: 'Erase data' }).click();
  const erased = page.getByRole('row', { name: /Erasure/ });
  await erased.getByText('customer=42').waitFor();
  await finishJobs();
  await erased.getByText('Succeeded').waitFor();
  await page.context().close();
  expect(at.trouble).toEqual([]);
});
