/**
 * A stranger could learn from response times which API keys exist (SPEC SEC-A29). Structure is compared instead of
 * time: a clock in a suite would lie.
 */
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { mintKey, verifyKey } from '../../../src/platform/access/api-key.ts';

beforeAll(() => {
  vi.spyOn(crypto, 'timingSafeEqual');
  syncBuiltinESMExports();
});
beforeEach(() => {
  vi.mocked(crypto.timingSafeEqual).mockClear();
});
afterAll(() => {
  vi.mocked(crypto.timingSafeEqual).mockRestore();
  syncBuiltinESMExports();
});

const SECRET = 'a secret of thirty-two characters';
const SECRETS = { apiKeySecret: SECRET, otherApiKeySecret: null };
const known = mintKey(SECRET);

/** What a lookup asks of the database; it answers with the known key's row, or with none. */
function database(
  row: object | null,
): Parameters<typeof verifyKey>[0] & { readonly asked: [string, readonly unknown[]][] } {
  const asked: [string, readonly unknown[]][] = [];
  return {
    asked,
    async batched(text: string, params: readonly unknown[]) {
      asked.push([text, params]);
      return (row === null ? [] : [row]) as never;
    },
    query: async () => [],
  };
}

test('SEC-A29: a key with a real hint is looked up as any other: one statement, with nothing of the key but its digest', async () => {
  const real = `svc_live_${known.keyHint}${'0'.repeat(35)}`;
  const random = mintKey(SECRET).key;
  const statements: string[] = [];
  for (const key of [real, random]) {
    const sql = database(null);
    await expect(verifyKey(sql, SECRETS, { key, organizationId: null })).rejects.toThrow('Invalid API key');
    expect(sql.asked).toHaveLength(1);
    const [text, params] = sql.asked[0] ?? ['', []];
    statements.push(text);
    const digest = crypto.createHmac('sha256', SECRET).update(key).digest();
    expect(params).toEqual([digest, digest, null]);
  }
  expect(statements[0]).toBe(statements[1]);
  expect(statements[0]).not.toMatch(/key_hint\s*=|LIKE/);
});

test('SEC-A29: a found key is compared as a whole, in constant time, before its expiry is checked', async () => {
  const other = { fingerprint: mintKey(SECRET).fingerprint, expires_at: new Date(0) };
  await expect(verifyKey(database(other), SECRETS, { key: known.key, organizationId: null })).rejects.toThrow(
    'Invalid API key',
  );
  expect(crypto.timingSafeEqual).toHaveBeenCalledWith(other.fingerprint, known.fingerprint);
  const expired = { fingerprint: known.fingerprint, expires_at: new Date(0) };
  await expect(
    verifyKey(database(expired), SECRETS, { key: known.key, organizationId: null }),
  ).rejects.toThrow('API key has expired');
  expect(crypto.timingSafeEqual).toHaveBeenCalledTimes(2);
});
