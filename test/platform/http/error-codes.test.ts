/** The documented table of error codes would miss a code that clients get, or list one that does not exist. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { ERROR_CODES } from '../../../src/base/error-codes.ts';
import { LAYER_BY_CODE, STATUS_BY_LAYER } from '../../../src/base/errors.ts';

const SRC = fileURLToPath(new URL('../../../src', import.meta.url));
/** Other programs, which refuse nothing. */
const APART = /^(?:web|client|cli|local|db\/generated)\/|^error-codes\.ts$/;

const CODES = Object.values(ERROR_CODES).flatMap((codes) => Object.keys(codes));

const sources = (): string =>
  readdirSync(SRC, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !APART.test(path))
    .map((path) => readFileSync(join(SRC, path), 'utf8'))
    .join('\n');

test('API-error-codes: no code stands for two refusals', () => {
  expect(CODES.filter((code, at) => CODES.indexOf(code) !== at)).toEqual([]);
});

test('API-error-codes: every documented code is that of a refusal', () => {
  const text = sources();
  const isUsed = (code: string): boolean => text.includes(`'${code}'`) || code in LAYER_BY_CODE;
  expect(CODES.filter((code) => !isUsed(code))).toEqual([]);
});

test('API-error-codes: the codes of the billing gate stand at the status of their layer', () => {
  for (const [code, layer] of Object.entries(LAYER_BY_CODE))
    expect(Object.keys(ERROR_CODES[STATUS_BY_LAYER[layer]])).toContain(code);
});
