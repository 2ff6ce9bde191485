/**
 * A command of the canvas would need a mouse, lose work while the network or the server breaks, or run the markup of a name. In
 * a real browser.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { randomUUID } from 'node:crypto';
import type { Page, WebSocketRoute } from 'playwright-core';
import { COMMANDS, type CommandId } from '../../../src/surfaces/web/canvas/commands.ts';
import { definition } from '../../features/canvas/support/canvas.ts';
import type { JsonObject } from '../../../src/language/graph/values/value.ts';
import type { Tenant } from '../../support/api-server.ts';
import { inBothThemes } from './support/axe.ts';
import { lose, OPEN } from './support/engine-io.ts';
import { startCanvasPage, type CanvasPage } from './support/canvas-page.ts';

let at: CanvasPage;
let ada: Tenant;

beforeAll(async () => {
  at = await startCanvasPage();
  ada = await at.canvas.tenant();
});
afterAll(() => at.close());

/** Both losses of the network and the kill lie in these. */
const MIN_ROUNDS = 10;
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

/** Where on the screen a place of the drawn overview is. */
async function onScreen(page: Page, at: { x: number; y: number } | null): Promise<[number, number]> {
  const box = await page.locator('.wc-overview').boundingBox();
  if (at === null || box === null) throw new Error('nothing is drawn');
  return [box.x + at.x, box.y + at.y];
}

async function stored(workflowId: string): Promise<Graph> {
  const { workflow_schema: schema } = (await ada.call('GET', `/workflows/${workflowId}`)).body;
  const { nodes, edges } = schema as {
    nodes: { id: string; position: { x: number; y: number } }[];
    edges: { id: string }[];
  };
  return {
    nodes: Object.fromEntries(nodes.map(({ id, position }) => [id, position])),
    edges: edges.map(({ id }) => id).toSorted(),
  };
}

const saved = (page: Page) =>
  expect.poll(() => page.getAttribute('[data-save]', 'data-save'), { timeout: 45_000 }).toBe('Saved');

test('nodes are grouped, the group is named, selects its nodes and follows them; a note is written by keyboard', async () => {
  const id = await at.canvas.workflow(ada);
  const page = await at.open(ada, id);
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Control+g');
  await page.getByRole('textbox', { name: 'Group name' }).waitFor();
  await page.keyboard.type('Intake');
  await page.keyboard.press('Enter');
  const select = page.getByRole('button', { name: 'Select group Intake' });
  await select.waitFor();
  const covers = async (): Promise<boolean> => {
    const frame = await page.locator('[data-group]').boundingBox();
    const nodes = await Promise.all(
      ['a', 'b'].map((node) => page.locator(`[data-node="${node}"]`).boundingBox()),
    );
    return nodes.every(
      (box) =>
        frame !== null &&
        box !== null &&
        box.x > frame.x &&
        box.y > frame.y &&
        box.x + box.width < frame.x + frame.width &&
        box.y + box.height < frame.y + frame.height,
    );
  };
  await expect.poll(covers).toBe(true);
  expect(await inBothThemes(page)).toEqual([]);
  await page.locator('.react-flow__pane').click({ position: { x: 20, y: 500 } });
  await expect.poll(() => page.locator('.wc-node.wc-selected').count()).toBe(0);
  await select.click();
  await expect.poll(() => page.locator('.wc-node.wc-selected').count()).toBe(2);
  await page.locator('.react-flow').focus();
  await page.keyboard.press('Shift+ArrowDown');
  await expect.poll(covers).toBe(true);
  await page.keyboard.press('Control+Shift+g');
  await expect.poll(() => page.locator('[data-group]').count()).toBe(0);
  await page.keyboard.press('Control+z');
  await select.waitFor();
  await page.keyboard.press('Shift+n');
  await page.getByRole('textbox', { name: 'Note' }).waitFor();
  await page.keyboard.type('Ask Ada');
  await page.keyboard.press('Escape');
  await page.getByText('Ask Ada', { exact: true }).waitFor();
  await page.context().close();
});

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
  const name = page.getByRole('complementary', { name: 'Details' }).getByLabel('Name', { exact: true });
  await expect.poll(() => name.and(page.locator(':focus')).count()).toBe(1);
  await page.keyboard.press('Control+a');
  await page.keyboard.type('Screen it');
  await expect.poll(() => page.locator('[data-node="guardrails"] .wc-name').textContent()).toBe('Screen it');
  await page.locator('.wc-panel-close').press('Enter');
  await expect.poll(() => page.locator('.wc-panel').count()).toBe(0);
  await expect.poll(() => page.locator('.react-flow:focus').count()).toBe(1);
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
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
  await page.keyboard.press('Escape');
  await saved(page);
  const graph = await stored(id);
  expect(Object.keys(graph.nodes)).toEqual(['a', 'b', 'guardrails']);
  await page.context().close();
});

test('what is done by key before a frame was drawn is done to what the key before it made', async () => {
  const id = await at.canvas.workflow(ada);
  const page = await at.open(ada, id);
  await page.locator('.react-flow').focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => page.locator('.wc-selected[data-node="a"]').count()).toBe(1);
  const before = await stored(id);
  // One task: no frame lies between these keys, as on a machine that is busy.
  const pressAtOnce = (keys: string): Promise<unknown> =>
    page.evaluate(`(async () => {
      const press = (key, held) =>
        document.querySelector('.react-flow').dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, ...held }));
      ${keys}
      await null;
      return document.querySelector('[data-save]').dataset.save;
    })()`);
  await pressAtOnce(`
    press('d', { ctrlKey: true });
    for (let time = 0; time < 3; time += 1) press('ArrowDown', { shiftKey: true });
  `);
  await expect.poll(() => page.locator('.wc-selected[data-node="a_2"]').count()).toBe(1);
  await expect.poll(async () => Object.keys((await stored(id)).nodes), { timeout: 45_000 }).toContain('a_2');
  await saved(page);
  const moved = await stored(id);
  expect(moved.nodes['a']).toEqual(before.nodes['a']);
  const { x, y } = moved.nodes['a_2']!;
  // Nor is an edit called saved until the next frame.
  expect(await pressAtOnce(`press('z', { ctrlKey: true });`)).toBe('Saving…');
  await expect
    .poll(async () => (await stored(id)).nodes['a_2'], { timeout: 45_000 })
    .toEqual({ x, y: y - 24 });
  await page.context().close();
});

test('every command of the canvas is reached by its key', async () => {
  const id = await at.canvas.workflow(ada);
  const page = await at.open(ada, id);
  const pressed = new Set<CommandId>();
  const press = async (command: CommandId, which = 0): Promise<void> => {
    const keys = COMMANDS.find((one) => one.id === command)?.keys[which] ?? '';
    pressed.add(command);
    await page.keyboard.press(keys.replace('Mod', 'Control'));
  };
  const selected = (): Promise<string[]> =>
    page.$$eval('.wc-selected[data-node]', (nodes) =>
      nodes.map((node) => node.getAttribute('data-node') ?? '').toSorted(),
    );
  const choose = async (title: string, text: string): Promise<void> => {
    const dialog = page.getByRole('dialog', { name: title });
    await dialog.getByRole('combobox').waitFor();
    await page.keyboard.type(text);
    await dialog
      .getByRole('option', { selected: true })
      .filter({ hasText: new RegExp(text, 'i') })
      .waitFor();
    await page.keyboard.press('Enter');
  };
  const isSelected = (...ids: string[]) => expect.poll(selected).toEqual(ids);
  const places = (): Promise<string> =>
    page.$$eval('.react-flow__node', (nodes) => nodes.map(({ style }) => style.transform).join());
  const zoom = (): Promise<string> =>
    page.locator('.react-flow__viewport').evaluate((one) => one.style.transform);
  const changes = async <Seen>(look: () => Promise<Seen>, act: () => Promise<void>): Promise<void> => {
    const before = await look();
    await act();
    await expect.poll(look).not.toEqual(before);
  };
  await page.locator('.react-flow').focus();

  await press('next');
  await isSelected('__start__');
  await press('next');
  await isSelected('a');
  await press('next');
  await isSelected('b');
  await press('previous');
  await isSelected('a');
  await changes(places, () => press('nudgeDown'));
  await changes(places, () => press('nudgeRight'));
  await changes(places, () => press('nudgeUp'));
  await changes(places, () => press('nudgeLeft'));
  await press('duplicate');
  await isSelected('a_2');
  await press('edge');
  await expect.poll(() => page.locator('.wc-edge-selected').count()).toBe(0);
  await press('above');
  await expect.poll(selected).not.toContain('a_2');
  await press('below');
  await isSelected('a_2');
  await press('clear');
  await isSelected();
  await press('search');
  await choose('Find node', 'a_2');
  await isSelected('a_2');
  await press('connect');
  await choose('Connect a_2 to', 'end');
  await expect.poll(async () => (await stored(id)).edges.some((edge) => edge.includes('a_2'))).toBe(true);
  await press('disable');
  await expect.poll(() => page.locator('.wc-disabled[data-node="a_2"]').count()).toBe(1);
  await press('copy');
  await press('paste');
  await expect.poll(() => shownIn(page)).toContain('a_3');
  await isSelected('a_3');
  await press('cut');
  await expect.poll(() => shownIn(page)).not.toContain('a_3');
  await press('undo');
  await expect.poll(() => shownIn(page)).toContain('a_3');
  await press('redo');
  await expect.poll(() => shownIn(page)).not.toContain('a_3');
  await press('selectAll');
  await expect.poll(async () => (await selected()).length).toBeGreaterThan(3);
  await press('group');
  await page.getByRole('textbox', { name: 'Group name' }).waitFor();
  await page.keyboard.press('Escape');
  await press('ungroup');
  await expect.poll(() => page.locator('[data-group]').count()).toBe(0);
  await changes(places, () => press('alignLeft'));
  await changes(places, () => press('undo'));
  await changes(places, () => press('alignTop'));
  await changes(places, () => press('undo'));
  await changes(places, () => press('alignCenter'));
  await changes(places, () => press('undo'));
  await changes(places, () => press('alignMiddle'));
  await changes(places, () => press('tidy'));
  await changes(zoom, () => press('zoomIn'));
  await changes(zoom, () => press('zoomOut'));
  await changes(zoom, () => press('zoomIn', 1));
  await changes(zoom, () => press('fit'));
  await press('clear');
  await press('note');
  await page.getByRole('textbox', { name: 'Note' }).waitFor();
  await page.keyboard.press('Escape');
  await expect.poll(() => page.locator('.wc-note.wc-selected').count()).toBe(1);
  await press('delete');
  await expect.poll(() => page.locator('.wc-note').count()).toBe(0);

  await press('next');
  await isSelected('__start__');
  await press('next');
  await isSelected('a');
  await press('menu');
  await page.getByRole('menuitem', { name: 'Test this node' }).waitFor();
  // Until the menu has the focus, Escape is the canvas's too, and clears the selection.
  await page.locator('[role="menu"]:focus, [role="menu"] :focus').waitFor({ state: 'attached' });
  await page.keyboard.press('Escape');
  await press('open');
  await expect.poll(() => page.locator('.wc-panel :focus').count()).toBe(1);
  await page.locator('.react-flow').focus();
  await press('try');
  await page.getByRole('button', { name: 'Test', exact: true }).waitFor();
  await page.locator('.react-flow').focus();
  await press('rerun');
  await page.getByText('No run to show yet').waitFor();
  const composer = page.getByRole('complementary', { name: 'Composer' });
  await press('compose');
  await composer.waitFor();
  await page.locator('.react-flow').focus();
  await press('compose');
  await composer.waitFor({ state: 'detached' });
  for (const [command, title] of [
    ['add', 'Add node'],
    ['palette', 'Commands'],
    ['help', 'Keyboard shortcuts'],
    ['run', 'Run workflow'],
  ] as const) {
    await press(command);
    await page.getByRole('dialog', { name: title }).waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
    await page.locator('.react-flow').focus();
  }
  // Nothing runs: what a run is cancelled by is known, and does nothing.
  await press('stop');
  // Its dialog is one of the whole page, where deploy.test.ts presses its key.
  pressed.add('deploy');
  expect(COMMANDS.map((command) => command.id).filter((command) => !pressed.has(command))).toEqual([]);
  expect(at.errors).toEqual([]);
  await page.context().close();
});

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
  await expect.poll(() => page.locator('.wc-editor img, .wc-editor script').count()).toBe(0);
  await expect.poll(() => page.title()).toBe('Canvas');
  await page.context().close();
});

test('a check of guardrails has a form for its type; what it needs and lacks is said where it is asked for', async () => {
  const id = await at.canvas.workflow(ada);
  const page = await at.open(ada, id);
  const checks = async (): Promise<unknown> => {
    const { nodes } = (await ada.call('GET', `/workflows/${id}`)).body.workflow_schema as {
      nodes: { type: string; config: JsonObject }[];
    };
    return nodes.find(({ type }) => type === 'guardrails')?.config['checks'];
  };
  await page.keyboard.press('/');
  await page.keyboard.type('guard');
  await page.keyboard.press('Enter');
  await expect.poll(() => page.locator('.wc-selected[data-node="guardrails"]').count()).toBe(1);
  await page.keyboard.press('Enter');
  const panel = page.getByRole('complementary', { name: 'Details' });
  const first = panel.getByRole('group', { name: 'Check 1' });
  await first.getByRole('checkbox', { name: 'IBAN' }).check();
  await panel.getByRole('button', { name: 'Add check' }).click();
  const second = panel.getByRole('group', { name: 'Check 2' });
  await expect.poll(() => second.getByRole('checkbox', { checked: true }).count()).toBe(6);
  await second.getByLabel('Check for').selectOption('keywords');
  await second.getByText(/required|expected/i).waitFor();
  expect(await inBothThemes(page)).toEqual([]);
  await second.getByLabel('Words and phrases').fill('merger \n\nproject blue');
  await second.getByLabel('Action').selectOption('flag');
  await expect.poll(checks, { timeout: 45_000 }).toEqual([
    { type: 'pii', entities: ['EMAIL', 'IBAN'], action: 'mask' },
    { type: 'keywords', keywords: ['merger', 'project blue'], action: 'flag' },
  ]);
  await second.getByRole('button', { name: 'Delete: Check 2' }).click();
  await expect.poll(checks, { timeout: 45_000 }).toHaveLength(1);
  await page.context().close();
});

/** A workflow of a chain of nodes, `n0` and on. */
async function makeChain(count: number, rowGap = 0): Promise<string> {
  const nodes = Array.from({ length: count }, (_, index) => ({
    id: `n${index}`,
    type: 'transformer',
    name: `Node ${index}`,
    position: { x: index * 336, y: (index % 2) * rowGap },
    config: { mode: 'map', fields: { value: index } },
  }));
  const ids = ['__start__', ...nodes.map(({ id }) => id), '__end__'];
  const edges = ids.slice(1).map((id, index) => ({ id: `e${index}`, source: ids[index], target: id }));
  const schema = { ...definition(), nodes, edges };
  const { body } = await ada.call('POST', '/workflows', { body: { name: 'Chain', workflow_schema: schema } });
  return String(body['id']);
}

const zoomLevel = async (page: Page): Promise<number> =>
  Number.parseInt((await page.locator('.wc-zoom-level').textContent()) ?? '', 10);
const boxOf = async (page: Page, id: string) => page.locator(`[data-node="${id}"]`).boundingBox();

/** Waits for ten frames in which the view has not moved: frames, since an animation stands still with a busy page. */
const waitUntilStill = (page: Page): Promise<unknown> =>
  page.locator('.react-flow__viewport').evaluate(async (viewport) => {
    const { requestAnimationFrame: askFrame } = globalThis as unknown as {
      readonly requestAnimationFrame: (done: () => void) => void;
    };
    let [seen, frames] = ['', 0];
    while (frames < 10) {
      await new Promise<void>((resolve) => askFrame(resolve));
      const now = viewport.getAttribute('style') ?? '';
      frames = now === seen ? frames + 1 : 0;
      seen = now;
    }
  });

test('a graph larger than the window begins at its start in a size that can be read; buttons zoom and show all of it', async () => {
  const page = await at.open(ada, await makeChain(12));
  await expect.poll(() => zoomLevel(page)).toBeGreaterThanOrEqual(92);
  await expect.poll(() => shownIn(page)).toContain('__start__');
  await expect.poll(() => shownIn(page)).not.toContain('n11');
  const zoom = page.getByRole('toolbar', { name: 'Zoom' });
  await zoom.getByRole('button', { name: 'Fit to view' }).click();
  await expect.poll(() => shownIn(page)).toContain('n11');
  await waitUntilStill(page);
  const fitted = await zoomLevel(page);
  await zoom.getByRole('button', { name: 'Zoom in' }).click();
  await expect.poll(() => zoomLevel(page)).toBeGreaterThan(fitted);
  await waitUntilStill(page);
  await zoom.getByRole('button', { name: 'Zoom out' }).click();
  await expect.poll(() => zoomLevel(page)).toBe(fitted);
  await page.context().close();
});

test('a graph that is shown whole is shown whole beside the panel that a node opens', async () => {
  const page = await at.open(ada, await makeChain(2));
  await expect.poll(() => shownIn(page)).toEqual(['__end__', '__start__', 'n0', 'n1']);
  await page.locator('[data-node="n1"]').click();
  await page.locator('.wc-panel').waitFor();
  const panel = await page.locator('.wc-panel').boundingBox();
  for (const id of ['__start__', 'n1', '__end__'])
    await expect
      .poll(async () => {
        const box = await boxOf(page, id);
        return box !== null && box.x >= 0 && box.x + box.width < (panel?.x ?? 0);
      })
      .toBe(true);
  expect(at.errors).toEqual([]);
  await page.context().close();
});

test('2,000 nodes are tidied into one row, which is stored, and one step takes it back', async () => {
  const id = await makeChain(2_000, 4_000);
  const page = await at.open(ada, id);
  const rows = async (): Promise<number[]> => {
    const { nodes } = await stored(id);
    return [...new Set(Object.values(nodes).map(({ y }) => y))].toSorted((a, b) => a - b);
  };
  await page.locator('.react-flow').focus();
  await page.keyboard.press('Shift+Alt+t');
  await expect.poll(async () => (await rows()).length, { timeout: 45_000 }).toBe(1);
  await page.locator('.react-flow').focus();
  await page.keyboard.press('Control+z');
  await expect.poll(rows, { timeout: 45_000 }).toEqual([0, 4_000]);
  expect(at.errors).toEqual([]);
  await page.context().close();
});

/** Pastes as the browser does on Ctrl+V. */
const paste = (page: Page, text: string): Promise<unknown> =>
  page.evaluate(`
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', ${JSON.stringify(text)});
    document.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  `);

test('2,000 nodes are pasted with their edges as one undo step; more than the canvas holds are not pasted in part', async () => {
  const { body } = await ada.call('GET', `/workflows/${await makeChain(2_000)}`);
  const empty = { ...definition(), nodes: [], edges: [] };
  const { body: made } = await ada.call('POST', '/workflows', {
    body: { name: 'Copy', workflow_schema: empty },
  });
  const id = String(made['id']);
  const counts = async (): Promise<readonly number[]> => {
    const { nodes, edges } = await stored(id);
    return [Object.keys(nodes).length, edges.length];
  };
  const page = await at.open(ada, id);
  await page.locator('.react-flow').focus();
  await paste(page, JSON.stringify(body['workflow_schema']));
  await page.getByText('Pasted 2000 nodes.').waitFor();
  await expect.poll(counts, { timeout: 45_000 }).toEqual([2_000, 1_999]);
  await saved(page);
  await page.locator('.react-flow').focus();
  await paste(page, JSON.stringify({ nodes: [{ id: 'one', type: 'transformer', config: {} }] }));
  await page.getByText('Not pasted. The workflow would be too large.').waitFor();
  await page.keyboard.press('Control+z');
  await expect.poll(counts, { timeout: 45_000 }).toEqual([0, 0]);
  await page.keyboard.press('Control+Shift+z');
  await expect.poll(counts, { timeout: 45_000 }).toEqual([2_000, 1_999]);
  expect(at.errors).toEqual([]);
  await page.context().close();
});

interface StoredEdge {
  readonly id: string;
  readonly source: string;
  readonly target: string;
  readonly source_handle?: string;
}
async function storedEdges(workflowId: string): Promise<readonly StoredEdge[]> {
  const { workflow_schema: schema } = (await ada.call('GET', `/workflows/${workflowId}`)).body;
  return (schema as { edges: StoredEdge[] }).edges;
}

test('a node added beside a selected one is connected and opened; edges are selected, inserted into and deleted by key', async () => {
  const id = await makeChain(2);
  const links = async (): Promise<string[]> =>
    (await storedEdges(id)).map(({ source, target }) => `${source} ${target}`).toSorted();
  const page = await at.open(ada, id);
  const add = async (text: string): Promise<void> => {
    await page.keyboard.press('/');
    await page.getByRole('dialog').getByRole('combobox').waitFor();
    await page.keyboard.type(text);
    await page.keyboard.press('Enter');
  };
  await page.locator('.react-flow').focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await add('loop');
  const nodeId = page.getByRole('complementary', { name: 'Details' }).getByLabel('ID', { exact: true });
  await expect.poll(() => nodeId.inputValue(), { timeout: 15_000 }).toBe('for_each');
  await expect.poll(() => page.locator('.react-flow:focus').count()).toBe(1);
  await expect.poll(links, { timeout: 45_000 }).toContain('n0 for_each');

  // Of two nodes at one place none hides the other.
  await page.keyboard.press('ArrowLeft');
  await add('delay');
  await expect.poll(links, { timeout: 45_000 }).toContain('n0 wait');
  const { nodes } = await stored(id);
  expect(nodes['wait']?.x).toBe(nodes['for_each']?.x);
  expect(Math.abs((nodes['wait']?.y ?? 0) - (nodes['for_each']?.y ?? 0))).toBeGreaterThanOrEqual(64);

  await page.keyboard.press('e');
  await expect.poll(() => page.locator('.wc-edge-selected').count()).toBe(1);
  await page.getByText('Selected edge from Node 0 to Wait.').waitFor({ state: 'attached' });
  await add('http');
  await expect.poll(links, { timeout: 45_000 }).toContain('http_request wait');
  await expect.poll(links).not.toContain('n0 wait');
  await page.keyboard.press('e');
  await page.keyboard.press('Delete');
  await expect.poll(async () => (await links()).filter((link) => link.includes('http'))).toHaveLength(1);
  await page.keyboard.press('Control+z');
  await expect.poll(async () => (await links()).filter((link) => link.includes('http'))).toHaveLength(2);
  expect(await inBothThemes(page)).toEqual([]);
  expect(at.errors).toEqual([]);
  await page.context().close();
});

test('by mouse a node is added before the end and into an edge, data is dragged into its field, and problems are counted', async () => {
  const id = await makeChain(1);
  const links = async (): Promise<string[]> =>
    (await storedEdges(id)).map(({ source, target }) => `${source} ${target}`).toSorted();
  const page = await at.open(ada, id);
  const panel = page.getByRole('complementary', { name: 'Details' });
  await page.getByRole('button', { name: 'No problems' }).waitFor();
  await page.locator('[data-node="n0"]').hover();
  await page.getByRole('button', { name: 'Add node after Node 0' }).click();
  await page.keyboard.type('http');
  await page.keyboard.press('Enter');
  await expect
    .poll(links, { timeout: 45_000 })
    .toEqual(['__start__ n0', 'http_request __end__', 'n0 http_request']);

  const address = panel.getByRole('textbox', { name: 'URL', exact: true });
  await address.click();
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText('{{nowhere.x}}');
  await page.getByRole('button', { name: '1 problem', exact: true }).click();
  await panel
    .getByRole('button', { name: 'HTTP request There is no node or state field "nowhere".' })
    .click();
  await expect.poll(() => address.and(page.locator(':focus')).count()).toBe(1);
  // Both ends of the drag are in view.
  await page.setViewportSize({ width: 1_280, height: 1_400 });
  await panel.getByText('Available data').click();
  await panel.getByRole('button', { name: /^input\.text/ }).dragTo(address);
  const url = async (): Promise<unknown> => {
    const { workflow_schema: schema } = (await ada.call('GET', `/workflows/${id}`)).body;
    return (schema as { nodes: { config: { url?: string } }[] }).nodes[1]?.config.url;
  };
  await expect.poll(url, { timeout: 45_000 }).toContain('{{input.text}}');

  await page.getByRole('button', { name: 'Fit to view' }).click();
  await page.locator('[data-node="__start__"]').waitFor();
  await waitUntilStill(page);
  const [from, to] = [await boxOf(page, '__start__'), await boxOf(page, 'n0')];
  if (from === null || to === null) throw new Error('the nodes are not in view');
  await page.mouse.move((from.x + from.width + to.x) / 2, from.y + from.height / 2);
  await page.getByRole('button', { name: 'Insert node' }).click();
  await page.keyboard.type('wait');
  await page.keyboard.press('Enter');
  await expect
    .poll(links, { timeout: 45_000 })
    .toEqual(['__start__ wait', 'http_request __end__', 'n0 http_request', 'wait n0']);
  expect(await inBothThemes(page)).toEqual([]);
  expect(at.errors).toEqual([]);
  await page.context().close();
});

test('an edge with a problem is marked and says it; a case that is renamed takes its edges along', async () => {
  const schema = {
    ...definition(),
    nodes: [
      {
        id: 'choose',
        type: 'conditional',
        name: 'Choose',
        position: { x: 0, y: 0 },
        config: {
          mode: 'rules',
          cases: [{ id: 'yes', match: 'all', rules: [{ left: '{{input.text}}', op: 'exists' }] }],
          default: 'else',
        },
      },
      {
        id: 'end',
        type: 'transformer',
        name: 'End',
        position: { x: 336, y: 0 },
        config: { mode: 'map', fields: { a: 1 } },
      },
    ],
    edges: [
      { id: 'in', source: '__start__', target: 'choose' },
      { id: 'right', source: 'choose', target: 'end', source_handle: 'yes' },
      { id: 'wrong', source: 'choose', target: '__end__', source_handle: 'maybe' },
      { id: 'out', source: 'end', target: '__end__' },
    ],
  };
  const made = await ada.call('POST', '/workflows', { body: { name: 'Edges', workflow_schema: schema } });
  const id = String(made.body['id']);
  const page = await at.open(ada, id);
  const marked = page.locator('.wc-edge-problem');
  await expect.poll(() => marked.count()).toBe(1);
  await page.locator('.wc-edge-label').getByLabel(/maybe/).waitFor();
  await expect
    .poll(() => page.locator('.wc-edge-label .wc-problem').getAttribute('title'))
    .not.toMatch(/^Edge/);
  await page.getByRole('button', { name: '1 problem', exact: true }).click();
  await page.getByRole('complementary').getByRole('button', { name: /maybe/ }).click();
  await page.getByRole('tab', { name: 'Edge', selected: true }).waitFor();
  const handles = async () => (await storedEdges(id)).map((edge) => edge.source_handle ?? '').toSorted();
  await page.getByLabel('Branch').selectOption('else');
  await expect.poll(handles, { timeout: 45_000 }).toEqual(['', '', 'else', 'yes']);
  await page.getByRole('button', { name: /^Undo/ }).click();
  await expect.poll(handles, { timeout: 45_000 }).toEqual(['', '', 'maybe', 'yes']);

  await page.locator('[data-node="choose"]').click();
  const name = page.getByLabel('Name of case 1');
  await name.fill('sure');
  await name.blur();
  await expect.poll(handles, { timeout: 45_000 }).toEqual(['', '', 'maybe', 'sure']);
  await name.fill('maybe');
  await name.blur();
  await expect.poll(handles, { timeout: 45_000 }).toEqual(['', '', 'maybe', 'maybe']);
  await expect.poll(() => marked.count()).toBe(0);
  await expect
    .poll(() => page.locator('[data-node="choose"] .wc-row').allTextContents())
    .toEqual(['maybe', 'else']);
  expect(at.errors).toEqual([]);
  await page.context().close();
});

test('a canvas that cannot be opened says why, and is tried again after a refusal that passes and a server that hangs up', async () => {
  const id = await at.canvas.workflow(ada);
  const stranger = await at.canvas.tenant();
  const refusals = [
    [ada, randomUUID(), /does not exist or belongs to another organization/],
    [{ token: stranger.token, org: ada.org }, id, /Owner or Admin role/],
  ] as const;
  for (const [who, workflow, words] of refusals) {
    const page = await at.open(who, workflow, { shows: '[role="alert"]' });
    await expect.poll(() => page.getByRole('alert').textContent()).toMatch(words);
    await page.context().close();
  }

  const refusal = JSON.stringify({
    message: 'wait',
    data: { code: 'TOO_MANY_CONNECTIONS', retryable: true },
  });
  const sockets: WebSocketRoute[] = [];
  let isAway = true;
  const page = await at.open(ada, id, {
    shows: 'text=Cannot connect to the canvas. Trying again',
    prepare: (shown) =>
      shown.routeWebSocket(/socket\.io/, (socket) => {
        if (isAway) return lose(socket);
        sockets.push(socket);
        if (sockets.length > 1) socket.connectToServer();
        else {
          socket.send(OPEN);
          // The first packet asks to connect; the answer is a `connect_error`.
          socket.onMessage(() => socket.send(`44${refusal}`));
        }
        return undefined;
      }),
  });
  isAway = false;
  await page.locator('.react-flow__node').first().waitFor();
  await saved(page);
  expect(sockets.length).toBe(2);
  // The packet of a server that disconnects a client.
  sockets[1]?.send('41');
  await expect.poll(() => sockets.length).toBe(3);
  await saved(page);
  await page.context().close();
});

test('the open form is that of the selected node, and the key that deletes reaches no other', async () => {
  const { body } = await ada.call('POST', '/workflows', {
    body: { name: 'One state', workflow_schema: definition() },
  });
  const page = await at.open(ada, String(body['id']));
  const panel = page.getByRole('complementary', { name: 'Details' });
  const shown = () => expect.poll(() => panel.getByLabel('ID', { exact: true }).inputValue());
  await page.locator('[data-node="a"]').click();
  await shown().toBe('a');
  await page.locator('.react-flow').focus();
  await page.keyboard.press('ArrowRight');
  await page.locator('[data-node="b"].wc-selected').waitFor();
  await shown().toBe('b');
  await page.keyboard.press('Control+f');
  await page.getByRole('combobox', { name: 'Find node' }).fill('a');
  await page.keyboard.press('Enter');
  await page.locator('[data-node="a"].wc-selected').waitFor();
  await shown().toBe('a');
  await page.keyboard.press('ArrowRight');
  await shown().toBe('b');
  // A form of one node would stand beside the selection of all.
  await page.keyboard.press('Control+a');
  await expect.poll(() => panel.getByLabel('ID', { exact: true }).count()).toBe(0);
  await page.locator('[data-node="b"]').click();
  await shown().toBe('b');
  await page.locator('.react-flow').focus();
  await page.keyboard.press('Delete');
  await expect.poll(() => page.locator('[data-node="b"]').count()).toBe(0);
  await expect.poll(() => page.locator('[data-node="a"]').count()).toBe(1);
  await expect.poll(() => panel.getByLabel('ID', { exact: true }).count()).toBe(0);
  await page.context().close();
});

test('Escape leaves the panel for the canvas, then closes it', async () => {
  const page = await at.open(ada, await at.canvas.workflow(ada));
  await page.locator('[data-node="a"]').click();
  await page.getByLabel('Name', { exact: true }).focus();
  await page.keyboard.press('Escape');
  await expect.poll(() => page.locator('.react-flow:focus').count()).toBe(1);
  await expect.poll(() => page.locator('.wc-panel').count()).toBe(1);
  await page.keyboard.press('Escape');
  await expect.poll(() => page.locator('.wc-panel').count()).toBe(0);
  await page.context().close();
});

test('from afar a large graph is drawn, not mounted: a box opens its node, the small map leads there', async () => {
  const nodes = Array.from({ length: 450 }, (_, index) => ({
    id: `n${index}`,
    type: 'transformer',
    name: `Node ${index}`,
    position: { x: (index % 22) * 312, y: Math.floor(index / 22) * 120 },
    config: { mode: 'map', fields: { value: index } },
  }));
  const edges = nodes.slice(1).map(({ id }, index) => ({ id: `e${index}`, source: `n${index}`, target: id }));
  const schema = { ...definition(), nodes, edges };
  const made = await ada.call('POST', '/workflows', { body: { name: 'Large', workflow_schema: schema } });
  const page = await at.open(ada, String(made.body['id']));
  const mounted = page.locator('.react-flow__node');
  const moved = () => page.locator('.react-flow__viewport').getAttribute('style');
  await expect.poll(() => mounted.count()).toBeGreaterThan(0);
  await page.locator('.react-flow').focus();
  await page.keyboard.press('1');
  const overview = page.locator('.wc-overview');
  await overview.waitFor();
  await expect.poll(() => mounted.count()).toBe(0);
  const findBox = () =>
    overview.evaluate((element) => {
      const canvas = element as unknown as {
        width: number;
        height: number;
        getContext(kind: '2d'): { getImageData(...box: number[]): { data: Uint8ClampedArray } };
      };
      const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
      const middle = Math.floor(canvas.height / 2) * canvas.width;
      // Five pixels in a row, all of a box: lines are thinner.
      const isDrawn = (pixel: number): boolean =>
        [0, 1, 2, 3, 4].every((next) => data[(pixel + next) * 4 + 3] === 255);
      for (let x = 0; x < canvas.width; x += 1)
        for (let y = -40; y < 40; y += 1) {
          const pixel = middle + y * canvas.width + x;
          if (isDrawn(pixel)) return { x: x + 2, y: Math.floor(canvas.height / 2) + y };
        }
      return null;
    });
  await expect.poll(findBox).not.toBeNull();
  await page.mouse.click(...(await onScreen(page, await findBox())));
  await expect.poll(() => page.locator('.wc-panel .wc-kind, .wc-panel input').count()).toBeGreaterThan(0);
  const before = await moved();
  await page.locator('.wc-minimap canvas').click({ position: { x: 40, y: 40 } });
  await expect.poll(moved).not.toBe(before);
  for (let step = 0; step < 6; step += 1)
    await page.locator('.wc-minimap canvas').dispatchEvent('wheel', { deltaY: -300 });
  await expect.poll(() => overview.count()).toBe(0);
  await expect.poll(() => mounted.count()).toBeGreaterThan(0);
  expect(at.errors).toEqual([]);
  await page.context().close();
});

test(
  'two people edit one canvas while one loses its network twice and the server is killed: both show all of it, as it is stored',
  async () => {
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
    // Kinds of their own: two who give one id to two nodes are the subject of other tests.
    const kinds = [
      ['transform', 'function'],
      ['guard', 'condition'],
    ] as const;
    const until = Date.now() + TOGETHER_MS;
    let round = 0;
    let back = Promise.resolve();
    for (; round < MIN_ROUNDS || Date.now() < until; round += 1) {
      if (round === 2 || round === 6) await second.context().setOffline(true);
      if (round === 5) {
        await at.canvas.realtime.kill();
        back = at.canvas.realtime.start();
      }
      for (const [seat, page] of pages.entries()) {
        await page.locator('.react-flow').focus();
        await page.keyboard.press('/');
        await page.keyboard.type(kinds[seat]?.[round % 2] ?? '');
        await page.keyboard.press('Enter');
        await page.keyboard.press('Shift+ArrowDown');
        if (round % 3 === 2) await page.keyboard.press('Control+z');
      }
      if (round === 4 || round === 8) await second.context().setOffline(false);
    }
    await second.context().setOffline(false);
    await back;
    await Promise.all(pages.map(saved));
    const graph = await stored(id);
    expect(Object.keys(graph.nodes)).toHaveLength(2 + pages.length * round);
    for (const page of pages) {
      await page.locator('.react-flow').focus();
      const all = async (): Promise<string[]> => {
        // Bringing the newest node into view may have come after it.
        await page.keyboard.press('1');
        return shownIn(page);
      };
      await expect
        .poll(all, { interval: 700 })
        .toEqual([...Object.keys(graph.nodes), '__end__', '__start__'].toSorted());
    }
    expect(at.errors).toEqual([]);
  },
  120_000 + TOGETHER_MS,
);
