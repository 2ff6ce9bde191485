/** The command line would leak a key, execute control codes of others, or return a wrong exit code. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createProgram } from '../../../src/surfaces/cli/program.ts';
import { findProfileFile } from '../../../src/surfaces/cli/profiles.ts';
import { Sessions } from '../../../src/surfaces/cli/session.ts';
import { ROOT } from '../../../src/processes/local/paths.ts';
import { startScriptedServer } from '../client/support/scripted-server.ts';
import { CommandLine, compileCommandLine } from '../../support/command-line.ts';

const home = mkdtempSync(join(tmpdir(), 'workflow-cli-'));
const env = { PATH: process.env['PATH'] ?? '', HOME: home, XDG_CONFIG_HOME: home, TERM: 'xterm-256color' };

const target = join(ROOT, '.data', `cli-build-${process.pid}`);
let cli: CommandLine;

const frame = (seq: number, type: string, more: object): string =>
  `data: ${JSON.stringify({ type, seq, run_id: 'r', thread_id: null, timestamp: 't', ...more })}\n\n`;
const node = { step_id: 's', node_id: 'hello', node_type: 'llm', node_name: 'Hello', attempt: 1, depth: 0 };

/** C0, ESC and a sequence of it, DEL, C1 with CSI as one character, and the controls of direction. */
const HOSTILE = 'a\u0007\u001b[2Jb\u007f\u0085\u009b31mc\u202e\u2066\u2069\u200e\u200f\u061cd';
// oxlint-disable-next-line no-control-regex -- these are what must not be there
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

const CALLBACK = { interrupt_id: 'int_1', node_id: 'paid', title: 'Payment' };
const CALLBACK_URL = 'https://flows.example/callbacks/token';

const UNANSWERED = { resumed_from_run_id: null, resumed_by_run_ids: [] };

let listQuery = {};
const server = createServer((request, response) => {
  const isKnown = request.headers.authorization === 'Bearer wf_secret';
  const { pathname: path, searchParams } = new URL(request.url ?? '/', 'http://service');
  if (path === '/interrupts') listQuery = Object.fromEntries(searchParams);
  if (path.startsWith('/workflows/listen/')) {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    response.write(frame(1, 'node_started', node));
    if (path.endsWith('calls')) {
      const interrupts = [{ ...CALLBACK, kind: 'callback' }];
      response.end(frame(2, 'run_interrupted', { status: 'interrupted', interrupts, duration_ms: 5 }));
      return;
    }
    if (path.endsWith('answered')) {
      const more = { status: 'interrupted', interrupts: [], resumed_by_run_id: 'next', duration_ms: 5 };
      response.end(frame(2, 'run_interrupted', more));
      return;
    }
    if (path.endsWith('waits')) return;
    const error = { code: 'broken', message: 'It broke' };
    response.end(frame(2, 'run_failed', { status: 'failed', error, duration_ms: 5 }));
    return;
  }
  if (path.startsWith('/workflows/refused/')) {
    response.writeHead(404, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify({ detail: HOSTILE }));
    return;
  }
  response.writeHead(isKnown ? 200 : 401, { 'Content-Type': 'application/json' });
  const bodies: Record<string, unknown> = {
    '/organizations': [{ id: 'org-1', name: 'One' }],
    '/auth/me': { id: 'u', subject: 's', email: 'ada@example.test' },
    '/workflows': { workflows: [{ id: 'w', name: HOSTILE }], total: 1 },
    '/workflow-runs/shown': { id: 'shown-pk', run_id: 'shown', thread_id: null },
    '/workflows/runs/shown': {
      id: 'shown-pk',
      run_id: 'shown',
      status: 'failed',
      error_message: HOSTILE,
      steps: [],
      interrupts: [],
      ...UNANSWERED,
    },
    '/workflow-runs/answered': { id: 'answered-pk', run_id: 'answered', thread_id: null },
    '/workflows/runs/answered': {
      id: 'answered-pk',
      run_id: 'answered',
      status: 'interrupted',
      steps: [],
      interrupts: [],
      resumed_from_run_id: 'first',
      resumed_by_run_ids: ['next'],
    },
    '/mcp': {
      result: {
        tools: [{ name: 'greet', description: 'Greets', inputSchema: { properties: { name: {}, at: {} } } }],
      },
    },
    '/openai/models': { data: [{ id: 'greeting', created: 1_900_000_000 }] },
    '/workflow-runs/calls': { id: 'pk', run_id: 'calls', thread_id: null },
    '/workflows/runs/calls': {
      id: 'pk',
      run_id: 'calls',
      status: 'interrupted',
      steps: [],
      ...UNANSWERED,
      interrupts: [
        { ...CALLBACK, callback_url: CALLBACK_URL },
        { ...CALLBACK, title: '', callback_url: null },
        {
          ...CALLBACK,
          callback_url: null,
          late_call_count: 2,
          last_late_call_at: '2026-11-27T10:00:00.000Z',
        },
      ],
    },
    '/interrupts': {
      interrupts: [
        {
          interrupt_id: 'int-1',
          kind: 'unknown_effect',
          title: 'Sent?',
          workflow_name: 'Refund',
          run_id: 'run-1',
          created_at: '2026-11-27T10:00:00.000Z',
        },
      ],
      next_cursor: null,
    },
    '/workflow-runs/waits': { id: 'pk', run_id: 'waits', thread_id: null },
    '/workflow-runs/fails': { id: 'pk', run_id: 'fails', thread_id: null },
  };
  response.end(JSON.stringify(isKnown ? (bodies[path] ?? {}) : { detail: 'Invalid API key' }));
});
let url = '';

beforeAll(async () => {
  cli = new CommandLine(await compileCommandLine(target), env);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
  rmSync(target, { recursive: true, force: true });
});

describe('the command line', () => {
  test('login reads a key without echo and stores it in a file of mode 0600', async () => {
    const { code, seen } = await cli.typed(['login', '--url', url], [['API key', 'wf_secret\r']]);
    expect(seen).not.toContain('wf_secret');
    expect(code).toBe(0);
    expect(statSync(findProfileFile(env)).mode & 0o777).toBe(0o600);
    const { out } = await cli.piped('whoami', '--json');
    expect(JSON.parse(out)).toMatchObject({ email: 'ada@example.test', organization_id: 'org-1' });
  });

  test.each(['', 'relative'])('logins are not stored below the folder of the command: %j', (given) => {
    const found = findProfileFile({ HOME: '/home/ada', XDG_CONFIG_HOME: given }, 'linux');
    expect(found).toBe('/home/ada/.config/workflow/profiles.json');
  });

  test('login does not store a key that the service rejects', async () => {
    const ended = await cli.piped('login', '--url', url, '--key', 'wrong', '--profile', 'other');
    expect(ended).toMatchObject({ code: 1, out: '' });
    expect(ended.err).toContain('Invalid API key (401');
    expect(readFileSync(findProfileFile(env), 'utf8')).not.toContain('wrong');
  });

  test('Ctrl-C stops following and prints the command that continues', async () => {
    const { code, seen } = await cli.typed(['runs', 'logs', 'waits', '--follow'], [['Hello', '\u0003']]);
    expect(seen).toContain('workflow runs logs waits --follow');
    expect(code).toBe(130);
  });

  test('the exit code is the outcome of the run, and --json prints one event per line', async () => {
    const { code, out } = await cli.piped('runs', 'logs', 'fails', '--follow', '--json');
    const types = out
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { type: string }).type);
    expect(types).toEqual(['node_started', 'run_failed']);
    expect(code).toBe(1);
  });

  test('the help of each command names the options of all', async () => {
    expect((await cli.piped('runs', 'list', '--help')).out).toMatch(/Global Options:.*--org .*--json /s);
  });

  test('the address of a callback is printed with its run and its late calls, and when following ends there', async () => {
    const line = `Waiting for a request to the callback URL of Payment: ${CALLBACK_URL}\n`;
    const shown = await cli.piped('runs', 'show', 'calls');
    const late = `Late requests to the callback URL of Payment: 2, the last at 2026-11-27T10:00:00.000Z\n`;
    expect(shown.out.slice(-line.length - late.length)).toBe(line + late);
    const { code, err } = await cli.piped('runs', 'logs', 'calls', '--follow');
    expect(code).toBe(3);
    expect(err).toBe(`${line}To follow the run, run: workflow runs logs calls --follow\n`);
  });

  test('an answered run names the run before it and the one that goes on', async () => {
    const { out } = await cli.piped('runs', 'show', 'answered');
    expect(out).toContain('\nContinues run first\nAnswered; goes on as run next\n');
    const { code, err } = await cli.piped('runs', 'answer', 'answered', '--data', '{}');
    expect(code).toBe(1);
    expect(err).toBe('error: The run was answered. It goes on as run next\n');
  });

  test('questions are listed by kind, also those that the caller may answer', async () => {
    const { out } = await cli.piped('questions', 'list', '--kind', 'unknown_effect', '--mine');
    expect(out).toMatch(
      /^TIME +KIND +QUESTION +WORKFLOW +RUN +INTERRUPT\n\S+ +unknown_effect +Sent\? +Refund +run-1 +int-1\n$/,
    );
    expect(listQuery).toMatchObject({ kind: 'unknown_effect', assignee: 'me' });
    expect((await cli.piped('questions', 'list', '--kind', 'riddle')).code).toBe(2);
  });

  test('the tools of MCP and the models of OpenAI are tables, and values with --json', async () => {
    const tools = await cli.piped('mcp');
    expect(tools.out).toMatch(/^URL: \S+\/mcp\nTOOL +ARGUMENTS +DESCRIPTION\ngreet +name, at +Greets\n$/);
    const models = await cli.piped('openai');
    expect(models.out).toMatch(
      /^Base URL: \S+\/openai\nMODEL +CREATED\ngreeting +2030-03-17T17:46:40.000Z\n$/,
    );
    expect((await cli.json('openai'))[0]).toMatchObject({ models: [{ id: 'greeting' }] });
  });

  test('validate reads the files of a folder', async () => {
    const folder = mkdtempSync(join(home, 'flows-'));
    writeFileSync(join(folder, 'environments.yaml'), 'staging: {}\n');
    const sound = 'nodes: [{id: a, type: function, config: {code: "export default () => 1"}}]\n';
    const edges = 'edges: [{source: __start__, target: a}]\n';
    writeFileSync(join(folder, 'sound.yaml'), sound + edges);
    expect(await cli.piped('validate', folder)).toMatchObject({ code: 0, out: '1 valid\n' });
    writeFileSync(join(folder, 'broken.yaml'), sound.replace('=> 1', '=> {') + edges);
    const { code, err } = await cli.piped('workflows', 'validate', folder);
    expect(code).toBe(1);
    expect(err).toMatch(
      /broken\.yaml:1: error invalid_code at \/nodes\/0\/config\/code: .* line 1, column \d+/,
    );
    const run = await cli.piped('run', folder);
    expect([run.code, run.err]).toEqual([2, `error: ${folder} is a folder; name one of its files\n`]);
  });

  test('validate prints problems to stderr without control codes', async () => {
    const file = join(home, 'broken.yaml');
    writeFileSync(file, 'nodes: [{id: a, type: nothing, config: {}}]\nedges: []\n');
    const { code, err } = await cli.piped('workflows', 'validate', file);
    expect(code).toBe(1);
    expect(err).toContain('error');
    expect(err).not.toContain('\u001b');
  });

  test('values, names and errors of the service print without control codes and direction marks', async () => {
    const listed = await cli.piped('workflows', 'list');
    expect(listed.out).toContain('abcd');
    const refused = await cli.piped('workflows', 'deploy', 'refused');
    expect(refused.code).toBe(1);
    const shown = await cli.piped('runs', 'show', 'shown');
    expect(shown.out).toContain('failed  abcd');
    for (const { out, err } of [listed, refused, shown]) expect(out + err).not.toMatch(CONTROL);
    const file = join(home, 'hostile.json');
    writeFileSync(file, JSON.stringify({ nodes: [{ id: HOSTILE, type: HOSTILE, config: {} }], edges: [] }));
    const checked = await cli.piped('workflows', 'validate', file);
    expect(checked.err).toContain('error');
    expect(checked.err).not.toMatch(CONTROL);
  });

  test('--json prints the exact value with control characters escaped', async () => {
    const { out } = await cli.piped('workflows', 'list', '--json');
    expect(JSON.parse(out)).toEqual({ id: 'w', name: HOSTILE });
    expect(out).not.toMatch(CONTROL);
    expect(out).toContain(String.raw`\u009b31mc\u202e`);
  });

  test('only screen.ts writes to the terminal', () => {
    const folder = join(ROOT, 'src/surfaces/cli');
    const writing = readdirSync(folder).filter((name) =>
      /\bconsole\.|\bprocess\.std(?:out|err)\.write/.test(readFileSync(join(folder, name), 'utf8')),
    );
    expect(writing).toEqual(['screen.ts']);
  });

  test('notes that nobody reads do not change the outcome, and output that cannot be written is told', async () => {
    const follow = 'workflow runs logs calls --follow';
    const unread = await cli.shell(`${follow} 2>&1 >/dev/null | true; exit \${PIPESTATUS[0]}`);
    expect(unread).toMatchObject({ code: 3 });
    // Every write to this device of Linux fails, as on a full disk.
    if (!existsSync('/dev/full')) return;
    const { code, err } = await cli.shell('workflow runs logs fails >/dev/full');
    expect(err).toMatch(/^error: the output cannot be written: ENOSPC.*\n$/);
    expect(code).toBe(1);
  });

  test('an empty key, as of a job whose secret is missing, is named by its variable', async () => {
    const { code, err } = await cli.shell('WORKFLOW_API_KEY= workflow whoami');
    expect([code, err]).toEqual([2, 'error: WORKFLOW_API_KEY is empty\n']);
    const folder = mkdtempSync(join(home, 'flows-'));
    writeFileSync(join(folder, 'environments.yaml'), `staging: {url: ${url}, organization_id: org-1}\n`);
    const own = await cli.shell(`WORKFLOW_API_KEY_STAGING= workflow diff ${folder} --env staging`);
    expect([own.code, own.err]).toEqual([2, 'error: WORKFLOW_API_KEY_STAGING is empty\n']);
  });

  test('an identity provider that is away is named', async () => {
    const closed = await startScriptedServer();
    await closed.close();
    const given = ['--url', url, '--issuer', closed.url, '--device', '--profile', 'other'];
    const { code, err } = await cli.piped('login', ...given);
    const { host } = new URL(closed.url);
    expect(err).toBe(`error: The identity provider ${host} cannot be reached (ECONNREFUSED)\n`);
    expect(code).toBe(1);
  });

  test('an unknown command is a usage error', async () => {
    expect((await cli.piped('nonsense')).code).toBe(2);
  });

  test('no README lets npx download the package of a stranger, which would get the key of a job', () => {
    for (const room of ['cli', 'client']) {
      const calls = readFileSync(join(ROOT, 'src', 'surfaces', room, 'README.md'), 'utf8').match(
        /npx .*workflow [^f]/g,
      );
      expect(calls?.length).toBeGreaterThan(0);
      expect(calls?.filter((call) => !/npx --no -- workflow /.test(call))).toEqual([]);
    }
  });

  test('the README names every command', () => {
    const readme = readFileSync(join(ROOT, 'src/surfaces/cli/README.md'), 'utf8');
    const all = createProgram(new Sessions(env)).commands.filter((command) => command.name() !== 'complete');
    const names = all.flatMap((command) => [command, ...command.commands]).map((command) => command.name());
    expect(names.filter((name) => !readme.includes(`\`${name}\``))).toEqual([]);
  });
});
