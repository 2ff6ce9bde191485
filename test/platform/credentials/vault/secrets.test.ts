/** A secret would appear in results, errors or streamed text of a run. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SecretStream, Secrets } from '../../../../src/platform/credentials/vault/secrets.ts';

function secretsOf(...values: string[]): Secrets {
  const secrets = new Secrets();
  secrets.add(...values);
  return secrets;
}

test('a secret is struck out of values and keys, at any depth', () => {
  const secrets = secretsOf('canary-1');
  expect(secrets.json({ a: ['x canary-1 y', { 'canary-1': 1 }], b: null })).toEqual({
    a: ['x *** y', { '***': 1 }],
    b: null,
  });
});

test('so it is in the spellings of URLs and of JSON in a text', () => {
  const secrets = secretsOf('pa"ss wörd');
  expect(secrets.text(`${JSON.stringify('pa"ss wörd')} ${encodeURIComponent('pa"ss wörd')}`)).toBe(
    '"***" ***',
  );
});

test('so it is in bytes, before they become base64', () => {
  const secrets = new Secrets();
  secrets.add('pässword-1', 'token-22');
  const bytes = Buffer.concat([
    Buffer.from([0xff, 0]),
    Buffer.from('x pässword-1, token-22 y'),
    Buffer.from([0xfe]),
  ]);
  expect(Buffer.from(secrets.bytes(bytes)).toString('latin1')).toBe('\u00ff\u0000x ***, *** y\u00fe');
  const harmless = Buffer.from([0xff, 1]);
  expect(secrets.bytes(harmless)).toBe(harmless);
});
test('the longer of two secrets goes first', () => {
  expect(secretsOf('abcd', 'abcdefgh').text('abcdefgh abcd')).toBe('*** ***');
});

test('nothing to hide changes nothing', () => {
  const value = { a: 1 };
  expect(new Secrets().json(value)).toBe(value);
  expect(secretsOf('abc').text('abc')).toBe('abc');
});

test('a secret that is streamed in pieces is struck out', () => {
  const stream = new SecretStream(secretsOf('canary-1'));
  const said = ['it is can', 'ary', '-1, is', ' it, can'].map((piece) => stream.push(piece));
  expect(said).toEqual(['it is ', '', '***, is', ' it, ']);
  expect(stream.end()).toBe('can');
});

test('a streamed text is the text without its secrets, however it is cut', () => {
  const piece = fc.constantFrom('a', 'b', 'ab', 'abab', 'ababc', 'x');
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      const stream = new SecretStream(secretsOf('ababc'));
      const said = pieces.map((text) => stream.push(text)).join('') + stream.end();
      expect(said).toBe(pieces.join('').replaceAll('ababc', '***'));
    }),
  );
});
