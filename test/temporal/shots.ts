/** `npm run temporal:shots`: screenshots of runs in Temporal's own UI, on the system of the demo, for the README of the room. */
import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import type { JsonObject } from '../../src/language/graph/values/value.ts';
import { ROOT } from '../../src/processes/local/paths.ts';
import { createProgressPrinter, type PrintLine } from '../../src/processes/local/progress.ts';
import { withSystem, type LocalSystem } from '../../src/processes/local/system.ts';
import { takeTour, buildTemporalLink, type Tour } from '../../src/processes/local/tour.ts';
import { chain, http, node } from '../support/definitions.ts';
import { startHttpRecorder, type HttpRecorder } from '../support/http-recorder.ts';
import { launchChromium } from '../surfaces/web/support/chromium.ts';

const SHOTS = join(ROOT, 'temporal/shots');
const SIZE = { width: 1_440, height: 1_900 };
/** They are kept with the source. */
const MAX_BYTES = 200 * 1_024;

const named = (name: string, made: JsonObject): JsonObject => ({ ...made, name });

/** Definitions by the name of their picture, and the input of their run. */
const runsOf = (
  tools: HttpRecorder,
): Readonly<Record<string, { definition: JsonObject; input?: JsonObject }>> => ({
  'short-nodes': {
    definition: chain(
      named('Fetch orders', http('fetch_orders', tools.url('orders'))),
      named('Charge card', http('charge_card', tools.url('card'))),
      named('Send receipt', http('send_receipt', tools.url('receipt'))),
    ),
  },
  'long-node': {
    definition: chain(named('Print labels', http('print_labels', tools.url('labels', { hold: 1 })))),
  },
  retry: {
    definition: chain(
      named(
        'Fetch orders',
        http(
          'fetch_orders',
          tools.url('later', { fail: 1, status: 503, retry_after: 1 }),
          {},
          { retry: { max_attempts: 2 } },
        ),
      ),
    ),
  },
  'for-each': {
    definition: chain(
      named(
        'Fetch each order',
        http(
          'fetch_each',
          tools.url('each'),
          {},
          { for_each: { items: '{{input.orders}}', max_concurrency: 20 } },
        ),
      ),
    ),
    input: { orders: Array.from({ length: 100 }, (_, at) => at) },
  },
  model: {
    definition: chain(
      named(
        'Write the answer',
        node('answer', 'llm', {
          provider: 'openai',
          model: 'local-stand-in',
          messages: [{ role: 'user', content: 'Say that the parcel is on its way.' }],
        }),
      ),
    ),
  },
  question: {
    definition: chain(
      named(
        'Approve refund',
        node('approve', 'interrupt', {
          kind: 'approval',
          title: 'Refund 12 €?',
          actions: [{ id: 'yes', label: 'Yes' }],
          assignees: { roles: ['admin'] },
        }),
      ),
    ),
  },
});

/** Starts a run. @returns its run_pk */
async function start(system: LocalSystem, tour: Tour, body: JsonObject): Promise<string> {
  const headers = {
    'content-type': 'application/json',
    'X-API-KEY': tour.apiKey,
    'X-Organization-ID': tour.organizationId,
  };
  const answer = await fetch(`${system.apiUrl}/workflows/run`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  });
  const { run_id: runId } = (await answer.json()) as { run_id?: string };
  if (runId === undefined) throw new Error(`the run was not started: ${answer.status}`);
  const found = await fetch(`${system.apiUrl}/workflow-runs?run_id=${runId}`, { headers });
  const [run] = ((await found.json()) as { runs: { id: string }[] }).runs;
  if (run === undefined) throw new Error('the run is not in the history');
  return run.id;
}

/** The tab of the UI that tells the most of each run: a timeline has no summaries of local activities, the history has. */
const TABS: Readonly<Record<string, string>> = {
  'short-nodes': 'Event History',
  retry: 'Event History',
  question: 'User Metadata',
};

/** Opens a tab of the run, and takes a picture of what it shows. */
async function shoot(page: Page, name: string): Promise<void> {
  const path = join(SHOTS, `${name}.png`);
  await page
    .getByText(TABS[name] ?? 'Timeline')
    .first()
    .click();
  await page.waitForTimeout(2_000);
  // The name of the tab again, as the heading of what it shows; below the input, which says little of the run.
  const box = await page
    .getByText(TABS[name] ?? 'Timeline', { exact: true })
    .last()
    .boundingBox();
  if (box === null) throw new Error('the page does not show the heading of its tab');
  const clip = { x: 256, y: box.y - 24, width: SIZE.width - 256, height: 640 };
  await page.screenshot({ path, scale: 'css', animations: 'disabled', clip });
  const { size } = statSync(path);
  if (size > MAX_BYTES) throw new Error(`${name}.png has ${size} bytes, and at most ${MAX_BYTES} are kept`);
}

async function shootAll(system: LocalSystem, say: PrintLine, tools: HttpRecorder): Promise<number> {
  const { temporalUiUrl, temporalNamespace } = system;
  if (temporalUiUrl === null) throw new Error('this Temporal has no UI');
  const tour = await takeTour(system, () => undefined);
  mkdirSync(SHOTS, { recursive: true });
  const browser = await launchChromium();
  try {
    const page = await browser.newPage({ viewport: SIZE, colorScheme: 'light' });
    for (const [name, { definition, input }] of Object.entries(runsOf(tools))) {
      const schema = { ...definition, metadata: { name: 'Orders' } };
      const runPk = await start(system, tour, { workflow: schema, input: input ?? {} });
      await page.goto(buildTemporalLink(temporalUiUrl, temporalNamespace, { ...tour, runPk }));
      await page.getByText('interpretWorkflow').first().waitFor();
      // The page reads the history again by itself; what a run comes to is there within seconds.
      await page.waitForTimeout(4_000);
      await shoot(page, name);
      say(`${name}.png`);
    }
    return 0;
  } finally {
    tools.release();
    await browser.close();
  }
}

const tools = await startHttpRecorder();
process.env['OUTBOUND_ALLOW'] = tools.hostPort;
const say = createProgressPrinter();
const status = await withSystem({ say, watch: false }, (system) => shootAll(system, say, tools));
await tools.close();
process.exit(status);
