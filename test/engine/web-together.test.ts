/** Work would be lost between two people on one canvas: pins, changes of the Composer, versions, answers. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Page, Route } from 'playwright-core';
import { MAX_PIN_BYTES } from '../../src/language/graph/definition/definition-size.ts';
import type { JsonObject } from '../../src/language/graph/values/value.ts';
import { chain, edge, END, node, START, transform, workflow } from '../support/definitions.ts';
import { startModelServer, type ModelServer, type ScriptedAnswer } from '../support/model-server.ts';
import { managedModels } from '../support/engine-with-servers.ts';
import { setTerms } from '../support/money.ts';
import { inBothThemes } from '../surfaces/web/support/axe.ts';
import { startEngineStack } from '../surfaces/web/support/engine-stack.ts';
import { signInTo } from '../surfaces/web/support/sign-in.ts';
import type { WebStack } from '../surfaces/web/support/web-stack.ts';

let model: ModelServer;
let at: WebStack;
beforeAll(async () => {
  model = await startModelServer();
  at = await startEngineStack({ ...managedModels(model), OUTBOUND_ALLOW: model.hostPort });
  // A test asks faster than a person: on the free plan it would wait for most of a minute.
  await at.canvas.api.deps.db.query(`ALTER TABLE organizations ALTER COLUMN plan SET DEFAULT 'enterprise'`);
});
beforeEach(() => {
  at.trouble.length = 0;
});
afterAll(async () => {
  await at.close();
  await model.close();
});

/** A busy machine takes long to run what takes a second. */
const WITHIN = { timeout: 45_000 };

// Nodes that are not seen are not mounted, and panels stand beside them.
const window = { width: 2_400, height: 1_200 };
const signIn = (email: string): Promise<Page> => signInTo(at, { email, window });

interface Two {
  readonly ada: Page;
  readonly ben: Page;
  readonly workflowId: string;
}

/** Two people of one organization, both with the same new workflow open. */
async function openTogether(name: string, definition: JsonObject): Promise<Two> {
  const [ada, ben] = [await signIn(`ada-${name}@example.com`), await signIn(`ben-${name}@example.com`)];
  const { db } = at.canvas.api.deps;
  const [joined] = await db.query<{ org: string }>(
    `INSERT INTO memberships (user_id, organization_id, role)
     SELECT b.id, m.organization_id, 'admin' FROM users b, users a JOIN memberships m ON m.user_id = a.id
     WHERE b.email = $2 AND a.email = $1 RETURNING organization_id AS org`,
    [`ada-${name}@example.com`, `ben-${name}@example.com`],
  );
  await ben.evaluate(`localStorage.setItem('organization', ${JSON.stringify(joined?.org)})`);
  await ada.locator('input[type=file]').setInputFiles({
    name: `${name}.json`,
    mimeType: 'application/json',
    buffer: Buffer.from(JSON.stringify(definition)),
  });
  await ada.waitForURL(/\/workflows\/[0-9a-f-]{36}/);
  const workflowId = /workflows\/([0-9a-f-]{36})/.exec(ada.url())?.[1] ?? '';
  await ben.goto(`${at.origin}/app/workflows/${workflowId}`);
  for (const page of [ada, ben]) await page.waitForSelector('.react-flow__node');
  await expect.poll(() => ada.locator('.wc-face').count(), WITHIN).toBe(1);
  return { ada, ben, workflowId };
}

async function close({ ada, ben }: Two): Promise<void> {
  await Promise.all([ada.context().close(), ben.context().close()]);
  expect(at.trouble).toEqual([]);
}

async function run(page: Page, input: object, how = 'Run draft'): Promise<void> {
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await page.getByRole('dialog').getByLabel('Input (JSON)').fill(JSON.stringify(input));
  await page.getByRole('button', { name: how }).click();
  // Until then the page shows the run before.
  await page.getByRole('dialog').waitFor({ state: 'detached' });
}
const state = (page: Page) =>
  expect.poll(() => page.locator('.wc-toolbar .wc-run-state').textContent(), WITHIN);

async function draftOf(workflowId: string): Promise<JsonObject> {
  const [row] = await at.canvas.api.deps.db.query<{ workflow_schema: JsonObject }>(
    'SELECT workflow_schema FROM workflows WHERE id = $1',
    [workflowId],
  );
  return row?.workflow_schema ?? {};
}

/** The output of the newest run that was started at the workflow. */
async function newestOutput(workflowId: string): Promise<unknown> {
  const [row] = await at.canvas.api.deps.db.query<{ output: unknown }>(
    'SELECT output FROM runs WHERE workflow_id = $1 ORDER BY created_at DESC LIMIT 1',
    [workflowId],
  );
  return row?.output;
}

async function openTry(page: Page, nodeId: string): Promise<void> {
  await page.locator(`[data-node="${nodeId}"]`).click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Test this node' }).click();
}

test('a pin counts in test runs alone; everybody sees it; it goes with its node and never live', async () => {
  const definition = {
    ...chain(
      transform('first', { text: '{{input.text}}' }),
      transform('last', { said: '{{first.text}}' }),
      transform('fixed', { said: '{{last.said}}' }, { mock: { enabled: true, output: { said: 'mock' } } }),
    ),
    config: { output: { said: '{{last.said}}' } },
  };
  const two = await openTogether('pins', definition);
  const { ada, ben, workflowId } = two;
  const pinOn = (page: Page, nodeId: string) => page.locator(`[data-node="${nodeId}"]`).getByLabel(/^Pinned/);
  await run(ada, { text: 'before' });
  await state(ada).toBe('Succeeded');
  await openTry(ada, 'first');
  await ada.getByRole('button', { name: 'Pin output of this run' }).click();
  await expect.poll(() => pinOn(ada, 'first').count(), WITHIN).toBe(1);
  await expect.poll(() => pinOn(ben, 'first').count(), WITHIN).toBe(1);
  const draft = await draftOf(workflowId);
  expect(draft['metadata']).toMatchObject({ canvas: { pins: { first: { output: { text: 'before' } } } } });
  expect((draft['nodes'] as JsonObject[]).map((node) => 'mock' in node)).toEqual([false, false, true]);

  // A mock in the definition is shown as one, for it goes live.
  await expect
    .poll(() =>
      ben
        .locator('[data-node="fixed"]')
        .getByLabel(/^Mocked/)
        .count(),
    )
    .toBe(1);
  await expect
    .poll(() =>
      ben
        .locator('[data-node="first"]')
        .getByLabel(/^Mocked/)
        .count(),
    )
    .toBe(0);
  await ben.getByRole('link', { name: 'Versions' }).click();
  const mocks = ben.getByRole('status', { name: 'Mocked nodes' });
  await expect.poll(() => mocks.getByRole('listitem').allTextContents()).toEqual(['fixed']);
  await ben.getByRole('button', { name: 'Deploy' }).click();
  await ben.getByText(/^No changes since version/).waitFor();
  await ben.getByRole('link', { name: 'Open canvas' }).click();
  await ben.waitForSelector('[data-node="first"]');

  // Ben's test run uses the pin that Ada made; what is live does not.
  await run(ben, { text: 'after' });
  await expect.poll(() => newestOutput(workflowId), WITHIN).toEqual({ said: 'before' });
  await state(ben).toBe('Succeeded');
  await run(ben, { text: 'after' }, 'Run live version');
  await expect.poll(() => newestOutput(workflowId), WITHIN).toEqual({ said: 'after' });
  await state(ben).toBe('Succeeded');

  // An output above the bound is kept as a reference to its run, and read when a test run starts.
  const large = 'x'.repeat(MAX_PIN_BYTES);
  await ben.getByRole('button', { name: 'Close panel' }).click();
  await openTry(ben, 'first');
  await ben.getByRole('button', { name: 'Unpin' }).click();
  await expect.poll(() => pinOn(ada, 'first').count(), WITHIN).toBe(0);
  await run(ben, { text: large });
  await expect.poll(() => newestOutput(workflowId), WITHIN).toEqual({ said: large });
  await state(ben).toBe('Succeeded');
  await ben.getByRole('button', { name: 'Close panel' }).click();
  await openTry(ben, 'first');
  await ben.getByRole('button', { name: 'Pin output of this run' }).click();
  await expect.poll(() => pinOn(ada, 'first').count(), WITHIN).toBe(1);
  expect((await draftOf(workflowId))['metadata']).toMatchObject({
    canvas: { pins: { first: { run_pk: expect.any(String), step_id: expect.any(String) } } },
  });
  await run(ben, { text: 'small' });
  await state(ben).toBe('Succeeded');
  await expect.poll(() => newestOutput(workflowId), WITHIN).toEqual({ said: large });

  // A node that is deleted loses its pin, and undo brings both back.
  await ben.getByRole('button', { name: 'Close panel' }).click();
  await ben.locator('[data-node="first"]').click();
  await ben.locator('.react-flow').focus();
  await ben.keyboard.press('Delete');
  await expect.poll(() => ada.locator('[data-node="first"]').count(), WITHIN).toBe(0);
  const pins = async (): Promise<unknown> =>
    ((await draftOf(workflowId))['metadata'] as { canvas: { pins: unknown } }).canvas.pins;
  await expect.poll(pins, WITHIN).toEqual({});
  await ben.keyboard.press('Control+z');
  await expect.poll(() => pinOn(ada, 'first').count(), WITHIN).toBe(1);
  await close(two);
}, 240_000);

const says = (value: object): ScriptedAnswer => ({ text: [JSON.stringify(value)] });

/** Managed models are for plans that are paid. */
async function makePaid(workflowId: string): Promise<void> {
  const { db } = at.canvas.api.deps;
  const [row] = await db.query<{ org: string }>(
    'SELECT organization_id AS org FROM workflows WHERE id = $1',
    [workflowId],
  );
  await setTerms(db, row?.org ?? '', { plan: 'pro' });
}

const nodeIds = async (workflowId: string): Promise<unknown[]> =>
  ((await draftOf(workflowId))['nodes'] as JsonObject[]).map(({ id }) => id);
const configOf = async (workflowId: string, nodeId: string): Promise<unknown> =>
  ((await draftOf(workflowId))['nodes'] as JsonObject[]).find(({ id }) => id === nodeId)?.['config'];

async function rename(page: Page, nodeId: string, name: string): Promise<void> {
  await page.locator(`[data-node="${nodeId}"]`).click();
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.locator('.react-flow').focus();
}

test('what the Composer proposes is saved when it is accepted, node by node, as one undo step, and goes over nobody', async () => {
  const two = await openTogether(
    'composer',
    chain(transform('first', { a: 1 }), transform('second', { b: 1 })),
  );
  const { ada, ben, workflowId } = two;
  await makePaid(workflowId);
  await ada.locator('.react-flow').focus();
  await ada.keyboard.press('i');
  const summary = 'Added the third, dropped the second, changed the first';
  model.script(
    says({
      summary,
      workflow_schema: chain(transform('first', { a: 2 }), transform('third'), transform('fourth')),
    }),
  );
  await ada.getByLabel('Describe the workflow').fill('Change it');
  await ada.getByRole('button', { name: 'Send', exact: true }).click();
  const panel = ada.getByRole('complementary', { name: 'Proposed change' });
  await panel.waitFor(WITHIN);

  // It is seen as ghosts and as a list, by who asked for it alone; its own run is none of this canvas.
  for (const id of ['first', 'second', 'third', 'fourth'])
    await expect.poll(() => ada.locator(`[data-ghost="${id}"]`).count()).toBe(1);
  await expect.poll(() => ben.locator('[data-ghost]').count()).toBe(0);
  for (const page of [ada, ben])
    await expect.poll(() => page.locator('.wc-toolbar .wc-run-state').count()).toBe(0);
  expect(await nodeIds(workflowId)).toEqual(['first', 'second']);
  expect(await inBothThemes(ada)).toEqual([]);

  // Ben's edit of a node that the change touches, too, is kept.
  await rename(ben, 'first', 'Named by Ben');
  await expect
    .poll(() => ada.locator('[data-node="first"] .wc-name').textContent(), WITHIN)
    .toBe('Named by Ben');
  await panel.getByRole('checkbox', { name: /added node fourth/ }).uncheck();
  await rename(ben, 'first', 'Named by Ben Again');
  await expect
    .poll(() => ada.locator('[data-node="first"] .wc-name').textContent(), WITHIN)
    .toBe('Named by Ben Again');
  const accept = panel.getByRole('button', { name: /^Accept \d+ of/ });
  await accept.click();
  await expect.poll(() => ben.locator('[data-node="third"]').count(), WITHIN).toBe(1);
  await expect.poll(() => ada.locator('[data-ghost]').count(), WITHIN).toBe(0);
  await expect.poll(() => nodeIds(workflowId), WITHIN).toEqual(['first', 'third']);
  expect(await configOf(workflowId, 'first')).toMatchObject({ fields: { a: 2 } });
  await expect
    .poll(() => ben.locator('[data-node="first"] .wc-name').textContent())
    .toBe('Named by Ben Again');

  // One step takes all of it back, also after the canvas was left; Ben's name stays.
  await ada.getByRole('link', { name: 'Versions' }).click();
  await ada.getByRole('link', { name: 'Open canvas' }).click();
  await ada.waitForSelector('[data-node="third"]');
  await ada.locator('.react-flow').focus();
  await ada.keyboard.press('Control+z');
  await expect.poll(() => nodeIds(workflowId), WITHIN).toEqual(['first', 'second']);
  expect(await configOf(workflowId, 'first')).toMatchObject({ fields: { a: 1 } });
  await expect
    .poll(() => ada.locator('[data-node="first"] .wc-name').textContent())
    .toBe('Named by Ben Again');

  // A refused change leaves nothing behind.
  await ada.keyboard.press('i');
  model.script(says({ summary: 'All gone', workflow_schema: chain(transform('other')) }));
  await ada.getByLabel('Describe the workflow').fill('Start again');
  await ada.getByRole('button', { name: 'Send', exact: true }).click();
  await panel.waitFor(WITHIN);
  await panel.getByRole('button', { name: 'Reject' }).click();
  await expect.poll(() => ada.locator('[data-ghost]').count()).toBe(0);
  expect(await nodeIds(workflowId)).toEqual(['first', 'second']);

  // It is shown again from its answer, also to who has left the canvas; an answer without a change says so.
  model.script(says({ summary: 'Which one?', workflow_schema: null }));
  await ada.getByLabel('Describe the workflow').fill('Drop it');
  await ada.getByRole('button', { name: 'Send', exact: true }).click();
  const said = (text: string) =>
    ada.getByRole('complementary', { name: 'Composer' }).getByRole('listitem').filter({ hasText: text });
  await said('Which one?').waitFor(WITHIN);
  await ada.getByRole('link', { name: 'Versions' }).click();
  // Chats about other workflows, newer ones of them than a page has.
  await at.canvas.api.deps.db.query(
    `INSERT INTO chats (id, organization_id, user_id, kind, thread_id, title, created_at, updated_at)
     SELECT gen_random_uuid(), organization_id, user_id, kind, gen_random_uuid()::text, 'Another', now(), now()
     FROM chats, generate_series(1, 101) WHERE workflow_id = $1`,
    [workflowId],
  );
  await ada.getByRole('link', { name: 'Open canvas' }).click();
  await ada.waitForSelector('[data-node="first"]');
  await ada.locator('.react-flow').focus();
  await ada.keyboard.press('i');
  await said('All gone').getByRole('button', { name: 'Show change' }).click();
  await panel.waitFor(WITHIN);
  await expect.poll(() => ada.locator('[data-ghost="other"]').count()).toBe(1);
  await panel.getByRole('button', { name: 'Reject' }).click();
  await said('Which one?').getByRole('button', { name: 'Show change' }).click();
  await said('Which one?').getByText('This answer has no changes.').waitFor();
  expect(await inBothThemes(ada)).toEqual([]);
  await close(two);
}, 240_000);

/** Turns a node off, or on again. */
async function toggle(page: Page, nodeId: string): Promise<void> {
  await page.locator(`[data-node="${nodeId}"]`).click();
  await page.locator('.react-flow').focus();
  await page.keyboard.press('d');
}
const isOff = (page: Page, nodeId: string) =>
  expect.poll(() => page.locator(`.wc-disabled[data-node="${nodeId}"]`).count(), WITHIN);

test('a version is restored as one step that can be undone, and set live, after a look at what it changes', async () => {
  const two = await openTogether(
    'restore',
    chain(transform('first', { a: 1 }), transform('second', { b: 1 })),
  );
  const { ada, ben } = two;
  const deploy = async (note: string): Promise<void> => {
    await ada.getByLabel('Note').fill(note);
    await ada.getByRole('button', { name: 'Deploy' }).click();
    await ada.getByRole('row', { name: new RegExp(note) }).waitFor(WITHIN);
  };
  await ada.getByRole('link', { name: 'Versions' }).click();
  await deploy('the first');
  // A colleague's canvas learns it from the room.
  await expect.poll(() => ben.locator('.wc-live').textContent(), WITHIN).toMatch(/^Live: /);
  await toggle(ben, 'second');
  await expect.poll(() => ben.getAttribute('[data-save]', 'data-save'), WITHIN).toBe('Saved');
  await ada.reload();
  await deploy('the second');

  await ada.getByRole('button', { name: /^Set live: / }).click();
  const sure = ada.getByRole('dialog');
  await expect
    .poll(() => sure.getByRole('listitem').allTextContents())
    .toEqual([expect.stringMatching(/^changed node secondDisabled.*true/)]);
  await sure.getByRole('button', { name: 'Cancel' }).click();
  const first = ada.getByRole('row', { name: /the first/ });
  const badge = (): Promise<string | null> => first.getByRole('cell').first().textContent();
  await expect.poll(badge).not.toContain('live');
  await ada.getByRole('button', { name: /^Set live: / }).click();
  await sure.getByRole('button', { name: 'Set live' }).click();
  await expect.poll(badge, WITHIN).toContain('live');

  await first.getByRole('link', { name: /^Compare/ }).click();
  await ada.getByRole('link', { name: 'Restore to draft' }).click();
  const panel = ada.getByRole('complementary', { name: 'Proposed change' });
  await panel.getByRole('checkbox', { name: /changed node second/ }).waitFor(WITHIN);
  await isOff(ben, 'second').toBe(1);
  await toggle(ben, 'first');
  await panel.getByRole('checkbox', { name: /changed node first/ }).uncheck();
  await panel.getByRole('button', { name: 'Accept 1 of 2' }).click();
  await isOff(ben, 'second').toBe(0);
  await isOff(ben, 'first').toBe(1);
  await ada.locator('.react-flow').focus();
  await ada.keyboard.press('Control+z');
  await isOff(ben, 'second').toBe(1);
  await isOff(ben, 'first').toBe(1);
  await close(two);
}, 240_000);

const ASKS = workflow(
  [
    transform('first', { text: '{{input.text}}' }),
    node('ask', 'interrupt', {
      kind: 'approval',
      title: 'Publish {{input.text}}?',
      actions: [{ id: 'approve', label: 'Publish it' }],
    }),
    transform('last', { said: '{{first.text}}' }),
  ],
  [edge(START, 'first'), edge('first', 'ask'), edge('ask', 'last', 'approve'), edge('last', END)],
);

const isMarked = (page: Page, nodeId: string, status: string) =>
  expect.poll(() => page.locator(`[data-node="${nodeId}"].wc-run-${status}`).count(), WITHIN).toBe(1);

test('a run that a colleague answers on the page of questions goes on on both canvases; a reload finds it again with its question', async () => {
  const two = await openTogether('answers', ASKS);
  const { ada, ben } = two;
  const question = ada.getByRole('heading', { name: 'Publish news?' });
  await run(ada, { text: 'news' });
  await question.waitFor(WITHIN);
  await state(ada).toBe('Waiting');
  await state(ben).toBe('Waiting');

  await ada.reload();
  await question.waitFor(WITHIN);
  await state(ada).toBe('Waiting');
  await isMarked(ada, 'first', 'completed');
  // A colleague's run is read and answered in the panel, too, and leaves the button that starts one.
  await ben.getByRole('button', { name: 'Waiting' }).click();
  await ben.getByRole('heading', { name: 'Publish news?' }).waitFor(WITHIN);
  await ben.getByRole('button', { name: 'Run', exact: true }).waitFor();

  const other = await signIn('ben-answers@example.com');
  const organization = await ben.evaluate(`localStorage.getItem('organization')`);
  await other.evaluate(`localStorage.setItem('organization', ${JSON.stringify(organization)})`);
  await other.goto(`${at.origin}/app/questions`);
  await other.getByRole('button', { name: 'Publish it' }).click();
  for (const page of [ada, ben]) {
    await state(page).toBe('Succeeded');
    for (const id of ['first', 'ask', 'last']) await isMarked(page, id, 'completed');
  }
  await expect.poll(() => question.count()).toBe(0);
  await expect.poll(() => ada.locator('.wc-steps > li').count()).toBe(3);
  await other.context().close();
  await close(two);
}, 240_000);

test("a colleague's run and a colleague's answer to it change nothing for the one who waits, nor after the end", async () => {
  const two = await openTogether('waits', ASKS);
  const { ada, ben } = two;
  await run(ada, { text: 'mine' });
  const question = ada.getByRole('heading', { name: 'Publish mine?' });
  await question.waitFor(WITHIN);
  await state(ada).toBe('Waiting');

  await run(ben, { text: 'theirs' });
  await ben.getByRole('heading', { name: 'Publish theirs?' }).waitFor(WITHIN);
  await ben.getByRole('button', { name: 'Publish it' }).click();
  await state(ben).toBe('Succeeded');
  await expect.poll(() => question.count()).toBe(1);
  await expect.poll(() => ada.locator('.wc-toolbar .wc-run-state').textContent()).toBe('Waiting');
  await ada.getByRole('button', { name: 'Publish it' }).click();
  await state(ada).toBe('Succeeded');
  await isMarked(ada, 'first', 'completed');

  // Ben still looks at the own run, and may turn to the newer one.
  await ben.getByRole('button', { name: 'Newer run: Succeeded' }).waitFor(WITHIN);
  await expect.poll(() => ben.locator('.wc-panel').textContent()).toContain('theirs');
  await ben.getByRole('button', { name: 'Newer run: Succeeded' }).click();
  await expect.poll(() => ben.locator('.wc-panel').textContent(), WITHIN).toContain('mine');

  // Of a run that nobody has opened here the edges that it took are known, too.
  await ben.getByRole('button', { name: 'Close panel' }).click();
  await run(ada, { text: 'more' });
  await ada.getByRole('heading', { name: 'Publish more?' }).waitFor(WITHIN);
  await ada.getByRole('button', { name: 'Publish it' }).click();
  await state(ben).toBe('Succeeded');
  await expect.poll(() => ben.locator('.wc-edge-taken').count()).toBe(4);

  // A reload finds the own run again, also when news of another one come first.
  await run(ada, { text: 'again' });
  await ada.getByRole('heading', { name: 'Publish again?' }).waitFor(WITHIN);
  const held: Route[] = [];
  await ada.route(/\/workflow-runs\?.*run_id=/, (route) => void held.push(route));
  await ada.reload();
  await ada.waitForSelector('[data-node="first"]');
  await run(ben, { text: 'first' });
  await state(ada).toBe('Waiting');
  await expect.poll(() => held.length).toBe(1);
  await held[0]?.continue();
  await ada.getByRole('heading', { name: 'Publish again?' }).waitFor(WITHIN);
  await close(two);
}, 240_000);
