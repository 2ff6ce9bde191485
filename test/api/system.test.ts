import { afterAll, beforeAll, expect, test } from 'vitest';
import { VERSION } from '../../src/config.ts';
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

test('without a key on the deployment it is 503', async () => {
  const server = await startApi({ HEALTH_API_KEY: undefined });
  const answer = await report(server, 'anything');
  expect([answer.status, answer.body]).toEqual([503, { detail: 'Health check API key is not configured' }]);
  await server.close();
});

test('a wrong key is 401, five times; then nobody at that address is heard', async () => {
  const server = await startApi();
  for (const key of [undefined, 'a', HEALTH_KEY.slice(1), `${HEALTH_KEY}x`, '']) {
    const answer = await report(server, key);
    expect([answer.status, answer.body]).toEqual([401, { detail: 'Invalid health check API key' }]);
  }
  const limited = await report(server, HEALTH_KEY);
  expect(limited.status).toBe(429);
  expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0);
  await server.close();
});

test('the OpenAPI document describes the routes, their parameters and all error shapes', async () => {
  const { status, body, text } = await api.call('GET', '/openapi.json');
  expect([status, body.openapi, body.info.version]).toEqual([200, '3.1.1', VERSION]);
  expect(Object.keys(body.paths)).toContain('/workflows/{workflow_id}/deployments/{deployment_id}/activate');
  for (const path of Object.keys(body.paths)) expect(path).not.toMatch(/:|.\/$|^\/(api|v\d)\//);
  const update = body.paths['/workflows/{workflow_id}'].patch;
  expect(update.parameters.map((parameter: { name: string }) => parameter.name).sort()).toEqual([
    'X-Organization-ID',
    'workflow_id',
  ]);
  expect(Object.keys(update.responses)).toEqual(
    expect.arrayContaining(['200', '400', '401', '403', '404', '422']),
  );
  const [size] = body.paths['/workflows'].get.parameters.filter(
    (parameter: { name: string }) => parameter.name === 'page_size',
  );
  expect(size).toMatchObject({ in: 'query', schema: { type: 'integer', minimum: 1, maximum: 100 } });
  expect(Object.keys(body.components.schemas)).toEqual(
    expect.arrayContaining([
      'DetailError',
      'StructuredError',
      'ValidationError',
      'Denial',
      'Workflow',
      'Deployment',
    ]),
  );
  const ids = [...text.matchAll(/"operationId":"([^"]+)"/g)].map(([, id]) => id);
  expect(new Set(ids).size).toBe(ids.length);
  const references = [...text.matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)].map(
    ([, name]) => name ?? '',
  );
  for (const name of references) expect(body.components.schemas).toHaveProperty(name);
});

test.each(['/docs', '/redoc'])('%s is a page that loads nothing', async (path) => {
  const answer = await api.call('GET', path);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  expect(answer.headers.get('content-security-policy')).toContain("default-src 'self'");
  expect(answer.text).toContain('/workflows/{workflow_id}/deploy');
  expect(answer.text).not.toMatch(/<script|src=|https?:/);
});
