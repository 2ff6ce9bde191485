/** Forms of the canvas in a real browser: if this fails, a person loses what they typed, or a colleague's work disturbs theirs. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import type { JsonObject } from '../../src/graph/value.ts';
import { appendEvents } from '../../src/runs/ledger/events.ts';
import { definition } from '../canvas/support/canvas.ts';
import type { Tenant } from '../support/api-server.ts';
import { inBothThemes } from './support/axe.ts';
import { startCanvasPage, type CanvasPage } from './support/canvas-page.ts';

let at: CanvasPage;
let ada: Tenant;
let grace: Tenant;

beforeAll(async () => {
  at = await startCanvasPage();
  ada = await at.canvas.tenant();
  grace = await at.canvas.colleague(ada);
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

/** The config of the first node, as it is stored. */
async function storedConfig(workflowId: string): Promise<JsonObject> {
  const { workflow_schema: schema } = (await ada.call('GET', `/workflows/${workflowId}`)).body;
  return (schema as { nodes: { config: JsonObject }[] }).nodes[0]!.config;
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

test('JSON that is not valid stays as it was typed, over a change of nodes and a reload, and is never called saved', async () => {
  const id = await workflowWith('interrupt', { kind: 'approval', title: 'May it?' });
  const page = await at.open(ada, id);
  let panel = await openNode(page);
  const assignees = () => panel.getByRole('textbox', { name: 'Who may answer' });
  const said = (): Promise<string> =>
    assignees().evaluate((field) => {
      const told = field.getAttribute('aria-describedby') ?? '';
      return field.ownerDocument.getElementById(told)?.textContent ?? '';
    });
  await assignees().click();
  await page.keyboard.type('grace@example.com');
  await expect.poll(said).toContain('not valid JSON');
  expect(await inBothThemes(page)).toEqual([]);
  await page.locator('[data-node="b"]').click();
  await saveState(page).toBe('Not saved: Who may answer');
  await page.getByRole('button', { name: 'Not saved: Who may answer' }).click();
  await expect.poll(() => assignees().textContent()).toBe('grace@example.com');
  await page.reload();
  await page.waitForSelector('[data-node="a"]');
  await saveState(page).toBe('Not saved: Who may answer');
  panel = await openNode(page);
  await expect.poll(() => assignees().textContent()).toBe('grace@example.com');
  await expect.poll(said).toContain('not valid JSON');
  await assignees().click();
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText('{"count": {{b.count}}}');
  await expect.poll(said).toContain('needs quotes: "{{node.field}}"');
  expect(await storedConfig(id)).not.toHaveProperty('assignees');
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText('["grace@example.com"]');
  await saveState(page).toBe('Saved');
  expect((await storedConfig(id))['assignees']).toEqual(['grace@example.com']);
  await expect.poll(said).not.toContain('JSON');
  await page.context().close();
}, 120_000);

test('a value is text until its field is left, and a number only where it is one exactly', async () => {
  const rule = { left: '{{input.amount}}', op: 'eq', right: 'x' };
  const id = await workflowWith('conditional', { cases: [{ id: 'first', match: 'all', rules: [rule] }] });
  const page = await at.open(ada, id);
  const right = (await openNode(page)).getByLabel('Compared with');
  const storedRight = async (): Promise<unknown> => {
    const [first] = (await storedConfig(id))['cases'] as { rules: { right: unknown }[] }[];
    return first?.rules[0]?.right;
  };
  for (const [typed, value] of [
    ['1.05', 1.05],
    ['007', '007'],
    ['12345678901234567890', '12345678901234567890'],
    ['1e999', '1e999'],
    ['-0.5', -0.5],
    ['true', true],
    ['truely', 'truely'],
  ] as const) {
    await right.click();
    await page.keyboard.press('Control+a');
    await page.keyboard.type(typed);
    expect(await right.inputValue()).toBe(typed);
    await right.blur();
    await expect.poll(storedRight, WITHIN).toBe(value);
    await expect.poll(() => right.inputValue()).toBe(String(value));
  }
  await page.context().close();

  const waiting = await workflowWith('interrupt', { kind: 'wait', duration_seconds: 5 });
  const other = await at.open(ada, waiting);
  const seconds = (await openNode(other)).getByLabel('Duration (seconds)');
  await seconds.fill('007');
  await seconds.blur();
  await saveState(other).toBe('Not saved: Duration (seconds)');
  expect(await seconds.inputValue()).toBe('007');
  await seconds.fill('1.5');
  await seconds.blur();
  await saveState(other).toBe('Saved');
  expect((await storedConfig(waiting))['duration_seconds']).toBe(1.5);
  await other.context().close();
}, 120_000);

const template = (page: Page) => page.getByRole('textbox', { name: 'Template', exact: true });

/** The text of the field as it is, line by line. */
const templateText = (page: Page) =>
  expect.poll(async () => (await template(page).locator('.cm-line').allTextContents()).join('\n'), WITHIN);

async function bothAt(id: string): Promise<readonly [Page, Page]> {
  const pages = [await at.open(ada, id), await at.open(grace, id)] as const;
  for (const page of pages) {
    await openNode(page);
    await template(page).click();
  }
  return pages;
}

test('two people who type in one text at the same time both find all of it there', async () => {
  const id = await workflowWith('transformer', { mode: 'template', template: 'Dear customer,\n\nThe team' });
  const [first, second] = await bothAt(id);
  await first.keyboard.press('Control+Home');
  await second.keyboard.press('Control+End');
  for (const [at, letter] of Array.from(' of the greatest').entries()) {
    await second.keyboard.type(letter);
    await first.keyboard.type('0123456789abcdef'.charAt(at));
  }
  const whole = '0123456789abcdefDear customer,\n\nThe team of the greatest';
  await templateText(first).toBe(whole);
  await templateText(second).toBe(whole);
  await saveState(first).toBe('Saved');
  await saveState(second).toBe('Saved');
  expect((await storedConfig(id))['template']).toBe(whole);
  for (const page of [first, second]) await page.context().close();
}, 120_000);

test('an edit made offline that meets a newer one of the same words is shown to both people with both texts', async () => {
  const id = await workflowWith('transformer', { mode: 'template', template: 'Dear customer' });
  const [first, second] = await bothAt(id);
  await first.context().setOffline(true);
  const replaceLast = async (page: Page, text: string): Promise<void> => {
    await page.keyboard.press('Control+End');
    await page.keyboard.press('Control+Shift+ArrowLeft');
    await page.keyboard.type(text);
  };
  await replaceLast(first, 'friend');
  await replaceLast(second, 'madam');
  await saveState(second).toBe('Saved');
  await first.context().setOffline(false);
  const conflict = first.getByRole('alert', { name: 'Not saved: Template' });
  await conflict.waitFor(WITHIN);
  expect(await conflict.locator('pre').allTextContents()).toEqual(['Dear friend', 'Dear madam']);
  await saveState(first).toBe('Not saved: Template');
  expect(await inBothThemes(first)).toEqual([]);
  expect((await storedConfig(id))['template']).toBe('Dear madam');
  await conflict.getByRole('button', { name: 'Keep mine' }).click();
  await saveState(first).toBe('Saved');
  const replaced = second.getByRole('group', { name: /replaced what you wrote here/ });
  await replaced.waitFor(WITHIN);
  expect(await replaced.locator('pre').allTextContents()).toEqual(['Dear madam', 'Dear friend']);
  await replaced.getByRole('button', { name: 'Put mine back' }).click();
  await templateText(first).toBe('Dear madam');
  for (const page of [first, second]) await page.context().close();
}, 120_000);

test('a node is free 30 s after the last change of its holder, and a lost connection is no colleague who took it over', async () => {
  const id = await workflowWith('interrupt', { kind: 'wait', duration_seconds: 5 });
  const [first, second] = [await at.open(ada, id), await at.open(grace, id)];
  const [own, other] = [await openNode(first), await openNode(second)];
  const seconds = own.getByLabel('Duration (seconds)');
  await seconds.fill('6');
  await second.getByText('is editing this node.').waitFor();
  expect(await other.getByLabel('Duration (seconds)').isDisabled()).toBe(true);
  await second.getByRole('button', { name: 'Take over' }).click();
  await second.getByText('is still editing this node').waitFor();
  await expect.poll(() => other.getByLabel('Duration (seconds)').isEnabled(), WITHIN).toBe(true);
  await other.getByLabel('Duration (seconds)').fill('7');
  await first.getByText('is editing this node.').waitFor(WITHIN);
  expect(await first.locator('.wc-notice').count()).toBe(0);
  await expect.poll(() => seconds.inputValue(), WITHIN).toBe('7');

  await second.context().setOffline(true);
  await expect.poll(() => seconds.isEnabled(), WITHIN).toBe(true);
  await second.context().setOffline(false);
  await saveState(second).toBe('Saved');
  // The renewal after the connection came back is where a lock is found to be lost.
  await other.getByLabel('Duration (seconds)').fill('8');
  await expect.poll(async () => (await storedConfig(id))['duration_seconds'], WITHIN).toBe(8);
  expect(await second.getByText('took over').count()).toBe(0);
  for (const page of [first, second]) await page.context().close();
  expect(at.errors).toEqual([]);
}, 180_000);
