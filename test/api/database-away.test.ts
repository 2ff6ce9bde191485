/**
 * While PostgreSQL is down (SPEC REL-R30) or silent (SPEC REL-R31), a request would wait for ever or get an answer
 * that no client knows.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApi, type Answer, type ApiServer, type Tenant } from '../support/api-server.ts';
import { testDatabase, type TestDatabase } from '../support/database.ts';
import { startTcpProxy, type TcpProxy, type Wire } from '../support/tcp-proxy.ts';
import { eventually } from '../support/waiting.ts';

let database: TestDatabase;
let proxy: TcpProxy;
let api: ApiServer;
let tenant: Tenant;
let key: string;
beforeAll(async () => {
  database = await testDatabase();
  const url = new URL(database.url);
  proxy = await startTcpProxy({ host: url.hostname, port: Number(url.port) });
  url.port = String(proxy.port);
  api = await startApi({ DATABASE_URL: url.href });
  tenant = await api.tenant();
  key = (await tenant.call('POST', '/api-keys', { body: { name: 'x' } })).body.key;
});
afterAll(async () => {
  proxy.become('open');
  await api.close();
  await proxy.close();
  await database.drop();
});

/** As many as connections of the pool are free, and more: some find the silence, the others nobody to ask. */
const requests = (): Promise<Answer>[] =>
  Array.from({ length: 12 }, (_, index) => {
    const token = index % 2 === 0 ? key : tenant.token;
    return [
      tenant.call('GET', '/workflows', { token }),
      tenant.call('GET', '/auth/me', { token }),
      tenant.call('POST', '/workflows/run', { token, body: { workflow_id: crypto.randomUUID() } }),
    ];
  }).flat();

describe.each<[Wire, string]>([
  ['refused', 'REL-R30'],
  ['silent', 'REL-R31'],
])('connections are %s (%s)', (wire) => {
  test('keys and tokens hear 500 with Retry-After, probes are served, and then all is well', async () => {
    proxy.become(wire);
    const asked = requests();
    expect((await api.call('GET', '/system/health')).status).toBe(200);
    const health = await api.call('GET', '/system/health/oauth', {
      headers: { 'x-health-api-key': 'operator-secret-of-the-tests' },
    });
    expect([health.status, health.body.overall]).toEqual([200, 'unhealthy']);
    for (const { status, body, headers } of await Promise.all(asked)) {
      expect([status, body, headers.get('retry-after')]).toEqual([
        500,
        { detail: 'An unexpected internal server error occurred.' },
        '5',
      ]);
    }
    proxy.become('open');
    await eventually('the API to serve again', 30_000, async () => {
      const { status } = await tenant.call('GET', '/workflows', { token: key });
      return status === 200 ? true : null;
    });
    const answers = await Promise.all(
      [key, tenant.token].map((token) => tenant.call('GET', '/auth/me', { token })),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  });
});
