/** Somebody would answer a question without its data or terms, answer twice, or see a run that was cancelled go on waiting. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { END, START, edge, node, transform, workflow } from '../support/definitions.ts';
import { inBothThemes } from '../surfaces/web/support/axe.ts';
import { startEngineStack } from '../surfaces/web/support/engine-stack.ts';
import { signInTo } from '../surfaces/web/support/sign-in.ts';
import type { WebStack } from '../surfaces/web/support/web-stack.ts';

let at: WebStack;
beforeAll(async () => {
  at = await startEngineStack();
  // A test asks faster than a person: on the free plan it would wait for most of a minute.
  await at.canvas.api.deps.db.query(`ALTER TABLE organizations ALTER COLUMN plan SET DEFAULT 'enterprise'`);
});
afterAll(() => at.close());

/** A busy machine takes long to run what takes a second. */
const WITHIN = { timeout: 45_000 };
const LONG = 'Approve the refund and write a letter to the customer today';

const TWO_ANSWERS = workflow(
  [
    node('ask', 'interrupt', {
      kind: 'approval',
      title: 'Refund {{input.amount}}?',
      payload: { iban: 'DE00 {{input.amount}}' },
      required_responses: 2,
      timeout_seconds: 3_600,
      actions: [
        { id: 'approve', label: LONG },
        { id: 'reject', label: 'Reject' },
      ],
      form: { type: 'object', properties: { remark: { type: 'string', title: 'Remark' } } },
    }),
    transform('paid', { paid: '{{input.amount}}' }),
  ],
  [edge(START, 'ask'), edge('ask', 'paid', 'approve'), edge('ask', END, 'reject'), edge('paid', END)],
);

async function run(page: Page, amount: number): Promise<void> {
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await page.getByLabel('Input (JSON)').fill(JSON.stringify({ amount }));
  await page.getByRole('button', { name: 'Run draft' }).click();
  await page.getByRole('heading', { name: `Refund ${amount}?` }).waitFor(WITHIN);
}

/** Signs two people of one organization in: the first has a canvas open, the second the questions. */
async function signBothIn(): Promise<readonly [Page, Page]> {
  // Nodes that are not seen are not mounted, and a run opens the panel beside them.
  const ada = await signInTo(at, { email: 'ada@example.com', window: { width: 2_400, height: 1_200 } });
  const ben = await signInTo(at, { email: 'ben@example.com', window: { width: 390, height: 844 } });
  const [joined] = await at.canvas.api.deps.db.query<{ org: string }>(
    `INSERT INTO memberships (user_id, organization_id, role)
     SELECT b.id, m.organization_id, 'admin' FROM users b, users a JOIN memberships m ON m.user_id = a.id
     WHERE b.email = 'ben@example.com' AND a.email = 'ada@example.com' RETURNING organization_id AS org`,
    [],
  );
  await ada.locator('input[type=file]').setInputFiles({
    name: 'Refunds.json',
    mimeType: 'application/json',
    buffer: Buffer.from(JSON.stringify(TWO_ANSWERS)),
  });
  await ada.waitForSelector('[data-node="ask"]');
  await ben.goto(`${at.origin}/app/o/${joined?.org}/questions`);
  return [ada, ben];
}

/** Lists the labels of answers that do not fit into their buttons, or whose buttons leave the question. */
const listCutLabels = (page: Page, name: string): Promise<string[]> =>
  page.getByRole('region', { name }).evaluate((card) => {
    const { right } = card.getBoundingClientRect();
    const labels = [...card.querySelectorAll('button .mantine-Button-label')];
    return labels
      .filter((one) => one.scrollWidth > one.clientWidth || one.getBoundingClientRect().right > right)
      .map((one) => one.textContent ?? '');
  });

test('a question has its data, its terms and its whole answers on every page; an answer that is not enough is told as such', async () => {
  const [ada, ben] = await signBothIn();
  const note = 'You have answered. The answers of other people are still needed.';
  await run(ada, 12);
  const beside = ada.getByRole('region', { name: 'Refund 12?' });
  const listed = ben.getByRole('region', { name: 'Refund 12?' });
  await listed.waitFor(WITHIN);
  for (const [page, card] of [
    [ada, beside],
    [ben, listed],
  ] as const) {
    await expect.poll(() => card.textContent()).toContain('"iban": "DE00 12"');
    await expect.poll(() => card.textContent()).toMatch(/2 answers needed · until \w/);
    await card.getByRole('button', { name: LONG }).waitFor();
    await expect.poll(() => listCutLabels(page, 'Refund 12?')).toEqual([]);
    expect(await inBothThemes(page)).toEqual([]);
  }

  await beside.getByLabel('Remark').fill('Damaged');
  await beside.getByRole('button', { name: LONG }).click();
  await beside.getByText(note).waitFor(WITHIN);
  await expect.poll(() => beside.getByRole('button').count()).toBe(0);
  // The page of the run does not know of the answer before it is given again.
  await ada.getByRole('link', { name: 'Runs', exact: true }).click();
  await ada
    .getByRole('row', { name: /Waiting/ })
    .getByRole('link')
    .click();
  await beside.getByRole('button', { name: 'Reject' }).click();
  await beside.getByText(note).waitFor(WITHIN);
  await expect.poll(() => beside.textContent()).not.toMatch(/int_/);

  await listed.getByRole('button', { name: LONG }).click();
  await ada.getByText('Succeeded', { exact: true }).first().waitFor(WITHIN);

  // The events before the answer belong to the run as well.
  await ada.getByRole('tab', { name: 'Events' }).click();
  const events = ada.getByRole('cell', { name: /^(interrupt|run_interrupted|run_completed)$/ });
  await expect.poll(() => events.allTextContents(), WITHIN).toEqual(['run_completed']);
  await ada.getByRole('button', { name: 'Show the events before the answer' }).click();
  await expect
    .poll(() => events.allTextContents(), WITHIN)
    .toEqual(['interrupt', 'run_interrupted', 'run_completed']);
  await expect
    .poll(() => ada.getByRole('button', { name: 'Show the events before the answer' }).count())
    .toBe(0);
  expect(await inBothThemes(ada)).toEqual([]);

  // A colleague cancels: the node waits no longer either.
  await ada.getByRole('link', { name: 'Show on canvas' }).click();
  await ada.getByRole('button', { name: 'Run', exact: true }).waitFor(WITHIN);
  await run(ada, 13);
  await ada.locator('[data-node="ask"].wc-run-waiting').waitFor(WITHIN);
  await ben.getByRole('region', { name: 'Refund 13?' }).getByRole('link', { name: 'Show run' }).click(WITHIN);
  await ben.getByRole('button', { name: 'Cancel run' }).click();
  await ada.locator('[data-node="ask"].wc-run-cancelled').waitFor(WITHIN);
  await expect.poll(() => ada.locator('.wc-steps').textContent()).toBe('ask CancelledOpen node');
  await ada.context().close();
  await ben.context().close();
  expect(at.trouble).toEqual([]);
}, 240_000);
