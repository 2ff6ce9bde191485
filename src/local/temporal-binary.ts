/**
 * Finds the Temporal CLI, whose `server start-dev` is a real Temporal server, or downloads or builds it once. All checkouts
 * share the cached program, which is stored only after it ran successfully.
 */
import { execFile, spawn } from 'node:child_process';
import { createWriteStream, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { systemClock } from '../clock.ts';
import { findCacheDirectory } from './paths.ts';
import type { Say } from './progress.ts';

/** `go install` rejects newer versions of the module because of their `replace` directive. */
const CLI_VERSION = '1.5.1';
const CONNECT_TIMEOUT_MS = 10_000;
const DOWNLOAD_TIMEOUT_MS = 300_000;
const REPORT_EVERY_MS = 5_000;

const run = promisify(execFile);

function findOnPath(program: string): string | null {
  const directories = (process.env['PATH'] ?? '').split(delimiter).filter((part) => part !== '');
  return directories.map((directory) => join(directory, program)).find((path) => existsSync(path)) ?? null;
}

/** Moves a program into the cache after it printed its version. */
async function storeInCache(program: string, target: string): Promise<string> {
  await run(program, ['--version'], { timeout: 30_000 });
  renameSync(program, target);
  return target;
}

/** Reports the progress of a download every five seconds. */
function createMeter(total: number, say: Say): Transform {
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

async function download(workspace: string, say: Say): Promise<string> {
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

async function build(go: string, workspace: string, say: Say): Promise<string> {
  const module = `github.com/temporalio/cli/cmd/temporal@v${CLI_VERSION}`;
  say(`Temporal: building the CLI with ${go} (go install ${module}); takes 2 to 6 minutes, once`);
  const startedMs = systemClock.monotonic();
  const timer = setInterval(() => {
    say(`Temporal: still building, ${((systemClock.monotonic() - startedMs) / 1000).toFixed(0)} s`);
  }, REPORT_EVERY_MS);
  try {
    await new Promise<void>((resolve, reject) => {
      const child = spawn(go, ['install', module], {
        env: { ...process.env, GOBIN: workspace },
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      let last = '';
      child.stderr.on('data', (chunk: Buffer) => (last = `${last}${chunk.toString()}`.slice(-2_000)));
      child.once('error', reject);
      child.once('close', (code) =>
        code === 0 ? resolve() : reject(new Error(`go exited with ${code}:\n${last}`)),
      );
    });
    return join(workspace, 'temporal');
  } finally {
    clearInterval(timer);
  }
}

/**
 * Finds the `temporal` program on PATH or in the cache, else downloads it or builds it with Go.
 * @throws Error with instructions when none of these works
 */
export async function findTemporal(say: Say): Promise<string> {
  const cache = findCacheDirectory();
  const cached = join(cache, 'temporal');
  const found = findOnPath('temporal') ?? (existsSync(cached) ? cached : null);
  if (found !== null) return found;
  mkdirSync(cache, { recursive: true });
  const workspace = mkdtempSync(join(cache, 'unfinished-'));
  const problems: string[] = [];
  const attempt = async (how: string, make: () => Promise<string>): Promise<string | null> => {
    try {
      return await storeInCache(await make(), cached);
    } catch (error) {
      const cause = error instanceof Error && error.cause instanceof Error ? ` (${error.cause.message})` : '';
      const problem = `${how}: ${error instanceof Error ? error.message : String(error)}${cause}`;
      problems.push(problem);
      say(`Temporal: ${problem}`);
      return null;
    }
  };
  try {
    const downloaded = await attempt('download failed', () => download(workspace, say));
    if (downloaded !== null) return downloaded;
    const go = findOnPath('go');
    const built = go === null ? null : await attempt('build failed', () => build(go, workspace, say));
    if (built !== null) return built;
    if (go === null) problems.push('a build needs Go, which is not on PATH');
  } finally {
    rmSync(workspace, { recursive: true, force: true });
  }
  throw new Error(
    `No Temporal server found.\n${problems.map((problem) => `  ${problem}\n`).join('')}` +
      'Do one of these and start again:\n' +
      '  install the Temporal CLI (https://docs.temporal.io/cli) so that `temporal` is on PATH;\n' +
      '  install Go 1.24 or newer, to build it here;\n' +
      '  set TEMPORAL_ADDRESS=host:port to a running server.',
  );
}
