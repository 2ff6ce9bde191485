/** A pattern of a tenant would stall the process on a long text. */
import fc from 'fast-check';
import { RE2JS } from 're2js';
import { expect, test, vi } from 'vitest';
import { NODE_WORK, WorkBudget, WorkLimitExceeded } from '../../../src/language/graph/values/work-budget.ts';
import { PatternSearch, Patterns, findPatternProblem } from '../../../src/language/nodes/pattern.ts';
import { UNLIMITED, spending, spendingOf } from '../../support/spending.ts';

const search = (work = new WorkBudget(UNLIMITED), patterns = new Patterns()): PatternSearch =>
  new PatternSearch(patterns, work);
const sizeOf = (pattern: string): number => RE2JS.compile(pattern).programSize();
/** Letters in an order that an automaton cannot learn. */
const letters = (length: number): string => {
  let [text, seed] = ['', 12_345];
  while (text.length < length) {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    text += seed > 2 ** 30 ? 'a' : 'b';
  }
  return text;
};

test('SEC-H01: a search costs the size of the pattern times the length of the text, whatever is found', () => {
  for (const [pattern, text] of [
    ['foo|bar', 'x'.repeat(1_000)],
    ['foo|bar', `foo${'x'.repeat(997)}`],
    ['(a|b){50}c', letters(1_000)],
  ] as const) {
    const one = search();
    one.matches(pattern, '');
    const before = one.work.spent;
    one.matches(pattern, text);
    expect(one.work.spent - before).toBe(sizeOf(pattern) * 1_001);
  }
});

test('SEC-H01: all searches of an execution count against one budget, and the one beyond it is refused', () => {
  const texts = Array.from({ length: 40 }, () => letters(500));
  const all = spending((work) => {
    const one = search(work);
    return texts.map((text) => one.matches('[ab]*a[ab]{100}[cd]|x', text));
  });
  expect(all.enough()).toEqual(texts.map(() => false));
  expect(all.tooLittle).toThrow(WorkLimitExceeded);
});

test('SEC-H03: no single search is longer than a turn', () => {
  const pattern = '[ab]*a[ab]{1000}[cd]|x';
  const length = Math.floor(NODE_WORK.turn / sizeOf(pattern));
  const one = search(new WorkBudget(NODE_WORK));
  expect(() => one.matches(pattern, letters(length))).toThrow(WorkLimitExceeded);
  // Compiling counts in the same turn.
  expect(search(new WorkBudget(NODE_WORK)).matches(pattern, letters(Math.floor(length * 0.99)))).toBe(false);
});

test('compiling a pattern counts once in an execution, also when another one has compiled it', () => {
  const patterns = new Patterns();
  const spent = [1, 2].map(() => {
    const one = search(new WorkBudget(UNLIMITED), patterns);
    one.matches('a{900}', '');
    const first = one.work.spent;
    one.matches('a{900}', '');
    return [first, one.work.spent - first];
  });
  expect(patterns.get('a{900}')).toBe(patterns.get('a{900}'));
  expect(spent[0]?.[0]).toBeGreaterThan(900 * 40);
  expect(spent[0]?.[1]).toBe(sizeOf('a{900}'));
  expect(spent[1]).toEqual(spent[0]);
});

test('SEC-H01: patterns that are never the same twice are compiled within the budget', () => {
  const many = (count: number) =>
    spending((work) => {
      const one = search(work);
      for (let at = 0; at < count; at += 1) one.matches(`^x${at}$`, 'x');
    });
  expect(many(200).steps / many(100).steps).toBeCloseTo(2, 1);
  expect(many(100).tooLittle).toThrow(WorkLimitExceeded);
});

test.each([`(?:${'a.'.repeat(450)}){1000}`, 'a{1000}'.repeat(140), `(?:${'\\pL'.repeat(250)}){1000}`])(
  'SEC-R03: %.20s… is refused without being compiled',
  (pattern) => {
    const compile = vi.spyOn(RE2JS, 'compile');
    const one = search();
    expect(findPatternProblem(pattern)).toBe('The pattern is too large when compiled');
    expect(() => one.matches(pattern, 'x')).toThrow('too large');
    expect(compile).not.toHaveBeenCalled();
    compile.mockRestore();
  },
);

const places = (pattern: string, text: string): [number, number][] => {
  const matcher = RE2JS.compile(pattern).matcher(text);
  const found: [number, number][] = [];
  while (matcher.find()) if (matcher.end() > matcher.start()) found.push([matcher.start(), matcher.end()]);
  return found;
};

test('all places are those that the engine finds in a text that does not count', async () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c', ' ', 'é', '😀'), maxLength: 60 });
  const pattern = fc.constantFrom(
    'a+',
    'ab|c',
    '\\bab\\b',
    'a[^ ]*c|a',
    '(a)(b)?',
    'x*',
    '^a',
    'c$',
    '😀.',
    '(?i)É',
    'abc',
  );
  await fc.assert(
    fc.asyncProperty(pattern, text, async (given, whole) => {
      expect(await search().findAll(given, whole, 1_000)).toEqual(places(given, whole));
    }),
  );
});

test('SEC-H01: finding all places costs as far as each search looks, and a step less is refused', async () => {
  const text = 'ab '.repeat(1_000);
  const short = await spendingOf((work) => search(work).findAll('a+b', text, 1_000));
  expect(await short.enough()).toHaveLength(1_000);
  await expect(short.tooLittle()).rejects.toThrow(WorkLimitExceeded);
  expect(short.steps).toBeLessThan(3 * sizeOf('a+b') * text.length);
  // Each search for the longer form reads on to the end of the text, and comes back.
  const lookingOn = await spendingOf((work) => search(work).findAll('a[ab ]*c|a', text, 100));
  expect(await lookingOn.enough()).toHaveLength(100);
  expect(lookingOn.steps).toBeGreaterThan(90 * text.length);
});

test('a kept pattern holds little, whatever was searched for it', () => {
  const { re } = new Patterns().get('[ab]*a[ab]{30}[cd]') as { readonly re: RE2JS };
  re.test(letters(20_000));
  const { dfa } = re.re2Input;
  let bytes = 0;
  for (const state of dfa.cachedStates() as Iterable<{ readonly nfaStates: readonly number[] }>)
    bytes += 150 + 8 * state.nfaStates.length;
  expect(bytes).toBeLessThan(512 * 1024);
});
