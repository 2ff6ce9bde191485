/** An operator could not tell from logs, metrics and traces what a request did, or would find its secrets there. */
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { HEALTH_KEY, hello, startApi, type ApiServer, type Tenant } from '../support/api-server.ts';
import { recordSpans, type SpanRecorder } from '../support/spans.ts';
import { eventually } from '../support/waiting.ts';

let api: ApiServer;
let tenant: Tenant;
let recorder: SpanRecorder;
let lines: string[] = [];
beforeAll(async () => {
  recorder = recordSpans();
  api = await startApi({}, { write: (line) => void lines.push(line) });
  tenant = await api.tenant();
});
afterAll(async () => {
  await api.close();
  await recorder.stop();
});
beforeEach(() => {
  lines = [];
});

const CANARY = `CANARY${crypto.randomUUID().replaceAll('-', '')}`;

/** The line of the request with this id; written when its connection is through with the answer. */
const lineOf = (requestId: string): Promise<Record<string, unknown>> =>
  eventually('the line of the request', 20_000, () => {
    const line = lines.find((text) => text.includes(requestId) && text.includes('"msg":"request"'));
    return line === undefined ? null : (JSON.parse(line) as Record<string, unknown>);
  });

let requests = 0;
const nextId = (): string => `request-${(requests += 1)}.${Date.now()}`;

test('a request is one line of an allow-list', async () => {
  const id = nextId();
  const { key, key_hint: hint } = (await tenant.call('POST', '/api-keys', { body: { name: 'x' } })).body;
  const userId = (await tenant.call('GET', '/auth/me')).body.id;
  await tenant.call('GET', '/workflows?page=1&page_size=5', { token: key, headers: { 'x-request-id': id } });
  const { time, level, severity, ms, ...line } = await lineOf(id);
  expect([typeof time, level, severity, typeof ms]).toEqual(['string', 30, 'info', 'number']);
  expect(line).toEqual({
    service: 'api',
    msg: 'request',
    method: 'GET',
    route: '/workflows',
    status: 200,
    request_id: id,
    organization_id: tenant.org,
    user_id: userId,
    key_hint: hint,
  });
});

test('a line names the run that the request starts or is about', async () => {
  const [start, record, cancel, batch] = [nextId(), nextId(), nextId(), nextId()];
  const send = (method: string, path: string, id: string, body?: object) =>
    tenant.call(method, path, { headers: { 'x-request-id': id }, ...(body === undefined ? {} : { body }) });
  const { run_id: runId } = (await send('POST', '/workflows/run', start, { workflow: hello() })).body;
  expect(await lineOf(start)).toMatchObject({ status: 200, run_id: runId });
  const [row] = await api.deps.db.query<{ id: string }>('SELECT id FROM runs WHERE run_id = $1', [runId]);
  await send('GET', `/workflow-runs/${row?.id}`, record);
  expect(await lineOf(record)).toMatchObject({ status: 200, run_pk: row?.id });
  await send('POST', `/workflows/cancel/${runId}`, cancel);
  expect(await lineOf(cancel)).toMatchObject({ status: 200, run_id: runId });
  await send('GET', '/workflow-runs', batch);
  expect(Object.keys(await lineOf(batch)).filter((name) => name.startsWith('run_'))).toEqual([]);
});

test('what was refused has its line, with what was known by then', async () => {
  const [anonymous, foreign, unrouted] = [nextId(), nextId(), nextId()];
  await api.call('GET', '/workflows', { headers: { 'x-request-id': anonymous } });
  await tenant.call('GET', '/workflows', { org: crypto.randomUUID(), headers: { 'x-request-id': foreign } });
  await api.call('GET', `/nowhere/${CANARY}`, { headers: { 'x-request-id': unrouted } });
  const nobody = await lineOf(anonymous);
  expect(nobody).toMatchObject({ status: 401, route: '/workflows' });
  expect(nobody).not.toHaveProperty('user_id');
  const stranger = await lineOf(foreign);
  expect(stranger).toMatchObject({ status: 403 });
  expect(stranger).not.toHaveProperty('organization_id');
  expect(await lineOf(unrouted)).toMatchObject({ status: 404, route: null });
});

test('X-Request-ID comes back; a harmful one is replaced', async () => {
  const given = (id: string) => api.call('GET', '/system/health', { headers: { 'x-request-id': id } });
  expect((await given('client-id.1')).headers.get('x-request-id')).toBe('client-id.1');
  for (const id of ['short', 'x'.repeat(65), 'has space here', '{"level":60}']) {
    const answered = (await given(id)).headers.get('x-request-id');
    expect(answered).toMatch(/^[0-9a-f-]{36}$/);
  }
  for (const path of ['/nowhere', '/workflows', '/metrics']) {
    expect((await api.call('GET', path)).headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  }
});

test('SEC-Z01: no secret of a request gets into logs, spans or metrics, wherever it stood', async () => {
  const secret = `svc_live_${CANARY}`;
  const jwt = await api.identity.mint({ sub: 'canary', exp: 1 });
  const last = nextId();
  const attempts = [
    api.call('GET', `/workflows?search=${CANARY}&token=${secret}`),
    tenant.call('GET', `/workflows?search=${CANARY}`),
    tenant.call('GET', `/workflows/${secret}`),
    tenant.call('GET', `/${CANARY}/${secret}`),
    api.call('GET', '/workflows', { token: secret }),
    api.call('GET', '/workflows', { token: jwt }),
    api.call('GET', '/workflows', { headers: { 'x-api-key': secret, cookie: `session=${CANARY}` } }),
    tenant.call('POST', '/workflows', { raw: `{"name": "${CANARY}` }),
    tenant.call('POST', '/workflows', { body: { name: CANARY, workflow_schema: CANARY } }),
    tenant.call('POST', '/workflows/run', { body: { workflow: hello(CANARY), input: { text: CANARY } } }),
    tenant.call('GET', '/workflows', { org: CANARY, headers: { 'user-agent': CANARY, referer: CANARY } }),
    api.call('GET', '/metrics', { headers: { 'x-health-api-key': CANARY } }),
    api.call('GET', '/workflows', { headers: { traceparent: CANARY, tracestate: `a=${CANARY}` } }),
  ];
  await Promise.all(attempts);
  await tenant.call('GET', '/workflows', { headers: { 'x-request-id': last } });
  await lineOf(last);
  const metrics = await api.call('GET', '/metrics', { headers: { 'x-health-api-key': HEALTH_KEY } });
  expect(metrics.status).toBe(200);
  const spans = recorder.spans().map((span) => [span.name, span.attributes, span.events, span.status]);
  const [, , signature] = jwt.split('.');
  for (const canary of [CANARY, signature ?? '', tenant.token, HEALTH_KEY]) {
    expect(lines.filter((line) => line.includes(canary))).toEqual([]);
    expect(JSON.stringify(spans)).not.toContain(canary);
    expect(metrics.text).not.toContain(canary);
  }
  expect(lines.length).toBeGreaterThan(attempts.length);
});

test('SEC-O06: an unexpected failure is logged with its cause and its request, without what the client sent', async () => {
  const id = nextId();
  const failing = vi.spyOn(api.deps.keySet, 'verify');
  failing.mockRejectedValueOnce(new Error(`broke beside svc_live_${CANARY}`));
  const answer = await tenant.call('GET', `/api-keys?x=${CANARY}`, { headers: { 'x-request-id': id } });
  failing.mockRestore();
  expect([answer.status, answer.body]).toEqual([
    500,
    { detail: 'An unexpected internal server error occurred.' },
  ]);
  const failure = lines.find((line) => line.includes('unexpected error')) ?? '';
  expect(JSON.parse(failure)).toMatchObject({
    level: 50,
    route: '/api-keys',
    request_id: id,
    err: { message: 'broke beside svc_live_***' },
  });
  expect(failure).not.toContain(CANARY);
});

test('SEC-Z08: what looks like a line of the log is none', async () => {
  const injected = 'x\n{"level":60,"msg":"injected"}';
  const last = nextId();
  await tenant.call('POST', '/workflows', { body: { name: injected, workflow_schema: hello(injected) } });
  await tenant.call('POST', '/workflows/run', {
    body: { workflow: hello(injected), input: { text: injected } },
  });
  await api.call('GET', `/workflows/${encodeURIComponent(injected)}`, {
    headers: { 'user-agent': 'x {"level":60}' },
  });
  const failing = vi.spyOn(api.deps.keySet, 'verify');
  failing.mockRejectedValueOnce(new Error(injected));
  await tenant.call('GET', '/api-keys', { headers: { 'x-request-id': last } });
  failing.mockRestore();
  await lineOf(last);
  for (const line of lines)
    expect([line, JSON.parse(line).level < 60, line.trimEnd().includes('\n')]).toEqual([line, true, false]);
  expect(lines.join('')).toContain('injected');
});

test('only operators can read the metrics', async () => {
  const nothing = { detail: 'Not Found' };
  for (const headers of [{}, { 'x-health-api-key': 'wrong' }, { authorization: `Bearer ${HEALTH_KEY}` }]) {
    const answer = await api.call('GET', '/metrics', { headers });
    expect([answer.status, answer.body]).toEqual([404, nothing]);
  }
  await tenant.call('POST', '/workflows/run', { body: { workflow: hello() } });
  const { text, headers } = await api.call('GET', '/metrics', {
    headers: { 'x-health-api-key': HEALTH_KEY },
  });
  expect(headers.get('content-type')).toContain('text/plain');
  expect(text).toMatch(
    /^http_request_duration_seconds_count\{method="POST",route="\/workflows\/run",status_class="2xx"\} [1-9]/m,
  );
  expect(text).toMatch(/^runs_accepted_total\{trigger="api"\} [1-9]/m);
  // Nothing delivers here: what was accepted waits.
  expect(text).toMatch(/^outbox_entries\{state="waiting"\} [1-9]/m);
  expect(text).toMatch(/^runs_open [1-9]/m);
  expect(text).toMatch(/^run_streams_open 0$/m);
  expect(text).toMatch(/^database_up 1$/m);
  expect(text).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-/);
});

test('without an operator key on the deployment there are no metrics', async () => {
  const bare = await startApi({ HEALTH_API_KEY: undefined });
  expect((await bare.call('GET', '/metrics', { headers: { 'x-health-api-key': '' } })).status).toBe(404);
  expect((await bare.call('GET', '/metrics', { headers: { 'x-health-api-key': 'x' } })).status).toBe(404);
  await bare.close();
});

test('a request is a span of the trace that it came with, and so is what it leaves in the outbox', async () => {
  const traceId = '0af7651916cd43dd8448eb211c80319c';
  const traceparent = `00-${traceId}-b7ad6b7169203331-01`;
  const { body } = await tenant.call('POST', '/workflows/run', {
    body: { workflow: hello() },
    headers: { traceparent },
  });
  const span = await recorder.find('POST /workflows/run', (found) => found.spanContext().traceId === traceId);
  expect(span.parentSpanContext?.spanId).toBe('b7ad6b7169203331');
  expect(span.attributes).toEqual({
    'http.request.method': 'POST',
    'http.route': '/workflows/run',
    'http.response.status_code': 200,
    'app.request_id': expect.stringMatching(/^[0-9a-f-]{36}$/),
    'app.organization_id': tenant.org,
  });
  const [entry] = await api.deps.db.query(
    'SELECT o.traceparent FROM outbox o JOIN runs r ON r.id = o.subject_id WHERE r.run_id = $1',
    [body.run_id],
  );
  expect(entry).toEqual({ traceparent: `00-${traceId}-${span.spanContext().spanId}-01` });
});

test('a scraper reads the metrics with a bearer token: waiting runs, the pool, refused requests', async () => {
  const server = await startApi({ METRICS_TOKEN: 'of-the-scraper' });
  const stranger = await server.tenant();
  await server.deps.db.query(`UPDATE organizations SET entitlements = '{"api": 1}' WHERE id = $1`, [
    stranger.org,
  ]);
  const scrape = (token: string) =>
    server.call('GET', '/metrics', { headers: { authorization: `Bearer ${token}` } });
  expect((await scrape('wrong')).status).toBe(404);
  const before = (await scrape('of-the-scraper')).text;
  await eventually('a refused request', 30_000, async () =>
    (await stranger.call('GET', '/workflows')).status === 429 ? true : null,
  );
  const { status, text } = await scrape('of-the-scraper');
  expect(status).toBe(200);
  expect(text).toContain('runs_waiting 0');
  expect(text).toContain('database_pool_connections{state="max"} 20');
  expect(text).toContain('database_pool_connections{state="queued"} 0');
  const limited = /http_requests_rate_limited_total\{code="rate_limited"\} (\d+)/;
  expect(Number(limited.exec(text)?.[1])).toBe(Number(limited.exec(before)?.[1] ?? 0) + 1);
  await server.close();
});
