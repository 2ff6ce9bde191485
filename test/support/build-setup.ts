/**
 * Builds the service once for the tests that start its real processes: built code starts in a second and needs no
 * bundling, so a killed process is back soon. The build lies below the checkout, where its imports find node_modules.
 */
import './provided.ts';
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { TestProject } from 'vitest/node';
import { DATA, ROOT } from '../../src/processes/local/paths.ts';
import { share } from './shared-server.ts';

const run = promisify(execFile);

interface Build {
  readonly target: string;
  stop(): Promise<void>;
}

async function compile(): Promise<Build> {
  const target = join(DATA, `test-build-${process.pid}`);
  rmSync(target, { recursive: true, force: true });
  const compiler = join(ROOT, 'node_modules', '.bin', 'tsc');
  // The types are checked by `npm run check:static`.
  const options = ['--outDir', target, '--sourceMap', 'false', '--noCheck'];
  await run(compiler, ['-p', join(ROOT, 'prisma', 'tsconfig.build.json'), ...options]);
  // A process compares its database with the migrations of its build.
  mkdirSync(join(target, 'prisma'), { recursive: true });
  symlinkSync(join(ROOT, 'prisma', 'migrations'), join(target, 'prisma', 'migrations'));
  return {
    target,
    stop: () => Promise.resolve(rmSync(target, { recursive: true, force: true })),
  };
}

async function bundle(target: string): Promise<{ stop(): Promise<void> }> {
  await run(process.execPath, [join(target, 'temporal', 'worker', 'bundle.js')], { maxBuffer: 10_000_000 });
  if (!existsSync(join(target, 'temporal', 'worker', 'interpreter-bundle.js')))
    throw new Error('The build has no bundle');
  return { stop: () => Promise.resolve() };
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { server: build, leave } = await share('build', compile);
  project.provide('builtService', build.target);
  // Only what has a worker needs the interpreter's bundle, which takes as long as the rest.
  if (project.name === 'api') return leave;
  const bundled = await share('bundle', () => bundle(build.target));
  return async () => {
    await bundled.leave();
    await leave();
  };
}
