/** Only owners and admins with a valid token may connect; every rejection must carry its documented code. */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { KeySet } from '../../../src/platform/access/jwt.ts';
import { readHandshake } from '../../../src/features/canvas/server/handshake.ts';
import { signRelayTicket } from '../../../src/features/canvas/server/relay-ticket.ts';
import { systemClock } from '../../../src/base/clock.ts';
import type { Tenant } from '../../support/api-server.ts';
import { signingKey, startIdentityProvider } from '../../support/identity-provider.ts';
import { startCanvas, type Canvas } from './support/canvas.ts';
import { Peer, type Refused } from './support/peer.ts';

const NOBODY = '00000000-0000-4000-8000-000000000000';

let canvas: Canvas;
let tenant: Tenant;
let stranger: Tenant;
beforeAll(async () => {
  canvas = await startCanvas();
  tenant = await canvas.api.tenant();
  stranger = await canvas.api.tenant();
});
afterAll(() => canvas.close());

/** The data of the connect error; null when the handshake succeeds. */
async function refusal(auth: Record<string, unknown>): Promise<unknown> {
  try {
    (await Peer.connect({ url: canvas.url, auth })).close();
    return null;
  } catch (error) {
    return (error as Refused).data;
  }
}

test.each([['polling'], ['websocket'], ['polling', 'websocket']] as ('polling' | 'websocket')[][])(
  'transports %s %s',
  async (...transports) => {
    const auth = { token: tenant.token, organizationId: tenant.org };
    const peer = await Peer.connect({ url: canvas.url, auth, transports });
    expect(peer.isConnected).toBe(true);
    peer.close();
  },
);

test('the token may begin with its scheme', async () => {
  expect(await refusal({ token: `Bearer ${tenant.token}`, organizationId: tenant.org })).toBeNull();
});

describe('rejections (SEC-W01)', () => {
  const { mint } = { mint: (claims: Record<string, unknown>) => canvas.api.identity.mint(claims) };
  const past = Math.floor(Date.now() / 1000) - 600;
  const cases: readonly [string, () => Promise<Record<string, unknown>> | Record<string, unknown>, string][] =
    [
      ['nothing', () => ({}), 'AUTH_REQUIRED'],
      ['no token', () => ({ organizationId: tenant.org }), 'AUTH_REQUIRED'],
      ['a token that is none', () => ({ token: 'x', organizationId: tenant.org }), 'TOKEN_INVALID'],
      ['a token that is no text', () => ({ token: { a: 1 }, organizationId: tenant.org }), 'AUTH_REQUIRED'],
      [
        'an API key',
        () => ({ token: `svc_live_${'x'.repeat(40)}`, organizationId: tenant.org }),
        'TOKEN_INVALID',
      ],
      [
        'an expired token',
        async () => ({ token: await mint({ exp: past }), organizationId: tenant.org }),
        'TOKEN_EXPIRED',
      ],
      [
        'a token of another issuer',
        async () => ({ token: await mint({ iss: 'https://elsewhere.test' }), organizationId: tenant.org }),
        'TOKEN_INVALID',
      ],
      [
        'a token of another key',
        async () => ({
          token: await canvas.api.identity.mint({}, await signingKey('key-1')),
          organizationId: tenant.org,
        }),
        'TOKEN_INVALID',
      ],
      [
        'a token that names nobody',
        async () => ({ token: await mint({ email: undefined }) }),
        'USER_UNKNOWN',
      ],
      ['no organization', () => ({ token: tenant.token }), 'ORG_REQUIRED'],
      ['a malformed organization', () => ({ token: tenant.token, organizationId: 'x' }), 'ORG_INVALID'],
      [
        'a list of organizations',
        () => ({ token: tenant.token, organizationId: [tenant.org] }),
        'ORG_INVALID',
      ],
      [
        'an organization of others',
        () => ({ token: tenant.token, organizationId: stranger.org }),
        'NOT_A_MEMBER',
      ],
      ['an unknown organization', () => ({ token: tenant.token, organizationId: NOBODY }), 'NOT_A_MEMBER'],
    ];
  test.each(cases)('%s', async (_, auth, code) => {
    expect(await refusal(await auth())).toEqual({ code, message: expect.any(String), retryable: false });
  });

  test('a retired role and an inactive user are rejected', async () => {
    const member = await canvas.api.tenant();
    const auth = { token: member.token, organizationId: member.org };
    const { db } = canvas.api.deps;
    await db.query(`UPDATE memberships SET role = 'member' WHERE organization_id = $1`, [member.org]);
    expect(await refusal(auth)).toMatchObject({ code: 'ROLE_FORBIDDEN' });
    await db.query(
      'UPDATE users SET is_active = false WHERE id = (SELECT user_id FROM memberships WHERE organization_id = $1)',
      [member.org],
    );
    expect(await refusal(auth)).toMatchObject({ code: 'USER_INACTIVE' });
  });

  test('a database outage is retryable', async () => {
    const away = { ...canvas.api.deps.db, query: () => Promise.reject(new Error('away')) };
    const handshake = readHandshake({ ...canvas.api.deps, db: away }, { token: tenant.token });
    await expect(handshake).rejects.toMatchObject({ data: { code: 'AUTH_UNAVAILABLE', retryable: true } });
  });

  test('an outage of the identity provider is retryable', async () => {
    const provider = await startIdentityProvider();
    provider.answerWith((response) => response.writeHead(500).end());
    const { config, log } = canvas.api.deps;
    const auth = { ...config.auth, jwksUrl: provider.jwksUrl };
    const keySet = new KeySet({ ...config, auth }, log);
    const handshake = readHandshake({ ...canvas.api.deps, keySet }, { token: tenant.token });
    await expect(handshake).rejects.toMatchObject({ data: { code: 'AUTH_UNAVAILABLE', retryable: true } });
    await provider.stop();
  });

  test('a relayed client needs a fresh ticket of this service, and its membership is read again', async () => {
    const { deps } = canvas.api;
    const { auth } = deps.config;
    const client = await readHandshake(deps, { token: tenant.token, organizationId: tenant.org });
    const elsewhere = { ...client, scope: { ...client.scope, organizationId: stranger.org } };
    expect(await refusal({ relay: signRelayTicket(auth, client) })).toBeNull();
    const forged = signRelayTicket({ ...auth, apiKeySecret: 'another' }, client);
    expect(await refusal({ relay: forged })).toMatchObject({ code: 'AUTH_REQUIRED' });
    const foreign = signRelayTicket(auth, elsewhere);
    expect(await refusal({ relay: foreign })).toMatchObject({ code: 'NOT_A_MEMBER' });
    const now = vi.spyOn(systemClock, 'now').mockReturnValue(Date.now() - 61_000);
    const old = signRelayTicket(auth, client);
    now.mockRestore();
    expect(await refusal({ relay: old })).toMatchObject({ code: 'AUTH_REQUIRED' });
  });

  test('a user has a limited number of connections (SEC-W11)', async () => {
    const crowded = await canvas.api.tenant();
    const peers = await Promise.all(Array.from({ length: 20 }, () => canvas.peer(crowded)));
    const auth = { token: crowded.token, organizationId: crowded.org };
    expect(await refusal(auth)).toMatchObject({ code: 'TOO_MANY_CONNECTIONS', retryable: true });
    for (const peer of peers) peer.close();
    await expect.poll(() => refusal(auth), { timeout: 20_000 }).toBeNull();
  });
});
