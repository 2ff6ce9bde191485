/** Two edits of one text become one text: if this fails, a person loses words in a prompt that a colleague edits, too. */
import { expect, test } from 'vitest';
import { mergeTexts, survives } from '../../../../src/surfaces/web/text/merge.ts';

const merge = (base: string, mine: string, theirs: string): string | null =>
  mergeTexts(base, mine, theirs, false);

test('edits of different places are both in the merged text', () => {
  const base = 'Dear customer,\n\nthank you for your order.\n\nThe team';
  const mine = base.replace('customer', 'customers').replace('The team', 'The whole team');
  const theirs = base.replace('thank you', 'many thanks');
  const both = 'Dear customers,\n\nmany thanks for your order.\n\nThe whole team';
  expect(merge(base, mine, theirs)).toBe(both);
  expect(merge(base, theirs, mine)).toBe(both);
});

test('two insertions at one place are both kept, theirs first; an insertion that had arrived is taken once', () => {
  expect(merge('List:', 'List: milk', 'List: eggs')).toBe('List: eggs milk');
  expect(merge('', 'mine', 'theirs')).toBe('theirsmine');
  expect(merge('a', 'a bc', 'a b')).toBe('a bc');
  expect(mergeTexts('[]', '[1]', '[2]', true)).toBeNull();
  expect(mergeTexts('{"a":1,"b":2}', '{"a":3,"b":2}', '{"a":1,"b":4}', true)).toBe('{"a":3,"b":4}');
});

test('one word that both replaced, and text inside what the other deleted, is left to a person', () => {
  expect(merge('Say hello.', 'Say help.', 'Say jello.')).toBeNull();
  expect(merge('one two three', 'one three', 'one two and a half three')).toBeNull();
  expect(merge('Say hello.', 'Say goodbye.', 'Say goodbye.')).toBe('Say goodbye.');
  expect(merge('same', 'same', 'other')).toBe('other');
  expect(merge('same', 'other', 'same')).toBe('other');
});

test('an edit survives while most of what it wrote is there', () => {
  expect(survives('', 'a long sentence', 'a long sentence, and more')).toBe(true);
  expect(survives('', 'a long sentence', 'quite another one')).toBe(false);
  expect(survives('keep', 'keep this', 'keep')).toBe(false);
  expect(survives('keep this', 'keep', 'keep it')).toBe(true);
});
