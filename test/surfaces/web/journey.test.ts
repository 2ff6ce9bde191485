/** A workflow built by mouse and keyboard alone: if this fails, a part of the language has no control that can be reached. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { startCanvasPage, type CanvasPage } from './support/canvas-page.ts';

let at: CanvasPage;

beforeAll(async () => {
  at = await startCanvasPage();
});
afterAll(() => at.close());

/** A busy machine takes long to save what takes a second. */
const WITHIN = { timeout: 45_000 };

const panelOf = (page: Page) => page.getByRole('complementary', { name: 'Details' });

async function typeInto(page: Page, name: string, text: string): Promise<void> {
  await panelOf(page).getByRole('textbox', { name, exact: true }).click();
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText(text);
}

/** Selects a node, which may be out of view. */
async function select(page: Page, id: string): Promise<void> {
  await page.getByRole('button', { name: 'Fit to view' }).click();
  await page.locator(`[data-node="${id}"]`).click();
}

interface NewNode {
  readonly kind: string;
  readonly name: string;
  readonly id: string;
  /** The node that it follows. */
  readonly after?: string;
}

/** Adds a node by the keyboard, and gives it its name and the id of the name. */
async function addNode(page: Page, { kind, name, id, after }: NewNode): Promise<void> {
  if (after !== undefined) await select(page, after);
  await page.locator('.react-flow').focus();
  await page.keyboard.press('/');
  await page.keyboard.type(kind);
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await panelOf(page).getByLabel('Name', { exact: true }).fill(name);
  await panelOf(page)
    .getByRole('button', { name: `Change ID to ${id}` })
    .click();
  await page.locator(`[data-node="${id}"]`).waitFor();
}

/** Connects the next free branch of a node. */
async function connect(page: Page, source: string, target: string): Promise<void> {
  await select(page, source);
  await page.locator('.react-flow').focus();
  await page.keyboard.press('c');
  await page.keyboard.type(target);
  await page.keyboard.press('Enter');
}

async function describeSettings(page: Page): Promise<void> {
  const panel = panelOf(page);
  await page.getByRole('button', { name: 'Workflow settings' }).click();
  await panel.getByLabel('Workflow name').fill('Digest');
  await panel.getByRole('button', { name: 'Add parameter' }).click();
  await panel
    .getByRole('group', { name: 'Parameter 1', exact: true })
    .getByLabel('Name', { exact: true })
    .fill('feed');
  await panel.getByRole('button', { name: 'Add output field' }).click();
  await panel.getByLabel('Output field', { exact: true }).fill('status');
  await panel.getByLabel('Output field', { exact: true }).press('Enter');
}

test('a list is fetched, mapped by a model, branched on, approved by a person and posted: built by hand, without a problem', async () => {
  const ada = await at.canvas.tenant();
  const empty = { metadata: { name: 'New' }, nodes: [], edges: [] };
  const { body } = await ada.call('POST', '/workflows', { body: { name: 'New', workflow_schema: empty } });
  const page = await at.open(ada, String(body['id']));
  const panel = panelOf(page);
  await describeSettings(page);

  await addNode(page, { kind: 'http', name: 'Fetch list', id: 'fetch_list' });
  await typeInto(page, 'URL', 'https://example.com/{{input.feed}}');
  await connect(page, '__start__', 'fetch');

  await addNode(page, { kind: 'llm', name: 'Summarize', id: 'summarize', after: 'fetch_list' });
  await typeInto(page, 'Message 1', 'Summarize {{item.title}}');
  await panel.getByText('For each', { exact: true }).click();
  await panel.getByRole('switch', { name: 'Run once for each item' }).click();
  await typeInto(page, 'Items', '{{fetch_list.data.items}}');
  await panel.getByLabel('Concurrency').fill('3');

  await addNode(page, { kind: 'condition', name: 'Any news', id: 'any_news', after: 'summarize' });
  await typeInto(page, 'Value', '{{summarize.count}}');
  await panel.getByLabel('Operator').selectOption('is greater than');
  await typeInto(page, 'Compare with', '0');

  await addNode(page, { kind: 'approval', name: 'Approve digest', id: 'approve_digest', after: 'any_news' });
  await typeInto(page, 'Title', 'Post {{summarize.count}} summaries?');

  await addNode(page, { kind: 'http', name: 'Post digest', id: 'post_digest', after: 'approve_digest' });
  await panel.getByLabel('Method').selectOption('POST');
  await typeInto(page, 'URL', 'https://example.com/digests');
  const fields = panel.getByRole('group', { name: 'Body', exact: true });
  await fields.getByRole('button', { name: 'Add field' }).click();
  await fields.getByLabel('Field', { exact: true }).fill('summaries');
  await fields.getByLabel('Field', { exact: true }).press('Enter');
  await typeInto(page, 'Body: summaries', '{{summarize.results}}');

  for (const source of ['post_digest', 'any_news', 'approve_digest']) await connect(page, source, 'end');
  await page.getByRole('button', { name: 'Workflow settings' }).click();
  await typeInto(page, 'Output of the run: status', '{{post_digest.status}}');
  await panel.getByRole('tab', { name: 'Problems' }).click();
  await panel.getByText('No problems found.').waitFor(WITHIN);
  await expect.poll(() => page.getAttribute('[data-save]', 'data-save'), WITHIN).toBe('Saved');

  const { workflow_schema: stored } = (await ada.call('GET', `/workflows/${String(body['id'])}`)).body;
  expect(stored).toMatchObject({
    metadata: { name: 'Digest' },
    input_parameters: [{ name: 'feed', type: 'string', required: true }],
    config: { output: { status: '{{post_digest.status}}' } },
    nodes: [
      { id: 'fetch_list', config: { url: 'https://example.com/{{input.feed}}' } },
      {
        id: 'summarize',
        config: { messages: [{ role: 'user', content: 'Summarize {{item.title}}' }] },
        for_each: { items: '{{fetch_list.data.items}}', max_concurrency: 3 },
      },
      {
        id: 'any_news',
        config: { cases: [{ id: 'yes', rules: [{ left: '{{summarize.count}}', op: 'gt', right: 0 }] }] },
      },
      { id: 'approve_digest', config: { title: 'Post {{summarize.count}} summaries?' } },
      { id: 'post_digest', config: { method: 'POST', body: { summaries: '{{summarize.results}}' } } },
    ],
  });
  const { edges } = stored as {
    edges: { source: string; target: string; source_handle?: string }[];
  };
  const ends = edges.map(
    ({ source, target, source_handle: handle = 'default' }) => `${source} ${handle} ${target}`,
  );
  expect(ends.toSorted()).toEqual([
    '__start__ default fetch_list',
    'any_news else __end__',
    'any_news yes approve_digest',
    'approve_digest approve post_digest',
    'approve_digest reject __end__',
    'fetch_list default summarize',
    'post_digest default __end__',
    'summarize default any_news',
  ]);
  expect(at.errors).toEqual([]);
  await page.context().close();
});
