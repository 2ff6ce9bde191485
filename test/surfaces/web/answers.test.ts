/** The page of a link in a browser: if this fails, somebody with a phone and no account cannot read or answer a question. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildAnswerUrl } from '../../../src/features/answers/link.ts';
import { addAnswerLinks } from '../../../src/engine/runs/ledger/questions/answer-links.ts';
import { hello, startApi, type ApiServer } from '../../support/api-server.ts';
import { ask } from '../../support/questions.ts';
import { listBroken } from './support/axe.ts';
import { launchChromium } from './support/chromium.ts';

let api: ApiServer;
let browser: Browser;
beforeAll(async () => {
  [api, browser] = await Promise.all([startApi(), launchChromium()]);
});
afterAll(() => Promise.all([api.close(), browser.close()]));

test('is read and answered on a phone, without scripts, in both themes', async () => {
  const tenant = await api.tenant();
  const { db, config } = api.deps;
  const started = await tenant.call('POST', '/workflows/run', { body: { workflow: hello() } });
  const form = {
    type: 'object',
    properties: {
      amount: { type: 'number', title: 'Amount' },
      sure: { type: 'boolean', title: 'I am sure' },
      size: { enum: ['s', 'm'], title: 'Size' },
      note: { type: 'string', title: 'Note', default: 'fine' },
    },
  };
  const question = {
    title: 'Refund 5 €?',
    message: 'Ada has sent it back.\nIs that fine?',
    payload: { order: 'x'.repeat(300) },
    form,
  };
  const [interruptId = ''] = await ask(db, started.body.run_id, question);
  const [run] = await db.query<{ id: string }>('SELECT id FROM runs WHERE run_id = $1', [
    started.body.run_id,
  ]);
  const place = { organizationId: tenant.org, rootRunPk: run?.id ?? '', interruptId };
  const address = 'bob@example.com';
  await addAnswerLinks(db, place, [
    { address, channel: 'email', url: null, credentialId: null, afterSeconds: 0, remindSeconds: null },
  ]);
  const key = { secret: config.auth.apiKeySecret, origin: api.url };

  const context = await browser.newContext({ viewport: { width: 360, height: 640 }, bypassCSP: false });
  const page = await context.newPage();
  const trouble: string[] = [];
  page.on('console', (message) => void trouble.push(message.text()));
  await page.goto(buildAnswerUrl(key, { ...place, address }));
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await listBroken(page)).toEqual([]);
  }
  await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360);
  for (const button of await page.getByRole('button').all())
    expect((await button.boundingBox())?.height ?? 0).toBeGreaterThanOrEqual(44);
  await page.getByLabel('Amount').fill('4.5');
  await page.getByLabel('I am sure').check();
  await page.getByLabel('Size').selectOption('m');
  await expect.poll(() => page.getByLabel('Note').inputValue()).toBe('fine');
  await page.getByRole('button', { name: 'Approve' }).click();
  await page.getByRole('heading', { name: 'Thank you' }).waitFor();
  expect(await listBroken(page)).toEqual([]);
  const [answered] = await db.query('SELECT response FROM run_interrupts WHERE id = $1', [interruptId]);
  expect(answered).toEqual({
    response: { action: 'approve', data: { amount: 4.5, sure: true, size: 'm', note: 'fine' } },
  });
  await page.goto(buildAnswerUrl(key, { ...place, address }));
  await page.getByRole('heading', { name: 'This question is closed' }).waitFor();
  expect(trouble.filter((text) => !text.includes('410'))).toEqual([]);
  await context.close();
});
