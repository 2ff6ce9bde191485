/** Somebody could not connect a credential or fill a knowledge base in a browser, or would be shown a secret. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { sink, type Sink } from '../platform/outbound/support.ts';
import { END, START, edge, http, node, workflow } from '../support/definitions.ts';
import { startMcpServer, type McpServer } from '../support/mcp-server.ts';
import { startModelServer, type ModelServer } from '../support/model-server.ts';
import { inBothThemes } from '../surfaces/web/support/axe.ts';
import { startEngineStack } from '../surfaces/web/support/engine-stack.ts';
import { signInTo } from '../surfaces/web/support/sign-in.ts';
import type { WebStack } from '../surfaces/web/support/web-stack.ts';

const HOSTILE = '<img src=x onerror="document.title=1">';
/** Browsers write a quotation mark of a file's name as %22. */
const HOSTILE_FILE = '<img src=x onerror=alert(1)>.txt';
const SECRET = 'sk-CANARY-of-the-page-4711';
const WITHIN = { timeout: 45_000 };

let model: ModelServer;
/** The other services: what accounts are tried at, and who authorizes them. */
let service: Sink;
let mcp: McpServer;
let at: WebStack;
let page: Page;
beforeAll(async () => {
  model = await startModelServer();
  service = await sink();
  mcp = await startMcpServer([{ name: 'find_order', description: HOSTILE, answer: () => ({ content: [] }) }]);
  const github = { client_id: 'c', client_secret: 's3cret', origin: service.base, base_url: service.base };
  const environment = {
    MANAGED_EMBEDDING_BASE_URL: model.baseUrl,
    MANAGED_EMBEDDING_API_KEY: 'managed-embedding-key',
    MANAGED_EMBEDDING_MODEL: 'test-embedding',
    OUTBOUND_ALLOW: [`127.0.0.1:${service.port}`, mcp.hostPort].join(','),
    OAUTH_CLIENTS: JSON.stringify({ github }),
  };
  at = await startEngineStack(environment);
  page = await signInTo(at);
  await at.canvas.api.deps.db.query(`UPDATE organizations SET plan = 'enterprise'`);
});
afterAll(async () => {
  await at.close();
  await Promise.all([model.close(), service.close(), mcp.close()]);
});

const to = (name: string) => page.getByRole('navigation').getByRole('link', { name, exact: true }).click();
const button = (name: string) => page.getByRole('button', { name, exact: true });
/** Nothing of what strangers wrote became a part of the page. */
const isText = async (): Promise<void> => {
  await expect.poll(() => page.locator('img').count()).toBe(0);
  await expect.poll(() => page.title()).not.toBe('1');
};
/** Opens the form of a new credential, and chooses what it is for. */
async function connect(integration: string, kind?: string): Promise<void> {
  await button(`Connect: ${integration}`).click();
  await page.getByRole('dialog').getByLabel('Credential name').waitFor();
  if (kind !== undefined) await page.getByLabel('Authentication').selectOption(kind);
}

test('an account is stored, tried with a good and a bad answer, renamed, and its secret is shown nowhere', async () => {
  await to('Credentials');
  await page.getByRole('heading', { name: 'Integrations' }).waitFor();
  await button('New credential').click();
  await page.getByLabel('Integration').selectOption('openai');
  await page.getByLabel('Credential name').fill(HOSTILE);
  await page.getByLabel('API key').fill(SECRET);
  await page.getByLabel('Base URL').fill('no address');
  expect(await inBothThemes(page)).toEqual([]);
  await button('Save').click();
  await page.getByRole('dialog').getByRole('alert').waitFor();
  await page.getByLabel('Base URL').fill(`${service.base}/v1`);
  await button('Save').click();
  await page.getByRole('row', { name: HOSTILE }).waitFor();
  await isText();

  service.answer = (_, response) => response.end('{}');
  await button(`Test: ${HOSTILE}`).click();
  await page.getByText('The credential works').waitFor();
  expect(service.heard.at(-1)?.headers.authorization).toBe(`Bearer ${SECRET}`);
  service.answer = (_, response) => response.writeHead(401).end();
  await button(`Test: ${HOSTILE}`).click();
  await page
    .getByRole('alert')
    .or(page.getByRole('status'))
    .getByText('rejected the credential (HTTP 401)')
    .waitFor();
  await expect.poll(() => page.getByRole('row', { name: HOSTILE }).textContent()).toContain('Rejected');
  expect(await inBothThemes(page)).toEqual([]);

  await button(`Edit: ${HOSTILE}`).click();
  await page.getByText('Not in use.').waitFor();
  expect(await inBothThemes(page)).toEqual([]);
  await page.getByLabel('Credential name').fill('Our models');
  await button('Rename').click();
  await page.getByRole('row', { name: 'Our models' }).waitFor();
  const kept = await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])');
  expect(`${await page.content()} ${String(kept)}`).not.toContain('CANARY');
});

test('SEC-W02: an account is authorized in a window of its own, which comes back into the page', async () => {
  let state = '';
  service.answer = ({ url }, response) => {
    const asked = new URL(url, service.base);
    if (asked.pathname !== '/login/oauth/authorize') {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ access_token: 'gho-CANARY-0123', scope: 'repo' }));
      return;
    }
    state = asked.searchParams.get('state') ?? '';
    const back = new URL(asked.searchParams.get('redirect_uri') ?? '');
    back.search = new URLSearchParams({ code: 'code-1', state }).toString();
    response.writeHead(302, { location: back.href }).end();
  };
  await connect('GitHub', 'oauth2');
  await page.getByLabel('Credential name').fill('Our GitHub');
  await button('Connect GitHub').click();
  await page.getByRole('row', { name: 'Our GitHub' }).waitFor();
  expect(service.heard.at(-1)?.body).toContain('code=code-1');

  // Another page cannot end it: nobody waits for what it brings, and its address keeps nothing.
  const stray = await page.context().newPage();
  await stray.goto(`${at.origin}/oauth/callback?code=x&state=${state}`);
  await stray.getByText('This authorization has expired').waitFor();
  await expect.poll(() => stray.url()).toBe(`${at.origin}/app/oauth/callback`);
  await stray.close();
});

test('the tools of an MCP server are listed, as text', async () => {
  await connect('MCP server', 'none');
  await page.getByLabel('Credential name').fill('Orders');
  await page.getByLabel('Server URL').fill(mcp.url);
  await button('Save').click();
  await button('Tools: Orders').click();
  await page.getByText('find_order').waitFor();
  await page.getByText(HOSTILE).waitFor();
  await isText();
  expect(await inBothThemes(page)).toEqual([]);
  await page.keyboard.press('Escape');
  expect(at.trouble).toEqual([]);
});

test('a credential is made in the panel and saved on its node; what a workflow uses is not deleted', async () => {
  const definition = workflow(
    [
      http('call', `${service.base}/x`, { method: 'GET' }),
      node('ask', 'agent', {
        provider: 'openai',
        model: 'm',
        messages: [{ role: 'user', content: 'x' }],
        tools: [{ kind: 'http', name: 'look', method: 'GET', url: 'https://example.com' }],
      }),
    ],
    [edge(START, 'call'), edge('call', 'ask'), edge('ask', END)],
    { metadata: { name: 'Calls' } },
  );
  await to('Workflows');
  await page.locator('input[type=file]').setInputFiles({
    name: 'Calls.json',
    mimeType: 'application/json',
    buffer: Buffer.from(JSON.stringify(definition)),
  });
  await page.locator('[data-node="call"]').click();
  const panel = page.locator('.wc-panel');
  await panel.getByRole('button', { name: 'New credential' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Credential name').fill('In place');
  await dialog.getByLabel('Access token').fill(SECRET);
  await dialog.getByLabel('Allowed hosts').fill(`127.0.0.1:${service.port}`);
  expect(await inBothThemes(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Save' }).click();
  const chosen = () => panel.getByLabel('Credential', { exact: true }).inputValue();
  await expect.poll(chosen).toBe('In place (http)');
  const [credential] = await at.canvas.api.deps.db.query<{ id: string }>(
    `SELECT id FROM credentials WHERE name = 'In place'`,
  );
  const made = credential?.id;
  const configOf = async (nodeId: string): Promise<Record<string, unknown> | undefined> => {
    const { db } = at.canvas.api.deps;
    const [row] = await db.query<{ nodes: { id: string; config: Record<string, unknown> }[] }>(
      `SELECT workflow_schema -> 'nodes' AS nodes FROM workflows WHERE id = $1`,
      [/workflows\/([0-9a-f-]{36})/.exec(page.url())?.[1]],
    );
    return row?.nodes.find(({ id }) => id === nodeId)?.config;
  };
  await expect.poll(async () => (await configOf('call'))?.['credential_id'], WITHIN).toBe(made);

  // The tools of an agent have the same pickers, one form for each tool.
  await page.locator('[data-node="ask"]').click();
  await panel.getByRole('button', { name: 'Add tool' }).click();
  const tool = panel.getByRole('group', { name: 'Tool 2' });
  const choose = async (label: string, name: string): Promise<void> => {
    const field = tool.getByRole('combobox', { name: label, exact: true });
    await field.click();
    await page.getByRole('option', { name, exact: true }).click();
    // The choice draws other fields: the next one is clicked where it then stands.
    await expect.poll(() => field.inputValue()).toBe(name);
  };
  await choose('Integration', 'GitHub');
  await choose('Action', 'Get issue');
  await choose('Credential', 'Our GitHub (github)');
  await expect
    .poll(async () => (await configOf('ask'))?.['tools'], WITHIN)
    .toMatchObject([
      { kind: 'http', name: 'look' },
      { kind: 'integration', integration: 'github', action: 'get_issue', credential_id: expect.any(String) },
    ]);
  await tool.getByLabel('Type').selectOption('mcp');
  await choose('Credential', 'Orders (mcp)');
  await choose('Tool', 'find_order');

  await to('Credentials');
  await button('Delete: In place').click();
  await page.getByText('Used by 1 workflow and 0 knowledge bases.').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByText('in use by workflow "Calls"').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await button('Delete: Our models').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect.poll(() => page.getByRole('row', { name: 'Our models' }).count()).toBe(0);
  expect(at.trouble).toEqual([]);
});

test('documents are uploaded, become ready, are found by a search and deleted; what failed says why', async () => {
  await to('Knowledge');
  await page.getByText('No knowledge bases yet.').waitFor();
  expect(await inBothThemes(page)).toEqual([]);
  await button('New knowledge base').click();
  await page.getByLabel('Name').fill(HOSTILE);
  expect(await inBothThemes(page)).toEqual([]);
  await button('Create').click();
  await page.getByRole('heading', { name: HOSTILE }).waitFor();
  const file = (name: string, text: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(text) });
  await page
    .locator('input[type=file]')
    .setInputFiles([
      file(HOSTILE_FILE, `A cat purrs when it is content. ${HOSTILE}`),
      file('report\u202Efdp.txt', 'The tax report is due in April.'),
      file('empty.txt', ' \n\n '),
    ]);
  // By its path: as text it would go through the driver, for seconds.
  const folder = mkdtempSync(join(tmpdir(), 'web-resources-'));
  writeFileSync(join(folder, 'large.txt'), Buffer.alloc(26 * 1024 * 1024, 'x'));
  await page.locator('input[type=file]').setInputFiles(join(folder, 'large.txt'));
  await page.getByRole('group', { name: 'large.txt' }).getByText('larger than 25 MB').waitFor();
  const ready = (name: string) =>
    expect.poll(() => page.getByRole('row', { name }).textContent(), WITHIN).toContain('Ready');
  await ready(HOSTILE_FILE);
  await ready('reportfdp.txt');
  await expect
    .poll(() => page.getByRole('row', { name: 'empty.txt' }).textContent(), WITHIN)
    .toContain('Failed');
  await button('Try again: empty.txt').waitFor();
  await button('Dismiss: large.txt').click();
  rmSync(folder, { recursive: true });

  await button('Test search').click();
  await page.getByLabel('Query').fill('A cat purrs');
  await page.getByLabel('Max. results').fill('1');
  await page.getByRole('dialog').getByRole('button', { name: 'Search' }).click();
  const found = page.getByRole('list', { name: 'Results' }).getByRole('listitem');
  await expect
    .poll(() => found.allTextContents())
    .toEqual([expect.stringMatching(/Score 0\.\d{3}.*cat purrs/s)]);
  await expect.poll(() => found.textContent()).toContain(HOSTILE);
  await isText();
  expect(await inBothThemes(page)).toEqual([]);
  await page.setViewportSize({ width: 360, height: 640 });
  // It is laid out anew by its own code, some frames later.
  await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBe(360);
  await page.setViewportSize({ width: 1_280, height: 800 });
  await page.keyboard.press('Escape');

  await button('Delete: empty.txt').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect.poll(() => page.getByRole('row', { name: 'empty.txt' }).count()).toBe(0);
  await to('Knowledge');
  expect(await inBothThemes(page)).toEqual([]);
  await button(`Delete: ${HOSTILE}`).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('No knowledge bases yet.').waitFor();
  await page.context().close();
  expect(at.trouble).toEqual([]);
});
