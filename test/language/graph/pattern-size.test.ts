/** A pattern would be accepted that needs more memory than its limit. */
import fc from 'fast-check';
import { RE2JS } from 're2js';
import { expect, test } from 'vitest';
import {
  MAX_PATTERNS_SIZE,
  measurePattern,
  measurePatterns,
} from '../../../src/language/graph/checks/pattern-size.ts';
import { validate } from '../../../src/language/graph/checks/validate.ts';
import { fakeKinds } from './fake-kinds.ts';

const { pattern } = fc.letrec<{ pattern: string; item: string; atom: string }>((tie) => ({
  pattern: fc.array(tie('item'), { minLength: 1, maxLength: 4 }).map((items) => items.join('')),
  item: fc
    .tuple(tie('atom'), fc.constantFrom('', '', '*', '+?', '?', '{3}', '{0,4}', '{2,}', '{1,3}?'))
    .map(([atom, times]) => `${atom}${times}`),
  atom: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom(
      'a',
      '.',
      '\\d',
      '[a-z]',
      '[]{3}]',
      '[^\\]x{9}]',
      '\\x{41}',
      '\\pL',
      '[[:alpha:]{2}]',
      '\\Qa{7}\\E',
      '^',
      '\\b',
      '\\{',
    ),
    tie('pattern').map((inner) => `(${inner})`),
    fc.tuple(tie('pattern'), tie('pattern')).map(([a, b]) => `(?:${a}|${b})`),
  ),
}));

test('a pattern is never larger when it is compiled', () => {
  fc.assert(
    fc.property(pattern, (text) => {
      let size: number;
      try {
        size = RE2JS.compile(text).programSize();
      } catch {
        return;
      }
      // Every program has two or three instructions around those of its pattern.
      expect(measurePattern(text) - measurePattern('') + 3).toBeGreaterThanOrEqual(size);
    }),
    { numRuns: 300 },
  );
});

test.each([
  ['a plain word', 'urgent', 100],
  ['a number of digits', '^\\d{4}-\\d{2}-\\d{2}$', 100],
  ['braces in a class', '[a{1000}]', 100],
  ['quoted braces', '\\Qa{1000}\\E', 100],
  ['a code point', '\\x{1F600}+', 100],
  ['a domain', '^[a-z0-9-]{1,63}(\\.[a-z0-9-]{1,63}){1,8}$', 2_500],
])('%s is not taken for a large pattern', (_, text, most) => {
  expect(measurePattern(text)).toBeLessThan(most);
});

const definition = (patterns: readonly string[]) => ({
  nodes: [
    {
      id: 'a',
      type: 'conditional',
      config: {
        cases: patterns.map((right, at) => ({ id: `c${at}`, rules: [{ left: 'x', op: 'matches', right }] })),
      },
    },
  ],
  edges: [{ source: '__start__', target: 'a' }],
});

test('SEC-H04: the patterns of a definition are refused when they are too large together, and taken when they are not', () => {
  const large = 'a{900}';
  const fits = Array.from({ length: Math.floor(MAX_PATTERNS_SIZE / measurePattern(large)) }, () => large);
  expect(validate(definition(fits), fakeKinds)).toEqual([]);
  expect(validate(definition([...fits, large]), fakeKinds)).toMatchObject([
    { severity: 'error', code: 'patterns_too_large' },
  ]);
});

test('patterns are found wherever they are compiled: in schemas, checks, rules and conditions of edges', () => {
  const found = (value: unknown): boolean => measurePatterns(value as never, 1_000_000) > 0;
  expect(found({ form: { properties: { a: { pattern: 'x' } } } })).toBe(true);
  expect(found({ checks: [{ type: 'regex', pattern: 'x' }] })).toBe(true);
  expect(found({ edges: [{ when: { left: 1, op: 'matches', right: 'x' } }] })).toBe(true);
  expect(found({ rules: [{ left: 1, op: 'eq', right: 'x' }] })).toBe(false);
});

test('a pattern that cannot be searched is a problem of the edge whose condition has it', () => {
  const when = {
    match: 'any',
    rules: [
      { left: 'x', op: 'eq', right: '(' },
      { left: 'x', op: 'matches', right: '(' },
    ],
  };
  const { nodes, edges } = definition(['x']);
  const problems = validate(
    { nodes, edges: [...edges, { source: 'a', target: '__end__', when }] },
    fakeKinds,
  );
  expect(problems).toMatchObject([{ code: 'invalid_pattern', path: ['edges', 1, 'when'] }]);
});
