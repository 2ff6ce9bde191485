/**
 * Finds the Temporal CLI, whose `server start-dev` is a real Temporal server; downloads or builds it once when there is
 * none. It goes to a cache that all checkouts share, and appears there only when it was seen to run.
 */
import { execFile, spawn } from 'node:child_process';
import { createWriteStream, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { cacheDirectory } from './paths.ts';
import type { Say } from './progress.ts';

/** Newer versions of the module have a `replace` directive, with which `go install` refuses them. */
const CLI_VERSION = '1.5.1';
const CONNECT_WITHIN_MS = 10_000;
const DOWNLOAD_WITHIN_MS = 300_000;
const REPORT_EVERY_MS = 5_000;

const run = promisify(execFile);

function onPath(program: string): string | null {
  const directories = (process.env['PATH'] ?? '').split(delimiter).filter((part) => part !== '');
  return directories.map((directory) => join(directory, program)).find((path) => existsSync(path)) ?? null;
}

/** Moves a program into the cache after it has told its version; what cannot run never gets there. */
async function adopt(program: string, target: string): Promise<string> {
  await run(program, ['--version'], { timeout: 30_000 });
  renameSync(program, target);
  return target;
}

/** Counts bytes as they pass and says so now and then. */
function meter(total: number, say: Say): Transform {
  let received = 0;
  let reported = performance.now();
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      received += chunk.length;
      if (performance.now() - reported > REPORT_EVERY_MS) {
        reported = performance.now();
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
  let timer = setTimeout(() => abort.abort(new Error('no answer')), CONNECT_WITHIN_MS);
  try {
    const response = await fetch(url, { signal: abort.signal });
    if (!response.ok || response.body === null) throw new Error(`it answered ${response.status}`);
    clearTimeout(timer);
    timer = setTimeout(() => abort.abort(new Error('it took too long')), DOWNLOAD_WITHIN_MS);
    const archive = join(workspace, file);
    const total = Number(response.headers.get('content-length') ?? 0);
    await pipeline(Readable.fromWeb(response.body), meter(total, say), createWriteStream(archive));
    await run('tar', ['-xzf', archive, '-C', workspace, 'temporal']);
    return join(workspace, 'temporal');
  } finally {
    clearTimeout(timer);
  }
}

async function build(go: string, workspace: string, say: Say): Promise<string> {
  const module = `github.com/temporalio/cli/cmd/temporal@v${CLI_VERSION}`;
  say(`Temporal: building it with ${go} (go install ${module}); this takes 2 to 6 minutes, once`);
  const begun = performance.now();
  const timer = setInterval(() => {
    say(`Temporal: still building, ${((performance.now() - begun) / 1000).toFixed(0)} s`);
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
        code === 0 ? resolve() : reject(new Error(`go ended with ${code}:\n${last}`)),
      );
    });
    return join(workspace, 'temporal');
  } finally {
    clearInterval(timer);
  }
}

/**
 * The path of a `temporal` program: on PATH, in the cache, downloaded, or built with Go, in this order.
 * @throws with what to install when none of these works
 */
export async function findTemporal(say: Say): Promise<string> {
  const cache = cacheDirectory();
  const cached = join(cache, 'temporal');
  const found = onPath('temporal') ?? (existsSync(cached) ? cached : null);
  if (found !== null) return found;
  mkdirSync(cache, { recursive: true });
  const workspace = mkdtempSync(join(cache, 'unfinished-'));
  const problems: string[] = [];
  const attempt = async (how: string, make: () => Promise<string>): Promise<string | null> => {
    try {
      return await adopt(await make(), cached);
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
    const go = onPath('go');
    const built = go === null ? null : await attempt('build failed', () => build(go, workspace, say));
    if (built !== null) return built;
    if (go === null) problems.push('building it needs Go, which is not on PATH');
  } finally {
    rmSync(workspace, { recursive: true, force: true });
  }
  throw new Error(
    `there is no Temporal server here.\n${problems.map((problem) => `  ${problem}\n`).join('')}` +
      'Do one of these and start again:\n' +
      '  install the Temporal CLI (https://docs.temporal.io/cli) so that `temporal` is on PATH;\n' +
      '  install Go 1.24 or newer, and it is built here;\n' +
      '  set TEMPORAL_ADDRESS=host:port to a server that runs elsewhere.',
  );
}
