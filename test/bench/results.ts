/** What a finished bench found, as an object: printed as JSON, kept as a file under results/, and shown again as tables. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../src/processes/local/paths.ts';
import type { Goal } from './goals.ts';
import type { Row } from './part.ts';

export interface Results {
  readonly goals: readonly Goal[];
  readonly rows: readonly Row[];
  readonly broken: readonly { readonly part: string; readonly error: string }[];
  /** What the figures depend on: the machine, the servers, the method. */
  readonly settings: readonly string[];
  readonly options: object;
}

/**
 * Keeps results as `test/bench/results/<date>.json`; a second run of a day replaces the first.
 * @returns the file
 */
export function saveResults(results: Results): string {
  const folder = join(ROOT, 'test', 'bench', 'results');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${new Date().toISOString().slice(0, 10)}.json`);
  writeFileSync(file, `${JSON.stringify(results, null, 1)}\n`);
  return file;
}

/** Reads a file of `--save`, or the output of `--json`. @throws when there is no object in it */
export function readResults(file: string): Results {
  const text = readFileSync(file, 'utf8');
  return JSON.parse(text.slice(Math.max(0, text.indexOf('{')))) as Results;
}
