/** Every error code of the API with its meaning: those of the table, and those that `notFound` and `limitReached` make. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ERROR_CODES } from '../../src/base/error-codes.ts';

const SRC = fileURLToPath(new URL('../../src', import.meta.url));
/** Other programs, which refuse nothing. */
const APART = /^(?:surfaces|processes\/local|base\/db\/generated)\/|^base\/error-codes\.ts$/;

/** The source that may refuse a request, in one text. */
export const refusingSource = (): string =>
  readdirSync(SRC, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !APART.test(path))
    .map((path) => readFileSync(join(SRC, path), 'utf8'))
    .join('\n');

/** @returns what the calls of `notFound` say in a source, by their code */
export function readMissing(source: string): Record<string, string> {
  const calls = [...source.matchAll(/\bnotFound\(([^)]*)\)/g)].map(([, given = '']) => given);
  return Object.fromEntries(
    calls.map((given) => {
      const [, what, stem] = /^\s*'([^']+)'(?:,\s*'(\w+)')?,?\s*$/.exec(given) ?? [];
      if (what === undefined) throw new Error(`notFound(${given}) has no literals`);
      const words = what.replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase());
      return [`${stem ?? what.toLowerCase().replaceAll(' ', '_')}_not_found`, `no such ${words}`];
    }),
  );
}

/** @returns what the calls of `limitReached` say in a source, by their code */
export function readLimits(source: string): Record<string, string> {
  const calls = [...source.matchAll(/\blimitReached\(([^)]*)\)/g)].map(([, given = '']) => given);
  return Object.fromEntries(
    calls.map((given) => {
      const [, what] = /^\s*\w+,\s*'([^']+)',?\s*$/.exec(given) ?? [];
      if (what === undefined) throw new Error(`limitReached(${given}) has no literal`);
      const meaning = `the organization has the maximum number of ${what}s`;
      return [`${what.toLowerCase().replaceAll(' ', '_')}_limit_reached`, meaning];
    }),
  );
}

const sort = (meanings: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(meanings).toSorted(([one], [other]) => (one < other ? -1 : 1)));

/** The meanings by code, by status. */
export function listErrorCodes(): Record<string, Readonly<Record<string, string>>> {
  const source = refusingSource();
  return {
    ...ERROR_CODES,
    404: sort({ ...readMissing(source), ...ERROR_CODES[404] }),
    409: sort({ ...readLimits(source), ...ERROR_CODES[409] }),
  };
}
