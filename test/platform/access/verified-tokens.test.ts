/**
 * A token would still be accepted after it expired or after its settings changed, because its signature was seen
 * before.
 */
import { afterEach, expect, test, vi } from 'vitest';
import type { VerificationKey } from '../../../src/platform/access/key-set-fetch.ts';
import { VerifiedTokens } from '../../../src/platform/access/verified-tokens.ts';

const key = {} as VerificationKey;
const now = (): number => Math.floor(Date.now() / 1_000);
afterEach(() => vi.useRealTimers());

test('a remembered token is found by its text and its key, and by nothing else', () => {
  const tokens = new VerifiedTokens({ earlySeconds: 60, lateSeconds: 5 });
  const payload = { sub: 'u', exp: now() + 60 };
  tokens.remember('text', key, payload);
  expect(tokens.find('text', key)).toBe(payload);
  expect(tokens.find('other', key)).toBeUndefined();
  // Published anew, or with the same id for another key: verify again.
  expect(tokens.find('text', {} as VerificationKey)).toBeUndefined();
});

test('it ends with its exp and does not begin before its nbf, give or take the tolerance', () => {
  vi.useFakeTimers({ now: 1_000_000_000 });
  const tokens = new VerifiedTokens({ earlySeconds: 60, lateSeconds: 5 });
  tokens.remember('ends', key, { exp: now() + 60 });
  tokens.remember('begins', key, { exp: now() + 600, nbf: now() + 61 });
  tokens.remember('endless', key, {});
  expect([tokens.find('ends', key), tokens.find('begins', key)]).toEqual([{ exp: now() + 60 }, undefined]);
  expect(tokens.find('endless', key)).toBeUndefined();
  vi.advanceTimersByTime(1_000);
  expect(tokens.find('begins', key)).toBeDefined();
  vi.advanceTimersByTime(63_000);
  expect(tokens.find('ends', key)).toBeDefined();
  vi.advanceTimersByTime(1_000);
  expect(tokens.find('ends', key)).toBeUndefined();
});

test('only the latest tokens are remembered', () => {
  const tokens = new VerifiedTokens({ earlySeconds: 60, lateSeconds: 5 });
  for (let number = 0; number <= 1_000; number += 1) tokens.remember(`t${number}`, key, { exp: now() + 60 });
  expect([tokens.find('t0', key), tokens.find('t1', key)]).toEqual([undefined, { exp: expect.any(Number) }]);
});
