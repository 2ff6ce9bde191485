/** A link or address that was changed in one letter would open, or one that was signed for another purpose. */
import { expect, test } from 'vitest';
import { readSignedText, signText } from '../../../src/platform/access/signed-text.ts';

const SECRET = 's'.repeat(32);
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

test('a token opens for its purpose and its secret alone', () => {
  const token = signText(SECRET, 'answer', 'run 1');
  expect(readSignedText(SECRET, 'answer', token)).toBe('run 1');
  expect(readSignedText(SECRET, 'callback', token)).toBeNull();
  expect(readSignedText('t'.repeat(32), 'answer', token)).toBeNull();
});

test.each(['r', 'ru', 'run'])('a token of "%s" with another letter anywhere is refused', (text) => {
  // Of base64url's last letter some bits say nothing, of a text by its length and of a signature always.
  const token = signText(SECRET, 'answer', text);
  const opened = token.split('').flatMap((_, at) =>
    LETTERS.split('')
      .map((letter) => token.slice(0, at) + letter + token.slice(at + 1))
      .filter((changed) => changed !== token && readSignedText(SECRET, 'answer', changed) !== null),
  );
  expect(opened).toEqual([]);
});
