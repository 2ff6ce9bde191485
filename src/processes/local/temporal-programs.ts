/**
 * Finds the programs of Temporal, or downloads or builds them once: the CLI, whose `server start-dev` is a real Temporal server, or the
 * server itself. All checkouts share the cached programs, which are stored only after they ran successfully.
 */
import { execFile, spawn } from 'node:child_process';
import { createWriteStream, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { systemClock } from '../../base/clock.ts';
import { BuildProgress } from './build-progress.ts';
import { findCacheDirectory } from './paths.ts';
import type { PrintLine } from './progress.ts';

/** The releases of `docker-compose.yml`; the CLI has both in it. */
const CLI_VERSION = '1.9.1';
const SERVER_VERSION = '1.32.0';
const UI_VERSION = '2.54.1';
const CONNECT_TIMEOUT_MS = 10_000;
const DOWNLOAD_TIMEOUT_MS = 300_000;
const REPORT_EVERY_MS = 5_000;

/** The CLI, or the server built with Go: `go install` cannot build the CLI, whose module has a `replace` directive. */
export interface TemporalProgram {
  readonly kind: 'cli' | 'server';
  readonly path: string;
}

/** Both are from one module and version, so one build makes them. */
interface ServerPrograms {
  readonly server: string;
  readonly sqlTool: string;
}

const run = promisify(execFile);

function findOnPath(program: string): string | null {
  const directories = (process.env['PATH'] ?? '').split(delimiter).filter((part) => part !== '');
  return directories.map((directory) => join(directory, program)).find((path) => existsSync(path)) ?? null;
}

const inCache = (name: string): string => join(findCacheDirectory(), name);

const CACHED = {
  cli: inCache(`temporal-${CLI_VERSION}`),
  server: inCache(`temporal-server-${SERVER_VERSION}`),
  sqlTool: inCache(`temporal-sql-tool-${SERVER_VERSION}`),
  ui: inCache(`temporal-ui-server-${UI_VERSION}`),
} as const;

/** Moves a program into the cache after it printed its version. */
async function storeInCache(program: string, target: string): Promise<string> {
  await run(program, ['--version'], { timeout: 30_000 });
  renameSync(program, target);
  return target;
}

/** Runs `use` with a directory beside the cached programs, so that a finished one can be renamed. */
async function withWorkspace<T>(use: (workspace: string) => Promise<T>): Promise<T> {
  const cache = findCacheDirectory();
  mkdirSync(cache, { recursive: true });
  const workspace = mkdtempSync(join(cache, 'unfinished-'));
  try {
    return await use(workspace);
  } finally {
    rmSync(workspace, { recursive: true, force: true });
  }
}

/** Reports the progress of a download every five seconds. */
function createMeter(total: number, say: PrintLine): Transform {
  let received = 0;
  let reported = systemClock.monotonic();
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      received += chunk.length;
      if (systemClock.monotonic() - reported > REPORT_EVERY_MS) {
        reported = systemClock.monotonic();
        const megabytes = (bytes: number): string => (bytes / 1_048_576).toFixed(0);
        say(`Temporal: ${megabytes(received)}${total > 0 ? ` of ${megabytes(total)}` : ''} MB`);
      }
      done(null, chunk);
    },
  });
}

async function download(workspace: string, say: PrintLine): Promise<string> {
  const arch = process.arch === 'x64' ? 'amd64' : process.arch;
  const file = `temporal_cli_${CLI_VERSION}_${process.platform}_${arch}.tar.gz`;
  const url = `https://github.com/temporalio/cli/releases/download/v${CLI_VERSION}/${file}`;
  say(`Temporal: downloading the CLI ${CLI_VERSION} from ${new URL(url).host}`);
  const abort = new AbortController();
  let timer = setTimeout(() => abort.abort(new Error('no response')), CONNECT_TIMEOUT_MS);
  try {
    const response = await fetch(url, { signal: abort.signal });
    if (!response.ok || response.body === null) throw new Error(`status ${response.status}`);
    clearTimeout(timer);
    timer = setTimeout(() => abort.abort(new Error('timed out')), DOWNLOAD_TIMEOUT_MS);
    const archive = join(workspace, file);
    const total = Number(response.headers.get('content-length') ?? 0);
    await pipeline(Readable.fromWeb(response.body), createMeter(total, say), createWriteStream(archive));
    await run('tar', ['-xzf', archive, '-C', workspace, 'temporal']);
    return join(workspace, 'temporal');
  } finally {
    clearTimeout(timer);
  }
}

interface Build {
  /** Commands of one module, which are named after the last part of their paths. */
  readonly commands: readonly string[];
  /** Packages that they consist of, by `go list -deps` in the module. */
  readonly packages: number;
}

/** Builds commands with Go. */
async function build(workspace: string, { commands, packages }: Build, say: PrintLine): Promise<void> {
  const go = findOnPath('go');
  if (go === null) throw new Error('a build needs Go, which is not on PATH');
  say(`Temporal: building with ${go} (go install ${commands.join(' ')}); takes 3 to 9 minutes, once`);
  const progress = new BuildProgress(packages, systemClock);
  const timer = setInterval(() => say(`Temporal: ${progress.describe()}`), REPORT_EVERY_MS);
  try {
    await new Promise<void>((resolve, reject) => {
      const child = spawn(go, ['install', '-v', ...commands], {
        env: { ...process.env, GOBIN: workspace },
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      // The system may end during a build that it does not wait for.
      const end = (): void => void child.kill();
      process.once('exit', end);
      let last = '';
      child.stderr.on('data', (chunk: Buffer) => {
        const text = chunk.toString();
        progress.take(text);
        last = `${last}${text}`.slice(-2_000);
      });
      child.once('error', reject);
      child.once('close', (code) => {
        process.off('exit', end);
        if (code === 0) resolve();
        else reject(new Error(`go exited with ${code}:\n${last}`));
      });
    });
  } finally {
    clearInterval(timer);
  }
}

/** Says whether the server and its SQL tool are in the cache. */
export const hasServerPrograms = (): boolean => existsSync(CACHED.server);

/** Finds the server and its SQL tool in the cache, or builds them. @throws Error without Go, or when the build fails */
export async function findServerPrograms(say: PrintLine): Promise<ServerPrograms> {
  if (!hasServerPrograms()) {
    await withWorkspace(async (workspace) => {
      const module = 'go.temporal.io/server/cmd';
      await build(
        workspace,
        {
          commands: [`${module}/server@v${SERVER_VERSION}`, `${module}/tools/sql@v${SERVER_VERSION}`],
          packages: 1_759,
        },
        say,
      );
      await storeInCache(join(workspace, 'sql'), CACHED.sqlTool);
      // Last, because its presence stands for both.
      await storeInCache(join(workspace, 'server'), CACHED.server);
    });
  }
  return CACHED;
}

/** Finds the server of Temporal's UI in the cache, or builds it. @throws Error without Go, or when the build fails */
export async function findUiServer(say: PrintLine): Promise<string> {
  if (!existsSync(CACHED.ui)) {
    await withWorkspace(async (workspace) => {
      const commands = [`github.com/temporalio/ui-server/v2/cmd/server@v${UI_VERSION}`];
      await build(workspace, { commands, packages: 432 }, say);
      await storeInCache(join(workspace, 'server'), CACHED.ui);
    });
  }
  return CACHED.ui;
}

/**
 * Finds the CLI (on PATH, in the cache) or the server (in the cache). Without either it downloads the CLI, or else builds the server.
 * @throws Error with instructions when none of these works
 */
export async function findTemporal(say: PrintLine): Promise<TemporalProgram> {
  const cli = findOnPath('temporal') ?? (existsSync(CACHED.cli) ? CACHED.cli : null);
  if (cli !== null) return { kind: 'cli', path: cli };
  if (hasServerPrograms()) return { kind: 'server', path: CACHED.server };
  const problems: string[] = [];
  const attempt = async (
    how: string,
    make: () => Promise<TemporalProgram>,
  ): Promise<TemporalProgram | null> => {
    try {
      return await make();
    } catch (error) {
      const cause = error instanceof Error && error.cause instanceof Error ? ` (${error.cause.message})` : '';
      const problem = `${how}: ${error instanceof Error ? error.message : String(error)}${cause}`;
      problems.push(problem);
      say(`Temporal: ${problem}`);
      return null;
    }
  };
  const found =
    (await attempt('download failed', () =>
      withWorkspace(async (workspace) => {
        const path = await storeInCache(await download(workspace, say), CACHED.cli);
        return { kind: 'cli', path };
      }),
    )) ??
    (await attempt('build failed', async () => ({
      kind: 'server',
      path: (await findServerPrograms(say)).server,
    })));
  if (found !== null) return found;
  throw new Error(
    `No Temporal server found.\n${problems.map((problem) => `  ${problem}\n`).join('')}` +
      'Do one of these and start again:\n' +
      '  install the Temporal CLI (https://docs.temporal.io/cli) so that `temporal` is on PATH;\n' +
      '  install Go 1.26.8 or newer, to build it here;\n' +
      '  set TEMPORAL_ADDRESS=host:port to a running server.',
  );
}
