/** A program would get wrong errors, duplicate objects, lost events or endless waits, in one language and not in the other. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ERROR_CODES } from '../../../src/base/error-codes.ts';
import { DRIVERS, type Command, type Driver, type Outcome } from './support/drivers.ts';
import { LimitedService } from './support/limited-service.ts';
import {
  json,
  refusing,
  startScriptedServer,
  type Handler,
  type ScriptedServer,
} from './support/scripted-server.ts';

const DENIAL = {
  layer: 'rate',
  code: 'rate_limit_exceeded',
  key: 'sync_exec',
  current: 10,
  limit: 10,
  reason: 'rate_limit_exceeded',
};
const PROBLEM = { loc: ['body', 'name'], msg: 'Field required', type: 'missing' };
const SHAPES = [
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
  ['C', 422, { detail: [PROBLEM] }, { code: null, detail: 'body.name: Field required', problems: [PROBLEM] }],
  ['D', 402, DENIAL, { code: 'rate_limit_exceeded', detail: 'rate_limit_exceeded', body: DENIAL }],
] as const;

const STREAM = { 'content-type': 'text/event-stream' };
const HEARTBEAT = `data: ${JSON.stringify({ type: 'heartbeat', run_id: 'r', nodes: [] })}\n\n`;
const frame = (seq: number, type = 'progress', more: object = {}): string =>
  `id: ${seq}\ndata: ${JSON.stringify({ type, seq, run_id: 'r', ...more })}\n\n`;
const parseAfterSeq = (url: string): number => Number(/after_seq=(\d+)/.exec(url)?.[1]);

interface Followed {
  readonly events: readonly { readonly type: string; readonly seq?: number }[];
  readonly end: Readonly<Record<string, unknown>>;
}

const SOME = { runs: ['a'], enough: 1 };
const NOW = { 'retry-after': '0' };
const IN_USE = { 'x-error-code': 'idempotency_key_in_use' };
const breaking: Handler = (_, response) => void response.destroy();

const RETRIED = [
  ['a read whose connection breaks', 'get', breaking],
  ['a read that a proxy answers with 502', 'get', refusing(502)],
  ['a read while the database is unavailable', 'get', refusing(500, NOW)],
  ['a start whose connection breaks', 'start', breaking],
  ['a start while the first one is running', 'start', refusing(409, IN_USE)],
  ['a batch of starts whose connection breaks', 'startBatch', breaking],
  ['a batch of starts while the first one is running', 'startBatch', refusing(409, IN_USE)],
  ['a cancellation whose connection breaks', 'cancel', breaking],
  ['an upload whose connection breaks', 'upload', breaking],
  ['a creation that a rate limit rejects', 'create', refusing(429, NOW)],
  ['an answer that a rate limit rejects', 'answer', refusing(429, NOW)],
  ['a creation while the identity provider is unavailable', 'create', refusing(503, NOW)],
] as const;
const NOT_RETRIED = [
  ['a creation whose connection breaks', 'create', breaking, 0],
  ['a creation that a proxy answers with 502', 'create', refusing(502), 502],
  ['a creation that fails with 500', 'create', refusing(500, NOW), 500],
  ['an answer whose connection breaks', 'answer', breaking, 0],
  ['a read that fails unexpectedly', 'get', refusing(500), 500],
  ['a conflict of something else', 'cancel', refusing(409), 409],
  ['a conflict of a start with another run', 'start', refusing(409, { 'x-error-code': 'thread_busy' }), 409],
  ['a start without a key whose connection breaks', 'startUnkeyed', breaking, 0],
  ['a start without credits', 'start', refusing(402), 402],
  ['a wait of more than a minute', 'get', refusing(429, { 'retry-after': '61' }), 429],
] as const;

/** These refuse starts, streams, and the requests of an operator alone. */
const APART = ['rate_limit_exceeded', 'too_many_streams', 'health_key_rate_limited'];
const REQUEST_LIMITS = Object.keys(ERROR_CODES[429]).filter((code) => !APART.includes(code));

describe.each(DRIVERS)('%s', (_name, start) => {
  let server: ScriptedServer;
  let driver: Driver | null;
  beforeAll(async () => {
    server = await startScriptedServer();
    driver = await start();
  });
  afterAll(async () => {
    driver?.close();
    await server.close();
  });
  beforeEach(({ skip }) => {
    server.requests.length = 0;
    if (driver === null) skip();
  });

  const run = (operation: string, more: Omit<Partial<Command>, 'operation'> = {}): Promise<Outcome> => {
    if (driver === null) throw new Error('the scenarios of this client are skipped');
    return driver.run({ operation, baseUrl: server.url, ...more });
  };
  /** Runs an operation that must succeed. */
  const value = async (operation: string, options: Command['options'] = {}): Promise<unknown> => {
    const outcome = await run(operation, { options });
    expect([outcome.error, outcome.failure]).toEqual([undefined, undefined]);
    return outcome.value;
  };
  /** Fails `times` times, then responds. */
  const failing =
    (times: number, fail: Handler): Handler =>
    (seen, response) =>
      server.requests.length <= times
        ? fail(seen, response)
        : json(response, 200, { run_id: 'r', thread_id: null });

  describe('errors (SPEC API-errors)', () => {
    test.each(SHAPES)('shape %s', async (_, status, body, expected) => {
      server.handler = (__, response) =>
        json(response, status, body, { 'x-request-id': 'request-1', 'retry-after': '7' });
      const { error } = await run('get', { client: { retries: 0 } });
      expect(error).toMatchObject({ status, requestId: 'request-1', retryAfterMs: 7_000, ...expected });
    });

    test('API-error-codes: a refusal has the code of its header, not of its body', async () => {
      server.handler = (_, response) =>
        json(response, 404, { detail: 'Workflow not found' }, { 'x-error-code': 'workflow_not_found' });
      const { error } = await run('get');
      expect(error).toMatchObject({ status: 404, code: 'workflow_not_found', detail: 'Workflow not found' });
    });

    test("a proxy's page becomes an error with the response's status", async () => {
      server.handler = (_, response) => void response.writeHead(403).end('<html>');
      const { error } = await run('get');
      expect(error).toMatchObject({ status: 403, code: null, detail: '403 Forbidden' });
    });

    test('an answer that is not JSON and a host that is away are told in words', async () => {
      server.handler = (_, response) =>
        void response.setHeader('content-type', 'text/html').end('<h1>It works!</h1>');
      const page = (await run('get')).error;
      expect(page).toMatchObject({ status: 200, code: 'not_json', body: '<h1>It works!</h1>' });
      server.handler = (_, response) =>
        void response.setHeader('content-type', 'application/json').end('{"id":');
      const { host } = new URL(server.url);
      expect((await run('get')).error?.['detail']).toBe(
        `GET /workflows/{workflow_id}: ${host} did not answer with JSON. Is ${server.url} the URL of the service?`,
      );
      const closed = await startScriptedServer();
      await closed.close();
      const away = await run('get', { baseUrl: closed.url, client: { retries: 0 } });
      expect(away.error).toMatchObject({
        status: 0,
        code: 'network',
        detail: `GET /workflows/{workflow_id}: ${new URL(closed.url).host} cannot be reached (ECONNREFUSED)`,
      });
    });

    test.each(['get', 'start', 'follow'])(
      'a redirect of %s is not followed, and says where to',
      async (operation) => {
        const other = await startScriptedServer();
        server.handler = (_, response) =>
          void response.writeHead(307, { location: `${other.url}/workflows` }).end();
        const { error } = await run(operation);
        await other.close();
        expect(error).toMatchObject({ status: 307, code: 'redirect' });
        const { host } = new URL(server.url);
        expect(error?.['detail']).toContain(
          `: ${host} redirects to ${other.url}/workflows. Is ${server.url} the`,
        );
        expect([server.requests.length, other.requests.length]).toEqual([1, 0]);
      },
    );

    test('a page in place of the events of a run is told at once, and not opened again', async () => {
      server.handler = (_, response) =>
        void response.setHeader('content-type', 'text/html').end('<h1>It works!</h1>');
      for (const operation of ['follow', 'result', 'followSome']) {
        server.requests.length = 0;
        const { error } = await run(operation, { options: operation === 'followSome' ? SOME : {} });
        expect(error).toMatchObject({ status: 200, code: 'not_json' });
        expect(error?.['detail']).toContain('did not answer with events. Is ');
        expect(server.requests).toHaveLength(1);
      }
    });

    test('an error of the function for the token is its own, and nothing is sent', async () => {
      for (const operation of ['get', 'start', 'follow']) {
        const { error, failure, retries, reconnects } = await run(operation, { losesToken: true });
        expect(failure).toContain('the provider is away');
        expect([error, retries, reconnects]).toEqual([undefined, [], []]);
      }
      expect(server.requests).toEqual([]);
    });

    test('a call that takes too long has status 0', async () => {
      server.handler = () => {};
      const { error } = await run('get', { client: { timeoutMs: 50, retries: 0 } });
      expect(error).toMatchObject({ status: 0, code: 'timeout' });
    });
  });

  describe('a retry follows', () => {
    test.each(RETRIED)('%s', async (_, operation, fail) => {
      server.handler = failing(1, fail);
      await value(operation);
      expect(server.requests).toHaveLength(2);
      const keys = new Set(server.requests.map((seen) => seen.headers['idempotency-key']));
      expect(keys.size).toBe(1);
      expect([...keys][0] !== undefined).toBe(operation.startsWith('start'));
      expect(new Set(server.requests.map((seen) => seen.body.length)).size).toBe(1);
    });

    test.each(NOT_RETRIED)('but not %s', async (_, operation, fail, status) => {
      server.handler = failing(1, fail);
      expect((await run(operation)).error?.['status']).toBe(status);
      expect(server.requests).toHaveLength(1);
    });

    test('the client sends no more retries than configured', async () => {
      server.handler = breaking;
      expect((await run('get', { client: { retries: 2 } })).error?.['code']).toBe('network');
      expect(server.requests).toHaveLength(3);
    });

    test('a start is sent again with its key for as long as its time allows, and says so', async () => {
      server.handler = failing(4, breaking);
      const { error, retries } = await run('start', { client: { retries: 0 } });
      expect(error).toBeUndefined();
      expect(new Set(server.requests.map((seen) => seen.headers['idempotency-key'])).size).toBe(1);
      expect(retries).toEqual([1, 2, 3, 4].map((attempt) => ['/workflows/run', attempt]));
      server.requests.length = 0;
      server.handler = refusing(429, { 'retry-after': '1' });
      const late = await run('start', { options: { retryForMs: 900 } });
      expect(late.error?.['status']).toBe(429);
      expect(server.requests).toHaveLength(1);
    });

    test('a batch of starts is sent to its path for as long as its time allows, with a key of the caller', async () => {
      server.handler = failing(4, breaking);
      const { error, retries } = await run('startBatch', {
        client: { retries: 0 },
        options: { idempotencyKey: 'mine' },
      });
      expect(error).toBeUndefined();
      expect(retries).toEqual([1, 2, 3, 4].map((attempt) => ['/workflows/run/batch', attempt]));
      expect(new Set(server.requests.map(({ url }) => url))).toEqual(new Set(['/workflows/run/batch']));
      expect(new Set(server.requests.map(({ headers }) => headers['idempotency-key']))).toEqual(
        new Set(['mine']),
      );
    });

    test('an empty key of the caller is sent as it is: the service refuses it', async () => {
      server.handler = (_, response) => json(response, 200, { run_id: 'r', thread_id: null });
      for (const operation of ['start', 'startBatch']) await value(operation, { idempotencyKey: '' });
      expect(server.requests.map(({ headers }) => headers['idempotency-key'])).toEqual(['', '']);
    });

    test('a refusal by rate counts against a deadline of the caller, also one of the length of its wait', async () => {
      server.handler = refusing(429, { 'retry-after': '60', 'x-error-code': 'api_key_rate_limited' });
      const { error } = await run('start', { options: { retryForMs: 60_000 }, speed: 60 });
      expect([error?.['status'], server.requests.length]).toEqual([429, 1]);
    });

    test.each([
      ['of the plan', { code: 'rate_limit_exceeded', limit: 0 }],
      ['of the organization', { detail: { code: 'rate_limited', limit: 0 } }],
    ])('but not a refusal by a limit %s that is 0', async (_, body) => {
      server.handler = (__, response) => json(response, 429, body, { 'retry-after': '60' });
      const { error } = await run('start');
      expect([error?.['status'], server.requests.length]).toEqual([429, 1]);
    });

    test('streams that the caller has open do not hold a start for longer than its time', async () => {
      server.handler = refusing(429, { 'retry-after': '60', 'x-error-code': 'too_many_streams' });
      const { error } = await run('start', { speed: 60 });
      expect([error?.['status'], server.requests.length]).toEqual([429, 1]);
    });

    test('a retry waits for Retry-After', async () => {
      server.handler = failing(1, refusing(503, { 'retry-after': '1' }));
      const begun = performance.now();
      await value('get');
      expect(performance.now() - begun).toBeGreaterThanOrEqual(990);
    });
  });

  test('concurrent calls renew an expired token once, and a second 401 is returned', async () => {
    const takes = 'Bearer token-2';
    server.handler = ({ headers }, response) =>
      headers.authorization === takes ? json(response, 200, {}) : refusing(401)({} as never, response);
    const many = await run('getMany', { renews: true, options: { count: 50 } });
    expect(many).not.toHaveProperty('error');
    expect(many.renewed).toEqual(['token-1', 'token-2']);
    server.handler = refusing(401);
    const { error, renewed } = await run('get', { renews: true });
    expect([error?.['status'], renewed.length]).toEqual([401, 2]);
  });

  test('a list reads all pages in each style of pagination', async () => {
    const pages: Record<string, unknown> = {
      '/knowledge-bases': { knowledge_bases: [1, 2], next_cursor: 'c' },
      '/knowledge-bases?cursor=c': { knowledge_bases: [3], next_cursor: null },
      '/workflow-runs?limit=2': { runs: [1, 2], has_more: true, limit: 2, offset: 0 },
      '/workflow-runs?limit=2&offset=2': { runs: [3], has_more: false, limit: 2, offset: 2 },
      '/workflows?page_size=2': { workflows: [1, 2], total: 3, page: 1, page_size: 2, total_pages: 2 },
      '/workflows?page=2&page_size=2': { workflows: [3], total: 3, page: 2, page_size: 2, total_pages: 2 },
    };
    server.handler = ({ url }, response) => {
      const { pathname, searchParams } = new URL(url, server.url);
      const query = [...searchParams].map(([name, given]) => `${name}=${given}`).toSorted();
      const asked = query.length === 0 ? pathname : `${pathname}?${query.join('&')}`;
      json(response, asked in pages ? 200 : 404, pages[asked] ?? {});
    };
    const items = [1, 2, 3];
    expect(await value('lists')).toEqual({ items: [items, items, items], has_more: true });
  });

  test('an upload sends its fields before its file', async () => {
    server.handler = (_, response) => json(response, 202, { id: 'd' });
    await value('upload');
    const [sent] = server.requests;
    const body = sent?.body ?? '';
    expect(sent?.headers['content-type']).toContain('multipart/form-data; boundary=');
    expect(body).toContain('filename="notes.txt"');
    expect(body.indexOf('{"lang"')).toBeLessThan(body.indexOf('xxxx'));
    expect(body.indexOf('doc_metadata')).toBeGreaterThan(0);
  });

  test('a handle is found by its run_pk and by its run_id', async () => {
    const known: Record<string, unknown> = {
      '/workflow-runs/pk': { id: 'pk', run_id: 'r' },
      '/workflows/runs/r': { id: 'pk', run_id: 'r' },
    };
    server.handler = ({ url }, response) =>
      url in known ? json(response, 200, known[url]) : json(response, 404, { detail: 'not found' });
    expect(await value('handle', { id: 'pk' })).toMatchObject({ runId: 'r', runPk: 'pk' });
    expect(await value('handle', { id: 'r' })).toMatchObject({ runId: 'r', runPk: 'pk' });
    expect((await run('handle', { options: { id: 'other' } })).error?.['status']).toBe(404);
  });

  describe('events', () => {
    test('a stream that breaks continues without a lost or repeated event', async () => {
      const refused = [503, 429];
      const ends: ((response: { end(): unknown; destroy(): unknown }) => unknown)[] = [
        (response) => response.destroy(),
        (response) => response.end(),
      ];
      server.handler = ({ url }, response) => {
        const after = parseAfterSeq(url);
        const status = refused.length > 0 && after === 4 ? refused.pop() : undefined;
        if (status !== undefined) {
          json(response, status, { detail: 'not now' }, NOW);
          return;
        }
        response.writeHead(200, STREAM);
        // The server repeats an event and cuts a frame.
        const begin = Math.max(1, after);
        response.write(frame(begin) + frame(begin + 1) + HEARTBEAT);
        if (after >= 8)
          response.end(frame(begin + 2, 'run_completed', { status: 'completed', output: 'Grüße' }));
        else
          response.write(frame(begin + 2).slice(0, 20), () =>
            setImmediate(() => ends.at(after % 2)?.(response)),
          );
      };
      const { reconnects, value: read } = await run('follow');
      const { events, end } = read as Followed;
      // Status 0 is a broken connection; a closed stream is no failure.
      expect(new Set(reconnects)).toEqual(new Set([0, 429, 503]));
      const seqs = events.flatMap(({ seq }) => (seq === undefined ? [] : [seq]));
      expect(seqs).toEqual(Array.from({ length: seqs.length }, (_, at) => at + 1));
      expect(events.some(({ type }) => type === 'heartbeat')).toBe(true);
      // The result is known from the events, so there is no further request.
      expect(end).toMatchObject({ status: 'completed', output: 'Grüße' });
      expect(server.requests.filter(({ url }) => parseAfterSeq(url) >= 8)).toHaveLength(1);
    });

    test('the iteration ends and the result is known when the last event is skipped', async () => {
      server.handler = (_, response) => {
        response.writeHead(200, STREAM).end(frame(9, 'run_failed', { status: 'failed', error: null }));
      };
      expect(await value('follow', { afterSeq: 9 })).toMatchObject({ events: [], end: { status: 'failed' } });
    });

    test('following a run that does not exist, or no longer exists, fails without a retry', async () => {
      server.handler = (_, response) => json(response, 404, { detail: 'Workflow run not found' });
      expect((await run('result')).error).toMatchObject({ status: 404 });
      server.handler = (_, response) => {
        const error = { type: 'stream_error', code: 'run_removed', message: 'gone' };
        response.writeHead(200, STREAM).end(`data: ${JSON.stringify(error)}\n\n`);
      };
      expect((await run('result')).error).toMatchObject({ status: 410, code: 'run_removed' });
      expect(server.requests).toHaveLength(2);
    });

    test('the result of an answered run is that of the run that continues it', async () => {
      server.handler = ({ url }, response) => {
        const isFirst = url.startsWith('/workflows/listen/r?');
        const waits = { status: 'interrupted', interrupts: [], resumed_by_run_id: 'next' };
        const end = isFirst
          ? frame(3, 'run_interrupted', waits)
          : frame(9, 'run_completed', { status: 'completed', output: 'sent' });
        response.writeHead(200, STREAM).end(end);
      };
      expect(await value('result')).toMatchObject({ type: 'run_completed', output: 'sent' });
    });

    test('a large output is fetched from the history', async () => {
      server.handler = ({ url }, response) => {
        const end = { status: 'completed', output: null, output_truncated: true };
        if (url.startsWith('/workflows/listen'))
          response.writeHead(200, STREAM).end(frame(1, 'run_completed', end));
        else json(response, url === '/workflows/runs/r' ? 200 : 404, { id: 'pk', output: 'all of it' });
      };
      expect(await value('result')).toMatchObject({ output: 'all of it', output_truncated: false });
    });

    test('a caller that stops following closes the connection', async () => {
      let closed = (): void => {};
      const gone = new Promise<void>((resolve) => (closed = resolve));
      server.handler = (_, response) => {
        response.writeHead(200, STREAM).write(frame(1));
        response.on('close', closed);
      };
      await value('leave');
      await gone;
    });
  });

  describe('many runs', () => {
    test('runs at once with a key that is refused meanwhile end, none is lost and none started twice', async () => {
      const service = new LimitedService(2);
      server.handler = service.handle;
      const seqs = (await value('crowd', { count: 150 })) as Record<string, number[]>;
      expect(new Set(Object.keys(seqs))).toEqual(new Set(service.started.values()));
      expect(Object.keys(seqs)).toHaveLength(150);
      for (const read of Object.values(seqs)) expect(read).toEqual([1, 2, 3]);
      expect(new Set(service.refused)).toEqual(new Set(['api_key_rate_limited']));
      expect(service.mostStreams).toBeGreaterThan(1);
    });

    test.each(['api_key_rate_limited', 'rate_limit_exceeded'])(
      'more starts than the %s of a minute allows, which the first second fills: all start, none twice',
      async (code) => {
        // The service's own wait for a window that was filled within its last second.
        const service = new LimitedService(1, { perWindow: 60, closedSeconds: 60, code, speed: 60 });
        server.handler = service.handle;
        const { error, value: count } = await run('startMany', { options: { count: 100 }, speed: 60 });
        expect([error, count, service.started.size]).toEqual([undefined, 100, 100]);
        expect(new Set(service.refused)).toEqual(new Set([code]));
      },
    );

    test.each(REQUEST_LIMITS)('a refusal by %s holds all other requests back', async (code) => {
      const service = new LimitedService(1, { perWindow: 20, closedSeconds: 60, code, speed: 60 });
      server.handler = service.handle;
      const { error } = await run('getMany', { options: { count: 40 }, speed: 60 });
      expect(error).toBeUndefined();
      // As many as a client sends at once.
      expect(service.refused.length).toBeLessThanOrEqual(14);
    });

    test('leaving the loop closes every stream, and a run that does not exist ends it', async () => {
      let open = 0;
      server.handler = ({ url }, response) => {
        if (url.includes('missing')) return json(response, 404, { detail: 'Workflow run not found' });
        open += 1;
        response.once('close', () => (open -= 1));
        response.writeHead(200, STREAM).write(frame(1, 'run_started'));
      };
      expect(await value('followSome', { runs: ['a', 'b', 'c'], enough: 3 })).toBe(3);
      await expect.poll(() => open).toBe(0);
      const failed = await run('followSome', { options: { runs: ['a', 'missing'], enough: 3 } });
      expect(failed.error?.['status']).toBe(404);
      await expect.poll(() => open).toBe(0);
    });
  });
});
