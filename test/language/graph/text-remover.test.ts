/** A text that is not found would be stored; a search that is slow for chosen texts would stall the process. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { TextRemover } from '../../../src/language/graph/redaction/text-remover.ts';
import { WorkBudget } from '../../../src/language/graph/values/work-budget.ts';
import { UNLIMITED } from '../../support/spending.ts';

const remove = (texts: readonly string[], whole: string): string =>
  new TextRemover(texts).replace(whole, '-', new WorkBudget(UNLIMITED));

/** Replaces each run of characters that overlapping texts cover. */
function removeSlowly(texts: readonly string[], whole: string): string {
  const joined = Array.from({ length: whole.length }, () => false);
  const covered = Array.from({ length: whole.length }, () => false);
  for (const text of texts)
    for (let at = whole.indexOf(text); at >= 0; at = whole.indexOf(text, at + 1)) {
      covered.fill(true, at, at + text.length);
      joined.fill(true, at + 1, at + text.length);
    }
  return Array.from(whole)
    .map((char, at) => (covered[at] !== true ? char : joined[at] === true ? '' : '-'))
    .join('');
}

const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 1, maxLength: 6 });

test('no text is left, and texts that overlap are replaced together', () => {
  fc.assert(
    fc.property(fc.array(text, { maxLength: 8 }), fc.array(text, { maxLength: 30 }), (texts, parts) => {
      const whole = parts.join('');
      expect(remove(texts, whole)).toBe(removeSlowly(texts, whole));
    }),
    { numRuns: 2_000 },
  );
});

test.each([64, 65])('texts of %d characters are found among others', (length) => {
  const long = `${'x'.repeat(length - 1)}y`;
  expect(remove([long, 'short one'], `a ${long} b short one c xxxxy`)).toBe('a - b - c xxxxy');
});

test('the number of short texts does not multiply the work', () => {
  const remover = new TextRemover(Array.from({ length: 192 }, (_, at) => `a named text ${at}`));
  const work = new WorkBudget(UNLIMITED);
  remover.replace('a named text '.repeat(10_000), '-', work);
  expect(work.spent).toBeLessThan(200_000);
});
