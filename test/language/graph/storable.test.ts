/** Text from outside would fail to be stored, or be changed where it need not be. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  parseUntrustedJson,
  toStorable,
  toStorableCount,
  toStorableText,
  findTextFault,
} from '../../../src/language/graph/values/storable.ts';

const unit = fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code));
const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.array(fc.oneof(unit, fc.constant('\0'))).map((units) => units.join('')),
);
const anyValue = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    anyText,
    fc.double(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(anyText, tie('value'), { maxKeys: 4 }),
  ),
})).value;

/** Every text of a value, keys included. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => [key, ...textsIn(item)]);
}

describe('a value of a stranger', () => {
  test('has no text that PostgreSQL refuses, and loses nothing in JSON', () => {
    fc.assert(
      fc.property(anyValue, (value) => {
        const made = toStorable(value);
        expect(textsIn(made).filter((text) => findTextFault(text) !== null)).toEqual([]);
        expect(JSON.parse(JSON.stringify(made))).toEqual(JSON.parse(JSON.stringify(value), reviver));
      }),
    );
    // The same by another way: the texts of the JSON are repaired after it was written.
    function reviver(_key: string, item: unknown): unknown {
      if (typeof item === 'string') return toStorableText(item);
      if (typeof item !== 'object' || item === null || Array.isArray(item)) return item;
      return Object.fromEntries(Object.entries(item).map(([key, one]) => [toStorableText(key), one]));
    }
  });

  test('is itself when nothing is wrong with it', () => {
    const value = { a: ['😀', 1, null, { b: false }] };
    expect(toStorable(value)).toBe(value);
  });

  test('keeps its length as text, and its whole characters', () => {
    expect(toStorableText('a\0\ud83d😀\ude00')).toBe('a\uFFFD\uFFFD😀\uFFFD');
  });
});

test('JSON of a stranger is read, repaired, or refused for its depth before anything descends into it', () => {
  expect(parseUntrustedJson('{"a\\u0000":["\\ud800",1e400]}')).toEqual({ 'a\uFFFD': ['\uFFFD', '1e400'] });
  expect(parseUntrustedJson('['.repeat(64) + ']'.repeat(64))).toHaveLength(1);
  const deep = 200_000;
  expect(() => parseUntrustedJson('['.repeat(deep) + ']'.repeat(deep))).toThrow(SyntaxError);
  expect(() => parseUntrustedJson('{')).toThrow(SyntaxError);
});

test.each([
  [7, 7],
  [1.2, 2],
  [-3, 0],
  [1e30, 1e9],
  [Infinity, 1e9],
  [Number.NaN, 0],
  ['12', 0],
  [undefined, 0],
])('a count of %s is %s', (told, counted) => expect(toStorableCount(told)).toBe(counted));
