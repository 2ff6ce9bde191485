/** Forms of the canvas in a real browser: if this fails, a person loses what they typed, or a colleague's work disturbs theirs. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import type { JsonObject } from '../../../src/language/graph/values/value.ts';
import { appendEvents } from '../../../src/engine/runs/ledger/write/events.ts';
import { definition } from '../../features/canvas/support/canvas.ts';
import type { Tenant } from '../../support/api-server.ts';
import { inBothThemes } from './support/axe.ts';
import { goOffline, startCanvasPage, type CanvasPage } from './support/canvas-page.ts';

let at: CanvasPage;
let ada: Tenant;
let grace: Tenant;

beforeAll(async () => {
  at = await startCanvasPage();
  ada = await at.canvas.tenant();
  grace = await at.canvas.colleague(ada);
});
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

interface StoredDefinition {
  readonly nodes: readonly (JsonObject & { readonly config: JsonObject })[];
  readonly edges: readonly JsonObject[];
  readonly [key: string]: unknown;
}

async function storedDefinition(workflowId: string): Promise<StoredDefinition> {
  const { workflow_schema: schema } = (await ada.call('GET', `/workflows/${workflowId}`)).body;
  return schema as StoredDefinition;
}

/** The config of the first node, as it is stored. */
const storedConfig = async (workflowId: string): Promise<JsonObject> =>
  (await storedDefinition(workflowId)).nodes[0]!.config;

const saveState = (page: Page) => expect.poll(() => page.getAttribute('[data-save]', 'data-save'), WITHIN);

/** Opens the first node. @returns its panel */
async function openNode(page: Page) {
  await page.locator('[data-node="a"]').click();
  const panel = page.getByRole('complementary', { name: 'Details' });
  await panel.getByLabel('Name', { exact: true }).waitFor();
  return panel;
}

/** Selects the edge from a to b near its beginning: in its middle, a button comes under the pointer. */
async function selectEdge(page: Page): Promise<void> {
  const edge = page.locator('.react-flow__edge[data-id="a-b"]');
  const { width, height } = (await edge.boundingBox()) ?? { width: 0, height: 0 };
  await edge.click({ position: { x: width / 5, y: height / 2 } });
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
  await page.locator('[data-node="a"] .wc-badge[title^="Running"]').waitFor();
  await expect.poll(() => name.evaluate((field) => field === field.ownerDocument.activeElement)).toBe(true);
  await page.keyboard.type('ss');
  await page.keyboard.press('Backspace');
  await expect.poll(() => name.inputValue()).toBe('Letters');
  // A field that is left to nothing leaves the focus at the body: no key is a shortcut there.
  await name.evaluate((field) => field.blur());
  await page.keyboard.press('Backspace');
  await page.keyboard.press('Delete');
  await page.keyboard.press('n');
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
  await expect.poll(() => name.count()).toBe(1);
  await page.getByRole('button', { name: 'Running' }).click();
  await panel.getByRole('tab', { name: 'Run', selected: true }).waitFor();
  await page.locator('.react-flow__pane').click({ position: { x: 20, y: 300 } });
  await page.keyboard.press('/');
  await page.getByRole('dialog', { name: 'Add node' }).waitFor();
  await page.keyboard.press('Escape');
  await expect.poll(() => page.locator('.react-flow:focus').count()).toBe(1);
  await saveState(page).toBe('Saved');
  await page.context().close();
});

test('a text whose cursor stands where a line wraps gives the focus to the field that is clicked', async () => {
  const id = await workflowWith('transformer', { mode: 'template', template: 'word '.repeat(60) });
  const page = await at.open(ada, id);
  const panel = await openNode(page);
  // By its name: the first text of the form is another one until the code of this field has come.
  await panel.getByRole('textbox', { name: 'Template', exact: true }).click();
  await page.keyboard.press('Control+Home');
  // The end of the first of the lines that are seen, not of the text's.
  await page.keyboard.press('End');
  const name = panel.getByLabel('Name', { exact: true });
  await name.click();
  // CodeMirror measures in a frame after its own delay of 10 ms.
  await page.evaluate(
    'new Promise((done) => setTimeout(() => requestAnimationFrame(() => requestAnimationFrame(done)), 50))',
  );
  expect(await name.evaluate((field) => field === field.ownerDocument.activeElement)).toBe(true);
  await page.context().close();
});

test('JSON that is not valid stays as it was typed, over a change of nodes and a reload, and is never called saved', async () => {
  const id = await workflowWith('interrupt', { kind: 'approval', title: 'May it?' });
  const page = await at.open(ada, id);
  let panel = await openNode(page);
  const data = () => panel.getByRole('textbox', { name: 'Data to show' });
  const said = (): Promise<string> =>
    data().evaluate((field) => {
      const told = field.getAttribute('aria-describedby') ?? '';
      return field.ownerDocument.getElementById(told)?.textContent ?? '';
    });
  await panel
    .getByRole('group', { name: 'Data to show', exact: true })
    .getByRole('button', { name: 'Edit as JSON' })
    .click();
  await data().click();
  await page.keyboard.type('grace@example.com');
  await expect.poll(said).toContain('not valid JSON');
  expect(await inBothThemes(page)).toEqual([]);
  // The builder cannot show it: it stays until it is mended.
  await panel
    .getByRole('group', { name: 'Data to show', exact: true })
    .getByRole('button', { name: 'Edit as form' })
    .click();
  await expect.poll(() => data().textContent()).toBe('grace@example.com');
  await page.locator('[data-node="b"]').click();
  await saveState(page).toBe('Not saved: Data to show');
  await page.getByRole('button', { name: 'Not saved: Data to show' }).click();
  await expect.poll(() => data().textContent()).toBe('grace@example.com');
  await page.reload();
  await page.waitForSelector('[data-node="a"]');
  await saveState(page).toBe('Not saved: Data to show');
  panel = await openNode(page);
  await expect.poll(() => data().textContent()).toBe('grace@example.com');
  await expect.poll(said).toContain('not valid JSON');
  await data().click();
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText('{"count": {{b.count}}}');
  await expect.poll(said).toContain('quotes: "{{node.field}}"');
  expect(await storedConfig(id)).not.toHaveProperty('payload');
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText('["grace@example.com"]');
  await saveState(page).toBe('Saved');
  expect((await storedConfig(id))['payload']).toEqual(['grace@example.com']);
  await expect.poll(said).not.toContain('JSON');
  await page.context().close();
});

test('a value is text until its field is left, and a number only where it is one exactly', async () => {
  const values = [
    ['1.05', 1.05],
    ['007', '007'],
    ['12345678901234567890', '12345678901234567890'],
    ['1e999', '1e999'],
    ['-0.5', -0.5],
    ['true', true],
    ['truely', 'truely'],
  ] as const;
  const rules = values.map(() => ({ left: '{{input.amount}}', op: 'eq', right: 'x' }));
  const id = await workflowWith('conditional', { cases: [{ id: 'first', match: 'all', rules }] });
  const page = await at.open(ada, id);
  const fields = (await openNode(page)).getByRole('textbox', { name: 'Compare with' });
  for (const [at, [typed, value]] of values.entries()) {
    const right = fields.nth(at);
    await right.click();
    await page.keyboard.press('Control+a');
    await page.keyboard.type(typed);
    await expect.poll(() => right.textContent()).toBe(typed);
    await right.blur();
    await expect.poll(() => right.textContent()).toBe(String(value));
  }
  const storedRights = async (): Promise<unknown> => {
    const [first] = (await storedConfig(id))['cases'] as { rules: { right: unknown }[] }[];
    return first?.rules.map(({ right }) => right);
  };
  await expect.poll(storedRights, WITHIN).toEqual(values.map(([, value]) => value));
  await page.context().close();

  const waiting = await workflowWith('interrupt', { kind: 'wait', duration_seconds: 5 });
  const other = await at.open(ada, waiting);
  const seconds = (await openNode(other)).getByLabel('Duration (seconds)');
  await seconds.fill('007');
  await seconds.blur();
  await saveState(other).toBe('Not saved: Duration (seconds)');
  await expect.poll(() => seconds.inputValue()).toBe('007');
  await seconds.fill('1.5');
  await seconds.blur();
  await saveState(other).toBe('Saved');
  expect((await storedConfig(waiting))['duration_seconds']).toBe(1.5);
  await other.context().close();
});

/** Types into a field that CodeMirror shows. */
async function typeInto(page: Page, name: string, text: string): Promise<void> {
  await page.getByRole('textbox', { name, exact: true }).click();
  await page.keyboard.press('Control+a');
  if (text === '') await page.keyboard.press('Delete');
  else await page.keyboard.insertText(text);
}

test('the settings of every kind of node are fields, and a mistake in one is told below it', async () => {
  const id = await workflowWith('transformer', { mode: 'template', template: '{{item.name}}' });
  const page = await at.open(ada, id);
  const panel = await openNode(page);
  await panel.getByText('For each', { exact: true }).click();
  await panel.getByRole('switch', { name: 'Run once for each item' }).click();
  await typeInto(page, 'Items', '{{input.people}}');
  await panel.getByLabel('Concurrency').fill('200');
  await panel.getByLabel('Concurrency').blur();
  await panel.getByText('Must be a whole number from 1 to 100.').waitFor();
  await panel.getByLabel('Concurrency').fill('7');
  await panel.getByLabel('If an item fails').selectOption('Leave the item out');
  await panel.getByText('Errors, retries and timeout').click();
  await panel.getByLabel('Max. attempts').fill('4');
  await panel.getByLabel('Backoff factor').fill('3');
  await panel.getByLabel('Timeout of one attempt (ms)').fill('9000');
  await panel.getByLabel('On error').selectOption('Use a default output');
  await typeInto(page, 'Default output (JSON)', '{"text": ""}');
  await panel.getByText('Flow and state').click();
  await panel.getByLabel('Start after').selectOption('Any incoming branch');
  await panel.getByRole('button', { name: 'Add state update' }).click();
  await panel.getByLabel('State field', { exact: true }).fill('names');
  await panel.getByLabel('State field', { exact: true }).press('Enter');
  await typeInto(page, 'State updates: names', '{{a.text}}');
  await panel.getByText('The workflow has no state field "names".').waitFor();
  await saveState(page).toBe('Saved');
  await expect
    .poll(async () => (await storedDefinition(id)).nodes[0], WITHIN)
    .toMatchObject({
      for_each: { items: '{{input.people}}', max_concurrency: 7, on_item_error: 'drop' },
      retry: { max_attempts: 4, backoff_coefficient: 3 },
      timeout_ms: 9_000,
      on_error: 'continue',
      default_output: { text: '' },
      join: 'any',
      state_updates: { names: '{{a.text}}' },
    });
  expect(await inBothThemes(page)).toEqual([]);
  await page.context().close();
});

test('people are asked before a request leaves: the switch, whom and how many it asks, and the mark on the card', async () => {
  const id = await workflowWith('tool', { kind: 'http', method: 'POST', url: 'https://a.example/x' });
  const page = await at.open(ada, id);
  const panel = await openNode(page);
  const mark = page.locator('[data-node="a"]').getByLabel('Asks people before it sends');
  await expect.poll(() => mark.count()).toBe(0);
  await panel.getByText('Approval before it is sent').click();
  await panel.getByRole('switch', { name: 'Ask people before the request is sent' }).click();
  await mark.waitFor();
  await typeInto(page, 'Message to the people', 'Refund of {{input.order}}');
  await panel.getByRole('group', { name: 'Roles that may approve' }).getByLabel('Owner').click();
  await panel.getByLabel('People who may approve').fill('ben@example.com');
  await panel.getByLabel('Required approvals').fill('999');
  await panel.getByLabel('Required approvals').blur();
  await panel.getByText('Must be at most 100.').waitFor();
  await panel.getByLabel('Required approvals').fill('2');
  await panel.getByLabel('Time to approve (seconds)').fill('3600');
  await panel.getByLabel('Values that people may change').fill('header.x');
  await panel.getByLabel('Values that people may change').blur();
  await panel.getByText('Must begin with body: nothing else of this request may be changed.').waitFor();
  await panel.getByLabel('Values that people may change').fill('body.amount');
  await panel.getByLabel('Values that people may change').blur();
  await panel.getByRole('button', { name: 'Add chat' }).click();
  await saveState(page).toBe('Saved');
  await expect
    .poll(async () => (await storedDefinition(id)).nodes[0]?.['confirm'], WITHIN)
    .toEqual({
      message: 'Refund of {{input.order}}',
      assignees: { roles: ['owner'], emails: ['ben@example.com'] },
      required_responses: 2,
      timeout_seconds: 3_600,
      editable: ['body.amount'],
      notify: [{ kind: 'slack', url: '' }],
    });
  expect(await inBothThemes(page)).toEqual([]);
  await panel.getByRole('switch', { name: 'Ask people before the request is sent' }).click();
  await mark.waitFor({ state: 'detached' });
  await expect.poll(async () => (await storedDefinition(id)).nodes[0], WITHIN).not.toHaveProperty('confirm');
  await page.context().close();
});

test('a node gets another id in one step, with the templates and edges that name it', async () => {
  const id = await workflowWith('transformer', { mode: 'template', template: 'Dear' });
  const page = await at.open(ada, id);
  const panel = await openNode(page);
  await panel.getByLabel('ID', { exact: true }).fill('b');
  await panel.getByText('Another node or state field has this ID.').waitFor();
  await panel.getByLabel('ID', { exact: true }).fill('letter');
  await panel.getByLabel('ID', { exact: true }).press('Enter');
  await page.locator('[data-node="letter"]').waitFor();
  await expect.poll(() => panel.getByLabel('ID', { exact: true }).inputValue()).toBe('letter');
  await saveState(page).toBe('Saved');
  const ends = async () => (await storedDefinition(id)).edges.map(({ source, target }) => [source, target]);
  await expect.poll(async () => (await ends()).flat(), WITHIN).toContain('letter');
  expect((await ends()).flat()).not.toContain('a');
  await panel.getByLabel('Name', { exact: true }).fill('Thank you note');
  await panel.getByRole('button', { name: 'Change ID to thank_you_note' }).click();
  await page.locator('[data-node="thank_you_note"]').waitFor();
  await page.getByRole('button', { name: /^Undo/ }).click();
  await page.locator('[data-node="letter"]').waitFor();
  await page.context().close();
});

test('keys and values are rows, a template shows its value, and completion reaches into lists', async () => {
  const schema = definition() as unknown as StoredDefinition & { metadata?: object };
  Object.assign(schema.nodes[0]!, { type: 'function', config: { code: 'export default () => 1;' } });
  Object.assign(schema.nodes[1]!, {
    type: 'tool',
    config: { kind: 'http', method: 'GET', url: 'https://example.com', headers: { accept: 'text/html' } },
  });
  schema.metadata = { name: 'Rows', canvas: { pins: { a: { output: { rows: [{ key: 'k-7' }] } } } } };
  const { body } = await ada.call('POST', '/workflows', { body: { name: 'Rows', workflow_schema: schema } });
  const id = String(body['id']);
  const page = await at.open(ada, id);
  await page.locator('[data-node="b"]').click();
  const panel = page.getByRole('complementary', { name: 'Details' });
  await panel.getByRole('button', { name: 'Add header' }).click();
  const keys = panel
    .getByRole('group', { name: 'Headers', exact: true })
    .getByLabel('Header', { exact: true });
  await keys.last().fill('accept');
  await panel.getByText('This name is already in use.').waitFor();
  await keys.last().fill('authorization');
  await keys.last().press('Enter');
  const value = panel.getByRole('textbox', { name: 'Headers: authorization', exact: true });
  await value.click();
  await page.keyboard.type('Key {{a.rows');
  const options = page.getByRole('listbox').getByRole('option');
  await options.filter({ hasText: 'a.rows[0].key' }).waitFor();
  expect(await inBothThemes(page)).toEqual([]);
  await options.filter({ hasText: 'a.rows[0].key' }).click();
  await panel.getByLabel('Preview of Headers: authorization').getByText('Key k-7', { exact: true }).waitFor();
  await typeInto(page, 'URL', 'https://example.com/{{input.text}}');
  await panel.getByLabel('Preview of URL').getByText('Not run yet').waitFor();
  await panel
    .getByRole('group', { name: 'Headers', exact: true })
    .getByRole('button', { name: 'Edit as JSON' })
    .click();
  await typeInto(page, 'Headers', '{"x-key": "{{a.rows[0].nope}}"}');
  await panel.getByText('No value at a.rows[0].nope. Available: key').waitFor();
  await panel.getByRole('button', { name: 'Edit as form' }).click();
  await expect.poll(() => keys.count()).toBe(1);
  await expect.poll(() => keys.inputValue()).toBe('x-key');
  await saveState(page).toBe('Saved');

  // So do both sides of a rule.
  await selectEdge(page);
  const addRule = panel.getByRole('button', { name: 'Add rule' });
  // The node's form, which has two of them, is gone.
  await expect.poll(() => addRule.count()).toBe(1);
  await addRule.click();
  await typeInto(page, 'Value', '{{a.rows[0].key}}');
  await panel.getByLabel('Operator').selectOption('equals');
  await typeInto(page, 'Compare with', 'k-{{input.row}}');
  await panel.getByLabel('Preview of Value').getByText('k-7', { exact: true }).waitFor();
  await panel.getByLabel('Preview of Compare with').getByText('Not run yet').waitFor();
  await page.context().close();
});

test('a list is grouped in the form: keys, computed fields and filters, without JSON', async () => {
  const id = await workflowWith('transformer', { mode: 'group', source: '{{input.orders}}' });
  const page = await at.open(ada, id);
  const panel = await openNode(page);
  await panel.getByRole('group', { name: 'Group by' }).getByRole('button', { name: 'Add field' }).click();
  const key = panel.getByRole('group', { name: 'Group by' }).getByLabel('Field', { exact: true });
  await key.last().fill('who');
  await key.last().press('Enter');
  await panel.getByRole('textbox', { name: 'Group by: who', exact: true }).click();
  await page.keyboard.type('{{item.customer | up');
  await page.getByRole('listbox').getByRole('option').filter({ hasText: 'upper' }).click();
  await panel.getByRole('button', { name: 'Add computed field' }).click();
  const total = panel.getByRole('group', { name: 'Computed field 1', exact: true });
  await total.getByLabel('Computed by').selectOption({ label: 'Largest' });
  expect(await inBothThemes(page)).toEqual([]);
  await saveState(page).toBe('Saved');
  await expect
    .poll(() => storedConfig(id), WITHIN)
    .toMatchObject({
      keys: { who: expect.stringMatching(/^\{\{item\.customer \| upper ?\}\}$/) },
      values: [{ name: 'total', op: 'max', of: '{{item.amount}}' }],
    });
  await page.context().close();
});

/** The panel, a group of fields in it by its name, and the way to a node by the finder. */
function walkNodes(page: Page) {
  const panel = page.getByRole('complementary', { name: 'Details' });
  return {
    panel,
    group: (name: string) => panel.getByRole('group', { name, exact: true }),
    open: async (nodeId: string): Promise<void> => {
      await page.locator('.react-flow').focus();
      await page.keyboard.press('Control+f');
      // The first dialog of a page comes once its code is loaded.
      await page.getByRole('combobox', { name: 'Find node' }).fill(nodeId);
      await page.keyboard.press('Enter');
      await page.keyboard.press('Enter');
      await expect.poll(() => panel.getByLabel('ID', { exact: true }).inputValue()).toBe(nodeId);
    },
  };
}

test('the form of a question, a response, the parameters of an action, a filter and a sort order are built, and are JSON on a click', async () => {
  const schema = definition() as unknown as { nodes: object[]; edges: object[]; metadata: object };
  const node = (id: string, type: string, config: object) => ({ id, type, name: id, config });
  schema.nodes = [
    node('rows', 'function', { code: 'export default () => 1;' }),
    node('ask', 'interrupt', { kind: 'input', title: 'Which?' }),
    node('answer', 'llm', { provider: 'openai', model: 'm', messages: [{ role: 'user', content: 'Hi' }] }),
    node('post', 'tool', { kind: 'integration' }),
    node('top', 'transformer', { mode: 'list', source: '{{rows.all}}' }),
  ];
  const ids = ['__start__', 'rows', 'ask', 'answer', 'post', 'top', '__end__'];
  schema.edges = ids.slice(1).map((target, at) => ({ id: target, source: ids[at], target }));
  schema.metadata = { name: 'Built', canvas: { pins: { rows: { output: { all: [{ score: 7 }] } } } } };
  const { body } = await ada.call('POST', '/workflows', { body: { name: 'Built', workflow_schema: schema } });
  const id = String(body['id']);
  const page = await at.open(ada, id);
  const { panel, group, open } = walkNodes(page);
  const stored = async (at: number) => (await storedDefinition(id)).nodes[at]?.config;
  const expectStored = (at: number) => expect.poll(() => stored(at), WITHIN);

  await open('ask');
  await group('Data to show').getByRole('button', { name: 'Add field' }).click();
  await group('Data to show').getByLabel('Field', { exact: true }).fill('score');
  await group('Data to show').getByLabel('Field', { exact: true }).press('Enter');
  await typeInto(page, 'Data to show: score', '{{rows.all[0].score}}');
  await expectStored(1).toMatchObject({ payload: { score: '{{rows.all[0].score}}' } });
  await group('Form').getByRole('button', { name: 'Add field' }).click();
  const size = group('Form: field');
  await size.getByLabel('Label', { exact: true }).fill('Size of the shirt');
  await size.getByLabel('Choices (one per line)').fill('S\nL');
  await size.getByLabel('Default', { exact: true }).fill('L');
  await size.getByLabel('Field name').fill('size');
  await size.getByLabel('Field name').press('Enter');
  await group('Form').getByRole('button', { name: 'Add field' }).click();
  await group('Form: field').getByLabel('Type').selectOption('Whole number');
  await group('Form: field').getByRole('switch', { name: 'Required' }).click();
  const form = {
    type: 'object',
    properties: {
      size: { type: 'string', title: 'Size of the shirt', enum: ['S', 'L'], default: 'L' },
      field: { type: 'integer' },
    },
    required: ['size'],
  };
  await expectStored(1).toMatchObject({ form });
  expect(await inBothThemes(page)).toEqual([]);
  await group('Form').getByRole('button', { name: 'Edit as JSON' }).click();
  await expect.poll(() => group('Form').getByRole('textbox').textContent()).toContain('"enum"');
  await typeInto(page, 'Form', '{"anyOf": []}');
  await saveState(page).toBe('Saved');
  // The builder has no controls for it, so there is no way back to it.
  await expect.poll(() => group('Form').getByRole('button').count()).toBe(0);

  await page.route(/\/models(\?|$)/, (route) =>
    route.fulfill({ json: { models: [{ id: 'house-large' }], total: 1, reason: null } }),
  );
  await open('answer');
  await panel.getByLabel('Model', { exact: true }).fill('house');
  await page.getByRole('option', { name: 'house-large' }).click();
  await expectStored(2).toMatchObject({ model: 'house-large' });
  await panel.getByLabel('Response format').selectOption('JSON with these fields');
  await group('Fields of the response').getByRole('button', { name: 'Add field' }).click();
  const list = group('Fields of the response: field');
  await list.getByLabel('Field name').fill('people');
  await list.getByLabel('Field name').press('Enter');
  const people = group('Fields of the response: people');
  await people.getByLabel('Type', { exact: true }).selectOption('List');
  await people.getByLabel('Item type').selectOption('Object');
  await people.getByRole('button', { name: 'Add field' }).click();
  await expectStored(2).toMatchObject({
    response_format: {
      type: 'json_schema',
      schema: {
        type: 'object',
        properties: {
          people: {
            type: 'array',
            items: { type: 'object', properties: { field: { type: 'string' } }, required: ['field'] },
          },
        },
        required: ['people'],
      },
    },
  });
  expect(await inBothThemes(page)).toEqual([]);

  await open('post');
  await panel.getByRole('combobox', { name: 'Integration' }).click();
  await page.getByRole('option', { name: 'GitHub' }).click();
  // The choice is drawn before the next field is clicked, which it moves.
  await expect.poll(() => panel.getByRole('combobox', { name: 'Integration' }).inputValue()).toBe('GitHub');
  await panel.getByRole('combobox', { name: 'Action' }).click();
  await page.getByRole('option', { name: 'Create issue' }).click();
  await typeInto(page, 'Title', '{{rows.all[0].score}} of 10');
  await panel.getByLabel('Preview of Title').getByText('7 of 10', { exact: true }).waitFor();
  await panel.getByRole('textbox', { name: 'Labels' }).fill('bug');
  await expectStored(3).toMatchObject({
    action: 'create_issue',
    parameters: { title: '{{rows.all[0].score}} of 10', labels: ['bug'] },
  });
  expect(await inBothThemes(page)).toEqual([]);
  await typeInto(page, 'Title', '');
  await expectStored(3).not.toHaveProperty('parameters.title');

  await open('top');
  await panel.getByText('Available data').click();
  await panel.getByRole('button', { name: 'post.data.html_url' }).waitFor();
  await group('Filter').getByText('Keeps every item.').waitFor();
  await group('Filter').getByRole('button', { name: 'Add rule' }).click();
  await typeInto(page, 'Value', '{{item.score}}');
  await panel.getByLabel('Preview of Value').getByText('7', { exact: true }).waitFor();
  await panel.getByLabel('Operator').selectOption('is at least');
  await typeInto(page, 'Compare with', '5');
  await group('Sort by').getByRole('button', { name: 'Add sort key' }).click();
  await group('Sort key 1').getByLabel('Field', { exact: true }).fill('score');
  await group('Sort key 1').getByLabel('Direction').selectOption('Descending');
  await expectStored(4).toMatchObject({
    filter: { match: 'all', rules: [{ left: '{{item.score}}', op: 'gte', right: 5 }] },
    sort: [{ by: 'score', order: 'desc' }],
  });
  expect(await inBothThemes(page)).toEqual([]);
  await page.context().close();
});

test('the body of a request, sources, a response and filters are built; what no builder shows stays JSON', async () => {
  const schema = definition() as unknown as { nodes: object[]; edges: object[] };
  const node = (id: string, type: string, config: object) => ({ id, type, name: id, config });
  const bases = ['00000000-0000-4000-8000-00000000000b'];
  const create = async (path: string, body: object) => (await ada.call('POST', path, { body })).body;
  const account = { integration: 'openai', auth_type: 'api_key', data: { api_key: 'sk-of-a-test' } };
  const { credential_id: credential } = await create('/credentials', { name: 'Embeddings', ...account });
  const config = { credential_id: credential, embedding_config: { model: 'text-embedding-3-small' } };
  const { id: shop } = await create('/knowledge-bases', { name: 'Shop', ...config });
  const { id: blog } = await create('/knowledge-bases', { name: 'Blog', ...config });
  schema.nodes = [
    node('post', 'tool', { kind: 'http', method: 'POST', url: 'https://example.com' }),
    node('merge', 'transformer', { mode: 'merge', sources: ['{{post.data}}'] }),
    node('find', 'knowledge', {
      knowledge_base_ids: bases,
      query: 'Shirts',
      filters: { year: { op: 'gte', value: 2024 } },
    }),
    node('other', 'knowledge', { knowledge_base_ids: bases, query: 'Hats', filters: { size: { min: 3 } } }),
  ];
  const ids = ['__start__', 'post', 'merge', 'find', 'other', '__end__'];
  schema.edges = ids.slice(1).map((target, at) => ({ id: target, source: ids[at], target }));
  const { body } = await ada.call('POST', '/workflows', {
    body: { name: 'Bodies', workflow_schema: schema },
  });
  const id = String(body['id']);
  const page = await at.open(ada, id);
  const { panel, group, open } = walkNodes(page);
  const expectStored = (at: number) =>
    expect.poll(async () => (await storedDefinition(id)).nodes[at]?.config, WITHIN);
  const addKey = async (name: string, add: string, key: string, label: string) => {
    await group(name).getByRole('button', { name: add, exact: true }).click();
    await group(name).getByLabel(label, { exact: true }).last().fill(key);
    await group(name).getByLabel(label, { exact: true }).last().press('Enter');
  };

  await open('post');
  await addKey('Body', 'Add field', 'name', 'Field');
  // The page draws the document late: what is typed and added meanwhile is added to what is typed, not to what is drawn.
  const drawAfter = (ms: number) =>
    page.evaluate((late) => {
      const window = globalThis as unknown as { requestAnimationFrame: (draw: () => void) => number };
      window.requestAnimationFrame = (draw) => Number(setTimeout(draw, late));
    }, ms);
  await drawAfter(2_000);
  await typeInto(page, 'Body: name', 'Dear {{input.name}}');
  await addKey('Body', 'Add field', 'count', 'Field');
  await drawAfter(16);
  await panel.getByRole('button', { name: 'Edit Body: count as JSON' }).click();
  await typeInto(page, 'Body: count', '5');
  await expectStored(0).toMatchObject({ body: { name: 'Dear {{input.name}}', count: 5 } });
  expect(await inBothThemes(page)).toEqual([]);
  // A look at the same body as text changes nothing; a text that is typed is one.
  await group('Body').getByRole('button', { name: 'Edit as text' }).click();
  await expect.poll(() => group('Body').getByRole('textbox').textContent()).toContain('"count":5');
  await saveState(page).toBe('Saved');
  expect((await storedDefinition(id)).nodes[0]?.config).toMatchObject({ body: { count: 5 } });
  await typeInto(page, 'Body', 'a,b');
  await expectStored(0).toMatchObject({ body: 'a,b' });
  await expect.poll(() => group('Body').getByRole('button', { name: 'Edit as form' }).count()).toBe(0);

  await open('merge');
  await group('Sources').getByRole('button', { name: 'Add source' }).click();
  await panel.getByRole('button', { name: 'Edit Source 2 as JSON' }).click();
  await typeInto(page, 'Source 2', '{"size": "{{input.size}}"}');
  await expectStored(1).toMatchObject({ sources: ['{{post.data}}', { size: '{{input.size}}' }] });
  await panel.getByRole('button', { name: 'Delete Source 1' }).click();
  await group('Response to a webhook').getByText('This node does not respond').waitFor();
  await panel.getByRole('button', { name: 'Add response' }).click();
  await typeInto(page, 'Status', '201');
  await panel.getByLabel('Content type').selectOption('text/csv');
  await addKey('Response headers', 'Add header', 'x-order', 'Header');
  await typeInto(page, 'Response headers: x-order', '{{post.status}}');
  await panel
    .getByRole('group', { name: 'Response body' })
    .getByRole('button', { name: 'Edit as text' })
    .click();
  await typeInto(page, 'Response body', 'id,{{post.id}}');
  const respond = {
    status: 201,
    content_type: 'text/csv',
    headers: { 'x-order': '{{post.status}}' },
    body: 'id,{{post.id}}',
  };
  await expectStored(1).toMatchObject({ sources: [{ size: '{{input.size}}' }], respond });
  await typeInto(page, 'Status', '99');
  await panel.getByText('must be 200 to 299').waitFor();
  expect(await inBothThemes(page)).toEqual([]);
  await panel.getByRole('button', { name: 'Delete response' }).click();
  await expectStored(1).not.toHaveProperty('respond');

  await open('find');
  // Two ticks within one frame are two bases, not the last.
  await panel.getByLabel('Shop').waitFor();
  await drawAfter(2_000);
  await panel.getByLabel('Shop').click();
  await panel.getByLabel('Blog').click();
  await drawAfter(16);
  await expectStored(2).toMatchObject({ knowledge_base_ids: [...bases, shop, blog] });
  await typeInto(page, 'Value', '2023');
  await addKey('Filters', 'Add filter', 'lang', 'Metadata field');
  const lang = group('Filters: lang');
  await lang.getByRole('textbox', { name: 'Value' }).click();
  await page.keyboard.insertText('{{input.lang}}');
  await expectStored(2).toMatchObject({
    filters: { year: { op: 'gte', value: 2023 }, lang: { op: 'eq', value: '{{input.lang}}' } },
  });
  await lang.getByLabel('Operator').selectOption('is one of');
  // A list is typed in several lines: the field of one line is gone by then.
  await lang.locator('textarea').fill('en\nde');
  await group('Filters: year').getByLabel('Operator').selectOption('does not exist');
  await expectStored(2).toMatchObject({
    filters: { year: { op: 'exists', value: false }, lang: { op: 'in', value: ['en', 'de'] } },
  });
  expect(await inBothThemes(page)).toEqual([]);

  await open('other');
  await expect.poll(() => group('Filters').getByRole('textbox').textContent()).toContain('"min": 3');
  await expect.poll(() => group('Filters').getByRole('button').count()).toBe(0);
  await page.context().close();
});

test('a case of one rule keeps it when a rule is added; groups in groups are drawn, added and deleted; cases are JSON on a click', async () => {
  const rule = { left: '{{input.amount}}', op: 'gt', right: 100 };
  const inner = { match: 'any', rules: [{ left: '{{input.name}}', op: 'exists' }] };
  const id = await workflowWith('conditional', {
    mode: 'rules',
    cases: [
      { id: 'big', ...rule },
      { id: 'known', match: 'all', rules: [inner] },
    ],
    default: 'else',
  });
  const page = await at.open(ada, id);
  const panel = await openNode(page);
  const cases = panel.getByRole('group', { name: 'Cases', exact: true });
  const operators = cases.getByLabel('Operator');
  await expect.poll(() => operators.count()).toBe(2);
  await expect.poll(() => operators.first().inputValue()).toBe('gt');
  await cases.getByRole('button', { name: 'Add group' }).first().click();
  const groups = cases.getByRole('group', { name: 'Group of rules' });
  // Until the document is drawn, the first group is that of the second case.
  await expect.poll(() => groups.count()).toBe(2);
  const added = groups.first();
  await added.getByLabel('Operator').selectOption('does not exist');
  await cases.getByRole('button', { name: 'Delete group' }).last().click();
  await saveState(page).toBe('Saved');
  expect(await inBothThemes(page)).toEqual([]);
  const stored = async () => (await storedConfig(id))['cases'];
  const group = { match: 'any', rules: [{ left: '{{input.text}}', op: 'not_exists' }] };
  await expect.poll(stored, WITHIN).toEqual([
    { id: 'big', match: 'all', rules: [rule, group] },
    { id: 'known', match: 'all', rules: [] },
  ]);
  await cases.getByRole('button', { name: 'Edit as JSON' }).click();
  await cases.getByRole('textbox', { name: 'Cases' }).waitFor();
  await page.context().close();
});

test('a credential that is chosen shows its name when that is known, and its id never before', async () => {
  const credential = '00000000-0000-4000-8000-00000000000c';
  const id = await workflowWith('tool', {
    kind: 'http',
    method: 'GET',
    url: 'https://example.com',
    credential_id: credential,
  });
  const page = await at.open(ada, id);
  let answer = (): void => undefined;
  const isAnswered = new Promise<void>((resolve) => (answer = resolve));
  await page.route(/\/credentials(\?|$)/, async (route) => {
    await isAnswered;
    await route.fulfill({
      json: { credentials: [{ credential_id: credential, name: 'Our key', integration: 'http' }] },
    });
  });
  const panel = await openNode(page);
  const picker = panel.getByRole('combobox', { name: 'Credential', exact: true });
  await expect.poll(() => picker.getAttribute('placeholder')).toBe('Loading…');
  await expect.poll(() => picker.inputValue()).toBe('');
  answer();
  await expect.poll(() => picker.inputValue()).toBe('Our key (http)');
  await page.context().close();
});

test('without a selection the panel has the settings of the workflow, and an edge has a condition', async () => {
  const id = await workflowWith('transformer', { mode: 'template', template: '{{input.amount}}' });
  const page = await at.open(ada, id);
  const panel = page.getByRole('complementary', { name: 'Details' });
  // A window of this width leaves the canvas its room until somebody asks for the settings.
  await page.getByRole('button', { name: 'Workflow settings' }).click();
  await panel.getByLabel('Workflow name').fill('');
  await panel.getByLabel('Workflow name').blur();
  await saveState(page).toBe('Not saved: Workflow name');
  await panel.getByLabel('Workflow name').fill('Refunds');
  await panel.getByLabel('Description', { exact: true }).fill('Pays back');
  await panel.getByRole('button', { name: 'Add parameter' }).click();
  const parameter = panel.getByRole('group', { name: 'Parameter 1', exact: true });
  await parameter.getByLabel('Name', { exact: true }).fill('amount');
  await parameter.getByLabel('Type').selectOption('Whole number');
  await parameter.getByLabel('Description', { exact: true }).fill('In cents');
  await panel.getByRole('button', { name: 'Add output field' }).click();
  await panel.getByLabel('Output field', { exact: true }).fill('paid');
  await panel.getByLabel('Output field', { exact: true }).press('Enter');
  await typeInto(page, 'Output of the run: paid', '{{a.text}}');
  await panel.getByRole('button', { name: 'Add state field' }).click();
  await panel.getByLabel('State field', { exact: true }).fill('names');
  await panel.getByLabel('State field', { exact: true }).press('Enter');
  await panel.getByLabel('A new value').selectOption('Is added to the list');
  await saveState(page).toBe('Saved');
  expect(await inBothThemes(page)).toEqual([]);
  await expect
    .poll(() => storedDefinition(id), WITHIN)
    .toMatchObject({
      metadata: { name: 'Refunds', description: 'Pays back' },
      input_parameters: [{ name: 'amount', type: 'integer', required: true, description: 'In cents' }],
      config: { output: { paid: '{{a.text}}' } },
      state_schema: { fields: { names: { reducer: 'add' } } },
    });

  await selectEdge(page);
  await panel.getByRole('tab', { name: 'Edge' }).waitFor();
  await panel.getByRole('button', { name: 'Add rule' }).click();
  await typeInto(page, 'Value', '{{a.text}}');
  await panel.getByLabel('Operator').selectOption('equals');
  await typeInto(page, 'Compare with', '5');
  await saveState(page).toBe('Saved');
  const when = async () => (await storedDefinition(id)).edges.map((edge) => edge['when']);
  await expect
    .poll(when, WITHIN)
    .toContainEqual({ match: 'all', rules: [{ left: '{{a.text}}', op: 'eq', right: 5 }] });
  expect(await inBothThemes(page)).toEqual([]);
  await panel.getByRole('button', { name: 'Delete rule' }).click();
  await expect.poll(when, WITHIN).toEqual([undefined, undefined, undefined]);
  await panel.getByRole('button', { name: 'Close panel' }).click();
  await expect.poll(() => panel.count()).toBe(0);
  await page.getByRole('button', { name: 'Workflow settings' }).click();
  await panel.getByLabel('Workflow name').waitFor();
  await page.context().close();
});

test('a click on a problem of the workflow leads to its field in the settings, whatever the panel shows', async () => {
  const schema = {
    ...definition(),
    config: { recursion_limit: 5_000, output: { paid: '{{nobody.total}}' } },
    state_schema: { fields: { names: { reducer: 'sum' } } },
  };
  const { body } = await ada.call('POST', '/workflows', { body: { name: 'Wrong', workflow_schema: schema } });
  const page = await at.open(ada, String(body['id']));
  const panel = page.getByRole('complementary', { name: 'Details' });
  const isFocused = (entity: string, ptr: string) =>
    expect.poll(
      () => page.locator(`[data-entity="${entity}"][data-field="${ptr}"]:focus-within`).count(),
      WITHIN,
    );
  const problems = [
    [/whole number from 1/, 'config', '/recursion_limit'],
    ['no node or state field "nobody"', 'config', '/output/paid'],
    ['one of', 'state', '/names/reducer'],
  ] as const;
  const shown = [
    () => page.locator('[data-node="a"]').click(),
    () => selectEdge(page),
    () => page.getByRole('button', { name: 'Workflow settings' }).click(),
  ];
  for (const show of shown)
    for (const [text, entity, ptr] of problems) {
      await show();
      await page.getByTitle('Show problems').click();
      await panel.getByRole('listitem').filter({ hasText: text }).getByRole('button').click();
      await isFocused(entity, ptr).toBe(1);
    }
  await panel.getByText('Must be a whole number from 1').waitFor();
  await page.context().close();
});

test('the input of a run is a form of the input parameters, and JSON when somebody wants it', async () => {
  const schema = definition() as { input_parameters: object[] };
  schema.input_parameters = [
    { name: 'text', type: 'string', required: true, description: 'To work on' },
    { name: 'limit', type: 'integer', default: 5 },
    { name: 'tags', type: 'array' },
    { name: 'isFast', type: 'boolean' },
  ];
  const { body } = await ada.call('POST', '/workflows', { body: { name: 'Form', workflow_schema: schema } });
  const page = await at.open(ada, String(body['id']));
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Run workflow' });
  await expect.poll(() => dialog.getByLabel('limit').inputValue()).toBe('5');
  await dialog.getByLabel('limit').fill('5.5');
  await dialog.getByLabel('tags').fill('[');
  await dialog.getByRole('button', { name: 'Run draft' }).click();
  await dialog.getByText('Required.').waitFor();
  await dialog.getByText('Enter a whole number.').waitFor();
  await dialog.getByText('This is not valid JSON.').waitFor();
  expect(await inBothThemes(page)).toEqual([]);
  await dialog.getByLabel('text').fill('Hello');
  await dialog.getByLabel('limit').fill('7');
  await dialog.getByLabel('tags').fill('["a"]');
  await dialog.getByRole('switch', { name: 'isFast' }).click();
  await dialog.getByRole('button', { name: 'Edit as JSON' }).click();
  const json = dialog.getByLabel('Input (JSON)');
  await expect
    .poll(async () => JSON.parse(await json.inputValue()))
    .toEqual({ text: 'Hello', limit: 7, tags: ['a'], isFast: true });
  // Nothing that was typed is lost by a look at the other view.
  const asForm = dialog.getByRole('button', { name: 'Edit as form' });
  await json.fill('{"text": "Bye" "order": 1}');
  await asForm.click();
  await dialog.getByRole('alert').getByText('not valid JSON').waitFor();
  await expect.poll(() => json.inputValue()).toBe('{"text": "Bye" "order": 1}');
  await json.fill('{"text": "Bye", "tags": null, "order": {"id": 1}}');
  await asForm.click();
  await expect.poll(() => dialog.getByRole('alert').count()).toBe(0);
  await expect.poll(() => dialog.getByLabel('text').inputValue()).toBe('Bye');
  await dialog.getByText('Also sent: order').waitFor();
  await dialog.getByLabel('limit').fill('12 x');
  await dialog.getByRole('button', { name: 'Edit as JSON' }).click();
  await asForm.click();
  await expect.poll(() => dialog.getByLabel('limit').inputValue()).toBe('12 x');
  await dialog.getByLabel('limit').fill('5');
  const started: unknown[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/workflows/run')) started.push(request.postDataJSON());
  });
  // A second click starts no second run.
  await dialog.getByRole('button', { name: 'Run draft' }).dblclick();
  await dialog.waitFor({ state: 'detached' });
  expect(started).toEqual([
    expect.objectContaining({ input: { text: 'Bye', limit: 5, tags: null, order: { id: 1 } } }),
  ]);
  await page.context().close();
});

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

test('the last input of a run is offered in its own workflow, to its own person, and nowhere else', async () => {
  const create = async (name: string): Promise<string> =>
    String(
      (await ada.call('POST', '/workflows', { body: { name, workflow_schema: definition() } })).body['id'],
    );
  const [one, other] = [await create('One'), await create('Other')];
  const page = await at.open(ada, one);
  const dialog = page.getByRole('dialog', { name: 'Run workflow' });
  const input = dialog.getByLabel('Input (JSON)');
  const show = async (who: Tenant, workflow: string): Promise<string> => {
    const hash = new URLSearchParams(new URL(page.url()).hash.slice(1));
    hash.set('workflow', workflow);
    hash.set('token', who.token);
    await page.evaluate(`location.hash = ${JSON.stringify(hash.toString())}`);
    await page.reload();
    // While one's own run is under way its button cancels it: the command opens the dialog in either case.
    await page.getByRole('button', { name: /^(Run|Cancel)$/u }).waitFor();
    await page.keyboard.press('Control+Enter');
    return input.inputValue();
  };
  const example = await show(ada, one);
  const secret = '{"to": "vault@company.example"}';
  await input.fill(secret);
  await dialog.getByRole('button', { name: 'Run draft' }).click();
  await expect.poll(() => dialog.count()).toBe(0);
  // Nobody works here: what is accepted does not run.
  await page.getByRole('button', { name: 'Waiting for a worker' }).waitFor(WITHIN);
  expect(await show(ada, other)).toBe(example);
  expect(await show(grace, one)).toBe(example);
  expect(JSON.parse(await show(ada, one))).toEqual(JSON.parse(secret));
  await page.context().close();
});

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
});

test('an edit made offline that meets a newer one of the same words is shown to both people with both texts', async () => {
  const id = await workflowWith('transformer', { mode: 'template', template: 'Dear customer' });
  const [first, second] = await bothAt(id);
  await goOffline(first);
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
  await expect.poll(() => conflict.locator('pre').allTextContents()).toEqual(['Dear friend', 'Dear madam']);
  await saveState(first).toBe('Not saved: Template');
  expect(await inBothThemes(first)).toEqual([]);
  expect((await storedConfig(id))['template']).toBe('Dear madam');
  await conflict.getByRole('button', { name: 'Keep mine' }).click();
  await saveState(first).toBe('Saved');
  const replaced = second.getByRole('group', { name: /replaced your change/ });
  await replaced.waitFor(WITHIN);
  await expect.poll(() => replaced.locator('pre').allTextContents()).toEqual(['Dear madam', 'Dear friend']);
  await replaced.getByRole('button', { name: 'Restore mine' }).click();
  await templateText(first).toBe('Dear madam');
  for (const page of [first, second]) await page.context().close();
});

test('a field in which one is stays open when a colleague takes the node, and what is typed waits for it', async () => {
  const id = await workflowWith('llm', {
    provider: 'openai',
    model: 'm',
    messages: [{ role: 'user', content: 'Hi' }],
  });
  const [first, second] = [await at.open(ada, id), await at.open(grace, id)];
  const [own, other] = [await openNode(first), await openNode(second)];
  await other.getByLabel('Temperature').focus();
  await own.getByLabel('Max. output tokens').fill('6');
  await second.getByText('is editing this node.').waitFor();
  await second.keyboard.type('0.5');
  await expect.poll(() => other.getByLabel('Temperature').inputValue()).toBe('0.5');
  // One that nobody is in is shut.
  await expect.poll(() => other.getByLabel('Max. output tokens').isDisabled()).toBe(true);
  await first.locator('.react-flow').focus();
  await second.locator('.react-flow').focus();
  await saveState(second).toBe('Saved');
  expect(await storedConfig(id)).toMatchObject({ parameters: { temperature: 0.5, max_output_tokens: 6 } });

  await other.getByLabel('ID', { exact: true }).focus();
  await own.getByLabel('Max. output tokens').fill('7');
  await second.getByText('is editing this node.').waitFor();
  await second.keyboard.press('Control+a');
  await second.keyboard.type('renamed');
  await first.locator('.react-flow').focus();
  await second.locator('.react-flow').focus();
  await second.locator('[data-node="renamed"]').waitFor(WITHIN);
  for (const page of [first, second]) await page.context().close();
});

test('a node is free 30 s after the last change of its holder, and a lost connection is no colleague who took it over', async () => {
  const id = await workflowWith('interrupt', { kind: 'wait', duration_seconds: 5 });
  const [first, second] = [await at.open(ada, id), await at.open(grace, id)];
  const [own, other] = [await openNode(first), await openNode(second)];
  const seconds = own.getByLabel('Duration (seconds)');
  await seconds.fill('6');
  await second.getByText('is editing this node.').waitFor();
  await expect.poll(() => other.getByLabel('Duration (seconds)').isDisabled()).toBe(true);
  await second.getByRole('button', { name: 'Take over' }).click();
  await second.getByText('is still editing this node').waitFor();
  await expect.poll(() => other.getByLabel('Duration (seconds)').isEnabled(), WITHIN).toBe(true);
  await other.getByLabel('Duration (seconds)').fill('7');
  await first.getByText('is editing this node.').waitFor(WITHIN);
  await expect.poll(() => first.locator('.wc-notice').count()).toBe(0);
  await expect.poll(() => seconds.inputValue(), WITHIN).toBe('7');

  await second.context().setOffline(true);
  await expect.poll(() => seconds.isEnabled(), WITHIN).toBe(true);
  await second.context().setOffline(false);
  await saveState(second).toBe('Saved');
  // The renewal after the connection came back is where a lock is found to be lost.
  await other.getByLabel('Duration (seconds)').fill('8');
  await expect.poll(async () => (await storedConfig(id))['duration_seconds'], WITHIN).toBe(8);
  await expect.poll(() => second.getByText('took over').count()).toBe(0);
  for (const page of [first, second]) await page.context().close();
  expect(at.errors).toEqual([]);
});
