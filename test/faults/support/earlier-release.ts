/**
 * The release before, built from the history of the checkout, once for each commit. Its commit is in `earlier-release.txt`: that
 * of the last release, from which operators upgrade.
 */
import { execFile, execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { DATA, ROOT } from '../../../src/processes/local/paths.ts';

const run = promisify(execFile);
const LONG_OUTPUT = { maxBuffer: 10_000_000 };

export const EARLIER_COMMIT = readFileSync(new URL('earlier-release.txt', import.meta.url), 'utf8').trim();

const git = (...args: readonly string[]): string =>
  execFileSync('git', args, {
    cwd: ROOT,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    ...LONG_OUTPUT,
  });

/** Whether this checkout has the history up to that release; a shallow clone or an archive has not. */
export function hasEarlierRelease(): boolean {
  try {
    git('cat-file', '-e', `${EARLIER_COMMIT}^{commit}`);
    return true;
  } catch {
    return false;
  }
}

const dependencies = (lock: string): string => {
  const { packages } = JSON.parse(lock) as { packages: Record<string, { version?: string }> };
  return JSON.stringify({ ...packages, '': { ...packages[''], version: '' } });
};

/** Builds the release, or finds its build. @returns its `dist` */
export async function buildEarlierRelease(): Promise<string> {
  const release = join(DATA, `release-${EARLIER_COMMIT.slice(0, 12)}`);
  const dist = join(release, 'dist');
  if (existsSync(release)) return dist;
  const place = `${release}-${process.pid}`;
  rmSync(place, { recursive: true, force: true });
  mkdirSync(place, { recursive: true });
  const tar = join(place, 'source.tar');
  git('archive', `--output=${tar}`, EARLIER_COMMIT, 'src', 'temporal', 'prisma', ...FILES);
  await run('tar', ['-xf', tar, '-C', place]);
  rmSync(tar);
  const lock = readFileSync(join(place, 'package-lock.json'), 'utf8');
  // Below the checkout its imports find the checkout's packages.
  const isShared = dependencies(lock) === dependencies(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
  if (!isShared)
    await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: place, ...LONG_OUTPUT });
  const packages = isShared ? ROOT : place;
  const program = (path: string): string => join(packages, 'node_modules', path);
  const node = (args: readonly string[], environment: NodeJS.ProcessEnv = {}): Promise<unknown> =>
    run(process.execPath, args, { cwd: place, env: { ...process.env, ...environment }, ...LONG_OUTPUT });
  await node([program('prisma/build/index.js'), 'generate', '--config', 'prisma/prisma.config.ts'], {
    PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
    CHECKPOINT_DISABLE: '1',
    PRISMA_HIDE_UPDATE_MESSAGE: '1',
  });
  await run(program('.bin/tsc'), ['-p', 'prisma/tsconfig.build.json', '--sourceMap', 'false', '--noCheck'], {
    cwd: place,
  });
  await node([join(place, 'dist', 'temporal', 'worker', 'bundle.js')]);
  renameSync(place, release);
  return dist;
}

const FILES = ['package.json', 'package-lock.json', 'tsconfig.json'];

/** Brings a database to the schema of that release. */
export async function migrateToEarlierRelease(dist: string, databaseUrl: string): Promise<void> {
  await run(process.execPath, [join(dist, 'src', 'db', 'migrate.js')], {
    env: { PATH: process.env['PATH'], DATABASE_URL: databaseUrl },
  });
}
