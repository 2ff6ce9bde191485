/** A person would approve a request that a colleague has changed meanwhile, or not see what will leave. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { START, edge, node, workflow, END } from '../support/definitions.ts';
import { inBothThemes } from '../surfaces/web/support/axe.ts';
import { startEngineStack } from '../surfaces/web/support/engine-stack.ts';
import { signInTo } from '../surfaces/web/support/sign-in.ts';
import type { WebStack } from '../surfaces/web/support/web-stack.ts';

let at: WebStack;
beforeAll(async () => {
  at = await startEngineStack({ ENCRYPTION_KEYS: `test:${Buffer.alloc(32, 7).toString('base64')}` });
  await at.canvas.api.deps.db.query(`ALTER TABLE organizations ALTER COLUMN plan SET DEFAULT 'enterprise'`);
});
afterAll(() => at.close());

const WITHIN = { timeout: 45_000 };
const TITLE = 'Send POST to pay.example.com?';
const REFUND = workflow(
  [
    {
      ...node('refund', 'tool', {
        kind: 'http',
        method: 'POST',
        url: 'https://pay.example.com/refunds/{{input.order}}',
        headers: { authorization: 'Bearer abcdefgh12345678' },
        body: { amount: '{{input.amount}}', to: 'Ada' },
      }),
      confirm: { required_responses: 2, message: 'Refund of {{input.order}}', editable: ['body.amount'] },
    },
  ],
  [edge(START, 'refund'), edge('refund', END)],
);

test('REL-approved-effects: two people see what will leave; a late approval of what was changed is refused, and the change is shown', async () => {
  const ada = await signInTo(at, { email: 'ada@example.com', window: { width: 1_400, height: 1_200 } });
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
    buffer: Buffer.from(JSON.stringify(REFUND)),
  });
  await ada.waitForSelector('[data-node="refund"]');
  await ada.getByRole('button', { name: 'Run', exact: true }).click();
  await ada.getByLabel('Input (JSON)').fill(JSON.stringify({ order: 'A-7', amount: 82_000 }));
  await ada.getByRole('button', { name: 'Run draft' }).click();
  await ada.getByRole('heading', { name: TITLE }).waitFor(WITHIN);
  const questions = `${at.origin}/app/o/${joined?.org}/questions`;
  await ada.goto(questions);
  await ben.goto(questions);
  for (const page of [ada, ben]) {
    const card = page.getByRole('region', { name: TITLE });
    await card.getByText('POST https://pay.example.com/refunds/A-7').waitFor(WITHIN);
    await expect.poll(() => card.textContent()).toContain('authorization: ***');
    await expect.poll(() => card.textContent()).not.toContain('abcdefgh');
  }
  await ben.getByLabel('body.amount').fill('820');
  await ben.getByRole('button', { name: 'Approve' }).click();
  await ben.getByRole('status').filter({ hasText: 'You have answered' }).waitFor(WITHIN);
  await ada.getByLabel('Comment').fill('As agreed by phone');
  await ada.getByRole('button', { name: 'Approve' }).click();
  await ada.getByText('was changed. Read it again').waitFor(WITHIN);
  // The card shows the changed request by itself.
  await ada.getByText('ben@example.com changed the request').waitFor(WITHIN);
  await expect.poll(() => ada.getByLabel('Comment').inputValue()).toBe('As agreed by phone');
  // An approval of what was read again must not change it back.
  await expect.poll(() => ada.getByLabel('body.amount').inputValue()).toBe('820');
  await ada.getByText('2 answers needed, 1 given').waitFor(WITHIN);
  expect(await inBothThemes(ada)).toEqual([]);
  await ada.getByRole('button', { name: 'Approve' }).click();
  await ada.getByRole('region', { name: TITLE }).waitFor({ state: 'detached', ...WITHIN });
  const [stored] = await at.canvas.api.deps.db.query<{ status: string; amount: string }>(
    `SELECT status, question->'payload'->'request'->'body'->>'amount' AS amount FROM run_interrupts`,
    [],
  );
  expect(stored?.amount).toBe('820');
  expect(stored?.status).not.toBe('pending');
});
