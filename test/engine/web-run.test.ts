/** Somebody could not start, watch, answer, cancel or rerun a run in a browser. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Locator, Page } from 'playwright-core';
import { END, START, chain, edge, http, node, transform, workflow } from '../support/definitions.ts';
import { inBothThemes } from '../surfaces/web/support/axe.ts';
import { startEngineStack } from '../surfaces/web/support/engine-stack.ts';
import { runDraft } from '../surfaces/web/support/run-draft.ts';
import { signInTo } from '../surfaces/web/support/sign-in.ts';
import type { WebStack } from '../surfaces/web/support/web-stack.ts';

let at: WebStack;
beforeAll(async () => {
  at = await startEngineStack();
  // A test asks faster than a person: on the free plan it would wait for most of a minute.
  await at.canvas.api.deps.db.query(`ALTER TABLE organizations ALTER COLUMN plan SET DEFAULT 'enterprise'`);
});
afterAll(() => at.close());

const APPROVAL = workflow(
  [
    node('ask', 'interrupt', {
      kind: 'approval',
      title: 'Refund {{input.amount}}?',
      actions: [{ id: 'approve', label: 'Approve it' }, { id: 'reject' }],
      form: { type: 'object', properties: { remark: { type: 'string', title: 'Remark' } } },
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

const MAPPED = chain(
  transform('prepare', { text: '{{input.text}}' }),
  transform('each', { item: '{{item}}' }, { for_each: { items: '{{input.items}}' } }),
  http('call', 'http://127.0.0.1:9/', {}, { disabled: true }),
);

async function upload(page: Page, name: string, definition: object): Promise<void> {
  await page.getByRole('link', { name: 'Workflows' }).click();
  await page.locator('input[type=file]').setInputFiles({
    name: `${name}.json`,
    mimeType: 'application/json',
    buffer: Buffer.from(JSON.stringify(definition)),
  });
}

// Nodes that are not seen are not mounted, and a run opens the panel beside them.
const signIn = (): Promise<Page> => signInTo(at, { window: { width: 2_400, height: 1_200 } });

/** A busy machine takes long to run what takes a second. */
const WITHIN = { timeout: 45_000 };
const state = (page: Page) =>
  expect.poll(() => page.locator('.wc-toolbar .wc-run-state').textContent(), WITHIN);
const statusOf = (page: Page, nodeId: string) =>
  expect.poll(() => page.locator(`[data-node="${nodeId}"] .wc-badge`).getAttribute('title'));

test('the starter runs on the canvas; an approval is answered where it stands; a run that waits is cancelled', async () => {
  const page = await signIn();
  await page.getByRole('link', { name: 'Starter workflow' }).click();
  await page.waitForSelector('[data-node="prepare"]');
  await runDraft(page, { text: 'Hello from ada@example.com' });
  await state(page).toBe('Succeeded');
  for (const id of ['prepare', 'screen', 'answer', 'short_reply'])
    await statusOf(page, id).toMatch(/^Succeeded/);
  await statusOf(page, 'long_reply').toMatch(/^Skipped/);
  await expect.poll(() => page.locator('.wc-panel').textContent()).toContain('You wrote: Hello from');

  await upload(page, 'Refund', APPROVAL);
  await page.waitForSelector('[data-node="ask"]');
  await runDraft(page, { amount: 12 });
  await page.getByRole('heading', { name: 'Refund 12?' }).waitFor();
  await statusOf(page, 'ask').toBe('Waiting');
  await page.getByRole('button', { name: 'Approve it' }).click();
  await state(page).toBe('Succeeded');
  await statusOf(page, 'paid').toMatch(/^Succeeded/);
  await statusOf(page, 'kept').toMatch(/^Skipped/);

  await runDraft(page, { amount: 13 });
  await page.getByRole('heading', { name: 'Refund 13?' }).waitFor();
  await page.getByRole('button', { name: 'Cancel', exact: true }).click();
  await state(page).toBe('Cancelled');
  await expect.poll(() => page.getByRole('heading', { name: 'Refund 13?' }).count()).toBe(0);

  await runDraft(page, { amount: 14 });
  await page.getByRole('heading', { name: 'Refund 14?' }).waitFor();
  await page.getByRole('link', { name: 'Runs', exact: true }).click();
  await page
    .getByRole('row', { name: /Waiting/ })
    .getByRole('link')
    .click();
  await page.getByRole('heading', { name: 'Refund 14?' }).waitFor();
  expect(await inBothThemes(page)).toEqual([]);
  const address = page.url();
  await page.getByRole('button', { name: 'Approve it' }).click();
  await page.getByText('Succeeded', { exact: true }).first().waitFor(WITHIN);
  await page.getByRole('treeitem', { name: /^paid\W*Succeeded/ }).waitFor();
  await expect.poll(() => page.url()).toBe(address);

  // The segment that asked stays interrupted; its address shows the run that went on.
  const [asked] = await at.canvas.api.deps.db.query<{ id: string }>(
    `SELECT id FROM runs WHERE status = 'interrupted' ORDER BY created_at LIMIT 1`,
  );
  await page.goto(`${at.origin}/app/runs/${asked?.id}`);
  const steps = page.getByRole('treeitem');
  await expect
    .poll(() => steps.allTextContents())
    .toEqual([
      'Input and output of the run',
      ...['ask', 'kept', 'paid'].map((id) => expect.stringContaining(id)),
    ]);
  await expect
    .poll(() => page.getByRole('region', { name: 'Output', exact: true }).textContent())
    .toContain('paid: 12');
  await expect.poll(() => page.getByRole('button', { name: 'Cancel run' }).count()).toBe(0);
  await page.getByRole('tree').press('ArrowDown');
  const details = page.getByRole('region', { name: 'ask' });
  await details.getByText('Refund 12?').first().waitFor();
  await details.getByLabel('Search in Input').fill('refund');
  await details.getByText('1 match').waitFor();
  await expect
    .poll(() => details.getByRole('region', { name: 'Input', exact: true }).getByRole('listitem').count())
    .toBe(1);
  expect(await inBothThemes(page)).toEqual([]);
  await page.getByRole('tree').press('End');
  await page.getByRole('region', { name: 'paid' }).waitFor();

  // Somebody took two days for the answer: the timeline has a break, and the work has the room.
  for (const [table, key] of [
    ['runs', 'id'],
    ['run_steps', 'run_pk'],
  ])
    await at.canvas.api.deps.db.query(
      `UPDATE ${table} SET started_at = started_at - interval '2 days', completed_at = completed_at - interval '2 days'
       WHERE ${key} = $1`,
      [asked?.id],
    );
  await page.reload();
  await page.getByRole('tab', { name: 'Timeline' }).click();
  await page.getByText('waited 2 d', { exact: true }).waitFor();
  await expect.poll(() => page.getByRole('button', { name: /^ask.*2 d$/ }).count()).toBe(1);
  expect(await inBothThemes(page)).toEqual([]);
  await page.context().close();
  expect(at.trouble).toEqual([]);
});

test('the address of a callback is copied from the editor, the questions and the run, and answers it', async () => {
  const page = await signInTo(at, { email: 'calls@example.com', window: { width: 2_400, height: 1_200 } });
  await upload(page, 'Paid', chain(node('paid', 'interrupt', { kind: 'callback', title: 'Payment' })));
  await page.waitForSelector('[data-node="paid"]');
  await runDraft(page, {});
  const readAddress = async (): Promise<string> => {
    const card = page.getByRole('region', { name: 'Payment' });
    await card.getByText('Waiting for a request to the callback URL').waitFor();
    await card.getByRole('button', { name: 'Copy callback URL' }).waitFor();
    await card.getByRole('button', { name: 'Continue without a request' }).waitFor();
    return (await card.getByText('/callbacks/').textContent()) ?? '';
  };
  const addresses = [await readAddress()];
  expect(await inBothThemes(page)).toEqual([]);
  await page.getByRole('link', { name: 'Questions' }).click();
  addresses.push(await readAddress());
  expect(await inBothThemes(page)).toEqual([]);
  await page.getByRole('link', { name: 'Show run' }).click();
  addresses.push(await readAddress());
  expect(new Set(addresses).size).toBe(1);
  const { pathname } = new URL(addresses[0] ?? '');
  const called = await fetch(at.canvas.api.url + pathname, { method: 'POST' });
  expect(await called.json()).toEqual({ status: 'delivered' });
  await page.getByText('Succeeded', { exact: true }).first().waitFor(WITHIN);
  await page.context().close();
  expect(at.trouble).toEqual([]);
});

test('after a reload fields show the values of the newest run that succeeded, and the canvas the run that waits, with the answer that was begun', async () => {
  const page = await signInTo(at, { email: 'reloads@example.com', window: { width: 1_400, height: 1_000 } });
  const nodes = chain(
    transform('price', { net: '{{input.net}}' }),
    transform('total', { net: '{{price.net}}' }),
  );
  await upload(page, 'Totals', nodes);
  await page.waitForSelector('[data-node="total"]');
  await runDraft(page, { net: 12 });
  await state(page).toBe('Succeeded');
  await page.reload();
  await page.locator('[data-node="total"]').click();
  const shown = page.getByLabel('Preview of Fields: net');
  await expect.poll(() => shown.textContent()).toContain('12');

  // A run of the history in the address gives way to one that is started there, which a reload finds.
  await upload(page, 'Asks', APPROVAL);
  await page.waitForSelector('[data-node="ask"]');
  await runDraft(page, { amount: 14 });
  await page.getByRole('button', { name: 'Approve it' }).click();
  await state(page).toBe('Succeeded');
  const [before] = await at.canvas.api.deps.db.query<{ id: string }>(
    `SELECT r.id FROM runs r JOIN users u ON u.id = r.created_by WHERE u.email = 'reloads@example.com'
     ORDER BY r.created_at DESC LIMIT 1`,
  );
  const editor = page.url().replace(/\?.*/, '');
  await page.goto(`${editor}?run=${before?.id}`);
  await state(page).toBe('Succeeded');
  await runDraft(page, { amount: 15 });
  const question = page.getByRole('heading', { name: 'Refund 15?' });
  await question.waitFor();
  await expect.poll(() => page.url()).toBe(editor);
  await page.reload();
  await question.waitFor(WITHIN);

  // An answer that is begun is kept while other things are looked at, and on the page of questions, until it is sent.
  const remark = page.getByLabel('Remark');
  await remark.fill('Looks right');
  await page.locator('[data-node="ask"]').click();
  await expect.poll(() => remark.count()).toBe(0);
  await page.getByRole('tab', { name: 'Run' }).click();
  await expect.poll(() => remark.inputValue()).toBe('Looks right');
  await page.getByRole('link', { name: 'Questions' }).click();
  await page.getByRole('heading', { level: 1, name: 'Questions' }).waitFor();
  await expect.poll(() => remark.inputValue()).toBe('Looks right');
  await page.getByRole('button', { name: 'Approve it' }).click();
  const keptTexts = (): Promise<unknown> =>
    page.evaluate(`Object.keys(sessionStorage).filter((key) => key.startsWith('text:'))`);
  await expect.poll(keptTexts, WITHIN).toEqual([]);
  await page.context().close();
});

test('two runs are compared by who started them and when, and field by field by what went in and came out', async () => {
  const page = await signInTo(at, { email: 'compares@example.com', window: { width: 1_400, height: 1_000 } });
  await upload(page, 'Prices', chain(transform('price', { net: '{{input.net}}', currency: 'EUR' })));
  await page.waitForSelector('[data-node="price"]');
  await runDraft(page, { net: 12 });
  await state(page).toBe('Succeeded');
  await runDraft(page, { net: 13 });
  await state(page).toBe('Succeeded');
  await page.getByRole('link', { name: 'Runs', exact: true }).click();
  const rows = page.getByRole('checkbox', { name: /^Select run/ });
  await expect.poll(() => rows.count()).toBe(2);
  for (const index of [0, 1]) await rows.nth(index).check();
  await page.getByRole('button', { name: 'Compare', exact: true }).click();
  const runs = await at.canvas.api.deps.db.query<{ started_at: Date }>(
    `SELECT r.started_at FROM runs r JOIN users u ON u.id = r.created_by WHERE u.email = 'compares@example.com'
     ORDER BY r.started_at`,
    [],
  );
  for (const [index, name] of ['First run', 'Second run'].entries()) {
    const facts = page.getByRole('region', { name, exact: true });
    // In the zone of the browser, which it names.
    const started = await page.evaluate(
      (ms) => [
        new Intl.DateTimeFormat(undefined, { timeStyle: 'short' }).format(ms),
        new Intl.DateTimeFormat(undefined, { timeZoneName: 'short' }).formatToParts(ms).at(-1)?.value,
      ],
      runs[index]?.started_at.getTime() ?? 0,
    );
    await facts.getByText(`${started.join(' ')} · compares@example.com`).waitFor();
    await facts.getByText('Succeeded').waitFor();
  }
  const cells = (row: Locator): Promise<string[]> => row.getByRole('cell').allTextContents();
  const input = page.getByRole('region', { name: 'Run input' }).getByRole('row').last();
  await expect.poll(() => cells(input)).toEqual(['Input › net', '12', '13']);
  await page.getByRole('button', { name: 'price: Different output' }).click();
  await expect
    .poll(() => cells(page.getByRole('row', { name: /^Output › net/ })))
    .toEqual(['Output › net', '12', '13']);
  await page.getByRole('button', { name: 'price', exact: true }).click();
  for (const run of ['First run: graph', 'Second run: graph']) {
    const drawn = page.getByRole('region', { name: run }).locator('.wc-current[data-node="price"]');
    await expect.poll(() => drawn.textContent()).toContain('Transform · Succeeded');
    await drawn.getByRole('img', { name: 'changed' }).waitFor();
  }
  expect(await inBothThemes(page)).toEqual([]);
  await page.setViewportSize({ width: 390, height: 800 });
  // It is laid out anew by its own code, some frames later.
  await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBe(390);
  await page.context().close();
  expect(at.trouble).toEqual([]);
});

test('a node is tried and pinned; a run is run again from a node, compared, and read over time, by its events and on its graph', async () => {
  const page = await signIn();
  await upload(page, 'Mapped', MAPPED);
  await page.waitForSelector('[data-node="prepare"]');
  await runDraft(page, { text: 'first', items: ['a', 'b'] });
  await state(page).toBe('Succeeded');

  await page.locator('[data-node="prepare"]').click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Test this node' }).click();
  await page.getByLabel('Input (JSON)').fill('{"text":"second"}');
  await page.getByRole('button', { name: 'Test', exact: true }).click();
  const outcome = page.getByRole('status', { name: 'Test result' });
  await expect.poll(() => outcome.textContent(), WITHIN).toContain('second');
  // What the canvas shows is still the run.
  await statusOf(page, 'each').toMatch(/^Succeeded/);
  await page.getByRole('button', { name: 'Pin output', exact: true }).click();
  const pin = page.locator('[data-node="prepare"]').getByLabel(/^Pinned/);
  await expect.poll(() => pin.count()).toBe(1);
  expect(await inBothThemes(page)).toEqual([]);
  await page.getByRole('button', { name: 'Unpin' }).click();
  await expect.poll(() => pin.count()).toBe(0);

  await page.locator('[data-node="call"]').click();
  await page.locator('.react-flow').focus();
  await page.keyboard.press('t');
  await page.getByRole('button', { name: 'Test', exact: true }).click();
  await page.getByText('This node has side effects').waitFor();
  await page.getByRole('button', { name: 'Test anyway' }).click();
  await expect.poll(() => outcome.textContent(), WITHIN).toContain('Failed');

  await page.locator('[data-node="each"]').click();
  await page.locator('.react-flow').focus();
  await page.keyboard.press('m');
  await page.getByRole('menuitem', { name: 'Rerun from here' }).press('Enter');
  await expect.poll(() => page.getByRole('row', { name: /^prepare/ }).textContent()).toContain('reused');
  await expect.poll(() => page.getByRole('row', { name: /^each/ }).textContent()).toContain('runs');
  expect(await inBothThemes(page)).toEqual([]);
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await state(page).toBe('Succeeded');
  await statusOf(page, 'prepare').toMatch(/^Reused/);

  await page.getByRole('link', { name: 'Runs', exact: true }).click();
  const rows = page.getByRole('checkbox', { name: /^Select run/ });
  await expect.poll(() => rows.count()).toBeGreaterThan(3);
  await rows.nth(0).check();
  // Between the rerun and its original are the two tries.
  await expect.poll(() => page.getByRole('row').nth(2).textContent()).toContain('Test');
  await rows.nth(3).check();
  expect(await inBothThemes(page)).toEqual([]);
  await page.getByRole('button', { name: 'Compare' }).click();
  await expect.poll(() => page.getByRole('row', { name: /^prepare/ }).textContent()).toContain('Reused');
  expect(await inBothThemes(page)).toEqual([]);
  // Both runs had the same items.
  await expect.poll(() => page.getByRole('button', { name: 'Different output' }).count()).toBe(0);

  await page.getByRole('link', { name: 'First run' }).click();
  await page.getByRole('tab', { name: 'Timeline' }).press('Enter');
  const bar = page.getByRole('button', { name: /^each\W+Succeeded/ });
  await bar.press('Enter');
  await page.getByText('"a"').first().waitFor();
  await expect.poll(() => page.getByRole('button', { name: /item 1/ }).count()).toBe(1);
  expect(await inBothThemes(page)).toEqual([]);
  await page.getByRole('tab', { name: 'Events' }).click();
  await page.getByRole('cell', { name: 'run_completed' }).waitFor();
  expect(await inBothThemes(page)).toEqual([]);
  await page.getByRole('link', { name: 'Show on canvas' }).click();
  await statusOf(page, 'each').toMatch(/^Succeeded/);

  // What was run is kept with the run, whatever becomes of the workflow.
  await page.goBack();
  await page.getByRole('tab', { name: 'Graph' }).waitFor();
  await at.canvas.api.deps.db.query(`DELETE FROM workflows WHERE name = 'Mapped'`);
  await page.reload();
  await page.getByRole('tab', { name: 'Graph' }).click();
  const walked = (nodeId: string) => page.locator(`[data-node="${nodeId}"]`);
  await expect.poll(() => walked('prepare').textContent()).toBe('prepareTransform · Succeeded');
  await expect.poll(() => walked('each').textContent()).toContain('Succeeded');
  await expect.poll(() => walked('call').textContent()).toContain('Skipped');
  expect(await inBothThemes(page)).toEqual([]);
  await page.getByRole('group', { name: 'each' }).press('Enter');
  await page.getByRole('region', { name: 'each' }).getByText('"a"').first().waitFor();
  await expect.poll(() => page.locator('.wc-edge-taken').count()).toBeGreaterThan(1);
  await page.keyboard.press('Delete');
  await expect.poll(() => walked('each').count()).toBe(1);
  await page.context().close();
  expect(at.trouble).toEqual([]);
});
