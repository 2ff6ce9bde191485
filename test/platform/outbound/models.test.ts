/** A model's failure would be retried wrongly, its answer misread, or its key quoted in an error (SPEC SEC-L05). */
import type { ServerResponse } from 'node:http';
import { APICallError } from 'ai';
import { toModelFailure } from '../../../src/platform/outbound/model-failure.ts';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ModelRequest } from '../../../src/language/nodes/tools.ts';
import { models, type ModelCredential } from '../../../src/platform/outbound/models.ts';
import { newModelRequest } from './model-request.ts';
import { sink, type Sink } from './support.ts';

const KEY = 'CANARY-managed-key';
let provider: Sink;
beforeEach(async () => {
  provider = await sink();
});
afterEach(() => provider.close());

const chunk = (delta: object, finish_reason: string | null = null): string =>
  `data: ${JSON.stringify({ id: 'c', created: 1, model: 'm-2', choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
const USAGE = `data: ${JSON.stringify({ id: 'c', created: 1, model: 'm-2', choices: [], usage: { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18, prompt_tokens_details: { cached_tokens: 4 } } })}\n\n`;
const stream = (response: ServerResponse, ...events: string[]): void => {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.end(events.join(''));
};
const json = (response: ServerResponse, status: number, body: unknown, headers = {}): void => {
  response
    .writeHead(status, { 'content-type': 'application/json', ...headers })
    .end(typeof body === 'string' ? body : JSON.stringify(body));
};

async function ask(
  more: Partial<ModelRequest> = {},
  credential: ModelCredential | 'managed' | null = null,
  configured = true,
) {
  const tokens: string[] = [];
  const managedLlm = configured ? { baseUrl: `${provider.base}/v1`, apiKey: KEY, model: 'm' } : null;
  const port = models(
    { managedLlm, outboundAllow: [] },
    { modelCredential: () => Promise.resolve(credential) },
  );
  try {
    const reply = await port.complete(
      newModelRequest({
        credentialId: null,
        messages: [
          { role: 'system', content: 'Be brief.' },
          { role: 'user', content: 'Hi' },
          { role: 'assistant', content: 'Yes?' },
          { role: 'user', content: 'Go' },
        ],
        onToken: (delta, channel) => tokens.push(`${channel}:${delta}`),
        ...more,
      }),
    );
    return { reply, tokens };
  } finally {
    await port.close();
  }
}
const failure = (more?: Partial<ModelRequest>, credential?: ModelCredential | null, configured?: boolean) =>
  ask(more, credential, configured).then(
    () => expect.fail('the call did not fail'),
    (error: unknown) => error as Error,
  );

test('a stream becomes tokens and a reply with its usage', async () => {
  provider.answer = (_request, response) =>
    stream(
      response,
      chunk({ reasoning_content: 'hm' }),
      chunk({ content: 'a' }),
      chunk({ content: ' b' }),
      chunk({}, 'stop'),
      USAGE,
      'data: [DONE]\n\n',
    );
  const { reply, tokens } = await ask({ temperature: 0.25, maxOutputTokens: 55, reasoningEffort: 'low' });
  expect(reply).toEqual({
    content: 'a b',
    reasoning: 'hm',
    model: 'm-2',
    finishReason: 'stop',
    usage: { input_tokens: 11, output_tokens: 7, total_tokens: 18, cached_tokens: 4 },
  });
  expect(tokens).toEqual(['reasoning:hm', 'content:a', 'content: b']);
  const [heard] = provider.heard;
  expect(heard).toMatchObject({
    method: 'POST',
    url: '/v1/chat/completions',
    headers: { authorization: `Bearer ${KEY}` },
  });
  expect(JSON.parse(heard?.body ?? '')).toMatchObject({
    model: 'm',
    stream: true,
    stream_options: { include_usage: true },
    temperature: 0.25,
    max_tokens: 55,
    reasoning_effort: 'low',
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: 'Yes?' },
      { role: 'user', content: 'Go' },
    ],
  });
});
test('a token is passed on before the next one comes, and a tool call after it is read', async () => {
  let goOn = (): void => undefined;
  provider.answer = (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(chunk({ role: 'assistant', content: '' }) + chunk({ content: 'a' }));
    goOn = () => {
      const call = { index: 0, id: 'call', function: { name: 'f', arguments: '{"x":1}' } };
      response.end(chunk({ content: 'b' }) + chunk({ tool_calls: [call] }) + chunk({}, 'tool_calls'));
    };
  };
  const heard: string[] = [];
  const { reply } = await ask({
    onToken: (delta) => {
      heard.push(delta);
      if (delta === 'a') goOn();
    },
  });
  expect(heard).toEqual(['a', 'b']);
  expect(reply).toMatchObject({ content: 'ab', finishReason: 'tool_calls', toolCalls: [{ name: 'f' }] });
});
test('text that comes in parts is left to the SDK, and told too', async () => {
  provider.answer = (_request, response) =>
    stream(
      response,
      chunk({ content: 'a' }),
      chunk({ content: [{ type: 'text', text: 'b' }] }),
      chunk({ content: 'c' }),
      chunk({}, 'stop'),
    );
  const { reply, tokens } = await ask();
  expect(reply.content).toBe('abc');
  expect(tokens.join('').replaceAll('content:', '')).toBe('abc');
});
test.each(['max_tokens', 'MAX_TOKENS', 'model_length'])(
  'the limit of tokens is one, also as %s',
  async (reason) => {
    provider.answer = (_request, response) =>
      json(response, 200, {
        id: 'c',
        created: 1,
        model: 'm-2',
        choices: [{ index: 0, message: { role: 'assistant', content: 'cut' }, finish_reason: reason }],
      });
    expect((await ask({ stream: false })).reply).toMatchObject({ content: 'cut', finishReason: 'length' });
  },
);
test('without a stream there is one answer', async () => {
  provider.answer = (_request, response) =>
    json(response, 200, {
      id: 'c',
      created: 1,
      model: 'm-2',
      choices: [{ index: 0, message: { role: 'assistant', content: 'whole' }, finish_reason: 'length' }],
      usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 },
    });
  const { reply, tokens } = await ask({ stream: false });
  expect(reply).toMatchObject({ content: 'whole', finishReason: 'length', usage: { total_tokens: 3 } });
  expect(tokens).toEqual([]);
});
test('a schema is sent as the response format', async () => {
  provider.answer = (_request, response) => stream(response, chunk({ content: '{}' }), chunk({}, 'stop'));
  await ask({ responseFormat: { type: 'json_schema', strict: false, schema: { type: 'object' } } });
  expect(JSON.parse(provider.heard[0]?.body ?? '')).toMatchObject({
    response_format: { type: 'json_schema', json_schema: { schema: { type: 'object' }, strict: false } },
  });
});
test.each([
  [400, false],
  [401, false],
  [403, false],
  [404, false],
  [408, true],
  [429, true],
  [500, true],
  [503, true],
])('%d is one call and a failure, retryable: %s', async (status, retryable) => {
  provider.answer = (_request, response) =>
    json(response, status, { error: { message: 'scripted', type: 'x' } }, { 'retry-after': '3' });
  expect(await failure()).toMatchObject({ code: 'model_error', status, retryable, retryAfterMs: 3_000 });
  expect(provider.heard).toHaveLength(1);
});
test('an organization reads the answer of its own account, and nothing of the account of the operator', () => {
  const error = new APICallError({
    message: 'No such model',
    url: 'https://api.example.com/v1',
    requestBodyValues: {},
    statusCode: 404,
    responseHeaders: { 'content-type': 'application/json', 'x-request-id': 'r1' },
    responseBody: '{"error":{"account":"org-1 sk-abcd1234"}}',
  });
  expect(toModelFailure(error, [], true).response).toEqual({
    status: 404,
    headers: { 'content-type': 'application/json', 'x-request-id': 'r1' },
    data: { error: { account: 'org-1 ***' } },
    truncated: false,
  });
  expect(toModelFailure(error, [], false).response).toBeNull();
});
test('a failure quotes no key, however the provider quotes it', async () => {
  provider.answer = ({ headers }, response) =>
    json(response, 401, {
      error: { message: `incorrect API key: ${headers.authorization}, ${KEY}, sk-proj-ab***yz`, type: 'x' },
    });
  const error = await failure();
  expect(error.message).toMatch(/^The model provider responded with HTTP 401: incorrect API key/);
  expect(`${error.message}${error.stack}${JSON.stringify(error)}${String(error.cause)}`).not.toMatch(
    /CANARY|sk-proj/,
  );
});
test.each([
  ['no JSON', (response: ServerResponse) => json(response, 200, '{"id": "broken", "choices": [{"mess')],
  ['an empty body', (response: ServerResponse) => json(response, 200, '')],
  ['events that are no JSON', (response: ServerResponse) => stream(response, 'data: {"choices": [{\n\n')],
  ['events of another shape', (response: ServerResponse) => stream(response, 'data: {"choices": 7}\n\n')],
])('SEC-L05: %s is an answer that cannot be read', async (_name, answer) => {
  provider.answer = (_request, response) => answer(response);
  expect(await failure()).toMatchObject({ code: 'provider_response_invalid', retryable: false });
});
test('SEC-L05: a malformed whole answer cannot be read either', async () => {
  provider.answer = (_request, response) => json(response, 200, '{"id": "broken", "choices": [{"mess');
  expect(await failure({ stream: false })).toMatchObject({
    code: 'provider_response_invalid',
    retryable: false,
  });
});
test.each([
  [
    'ends without a finish reason',
    (response: ServerResponse) => stream(response, chunk({ content: 'half' })),
  ],
  [
    'carries an error',
    (response: ServerResponse) =>
      stream(
        response,
        chunk({ content: 'half' }),
        `data: {"error":{"message":"overloaded ${KEY}","type":"x"}}\n\n`,
      ),
  ],
  [
    'breaks off',
    (response: ServerResponse) =>
      void (response.writeHead(200, { 'content-type': 'text/event-stream' }),
      response.write(chunk({ content: 'half' }), () => response.destroy())),
  ],
  [
    'is damaged in the middle',
    (response: ServerResponse) =>
      stream(response, chunk({ content: 'half' }), 'data: {"choices": [{\n\n', chunk({}, 'stop')),
  ],
  [
    'changes its shape in the middle',
    (response: ServerResponse) =>
      stream(response, chunk({ content: 'half' }), 'data: {"choices": 7}\n\n', chunk({}, 'stop')),
  ],
])('SEC-L05: a stream that %s never counts as an answer', async (_name, answer) => {
  provider.answer = (_request, response) => answer(response);
  const error = await failure();
  expect(error).toMatchObject({ code: 'model_error', retryable: true });
  expect(error.message).not.toContain('CANARY');
});
test('the usage of a stream that breaks off is reported when the provider sent it', async () => {
  provider.answer = (_request, response) => stream(response, chunk({ content: 'half' }), USAGE);
  const told: unknown[] = [];
  expect(await failure({ onUsage: (usage) => told.push(usage) })).toMatchObject({ code: 'model_error' });
  expect(told).toEqual([{ input_tokens: 11, output_tokens: 7, total_tokens: 18, cached_tokens: 4 }]);
});
test.each([
  [1.5, 2],
  [-7, 0],
  [1e30, 1_000_000_000],
])('a usage of %d tokens is told as %d', async (told, counted) => {
  const usage = { prompt_tokens: told, completion_tokens: 0, total_tokens: told };
  provider.answer = (_request, response) =>
    stream(
      response,
      chunk({ content: 'a' }),
      chunk({}, 'stop'),
      `data: ${JSON.stringify({ id: 'c', created: 1, model: 'm', choices: [], usage })}\n\n`,
    );
  const { reply } = await ask();
  expect(reply.usage).toMatchObject({ input_tokens: counted, total_tokens: counted });
});
test('a character that comes in two halves is joined, and half of one is replaced', async () => {
  provider.answer = (_request, response) =>
    stream(
      response,
      ...['a', '\ud83d', '\ude00', '\0', '\ud83d'].map((content) => chunk({ content })),
      chunk({}, 'stop'),
      USAGE,
    );
  const { reply, tokens } = await ask();
  expect(tokens).toEqual(['content:a', 'content:😀', 'content:\uFFFD', 'content:\uFFFD']);
  expect(reply.content).toBe('a😀\uFFFD\uFFFD');
});
test('SEC-L05: an answer of 10 MB is cut at 4 MB', async () => {
  provider.answer = (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (let at = 0; at < 10; at += 1) response.write(chunk({ content: 'x'.repeat(1024 * 1024) }));
    response.end(chunk({}, 'stop'));
  };
  expect(await failure()).toMatchObject({ code: 'response_too_large', retryable: false });
});
test('an unreachable provider is retryable', async () => {
  await provider.close();
  expect(await failure()).toMatchObject({ code: 'model_error', retryable: true });
});
test('an abort ends the call with its own reason', async () => {
  const stop = new AbortController();
  const reason = new Error('cancelled by the test');
  provider.answer = () => stop.abort(reason);
  expect(await failure({ signal: stop.signal })).toBe(reason);
});
test('without a configured model, and for other providers, there is a clear error', async () => {
  expect(await failure({}, null, false)).toMatchObject({ code: 'model_not_configured', retryable: false });
  expect(await failure({ provider: 'anthropic' })).toMatchObject({ code: 'model_not_configured' });
});
test('a missing credential is reported', async () => {
  expect(await failure({ credentialId: 'x' })).toMatchObject({
    code: 'credential_not_found',
    retryable: false,
  });
});
test("F: a tenant's base URL is not exempt, not even at the managed endpoint's address", async () => {
  expect(await failure({ credentialId: 'x' }, { apiKey: 'k', baseUrl: `${provider.base}/v1` })).toMatchObject(
    { code: 'destination_not_allowed', retryable: false },
  );
  expect(
    await failure(
      { credentialId: 'x', provider: 'anthropic' },
      { apiKey: 'k', baseUrl: `${provider.base}/v1` },
    ),
  ).toMatchObject({ code: 'destination_not_allowed' });
  expect(provider.heard).toEqual([]);
});

test.for([
  ['gzip', gzipSync],
  ['deflate', deflateSync],
  ['br', brotliCompressSync],
] as const)('who compresses (%s) though nobody asked for it is understood', async ([encoding, compress]) => {
  const said = [chunk({ content: 'a' }), chunk({}, 'stop'), USAGE].join('');
  const headers = { 'content-encoding': encoding };
  provider.answer = (request, response) => {
    expect(request.headers['accept-encoding']).toBe('identity');
    response.writeHead(200, { ...headers, 'content-type': 'text/event-stream' }).end(compress(said));
  };
  expect((await ask()).reply.content).toBe('a');
  const refusal = compress(JSON.stringify({ error: { message: 'No such model' } }));
  provider.answer = (_request, response) =>
    response.writeHead(404, { ...headers, 'content-type': 'application/json' }).end(refusal);
  expect(await failure()).toMatchObject({
    message: 'The model provider responded with HTTP 404: No such model',
  });
});

test.each([true, false])(
  'an answer that cannot be decoded is not asked for again (stream: %s)',
  async (isStream) => {
    provider.answer = (_request, response) =>
      response
        .writeHead(200, { 'content-encoding': 'gzip', 'content-type': 'text/event-stream' })
        .end('plain words');
    await expect(ask({ stream: isStream })).rejects.toMatchObject({
      code: 'response_not_decodable',
      retryable: false,
    });
  },
);
test.each([true, false])(
  'an answer whose packed end is missing may be asked for again (stream: %s)',
  async (isStream) => {
    const packed = gzipSync(isStream ? chunk({ content: 'Hi' }, 'stop') : JSON.stringify({ choices: [] }));
    provider.answer = (_request, response) =>
      response
        .writeHead(200, {
          'content-encoding': 'gzip',
          'content-type': isStream ? 'text/event-stream' : 'application/json',
        })
        .end(packed.subarray(0, packed.length - 4));
    await expect(ask({ stream: isStream })).rejects.toMatchObject({ code: 'model_error', retryable: true });
  },
);
test('a listener that throws fails the call, not the process', async () => {
  provider.answer = (_request, response) =>
    stream(response, chunk({ content: 'a' }), chunk({}, 'stop'), USAGE);
  const onToken = (): void => {
    throw new Error('no ears');
  };
  expect(await failure({ onToken })).toMatchObject({ code: 'model_error' });
});

test('the credential of the managed model is the managed model: its tokens are metered', async () => {
  provider.answer = (_request, response) =>
    json(response, 200, {
      id: 'a',
      created: 1,
      model: 'm',
      choices: [{ index: 0, message: { role: 'assistant', content: 'ok' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 },
    });
  const { reply } = await ask({ credentialId: 'c', stream: false }, 'managed');
  expect([reply.content, reply.usage.total_tokens, 'byok' in reply.usage]).toEqual(['ok', 7, false]);
});
