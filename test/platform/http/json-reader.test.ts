/**
 * If this failed, a body would be read as something else than its sender wrote, or a large one would hold the event loop while it is
 * parsed.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ApiError, type Issue } from '../../../src/base/errors.ts';
import { readJsonText } from '../../../src/platform/http/body.ts';
import { JsonReader, MAX_DEPTH } from '../../../src/platform/http/json-reader.ts';

/** Reads a text in slices of `chars`, and counts them. */
function read(text: string, chars: number): { readonly value: unknown; readonly slices: number } {
  const reader = new JsonReader(text);
  let slices = 1;
  while (!reader.read(chars)) slices += 1;
  return { value: reader.result.value, slices };
}

function refusalOf(text: string, chars = 7): Issue | undefined {
  try {
    read(text, chars);
  } catch (error) {
    if (error instanceof ApiError && error.failure.shape === 'C') return error.failure.issues[0];
    throw error;
  }
  return undefined;
}

const blanks = fc.constantFrom('', ' ', '\n\t', '\r ');
const written = fc.tuple(fc.jsonValue({ maxDepth: 5 }), blanks, fc.constantFrom(undefined, 1, '\t'));

describe('a text that JSON.parse takes', () => {
  test('has the same value in slices of any length', () => {
    fc.assert(
      fc.property(written, fc.integer({ min: 1, max: 60 }), ([value, blank, indent], chars) => {
        const text = blank + JSON.stringify(value, null, indent) + blank;
        // Numbers beyond a double's digits are kept as text, and some keys are refused: neither is drawn here.
        fc.pre(refusalOf(text) === undefined && !/\d{16}/.test(text));
        expect(read(text, chars).value).toEqual(JSON.parse(text));
      }),
      { numRuns: 2_000 },
    );
  });

  test.each([
    '"\\u0041\\n\\\\\\"é😀 and more than twelve characters"',
    '"\\"\\\\"',
    '[-0,0.5,1e3,1E-2,123456789012345]',
    '{"a":1,"b":2,"a":{"c":[]}}',
    '{"":{"":[]}}',
    '{"2":0,"1":0,"b":0}',
    ' [ ] ',
    'null',
  ])('%s has the same value and order of keys', (text) => {
    expect(JSON.stringify(read(text, 3).value)).toBe(JSON.stringify(JSON.parse(text)));
    expect(Object.is(read('-0', 1).value, -0)).toBe(true);
  });
});

test('a text that JSON.parse refuses is refused, wherever it is damaged', () => {
  const damaged = fc.tuple(
    written,
    fc.nat(),
    fc.constantFrom('', ',', '"', ']', '}', '0', '-', '\\', ':', 'x', '\u0001'),
  );
  fc.assert(
    fc.property(damaged, ([[value, , indent], place, put]) => {
      const whole = JSON.stringify({ v: value }, null, indent);
      const at = place % whole.length;
      const text = whole.slice(0, at) + put + whole.slice(at + 1);
      let isValid = true;
      try {
        JSON.parse(text);
      } catch {
        isValid = false;
      }
      const refusal = refusalOf(text);
      if (!isValid) expect(refusal).toBeDefined();
      else expect(refusal?.type).not.toBe('json_invalid');
    }),
    { numRuns: 4_000 },
  );
});

test.each([
  ['', 0],
  ['  ', 2],
  ['{"a":', 5],
  ['{"a" 1}', 5],
  ['{"a":1,}', 7],
  ['[1,]', 3],
  ['[1}', 2],
  ['[01]', 2],
  ['[1.]', 2],
  ['[+1]', 1],
  ['[nul]', 1],
  ['1 2', 2],
  ['{1:2}', 1],
  ['"abc', 4],
  ['"\\', 2],
  ['["a\\x"]', 4],
])('the offset of the damage of %j is %i', (text, offset) => {
  expect(refusalOf(text)).toMatchObject({ type: 'json_invalid', loc: ['body', offset] });
});

test('SEC-P05: as many levels as are allowed are read, and one more is refused', () => {
  const nest = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
  expect(refusalOf(nest(MAX_DEPTH))).toBeUndefined();
  expect(refusalOf(nest(MAX_DEPTH + 1))?.type).toBe('json_depth');
});

test('a refusal names the place of the value, in lists, under keys and beside closed ones', () => {
  expect(refusalOf('{"a":[{},[1,{"b":[0,"\\u0000"]}]]}')?.loc).toEqual(['body', 'a', 1, 1, 'b', 1]);
  expect(refusalOf('{"a":[{},{"b":{"__proto__":1}}]}')?.loc).toEqual(['body', 'a', 1, 'b']);
  expect(refusalOf('{"a":{"length":[{"toString":1}]}}')).toMatchObject({
    type: 'length_incomparable',
    loc: ['body', 'a'],
  });
});

test('SEC-P16: numbers that lose digits become texts, but for bounds of schemas, whose type may stand behind them', async () => {
  const long = '12345678901234567890';
  const text = `{"a":[${long}],"b":{"maximum":${long},"type":"integer"},"c":{"maximum":${long}},"d":{"x":${long},"x":1}}`;
  expect(await readJsonText(text)).toEqual({
    value: {
      a: [long],
      b: { maximum: Number(long), type: 'integer' },
      c: { maximum: long },
      d: { x: 1 },
    },
    texts: [
      ['a', 0],
      ['c', 'maximum'],
    ],
    rounded: [],
  });
  // An answer warns of twenty; the paths of hundreds of thousands would be larger than the body.
  expect((await readJsonText(`[${`${long},`.repeat(100)}0]`)).texts).toHaveLength(20);
});

test('SEC-P16: decimals that lose digits stay numbers, and their places are known, but for bounds of schemas', async () => {
  const decimal = '0.12345678901234567891';
  expect(await readJsonText(`{"a":[${decimal}],"b":{"minimum":${decimal},"type":"number"},"c":0.1}`)).toEqual(
    {
      value: { a: [Number(decimal)], b: { minimum: Number(decimal), type: 'number' }, c: 0.1 },
      texts: [],
      rounded: [['a', 0]],
    },
  );
});

test('API-events: of an event texts and keys become storable, and numbers beyond a double texts', async () => {
  const { value } = await readJsonText('{"a\\u0000":["\\ud83d",1e400],"length":{"toString":1}}', {
    isLenient: true,
  });
  expect(value).toEqual({ 'a\uFFFD': ['\uFFFD', '1e400'], length: { toString: 1 } });
});

test('SEC-H08: a slice reads its characters and the rest of one token, so that a large text is read in many', () => {
  const text = JSON.stringify(Array.from({ length: 10_000 }, (_, at) => ({ [`k${at}`]: [at, null, 'x'] })));
  expect(read(text, 1_000).slices).toBeGreaterThanOrEqual(Math.floor(text.length / 1_000));
  expect(read(`"${'x'.repeat(10_000)}"`, 1_000).slices).toBeLessThanOrEqual(2);
});

test('SEC-H08: others have a turn between the slices of a large body', async () => {
  let turns = 0;
  let isDone = false;
  const count = (): void => {
    turns += 1;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  await readJsonText(`[${'1,'.repeat(500_000)}1]`);
  isDone = true;
  expect(turns).toBeGreaterThan(20);
});
