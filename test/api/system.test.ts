/**
 * A load balancer or an operator would be told that a broken service is healthy, or could not reach the health
 * report.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { VERSION } from '../../src/config/config.ts';
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
  const bare = await startApi({ AUTH_JWKS_URL: undefined });
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
