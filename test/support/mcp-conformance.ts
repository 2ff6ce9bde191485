/** The official conformance suite of MCP against a server: installed by its exact version beside the tests, not with them. */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../../src/processes/local/paths.ts';

const PACKAGE = '@modelcontextprotocol/conformance';
const VERSION = '0.2.0-alpha.12';
/** For one scenario on a machine that is busy. */
const PATIENCE_MS = '120000';

const run = promisify(execFile);

/** Installs the suite. @returns its program; null, with the reason in the output, where it cannot be installed */
export async function installConformance(): Promise<string | null> {
  const folder = join(ROOT, '.data', `mcp-conformance-${VERSION}`);
  const dist = join(folder, 'node_modules', PACKAGE, 'dist');
  const program = join(dist, 'on-this-node.js');
  const made = await readFile(program).catch(() => null);
  if (made !== null) return program;
  try {
    await mkdir(folder, { recursive: true });
    await run('npm', ['install', '--prefix', folder, '--no-audit', '--no-fund', `${PACKAGE}@${VERSION}`]);
    // A report that is not used here imports fs.globSync, which Node 20 does not have.
    const text = await readFile(join(dist, 'index.js'), 'utf8');
    await writeFile(program, text.replace(/globSync as \w+,/, ''));
    return program;
  } catch (error) {
    console.log(`skipped, there is no conformance suite: ${String(error).slice(0, 300)}`);
    return null;
  }
}

/** Passes requests on with a credential, because the suite sends none. */
async function startProxy(target: string, token: string): Promise<{ url: string; close: () => void }> {
  const server = createServer((from, to) => {
    const headers = { ...from.headers, authorization: `Bearer ${token}` };
    const on = request(target, { method: from.method, headers }, (answer) => {
      to.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(to);
    });
    on.on('error', () => to.destroy());
    to.on('close', () => on.destroy());
    from.pipe(on);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/mcp`, close: () => void server.close() };
}

interface Check {
  readonly id: string;
  readonly status: string;
  readonly errorMessage?: string;
}

/** The scenarios of the extension for tasks; those of a revision of the protocol do not include them. */
const TASKS = [
  'tasks-lifecycle',
  'tasks-capability-negotiation',
  'tasks-wire-fields',
  'tasks-request-state-removal',
  'tasks-mrtr-input',
  'tasks-request-headers',
  'tasks-dispatch-and-envelope',
  'tasks-status-notifications',
  'tasks-required-task-error',
  'tasks-mrtr-composition',
];

/** Reads the checks that failed from the folders of the scenarios, `server-<scenario>-<time>`. */
async function readFailures(results: string): Promise<Map<string, string>> {
  const failed = new Map<string, string>();
  for (const folder of await readdir(results)) {
    const scenario = folder.replace(/^server-/, '').replace(/-\d{4}-\d\d-\d\dT.*$/, '');
    const checks = JSON.parse(await readFile(join(results, folder, 'checks.json'), 'utf8')) as Check[];
    for (const { id, status, errorMessage } of checks)
      if (status === 'FAILURE') failed.set(`${scenario}:${id}`, errorMessage ?? '');
  }
  return failed;
}

/**
 * Runs the scenarios of revision 2026-07-28 and of tasks.
 * @returns how many scenarios were run, and the checks that failed, as `scenario:check`, with what they say
 */
export async function runConformance(
  program: string,
  target: string,
  token: string,
): Promise<{ readonly scenarios: number; readonly failed: ReadonlyMap<string, string> }> {
  const proxy = await startProxy(target, token);
  const results = await mkdtemp(join(tmpdir(), 'mcp-conformance-'));
  // The exit code says only that a check failed.
  const start = (...which: string[]): Promise<unknown> =>
    run(
      process.execPath,
      [program, 'server', '--url', proxy.url, '--timeout', PATIENCE_MS, ...which, '-o', results],
      {
        maxBuffer: 2 ** 26,
      },
    ).catch(() => null);
  try {
    // Three at once: most of their time they wait, and more would make each slower than it allows.
    const tasks = TASKS.values();
    const runTasks = async (): Promise<void> => {
      for (const name of tasks) await start('--scenario', name);
    };
    await Promise.all([start('--suite', 'all', '--spec-version', '2026-07-28'), runTasks(), runTasks()]);
    return { scenarios: (await readdir(results)).length, failed: await readFailures(results) };
  } finally {
    proxy.close();
    await rm(results, { recursive: true, force: true });
  }
}
