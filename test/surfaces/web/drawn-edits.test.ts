/**
 * Two people who write into drawn fields of drawn nodes, one of them without the network, with a reload, a deletion and an undo between:
 * if this fails, a keystroke is lost, or a page says “Saved” of a text that nobody has.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Locator, Page } from 'playwright-core';
import type { JsonObject } from '../../../src/language/graph/values/value.ts';
import { definition } from '../../features/canvas/support/canvas.ts';
import type { Tenant } from '../../support/api-server.ts';
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
const WITHIN = { timeout: 60_000 };

/** `DRAWN_EDITS=200 DRAWN_EDITS_SEED=7` for a long drive. */
const EPISODES = Number(process.env['DRAWN_EDITS'] ?? 5);
const SEED = Number(process.env['DRAWN_EDITS_SEED'] ?? 20_261_130);

/** A node of each form that has texts. */
const FORMS: Readonly<Record<string, JsonObject>> = {
  llm: {
    provider: 'openai',
    model: 'm',
    messages: [
      { role: 'system', content: 'Be kind.' },
      { role: 'user', content: 'Translate' },
    ],
  },
  agent: { provider: 'openai', model: 'm', instructions: 'Help.', input: 'Hello', tools: [] },
  tool: { kind: 'http', method: 'POST', url: 'https://a.example/x', headers: { 'X-One': '1' }, body: 'Text' },
  interrupt: { kind: 'approval', title: 'May it?', message: 'A message' },
  transformer: { mode: 'template', template: 'Dear' },
  function: { code: 'return 1;' },
  knowledge: { knowledge_base_ids: [], query: 'What?' },
};

/** The parts of a node beside its config that show more fields. */
const MORE: Readonly<Record<string, JsonObject>> = {
  tool: { confirm: { message: 'May it leave?', editable: ['body'] } },
};

/** What happens between the edits and their meeting. */
const TURNS = ['nothing', 'offline', 'offline', 'offline and reload', 'deletion and undo'] as const;

/** Nothing is on its way; a number with letters, or two versions of one text, wait for their author. */
const SETTLED = /^(?:Saved|Not saved)/u;

interface Episode {
  readonly form: string;
  readonly turn: (typeof TURNS)[number];
  /** Which of the fields that the form shows; taken modulo their number. */
  readonly fields: readonly [number, number];
  /** Both write into the field of the first. */
  readonly isSame: boolean;
}

const episodes: fc.Arbitrary<Episode> = fc.record({
  form: fc.constantFrom(...Object.keys(FORMS)),
  turn: fc.constantFrom(...TURNS),
  fields: fc.tuple(fc.nat(40), fc.nat(40)),
  isSame: fc.boolean(),
});

async function createWorkflow(type: string): Promise<string> {
  const schema = definition() as { nodes: object[] };
  Object.assign(schema.nodes[0]!, { type, config: FORMS[type], ...MORE[type] });
  const { body } = await ada.call('POST', '/workflows', { body: { name: type, workflow_schema: schema } });
  return String(body['id']);
}

const readStored = async (workflowId: string): Promise<string> =>
  JSON.stringify((await ada.call('GET', `/workflows/${workflowId}`)).body['workflow_schema']);

const panelOf = (page: Page) => page.getByRole('complementary', { name: 'Details' });
const saveStateOf = (page: Page) => page.getAttribute('[data-save]', 'data-save');

async function openNode(page: Page, nodeId: string): Promise<void> {
  await page.locator(`[data-node="${nodeId}"]`).click();
  await panelOf(page).getByLabel('Name', { exact: true }).waitFor();
}

/** The fields into which one writes text; an ID and an address have rules of their own. */
async function listFields(page: Page): Promise<string[]> {
  // The editors of texts are loaded when they are first shown.
  await expect.poll(() => panelOf(page).locator('pre.wc-code-editor').count(), WITHIN).toBe(0);
  const names = await panelOf(page)
    .getByRole('textbox')
    .evaluateAll((fields) =>
      fields.map((field) => {
        const label =
          field.getAttribute('aria-label') ??
          (field as { labels?: ArrayLike<{ textContent: string | null }> }).labels?.[0]?.textContent;
        return field.matches('[readonly], [disabled], [aria-readonly="true"]') ? '' : (label ?? '');
      }),
    );
  return [...new Set(names)]
    .filter((name) => name !== '' && !/^(?:ID|Model|URL|Search.*)$/u.test(name))
    .sort();
}

const fieldOf = (page: Page, name: string): Locator =>
  panelOf(page).getByRole('textbox', { name, exact: true }).first();

async function type(page: Page, field: string, word: string): Promise<void> {
  await fieldOf(page, field).click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type(word);
}

/** All that a page shows of a text, with its fields and the texts that have lost theirs. */
async function readPage(page: Page): Promise<string> {
  const lost = page.getByRole('button', { name: /^Not saved: .*\((?:moved or|node) deleted\)$/u });
  if ((await lost.count()) > 0 && (await page.getByRole('dialog').count()) === 0) await lost.click();
  return page.evaluate(
    `document.body.innerText + [...document.querySelectorAll('input, textarea')].map(({ value }) => value).join(' ')`,
  ) as Promise<string>;
}

/** Where a word is: in the workflow, or on the page of its author, which says that it is not saved or who replaced it. */
async function findWord(page: Page, workflowId: string, word: string): Promise<string> {
  if ((await readStored(workflowId)).includes(word)) return 'stored';
  const state = (await saveStateOf(page)) ?? '';
  const shown = await readPage(page);
  if (!shown.includes(word)) return `lost; the page says “${state}”`;
  if (state.startsWith('Not saved')) return 'kept';
  // A name or an entry that was not applied is told by its edit.
  const isTold = shown.includes('replaced your change') || /Your edit “.*” was not applied/u.test(shown);
  return isTold ? 'told' : `shown; the page says “${state}”`;
}

/** Undoes what the person has done last. */
async function undo(page: Page): Promise<void> {
  await page.locator('.react-flow').focus();
  await page.keyboard.press('Control+z');
}

async function play(episode: Episode, number: number): Promise<void> {
  const { form, turn, fields, isSame } = episode;
  const id = await createWorkflow(form);
  const pages = [await at.open(ada, id), await at.open(ben, id)] as const;
  const [first, second] = pages;
  for (const page of pages) await openNode(page, 'a');
  const names = await listFields(first);
  const mine = names[fields[0] % names.length] ?? '';
  const theirs = isSame ? mine : (names[fields[1] % names.length] ?? '');
  const words = [`ada${number}x`, `ben${number}x`] as const;
  const what = `${number}: ${form}, ${turn}, Ada writes “${mine}”, Ben “${theirs}”`;
  const isOffline = turn.startsWith('offline');
  if (isOffline) await goOffline(first);
  await type(first, mine, words[0]);
  if (turn === 'deletion and undo') {
    await expect.poll(() => saveStateOf(first), WITHIN).toMatch(SETTLED);
    await openNode(second, 'a');
    // A node that a colleague holds is not deleted.
    await expect.poll(() => second.getByText('is editing this node.').count(), WITHIN).toBe(0);
    await second.locator('.react-flow').focus();
    await second.keyboard.press('Delete');
    await first.locator('[data-node="a"]').waitFor({ state: 'detached', ...WITHIN });
    await undo(second);
    await first.locator('[data-node="a"]').waitFor(WITHIN);
    await second.locator('[data-node="a"]').waitFor(WITHIN);
    await openNode(second, 'a');
  }
  // Of a node that a colleague has just edited, the field waits until it is free; what is typed waits with it.
  await type(second, theirs, words[1]);
  if (isOffline) {
    await expect.poll(() => saveStateOf(second), WITHIN).toMatch(SETTLED);
    await first.context().setOffline(false);
    if (turn === 'offline and reload') {
      await first.reload();
      await first.waitForSelector('[data-node="b"]');
      await openNode(first, 'a');
    }
  }
  for (const page of pages) await page.locator('.react-flow').focus();
  for (const page of pages) await expect.poll(() => saveStateOf(page), WITHIN).toMatch(SETTLED);
  for (const [index, page] of pages.entries())
    await expect
      .poll(() => findWord(page, id, words[index]!), { ...WITHIN, message: what })
      .toMatch(/^(?:stored|kept|told)$/u);
  for (const page of pages) await page.context().close();
}

test(
  'what two people write into any two fields is in the workflow, or is told and kept',
  async () => {
    const drawn = fc.sample(episodes, { seed: SEED, numRuns: EPISODES });
    for (const [index, episode] of drawn.entries()) await play(episode, index);
    expect(at.errors).toEqual([]);
  },
  EPISODES * 120_000,
);
