/** A request would be judged by the wrong one of its two credentials, or a made-up key would look like a real one. */
import { expect, test } from 'vitest';
import { maskKey, mintKey } from '../../../src/platform/access/api-key.ts';
import { readCredential } from '../../../src/platform/access/credential.ts';

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

test('a key is the prefix and 43 Base62 characters, and is shown by its first eight', () => {
  // Of 500 random numbers some begin with a zero, which must stay.
  for (let count = 0; count < 500; count += 1) {
    const { key, keyHint } = mintKey('s'.repeat(32));
    expect(key).toMatch(/^svc_live_[0-9A-Za-z]{43}$/);
    expect(maskKey(keyHint)).toBe(`${key.slice(0, 17)}********`);
  }
});
