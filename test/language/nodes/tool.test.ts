/**
 * An HTTP tool would send another request than was configured, or be repeated though it must not (SPEC SEC-M,
 * REL-effect-classes).
 */
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/language/graph/values/value.ts';
import { NodeError } from '../../../src/language/nodes/kind.ts';
import { NothingSentError, retryAfterMs } from '../../../src/language/nodes/failure.ts';
import { kindRules } from '../../../src/language/nodes/registry.ts';
import { tool } from '../../../src/language/nodes/tool/tool.ts';
import type { HttpRequest, HttpResponse } from '../../../src/language/nodes/tools.ts';
import { listProblems, runNode } from './support/node-call.ts';

const HOST = 'https://api.example.com';
type Answer = Partial<HttpResponse> | Error;

async function send(config: JsonObject, roots: JsonObject = {}, answer: Answer = {}, said: string[] = []) {
  const requests: HttpRequest[] = [];
  const result = await runNode(
    tool,
    { kind: 'http', ...config },
    {
      roots,
      said,
      http: (request) => {
        requests.push(request);
        said.push('request');
        if (answer instanceof Error) return Promise.reject(answer);
        return Promise.resolve({ status: 200, headers: {}, text: '', ...answer });
      },
    },
  );
  if (result.outcome !== 'completed') throw new Error(result.outcome);
  const request = requests[0];
  if (request === undefined) throw new Error('nothing was sent');
  return { request, output: result.output, input: result.input, warnings: result.warnings };
}

describe('the request', () => {
  test('carries rendered parts with their types', async () => {
    const config = {
      method: 'post',
      url: `${HOST}/items/{{id}}`,
      headers: { 'X-Trace': '{{t}}' },
      query: { q: '{{q}}', tag: ['a', 'b'] },
      body: { id: '{{id}}', o: '{{o}}', text: '#{{id}}' },
    };
    const { request } = await send(config, { id: 5, o: { a: [1] }, q: 'a b&c', t: 'x' });
    expect(request.method).toBe('POST');
    expect(new URL(request.url).pathname).toBe('/items/5');
    expect([...new URL(request.url).searchParams]).toEqual([
      ['q', 'a b&c'],
      ['tag', 'a'],
      ['tag', 'b'],
    ]);
    expect(request.headers).toEqual({ 'x-trace': 'x', 'content-type': 'application/json' });
    expect(JSON.parse(String(request.body))).toEqual({ id: 5, o: { a: [1] }, text: '#5' });
  });
  test('SEC-M04: a value cannot break out of JSON that is written as text', async () => {
    const evil = '","admin":true,"x":"';
    const { request } = await send({ method: 'POST', url: HOST, body: '{"q":"{{a}}"}' }, { a: evil });
    expect(JSON.parse(String(request.body))).toEqual({ q: evil });
  });
  test.each(['x\r\nX-Admin: 1', 'x\ny', 'x\0y', 'snow☃'])(
    'SEC-M05: the header value %j is refused',
    async (a) => {
      await expect(send({ url: HOST, headers: { 'x-a': '{{a}}' } }, { a })).rejects.toMatchObject({
        code: 'invalid_header',
      });
    },
  );
  test('SEC-M05: a value in a cookie begins no other cookie', async () => {
    const headers = { Cookie: 's={{a}}; role=user' };
    expect((await send({ url: HOST, headers }, { a: 'x=1' })).request.headers['cookie']).toBe(
      's=x=1; role=user',
    );
    await expect(send({ url: HOST, headers }, { a: '1; role=admin' })).rejects.toMatchObject({
      code: 'invalid_header',
    });
  });
  test('SEC-M07: a value in the path stays one segment, in the query one value', async () => {
    const { request } = await send({ url: `${HOST}/a/{{a}}/z?q={{a}}` }, { a: '../../admin?x=1&y#' });
    const url = new URL(request.url);
    expect(url.pathname).toBe('/a/..%2F..%2Fadmin%3Fx%3D1%26y%23/z');
    expect([...url.searchParams]).toEqual([['q', '../../admin?x=1&y#']]);
  });
  test.each(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE', 'POST', 'PATCH'])(
    'SEC-F21: a %s may use a kept connection only when nobody can notice that it was sent twice',
    async (method) => {
      const { request } = await send({ method, url: HOST });
      expect(request.connectionsOf).toBe(['GET', 'HEAD', 'OPTIONS'].includes(method) ? 'o1' : undefined);
    },
  );
  test.each([
    ['..', `${HOST}/a/{{a}}/secret`],
    ['.', `${HOST}/a/{{a}}`],
    ['.', `${HOST}/a/.{{a}}/b`],
    ['.', `${HOST}/a/%2e{{a}}/b`],
  ])('SEC-M07: a segment of dots is refused (%s in %s)', async (a, url) => {
    await expect(send({ url }, { a })).rejects.toMatchObject({ code: 'invalid_url' });
  });
  test('a URL that is one template is taken as it is', async () => {
    expect((await send({ url: ' {{u}} ' }, { u: `${HOST}/a?b=c` })).request.url).toBe(`${HOST}/a?b=c`);
  });
  test.each([null, 'no url', 7])('a URL that renders to %j fails', async (u) => {
    await expect(send({ url: '{{u}}' }, { u })).rejects.toMatchObject({ code: 'invalid_url' });
  });
  test('a text body is text', async () => {
    const { request } = await send({ method: 'PUT', url: HOST, body: 'Hi {{n}}' }, { n: 1 });
    expect([request.body, request.headers['content-type']]).toEqual(['Hi 1', 'text/plain; charset=utf-8']);
  });
  test('a given content type stays', async () => {
    const { request } = await send({
      method: 'POST',
      url: HOST,
      body: 'a=1',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    });
    expect([request.body, request.headers['content-type']]).toEqual([
      'a=1',
      'application/x-www-form-urlencoded',
    ]);
  });
  test('the step shows no credentials', async () => {
    const { input } = await send({
      url: `${HOST}/?api_key=CANARY-1&q=%20+~&t%6Fken=CANARY-4`,
      headers: { Authorization: 'Bearer CANARY-2', 'x-api-key': 'CANARY-3', accept: 'text/html' },
    });
    expect(JSON.stringify(input)).not.toContain('CANARY');
    expect(input).toMatchObject({ url: `${HOST}/?api_key=***&q=%20+~&t%6Fken=***` });
    expect(input).toMatchObject({ headers: { accept: 'text/html', authorization: '***' } });
  });
  test.each([
    ['PUT', {}, true],
    ['DELETE', {}, true],
    ['POST', { idempotent: true }, true],
    ['POST', {}, false],
    ['GET', {}, false],
  ])('%s with %j sends an idempotency key: %s', async (method, more, keyed) => {
    const { request } = await send({ method, url: HOST, ...more });
    expect(request.headers['idempotency-key']).toBe(keyed ? 'pk1:n:0' : undefined);
  });
});

describe('the answer', () => {
  test.each([
    ['application/json; charset=utf-8', '{"a":1}', { a: 1 }],
    ['application/problem+json', '[1]', [1]],
    ['application/json', '{broken', '{broken'],
    ['text/plain', '{"a":1}', '{"a":1}'],
    ['application/json', '', null],
  ])('of type %s with %j is read as %j', async (type, text, data) => {
    const { output } = await send({ url: HOST }, {}, { headers: { 'content-type': type }, text });
    expect(output).toEqual({ data, status: 200, headers: { 'content-type': type } });
  });
  test('has its cookies as a list', async () => {
    const { output } = await send({ url: HOST }, {}, { cookies: ['a=1; Expires=Wed, 01 Jan 2031', 'b=2'] });
    expect(output).toMatchObject({ headers: { 'set-cookie': ['a=1; Expires=Wed, 01 Jan 2031', 'b=2'] } });
  });
  test.each([
    ['json', 'text/html', '{"a": 1}', { a: 1 }],
    ['json', 'text/html', '', null],
    ['text', 'application/json', '{"a": 1}', '{"a": 1}'],
  ])('is read as %s whatever its media type says: %s %s', async (as, type, text, data) => {
    const { output } = await send({ url: HOST, as }, {}, { headers: { 'content-type': type }, text });
    expect(output).toMatchObject({ data });
  });
  test('that is no text is text where the node asks for it, with a warning when bytes of it are lost', async () => {
    const headers = { 'content-type': 'application/pdf' };
    const whole = await send({ url: HOST, as: 'text' }, {}, { headers, bytes: Buffer.from('%PDF é') });
    expect([whole.output, whole.warnings]).toEqual([expect.objectContaining({ data: '%PDF é' }), []]);
    const cut = await send({ url: HOST, as: 'text' }, {}, { headers, bytes: Buffer.from([0x41, 0xff]) });
    expect(cut.output).toMatchObject({ data: 'A\ufffd' });
    expect(cut.warnings).toMatchObject([{ code: 'damaged_text' }]);
  });
  test('of a failure is read by its media type, so that error.response says what the service said', async () => {
    const answer = { status: 422, headers: { 'content-type': 'application/json' }, text: '{"why": "no"}' };
    await expect(send({ url: HOST, as: 'text' }, {}, answer)).rejects.toMatchObject({
      response: { data: { why: 'no' } },
    });
  });
  test('that is no text is its bytes, with their media type', async () => {
    const bytes = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0xff]);
    const { output } = await send({ url: HOST }, {}, { headers: { 'content-type': 'image/png' }, bytes });
    expect(output).toMatchObject({
      data: { base64: bytes.toString('base64'), media_type: 'image/png', size: 6 },
    });
    const bare = await send({ url: HOST }, {}, { bytes });
    expect(bare.output).toMatchObject({ data: { media_type: 'application/octet-stream' } });
  });
  test.each(['{broken', '['.repeat(66) + ']'.repeat(66)])(
    'that is called JSON and is none stays its text, with a warning',
    async (text) => {
      const { output, warnings } = await send(
        { url: HOST },
        {},
        { headers: { 'content-type': 'application/json' }, text },
      );
      expect(output).toMatchObject({ data: text });
      expect(warnings).toMatchObject([{ code: 'invalid_json' }]);
    },
  );
  test('keeps the digits of large numbers as text, with a warning', async () => {
    const text = '{"id": 9007199254740993, "ok": 9007199254740991, "rows": [{"n": -12345678901234567890}]}';
    const { output, warnings } = await send(
      { url: HOST },
      {},
      { headers: { 'content-type': 'application/json' }, text },
    );
    expect(output).toMatchObject({
      data: { id: '9007199254740993', ok: 9007199254740991, rows: [{ n: '-12345678901234567890' }] },
    });
    expect(warnings).toMatchObject([{ code: 'number_as_text', paths: ['data.id', 'data.rows.0.n'] }]);
  });
  test('says when bytes of it were not of its charset', async () => {
    const { warnings } = await send({ url: HOST }, {}, { text: '\uFFFD', isDamaged: true });
    expect(warnings).toMatchObject([{ code: 'damaged_text' }]);
    expect((await send({ url: HOST }, {}, { text: 'x' })).warnings).toEqual([]);
  });
  test.each([
    [400, false],
    [404, false],
    [408, true],
    [425, true],
    [429, true],
    [500, true],
    [503, true],
  ])('%d fails, retryable: %s', async (status, retryable) => {
    await expect(send({ url: HOST }, {}, { status })).rejects.toMatchObject({
      code: 'http_error',
      status,
      retryable,
    });
  });
  test('Retry-After is passed on, in seconds and as a date', async () => {
    await expect(
      send({ url: HOST }, {}, { status: 429, headers: { 'retry-after': '2' } }),
    ).rejects.toMatchObject({ retryAfterMs: 2_000 });
    await expect(
      send({ url: HOST }, {}, { status: 503, headers: { 'retry-after': new Date(0).toUTCString() } }),
    ).rejects.toMatchObject({ retryAfterMs: 0 });
  });
  test.each<[string, number | null]>([
    ['0', 0],
    ['1.5', 1_500],
    ['99999999999', 3_600_000],
    ['Tue, 01 Jan 2030 00:00:10 GMT', 10_000],
    ['Tuesday, 01-Jan-30 00:00:10 GMT', 10_000],
    ['Tue Jan  1 00:00:10 2030', 10_000],
    ['Mon, 31 Dec 2029 00:00:00 GMT', 0],
    ['Wed, 02 Jan 2030 00:00:00 GMT', 3_600_000],
    ['Order 5', null],
    ['1/2', null],
    ['-5', null],
    ['2030-01-01T00:00:10Z', null],
    ['', null],
  ])('Retry-After: %s asks for a wait of %s ms', (header, wait) => {
    expect(retryAfterMs({ 'retry-after': header }, Date.parse('2030-01-01T00:00:00Z'))).toBe(wait);
  });
  test('fail_on_status can let a status through', async () => {
    expect((await send({ url: HOST, fail_on_status: [500, 599] }, {}, { status: 404 })).output).toMatchObject(
      { status: 404 },
    );
  });
  test('SEC-F20: the message of a failure quotes nothing of the body, its response has it', async () => {
    const headers = {
      'content-type': 'application/json',
      'x-auth-token': 'CANARY',
      'www-authenticate': 'Bearer',
    };
    const failed: unknown = await send(
      { url: HOST },
      {},
      { status: 500, text: '{"why": "CANARY"}', headers },
    ).catch((error: unknown) => error);
    expect(failed).toMatchObject({
      message: 'The server responded with HTTP 500',
      response: {
        status: 500,
        headers: { 'content-type': 'application/json', 'x-auth-token': '***', 'www-authenticate': 'Bearer' },
        data: { why: 'CANARY' },
        truncated: false,
      },
    });
  });
  test('a file in the response of a failure is whole or described', async () => {
    const fail = (size: number): Promise<unknown> =>
      send(
        { url: HOST },
        {},
        { status: 500, bytes: new Uint8Array(size), headers: { 'content-type': 'image/png' } },
      );
    await expect(fail(3)).rejects.toMatchObject({
      response: { data: { base64: 'AAAA', media_type: 'image/png', size: 3 }, truncated: false },
    });
    await expect(fail(60_000)).rejects.toMatchObject({
      response: { data: { media_type: 'image/png', size: 60_000 }, truncated: true },
    });
  });
});

describe('effects', () => {
  test.each([
    ['GET', {}, 'pure', 3],
    ['HEAD', {}, 'pure', 3],
    ['OPTIONS', {}, 'pure', 3],
    ['PUT', {}, 'idempotent', 1],
    ['DELETE', {}, 'idempotent', 1],
    ['POST', {}, 'at_most_once', 1],
    ['PATCH', {}, 'at_most_once', 1],
    ['POST', { effect: 'at_least_once' }, 'at_least_once', 1],
    ['POST', { idempotent: true }, 'idempotent', 1],
  ])('%s %j is %s with %d attempts', (method, more, effect, maxAttempts) => {
    const config = { kind: 'http', method, url: HOST, ...more } as JsonObject;
    expect(kindRules.policy('tool', config)).toMatchObject({
      placement: 'activity',
      effect,
      maxAttempts,
      timeoutMs: 120_000,
    });
  });
  const post = { method: 'POST', url: HOST };
  const attempt = async (
    answer: Answer,
    config: JsonObject = post,
  ): Promise<{ said: string[]; error: unknown }> => {
    const said: string[] = [];
    const error: unknown = await send(config, {}, answer, said).then(
      () => null,
      (thrown: unknown) => thrown,
    );
    return { said, error };
  };
  test('a POST is marked as sent directly before it is sent', async () => {
    expect((await attempt({})).said).toEqual(['sending', 'request']);
    expect((await attempt({}, { method: 'GET', url: HOST })).said).toEqual(['request']);
  });
  test('a POST that was never connected takes it back and may be tried again', async () => {
    const { said, error } = await attempt(
      new NothingSentError('connection_failed', 'x', { retryable: true }),
    );
    expect(said).toEqual(['sending', 'request', 'notSent']);
    expect(error).toMatchObject({ code: 'connection_failed', retryable: true });
  });
  test.each(['network_error', 'timeout', 'response_too_large', 'response_not_decodable', 'redirect_refused'])(
    'a POST whose answer is lost by %s has an unknown outcome',
    async (code) => {
      const { said, error } = await attempt(new NodeError(code, 'x', { retryable: true }));
      expect(said).toEqual(['sending', 'request']);
      expect(error).toMatchObject({ code: 'outcome_unknown', retryable: false });
    },
  );
  test('a POST that is answered 500 is not retried, 429 with Retry-After is', async () => {
    expect((await attempt({ status: 500 })).error).toMatchObject({ retryable: false, status: 500 });
    const later = await attempt({ status: 429, headers: { 'retry-after': '1' } });
    expect(later.error).toMatchObject({ retryable: true, retryAfterMs: 1_000 });
    expect(later.said).toEqual(['sending', 'request', 'notSent']);
  });
  test('nothing is marked as sent when rendering fails', async () => {
    expect((await attempt({}, { ...post, url: '{{nope}}' })).said).toEqual([]);
  });
});

test.each([
  [{ url: 'https://{{host}}/x' }, 'invalid_url url'],
  [{ url: '{{base}}/x' }, 'invalid_url url'],
  [{ url: 'https://api.example.com{{evil}}' }, 'invalid_url url'],
  [{ url: 'http://user:pass@host/' }, 'credentials_in_url url'],
  [{ url: HOST, body: { a: 1 } }, 'body_not_allowed body'],
  [{ url: HOST, method: 'TRACE' }, 'invalid_config method'],
  [{ url: HOST, headers: { Host: 'x' } }, 'reserved_header headers.Host'],
  [{ url: HOST, headers: { 'a b': 'x' } }, 'invalid_header headers.a b'],
])('%j is refused', (config, problem) => {
  expect(listProblems(tool, { kind: 'http', ...config } as JsonObject)).toEqual([problem]);
});
test('a credential goes along by its name, and the step shows nothing of it', async () => {
  const credentialId = '6f0d1c7e-3f0e-4a53-9b0f-2f6f2f1f7a10';
  const { request, input } = await send({ url: HOST, credential_id: credentialId });
  expect(request.credential).toEqual({ organizationId: 'o1', credentialId });
  expect(JSON.stringify(input)).not.toContain(credentialId);
});
test('a sub-workflow is asked for with its rendered input', async () => {
  const config = {
    kind: 'workflow',
    workflow_id: '5a0c3d2e-7f1b-4a5e-8d4c-0c6b5a4f3e21',
    input: { doc: '{{d}}' },
  };
  expect(await runNode(tool, config, { roots: { d: [1] } })).toEqual({
    outcome: 'child',
    child: { workflowId: config.workflow_id, deployment: 'live', input: { doc: [1] }, wait: true },
  });
  expect(kindRules.policy('tool', config)).toMatchObject({
    placement: 'child',
    effect: 'idempotent',
    timeoutMs: 86_400_000,
  });
  await expect(runNode(tool, { ...config, input: '{{d}}' }, { roots: { d: [1] } })).rejects.toMatchObject({
    code: 'invalid_input',
  });
});

describe('rules over the answer', () => {
  const JSON_TYPE = { 'content-type': 'application/json' };
  const judge = async (config: JsonObject, answer: Partial<HttpResponse>): Promise<unknown> =>
    send({ url: HOST, ...config }, {}, { headers: JSON_TYPE, ...answer }).then(
      () => 'completed',
      (error: unknown) => error,
    );
  const slack = {
    fail_when: {
      rules: [{ left: '{{response.data.ok}}', op: 'is_false' }],
      code: 'slack_{{response.data.error}}',
      message: 'Slack says {{response.data.error}}',
    },
  };
  test('fail_when fails an answer of status 200 with its code, its message and the response', async () => {
    expect(await judge(slack, { text: '{"ok":false,"error":"channel_not_found"}' })).toMatchObject({
      code: 'slack_channel_not_found',
      message: 'Slack says channel_not_found',
      status: 200,
      retryable: false,
      response: { status: 200, data: { ok: false } },
    });
    expect(await judge(slack, { text: '{"ok":true}' })).toBe('completed');
    expect(await judge(slack, { text: 'no JSON', headers: {} })).toBe('completed');
  });
  test('a code that is none becomes service_error, and a message that is empty has words', async () => {
    const rules = [{ left: '{{response.data.errors}}', op: 'is_not_empty' }];
    const graphql = {
      fail_when: { rules, code: '{{response.data.errors[0].code}}', message: '{{response.data.why}}' },
    };
    expect(await judge(graphql, { text: '{"errors":[{"code":"Not a code!"}]}' })).toMatchObject({
      code: 'service_error',
      message: 'The service returned an error',
    });
    expect(await judge(graphql, { text: '{"errors":[{"code":"http_error"}]}' })).toMatchObject({
      code: 'service_error',
    });
  });
  const telegram = { method: 'POST', retry_after: '{{response.data.parameters.retry_after}}' };
  test('retry_after takes the wait from the body, which declines a 429 as the header does', async () => {
    const text = '{"ok":false,"parameters":{"retry_after":5}}';
    const later = { status: 429, retryable: true, retryAfterMs: 5_000 };
    expect(await judge(telegram, { status: 429, text })).toMatchObject(later);
    expect(await judge({ method: 'POST' }, { status: 429, text })).toMatchObject({ retryable: false });
    const asHeader = { status: 429, text: '{}', headers: { ...JSON_TYPE, 'retry-after': '5' } };
    expect(await judge(telegram, asHeader)).toMatchObject(later);
    expect(await judge({ ...telegram, retry_after: 7 }, { status: 429, text })).toMatchObject({
      retryAfterMs: 7_000,
    });
  });
  test('retry_when lets even a POST be sent again, and takes back that it was sent', async () => {
    const config = {
      kind: 'http',
      method: 'POST',
      url: HOST,
      retry_when: [{ left: '{{response.data.error}}', op: 'eq', right: 'locked' }],
    };
    const said: string[] = [];
    const answer = { status: 409, text: '{"error":"locked"}', headers: JSON_TYPE };
    await expect(send(config, {}, answer, said)).rejects.toMatchObject({ retryable: true });
    expect(said).toEqual(['sending', 'request', 'notSent']);
    expect(await judge(config, { ...answer, text: '{"error":"taken"}' })).toMatchObject({ retryable: false });
    expect(kindRules.policy('tool', config)).toMatchObject({ maxAttempts: 3 });
    expect(kindRules.policy('tool', config)).not.toHaveProperty('isFinalOnceSent');
  });
  test.each<[JsonObject, string]>([
    [{ fail_when: { code: 'x' } }, 'invalid_config fail_when.rules'],
    [{ fail_when: { rules: [{ op: 'eq' }] } }, 'invalid_rule fail_when.rules.0.left'],
    [{ fail_when: { rules: [], code: 'No code' } }, 'invalid_config fail_when.code'],
    [{ retry_when: [{ left: 'x', op: 'is' }] }, 'invalid_rule retry_when.0.op'],
    [{ retry_after: -1 }, 'invalid_config retry_after'],
    [{ retry_after: 'soon' }, 'invalid_config retry_after'],
  ])('%j is %s', (more, problem) => {
    expect(listProblems(tool, { kind: 'http', url: HOST, ...more })).toContain(problem);
  });
});
