/** `npm run web:shots`: screenshots of the pages in both themes, of the demo on the real system, for the README of the page. */
import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { buildAnswerUrl } from '../../../src/features/answers/link.ts';
import { openDb } from '../../../src/base/db/client.ts';
import { readApiKeySecret } from '../../../src/processes/local/environment.ts';
import { ROOT } from '../../../src/processes/local/paths.ts';
import { createProgressPrinter, type PrintLine } from '../../../src/processes/local/progress.ts';
import { withSystem, type LocalSystem } from '../../../src/processes/local/system.ts';
import { takeTour } from '../../../src/processes/local/tour.ts';
import { addAnswerLinks } from '../../../src/engine/runs/ledger/questions/answer-links.ts';
import { END, START, edge, node, transform, workflow } from '../../support/definitions.ts';
import { showInTheme } from './support/axe.ts';
import { launchChromium } from './support/chromium.ts';
import { runDraft } from './support/run-draft.ts';

const SHOTS = join(ROOT, 'src/surfaces/web/shots');
const SIZE = { width: 1_200, height: 720 };
/** They are kept with the source. */
const MAX_BYTES = 120 * 1_024;

const REFUND = workflow(
  [
    node(
      'check',
      'interrupt',
      {
        kind: 'approval',
        title: 'Refund {{input.amount}} € to {{input.name}}?',
        message: 'The parcel came back damaged.',
        actions: [
          { id: 'approve', label: 'Approve' },
          { id: 'reject', label: 'Reject' },
        ],
      },
      { name: 'Ask a colleague' },
    ),
    transform('paid', { paid: '{{input.amount}}' }, { name: 'Pay it back' }),
    transform('kept', { kept: '{{input.amount}}' }, { name: 'Write a letter' }),
  ],
  [
    edge(START, 'check'),
    edge('check', 'paid', 'approve'),
    edge('check', 'kept', 'reject'),
    edge('paid', END),
    edge('kept', END),
  ],
  { metadata: { name: 'Refunds' } },
);

async function save(page: Page, name: string): Promise<void> {
  const path = join(SHOTS, `${name}.png`);
  await page.getByRole('status', { name: 'Loading…' }).waitFor({ state: 'hidden' });
  await page.screenshot({ path, scale: 'css', animations: 'disabled' });
  const { size } = statSync(path);
  if (size > MAX_BYTES) throw new Error(`${name}.png has ${size} bytes, and at most ${MAX_BYTES} are kept`);
}

/** The page as it stands, in both themes. */
async function shoot(page: Page, name: string): Promise<void> {
  await save(page, name);
  await showInTheme(page, 'dark');
  await save(page, `${name}-dark`);
  await showInTheme(page, 'light');
}

const PHONE = { width: 390, height: 780 };

/** The page as it stands, on a phone. */
async function shootPhone(page: Page, name: string): Promise<void> {
  await page.setViewportSize(PHONE);
  await save(page, `${name}-phone`);
  await page.setViewportSize(SIZE);
}

async function go(page: Page, name: string): Promise<void> {
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true }).click();
  await page.getByRole('heading', { level: 1, name }).waitFor();
}

async function signIn(page: Page, appUrl: string): Promise<void> {
  await page.goto(`${appUrl}/app/`);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: /Continue as/ }).click();
  await page.getByRole('link', { name: 'Starter workflow' }).waitFor();
}

/** The canvas of the starter: while a model writes, with a node open, and its versions. */
async function starter(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Starter workflow' }).click();
  // The node that writes stands in the middle, in a size that can be read.
  await page.waitForSelector('[data-node="prepare"]');
  await page.mouse.move(600, 300);
  await page.mouse.wheel(860, 0);
  await page.waitForSelector('[data-node="answer"]');
  await runDraft(page, {
    text: 'Write to ada@example.com that everything is running, and thank her for the parcel.',
  });
  await page.locator('.wc-tokens').first().waitFor();
  await shoot(page, 'canvas-running');
  await page.locator('.wc-toolbar .wc-run-state-completed').waitFor();
  await page.locator('[data-node="answer"]').click();
  await page.locator('.wc-panel .cm-content').first().waitFor();
  await shoot(page, 'canvas-node');
  await page.locator('.react-flow').focus();
  await page.keyboard.press('d');
  await page.locator('.wc-disabled').waitFor();
  await page.locator('[data-save="Saved"]').waitFor();
  await page.getByRole('link', { name: 'Versions' }).click();
  const changed = page.locator('[data-node="answer"]').getByRole('img', { name: 'changed' });
  await changed.last().waitFor();
  await shoot(page, 'versions');
  await page.getByRole('link', { name: /^Compare with the draft/ }).click();
  // The page before marks the same nodes.
  await page.getByRole('heading', { name: /^Compare versions/ }).waitFor();
  await changed.last().waitFor();
  await shoot(page, 'compare-versions');
  await shootPhone(page, 'compare-versions');
  await page.getByRole('main').getByRole('link', { name: 'Versions' }).click();
  await page.getByRole('link', { name: 'Webhooks' }).click();
  await page.getByRole('button', { name: 'Create your first webhook' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('New orders');
  await dialog.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('row', { name: /New orders/ }).waitFor();
  await page.keyboard.press('Escape');
  await shoot(page, 'webhooks');
  await shootPhone(page, 'webhooks');
}

/** An approval that waits, and the list of questions. */
async function question(page: Page): Promise<void> {
  await go(page, 'Workflows');
  await page.locator('input[type=file]').setInputFiles({
    name: 'Refunds.json',
    mimeType: 'application/json',
    buffer: Buffer.from(JSON.stringify(REFUND)),
  });
  await page.waitForSelector('[data-node="check"]');
  await runDraft(page, { amount: 12, name: 'Ada' });
  await page.getByRole('heading', { name: /^Refund 12/ }).waitFor();
  await go(page, 'Questions');
  await shoot(page, 'questions');
  await shootPhone(page, 'questions');
}

/** The page of a link, at which somebody without an account answers the open question. */
async function answerPage(browser: Browser, { databaseUrl, apiUrl }: LocalSystem): Promise<void> {
  const db = openDb(databaseUrl, 1);
  const page = await browser.newPage({ viewport: PHONE, colorScheme: 'light' });
  try {
    const [question] = await db.query<{ id: string; organization_id: string; root_run_pk: string }>(
      `SELECT id, organization_id, root_run_pk FROM run_interrupts WHERE status = 'pending' ORDER BY created_at DESC LIMIT 1`,
      [],
    );
    if (question === undefined) throw new Error('no question waits');
    const { id: interruptId, organization_id: organizationId, root_run_pk: rootRunPk } = question;
    const place = { organizationId, rootRunPk, interruptId };
    const address = 'ben@example.com';
    await addAnswerLinks(db, place, [
      { address, channel: 'email', url: null, credentialId: null, afterSeconds: 0, remindSeconds: null },
    ]);
    await page.goto(buildAnswerUrl({ secret: readApiKeySecret(), origin: apiUrl }, { ...place, address }));
    await page.getByRole('button', { name: 'Approve' }).waitFor();
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme });
      await save(page, colorScheme === 'dark' ? 'answer-phone-dark' : 'answer-phone');
    }
  } finally {
    await page.close();
    await db.close();
  }
}

/** The run of the tour, over time, and with the plan of running it again. */
async function pastRun(page: Page): Promise<void> {
  await go(page, 'Runs');
  await page
    .getByRole('row', { name: /Succeeded/ })
    .first()
    .waitFor();
  await shoot(page, 'runs');
  await shootPhone(page, 'runs');
  const ended = page.getByRole('row', { name: /Succeeded/ }).getByRole('checkbox');
  for (const index of [0, 1]) await ended.nth(index).check();
  await page.getByRole('button', { name: 'Compare', exact: true }).click();
  await page.getByRole('region', { name: 'Second run: graph' }).locator('[data-node]').first().waitFor();
  await shoot(page, 'compare-runs');
  await shootPhone(page, 'compare-runs');
  await go(page, 'Runs');
  await page
    .getByRole('row', { name: /Succeeded/ })
    .getByRole('link')
    .last()
    .click();
  await page.getByRole('tab', { name: 'Timeline' }).click();
  await page.getByRole('button', { name: /^Answer|^answer/ }).waitFor();
  await shoot(page, 'run-timeline');
  await page.getByRole('tab', { name: 'Steps' }).click();
  await page.getByRole('treeitem').nth(3).click();
  await page.getByRole('button', { name: 'Rerun from here' }).waitFor();
  await shoot(page, 'run-steps');
  await shootPhone(page, 'run-steps');
  await page.getByRole('button', { name: 'Rerun from here' }).click();
  await page.getByText('reused', { exact: true }).first().waitFor();
  await shoot(page, 'rerun-plan');
}

/** The lists and forms of the other pages. */
async function otherPages(page: Page): Promise<void> {
  await go(page, 'Schedules');
  await page.getByText('No schedules yet.').waitFor();
  await shoot(page, 'schedules-empty');
  await page.getByRole('button', { name: 'New schedule' }).click();
  await page.getByLabel('Name').fill('Every morning');
  await page.getByText('Next runs').waitFor();
  await shoot(page, 'schedule-new');
  await page.keyboard.press('Escape');
  await go(page, 'Credentials');
  await page.getByRole('button', { name: 'Connect: GitHub' }).waitFor();
  await shoot(page, 'credentials');
  await go(page, 'Assistant');
  await page.getByLabel('Message to the Assistant').waitFor();
  await shoot(page, 'assistant');
  await go(page, 'Members');
  await page.getByText('No pending invitations.').waitFor();
  await shoot(page, 'members');
  await go(page, 'Notifications');
  await page.getByRole('button', { name: 'Create your first endpoint' }).click();
  const endpoint = page.getByRole('dialog');
  await endpoint.getByLabel('Name').fill('On call');
  await endpoint.getByLabel('URL').fill('https://example.com/alerts');
  await endpoint.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('row', { name: /On call/ }).waitFor();
  await shoot(page, 'notifications');
  await shootPhone(page, 'notifications');
  await go(page, 'Usage');
  await page.getByRole('heading', { name: 'Wallet' }).waitFor();
  await shoot(page, 'usage');
  await shootPhone(page, 'usage');
}

async function shootAll(system: LocalSystem, say: PrintLine): Promise<number> {
  await takeTour(system, () => undefined);
  mkdirSync(SHOTS, { recursive: true });
  const browser = await launchChromium();
  try {
    const page = await browser.newPage({ viewport: SIZE, colorScheme: 'light' });
    await signIn(page, system.appUrl);
    // The pictures of a first visit, such as empty lists, are those of new data.
    if ((await page.getByRole('link', { name: 'Refunds' }).count()) > 0)
      throw new Error('earlier pictures have left their data: remove .data, and try again');
    await starter(page);
    await question(page);
    await answerPage(browser, system);
    await go(page, 'Workflows');
    await page.getByRole('link', { name: 'Refunds' }).first().waitFor();
    await shoot(page, 'workflows');
    await shootPhone(page, 'workflows');
    await pastRun(page);
    await page.keyboard.press('Escape');
    await otherPages(page);
    say(`the screenshots are in ${SHOTS}`);
    return 0;
  } finally {
    await browser.close();
  }
}

const say = createProgressPrinter();
process.exit(await withSystem({ say, watch: false }, (system) => shootAll(system, say)));
