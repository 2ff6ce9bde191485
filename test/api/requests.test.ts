/** A malformed request would cause a server error or be read differently from how it was written. */
import { request } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { APP_URL } from '../support/identity-provider.ts';
import { hello, startApi, type Answer, type ApiServer, type Tenant } from '../support/api-server.ts';

let api: ApiServer;
let tenant: Tenant;

beforeAll(async () => {
  api = await startApi();
  tenant = await api.tenant();
});
afterAll(() => api.close());

const post = (raw: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) =>
  tenant.call('POST', '/workflows', { raw, headers });

const wrapped = (value: string): string =>
  `{"name":"x","workflow_schema":{"nodes":[],"edges":[]},"input":${value}}`;

test.each([
  ['{"a":', 'json_invalid', ['body', 5]],
  ['', 'missing', ['body']],
  ['"x"', 'dict_type', ['body']],
  ['null', 'dict_type', ['body']],
  ['[]', 'dict_type', ['body']],
  ['['.repeat(200_000), 'json_depth', ['body']],
  [wrapped('['.repeat(64) + ']'.repeat(64)), 'json_depth', ['body']],
  [wrapped('{"a":"x\\u0000y"}'), 'string_nul', ['body', 'input', 'a']],
  [wrapped('{"a\\u0000":1}'), 'string_nul', ['body', 'input']],
  [wrapped('{"a":["\\ud800"]}'), 'string_surrogate', ['body', 'input', 'a', 0]],
  [wrapped('{"a":1e400}'), 'finite_number', ['body', 'input', 'a']],
  [wrapped('{"__proto__":{"isAdmin":true}}'), 'key_forbidden', ['body', 'input']],
  [wrapped('{"\\u005f_proto__":1}'), 'key_forbidden', ['body', 'input']],
  [wrapped('{"a":[{"__proto__":1}]}'), 'key_forbidden', ['body', 'input', 'a', 0]],
])('SEC-P01, SEC-P02, SEC-P03, SEC-P05, SEC-P09, SEC-P11: a body %.40s is 422 %s', async (raw, type, loc) => {
  const answer = await post(raw);
  expect(answer.status).toBe(422);
  expect(answer.body.detail).toEqual([{ loc, msg: expect.any(String), type }]);
  expect(({} as Record<string, unknown>)['isAdmin']).toBeUndefined();
});

test('SEC-P13: bytes that are no UTF-8 are 422, not replaced', async () => {
  const answer = await post(new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]));
  expect([answer.status, answer.body.detail[0].type]).toEqual([422, 'json_invalid']);
});

test('another content type is 422, a compressed body 415', async () => {
  const form = await post('a=1', { 'content-type': 'application/x-www-form-urlencoded' });
  expect([form.status, form.body.detail[0].type]).toEqual([422, 'content_type']);
  const bomb = await post(new Uint8Array(gzipSync(Buffer.alloc(1_000_000, ' '))), {
    'content-encoding': 'gzip',
  });
  expect(bomb.status).toBe(415);
});

test.each(['utf-8', 'UTF8', '"utf-8"'])('SEC-P13: JSON that says it is %s is read', async (charset) => {
  const answer = await post(wrapped('{"a":"é"}'), { 'content-type': `application/json; charset=${charset}` });
  expect([answer.status, answer.body.input]).toEqual([201, { a: 'é' }]);
});
test.each(['iso-8859-1', 'utf-16', 'UTF-8x', '""'])(
  'SEC-P13: JSON that says it is %s is 415',
  async (charset) => {
    const answer = await post(wrapped('{"a":"x"}'), {
      'content-type': `application/json; charset=${charset}`,
    });
    expect([answer.status, answer.body]).toEqual([
      415,
      { detail: 'The charset of a JSON body must be UTF-8' },
    ]);
  },
);

test('SEC-P29: an answer is not kept on its way, whatever it is', async () => {
  const paths = ['/workflows', '/auth/me', '/system/health', '/openapi.json', '/nowhere', '/workflows/x'];
  const answers: Answer[] = [];
  // One after the other: here no process has built the OpenAPI document before it listens, and who connects to the database meanwhile
  // may wait in vain.
  for (const path of paths) answers.push(await tenant.call('GET', path));
  answers.push(
    await api.call('GET', '/workflows'),
    await post('{'),
    await tenant.call('DELETE', '/workflows'),
  );
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 404, 400, 401, 422, 405]);
  for (const { headers } of answers) expect(headers.get('cache-control')).toBe('no-store');
  const file = await tenant.call('GET', '/docs/swagger-ui.css');
  expect(file.headers.get('cache-control')).toBe('public, max-age=86400');
});

test('SEC-P10: other names of what every object has are data, and keys keep their order', async () => {
  const input = '{"z":1,"a":{"toString":null,"valueOf":1,"hasOwnProperty":{}}}';
  const answer = await post(wrapped(input));
  expect(answer.status).toBe(201);
  expect(JSON.stringify(answer.body.input)).toBe(input);
});

test('SEC-P16: numbers with more digits than a number holds are kept as text, and the answer says so', async () => {
  const answer = await post(
    wrapped('{"id":9007199254740993,"n":[1,-12345678901234567890],"t":"9007199254740993"}'),
  );
  const input = { id: '9007199254740993', n: [1, '-12345678901234567890'], t: '9007199254740993' };
  expect([answer.status, answer.body.input]).toEqual([201, input]);
  expect(answer.body.warnings).toEqual([
    {
      code: 'number_as_text',
      message: 'input.id has more digits than a number can hold, so it was stored as text',
      loc: ['body', 'input', 'id'],
    },
    {
      code: 'number_as_text',
      message: 'input.n.1 has more digits than a number can hold, so it was stored as text',
      loc: ['body', 'input', 'n', '1'],
    },
  ]);
});

test('SEC-P06: a body over 4 MiB is 413, with or without its length told; one below is taken', async () => {
  const big = JSON.stringify({
    name: 'x',
    workflow_schema: hello(),
    description: 'x'.repeat(4 * 1024 * 1024),
  });
  const told = await post(big);
  expect([told.status, told.body]).toEqual([413, { detail: 'The request body is too large' }]);
  const untold = await new Promise<number>((resolve, reject) => {
    const sent = request(
      `${api.url}/workflows`,
      {
        method: 'POST',
        headers: {
          authorization: `Bearer ${tenant.token}`,
          'x-organization-id': tenant.org,
          'content-type': 'application/json',
          'transfer-encoding': 'chunked',
        },
      },
      (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      },
    );
    sent.once('error', reject);
    sent.end(big);
  });
  expect(untold).toBe(413);
  const fits = await post(wrapped(`{"blob":"${'x'.repeat(3 * 1024 * 1024)}"}`));
  expect(fits.status).toBe(201);
});

test('a body is not looked at before its sender is known', async () => {
  const answer = await api.call('POST', '/workflows', { raw: '{"a":' });
  expect(answer.status).toBe(401);
});

test.each(['page_size=1&page_size=2', 'page[]=1', 'page[__proto__]=1', 'search=%00'])(
  'SEC-P11, SEC-P18: the query %s is 422',
  async (query) => {
    const answer = await tenant.call('GET', `/workflows?${query}`);
    expect([answer.status, answer.body.detail[0].loc[0]]).toEqual([422, 'query']);
  },
);

test.each([
  ['POST', '/openai/embeddings', 404],
  ['GET', '/openai/', 404],
  ['DELETE', '/openai/chat/completions', 405],
])('SRV-unrouted: %s %s is %i in the form that clients of OpenAI read', async (method, path, status) => {
  const answer = await tenant.call(method, path);
  const type = 'invalid_request_error';
  expect([answer.status, answer.body]).toMatchObject([
    status,
    { error: { message: expect.any(String), type } },
  ]);
  expect(answer.body.detail).toBeUndefined();
});

test('a wrong method is 405 with Allow', async () => {
  const answer = await tenant.call('DELETE', '/workflows');
  expect([answer.status, answer.body, answer.headers.get('allow')]).toEqual([
    405,
    { detail: 'Method Not Allowed' },
    'GET, POST',
  ]);
});

test.each([
  ['PUT', '/workflows/run', 'POST'],
  ['GET', '/workflows/run', 'POST'],
  ['GET', `/workflows/${crypto.randomUUID()}/deployments/live`, 'DELETE'],
  ['PUT', `/workflows/${crypto.randomUUID()}/deployments/live`, 'DELETE'],
])('%s %s is 405, not a wrong id: the path has methods of its own', async (method, path, allowed) => {
  const { status, headers } = await tenant.call(method, path);
  expect([status, headers.get('allow')]).toEqual([405, allowed]);
});

test('SEC-P27: only the web application is let in from a browser', async () => {
  const ask = { 'access-control-request-method': 'GET' };
  const good = await api.call('OPTIONS', '/workflows', { headers: { origin: APP_URL, ...ask } });
  expect([good.status, good.headers.get('access-control-allow-origin')]).toEqual([204, APP_URL]);
  const allowed = good.headers.get('access-control-allow-headers')?.split(', ');
  // The last two are what OpenTelemetry in a browser adds.
  for (const name of ['Authorization', 'X-Request-ID', 'Idempotency-Key', 'traceparent', 'tracestate']) {
    expect(allowed).toContain(name);
  }
  for (const method of ['OPTIONS', 'GET']) {
    const evil = await api.call(method, '/workflows', {
      headers: { origin: 'https://evil.example', ...ask },
    });
    expect(evil.headers.get('access-control-allow-origin')).toBeNull();
  }
  // A refusal must be readable by the application, too.
  const refused = await api.call('GET', '/workflows', { headers: { origin: APP_URL } });
  expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([401, APP_URL]);
});

test('answers carry security headers and the request id, errors too', async () => {
  const answer = await api.call('GET', '/nothing', { headers: { 'x-request-id': 'client-id-1' } });
  expect(answer.headers.get('x-request-id')).toBe('client-id-1');
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  const forged = await api.call('GET', '/nothing', { headers: { 'x-request-id': 'a b' } });
  expect(forged.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
});

test('what nobody expected is 500 with the fixed sentence, without its cause', async () => {
  const { db } = api.deps;
  await db.query('ALTER TABLE support_requests RENAME TO support_requests_away');
  const answer = await tenant.call('POST', '/requests', { body: { subject: 'a', message: 'b' } });
  await db.query('ALTER TABLE support_requests_away RENAME TO support_requests');
  expect([answer.status, answer.body]).toEqual([
    500,
    { detail: 'An unexpected internal server error occurred.' },
  ]);
  expect((await tenant.call('POST', '/requests', { body: { subject: 'a', message: 'b' } })).status).toBe(201);
});
