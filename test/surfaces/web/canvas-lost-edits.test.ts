/** Two people in one workflow, in a real browser: if this fails, what one of them types is lost, or lands where it does not belong. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import type { JsonObject } from '../../../src/language/graph/values/value.ts';
import { definition } from '../../features/canvas/support/canvas.ts';
import type { Tenant } from '../../support/api-server.ts';
import { inBothThemes } from './support/axe.ts';
import { goOffline, startCanvasPage, type CanvasPage } from './support/canvas-page.ts';

let at: CanvasPage;
let ada: Tenant;
let ben: Tenant;

beforeAll(async () => {
  at = await startCanvasPage();
  ada = await at.canvas.tenant();
  ben = await at.canvas.colleague(ada);
});
afterAll(() => at.close());

/** A busy machine takes long to save what takes a second. */
const WITHIN = { timeout: 45_000 };

/** A workflow whose nodes, a and b, have these types and configs. */
async function createWorkflow(...nodes: readonly object[]): Promise<string> {
  const schema = definition() as { nodes: object[]; metadata?: object };
  for (const [index, node] of nodes.entries()) Object.assign(schema.nodes[index]!, node);
  const note = { text: 'Call', x: 0, y: 240, width: 240, height: 120 };
  schema.metadata = { name: 'Together', canvas: { notes: { n: note } } };
  const { body } = await ada.call('POST', '/workflows', {
    body: { name: 'Together', workflow_schema: schema },
  });
  return String(body['id']);
}

async function readStored(workflowId: string) {
  const { workflow_schema: schema } = (await ada.call('GET', `/workflows/${workflowId}`)).body;
  return schema as { nodes: (JsonObject & { config: JsonObject })[]; metadata: JsonObject };
}

const panelOf = (page: Page) => page.getByRole('complementary', { name: 'Details' });
const saveState = (page: Page) => expect.poll(() => page.getAttribute('[data-save]', 'data-save'), WITHIN);

async function openNode(page: Page, nodeId: string): Promise<void> {
  await page.locator(`[data-node="${nodeId}"]`).click();
  await panelOf(page).getByLabel('Name', { exact: true }).waitFor();
}

async function openBoth(workflowId: string): Promise<readonly [Page, Page]> {
  const pages = [await at.open(ada, workflowId), await at.open(ben, workflowId)] as const;
  for (const page of pages) await openNode(page, 'a');
  return pages;
}

const closeAll = async (...pages: readonly Page[]): Promise<void> => {
  for (const page of pages) await page.context().close();
};

test('what is typed in a message goes along when a colleague deletes the one before, and stays when its own is deleted', async () => {
  const say = (role: string, content: string) => ({ role, content });
  const messages = [say('system', 'Be kind.'), say('user', 'Translate'), say('user', 'Thanks.')];
  const id = await createWorkflow({ type: 'llm', config: { provider: 'openai', model: 'm', messages } });
  const [first, second] = await openBoth(id);
  const field = (name: string) => first.getByRole('textbox', { name, exact: true });
  await field('Message 2').click();
  await first.keyboard.press('Control+End');
  await first.keyboard.type(' in');
  await saveState(first).toBe('Saved');
  await panelOf(second).getByRole('button', { name: 'Delete message 1' }).click();
  await expect.poll(() => field('Message 3').count(), WITHIN).toBe(0);
  // The field of the entry keeps the focus.
  await first.keyboard.type(' French.');
  await saveState(first).toBe('Saved');
  const stored = async () => (await readStored(id)).nodes[0]?.config['messages'];
  await expect.poll(stored, WITHIN).toEqual([say('user', 'Translate in French.'), say('user', 'Thanks.')]);

  await goOffline(first);
  await field('Message 1').click();
  await first.keyboard.press('Control+End');
  await first.keyboard.type(' Now.');
  await panelOf(second).getByRole('button', { name: 'Delete message 1' }).click();
  await saveState(second).toBe('Saved');
  await first.context().setOffline(false);
  const lost = 'Not saved: Message 1 (moved or deleted)';
  await saveState(first).toBe(lost);
  await expect.poll(() => field('Message 1').textContent(), WITHIN).toBe('Thanks.');
  await expect.poll(stored, WITHIN).toEqual([say('user', 'Thanks.')]);
  await first.getByRole('button', { name: lost }).click();
  const list = first.getByRole('dialog', { name: lost });
  await expect.poll(() => list.locator('pre').allTextContents()).toEqual(['Translate in French. Now.']);
  expect(await inBothThemes(first)).toEqual([]);
  await list.getByRole('button', { name: 'Discard' }).click();
  await saveState(first).toBe('Saved');
  expect(await stored()).toEqual([say('user', 'Thanks.')]);
  await closeAll(first, second);
});

test('what two people write in a group of settings that nobody has used yet is all there, when one of them was offline', async () => {
  const id = await createWorkflow(
    { type: 'llm', config: { provider: 'openai', model: 'm', messages: [{ role: 'user', content: 'Hi' }] } },
    { type: 'tool', config: { kind: 'http', method: 'GET', url: 'https://a.example' } },
  );
  const [first, second] = await openBoth(id);
  const write = async (page: Page, label: string, value: string): Promise<void> => {
    await panelOf(page).getByLabel(label, { exact: true }).fill(value);
    await panelOf(page).getByLabel(label, { exact: true }).press('Tab');
  };
  const addHeader = async (page: Page, name: string): Promise<void> => {
    await openNode(page, 'b');
    await panelOf(page).getByRole('button', { name: 'Add header' }).click();
    await page.keyboard.type(name);
    await page.keyboard.press('Enter');
    await panelOf(page)
      .getByRole('textbox', { name: `Headers: ${name}`, exact: true })
      .click();
    await page.keyboard.type('v');
  };
  await goOffline(first);
  await write(first, 'Temperature', '0.7');
  await addHeader(first, 'X-Ada');
  await write(second, 'Max. output tokens', '64');
  await addHeader(second, 'X-Ben');
  await saveState(second).toBe('Saved');
  // A lock of the colleague would refuse the edit, which is then made again from what is there.
  const third = await at.open(ada, id);
  for (const node of ['a', 'b']) {
    await openNode(third, node);
    await expect
      .poll(() => panelOf(third).getByRole('button', { name: 'Take over' }).count(), WITHIN)
      .toBe(0);
  }
  await first.context().setOffline(false);
  await saveState(first).toBe('Saved');
  const stored = async () => {
    const [model, call] = (await readStored(id)).nodes;
    return [model?.config['parameters'], call?.config['headers']];
  };
  const all = [
    { temperature: 0.7, max_output_tokens: 64 },
    { 'X-Ada': 'v', 'X-Ben': 'v' },
  ];
  await expect.poll(stored, WITHIN).toEqual(all);
  for (const page of [first, second]) {
    await openNode(page, 'a');
    for (const [label, value] of [['Temperature', '0.7'] as const, ['Max. output tokens', '64'] as const])
      await expect
        .poll(() => panelOf(page).getByLabel(label, { exact: true }).inputValue(), WITHIN)
        .toBe(value);
    await expect.poll(() => page.getByText('replaced your change').count()).toBe(0);
  }
  await closeAll(first, second, third);
});

test('what is typed in a node goes along with a new id, and is kept when a colleague deletes the node', async () => {
  const id = await createWorkflow({ type: 'interrupt', config: { kind: 'approval', title: 'May it?' } });
  const [first, second] = await openBoth(id);
  const data = first.getByRole('textbox', { name: 'Data to show', exact: true });
  await panelOf(first)
    .getByRole('group', { name: 'Data to show', exact: true })
    .getByRole('button', { name: 'Edit as JSON' })
    .click();
  await data.click();
  await first.keyboard.type('half');
  await saveState(first).toBe('Not saved: Data to show');
  await panelOf(first).getByLabel('ID', { exact: true }).fill('mine');
  await panelOf(first).getByLabel('ID', { exact: true }).press('Enter');
  await first.locator('[data-node="mine"]').waitFor();
  await expect.poll(() => data.textContent()).toBe('half');
  await second.locator('[data-node="mine"]').waitFor(WITHIN);
  await openNode(second, 'mine');
  await panelOf(second).getByLabel('ID', { exact: true }).fill('ours');
  await panelOf(second).getByLabel('ID', { exact: true }).press('Enter');
  await first.locator('[data-node="ours"]').waitFor(WITHIN);
  await saveState(first).toBe('Not saved: Data to show');
  await first.getByRole('button', { name: 'Not saved: Data to show' }).click();
  await expect.poll(() => data.textContent()).toBe('half');
  await second.locator('[data-node="ours"]').click();
  await second.keyboard.press('Delete');
  const lost = 'Not saved: Data to show (node deleted)';
  await saveState(first).toBe(lost);
  await first.reload();
  await first.waitForSelector('[data-node="b"]');
  await saveState(first).toBe(lost);
  await first.getByRole('button', { name: lost }).click();
  const list = first.getByRole('dialog', { name: lost });
  await expect.poll(() => list.locator('pre').allTextContents()).toEqual(['half']);
  await list.getByRole('button', { name: 'Discard' }).click();
  await saveState(first).toBe('Saved');
  await closeAll(first, second);
});

test('who types in a node that a colleague deletes goes on typing, and finds all of it in the node when it comes back', async () => {
  const id = await createWorkflow(
    { type: 'transformer', config: { mode: 'template', template: 'Dear' } },
    { type: 'transformer', config: { mode: 'template', template: '{{a.text}}' } },
  );
  const [first, second] = await openBoth(id);
  const field = first.getByRole('textbox', { name: 'Template', exact: true });
  const stored = async () =>
    (await readStored(id)).nodes.find(({ id: nodeId }) => nodeId === 'a')?.config['template'];
  const deleteByColleague = async (): Promise<void> => {
    await second.locator('[data-node="a"]').click();
    await second.keyboard.press('Delete');
    await first.locator('[data-node="a"]').waitFor({ state: 'detached', ...WITHIN });
  };
  const type = async (text: string): Promise<void> => {
    await first.keyboard.press('Control+End');
    await first.keyboard.type(text);
  };
  const readEdges = async () => {
    const { edges: all } = (await readStored(id)) as unknown as { edges: JsonObject[] };
    return all.filter(({ source, target }) => source === 'a' || target === 'a').map(({ id: edge }) => edge);
  };
  const edges = await readEdges();
  await field.click();
  await deleteByColleague();
  // Letters that are commands of the canvas, too.
  await type(' and dn?');
  const lost = 'Not saved: Template (node deleted)';
  await saveState(first).toBe(lost);
  const banner = panelOf(first).getByRole('alert').filter({ hasText: 'deleted this node' });
  await banner.waitFor();
  expect(await inBothThemes(first)).toEqual([]);
  await second.keyboard.press('Control+z');
  await saveState(first).toBe('Saved');
  await expect.poll(() => banner.count()).toBe(0);
  await type(' kind');
  await expect.poll(stored, WITHIN).toBe('Dear and dn? kind');

  await deleteByColleague();
  await type(' sir');
  await saveState(first).toBe(lost);
  await first.getByRole('button', { name: lost }).click();
  await expect.poll(() => field.count()).toBe(0);
  const list = first.getByRole('dialog', { name: lost });
  await expect.poll(() => list.locator('pre').allTextContents()).toEqual(['Dear and dn? kind sir']);
  await list.getByRole('button', { name: 'Put back' }).click();
  await saveState(first).toBe('Saved');
  await second.locator('[data-node="a"]').waitFor(WITHIN);
  await expect.poll(stored, WITHIN).toBe('Dear and dn? kind sir');
  expect(await readEdges()).toEqual(edges);
  await closeAll(first, second);
}, 150_000);

test('a new id that is given offline replaces nobody: what a colleague has written meanwhile is renamed, too', async () => {
  const write = (template: string) => ({ type: 'transformer', config: { mode: 'template', template } });
  const id = await createWorkflow(write('Dear'), write('{{a.text}}'));
  const [first, second] = await openBoth(id);
  await goOffline(second);
  await panelOf(second).getByLabel('ID', { exact: true }).fill('letter');
  await panelOf(second).getByLabel('ID', { exact: true }).press('Enter');
  await second.locator('[data-node="letter"]').waitFor();
  for (const [node, text] of [['a', ' customer'] as const, ['b', '!'] as const]) {
    await openNode(first, node);
    await first.getByRole('textbox', { name: 'Template', exact: true }).click();
    await first.keyboard.press('Control+End');
    await first.keyboard.type(text);
    await saveState(first).toBe('Saved');
  }
  await second.context().setOffline(false);
  await first.locator('[data-node="letter"]').waitFor(WITHIN);
  const stored = async () =>
    (await readStored(id)).nodes.map((node) => [node['id'], node.config['template']]);
  const merged = [
    ['letter', 'Dear customer'],
    ['b', '{{letter.text}}!'],
  ];
  await expect.poll(stored, WITHIN).toEqual(merged);
  await saveState(second).toBe('Saved');
  await closeAll(first, second);
});

test('a name that is being typed when a colleague takes the node stays in its field, and is written once the node is free', async () => {
  const rule = { left: '{{input.n}}', op: 'gt', right: 0 };
  const cases = [{ id: 'yes', match: 'all', rules: [rule] }];
  const id = await createWorkflow({ type: 'conditional', config: { mode: 'rules', cases, default: 'else' } });
  const [first, second] = await openBoth(id);
  const operator = panelOf(second).getByLabel('Operator');
  const names = [
    { label: 'Name of case 1', name: 'good', op: 'is less than' },
    { label: 'ID', name: 'gate', op: 'equals' },
  ];
  for (const { label, name, op } of names) {
    const field = panelOf(first).getByLabel(label, { exact: true });
    await field.click();
    await first.keyboard.press('Control+a');
    await first.keyboard.type(name.slice(0, 2));
    await operator.selectOption(op);
    await panelOf(first).getByRole('button', { name: 'Take over' }).waitFor();
    await first.keyboard.type(name.slice(2));
    await expect.poll(() => field.inputValue()).toBe(name);
    await first.keyboard.press('Tab');
    await panelOf(first).getByText('Saved once the node is free.').waitFor();
    // The lock ends some seconds after its field is left.
    await operator.press('Tab');
    await expect.poll(() => panelOf(first).getByText('Saved once the node is free.').count(), WITHIN).toBe(0);
    await saveState(first).toBe('Saved');
    await expect.poll(() => field.inputValue()).toBe(name);
  }
  const stored = async () => (await readStored(id)).nodes[0];
  await expect.poll(stored, WITHIN).toMatchObject({
    id: 'gate',
    config: { cases: [{ id: 'good', rules: [{ op: 'eq' }] }] },
  });

  // A form that is closed meanwhile tells that the name has not been written.
  await panelOf(first).getByLabel('ID', { exact: true }).fill('door');
  await operator.selectOption('is greater than');
  await panelOf(first).getByRole('button', { name: 'Take over' }).waitFor();
  await openNode(first, 'b');
  await first.getByText('“door” was not saved: the node was being edited.').waitFor();
  expect((await stored())?.['id']).toBe('gate');
  await closeAll(first, second);
}, 200_000);

test('an undo of what a colleague has changed since says that it has undone nothing', async () => {
  const id = await createWorkflow({ type: 'interrupt', config: { kind: 'approval', title: 'May it?' } });
  const [first, second] = await openBoth(id);
  for (const [page, name] of [[first, 'Ask Ada'] as const, [second, 'Ask Ben'] as const]) {
    await panelOf(page).getByLabel('Name', { exact: true }).fill(name);
    await panelOf(page).getByLabel('Name', { exact: true }).press('Enter');
    await saveState(page).toBe('Saved');
  }
  await expect.poll(() => first.locator('[data-node="a"]').textContent(), WITHIN).toContain('Ask Ben');
  await first.locator('.react-flow').focus();
  await first.keyboard.press('Control+z');
  await first.getByText(/^Not undone: .*\. Someone else has changed it since\.$/).waitFor();
  expect((await readStored(id)).nodes[0]?.['name']).toBe('Ask Ben');
  await closeAll(first, second);
});

test('a form stays open, with its focus, when a colleague renames its node, and what is done to the old id is not lost', async () => {
  const template = { type: 'transformer', config: { mode: 'template', template: 'Dear' } };
  const id = await createWorkflow(template, template);
  const [first, second] = await openBoth(id);
  const rename = async (to: string): Promise<void> => {
    await panelOf(second).getByLabel('ID', { exact: true }).fill(to);
    await panelOf(second).getByLabel('ID', { exact: true }).press('Enter');
    await saveState(second).toBe('Saved');
  };
  await first.getByRole('textbox', { name: 'Template', exact: true }).click();
  await first.keyboard.press('Control+End');
  await first.keyboard.type(' old');
  await saveState(first).toBe('Saved');
  await rename('letter');
  await first.locator('[data-node="letter"].wc-selected').waitFor(WITHIN);
  await expect.poll(() => panelOf(first).getByLabel('ID', { exact: true }).inputValue()).toBe('letter');
  await first.keyboard.type(' friend');
  await saveState(first).toBe('Saved');
  const stored = async () => {
    const { nodes, edges } = (await ada.call('GET', `/workflows/${id}`)).body['workflow_schema'] as {
      nodes: (JsonObject & { config: JsonObject })[];
      edges: JsonObject[];
    };
    return [
      ...nodes.map((node) => `${String(node['id'])}: ${String(node.config['template'])}`),
      ...edges.map((edge) => `${String(edge['source'])} > ${String(edge['target'])}`),
    ];
  };
  await expect.poll(stored, WITHIN).toContain('letter: Dear old friend');

  await first.context().setOffline(true);
  await first.keyboard.type('!');
  await first.locator('[data-node="letter"]').click();
  await first.keyboard.press('c');
  await first.keyboard.type('End');
  await first.keyboard.press('Enter');
  await expect.poll(() => first.locator('.react-flow__edge').count()).toBe(4);
  await rename('mail');
  await first.context().setOffline(false);
  await saveState(first).toBe('Saved');
  await expect
    .poll(stored, WITHIN)
    .toEqual([
      'mail: Dear old friend!',
      'b: Dear',
      '__start__ > mail',
      'mail > b',
      'b > __end__',
      'mail > __end__',
    ]);
  await expect.poll(() => first.locator('.react-flow__edge').count(), WITHIN).toBe(4);
  await expect.poll(() => panelOf(first).getByLabel('ID', { exact: true }).inputValue(), WITHIN).toBe('mail');
  await closeAll(first, second);
});

test('a note is written by two people at once, and keeps what is typed when it leaves the view, or the page is loaded again', async () => {
  const id = await createWorkflow();
  const [first, second] = await openBoth(id);
  const note = (page: Page) => page.locator('.wc-note');
  const text = (page: Page) => page.getByRole('textbox', { name: 'Note', exact: true });
  for (const page of [first, second]) {
    // As slowly as a person: the first click closes the panel of the node, and must not move the note away from the second.
    await note(page).click();
    await panelOf(page).waitFor({ state: 'detached' });
    await page.mouse.down({ clickCount: 2 });
    await page.mouse.up({ clickCount: 2 });
    await text(page).waitFor();
  }
  await first.keyboard.press('Home');
  await second.keyboard.press('End');
  for (const letter of 'Mrs Day') {
    await first.keyboard.type(letter === ' ' ? '.' : letter.toUpperCase());
    await second.keyboard.type(letter);
  }
  const both = 'MRS.DAYCallMrs Day';
  for (const page of [first, second]) await expect.poll(() => text(page).inputValue(), WITHIN).toBe(both);
  await first.keyboard.type('?');
  // The wheel over the canvas moves the note out of view, where it has no element.
  await first.mouse.move(30, 400);
  await first.mouse.wheel(0, 4_000);
  await expect.poll(() => note(first).count(), WITHIN).toBe(0);
  const written = 'MRS.DAY?CallMrs Day';
  await expect.poll(() => text(second).inputValue(), WITHIN).toBe(written);
  await second.keyboard.type('.');
  await second.reload();
  await note(second).getByText(`${written}.`, { exact: true }).waitFor(WITHIN);
  await saveState(second).toBe('Saved');
  await closeAll(first, second);
});

test('a value that cannot be saved is discarded at its field, and at the mark when no field shows it any more', async () => {
  const id = await createWorkflow({ type: 'interrupt', config: { kind: 'wait', duration_seconds: 5 } });
  const page = await at.open(ada, id);
  await openNode(page, 'a');
  const seconds = panelOf(page).getByLabel('Duration (seconds)');
  await seconds.fill('soon');
  await seconds.blur();
  await panelOf(page).getByRole('button', { name: 'Discard' }).click();
  await saveState(page).toBe('Saved');
  await expect.poll(() => seconds.inputValue()).toBe('5');
  await seconds.fill('soon');
  await seconds.blur();
  await panelOf(page).getByLabel('Type', { exact: true }).selectOption('approval');
  await expect.poll(() => seconds.count()).toBe(0);
  const stuck = 'Not saved: Duration (seconds)';
  await saveState(page).toBe(stuck);
  await page.getByRole('button', { name: stuck }).click();
  await page.getByRole('dialog', { name: stuck }).getByRole('button', { name: 'Discard' }).click();
  await saveState(page).toBe('Saved');
  await closeAll(page);
  expect(at.errors).toEqual([]);
});
