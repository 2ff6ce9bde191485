/** A maker could not see on the page what the draft would do otherwise, with which runs, and why. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { RehearsalRunner } from '../../src/features/workflows/rehearsals/runner.ts';
import type { JsonObject } from '../../src/language/graph/values/value.ts';
import {
  END,
  START,
  conditional,
  edge,
  http,
  rule,
  transform,
  when,
  workflow,
} from '../support/definitions.ts';
import { startHttpRecorder, type HttpRecorder } from '../support/http-recorder.ts';
import { inBothThemes } from '../surfaces/web/support/axe.ts';
import { startEngineStack, type EngineStack } from '../surfaces/web/support/engine-stack.ts';
import { visitAs } from '../surfaces/web/support/visit.ts';

let at: EngineStack;
let recorder: HttpRecorder;
let runner: RehearsalRunner;
beforeAll(async () => {
  recorder = await startHttpRecorder();
  at = await startEngineStack({ OUTBOUND_ALLOW: recorder.hostPort });
  await at.canvas.api.deps.db.query(`ALTER TABLE organizations ALTER COLUMN plan SET DEFAULT 'enterprise'`);
  runner = new RehearsalRunner(at.engine.deps);
});
afterAll(async () => {
  await runner.stop();
  await at.close();
  await recorder.close();
});

/** Refunds above a limit are told by mail. */
const refunds = (limit: number, subject: string): JsonObject =>
  workflow(
    [
      { ...conditional('big', when('yes', rule('{{input.amount}}', 'gte', limit))), name: 'Is it large?' },
      transform('letter', { subject }, { name: 'Write the letter' }),
      http('mail', recorder.url('mail', { reply: '{"sent":true}' }), {
        body: { subject: '{{letter.subject}}' },
      }),
    ],
    [
      edge(START, 'big'),
      edge('big', 'letter', 'yes'),
      edge('letter', 'mail'),
      edge('mail', END),
      edge('big', END, 'else'),
    ],
  );

/** The page at the width of a phone is no wider than it. */
async function measureOnPhone(page: Page): Promise<number> {
  const before = page.viewportSize();
  await page.setViewportSize({ width: 390, height: 844 });
  const width = Number(await page.evaluate('document.documentElement.scrollWidth'));
  if (before !== null) await page.setViewportSize(before);
  return width;
}

const shoot = async (page: Page, name: string): Promise<void> => {
  const to = process.env['REHEARSAL_SHOTS'];
  if (to !== undefined) await page.screenshot({ path: `${to}/${name}.png`, fullPage: true });
};

test('a draft is rehearsed beside Deploy: progress, cancel, one sentence, and groups that open to both requests, the node that changed first, and the runs', async () => {
  const { page, open, call, organizationId } = await visitAs(at, 'maker@example.com');
  const save = (definition: JsonObject, id?: string) =>
    call(id === undefined ? 'POST' : 'PUT', id === undefined ? '/workflows' : `/workflows/${id}`, {
      name: 'Refunds',
      workflow_schema: { ...definition, metadata: { name: 'Refunds', version: '1.0.0' } },
    });
  const { id = '' } = await save(refunds(100, 'Order {{input.id}}'));
  await open(`/workflows/${id}/rehearsals`);
  await page.getByText('No rehearsals yet').waitFor();
  await page.getByRole('button', { name: 'Rehearse' }).click();
  await page.getByText('There is no run to rehearse').waitFor();
  expect(await inBothThemes(page)).toEqual([]);
  await shoot(page, 'empty');

  await call('POST', `/workflows/${id}/deploy`, {});
  for (const [n, amount] of [50, 150, 250].entries())
    await call('POST', '/workflows/run', { workflow_id: id, input: { amount, id: n }, stream: true });
  const { db } = at.canvas.api.deps;
  await expect
    .poll(
      () =>
        db.query(`SELECT FROM runs WHERE organization_id = $1 AND status = 'completed'`, [organizationId]),
      {
        timeout: 45_000,
      },
    )
    .toHaveLength(3);
  const calls = recorder.calls('mail').length;

  await save(refunds(200, 'Order {{input.id}}'), id);
  await open(`/workflows/${id}`);
  await page.waitForSelector('[data-node="mail"]');
  await page.getByRole('button', { name: 'Deploy', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Deploy: Refunds' });
  const section = dialog.getByRole('region', { name: 'Rehearsal' });
  await section.getByRole('button', { name: 'Rehearse' }).click();
  // No worker walks yet.
  await section.getByText('0 of 3 runs').waitFor();
  expect(await inBothThemes(page)).toEqual([]);
  await section.getByRole('button', { name: 'Cancel' }).click();
  await section.getByText('Cancelled after 0 of 3 runs.').waitFor();
  runner.start();
  await section.getByRole('button', { name: 'Rehearse again' }).click();
  await section
    .getByText('Of 3 runs, 2 go the same way and 1 branches elsewhere.')
    .waitFor({ timeout: 45_000 });
  const branches = section.getByRole('button', { name: /1 run branches elsewhere at Is it large\?/ });
  await branches.focus();
  await page.keyboard.press('Enter');
  await section.getByText('Is it large? leaves by another branch').waitFor();
  await section.getByText('What follows: 3 differences').click();
  await section.getByText('Write the letter: Goes on → Not reached').waitFor();
  await section.getByRole('link', { name: /^Run of / }).waitFor();
  expect(await inBothThemes(page)).toEqual([]);
  await shoot(page, 'dialog');

  await save(refunds(100, 'Your order {{input.id}}'), id);
  await open(`/workflows/${id}/versions`);
  const beside = page.getByRole('region', { name: 'Rehearsal' });
  await beside.getByRole('button', { name: 'Rehearse', exact: true }).click();
  await beside
    .getByText('Of 3 runs, 1 goes the same way and 2 would send something else.')
    .waitFor({ timeout: 45_000 });
  await beside.getByRole('link', { name: 'Open the result' }).click();
  await page.getByRole('heading', { level: 1, name: 'Rehearsal: Refunds' }).waitFor();
  await page.reload();
  await page
    .getByRole('button', { name: /2 runs would send something else at mail, because of Write the letter/ })
    .click();
  await page.getByText('First change: output of Write the letter').waitFor();
  const row = page.getByRole('row', { name: /request › body › subject Order 2 Your order 2/ });
  await row.waitFor();
  const texts = ['Run', 'Rehearsal'].map((side) =>
    page.getByRole('group', { name: side, exact: true }).textContent(),
  );
  expect(await Promise.all(texts)).toEqual([
    expect.stringContaining('"subject": "Order 2"'),
    expect.stringContaining('"subject": "Your order 2"'),
  ]);
  await expect.poll(() => page.getByRole('link', { name: /^Run of / }).count()).toBe(2);
  expect(await inBothThemes(page)).toEqual([]);
  expect(await measureOnPhone(page)).toBeLessThanOrEqual(390);
  await shoot(page, 'result');
  if (process.env['REHEARSAL_SHOTS'] !== undefined) {
    await page.setViewportSize({ width: 390, height: 844 });
    await shoot(page, 'result-phone');
    await page.setViewportSize({ width: 1_280, height: 800 });
  }

  await page.getByRole('link', { name: 'All rehearsals' }).click();
  await page.getByRole('row', { name: /Draft maker@example\.com Cancelled after 0 of 3 runs\./ }).waitFor();
  expect(await inBothThemes(page)).toEqual([]);
  expect(await measureOnPhone(page)).toBeLessThanOrEqual(390);
  await shoot(page, 'list');
  await page
    .getByRole('row', { name: /2 go the same way/ })
    .getByRole('link')
    .click();
  await page.getByText('Of 3 runs, 2 go the same way and 1 branches elsewhere.').waitFor();
  await page.getByRole('button', { name: /1 run branches/ }).click();
  await page.getByRole('link', { name: /^Run of / }).click();
  await page.getByRole('heading', { level: 1, name: /^(?!Rehearsal).*Refunds/ }).waitFor();

  // One run, from its own page, in place of running it again.
  await page.getByRole('button', { name: 'Rerun', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Rehearse in the draft' }).click();
  await page.getByText('The run would send something else.').waitFor({ timeout: 45_000 });

  // Chosen by number, status, version, and by the address of one.
  const [one] = await db.query<{ id: string }>(
    `SELECT id FROM runs WHERE organization_id = $1 AND input::text LIKE '%250%'`,
    [organizationId],
  );
  await open(`/workflows/${id}/rehearsals`);
  await page.getByText('Choose the runs').click();
  await page.getByLabel('Newest runs').fill('2');
  await page.getByRole('combobox', { name: 'Status' }).click();
  await page.getByRole('option', { name: 'Succeeded' }).click();
  await page.getByRole('combobox', { name: 'Version' }).click();
  await page.getByRole('option', { name: '1.0.0 (live)' }).click();
  await page.getByLabel('Started from').fill('2020-01-01T00:00');
  expect(await inBothThemes(page)).toEqual([]);
  expect(await measureOnPhone(page)).toBeLessThanOrEqual(390);
  await shoot(page, 'choice');
  await page.getByRole('button', { name: 'Rehearse', exact: true }).click();
  await page.getByText('All 2 runs would send something else.').waitFor({ timeout: 45_000 });
  await open(`/workflows/${id}/rehearsals`);
  await page.getByText('Choose the runs').click();
  await page.getByLabel('Only these runs').fill(`https://flows.example/app/runs/${one?.id ?? ''}`);
  await page.getByRole('button', { name: 'Rehearse', exact: true }).click();
  await page.getByText('The run would send something else.').waitFor({ timeout: 45_000 });
  expect(recorder.calls('mail')).toHaveLength(calls);
  await page.context().close();
  expect(at.trouble).toEqual([]);
});
