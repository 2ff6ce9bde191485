/**
 * Builds the service once for the tests that start its real processes: built code starts in a second and needs no
 * bundling, so a killed process is back soon. The build lies below the checkout, where its imports find node_modules.
 */
import { execFile } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { TestProject } from 'vitest/node';
import { DATA, ROOT } from '../../src/local/paths.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The built service: `src/serve-api.js`, `temporal/serve-worker.js`. */
    readonly builtService: string;
  }
}

const run = promisify(execFile);

export default async function setup(project: TestProject): Promise<() => void> {
  const target = join(DATA, `test-build-${process.pid}`);
  rmSync(target, { recursive: true, force: true });
  const compiler = join(ROOT, 'node_modules', '.bin', 'tsc');
  // The types are checked by `npm run check:static`.
  const options = ['--outDir', target, '--sourceMap', 'false', '--noCheck'];
  await run(compiler, ['-p', join(ROOT, 'prisma', 'tsconfig.build.json'), ...options]);
  await run(process.execPath, [join(target, 'temporal', 'worker', 'bundle.js')], { maxBuffer: 10_000_000 });
  if (!existsSync(join(target, 'temporal', 'worker', 'interpreter-bundle.js')))
    throw new Error('The build has no bundle');
  project.provide('builtService', target);
  return () => rmSync(target, { recursive: true, force: true });
}
