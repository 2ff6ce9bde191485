/** Somebody would not see what was sent, or could not say on the page that it happened. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { chain, http, transform } from '../support/definitions.ts';
import { startHttpRecorder, type HttpRecorder } from '../support/http-recorder.ts';
import { inBothThemes } from '../surfaces/web/support/axe.ts';
import { startEngineStack } from '../surfaces/web/support/engine-stack.ts';
import { signInTo } from '../surfaces/web/support/sign-in.ts';
import type { WebStack } from '../surfaces/web/support/web-stack.ts';

let at: WebStack;
let recorder: HttpRecorder;
beforeAll(async () => {
  recorder = await startHttpRecorder();
  at = await startEngineStack({ OUTBOUND_ALLOW: recorder.hostPort });
});
afterAll(async () => {
  await at.close();
  await recorder.close();
});

test('a question about an unknown outcome shows the request, and takes its answer as it is typed', async () => {
  const page = await signInTo(at, { email: 'ada@example.com', window: { width: 2_400, height: 1_200 } });
  const pay = http('pay', recorder.url('pay', { drop: 1 }), { body: { amount: 12 } }, { on_unknown: 'ask' });
  await page.locator('input[type=file]').setInputFiles({
    name: 'Payments.json',
    mimeType: 'application/json',
    buffer: Buffer.from(JSON.stringify(chain(pay, transform('t', { read: '{{pay.data.receipt}}' })))),
  });
  await page.waitForSelector('[data-node="pay"]');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await page.getByRole('button', { name: 'Run draft' }).click();
  const card = page.getByRole('region', { name: 'Did "pay" happen?' });
  await card.getByRole('button', { name: 'It did not: send it' }).waitFor({ timeout: 45_000 });
  await expect.poll(() => card.textContent()).toContain('"amount": 12');
  await expect.poll(() => card.textContent()).toContain(recorder.hostPort);
  expect(await inBothThemes(page)).toEqual([]);
  await card.getByLabel('Output of the node, when it happened').fill('{"data": {"receipt": 41}}');
  await card.getByRole('button', { name: 'It happened' }).click();
  await page.getByText('Succeeded', { exact: true }).first().waitFor({ timeout: 45_000 });
  expect(recorder.calls('pay')).toHaveLength(1);
});

test('an unknown outcome of a failed run is settled on the page of questions', async () => {
  const page = await signInTo(at, { email: 'grace@example.com', window: { width: 1_600, height: 1_200 } });
  const pay = http('pay', recorder.url('failed', { drop: 1 }), { body: { amount: 13 } });
  await page.locator('input[type=file]').setInputFiles({
    name: 'Refunds.json',
    mimeType: 'application/json',
    buffer: Buffer.from(JSON.stringify(chain(pay))),
  });
  await page.waitForSelector('[data-node="pay"]');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await page.getByRole('button', { name: 'Run draft' }).click();
  await page.getByText('Failed', { exact: true }).first().waitFor({ timeout: 45_000 });
  await page
    .getByRole('link', { name: /Questions/ })
    .first()
    .click();
  const card = page.getByRole('region', { name: 'Did "pay" happen?' });
  await expect.poll(() => card.textContent()).toContain('"amount": 13');
  expect(await inBothThemes(page)).toEqual([]);
  await card.getByLabel('Output of the node, when it happened').fill('{"data": {"receipt": 41}}');
  await card.getByRole('button', { name: 'It happened' }).click();
  await card.getByText('Settled. A rerun from the failed nodes goes on with it.').waitFor();
  await card.getByRole('button', { name: 'Rerun from the failed nodes' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Start' }).click();
  await page.waitForURL(/\/runs\/[0-9a-f-]{36}/);
  await page.getByText('Succeeded', { exact: true }).first().waitFor({ timeout: 45_000 });
  expect(recorder.calls('failed')).toHaveLength(1);
});
