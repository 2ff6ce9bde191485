/** Plain socket.io-client must work without our library: over a restart, and not from pages of other origins. */
import { io, type ManagerOptions, type Socket, type SocketOptions } from 'socket.io-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listenRealtime, type RealtimeServer } from '../../../src/features/canvas/server/server.ts';
import { readPort } from '../../../src/platform/http/server.ts';
import { findAnyPort } from '../../../src/processes/local/ports.ts';
import { startApi, type ApiServer, type Tenant } from '../../support/api-server.ts';
import { APP_URL } from '../../support/identity-provider.ts';

let api: ApiServer;
let tenant: Tenant;
const opened: Socket[] = [];

beforeAll(async () => {
  api = await startApi();
  tenant = await api.tenant();
});
afterAll(async () => {
  for (const socket of opened) socket.close();
  await api.close();
});

const listen = (port: number, deps = api.deps): Promise<RealtimeServer> =>
  listenRealtime(deps, { host: '127.0.0.1', port });

function open(port: number, options: Partial<ManagerOptions & SocketOptions>): Socket {
  const auth = { token: tenant.token, organizationId: tenant.org };
  const socket = io(`http://127.0.0.1:${port}`, { auth, forceNew: true, ...options });
  opened.push(socket);
  return socket;
}

const next = (socket: Socket, event: string): Promise<unknown> =>
  new Promise((resolve) => socket.once(event, resolve));

describe('a server that restarts', () => {
  test.each([[['websocket']], [['polling']], [['polling', 'websocket']]])(
    'clients of %j come back by themselves',
    async (transports) => {
      const port = await findAnyPort();
      const first = await listen(port);
      const socket = open(port, { transports, reconnectionDelay: 50, reconnectionDelayMax: 200 });
      await next(socket, 'connect');
      const lost = next(socket, 'disconnect');
      await first.drain();
      // The one reason after which socket.io-client stays away is `io server disconnect`.
      expect(await lost).toMatch(/^(transport close|transport error)$/);
      const back = next(socket, 'connect');
      const second = await listen(port);
      await back;
      expect(socket.connected).toBe(true);
      socket.close();
      await second.drain();
    },
    30_000,
  );

  test('a client that connects during the shutdown connects to the next server', async () => {
    const port = await findAnyPort();
    const first = await listen(port);
    const draining = first.drain();
    const socket = open(port, { reconnectionDelay: 50, reconnectionDelayMax: 200 });
    await draining;
    const back = next(socket, 'connect');
    const second = await listen(port);
    await back;
    socket.close();
    await second.drain();
  });
});

describe('pages of other origins', () => {
  let server: RealtimeServer;
  let bare: RealtimeServer;
  beforeAll(async () => {
    server = await listen(0);
    bare = await listen(0, { ...api.deps, config: { ...api.deps.config, appUrl: undefined } });
  });
  afterAll(() => Promise.all([server.drain(), bare.drain()]));

  const isLetIn = async (
    { http }: RealtimeServer,
    transport: 'polling' | 'websocket',
    origin: string | null,
  ): Promise<boolean> => {
    const extraHeaders = origin === null ? {} : { origin };
    const socket = open(readPort(http), { transports: [transport], extraHeaders, reconnection: false });
    const isIn = await Promise.race([
      next(socket, 'connect').then(() => true),
      next(socket, 'connect_error').then(() => false),
    ]);
    socket.close();
    return isIn;
  };

  test.each(['polling', 'websocket'] as const)('are rejected over %s', async (transport) => {
    const same = `http://127.0.0.1:${readPort(bare.http)}`;
    expect(await isLetIn(server, transport, null)).toBe(true);
    expect(await isLetIn(server, transport, APP_URL)).toBe(true);
    expect(await isLetIn(bare, transport, same)).toBe(true);
    const strange = [
      'https://evil.test',
      'null',
      `${APP_URL}.evil.test`,
      APP_URL.replace('https', 'http'),
      `${APP_URL}:8443`,
    ];
    for (const origin of strange) {
      expect(await isLetIn(server, transport, origin), origin).toBe(false);
      expect(await isLetIn(bare, transport, origin), origin).toBe(false);
    }
  });
});
