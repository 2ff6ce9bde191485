/** A long number would lose digits on its way through a run. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isLongInteger } from '../../../src/language/graph/values/exact-json.ts';
import { parseUntrustedExactJson } from '../../../src/language/graph/values/storable.ts';
import type { Json } from '../../../src/language/graph/values/value.ts';

test.each<[string, Json]>([
  ['9007199254740991', 9007199254740991],
  ['9007199254740992', '9007199254740992'],
  ['-9007199254740991', -9007199254740991],
  ['-9007199254740993', '-9007199254740993'],
  ['12345678901234567890', '12345678901234567890'],
  ['0.1234567890123456', 0.1234567890123456],
  ['1e21', 1e21],
  ['1e308', 1e308],
  ['1e309', '1e309'],
  ['-1E+400', '-1E+400'],
  ['"9007199254740993"', '9007199254740993'],
  ['"\\"9007199254740993"', '"9007199254740993'],
  ['"\\\\"', '\\'],
  [
    '[9007199254740993,{"9007199254740993":9007199254740993}]',
    ['9007199254740993', { '9007199254740993': '9007199254740993' }],
  ],
])('%s is read as %j', (text, value) => expect(parseUntrustedExactJson(text).value).toEqual(value));

test('SEC-P16: the places where numbers became texts are listed', () => {
  const { texts } = parseUntrustedExactJson(
    '{"a":[1,9007199254740993],"b":"9007199254740993","c":{"d":9007199254740993}}',
  );
  expect(texts).toEqual([
    ['a', 1],
    ['c', 'd'],
  ]);
});

test.each<[string, boolean]>([
  ['0.1234567890123456', false],
  ['0.12345678901234567890', true],
  ['1234567.123456789012345', true],
  ['3.3333333333333333', true],
  ['0.10000000000000000000', false],
  ['1.7976931348623157e308', false],
  ['9007199254740993.0', true],
  ['12345678901234567e1', true],
  ['1e-400', true],
  ['5e-324', false],
  ['1.25', false],
])('SEC-P16: the decimal %s stays a number, and loses digits: %s', (text, isRounded) => {
  const read = parseUntrustedExactJson(`{"a": [${text}]}`);
  expect(read).toEqual({ value: { a: [Number(text)] }, texts: [], rounded: isRounded ? [['a', 0]] : [] });
});

test('SEC-P16: no number that JavaScript writes is reported', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
      const { texts, rounded } = parseUntrustedExactJson(`[${JSON.stringify(number)}, "${'1'.repeat(20)}"]`);
      expect(rounded).toEqual([]);
      expect(texts.length).toBe(
        Number.isInteger(number) && !/e/.test(String(number)) && !Number.isSafeInteger(number) ? 1 : 0,
      );
    }),
  );
});

test('bounds of JSON schemas stay numbers: validators read numbers there', () => {
  const schema = '{"type":"integer","maximum":9223372036854775807,"default":9223372036854775807}';
  expect(parseUntrustedExactJson(schema).value).toEqual({
    type: 'integer',
    maximum: 2 ** 63,
    default: '9223372036854775807',
  });
  expect(parseUntrustedExactJson('{"maximum":9223372036854775807}').value).toEqual({
    maximum: '9223372036854775807',
  });
});

describe('whatever is drawn', () => {
  test('whole numbers have their digits', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), (number) => {
        expect(String(parseUntrustedExactJson(String(number)).value)).toBe(String(number));
      }),
    );
  });
  test('all other JSON is read as usual', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.string(), (value, digits) => {
        const given = [value, `${digits}9007199254740993`, { [digits]: digits }];
        const text = JSON.stringify(given);
        const usual = JSON.parse(text) as unknown;
        expect(JSON.stringify(parseUntrustedExactJson(`[${text},9007199254740993]`).value)).toBe(
          JSON.stringify([usual, '9007199254740993']),
        );
      }),
    );
  });
});

test.each([
  ['9007199254740992', true],
  ['-9007199254740992', true],
  ['9007199254740991', false],
  ['09007199254740993', false],
  ['9007199254740993.0', false],
  ['x', false],
])('%s stands for a long whole number: %s', (text, is) => expect(isLongInteger(text)).toBe(is));
