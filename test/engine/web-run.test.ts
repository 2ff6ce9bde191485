/** Runs started, watched, answered and cancelled by a person on the canvas: a browser, the API and a Temporal worker. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { startEngine, type TestEngine } from '../support/engine.ts';
import { END, START, edge, node, transform, workflow } from '../support/definitions.ts';
import { startWebStack, type WebStack } from '../web/support/web-stack.ts';

let engine: TestEngine | null = null;
let at: WebStack;
beforeAll(async () => {
  at = await startWebStack(async (databaseUrl) => {
    engine = await startEngine({ DATABASE_URL: databaseUrl });
    return { engine: engine.engine, dispatcher: engine.dispatcher };
  });
}, 180_000);
afterAll(async () => {
  await engine?.close();
  await at.close();
});

const APPROVAL = workflow(
  [
    node('ask', 'interrupt', {
      kind: 'approval',
      title: 'Refund {{input.amount}}?',
      actions: [{ id: 'approve', label: 'Approve it' }, { id: 'reject' }],
    }),
    transform('paid', { paid: '{{input.amount}}' }),
    transform('kept', { kept: '{{input.amount}}' }),
  ],
  [
    edge(START, 'ask'),
    edge('ask', 'paid', 'approve'),
    edge('ask', 'kept', 'reject'),
    edge('paid', END),
    edge('kept', END),
  ],
);

async function run(page: Page, input: object): Promise<void> {
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await page.getByLabel('Input, as JSON').fill(JSON.stringify(input));
  await page.getByRole('button', { name: 'Run this draft' }).click();
}
/** A busy machine takes long to run what takes a second. */
const WITHIN = { timeout: 45_000 };
const state = (page: Page) =>
  expect.poll(() => page.locator('.wc-toolbar .wc-run-state').textContent(), WITHIN);
const statusOf = (page: Page, nodeId: string) =>
  expect.poll(() => page.locator(`[data-node="${nodeId}"] .wc-badge`).getAttribute('title'));

test('the starter runs on the canvas; an approval is answered where it stands; a run that waits is cancelled', async () => {
  const page = await at.open('/app/');
  // Nodes that are not seen are not mounted, and a run opens the panel beside them.
  await page.setViewportSize({ width: 2_400, height: 1_200 });
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: /Continue as/ }).click();
  await page.getByRole('link', { name: 'Starter workflow' }).click();
  await page.waitForSelector('[data-node="prepare"]');
  await run(page, { text: 'Hello from ada@example.com' });
  await state(page).toBe('completed');
  for (const id of ['prepare', 'screen', 'answer', 'short_reply'])
    await statusOf(page, id).toMatch(/^completed/);
  await statusOf(page, 'long_reply').toMatch(/^skipped/);
  expect(await page.locator('.wc-panel').textContent()).toContain('You wrote: Hello from');

  await page.getByRole('button', { name: 'Workflows' }).click();
  await page.locator('input[type=file]').setInputFiles({
    name: 'Refund.json',
    mimeType: 'application/json',
    buffer: Buffer.from(JSON.stringify(APPROVAL)),
  });
  await page.waitForSelector('[data-node="ask"]');
  await run(page, { amount: 12 });
  await page.getByRole('heading', { name: 'Refund 12?' }).waitFor();
  await statusOf(page, 'ask').toBe('waiting');
  await page.getByRole('button', { name: 'Approve it' }).click();
  await state(page).toBe('completed');
  await statusOf(page, 'paid').toMatch(/^completed/);
  await statusOf(page, 'kept').toMatch(/^skipped/);

  await run(page, { amount: 13 });
  await page.getByRole('heading', { name: 'Refund 13?' }).waitFor();
  await page.getByRole('button', { name: 'Cancel', exact: true }).click();
  await state(page).toBe('cancelled');
  expect(await page.getByRole('heading', { name: 'Refund 13?' }).count()).toBe(0);
  await page.context().close();
  expect(at.trouble).toEqual([]);
}, 150_000);
