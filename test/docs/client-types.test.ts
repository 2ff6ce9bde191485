/** A program would compile against types that the service does not serve. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CLIENT_TYPES, isCurrent } from './client-types.ts';
import { ROOT } from './readmes.ts';

test('the types of the client are those of the OpenAPI document: npm run docs', () => {
  const text = readFileSync(join(ROOT, CLIENT_TYPES), 'utf8');
  expect(isCurrent(text)).toBe(true);
  expect(isCurrent(`${text}\n`)).toBe(false);
});
