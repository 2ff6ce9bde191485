/**
 * A body, query or path that breaks the rules of HTTP or JSON would cause a server error or be misread (SPEC SEC-P).
 */
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hello, startApi, type ApiServer, type Tenant } from '../support/api-server.ts';
import { sendBytes, sendHostile } from './send.ts';
import { unlimited } from './unlimited.ts';

let api: ApiServer;
let tenant: Tenant;
beforeAll(async () => {
  api = await startApi();
  tenant = await api.tenant();
  await unlimited(api);
});
afterAll(() => api.close());

const headers = (): Record<string, string> => ({
  authorization: `Bearer ${tenant.token}`,
  'x-organization-id': tenant.org,
  'content-type': 'application/json',
});

test('SEC-P07: a small body that unpacks to 50 MB is not unpacked', async () => {
  const bomb = new Uint8Array(gzipSync(Buffer.alloc(50_000_000, ' ')));
  const answer = await tenant.call('POST', '/workflows', {
    raw: bomb,
    headers: { 'content-encoding': 'gzip' },
  });
  expect([answer.status, answer.body]).toEqual([415, { detail: 'Content-Encoding is not supported' }]);
});

test.each([
  ['name', '/organizations', '{"name":{"length":{"toString":null}}}'],
  ['subject', '/requests', '{"subject":{"length":{"valueOf":1,"toString":1}},"message":"x"}'],
  [
    'tags',
    '/workflows',
    '{"name":"x","tags":{"length":[{"toString":null}]},"workflow_schema":{"nodes":[],"edges":[]}}',
  ],
  [
    'a node field',
    '/workflows/run',
    '{"workflow":{"nodes":[{"id":"a","type":"llm","config":{"model":{"length":{"toString":null}}}}],"edges":[]}}',
  ],
])('SEC-P10: %s with a length that cannot be compared is 422', async (_, path, raw) => {
  const answer = await tenant.call('POST', path, { raw });
  expect([answer.status, answer.body.detail[0].type]).toEqual([422, 'length_incomparable']);
});

test('SEC-P10: a length that can be compared is data like any other', async () => {
  const input = { length: { cm: 5 }, box: { length: [1, 'a', {}] } };
  const body = { name: 'x', workflow_schema: { nodes: [], edges: [] }, input };
  const made = await tenant.call('POST', '/workflows', { body });
  expect([made.status, made.body.input]).toEqual([201, input]);
});

test.each(['1e400', '-0.5', '12345678901234567890', '1e2000', 'NaN', '0x10', '01'])(
  'SEC-P15: the integer %s is 422',
  async (number) => {
    const raw = `{"workflow":{"nodes":[],"edges":[]},"config":{"recursion_limit":${number}}}`;
    expect((await tenant.call('POST', '/workflows/run', { raw })).status).toBe(422);
  },
);

test.each([
  'limit=0',
  'limit=101',
  'limit=1e1',
  'limit=%201',
  'limit=١',
  'offset=-1',
  'offset=9223372036854775808',
  'offset=1.0',
  'workflow_id=x',
])('SEC-P17: the history with %s is 422', async (query) => {
  const answer = await tenant.call('GET', `/workflow-runs?${query}`);
  expect([answer.status, answer.body.detail[0].loc]).toEqual([422, ['query', query.split('=')[0]]]);
});

test('SEC-P19: beyond the end there is nothing, and the total stays right', async () => {
  const { total } = (await tenant.call('GET', '/workflows')).body;
  expect(total).toBeGreaterThan(0);
  const far = await tenant.call('GET', '/workflows?page_size=100&page=1000000');
  expect([far.status, far.body.workflows, far.body.total, far.body.page]).toEqual([
    200,
    [],
    total,
    1_000_000,
  ]);
  const runs = await tenant.call('GET', '/workflow-runs?offset=1000000000');
  expect([runs.status, runs.body.runs, runs.body.has_more]).toEqual([200, [], false]);
});

test('SEC-P19: the specification has no largest page and no largest offset; numbers that JSON keeps are taken', async () => {
  const most = Number.MAX_SAFE_INTEGER;
  const workflows = await tenant.call('GET', `/workflows?page_size=100&page=${most}`);
  expect(workflows.body).toMatchObject({ workflows: [], page: most, total: expect.any(Number) });
  const runs = await tenant.call('GET', `/workflow-runs?offset=${most}`);
  const noPages = { next_cursor: null, previous_cursor: null };
  expect(runs.body).toEqual({ runs: [], has_more: false, limit: 50, offset: most, ...noPages });
  const { id } = (await tenant.call('POST', '/workflows', { body: { workflow_schema: hello() } })).body;
  const deployments = await tenant.call('GET', `/workflows/${id}/deployments?offset=${most}`);
  expect(deployments.body).toEqual({
    deployments: [],
    total: 0,
    has_more: false,
    limit: 20,
    offset: most,
    ...noPages,
  });
});

test.each([
  '/workflows/',
  '/WORKFLOWS',
  '/v1/workflows',
  '/api/workflows',
  '//workflows',
  '/workflows//',
  '/workflows;x',
  '/./workflows',
  '/workflows/../workflows',
])('SEC-P21: %s is 404', async (path) => {
  const reply = await sendHostile(api.url, { method: 'GET', path, headers: headers(), body: null });
  expect([reply.status, JSON.parse(reply.text)]).toEqual([404, { detail: 'Not Found' }]);
});

test.each([
  '%00',
  '%2e%2e%2fadmin',
  '..%2f..%2fetc%2fpasswd',
  '__proto__',
  'undefined',
  '%ff',
  '%',
  '%zz',
  '%c0%af',
  "'",
  '%0d%0a',
  '1'.repeat(4_000),
])('SEC-P22: /workflows/%s is 400', async (text) => {
  const reply = await sendHostile(api.url, {
    method: 'GET',
    path: `/workflows/${text}`,
    headers: headers(),
    body: null,
  });
  expect([reply.status, JSON.parse(reply.text)]).toEqual([400, { detail: 'Invalid workflow_id format' }]);
});

const post = 'POST /requests HTTP/1.1\r\nHost: x\r\n';
test.each([
  ['both lengths', `${post}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`, 400],
  ['two lengths', `${post}Content-Length: 3\r\nContent-Length: 4\r\n\r\nabcd`, 400],
  ['a length of -1', `${post}Content-Length: -1\r\n\r\n`, 400],
  [
    'a folded header',
    'GET /system/health HTTP/1.1\r\nHost: x\r\nX-A: b\r\n c\r\nX-D: e\r\n f: g\r\n\u0000: h\r\n\r\n',
    400,
  ],
  ['a bare CR', 'GET /system/health HTTP/1.1\r\nHost: x\r\nX-A: b\rX-B: c\r\n\r\n', 400],
  ['a NUL in a header', 'GET /system/health HTTP/1.1\r\nHost: x\r\nX-A: b\0c\r\n\r\n', 400],
  ['a space before the colon', 'GET /system/health HTTP/1.1\r\nHost: x\r\nX-A : b\r\n\r\n', 400],
  ['a broken chunk', `${post}Transfer-Encoding: chunked\r\n\r\nzz\r\n`, 400],
  ['a header of 20 kB', `GET /system/health HTTP/1.1\r\nHost: x\r\nX-A: ${'a'.repeat(20_000)}\r\n\r\n`, 431],
  ['no HTTP at all', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n', 400],
])('SEC-P23: %s ends the connection', async (_, bytes, status) => {
  expect(await sendBytes(api.url, bytes)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  expect((await api.call('GET', '/system/health')).status).toBe(200);
});

test('SEC-P25: host headers of a request are in no answer', async () => {
  const evil = {
    ...headers(),
    host: 'evil.example',
    'x-forwarded-host': 'evil.example',
    forwarded: 'host=evil.example',
  };
  const body = JSON.stringify({ workflow: { nodes: [], edges: [] } });
  for (const [method, path] of [
    ['GET', '/'],
    ['GET', '/openapi.json'],
    ['GET', '/docs'],
    ['GET', '/workflows/'],
    ['POST', '/workflows/run'],
  ] as const) {
    const sent = method === 'POST' ? body : null;
    const reply = await sendHostile(api.url, { method, path, headers: evil, body: sent });
    expect(reply.status).toBeLessThan(500);
    expect(reply.text + JSON.stringify(reply.headers)).not.toContain('evil.example');
  }
});
