/** A page of a list would be read with a forged cursor, or with that of another list. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openCursor, sealCursor } from '../../../src/http/cursor.ts';

const SECRET = 's'.repeat(32);
const position = {
  time: new Date('2026-01-02T03:04:05.678Z'),
  rowId: '6f0d1c7e-3f0e-4a53-9b0f-2f6f2f1f7a10',
};

test('a cursor opens for the list it was sealed for, and for no other', () => {
  const cursor = sealCursor(SECRET, 'assistant/org/user', position);
  expect(openCursor(SECRET, 'assistant/org/user', cursor)).toEqual(position);
  expect(() => openCursor(SECRET, 'composer/org/user', cursor)).toThrow('Invalid cursor');
  expect(() => openCursor('t'.repeat(32), 'assistant/org/user', cursor)).toThrow('Invalid cursor');
});

test('a changed cursor is refused', () => {
  const cursor = sealCursor(SECRET, 'list', position);
  for (let i = 0; i < cursor.length; i += 1) {
    const changed = cursor.slice(0, i) + (cursor[i] === 'A' ? 'Z' : 'A') + cursor.slice(i + 1);
    let opened: unknown = null;
    try {
      opened = openCursor(SECRET, 'list', changed);
    } catch (error) {
      expect((error as Error).message).toBe('Invalid cursor');
    }
    // Spare bits of the encoding may differ; what they say may not.
    if (opened !== null) expect(opened).toEqual(position);
  }
});

test('any text is refused, none breaks it', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(() => openCursor(SECRET, 'list', text)).toThrow('Invalid cursor');
    }),
  );
  expect(() => openCursor(SECRET, 'list', 'A'.repeat(10_000))).toThrow('Invalid cursor');
});
