/** A program that uses the packed client could not install or compile it, or would lose events when a process dies. */
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { toDraft, WorkflowClient, type RunEvent } from '../../src/surfaces/client/client.ts';
import { ROOT } from '../../src/processes/local/paths.ts';
import { json, startScriptedServer } from '../surfaces/client/support/scripted-server.ts';
import { noteFigures } from '../support/figures.ts';
import type { StreamFrame } from '../support/event-stream.ts';
import { findPython, makePythonPackage } from '../support/python.ts';
import { misread } from './support/promises.ts';
import { given, mixed } from './support/shapes.ts';
import { startSituation, type Situation } from './support/situation.ts';

const run = promisify(execFile);

let situation: Situation;
let access: { readonly baseUrl: string; readonly token: string; readonly organizationId: string };
beforeAll(async () => {
  situation = await startSituation();
  const { apis, headers, organizationId } = situation.service;
  const token = (headers['authorization'] ?? '').replace('Bearer ', '');
  access = { baseUrl: apis[0].url, token, organizationId };
});
afterAll(() => situation.close());

test('kill -9 of the API in the middle of run.events(): the iteration goes on without a gap or a repetition', async () => {
  const { recorder, service, db } = situation;
  const [api] = service.apis;
  const client = new WorkflowClient(access);
  const key = randomUUID();
  const held = await client.runs.start({
    workflow: toDraft(mixed(recorder)),
    input: given(key, { holds: { get2: 1 } }),
  });
  const frames: RunEvent[] = [];
  const reading = (async () => {
    for await (const event of held.events()) if ('seq' in event) frames.push(event);
  })();
  await recorder.waitFor(`${key}.get2`, 1);
  await expect.poll(() => frames.length).toBeGreaterThan(5);
  await api.kill();
  recorder.release();
  await api.start();
  await reading;
  const end = await held.result();
  expect(end.status).toBe('completed');
  const read = {
    frames: frames.map((frame) => ({ ...frame }) as StreamFrame),
    connections: 2,
    end: { ...end } as StreamFrame,
  };
  expect(await misread(db, held.runId, read)).toEqual([]);
});

/** Starts a thousand runs, asks for something else meanwhile, and waits for them all. */
const CROWD = `
const [module, baseUrl] = process.argv.slice(-2);
const { WorkflowClient } = await import(module);
const client = new WorkflowClient({ baseUrl, token: 'svc_live_test', organizationId: 'org' });
const runs = Array.from({ length: 1000 }, async () => (await client.runs.start({ workflow_id: 'w' })).result());
await client.workflows.get('w');
const ends = await Promise.all(runs);
const completed = ends.filter((end) => end.status === 'completed').length;
console.log(JSON.stringify({ completed, peakMb: process.resourceUsage().maxRSS / 1000 }));
`;

test('a thousand runs at once keep at most 64 sockets and 150 MB of a process, and calls do not wait for streams', async () => {
  const server = await startScriptedServer();
  const waiting: (() => void)[] = [];
  let isOpen = false;
  server.handler = ({ url }, response) => {
    if (url === '/workflows/run') return json(response, 200, { run_id: `r${server.requests.length}` });
    if (!url.startsWith('/workflows/listen')) {
      isOpen = true;
      for (const end of waiting) end();
      return json(response, 200, {});
    }
    const end = { type: 'run_completed', run_id: 'r', status: 'completed', seq: 1 };
    response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
    const tell = (): void => void response.end(`id: 1\ndata: ${JSON.stringify(end)}\n\n`);
    if (isOpen) tell();
    else waiting.push(tell);
  };
  try {
    const module = pathToFileURL(join(inject('builtService'), 'src', 'surfaces', 'client', 'client.js')).href;
    const args = ['--input-type=module', '--eval', CROWD, module, server.url];
    const { stdout } = await run(process.execPath, args);
    const { completed, peakMb } = JSON.parse(stdout) as { completed: number; peakMb: number };
    noteFigures('1,000 runs at once', { sockets: server.maxSockets, 'MB at most': peakMb });
    expect(completed).toBe(1_000);
    expect(waiting.length).toBeGreaterThan(15);
    expect(server.maxSockets).toBeLessThanOrEqual(64);
    expect(peakMb).toBeLessThanOrEqual(150);
  } finally {
    await server.close();
  }
});

/** Type-checked under `strict`, then run: it deploys a workflow and prints how its run ends. */
const PROGRAM = `
import { overSocket } from 'workflow-automation-client/canvas';
import { WorkflowClient, type RunEnd } from 'workflow-automation-client';

const [baseUrl = '', token = '', organizationId = ''] = process.argv.slice(2);
const client = new WorkflowClient({ baseUrl, token: async () => token, organizationId });
const workflow = await client.workflows.create({
  name: 'Installed',
  workflow_schema: {
    nodes: [{ id: 'hello', type: 'transformer', config: { mode: 'template', template: 'Hello {{input.name}}' } }],
    edges: [
      { id: 'e1', source: '__start__', target: 'hello' },
      { id: 'e2', source: 'hello', target: '__end__' },
    ],
  },
});
await client.workflows.deploy(workflow.id);
const run = await client.runs.start({ workflow_id: workflow.id, input: { name: 'Ada' } });
const types: string[] = [];
for await (const event of run.events()) types.push(event.type);
const end: RunEnd = await run.result();
for await (const listed of client.runs.list({ workflow_id: workflow.id })) types.push(listed.status);
const { id } = await run.record();
// @ts-expect-error there is no such path
const missing = () => client.request('GET', '/workflow');
console.log(JSON.stringify({ end: end.type, types, found: id === run.runPk, canvas: typeof overSocket, missing: typeof missing }));
`;
const TSCONFIG = {
  compilerOptions: {
    strict: true,
    skipLibCheck: false,
    target: 'es2022',
    lib: ['es2023', 'dom'],
    module: 'nodenext',
    types: [],
    outDir: 'out',
  },
  files: ['program.ts', 'process.d.ts'],
};

test('packed and installed in an empty folder, it type-checks under strict and runs a workflow', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'client-'));
  try {
    const pack = ['run', '--silent', 'package', '--', '--silent', '--pack-destination', folder];
    const { stdout: name } = await run('npm', pack, { cwd: ROOT });
    const app = join(folder, 'app');
    mkdirSync(app);
    writeFileSync(join(app, 'package.json'), '{ "name": "app", "private": true, "type": "module" }');
    writeFileSync(join(app, 'program.ts'), PROGRAM);
    writeFileSync(join(app, 'process.d.ts'), 'declare const process: { readonly argv: string[] };');
    writeFileSync(join(app, 'tsconfig.json'), JSON.stringify(TSCONFIG));
    const flags = ['--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund'];
    await run('npm', ['install', ...flags, join(folder, name.trim())], { cwd: app });
    await run(join(ROOT, 'node_modules', '.bin', 'tsc'), ['-p', app]).catch((error: { stdout: string }) => {
      throw new Error(error.stdout);
    });
    const { baseUrl, token, organizationId } = access;
    const { stdout } = await run(process.execPath, ['out/program.js', baseUrl, token, organizationId], {
      cwd: app,
    });
    const told = JSON.parse(stdout) as { types: string[] };
    expect(told).toMatchObject({
      end: 'run_completed',
      found: true,
      canvas: 'function',
      missing: 'function',
    });
    expect(told.types[0]).toBe('run_started');
    expect(told.types.slice(-2)).toEqual(['run_completed', 'succeeded']);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('the Python package starts, follows, answers, cancels, uploads and lists, blocking and with asyncio', async ({
  skip,
}) => {
  const python = await findPython();
  if (python === null) return skip();
  const folder = mkdtempSync(join(tmpdir(), 'python-'));
  try {
    const { baseUrl: API, token: KEY, organizationId: ORG } = access;
    const env = { PATH: process.env['PATH'], PYTHONPATH: await makePythonPackage(folder), API, KEY, ORG };
    const program = join(ROOT, 'test', 'faults', 'support', 'program.py');
    const { stdout } = await run(python, ['-B', program], { env, timeout: 120_000 });
    expect(JSON.parse(stdout)).toEqual({
      blocking: {
        same: true,
        events: ['run_started', 'node_started', 'node_completed', 'run_completed'],
        end: 'completed',
        listed: ['succeeded'],
        found: true,
        asked: ['run_interrupted', 'run_interrupted', 'run_completed'],
        twice: 410,
        cancelled: 'run_cancelled',
        document: 'completed',
        documents: ['refunds.txt'],
      },
      asyncio: { completed: 30, answered: 'run_completed' },
    });
    const readme = readFileSync(join(ROOT, 'src', 'surfaces', 'client', 'python', 'README.md'), 'utf8');
    const shown = /```python\n([\s\S]*?)```/.exec(readme)?.[1] ?? '';
    const told = (await run(python, ['-B', '-c', shown], { env, timeout: 60_000 })).stdout;
    expect(told.trim().split('\n')).toEqual(["hello {'text': 'Hello Ada'}", 'completed']);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

/** The long campaign takes 500, which are more than the key may send in a minute. */
const CROWD_RUNS = Number(process.env['CLIENT_RUNS'] ?? 60);

test(
  `${CROWD_RUNS} runs at once with one key of 1,000 a minute end, none is lost`,
  { timeout: 600_000 },
  async () => {
    const admin = new WorkflowClient(access);
    const account = await admin.serviceAccounts.create({ name: 'Crowd', rate_limit_per_minute: 1_000 });
    const { key: token } = await admin.serviceAccounts.createKey(account.id, { name: 'Crowd' });
    const { runs } = new WorkflowClient({ ...access, token });
    const hello = {
      id: 'hello',
      type: 'transformer' as const,
      config: { mode: 'template' as const, template: 'Hello {{input.name}}' },
    };
    const edges = [
      { source: '__start__', target: 'hello' },
      { source: 'hello', target: '__end__' },
    ];
    const body = { workflow: { nodes: [hello], edges }, input: { name: 'Ada' } };
    const started = await Promise.all(Array.from({ length: CROWD_RUNS }, () => runs.start(body)));
    const ends: string[] = [];
    for await (const { run: followed, event } of runs.follow(started))
      if (event.type === 'run_completed') ends.push(followed.runId);
    expect(new Set(ends)).toEqual(new Set(started.map(({ runId }) => runId)));
    expect(ends).toHaveLength(CROWD_RUNS);
  },
);

/** Starts a run with the generated models and reads its events with them. */
const MADE_PYTHON = `
import os, compileall
from httpx_sse import connect_sse
from made import AuthenticatedClient
from made.api.runs import start_run
from made.models import CreateRun, JsonObject, NodeCompletedFrame, RunCompletedFrame, RunStartedOrEnded

assert compileall.compile_dir("made", quiet=1)
client = AuthenticatedClient(base_url=os.environ["API"], token=os.environ["KEY"])
hello = {"id": "hello", "type": "transformer", "config": {"mode": "template", "template": "Hello {{input.name}}"}}
edges = [{"source": "__start__", "target": "hello"}, {"source": "hello", "target": "__end__"}]
body = CreateRun(
    workflow=JsonObject.from_dict({"nodes": [hello], "edges": edges}), input_=JsonObject.from_dict({"name": "Ada"})
)
run = start_run.sync(client=client, body=body, x_organization_id=os.environ["ORG"])
assert isinstance(run, RunStartedOrEnded), run
headers = {"X-Organization-ID": os.environ["ORG"]}
with connect_sse(client.get_httpx_client(), "GET", f"/workflows/listen/{run.run_id}", headers=headers) as stream:
    for message in stream.iter_sse():
        event = message.json()
        if event["type"] == "node_completed":
            print(NodeCompletedFrame.from_dict(event).output["text"])
        if event["type"] == "run_completed":
            print(RunCompletedFrame.from_dict(event).status)
            break
`;

test('openapi-python-client makes a client without a warning, and its models start a run and read its events', async ({
  skip,
}) => {
  const bin = await findPython();
  if (bin === null) return skip();
  const folder = mkdtempSync(join(tmpdir(), 'python-client-'));
  try {
    // Its last step formats what it made, which nobody reads here. Of exports it must be told what they are.
    const config =
      'post_hooks: []\ncontent_type_overrides: { application/jsonl: application/octet-stream }\n';
    writeFileSync(join(folder, 'config.yml'), config);
    const document = await fetch(`${access.baseUrl}/openapi.json`);
    writeFileSync(join(folder, 'openapi.json'), await document.text());
    const files = ['--path', 'openapi.json', '--config', 'config.yml', '--output-path', 'made'];
    const made = run(
      bin,
      ['-m', 'openapi_python_client', 'generate', ...files, '--meta', 'none', '--fail-on-warning'],
      { cwd: folder },
    ).catch((error: { stdout: string; stderr: string }) => ({ stdout: error.stdout + error.stderr }));
    expect((await made).stdout.trim()).toBe('Generating made');
    const { baseUrl: API, token: KEY, organizationId: ORG } = access;
    writeFileSync(join(folder, 'program.py'), MADE_PYTHON);
    const env = { PATH: process.env['PATH'], API, KEY, ORG };
    const { stdout } = await run(bin, ['program.py'], { cwd: folder, env, timeout: 60_000 });
    expect(stdout.trim().split('\n')).toEqual(['Hello Ada', 'completed']);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

/** Type-checked under `strict`, then run. */
const MADE_TYPESCRIPT = `
import { client } from './made/client.gen';
import { listenToRun, startRun, type WorkflowDefinition } from './made/index';

const [baseUrl = '', token = '', organization = ''] = process.argv.slice(2);
client.setConfig({ baseUrl, auth: token });
const headers = { 'X-Organization-ID': organization };
const workflow: WorkflowDefinition = {
  nodes: [{ id: 'hello', type: 'transformer', config: { mode: 'template', template: 'Hello {{input.name}}' } }],
  edges: [{ source: '__start__', target: 'hello' }, { source: 'hello', target: '__end__' }],
};
const { data } = await startRun({ headers, body: { workflow, input: { name: 'Ada' } }, throwOnError: true });
if (!('run_id' in data) || data.run_id === null) throw new Error('not started');
const { stream } = await listenToRun({ headers, path: { run_id: data.run_id } });
for await (const event of stream as AsyncIterable<{ type: string; output?: { text?: string } }>) {
  if (event.type === 'node_completed') console.log(event.output?.text);
  if (event.type === 'run_completed') {
    console.log(event.type);
    break;
  }
}
process.exit();
`;

test('@hey-api/openapi-ts makes a client that compiles under strict, starts a run and follows it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hey-api-'));
  try {
    writeFileSync(join(folder, 'package.json'), '{ "name": "app", "private": true, "type": "module" }');
    const document = await fetch(`${access.baseUrl}/openapi.json`);
    writeFileSync(join(folder, 'openapi.json'), await document.text());
    const flags = ['--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund'];
    await run('npm', ['install', ...flags, '@hey-api/openapi-ts@0.99.0', 'typescript@5.9.3'], {
      cwd: folder,
    });
    const make = ['openapi-ts', '-i', 'openapi.json', '-o', 'made', '-c', '@hey-api/client-fetch'];
    await run('npx', ['--no-install', ...make], { cwd: folder });
    writeFileSync(join(folder, 'program.ts'), MADE_TYPESCRIPT);
    const compilerOptions = {
      strict: true,
      noEmit: true,
      target: 'es2022',
      lib: ['es2023', 'dom', 'dom.iterable'],
    };
    const modules = { module: 'esnext', moduleResolution: 'bundler', types: [], skipLibCheck: true };
    const files = ['program.ts', 'process.d.ts'];
    writeFileSync(
      join(folder, 'process.d.ts'),
      'declare const process: { readonly argv: string[]; exit(): void };',
    );
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ compilerOptions: { ...compilerOptions, ...modules }, files }),
    );
    await run('npx', ['--no-install', 'tsc', '-p', '.'], { cwd: folder }).catch(
      (error: { stdout: string }) => {
        throw new Error(error.stdout);
      },
    );
    const { baseUrl, token, organizationId } = access;
    const tsx = join(ROOT, 'node_modules', '.bin', 'tsx');
    const { stdout } = await run(tsx, ['program.ts', baseUrl, token, organizationId], {
      cwd: folder,
      timeout: 60_000,
    });
    expect(stdout.trim().split('\n')).toEqual(['Hello Ada', 'run_completed']);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

/** Others than the two above need the tools of their languages, and minutes: GENERATED_CLIENTS names those to try. */
const GENERATORS = ['typescript-fetch', 'python', 'go', 'java', 'rust', 'oapi-codegen', 'ogen', 'progenitor'];
const chosen = (process.env['GENERATED_CLIENTS'] ?? '').split(',');

test.for(GENERATORS)(
  'a client that %s makes of the OpenAPI document compiles, starts a run and follows it',
  { timeout: 1_800_000 },
  async (generator, { skip }) => {
    if (!chosen.includes(generator)) return skip();
    const folder = mkdtempSync(join(tmpdir(), 'generated-client-'));
    try {
      const script = join(ROOT, 'test', 'faults', 'support', 'generated-clients', 'run.sh');
      const hello = { id: 'hello', type: 'transformer', config: { mode: 'template', template: 'Hello' } };
      const edges = [
        { source: '__start__', target: 'hello' },
        { source: 'hello', target: '__end__' },
      ];
      const { baseUrl: API, token: KEY, organizationId: ORG } = access;
      const BODY = JSON.stringify({ workflow: { nodes: [hello], edges } });
      const env = { ...process.env, API, KEY, ORG, BODY };
      const { stdout } = await run('bash', [script, generator], { cwd: folder, env });
      expect(stdout.toLowerCase().trim().split('\n').slice(-2)).toEqual(['hello', 'completed']);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
);
