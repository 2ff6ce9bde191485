/** An invitation would not find its person, or a person would have another's name. */
import { expect, test } from 'vitest';
import { normalizeEmail, readLocalPart } from '../../../src/platform/access/email.ts';

test.each([
  ['ada@example.test', 'ada'],
  ['"a@b"@example.test', '"a@b"'],
  ['grace', 'grace'],
  ['@example.test', ''],
])('the person of %s is called %s', (email, name) => {
  expect(readLocalPart(email)).toBe(name);
});

test('addresses differ neither by case nor by the form of their characters', () => {
  expect(normalizeEmail(' Zo\u0065\u0308@Example.Test ')).toBe(normalizeEmail('zo\u00eb@example.test'));
});
