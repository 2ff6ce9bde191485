/** Plain HTTP of the realtime server: health, the operator's routes and metrics must answer as documented, anything else 404. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { HEALTH_KEY, type Tenant } from '../../support/api-server.ts';
import { sendBytes } from '../../hostile/send.ts';
import { startCanvas, type Canvas } from './support/canvas.ts';

const ADMIN_KEY = 'admin-key-of-the-tests';
const OPERATOR = 'operator@example.test';

let canvas: Canvas;
let tenant: Tenant;
let operator: string;
beforeAll(async () => {
  canvas = await startCanvas({
    environment: { REALTIME_ADMIN_API_KEY: ADMIN_KEY, REALTIME_ADMIN_EMAIL: OPERATOR },
  });
  tenant = await canvas.api.tenant();
  operator = await canvas.api.identity.mint({ email: 'Operator@Example.test', email_verified: true });
});
afterAll(() => canvas.close());

const get = async (path: string, headers: Record<string, string> = {}) => {
  const response = await fetch(canvas.url + path, { headers });
  return { status: response.status, body: await response.json(), headers: response.headers };
};

test('health counts rooms and connections, back to zero', async () => {
  const health = async (): Promise<unknown> => (await get('/health')).body;
  const counted = (rooms: number, connections: number): object => ({
    status: 'healthy',
    uptime: expect.any(Number),
    rooms,
    connections,
    timestamp: expect.stringMatching(/Z$/),
  });
  expect(await health()).toEqual(counted(0, 0));
  const peer = await canvas.peer(tenant);
  await peer.join(await canvas.workflow(tenant));
  expect(await health()).toEqual(counted(1, 1));
  peer.close();
  await expect.poll(health, { timeout: 25_000 }).toEqual(counted(0, 0));
});

test.each([
  '/',
  '/health/',
  '/v1/health',
  '/metrics',
  '/admin',
  '/admin/',
  '/admin/unknown',
  '//health',
  '/%',
])('%s is unknown (SEC-W14)', async (path) => {
  expect(await get(path)).toMatchObject({ status: 404, body: { error: 'Endpoint not found' } });
});

test.each([
  ['http://[:', 400],
  ['//[', 400],
  ['http://', 400],
  ['http://a:99999/health', 400],
  ['http://elsewhere.test/x', 404],
  ['*', 404],
  ['mailto:x', 400],
])('the target %s is %d', async (target, status) => {
  const bytes = `GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`;
  expect(await sendBytes(canvas.url, bytes)).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
});

test('it is ready with the migrations of its build alone', async () => {
  const { db } = canvas.api.deps;
  const ready = { status: 'ready', database: true, schema: 'current' };
  expect(await get('/ready')).toMatchObject({ status: 200, body: ready });
  const [{ name } = { name: '' }] = await db.query<{ name: string }>(
    'SELECT migration_name AS name FROM _prisma_migrations ORDER BY 1 DESC LIMIT 1',
  );
  const rename = (from: string, to: string): Promise<unknown> =>
    db.query('UPDATE _prisma_migrations SET migration_name = $2 WHERE migration_name = $1', [from, to]);
  await rename(name, 'of another build');
  expect(await get('/ready')).toMatchObject({ status: 503, body: { status: 'not_ready', schema: 'older' } });
  await rename('of another build', name);
  expect((await get('/ready')).status).toBe(200);
  await db.query(
    `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at) VALUES ('later', '', '2999_later', now())`,
  );
  expect((await get('/ready')).status).toBe(200);
  await db.query(`SELECT require_build('2999_later')`);
  expect(await get('/ready')).toMatchObject({ status: 503, body: { schema: 'incompatible' } });
  await db.query('DELETE FROM required_build');
  await db.query(`DELETE FROM _prisma_migrations WHERE id = 'later'`);
  expect((await get('/ready')).status).toBe(200);
});

test('metrics need the operator key', async () => {
  const response = await fetch(`${canvas.url}/metrics`, { headers: { 'x-health-api-key': HEALTH_KEY } });
  expect(response.status).toBe(200);
  expect(await response.text()).toContain('realtime_rooms');
});

describe("the operator's routes", () => {
  test('quick statistics are flat, full statistics are nested', async () => {
    const headers = { 'x-api-key': ADMIN_KEY, authorization: `Bearer ${operator}` };
    expect(await get('/admin/quick-stats', headers)).toMatchObject({
      status: 200,
      body: { connections: expect.any(Number), activeConnections: 0, idleConnections: 0, rooms: 0 },
    });
    expect(await get('/admin/stats', headers)).toMatchObject({
      status: 200,
      body: { connections: { total: expect.any(Number), active: 0, idle: 0 }, rooms: { total: 0 } },
    });
  });

  test('the key may come in either header or in the query', async () => {
    const authorization = `Bearer ${operator}`;
    expect(await get(`/admin/stats?api_key=${ADMIN_KEY}`, { authorization })).toMatchObject({ status: 200 });
    expect(await get('/admin/stats', { authorization, 'x-admin-api-key': ADMIN_KEY })).toMatchObject({
      status: 200,
    });
  });

  test('both credentials are required, each with its own error (SEC-W13)', async () => {
    const { identity } = canvas.api;
    const bearer = (token: string): Record<string, string> => ({ authorization: `Bearer ${token}` });
    const key = { 'x-api-key': ADMIN_KEY };
    const old = await identity.mint({ email: OPERATOR, exp: Math.floor(Date.now() / 1000) - 600 });
    const unverified = await identity.mint({ email: OPERATOR, email_verified: false });
    const cases = [
      [bearer(operator), 401, 'Admin API key is required'],
      [{ ...bearer(operator), 'x-api-key': 'wrong' }, 401, 'Invalid admin API key'],
      [key, 401, 'Bearer token is required'],
      [{ ...key, ...bearer('x') }, 401, 'Invalid or expired token'],
      [{ ...key, ...bearer(old) }, 401, 'Invalid or expired token'],
      [{ ...key, ...bearer(unverified) }, 403, 'User is not authorized'],
      [{ ...key, ...bearer(tenant.token) }, 403, 'User is not authorized'],
    ] as const;
    for (const [headers, status, error] of cases) {
      const answer = await get('/admin/stats', headers);
      expect(answer).toMatchObject({ status, body: { error } });
      // RFC 9110, section 11.6.1: a 401 says by which scheme to come back.
      expect(answer.headers.get('www-authenticate')).toBe(status === 401 ? 'Bearer' : null);
    }
  });

  test('wrong keys are rate-limited (SEC-W13)', async () => {
    const guesses = await Promise.all(
      Array.from({ length: 8 }, () => get('/admin/quick-stats', { 'x-api-key': 'guess' })),
    );
    const slowed = guesses.find(({ status }) => status === 429);
    expect(slowed?.body).toEqual({ error: 'Too many wrong admin API keys' });
    expect(slowed?.headers.get('retry-after')).toMatch(/^\d+$/);
  });
});

test('without a configuration there is no admin API', async () => {
  const bare = await startCanvas();
  const response = await fetch(`${bare.url}/admin/stats?api_key=`, { headers: { 'x-api-key': 'x' } });
  expect([response.status, await response.json()]).toEqual([503, { error: 'Admin API is not configured' }]);
  await bare.close();
});
