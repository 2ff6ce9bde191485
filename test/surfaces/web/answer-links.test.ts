/** If this fails, nobody sees that the link of a question was never sent, and everybody waits. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addAnswerLinks } from '../../../src/engine/runs/ledger/questions/answer-links.ts';
import { ask } from '../../support/questions.ts';
import { inBothThemes } from './support/axe.ts';
import { createWorkflow } from './support/new-workflow.ts';
import { signInTo } from './support/sign-in.ts';
import { startWebStack, type WebStack } from './support/web-stack.ts';

let at: WebStack;
beforeAll(async () => {
  at = await startWebStack();
});
afterAll(() => at.close());

test('a question says to whom its links were sent and when, and why one was not', async () => {
  const page = await signInTo(at, { email: 'asking@example.com' });
  await createWorkflow(page, 'Refunds');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  const started = page.waitForResponse((response) => response.url().endsWith('/workflows/run'));
  await page.getByRole('button', { name: 'Run draft' }).click();
  const { run_id: runId } = (await (await started).json()) as { run_id: string };
  const { db } = at.canvas.api.deps;
  const [run] = await db.query<{ runPk: string; organizationId: string }>(
    'SELECT id AS "runPk", organization_id AS "organizationId" FROM runs WHERE run_id = $1',
    [runId],
  );
  const [interruptId = ''] = await ask(db, runId, { title: 'Refund?' });
  const place = {
    organizationId: run?.organizationId ?? '',
    rootRunPk: run?.runPk ?? '',
    interruptId,
  };
  const mail = {
    channel: 'email',
    url: null,
    credentialId: null,
    afterSeconds: 3_600,
    remindSeconds: null,
  } as const;
  await addAnswerLinks(db, place, [
    { ...mail, address: 'ada@example.com' },
    { ...mail, address: 'bob@example.com' },
    { ...mail, address: 'slack', channel: 'slack', url: 'https://hooks.slack.example/C1' },
    { ...mail, address: 'slack-2', channel: 'slack', url: 'https://hooks.slack.example/C2' },
  ]);
  await db.query(
    `UPDATE answer_links SET sent_at = now(), sent_count = 1, due_at = 'infinity' WHERE address = 'ada@example.com'`,
  );
  await db.query(`UPDATE answer_links SET error = 'mail_failed' WHERE address = 'bob@example.com'`);
  for (const path of [`/runs/${place.rootRunPk}`, '/questions']) {
    await page.goto(`${at.origin}/app${path}`);
    const links = page.getByRole('list', { name: 'Links to answer' });
    await links.getByText(/^a\*\*\*@example\.com: sent .*\d/).waitFor();
    await links.getByText(/^b\*\*\*@example\.com: not sent\. The mail server rejected/).waitFor();
    await links.getByText('Slack: not sent yet.').waitFor();
    await links.getByText('Slack 2: not sent yet.').waitFor();
    expect(await page.content()).not.toContain('hooks.slack.example');
    expect(await inBothThemes(page)).toEqual([]);
  }
  await page.context().close();
  expect(at.trouble).toEqual([]);
});
