/** Texts and keys that a door must take whole or refuse: drawn so that every cut goes through a character. */
import fc from 'fast-check';

/** Lengths at which the service cuts or bounds a text somewhere. */
const BOUNDS = [1, 40, 50, 80, 100, 128, 200, 255, 256, 300, 1_000, 2_000] as const;
/** One unit of UTF-16, two, many in one character, marks that combine, marks of direction, the last ones of the plane. */
const UNITS = ['a', '😀', '👩‍👩‍👧', 'é', 'x\u0301\u0302', '\u202e', '\uFFFD', '\u{10FFFF}', '"', '\\'] as const;
/** What PostgreSQL does not store. */
const FAULTS = ['\0', '\ud83d', '\ude00', '\ude00\ud83d'] as const;

/** Texts around a bound: with two units a character, and one before them or none, some of them are cut in its middle. */
export const wholeText: fc.Arbitrary<string> = fc
  .record({
    bound: fc.constantFrom(...BOUNDS),
    more: fc.integer({ min: -1, max: 3 }),
    before: fc.constantFrom('', 'a', '{{input.text}} '),
    unit: fc.constantFrom(...UNITS),
  })
  .map(({ bound, more, before, unit }) => {
    const count = Math.max(1, Math.ceil((bound + more) / unit.length));
    return before + unit.repeat(count);
  });

/** Longer than all bounds: whatever is cut at an odd place, and at an even one, is cut through a character. */
export const LONG_TEXTS = [`a${'😀'.repeat(1_005)}`, '😀'.repeat(1_005)] as const;

/** Texts with NUL or half a character in them. */
export const faultyText: fc.Arbitrary<string> = fc
  .tuple(wholeText, fc.constantFrom(...FAULTS), fc.boolean())
  .map(([text, fault, isFirst]) => (isFirst ? fault + text : text + fault));

/** A value that holds the key which none may write, at a drawn depth, in lists and objects. */
export const forbiddenValue: fc.Arbitrary<unknown> = fc
  .record({
    around: fc.array(fc.constantFrom('object', 'list'), { maxLength: 4 }),
    value: fc.constantFrom<unknown>(1, null, 'x', {}, { isAdmin: true }),
  })
  .map(({ around, value }) => {
    // As JSON.parse makes it: an own property, also of `__proto__`.
    const inner: unknown = JSON.parse(`{"__proto__":${JSON.stringify(value)}}`);
    return around.reduce((held, kind) => (kind === 'list' ? [held] : { a: held }), inner);
  });
