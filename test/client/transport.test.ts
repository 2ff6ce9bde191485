/** A program would get wrong errors, duplicate objects or endless waits from calls that fail. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { WorkflowApiError, WorkflowClient, type Retry } from '../../src/client/client.ts';
import { json, startScriptedServer, type Handler, type ScriptedServer } from './support/scripted-server.ts';

let server: ScriptedServer;
beforeAll(async () => {
  server = await startScriptedServer();
});
afterAll(() => server.close());
beforeEach(() => {
  server.requests.length = 0;
});

const failure = async (call: Promise<unknown>): Promise<WorkflowApiError> => {
  const error: unknown = await call.then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(WorkflowApiError);
  return error as WorkflowApiError;
};

const DENIAL = {
  layer: 'rate',
  code: 'rate_limit_exceeded',
  key: 'sync_exec',
  current: 10,
  limit: 10,
  reason: 'rate_limit_exceeded',
};
const PROBLEM = { loc: ['body', 'name'], msg: 'Field required', type: 'missing' };

describe('errors (SPEC API-errors)', () => {
  test.each([
    ['A', 404, { detail: 'Workflow not found' }, { code: null, detail: 'Workflow not found', problems: [] }],
    [
      'B',
      402,
      { detail: { reason: 'paid_subscription_required' } },
      { code: 'paid_subscription_required', detail: 'paid_subscription_required' },
    ],
    [
      'B with a code',
      400,
      { detail: { code: 'MAX_KEYS_EXCEEDED', message: 'Ten keys at most' } },
      { code: 'MAX_KEYS_EXCEEDED', detail: 'Ten keys at most' },
    ],
    [
      'C',
      422,
      { detail: [PROBLEM] },
      { code: null, detail: 'body.name: Field required', problems: [PROBLEM] },
    ],
    ['D', 402, DENIAL, { code: 'rate_limit_exceeded', detail: 'rate_limit_exceeded', body: DENIAL }],
  ])('shape %s', async (_, status, body, expected) => {
    server.handler = (__, response) =>
      json(response, status, body, { 'x-request-id': 'request-1', 'retry-after': '7' });
    const error = await failure(server.client().workflows.get('w'));
    expect(error).toMatchObject({ status, requestId: 'request-1', retryAfterMs: 7_000, ...expected });
  });

  test('API-error-codes: a refusal has the code of its header, not of its body', async () => {
    server.handler = (_, response) =>
      json(response, 404, { detail: 'Workflow not found' }, { 'x-error-code': 'workflow_not_found' });
    const error = await failure(server.client().workflows.get('w'));
    expect(error).toMatchObject({ status: 404, code: 'workflow_not_found', detail: 'Workflow not found' });
  });

  test("a proxy's page becomes an error with the response's status", async () => {
    server.handler = (_, response) => void response.writeHead(403).end('<html>');
    expect(await failure(server.client().workflows.get('w'))).toMatchObject({
      status: 403,
      code: null,
      detail: '403 Forbidden',
    });
  });

  test('an answer that is not JSON, a host that is away and a wrong URL are told in words', async () => {
    server.handler = (_, response) =>
      void response.setHeader('content-type', 'text/html').end('<h1>It works!</h1>');
    const page = await failure(server.client().workflows.get('w'));
    expect(page).toMatchObject({ status: 200, code: 'not_json', body: '<h1>It works!</h1>' });
    server.handler = (_, response) =>
      void response.setHeader('content-type', 'application/json').end('{"id":');
    const { host } = new URL(server.url);
    expect((await failure(server.client().workflows.get('w'))).detail).toBe(
      `GET /workflows/{workflow_id}: ${host} did not answer with JSON. Is ${server.url} the URL of the service?`,
    );
    const closed = await startScriptedServer();
    await closed.close();
    const away = await failure(closed.client({ retries: 0 }).workflows.get('w'));
    expect(away.detail).toBe(
      `GET /workflows/{workflow_id}: ${new URL(closed.url).host} cannot be reached (ECONNREFUSED)`,
    );
    for (const baseUrl of [undefined, '', 'workflows.example.com', 'ftp://workflows.example.com'])
      expect(() => new WorkflowClient({ baseUrl: baseUrl as string, token: 'k' })).toThrow(/^baseUrl /);
  });

  test('a timeout has status 0, and an aborted call rejects with the reason of its signal', async () => {
    server.handler = () => {};
    const client = server.client({ timeoutMs: 50, retries: 0 });
    expect(await failure(client.workflows.get('w'))).toMatchObject({ status: 0, code: 'timeout' });
    const stop = new AbortController();
    const call = server.client().workflows.get('w', { signal: stop.signal });
    stop.abort(new Error('enough'));
    await expect(call).rejects.toThrow('enough');
  });

  test('a call without its path parameter throws and sends nothing', async () => {
    await expect(server.client().workflows.get('')).rejects.toThrow('/workflows/{workflow_id} needs');
    expect(server.requests).toEqual([]);
  });
});

/** Fails `times` times, then responds. */
const failing =
  (times: number, fail: Handler): Handler =>
  (seen, response) =>
    server.requests.length <= times ? fail(seen, response) : json(response, 200, { run_id: 'r' });
const refusing =
  (status: number, headers: Record<string, string> = {}): Handler =>
  (_, response) =>
    json(response, status, { detail: 'no' }, headers);
const breaking: Handler = (_, response) => void response.destroy();

const GET = () => server.client().workflows.get('w');
const START = () => server.client().runs.start({ workflow_id: 'w' });
const CREATE = () =>
  server.client().workflows.create({ name: 'w', workflow_schema: { nodes: [], edges: [] } });
const CANCEL = () => server.client().runs.cancel('r');
const ANSWER = () => server.client().runs.byRunId('r').answer('q');
const NOW = { 'retry-after': '0' };

describe('a retry follows', () => {
  test.each([
    ['a read whose connection breaks', GET, breaking],
    ['a read that a proxy answers with 502', GET, refusing(502)],
    ['a read while the database is unavailable', GET, refusing(500, NOW)],
    ['a start whose connection breaks', START, breaking],
    ['a start while the first one is running', START, refusing(409)],
    ['a cancellation whose connection breaks', CANCEL, breaking],
    ['a creation that a rate limit rejects', CREATE, refusing(429, NOW)],
    ['an answer that a rate limit rejects', ANSWER, refusing(429, NOW)],
    ['a creation while the identity provider is unavailable', CREATE, refusing(503, NOW)],
  ])('%s', async (_, call, fail) => {
    server.handler = failing(1, fail);
    await call();
    expect(server.requests).toHaveLength(2);
    const keys = new Set(server.requests.map((seen) => seen.headers['idempotency-key']));
    expect(keys.size).toBe(1);
    expect([...keys][0] !== undefined).toBe(call === START);
    expect(new Set(server.requests.map((seen) => seen.body)).size).toBe(1);
  });

  test.each([
    ['a creation whose connection breaks', CREATE, breaking, 0],
    ['a creation that a proxy answers with 502', CREATE, refusing(502), 502],
    ['a creation that fails with 500', CREATE, refusing(500, NOW), 500],
    ['an answer whose connection breaks', ANSWER, breaking, 0],
    ['a read that fails unexpectedly', GET, refusing(500), 500],
    ['a conflict of something else', CANCEL, refusing(409), 409],
    ['a start without credits', START, refusing(402), 402],
    ['a wait of more than a minute', GET, refusing(429, { 'retry-after': '61' }), 429],
  ])('but not %s', async (_, call, fail, status) => {
    server.handler = failing(1, fail);
    expect((await failure(call())).status).toBe(status);
    expect(server.requests).toHaveLength(1);
  });

  test('the client sends no more retries than configured', async () => {
    server.handler = breaking;
    expect((await failure(server.client({ retries: 2 }).workflows.get('w'))).code).toBe('network');
    expect(server.requests).toHaveLength(3);
  });

  test('a start is sent again with its key for as long as its time allows, and says so', async () => {
    server.handler = failing(4, breaking);
    const waits: Retry[] = [];
    const client = server.client({ retries: 0, onRetry: (retry) => waits.push(retry) });
    await client.runs.start({ workflow_id: 'w' });
    expect(new Set(server.requests.map((seen) => seen.headers['idempotency-key'])).size).toBe(1);
    expect(waits.map(({ path, attempt }) => [path, attempt])).toEqual(
      [1, 2, 3, 4].map((attempt) => ['/workflows/run', attempt]),
    );
    server.requests.length = 0;
    server.handler = refusing(429, { 'retry-after': '1' });
    expect((await failure(client.runs.start({ workflow_id: 'w' }, { retryForMs: 900 }))).status).toBe(429);
    expect(server.requests).toHaveLength(1);
  });

  test('a retry waits for Retry-After', async () => {
    server.handler = failing(1, refusing(503, { 'retry-after': '1' }));
    const begun = performance.now();
    await GET();
    expect(performance.now() - begun).toBeGreaterThanOrEqual(990);
  });
});

test('a thousand concurrent calls renew an expired token once', async () => {
  const made: string[] = [];
  const token = async (): Promise<string> => {
    made.push(`token-${made.length + 1}`);
    return made.at(-1) ?? '';
  };
  const client = server.client({ token });
  server.handler = (_, response) => json(response, 200, {});
  await client.workflows.get('w');
  expect(made).toEqual(['token-1']);
  server.handler = ({ headers }, response) =>
    headers.authorization === 'Bearer token-2'
      ? json(response, 200, {})
      : refusing(401)({} as never, response);
  await Promise.all(Array.from({ length: 1_000 }, () => client.workflows.get('w')));
  expect(made).toEqual(['token-1', 'token-2']);
  // A second 401 is returned after one renewal.
  server.handler = refusing(401);
  expect((await failure(client.workflows.get('w'))).status).toBe(401);
  expect(made).toHaveLength(3);
});

test('a list reads all pages in each style of pagination', async () => {
  const pages: Record<string, unknown> = {
    '/knowledge-bases': { knowledge_bases: [1, 2], next_cursor: 'c' },
    '/knowledge-bases?cursor=c': { knowledge_bases: [3], next_cursor: null },
    '/workflow-runs?limit=2': { runs: [1, 2], has_more: true, limit: 2, offset: 0 },
    '/workflow-runs?limit=2&offset=2': { runs: [3], has_more: false, limit: 2, offset: 2 },
    '/workflows?page_size=2': { workflows: [1, 2], total: 3, page: 1, page_size: 2, total_pages: 2 },
    '/workflows?page_size=2&page=2': { workflows: [3], total: 3, page: 2, page_size: 2, total_pages: 2 },
  };
  server.handler = ({ url }, response) => json(response, url in pages ? 200 : 404, pages[url] ?? {});
  const client = server.client();
  for (const list of [
    client.knowledgeBases.list(),
    client.runs.list({ limit: 2 }),
    client.workflows.list({ page_size: 2 }),
  ]) {
    const items: unknown[] = [];
    for await (const item of list) items.push(item);
    expect(items).toEqual([1, 2, 3]);
  }
  expect((await client.runs.list({ limit: 2 }).page()).has_more).toBe(true);
});

test('an upload reports progress, and a retry sends it from the start', async () => {
  server.handler = failing(1, breaking);
  const told: { sent: number; total: number }[] = [];
  const file = new File(['x'.repeat(200_000)], 'notes.txt');
  await server.client().knowledgeBases.upload('k', {
    file,
    metadata: { lang: 'en' },
    onProgress: (progress) => told.push(progress),
  });
  const [first, second] = server.requests;
  expect(first?.body.length).toBe(second?.body.length);
  expect(second?.body).toContain('filename="notes.txt"');
  expect(second?.headers['content-type']).toContain('multipart/form-data; boundary=');
  expect(told.length).toBeGreaterThan(5);
  expect(told.at(-1)?.sent).toBe(told.at(-1)?.total);
});
