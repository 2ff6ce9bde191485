/** Pages are built once for all test files of a run, beside the built service. */
import { existsSync, mkdirSync, renameSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';
import '../../../support/provided.ts';
import { eventually } from '../../../support/waiting.ts';

/** What is tested is what is shipped: under a test's own NODE_ENV it would hold React's development build. */
async function buildAsShipped(build: (outDir: string) => Promise<void>, outDir: string): Promise<void> {
  const { NODE_ENV } = process.env;
  process.env['NODE_ENV'] = 'production';
  try {
    await build(outDir);
  } finally {
    if (NODE_ENV === undefined) delete process.env['NODE_ENV'];
    else process.env['NODE_ENV'] = NODE_ENV;
  }
}

/** Builds the page called `name`, or waits until another process has. @returns its folder */
export async function buildOnce(name: string, build: (outDir: string) => Promise<void>): Promise<string> {
  const outDir = join(inject('builtService'), name);
  const [lock, unfinished] = [`${outDir}.lock`, `${outDir}.unfinished`];
  return eventually('the page to be built', 170_000, async () => {
    if (existsSync(outDir)) return outDir;
    try {
      mkdirSync(lock);
    } catch {
      // Another process builds it.
      return null;
    }
    try {
      if (existsSync(outDir)) return outDir;
      await buildAsShipped(build, unfinished);
      renameSync(unfinished, outDir);
      return outDir;
    } finally {
      rmdirSync(lock);
    }
  });
}
