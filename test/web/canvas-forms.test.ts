/** Forms of the canvas in a real browser: if this fails, a person loses what they typed, or a colleague's work disturbs theirs. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { appendEvents } from '../../src/runs/ledger/events.ts';
import { definition } from '../canvas/support/canvas.ts';
import type { Tenant } from '../support/api-server.ts';
import { startCanvasPage, type CanvasPage } from './support/canvas-page.ts';

let at: CanvasPage;
let ada: Tenant;

beforeAll(async () => {
  at = await startCanvasPage();
  ada = await at.canvas.tenant();
}, 180_000);
afterAll(() => at.close());

/** A busy machine takes long to save what takes a second. */
const WITHIN = { timeout: 45_000 };

/** A workflow whose first node has this type and config. */
async function workflowWith(type: string, config: object): Promise<string> {
  const schema = definition() as { nodes: { type: string; config: object }[] };
  Object.assign(schema.nodes[0]!, { type, config });
  const { body } = await ada.call('POST', '/workflows', { body: { name: 'Forms', workflow_schema: schema } });
  return String(body['id']);
}

const saveState = (page: Page) => expect.poll(() => page.getAttribute('[data-save]', 'data-save'), WITHIN);

/** Opens the first node. @returns its panel */
async function openNode(page: Page) {
  await page.locator('[data-node="a"]').click();
  const panel = page.getByRole('complementary', { name: 'Details' });
  await panel.getByLabel('Name', { exact: true }).waitFor();
  return panel;
}

test('a run that the API starts takes neither the form, nor the focus, nor a key from the person who types', async () => {
  const id = await workflowWith('transformer', { mode: 'template', template: 'Dear' });
  await ada.call('POST', `/workflows/${id}/deploy`, { body: {} });
  const page = await at.open(ada, id);
  const panel = await openNode(page);
  const name = panel.getByLabel('Name', { exact: true });
  await name.fill('Letter');
  const { body } = await ada.call('POST', '/workflows/run', { body: { workflow_id: id } });
  const [run] = await at.canvas.api.deps.db.query<{ id: string }>('SELECT id FROM runs WHERE run_id = $1', [
    body['run_id'],
  ]);
  await appendEvents(at.canvas.api.deps.db, run?.id ?? '', [
    { type: 'node_started', payload: { node_id: 'a', attempt: 1 } },
  ]);
  await page.locator('[data-node="a"] .wc-badge[title^="running"]').waitFor();
  await expect.poll(() => name.evaluate((field) => field === field.ownerDocument.activeElement)).toBe(true);
  await page.keyboard.type('ss');
  await page.keyboard.press('Backspace');
  expect(await name.inputValue()).toBe('Letters');
  // A field that is left to nothing leaves the focus at the body: no key is a shortcut there.
  await name.evaluate((field) => field.blur());
  await page.keyboard.press('Backspace');
  await page.keyboard.press('Delete');
  await page.keyboard.press('n');
  expect(await page.getByRole('dialog').count()).toBe(0);
  expect(await name.count()).toBe(1);
  await page.getByRole('button', { name: 'running' }).click();
  await panel.getByRole('tab', { name: 'Run', selected: true }).waitFor();
  await page.locator('.react-flow__pane').click({ position: { x: 20, y: 300 } });
  await page.keyboard.press('/');
  await page.getByRole('dialog', { name: 'Add node' }).waitFor();
  await page.keyboard.press('Escape');
  await expect.poll(() => page.locator('.react-flow:focus').count()).toBe(1);
  await saveState(page).toBe('Saved');
  await page.context().close();
}, 90_000);
