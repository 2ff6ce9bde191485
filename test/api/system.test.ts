/**
 * A load balancer or an operator would be told that a broken service is healthy, or could not reach the health
 * report.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { VERSION } from '../../src/base/config/config.ts';
import { HEALTH_KEY, startApi, type ApiServer } from '../support/api-server.ts';

let api: ApiServer;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const report = (server: ApiServer, key?: string) =>
  server.call(
    'GET',
    '/system/health/oauth',
    key === undefined ? {} : { headers: { 'x-health-api-key': key } },
  );

test('liveness has exactly three fields and reads no credential', async () => {
  const body = { status: 'healthy', service: 'workflow-automation-service', version: VERSION };
  expect((await api.call('GET', '/system/health')).body).toEqual(body);
  expect((await api.call('GET', '/system/health', { token: 'svc_live_wrong', org: 'x' })).body).toEqual(body);
  expect((await api.call('GET', '/')).body.version).toBe(VERSION);
});

test('the report names each check and sums them up', async () => {
  const answer = await report(api, HEALTH_KEY);
  expect([answer.status, answer.body.overall]).toEqual([200, 'healthy']);
  expect(Object.keys(answer.body.checks)).toEqual(['database', 'temporal', 'identity_provider']);
});

test('a failing check is unhealthy, still with 200; a warning is a warning', async () => {
  const server = await startApi({ AUTH_JWKS_URL: 'http://127.0.0.1:9/none' });
  expect((await report(server, HEALTH_KEY)).body).toMatchObject({
    overall: 'unhealthy',
    checks: { database: { status: 'healthy' }, identity_provider: { status: 'unhealthy' } },
  });
  await server.close();
  const bare = await startApi({ AUTH_JWKS_URL: undefined, AUTH_ISSUER: undefined });
  expect((await report(bare, HEALTH_KEY)).body.overall).toBe('warning');
  await bare.close();
});

test('SEC-O01: without a key on the deployment it is 503', async () => {
  const server = await startApi({ HEALTH_API_KEY: undefined });
  const answer = await report(server, 'anything');
  expect([answer.status, answer.body]).toEqual([503, { detail: 'Health check API key is not configured' }]);
  await server.close();
});

test('SEC-O02, SEC-B11: after five wrong keys an address is refused, whatever address it claims', async () => {
  const server = await startApi();
  const keys = [undefined, 'svc_live_key', HEALTH_KEY.slice(1), `${HEALTH_KEY}x`, ''];
  for (const [index, key] of keys.entries()) {
    const headers = { 'x-forwarded-for': `203.0.113.${index}`, 'x-real-ip': `203.0.113.${index}` };
    const answer = await server.call('GET', '/system/health/oauth', {
      headers: { ...headers, ...(key === undefined ? {} : { 'x-health-api-key': key }) },
    });
    expect([answer.status, answer.body]).toEqual([401, { detail: 'Invalid health check API key' }]);
  }
  const limited = await report(server, HEALTH_KEY);
  expect(limited.status).toBe(429);
  expect(limited.headers.get('x-ratelimit-limit')).toBe('5');
  expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0);
  await server.close();
});

test('behind a trusted proxy the wrong keys of one caller refuse no other', async () => {
  const server = await startApi({ TRUSTED_PROXIES: '127.0.0.0/8, ::1' });
  const from = (address: string, key: string) =>
    server.call('GET', '/system/health/oauth', {
      headers: { 'x-forwarded-for': `1.2.3.4, ${address}`, 'x-health-api-key': key },
    });
  for (let count = 0; count < 5; count += 1) expect((await from('203.0.113.1', 'wrong')).status).toBe(401);
  expect((await from('203.0.113.1', HEALTH_KEY)).status).toBe(429);
  expect((await from('203.0.113.2', HEALTH_KEY)).status).toBe(200);
  await server.close();
});

test('readiness fails on a database without a migration of this build, and while the process drains', async () => {
  const server = await startApi();
  const ready = async () => {
    const { status, body } = await server.call('GET', '/ready');
    return { status, body };
  };
  // Looks are shared for half a second.
  const becomes = (state: object) => expect.poll(ready, { timeout: 20_000 }).toMatchObject(state);
  expect(await ready()).toEqual({
    status: 200,
    body: { status: 'ready', database: true, schema: 'current', draining: false, failing: [] },
  });
  await server.deps.db.query(
    `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at) VALUES ('later', '', '2999_later', now())`,
  );
  await becomes({ status: 200, body: { schema: 'newer' } });
  await server.deps.db.query(`SELECT require_build('2999_later')`);
  await becomes({ status: 503, body: { status: 'not_ready', database: true, schema: 'incompatible' } });
  await server.deps.db.query('DELETE FROM required_build');
  await becomes({ status: 200, body: { schema: 'newer' } });
  await server.deps.db.query(
    'DELETE FROM _prisma_migrations WHERE migration_name = (SELECT min(migration_name) FROM _prisma_migrations)',
  );
  await becomes({ status: 503, body: { status: 'not_ready', database: true, schema: 'older' } });
  server.deps.feed.drain();
  await becomes({ status: 503, body: { draining: true } });
  await server.close();
});
