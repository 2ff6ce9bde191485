/** A page of a list would be read with a forged cursor, or with that of another list. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openCursor, sealCursor } from '../../../src/platform/http/cursor.ts';

const SECRETS = { apiKeySecret: 's'.repeat(32), otherApiKeySecret: null };
const position = { place: 1_767_323_045_678, rowId: '6f0d1c7e-3f0e-4a53-9b0f-2f6f2f1f7a10' };
const forward = { position, isBackward: false };
const backward = { position, isBackward: true };

test('a cursor opens for the list it was sealed for, and for no other', () => {
  const cursor = sealCursor(SECRETS, 'assistant/org/user', forward);
  expect(openCursor(SECRETS, 'assistant/org/user', cursor)).toEqual(forward);
  expect(() => openCursor(SECRETS, 'composer/org/user', cursor)).toThrow('Invalid cursor');
  expect(() =>
    openCursor({ ...SECRETS, apiKeySecret: 't'.repeat(32) }, 'assistant/org/user', cursor),
  ).toThrow('Invalid cursor');
});

test.each([forward, backward])('a changed cursor is refused: %o', (sealed) => {
  const cursor = sealCursor(SECRETS, 'list', sealed);
  for (let i = 0; i < cursor.length; i += 1) {
    const changed = cursor.slice(0, i) + (cursor[i] === 'A' ? 'Z' : 'A') + cursor.slice(i + 1);
    let opened: unknown = null;
    try {
      opened = openCursor(SECRETS, 'list', changed);
    } catch (error) {
      expect((error as Error).message).toBe('Invalid cursor');
    }
    // Spare bits of the encoding may differ; what they say may not.
    if (opened !== null) expect(opened).toEqual(sealed);
  }
});

test('any text is refused, none breaks it', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(() => openCursor(SECRETS, 'list', text)).toThrow('Invalid cursor');
    }),
  );
  expect(() => openCursor(SECRETS, 'list', 'A'.repeat(10_000))).toThrow('Invalid cursor');
});
