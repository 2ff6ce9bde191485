/** `npm run web:shots`: screenshots of the main pages, of the demo on the real system, for the README of the page. */
import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { ROOT } from '../../src/local/paths.ts';
import { createProgress, type Say } from '../../src/local/progress.ts';
import { withSystem, type LocalSystem } from '../../src/local/system.ts';
import { takeTour } from '../../src/local/tour.ts';
import { END, START, edge, node, transform, workflow } from '../support/definitions.ts';
import { launchChromium } from './support/chromium.ts';

const SHOTS = join(ROOT, 'src/web/shots');
const SIZE = { width: 1_200, height: 720 };
/** They are kept with the source. */
const MAX_BYTES = 100 * 1_024;

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

async function shoot(page: Page, name: string): Promise<void> {
  const path = join(SHOTS, `${name}.png`);
  await page.screenshot({ path, scale: 'css', animations: 'disabled' });
  const { size } = statSync(path);
  if (size > MAX_BYTES) throw new Error(`${name}.png has ${size} bytes, and at most ${MAX_BYTES} are kept`);
}

async function signIn(page: Page, appUrl: string): Promise<void> {
  await page.goto(`${appUrl}/app/`);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: /Continue as/ }).click();
  await page.getByRole('link', { name: 'Starter workflow' }).waitFor();
}

async function run(page: Page, input: object): Promise<void> {
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await page.getByLabel('Input (JSON)').fill(JSON.stringify(input));
  await page.getByRole('button', { name: 'Run draft' }).click();
}

/** The canvas of the starter: while a model writes, with a node open, and its versions. */
async function starter(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Starter workflow' }).click();
  await page.waitForSelector('[data-node="answer"]');
  await run(page, {
    text: 'Write to ada@example.com that everything is running, and thank her for the parcel.',
  });
  await page.locator('.wc-tokens').first().waitFor();
  await shoot(page, 'canvas-running');
  await page.locator('.wc-toolbar .wc-run-state-completed').waitFor();
  await page.locator('[data-node="answer"]').click();
  await page.locator('.wc-panel .cm-content').first().waitFor();
  await page.emulateMedia({ colorScheme: 'dark' });
  await shoot(page, 'canvas-node-dark');
  await page.emulateMedia({ colorScheme: 'light' });
  await page.getByRole('link', { name: 'Versions' }).click();
  await page.getByLabel('Note').waitFor();
  await shoot(page, 'versions');
}

/** An approval that waits, and the list of questions. */
async function question(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Workflows' }).click();
  await page.locator('input[type=file]').setInputFiles({
    name: 'Refunds.json',
    mimeType: 'application/json',
    buffer: Buffer.from(JSON.stringify(REFUND)),
  });
  await page.waitForSelector('[data-node="check"]');
  await run(page, { amount: 12, name: 'Ada' });
  await page.getByRole('heading', { name: /^Refund 12/ }).waitFor();
  await page.getByRole('link', { name: 'Questions' }).click();
  await page
    .getByRole('heading', { name: /^Refund 12/ })
    .first()
    .waitFor();
  await shoot(page, 'questions');
}

/** The run of the tour, over time, and with the plan of running it again. */
async function pastRun(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Runs' }).click();
  await page
    .getByRole('row', { name: /Succeeded/ })
    .getByRole('link')
    .last()
    .click();
  await page.getByRole('tab', { name: 'Timeline' }).click();
  await page.getByRole('button', { name: /^Answer|^answer/ }).waitFor();
  await shoot(page, 'run-timeline');
  await page.getByRole('tab', { name: 'Steps' }).click();
  await page.getByRole('tabpanel').getByRole('button').nth(2).click();
  await page.getByRole('button', { name: 'Rerun from here' }).click();
  await page.getByText('reused').first().waitFor();
  await shoot(page, 'rerun-plan');
}

async function shootAll(system: LocalSystem, say: Say): Promise<number> {
  await takeTour(system, () => undefined);
  mkdirSync(SHOTS, { recursive: true });
  const browser = await launchChromium();
  try {
    const page = await browser.newPage({ viewport: SIZE, colorScheme: 'light' });
    await signIn(page, system.appUrl);
    await shoot(page, 'workflows');
    await starter(page);
    await question(page);
    await pastRun(page);
    say(`the screenshots are in ${SHOTS}`);
    return 0;
  } finally {
    await browser.close();
  }
}

const say = createProgress();
process.exit(await withSystem({ say, watch: false }, (system) => shootAll(system, say)));
