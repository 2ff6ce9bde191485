/** A cut text would end in half a character, which PostgreSQL refuses to store. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cutText, shortenText, cutTextStart } from '../../../src/language/graph/values/cut-text.ts';
import { findTextFault } from '../../../src/language/graph/values/storable.ts';

test.each<[string, number, string, string]>([
  ['abc', 3, 'abc', 'abc'],
  ['abc', 2, 'ab', 'bc'],
  ['abc', 0, '', ''],
  ['a😀', 2, 'a', '😀'],
  ['😀a', 2, '😀', 'a'],
  ['😀😀', 3, '😀', '😀'],
  ['😀', 1, '', ''],
])('%j cut to %d is %j from its beginning, %j from its end', (text, max, head, tail) => {
  expect([cutText(text, max), cutTextStart(text, max)]).toEqual([head, tail]);
});

test('a shortened text ends with an ellipsis', () => {
  expect([shortenText('a😀', 2), shortenText('a😀', 3)]).toEqual(['a…', 'a😀']);
});

test('SEC-P12: however a text is cut, what is left is a part of it, as long as it may be, without half a character', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'é', '😀', '👨‍👩‍👧', '\u0301'), maxLength: 40 });
  fc.assert(
    fc.property(text, fc.nat(60), (whole, max) => {
      const [head, tail] = [cutText(whole, max), cutTextStart(whole, max)];
      expect(whole.startsWith(head) && whole.endsWith(tail)).toBe(true);
      for (const part of [head, tail]) {
        expect(findTextFault(part)).toBeNull();
        expect(part.length).toBeGreaterThanOrEqual(Math.min(whole.length, max - 1));
        expect(part.length).toBeLessThanOrEqual(max);
      }
    }),
  );
});
