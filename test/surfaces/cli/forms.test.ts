/** A form would be typed in vain: a mistake would be found at its end, and everything entered would be gone. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ROOT } from '../../../src/processes/local/paths.ts';
import { CommandLine, compileCommandLine } from '../../support/command-line.ts';
import { json, startScriptedServer, type ScriptedServer } from '../client/support/scripted-server.ts';

const home = mkdtempSync(join(tmpdir(), 'forms-'));
const target = join(ROOT, '.data', `cli-forms-${process.pid}`);
let server: ScriptedServer;
let cli: CommandLine;

const FORM = {
  type: 'object',
  required: ['amount', 'size'],
  properties: {
    amount: { title: 'Amount', type: 'integer', minimum: 1, maximum: 10 },
    size: { $ref: '#/$defs/size' },
    code: { title: 'Code', type: 'string', pattern: '^[A-Z]{2}$' },
    urgent: { title: 'Urgent', type: 'boolean' },
  },
  $defs: { size: { title: 'Size', enum: ['small', 'large'] } },
};
const question = {
  interrupt_id: 'int_1',
  node_id: 'ask',
  kind: 'input',
  title: 'Order',
  message: 'How much?',
  payload: null,
  form: FORM,
  actions: [],
};
const at = { run_id: 'r', thread_id: null, timestamp: 't', duration_ms: 5 };
const frame = (more: object): string => `data: ${JSON.stringify({ ...at, seq: 1, ...more })}\n\n`;

/** Bodies of the answers that were sent; the first ones are refused. */
const sent: unknown[] = [];
let refusals = 0;

beforeAll(async () => {
  server = await startScriptedServer();
  server.handler = (request, response) => {
    const path = new URL(request.url ?? '/', 'http://service').pathname;
    if (path === '/workflows/resume/r') {
      sent.push(JSON.parse(server.requests.at(-1)?.body ?? ''));
      if (sent.length <= refusals) return json(response, 422, { detail: 'The amount is not in stock' });
      return json(response, 200, { run_id: 'next', thread_id: null });
    }
    if (path.startsWith('/workflow-runs/'))
      return json(response, 200, { id: 'r-pk', run_id: 'r', thread_id: null });
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    const isNext = path.endsWith('next');
    response.end(
      frame(
        isNext
          ? { type: 'run_completed', run_id: 'next', status: 'completed', output: {} }
          : { type: 'run_interrupted', status: 'interrupted', interrupts: [question] },
      ),
    );
  };
  cli = new CommandLine(await compileCommandLine(target), {
    PATH: process.env['PATH'] ?? '',
    HOME: home,
    XDG_CONFIG_HOME: home,
    TERM: 'xterm-256color',
    WORKFLOW_API_URL: server.url,
    WORKFLOW_API_KEY: 'svc_live_key',
    WORKFLOW_ORGANIZATION_ID: 'org',
  });
});
afterAll(async () => {
  rmSync(home, { recursive: true, force: true });
  rmSync(target, { recursive: true, force: true });
  await server.close();
});

const DOWN = '\u001b[B';

test('each field is checked before the next is asked, and a mistake keeps what was entered', async () => {
  sent.length = 0;
  refusals = 0;
  const { code, seen } = await cli.typed(
    ['runs', 'answer', 'r'],
    [
      ['Amount (integer, at least 1, at most 10)', '12\r'],
      ['10', '\u007f\r'],
      ['Size', `${DOWN}\r`],
      ['Code', 'ab\r'],
      ['pattern', '\u007f\u007fAB\r'],
      ['Urgent', `\r`],
    ],
  );
  expect(sent).toEqual([
    { interrupt_id: 'int_1', data: { amount: 1, size: 'large', code: 'AB', urgent: true } },
  ]);
  expect(seen).toContain('small');
  expect(code).toBe(0);
});

test('an optional field may stay empty, and a required one may not', async () => {
  sent.length = 0;
  refusals = 0;
  await cli.typed(
    ['runs', 'answer', 'r'],
    [
      ['Amount', '\r'],
      ['A value is required', '3\r'],
      ['Size', '\r'],
      ['Code', '\r'],
      ['Urgent', `${DOWN}${DOWN}\r`],
    ],
  );
  expect(sent).toEqual([{ interrupt_id: 'int_1', data: { amount: 3, size: 'small' } }]);
});

test('an answer that the service refuses is offered again with its values', async () => {
  sent.length = 0;
  refusals = 1;
  const { code, seen } = await cli.typed(
    ['runs', 'answer', 'r'],
    [
      ['Amount', '7\r'],
      ['Size', `${DOWN}\r`],
      ['Code', 'XY\r'],
      ['Urgent', `${DOWN}\r`],
      ['The amount is not in stock', ''],
      ['Amount', '\u007f5\r'],
      ['Size', '\r'],
      ['Code', '\r'],
      ['Urgent', '\r'],
    ],
  );
  const rest = { size: 'large', code: 'XY', urgent: false };
  expect(sent.map((body) => (body as { data: unknown }).data)).toEqual([
    { amount: 7, ...rest },
    { amount: 5, ...rest },
  ]);
  expect(seen).toContain('The amount is not in stock');
  expect(code).toBe(0);
});
