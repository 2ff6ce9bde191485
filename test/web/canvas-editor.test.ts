/** The canvas in a real browser: two people on one workflow, every edit by keyboard, names that are hostile. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { definition } from '../canvas/support/canvas.ts';
import type { Tenant } from '../support/api-server.ts';
import { startCanvasPage, type CanvasPage } from './support/canvas-page.ts';

let at: CanvasPage;
let ada: Tenant;

beforeAll(async () => {
  at = await startCanvasPage();
  ada = await at.canvas.api.tenant();
}, 180_000);
afterAll(() => at.close());

const TOGETHER_MS = Number(process.env['WEB_TOGETHER_SECONDS'] ?? 12) * 1_000;

interface Graph {
  readonly nodes: Record<string, { x: number; y: number }>;
  readonly edges: string[];
}

/** The nodes and edges that a page shows, all of them in view. */
const shownIn = (page: Page): Promise<string[]> =>
  page.$$eval('.react-flow__node [data-node]', (nodes) =>
    nodes.map((node) => node.getAttribute('data-node') ?? '').toSorted(),
  );

async function stored(workflowId: string): Promise<Graph> {
  const { workflow_schema: schema } = await at.canvas.record(ada, workflowId);
  const { nodes, edges } = schema as {
    nodes: { id: string; position: { x: number; y: number } }[];
    edges: { id: string }[];
  };
  return {
    nodes: Object.fromEntries(nodes.map(({ id, position }) => [id, position])),
    edges: edges.map(({ id }) => id).toSorted(),
  };
}

const saved = (page: Page) => expect.poll(() => page.getAttribute('[data-save]', 'data-save')).toBe('Saved');

test('a node is added, connected, edited, copied, moved, undone and deleted by keyboard alone', async () => {
  const id = await at.canvas.workflow(ada);
  const page = await at.open(ada, id);
  await page.keyboard.press('/');
  await page.keyboard.type('guard');
  await page.keyboard.press('Enter');
  await expect.poll(() => shownIn(page)).toContain('guardrails');
  await expect.poll(() => page.locator('.wc-selected[data-node="guardrails"]').count()).toBe(1);
  await page.keyboard.press('c');
  await page.keyboard.type('b');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Control+a');
  await page.keyboard.type('Screen it');
  await expect.poll(() => page.locator('[data-node="guardrails"] .wc-name').textContent()).toBe('Screen it');
  await page.locator('.wc-panel-close').press('Enter');
  await page.locator('.react-flow').focus();
  await page.keyboard.press('Control+d');
  await expect.poll(() => shownIn(page)).toContain('guardrails_2');
  await expect.poll(() => page.locator('.wc-selected[data-node="guardrails_2"]').count()).toBe(1);
  await page.keyboard.press('Shift+ArrowDown');
  await page.keyboard.press('d');
  await expect.poll(() => page.locator('.wc-disabled[data-node="guardrails_2"]').count()).toBe(1);
  await page.keyboard.press('Delete');
  await expect.poll(() => shownIn(page)).not.toContain('guardrails_2');
  await page.keyboard.press('Control+z');
  await expect.poll(() => shownIn(page)).toContain('guardrails_2');
  await page.keyboard.press('Control+Shift+z');
  await expect.poll(() => shownIn(page)).not.toContain('guardrails_2');
  await page.keyboard.press('Control+k');
  await page.keyboard.type('tidy');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Control+f');
  await page.keyboard.type('screen');
  await page.keyboard.press('Enter');
  await expect.poll(() => page.locator('.wc-selected[data-node="guardrails"]').count()).toBe(1);
  await page.keyboard.press('?');
  await expect.poll(() => page.getByRole('dialog').getAttribute('aria-label')).toBe('Keyboard shortcuts');
  await page.keyboard.press('Escape');
  await saved(page);
  const graph = await stored(id);
  expect(Object.keys(graph.nodes)).toEqual(['a', 'b', 'guardrails']);
  await page.context().close();
}, 90_000);

test('names, notes and templates with markup are shown as text', async () => {
  const hostile = '<img src=x onerror="document.title=1"><script>document.title=2</script>';
  const schema = definition() as { nodes: { name: string; config: object }[]; metadata: object };
  schema.nodes[0]!.name = hostile;
  schema.metadata = { ...schema.metadata, canvas: { notes: { n1: { text: hostile, x: 0, y: 200 } } } };
  const made = await ada.call('POST', '/workflows', { body: { name: hostile, workflow_schema: schema } });
  const page = await at.open(ada, String(made.body['id']));
  await expect.poll(() => page.locator('[data-node="a"] .wc-name').textContent()).toBe(hostile);
  await page.locator('[data-node="a"]').click();
  await expect.poll(() => page.locator('.wc-panel').count()).toBe(1);
  expect(await page.locator('.wc-editor img, .wc-editor script').count()).toBe(0);
  expect(await page.title()).toBe('Canvas');
  await page.context().close();
});

test('two people edit one canvas while one loses its network twice: both show what is stored', async () => {
  const id = await at.canvas.workflow(ada);
  const bob = await at.canvas.colleague(ada);
  const pages = [await at.open(ada, id), await at.open(bob, id)] as const;
  const [first, second] = pages;
  await expect.poll(() => first.locator('.wc-face').count()).toBe(1);
  await second.mouse.move(600, 500);
  await second.mouse.move(640, 520);
  await expect
    .poll(() => first.locator('[data-cursor]').evaluate((cursor) => cursor.style.opacity))
    .toBe('1');
  const until = Date.now() + TOGETHER_MS;
  for (let round = 0; Date.now() < until; round += 1) {
    if (round === 2 || round === 6) await second.context().setOffline(true);
    for (const page of pages) {
      await page.locator('.react-flow').focus();
      await page.keyboard.press('/');
      await page.keyboard.type(round % 2 === 0 ? 'transform' : 'function');
      await page.keyboard.press('Enter');
      await page.keyboard.press('Shift+ArrowDown');
      if (round % 3 === 2) await page.keyboard.press('Control+z');
    }
    if (round === 4 || round === 8) await second.context().setOffline(false);
  }
  await second.context().setOffline(false);
  await Promise.all(pages.map(saved));
  const graph = await stored(id);
  expect(Object.keys(graph.nodes).length).toBeGreaterThan(4);
  for (const page of pages) {
    await page.locator('.react-flow').focus();
    await page.keyboard.press('1');
    await expect
      .poll(() => shownIn(page))
      .toEqual([...Object.keys(graph.nodes), '__end__', '__start__'].toSorted());
  }
  expect(at.errors).toEqual([]);
}, 120_000);
