/**
 * People could not sign in by a standard OpenID provider, or one whose tokens are for another client could let them
 * in.
 */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { KeySet } from '../../../src/platform/access/jwt.ts';
import { readConfig } from '../../../src/base/config/config.ts';
import { createLog } from '../../../src/base/log.ts';
import { APP_URL, signingKey, type SigningKey } from '../../support/identity-provider.ts';
import { SignJWT } from 'jose';

const REFUSED = 'Invalid or expired token';
type Answer = (response: ServerResponse, authorization: string) => void;
const json =
  (value: unknown): Answer =>
  (response) =>
    void response.setHeader('content-type', 'application/json').end(JSON.stringify(value));

let key: SigningKey;
let issuer: string;
let pages: Record<string, Answer>;
let asked: string[];
let lines: string[];
let stop: () => void;

beforeAll(async () => {
  key = await signingKey('key-1');
});
beforeEach(async () => {
  asked = [];
  lines = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    const page = pages[request.url ?? ''];
    if (page === undefined) response.writeHead(404).end();
    else page(response, request.headers.authorization ?? '');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}/realms/main`;
  pages = {
    '/jwks.json': json({ keys: [key.jwk] }),
    '/realms/main/.well-known/openid-configuration': json({
      issuer,
      userinfo_endpoint: new URL('/userinfo', issuer).href,
    }),
    '/userinfo': json({ sub: 'u1', email: 'ann@example.test', email_verified: true }),
  };
  stop = () => {
    server.closeAllConnections();
    server.close();
  };
});
afterEach(() => stop());

const keySet = (more: Record<string, string | undefined> = {}): KeySet =>
  new KeySet(
    readConfig({
      DATABASE_URL: 'postgresql://nobody@127.0.0.1/none',
      APP_ENV: 'production',
      TEMPORAL_ADDRESS: '127.0.0.1:1',
      API_KEY_SECRET: 'a'.repeat(32),
      ENCRYPTION_KEYS: `k1:${Buffer.alloc(32, 7).toString('base64')}`,
      AUTH_JWKS_URL: new URL('/jwks.json', issuer).href,
      AUTH_ISSUER: issuer,
      APP_URL,
      ...more,
    }),
    createLog('info', 'test', { write: (line: string) => void lines.push(line) }),
  );

const mint = (claims: Record<string, unknown>): Promise<string> => {
  const now = Math.floor(Date.now() / 1000);
  const all = { iss: issuer, sub: 'u1', iat: now, exp: now + 600, ...claims };
  return new SignJWT(all).setProtectedHeader({ alg: 'RS256', kid: 'key-1' }).sign(key.privateKey);
};

const EMAIL = { email: 'ann@example.test', email_verified: true };
/** An access token of each, with what its makers put into it by default. */
const KEYCLOAK = { ...EMAIL, typ: 'Bearer', azp: 'canvas', aud: ['account', 'workflows'], sid: 's1' };
const AUTH0 = {
  azp: 'canvas',
  aud: ['https://workflows.example', 'https://x.auth0.test/userinfo'],
  scope: 'openid',
};
const OIDC_PROVIDER = { client_id: 'canvas', aud: 'https://workflows.example', jti: 'j' };

test.each([
  ['Keycloak', { ...KEYCLOAK }, { AUTH_AUDIENCE: 'workflows' }],
  ['Auth0 with userinfo', { ...AUTH0 }, { AUTH_USERINFO: '1', AUTH_AUDIENCE: 'https://workflows.example' }],
  [
    'Auth0 with an action that adds claims',
    { ...AUTH0, 'https://example.com/email': 'ann@example.test', 'https://example.com/verified': true },
    { AUTH_CLAIMS: 'email=https://example.com/email,email_verified=https://example.com/verified' },
  ],
  ['oidc-provider (RFC 9068)', { ...OIDC_PROVIDER }, { AUTH_USERINFO: '1' }],
  ['a client claim of its own', { ...EMAIL, cid: 'canvas' }, { AUTH_CLAIMS: 'azp=cid' }],
])('%s: refused by default, taken with its settings', async (_, claims, settings) => {
  const token = await mint(claims);
  await expect(keySet().verify(token)).rejects.toMatchObject({ failure: { status: 401 } });
  const verified = await keySet({ AUTH_AUTHORIZED_PARTIES: `${APP_URL}, canvas`, ...settings }).verify(token);
  expect(verified).toMatchObject({ subject: 'u1', email: 'ann@example.test', isEmailVerified: true });
});

test.each([
  ['another client in azp', { ...EMAIL, azp: 'other', client_id: 'canvas' }],
  ['another client in client_id', { ...EMAIL, client_id: 'other' }],
  ['no client at all', EMAIL],
  ['a list of clients', { ...EMAIL, azp: ['canvas'] }],
  ['a part of the name', { ...EMAIL, azp: 'canva' }],
])('SEC-J13: a token of %s is refused where parties are listed', async (_, claims) => {
  const keys = keySet({ AUTH_AUTHORIZED_PARTIES: 'canvas' });
  await expect(keys.verify(await mint(claims))).rejects.toThrow(REFUSED);
  expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ reason: 'authorized_party' });
});

test('client_id counts only where parties are listed', async () => {
  await expect(keySet().verify(await mint({ ...EMAIL, client_id: APP_URL }))).rejects.toThrow(REFUSED);
});

test('a token for another API of the issuer is refused where an audience is set', async () => {
  const keys = keySet({ AUTH_AUDIENCE: 'workflows,wf2' });
  for (const aud of [undefined, 'billing', ['billing', 'account'], 'workflows2', 5]) {
    const token = await mint({ ...EMAIL, azp: APP_URL, ...(aud === undefined ? {} : { aud }) });
    await expect(keys.verify(token)).rejects.toThrow(REFUSED);
    expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ reason: 'audience' });
    // The default looks at the client alone (SPEC API-authentication).
    expect(await keySet().verify(token)).toMatchObject({ subject: 'u1' });
  }
  for (const aud of ['workflows', ['x', 'wf2']]) {
    expect(await keys.verify(await mint({ ...EMAIL, aud }))).toMatchObject({ subject: 'u1' });
  }
});

test('claims by other names and on paths; inherited names lead nowhere', async () => {
  const names = 'sub=oid,email=user.mail,role=app.role,sid=session,email_verified=constructor.name';
  const claims = { oid: 'o1', user: { mail: 'a@b.c' }, app: { role: 'editor' }, session: 's9', azp: APP_URL };
  expect(await keySet({ AUTH_CLAIMS: names }).verify(await mint(claims))).toEqual({
    subject: 'o1',
    email: 'a@b.c',
    isEmailVerified: false,
    sessionId: 's9',
    role: 'EDITOR',
  });
  for (const wrong of ['mail=x', 'email', 'email=', 'email=a b']) {
    expect(() => keySet({ AUTH_CLAIMS: wrong })).toThrow('AUTH_CLAIMS');
  }
});

test('a provider that always verifies vouches for every address, when the operator says so', async () => {
  const token = await mint({ email: 'a@b.c', azp: APP_URL });
  expect(await keySet().verify(token)).toMatchObject({ isEmailVerified: false });
  const trusting = keySet({ AUTH_EMAIL_ALWAYS_VERIFIED: '1' });
  expect(await trusting.verify(token)).toMatchObject({ isEmailVerified: true });
});

describe('userinfo', () => {
  const open = (): KeySet => keySet({ AUTH_USERINFO: '1' });
  const bare = { azp: APP_URL };

  test('it is asked once a token, with the token, and never for a token with an email', async () => {
    const token = await mint(bare);
    pages['/userinfo'] = (response, authorization) => {
      expect(authorization).toBe(`Bearer ${token}`);
      json({ sub: 'u1', email: 'ann@example.test' })(response, authorization);
    };
    const keys = open();
    await Promise.all(Array.from({ length: 5 }, () => keys.verify(token)));
    expect(await keys.verify(token)).toMatchObject({ email: 'ann@example.test', isEmailVerified: false });
    await keys.verify(await mint({ ...bare, ...EMAIL }));
    expect(asked.filter((path) => path === '/userinfo')).toHaveLength(1);
    expect(asked.filter((path) => path.includes('openid-configuration'))).toHaveLength(1);
  });

  test('it is not asked where it is not switched on, nor for tokens that are not for us', async () => {
    await expect(keySet().verify(await mint(bare))).rejects.toThrow('Email not found in token claims');
    await expect(open().verify(await mint({ azp: 'other' }))).rejects.toThrow(REFUSED);
    expect(asked).not.toContain('/userinfo');
  });

  test.each([
    ['another subject', { sub: 'u2', email: 'eve@example.test' }, REFUSED],
    ['no email', { sub: 'u1' }, 'Email not found in token claims'],
    ['an email that is no text', { sub: 'u1', email: { a: 1 } }, REFUSED],
  ])('an answer with %s lets nobody in', async (_, facts, words) => {
    pages['/userinfo'] = json(facts);
    await expect(open().verify(await mint(bare))).rejects.toMatchObject({
      message: words,
      failure: { status: 401 },
    });
  });

  test('a token that the provider refuses is refused', async () => {
    pages['/userinfo'] = (response) => void response.writeHead(401).end();
    await expect(open().verify(await mint(bare))).rejects.toThrow(REFUSED);
  });

  test.each<[string, string, Answer]>([
    ['userinfo fails', '/userinfo', (response) => void response.writeHead(500).end()],
    ['userinfo redirects', '/userinfo', (response) => void response.writeHead(302, { location: '/x' }).end()],
    ['userinfo is no JSON', '/userinfo', (response) => void response.end('<html>')],
    [
      'discovery fails',
      '/realms/main/.well-known/openid-configuration',
      (response) => void response.writeHead(500).end(),
    ],
    [
      'discovery is of another issuer',
      '/realms/main/.well-known/openid-configuration',
      json({ issuer: 'https://evil.test', userinfo_endpoint: 'https://evil.test/u' }),
    ],
  ])('%s: 503 with Retry-After, and nobody is told the token', async (_, path, answer) => {
    pages[path] = answer;
    const token = await mint(bare);
    await expect(open().verify(token)).rejects.toMatchObject({
      failure: { status: 503 },
      headers: { 'Retry-After': '2' },
    });
    expect(lines.join('')).toContain('no_userinfo');
    expect(lines.join('')).not.toContain(token.slice(-40));
  });
});

test.each([
  ['no_signed_token', () => 'garbage'],
  ['expired', () => mint({ ...EMAIL, exp: 1 })],
  ['issuer', () => mint({ ...EMAIL, iss: 'https://elsewhere.test' })],
  ['not_yet_valid', () => mint({ ...EMAIL, nbf: 9_999_999_999 })],
  ['no_email', () => mint({ azp: APP_URL })],
  ['no_subject', () => mint({ ...EMAIL, sub: '' })],
])('why a token was refused is logged in a word: %s', async (reason, token) => {
  const text = await token();
  await expect(keySet().verify(text)).rejects.toThrow();
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({ reason, msg: 'a token was refused' }),
  ]);
  expect(lines.join('')).not.toContain(text);
});
