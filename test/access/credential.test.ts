/** A request would be judged by the wrong one of its two credentials, or a made-up key would look like a real one. */
import { expect, test } from 'vitest';
import { encodeBase62, fingerprintKey, maskKey, mintKey } from '../../src/access/api-key.ts';
import { readCredential } from '../../src/access/credential.ts';

const NEITHER = 'Authentication required. Provide Authorization: Bearer token or X-API-KEY header.';

test('a bearer with the prefix is a key, anything else a JWT, and the bearer decides alone', () => {
  expect(readCredential({ authorization: 'Bearer svc_live_a' })).toEqual({
    kind: 'api_key',
    key: 'svc_live_a',
  });
  expect(readCredential({ authorization: 'bearer svc_live_a' })).toEqual({
    kind: 'api_key',
    key: 'svc_live_a',
  });
  expect(readCredential({ authorization: 'Bearer SVC_LIVE_a' })).toEqual({
    kind: 'jwt',
    token: 'SVC_LIVE_a',
  });
  expect(readCredential({ authorization: 'Bearer garbage', 'x-api-key': 'svc_live_a' })).toEqual({
    kind: 'jwt',
    token: 'garbage',
  });
});

test('X-API-KEY counts only with the prefix and without a bearer', () => {
  expect(readCredential({ 'x-api-key': 'svc_live_a' })).toEqual({ kind: 'api_key', key: 'svc_live_a' });
  expect(readCredential({ authorization: 'Basic eDp5', 'x-api-key': 'svc_live_a' })).toEqual({
    kind: 'api_key',
    key: 'svc_live_a',
  });
});

test.each([
  {},
  { authorization: 'Basic eDp5' },
  { authorization: 'Bearer' },
  { authorization: 'Bearer   ' },
  { 'x-api-key': 'abc' },
  { 'x-authorization': 'Bearer svc_live_a' },
])('%j is no credential', (headers) => {
  expect(() => readCredential(headers)).toThrow(NEITHER);
});

test('a key is the prefix and 43 Base62 characters, also of small numbers', () => {
  expect(encodeBase62(Buffer.alloc(32))).toBe('0'.repeat(43));
  expect(encodeBase62(Buffer.from('3e'.padStart(64, '0'), 'hex'))).toBe('10'.padStart(43, '0'));
  expect(encodeBase62(Buffer.alloc(32, 0xff))).toHaveLength(43);
  const minted = mintKey('s'.repeat(32));
  expect(minted.key).toMatch(/^svc_live_[0-9A-Za-z]{43}$/);
  expect(minted.keyHint).toBe(minted.key.slice(9, 17));
  expect(maskKey(minted.keyHint)).toBe(`svc_live_${minted.keyHint}********`);
});

test('a fingerprint depends on the secret', () => {
  expect(fingerprintKey('a'.repeat(32), 'svc_live_x')).not.toEqual(
    fingerprintKey('b'.repeat(32), 'svc_live_x'),
  );
});
