/** A batch would be started twice, or its refused inputs would look like runs. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest';
import { EXIT } from '../../../src/surfaces/cli/exit.ts';
import { run } from '../../../src/surfaces/cli/program.ts';
import { json, startScriptedServer, type ScriptedServer } from '../client/support/scripted-server.ts';

const WORKFLOW = '2f6b1c0e-3a77-4d0c-8a43-0a5d6ad0b202';
const STARTED = { status: 'running', run_id: 'run-1', thread_id: null, error: null };
const REFUSED = {
  status: 'refused',
  run_id: null,
  thread_id: null,
  error: { code: 'rate_limit_exceeded', message: 'The run rate of the plan is reached' },
};

const home = mkdtempSync(join(tmpdir(), 'run-batch-'));
let server: ScriptedServer;
let printed: { out: string; err: string };
beforeEach(async () => {
  server = await startScriptedServer();
  printed = { out: '', err: '' };
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => ((printed.out += String(text)), true));
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => ((printed.err += String(text)), true));
});
afterAll(() => rmSync(home, { recursive: true, force: true }));
afterEach(async () => {
  vi.restoreAllMocks();
  await server.close();
});

const runBatch = (...args: string[]): Promise<number> =>
  run(['run', ...args], {
    HOME: home,
    XDG_CONFIG_HOME: home,
    WORKFLOW_API_URL: server.url,
    WORKFLOW_API_KEY: 'svc_live_key',
    WORKFLOW_ORGANIZATION_ID: 'org',
  });

test('a batch whose answer is lost is sent again with its key; each run is a line, each refusal a note', async () => {
  server.handler = (_, response) =>
    server.requests.length === 1
      ? void response.destroy()
      : json(response, 200, { runs: [STARTED, REFUSED], accepted: 1, refused: 1 });
  const file = join(home, 'inputs.json');
  writeFileSync(file, '[{"n":1},{"n":2}]');
  expect(await runBatch(WORKFLOW, '--batch', `@${file}`)).toBe(EXIT.failed);
  expect(server.requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
    'POST /workflows/run/batch',
    'POST /workflows/run/batch',
  ]);
  const [first, second] = server.requests;
  expect(JSON.parse(second?.body ?? '')).toEqual({ workflow_id: WORKFLOW, inputs: [{ n: 1 }, { n: 2 }] });
  expect(second?.headers['idempotency-key']).toBe(first?.headers['idempotency-key']);
  expect(first?.headers['idempotency-key']).toMatch(/./);
  expect(printed).toEqual({
    out: 'run-1\n',
    err: 'input 2 of 2 was refused: The run rate of the plan is reached\n',
  });
});

test('a batch without refusals completes, prints JSON by line, and has the key of the caller', async () => {
  server.handler = (_, response) => json(response, 200, { runs: [STARTED], accepted: 1, refused: 0 });
  expect(await runBatch(WORKFLOW, '--batch', '[{}]', '--idempotency-key', 'once', '--json')).toBe(
    EXIT.completed,
  );
  expect(JSON.parse(printed.out)).toEqual(STARTED);
  expect(server.requests[0]?.headers['idempotency-key']).toBe('once');
});

test.each([
  ['inputs that are no list', [WORKFLOW, '--batch', '{}'], 'The inputs must be a list of JSON objects'],
  [
    'an input that is no object',
    [WORKFLOW, '--batch', '[{},1]'],
    'The inputs must be a list of JSON objects',
  ],
  [
    'a file in place of a workflow',
    ['flow.yaml', '--batch', '[{}]'],
    '--batch requires the ID of a workflow',
  ],
  ['an input beside them', [WORKFLOW, '--batch', '[{}]', '--input', '{}'], 'cannot be used with option'],
  ['the wish to follow them', [WORKFLOW, '--batch', '[{}]', '--follow'], 'cannot be used with option'],
])('%s: a usage error, and nothing is sent', async (_, args, message) => {
  expect(await runBatch(...args)).toBe(EXIT.usage);
  expect(printed.err).toContain(message);
  expect(server.requests).toEqual([]);
});
