/** The realtime process from outside: health, and who gets a connection. */
import { io, type Socket } from 'socket.io-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { portOf } from '../../src/http/server.ts';
import { listenRealtime, type RealtimeServer } from '../../src/realtime/server.ts';
import { startApi, type ApiServer, type Tenant } from '../support/api-server.ts';

let api: ApiServer;
let tenant: Tenant;
let server: RealtimeServer;
let url: string;
beforeAll(async () => {
  api = await startApi();
  tenant = await api.tenant();
  server = await listenRealtime(api.deps, '127.0.0.1', 0);
  url = `http://127.0.0.1:${portOf(server.http)}`;
});
afterAll(async () => {
  await server.close();
  await api.close();
});

/** Connects; the socket, or the data of the connect error. */
async function connect(auth: Record<string, unknown>): Promise<{ socket?: Socket; refused?: unknown }> {
  const socket = io(url, { auth, transports: ['websocket'], reconnection: false });
  const outcome = await new Promise<{ socket: Socket } | { refused: unknown }>((resolve) => {
    socket.once('connect', () => resolve({ socket }));
    socket.once('connect_error', (error: Error & { data?: unknown }) => resolve({ refused: error.data }));
  });
  if ('refused' in outcome) socket.disconnect();
  return outcome;
}

describe('realtime server', () => {
  test('health counts connections; all other paths are unknown', async () => {
    const { socket } = await connect({ token: tenant.token, organizationId: tenant.org });
    expect(socket?.connected).toBe(true);
    const health = await (await fetch(`${url}/health`)).json();
    expect(health).toEqual({
      status: 'healthy',
      uptime: expect.any(Number),
      rooms: 0,
      connections: 1,
      timestamp: expect.stringMatching(/Z$/),
    });
    socket?.disconnect();
    for (const path of ['/', '/health/', '/v1/health', '/admin/unknown']) {
      const response = await fetch(url + path);
      expect([response.status, await response.json()]).toEqual([404, { error: 'Endpoint not found' }]);
    }
  });

  test('the token may carry its scheme', async () => {
    const { socket } = await connect({ token: `Bearer ${tenant.token}`, organizationId: tenant.org });
    expect(socket?.connected).toBe(true);
    socket?.disconnect();
  });

  test.each([
    ['no token', {}, 'AUTH_REQUIRED'],
    ['a token that is none', { token: 'x' }, 'TOKEN_INVALID'],
    ['no organization', { token: () => tenant.token }, 'ORG_REQUIRED'],
    ['a malformed organization', { token: () => tenant.token, organizationId: 'x' }, 'ORG_INVALID'],
    [
      'an organization of others',
      { token: () => tenant.token, organizationId: '00000000-0000-4000-8000-000000000000' },
      'NOT_A_MEMBER',
    ],
  ])('%s is refused with a code', async (_, auth, code) => {
    const token = 'token' in auth && typeof auth.token === 'function' ? { token: auth.token() } : {};
    const { refused } = await connect({ ...auth, ...token });
    expect(refused).toMatchObject({ code, retryable: false });
  });

  test('a retired role is refused', async () => {
    const member = await api.tenant();
    await api.deps.db.query(`UPDATE memberships SET role = 'member' WHERE organization_id = $1`, [
      member.org,
    ]);
    const { refused } = await connect({ token: member.token, organizationId: member.org });
    expect(refused).toMatchObject({ code: 'ROLE_FORBIDDEN' });
  });
});
