/** The response in an error would be larger than its bound, or cut through a character. */
import { expect, test } from 'vitest';
import { boundResponse } from '../../../src/language/nodes/error-response.ts';
import type { Json } from '../../../src/language/graph/values/value.ts';

const bound = (data: Json): { readonly data: Json; readonly truncated: boolean } =>
  boundResponse({ status: 500, headers: {}, data, truncated: false });
const bytesOf = (data: Json): number => Buffer.byteLength(JSON.stringify(data));

test.each<[string, Json]>([
  ['a small object', { a: [1, 2] }],
  ['a text of as many bytes as it may have', 'x'.repeat(65_534)],
])('%s stays whole', (_, data) => {
  expect(bound(data)).toMatchObject({ data, truncated: false });
});

test.each<[string, Json, string]>([
  ['plain text', 'x'.repeat(70_000), 'xxx'],
  ['text of wide characters', '\u{1f600}'.repeat(40_000), '\u{1f600}'],
  ['text of quotes', '"'.repeat(60_000), '"""'],
  [
    'an object of many keys',
    Object.fromEntries(Array.from({ length: 9_000 }, (_, at) => [`k${at}`, 'v'])),
    '{"k0":"v"',
  ],
])('%s becomes the beginning of its text', (_, data, beginning) => {
  const cut = bound(data);
  expect(cut.truncated).toBe(true);
  expect(bytesOf(cut.data)).toBeLessThanOrEqual(65_536);
  expect(bytesOf(cut.data)).toBeGreaterThan(40_000);
  expect(String(cut.data).startsWith(beginning)).toBe(true);
  expect(String(cut.data)).not.toMatch(/\p{Surrogate}/u);
});
