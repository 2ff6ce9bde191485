/** Nobody could sign in to a local system, or a sign-in would end with each restart. */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from 'jose';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startIssuer, type LocalIssuer } from '../../../src/processes/local/issuer.ts';

const USER = { sub: 'user_1', email: 'ada@example.com' };
let directory: string;
let keyFile: string;
const running: LocalIssuer[] = [];

async function start(): Promise<LocalIssuer> {
  const issuer = await startIssuer(keyFile);
  running.push(issuer);
  return issuer;
}

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'issuer-'));
  keyFile = join(directory, 'key.pem');
});
afterEach(async () => {
  for (const issuer of running.splice(0)) await issuer.stop();
  rmSync(directory, { recursive: true });
});

test('a token verifies against the published key set and carries its claims', async () => {
  const issuer = await start();
  const token = await issuer.mint({ ...USER, azp: 'https://app.example' });
  const { payload } = await jwtVerify(token, createRemoteJWKSet(new URL(issuer.jwksUrl)), {
    issuer: issuer.issuer,
  });
  expect(payload).toMatchObject({ ...USER, azp: 'https://app.example', email_verified: true });
});

test('the key set holds no private part', async () => {
  const issuer = await start();
  const answer = (await (await fetch(issuer.jwksUrl)).json()) as { keys: object[] };
  expect(answer.keys.map((key) => Object.keys(key).toSorted((a, b) => a.localeCompare(b)))).toEqual([
    ['alg', 'e', 'kid', 'kty', 'n', 'use'],
  ]);
});

test('the key is kept, readable by its owner alone, so tokens outlive a restart', async () => {
  const first = await start();
  const token = await first.mint(USER);
  await running.splice(0)[0]?.stop();
  expect(statSync(keyFile).mode & 0o777).toBe(0o600);
  const second = await start();
  await expect(jwtVerify(token, createRemoteJWKSet(new URL(second.jwksUrl)))).resolves.toBeDefined();
  expect(decodeProtectedHeader(token).kid).toBe(decodeProtectedHeader(await second.mint(USER)).kid);
});

test('a token may be out of date', async () => {
  const issuer = await start();
  const token = await issuer.mint({ ...USER, lifetimeSeconds: -60 });
  await expect(jwtVerify(token, createRemoteJWKSet(new URL(issuer.jwksUrl)))).rejects.toThrow('exp');
});
