/** A search in a text would give another result than the engine's own, or stall the process. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { containsText, replaceText } from '../../../src/language/graph/definition/find-text.ts';
import { WorkBudget } from '../../../src/language/graph/values/work-budget.ts';
import { UNLIMITED } from '../../support/spending.ts';

/** Few letters in repeated units, so that needles overlap with themselves. */
const text = fc
  .array(fc.tuple(fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 1, maxLength: 3 }), fc.nat(40)))
  .map((units) => units.map(([unit, times]) => unit.repeat(times)).join(''));

test('short and long needles are found where String.includes finds them', () => {
  fc.assert(
    fc.property(text, text, fc.nat(200), fc.nat(100), (whole, part, at, length) => {
      const inside = whole.slice(at, at + length);
      for (const needle of [part, inside, `${inside}${part}`, `${inside}c`]) {
        expect(containsText(whole, needle, new WorkBudget(UNLIMITED))).toBe(whole.includes(needle));
        if (needle === '') continue;
        const replaced = replaceText(whole, { part: needle, by: '$&' }, new WorkBudget(UNLIMITED));
        expect(replaced).toBe(whole.split(needle).join('$&'));
      }
    }),
    { numRuns: 1_000 },
  );
});

test.each([32, 33, 1_000, 50_000])(
  'a needle of %d letters that nearly matches everywhere costs its text once',
  (length) => {
    const work = new WorkBudget(UNLIMITED);
    const half = 'a'.repeat(length / 2);
    expect(containsText('a'.repeat(200_000), `${half}b${half}`, work)).toBe(false);
    expect(work.spent).toBeLessThan(100_000);
  },
);
