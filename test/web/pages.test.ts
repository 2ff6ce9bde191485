/** The web application in a real browser: signing in and out, workflows, runs; read by a screen reader, kept to its policy. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { startWebStack, type WebStack } from './support/web-stack.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

let at: WebStack;
beforeAll(async () => {
  at = await startWebStack();
}, 180_000);
afterAll(() => at.close());

/** From the first page to the list of workflows. */
async function signIn(email = ''): Promise<Page> {
  const page = await at.open('/app/');
  await page.getByRole('button', { name: 'Sign in' }).click();
  if (email === '') await page.getByRole('button', { name: /Continue as/ }).click();
  else {
    await page.getByLabel('or as somebody else').fill(email);
    await page.getByRole('button', { name: 'Continue', exact: true }).click();
  }
  // The page before has a heading of this name, too.
  await page.getByRole('button', { name: 'New workflow' }).waitFor();
  return page;
}

/** Rules of axe that the page breaks, as it stands. */
async function broken(page: Page): Promise<string[]> {
  // Evaluated by the driver, which the page's policy does not bind.
  await page.evaluate(AXE);
  const found = await page.evaluate(async () => {
    const { axe } = globalThis as unknown as {
      axe: { run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
    };
    return (await axe.run()).violations;
  });
  return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`);
}

async function inBothThemes(page: Page): Promise<string[]> {
  const first = await broken(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  const second = await broken(page);
  await page.emulateMedia({ colorScheme: 'light' });
  return [...first, ...second];
}

test('somebody signs in, makes a workflow, reloads, finds it, deletes it, and signs out', async () => {
  const page = await signIn();
  await page.getByRole('button', { name: 'New workflow' }).click();
  await page.getByLabel('Name').fill('<img src=x onerror=alert(1)>');
  await page.getByRole('button', { name: 'Create' }).click();
  await page.waitForSelector('[data-node="first"]');
  const address = page.url();
  // A token is not kept anywhere: the provider is asked again, and nobody else.
  await page.reload();
  await page.waitForSelector('[data-node="first"]');
  expect(page.url()).toBe(address);
  expect(
    await page.evaluate(() =>
      JSON.stringify(['localStorage', 'sessionStorage'].map((name) => Reflect.get(globalThis, name))),
    ),
  ).not.toContain('eyJ');
  await page.getByRole('button', { name: 'Workflows' }).click();
  await page.getByRole('link', { name: '<img src=x onerror=alert(1)>' }).waitFor();
  await page.getByRole('button', { name: 'Delete: <img' }).click();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect.poll(() => page.getByRole('link', { name: '<img' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('button', { name: /Yes|Continue|sign out/i }).click();
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
  await page.reload();
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
  await page.context().close();
}, 90_000);

test('people of one machine are different people, each with an organization of their own', async () => {
  const page = await signIn('grace@example.com');
  await expect.poll(() => page.getByLabel('Organization').first().inputValue()).toContain('grace');
  await page.context().close();
}, 60_000);

test('SEC-W01: pages keep to their policy, and a screen reader finds its way in both themes', async () => {
  const first = await at.open('/app/');
  await first.getByRole('button', { name: 'Sign in' }).waitFor();
  expect(await inBothThemes(first)).toEqual([]);
  await first.context().close();
  const page = await signIn('axe@example.com');
  expect(await inBothThemes(page)).toEqual([]);
  await page.getByRole('button', { name: 'Runs' }).click();
  await page.getByRole('heading', { name: 'Runs' }).waitFor();
  expect(await inBothThemes(page)).toEqual([]);
  await page.context().close();
  expect(at.trouble).toEqual([]);
}, 90_000);

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
