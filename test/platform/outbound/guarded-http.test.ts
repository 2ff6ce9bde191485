/**
 * A run could reach an internal server by a redirect, a name or a reused connection (SPEC SEC-F). The forbidden
 * server counts its visitors.
 */
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { NothingSentError } from '../../../src/language/nodes/failure.ts';
import { NodeError } from '../../../src/language/nodes/kind.ts';
import type { HttpRequest } from '../../../src/language/nodes/tools.ts';
import { createGuardedAgent, type Resolve } from '../../../src/platform/outbound/guarded-agent.ts';
import { guardedHttp } from '../../../src/platform/outbound/guarded-http.ts';
import { sink, type Sink } from './support.ts';

let allowed: Sink;
let inner: Sink;
beforeEach(async () => {
  [allowed, inner] = await Promise.all([sink(), sink()]);
});
afterEach(() => Promise.all([allowed.close(), inner.close()]));

const HOUR = { signal: new AbortController().signal };
async function send(url: string, more: Partial<HttpRequest> = {}, resolveAll?: Resolve) {
  const agent = createGuardedAgent([`127.0.0.1:${allowed.port}`], { keepAlive: false }, resolveAll);
  try {
    return await guardedHttp(agent).send({ method: 'GET', url, headers: {}, body: null, ...HOUR, ...more });
  } finally {
    await agent.agent.destroy();
  }
}
const refused = {
  code: 'destination_not_allowed',
  retryable: false,
  message: 'Destination not allowed or not reachable',
};

test('a streamed body is sent with its length, a piece at a time, and from its beginning after a redirect', async () => {
  const piece = Buffer.alloc(64 * 1024, 'x');
  let opened = 0;
  let held = 0;
  let most = 0;
  const body = {
    size: 40 * piece.length,
    async *open() {
      opened += 1;
      for (let count = 0; count < 40; count += 1) {
        held += 1;
        most = Math.max(most, held);
        yield piece;
        held -= 1;
      }
    },
  };
  allowed.answer = ({ url }, response) =>
    url === '/first' ? response.writeHead(307, { location: '/second' }).end() : response.end('taken');
  expect(await send(`${allowed.base}/first`, { method: 'PUT', body })).toMatchObject({ text: 'taken' });
  expect(allowed.heard.map(({ body: sent, headers }) => [sent.length, headers['content-length']])).toEqual(
    Array.from({ length: 2 }, () => [body.size, String(body.size)]),
  );
  // The piece after the one that is being sent is made when it is wanted.
  expect([opened, most]).toEqual([2, 1]);
});

test('an answer is kept a piece at a time, decoded, of the address that gave it', async () => {
  const bytes = Buffer.alloc(3 * 1024 * 1024, 'x');
  allowed.answer = ({ url }, response) =>
    url === '/first'
      ? response.writeHead(302, { location: '/second' }).end()
      : response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(bytes));
  const offered: string[] = [];
  const reference = { $file: 'f', name: 'n', media_type: 'm', size: 1, sha256: 's' };
  let size = 0;
  const answer = await send(`${allowed.base}/first`, {
    keep: ({ status, url }) => {
      offered.push(`${status} ${url.pathname}`);
      return async (pieces) => {
        for await (const piece of pieces) size += piece.length;
        return reference;
      };
    },
  });
  expect([answer.file, answer.text, size, offered]).toEqual([reference, '', bytes.length, ['200 /second']]);
});

test('an answer that nobody can store closes its connection, and says why', async () => {
  let closed: () => void = () => undefined;
  const end = new Promise<void>((resolve) => (closed = resolve));
  allowed.answer = (_request, response) => response.on('close', closed).writeHead(200).write('the beginning');
  const full = new NodeError('file_storage_full', 'full');
  await expect(send(allowed.base, { keep: () => () => Promise.reject(full) })).rejects.toBe(full);
  await end;
});

test.each([
  ['HEAD', 200],
  ['GET', 204],
])('a %s with %i has no file', async (method, status) => {
  allowed.answer = (_request, response) => response.writeHead(status).end();
  const keep = () => () => Promise.reject(new Error('not asked'));
  expect(await send(allowed.base, { method, keep })).toMatchObject({ status, text: '' });
});

test('an exempt address answers', async () => {
  allowed.answer = (_request, response) => response.writeHead(201, { 'x-tool': 'fake' }).end('hello');
  expect(await send(`${allowed.base}/x`)).toMatchObject({
    status: 201,
    text: 'hello',
    headers: { 'x-tool': 'fake' },
  });
});
test.each([
  '127.0.0.1',
  'localhost',
  'localhost.',
  '2130706433',
  '0x7f.1',
  '[::ffff:127.0.0.1]',
  '0.0.0.0',
  '127。0。0。1',
])('SEC-F01 to SEC-F05: %s is not reached', async (host) => {
  await expect(send(`http://${host}:${inner.port}/`)).rejects.toMatchObject(refused);
  expect(inner.heard).toEqual([]);
});
const answering =
  (...addresses: string[]): Resolve =>
  (_name, _options, callback) =>
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
test.each([[['127.0.0.1']], [['8.8.8.8', '127.0.0.1']], [['::1']], [['fd00::1', '8.8.8.8']]])(
  'a name with the addresses %j is refused',
  async (addresses) => {
    await expect(send('http://rebind.example.com:8080/', {}, answering(...addresses))).rejects.toMatchObject(
      refused,
    );
  },
);
test('a name that is not found and a closed port say the same as a refused address, but may be tried again', async () => {
  const none: Resolve = (_name, _options, callback) =>
    callback(Object.assign(new Error('secret detail'), { code: 'ENOTFOUND' }), []);
  const failure = await send('http://nowhere.example.com/', {}, none).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(NothingSentError);
  expect(failure).toMatchObject({ code: 'connection_failed', retryable: true, message: refused.message });
  await allowed.close();
  await expect(send(allowed.base)).rejects.toMatchObject({ code: 'connection_failed', retryable: true });
});
test('SEC-F09: a redirect to the inside is not followed, and something has been sent by then', async () => {
  allowed.answer = (_request, response) =>
    response.writeHead(302, { location: `${inner.base}/secret` }).end();
  const failure = await send(allowed.base).catch((error: unknown) => error);
  expect(failure).toMatchObject({ code: 'redirect_refused', retryable: false });
  expect(failure).not.toBeInstanceOf(NothingSentError);
  expect(inner.heard).toEqual([]);
});
test('SEC-F09: a redirect loop ends after three', async () => {
  allowed.answer = (_request, response) => response.writeHead(302, { location: '/again' }).end();
  await expect(send(allowed.base)).rejects.toMatchObject({ code: 'redirect_refused' });
  expect(allowed.heard).toHaveLength(4);
});
test.each([
  [301, 'GET', ''],
  [302, 'GET', ''],
  [303, 'GET', ''],
  [307, 'POST', 'b'],
  [308, 'POST', 'b'],
])('a POST that is redirected by %d becomes a %s', async (status, method, body) => {
  allowed.answer = ({ url }, response) =>
    response.writeHead(url === '/' ? status : 200, { location: '/next' }).end();
  await send(`${allowed.base}/`, {
    method: 'POST',
    body: 'b',
    headers: { authorization: 'a', 'content-type': 'text/plain' },
  });
  expect(allowed.heard[1]).toMatchObject({ method, url: '/next', body, headers: { authorization: 'a' } });
});
test.each([
  [307, 'POST', null],
  [308, 'PATCH', null],
  [302, 'PUT', null],
  [301, 'DELETE', null],
  [303, 'PUT', 'GET'],
  [302, 'POST', 'GET'],
  [307, 'HEAD', 'HEAD'],
])('SEC-F09: a redirect by %d of a %s to another host goes on as %s', async (status, method, next) => {
  const agent = createGuardedAgent([`127.0.0.1:${allowed.port}`, `127.0.0.1:${inner.port}`], {
    keepAlive: false,
  });
  allowed.answer = (_request, response) => response.writeHead(status, { location: inner.base }).end();
  const body = method === 'HEAD' ? null : 'b';
  const sending = guardedHttp(agent).send({ method, url: allowed.base, headers: {}, body, ...HOUR });
  const end = await sending.then(
    () => 'sent',
    ({ code }: { code: string }) => code,
  );
  expect([end, inner.heard[0]?.method ?? null]).toEqual([next === null ? 'redirect_refused' : 'sent', next]);
  await agent.agent.destroy();
});
test('SEC-F10: credentials do not follow to another origin', async () => {
  const agent = createGuardedAgent([`127.0.0.1:${allowed.port}`, `127.0.0.1:${inner.port}`], {
    keepAlive: false,
  });
  allowed.answer = (_request, response) => response.writeHead(307, { location: inner.base }).end();
  const headers = {
    authorization: 'Bearer CANARY',
    'x-api-key': 'CANARY',
    cookie: 'CANARY',
    accept: 'text/html',
  };
  await guardedHttp(agent).send({ method: 'GET', url: allowed.base, headers, body: null, ...HOUR });
  expect(JSON.stringify(inner.heard)).not.toContain('CANARY');
  expect(inner.heard[0]?.headers.accept).toBe('text/html');
  await agent.agent.destroy();
});
test('RUN-4.10: what the service adds to a request wins over its node, stays on its origin and goes to no other', async () => {
  const agent = createGuardedAgent([`127.0.0.1:${allowed.port}`, `127.0.0.1:${inner.port}`], {
    keepAlive: false,
  });
  allowed.answer = ({ url }, response) =>
    response.writeHead(307, { location: url === '/' ? '/next' : inner.base }).end();
  const headers = { 'X-Run-Depth': 'of the node' };
  const http = guardedHttp(agent, { ownHeaders: () => ({ 'x-run-depth': 'of the service' }) });
  await http.send({ method: 'GET', url: `${allowed.base}/`, headers, body: null, ...HOUR });
  const heard = [...allowed.heard, ...inner.heard].map((request) => request.headers['x-run-depth']);
  expect(heard).toEqual(['of the service', 'of the service', undefined]);
  await agent.agent.destroy();
});
test('SEC-F14: a large body is cut', async () => {
  const chunk = Buffer.alloc(1024 * 1024);
  let sent = 0;
  allowed.answer = (_request, response) => {
    const more = (): void => {
      if (response.destroyed || sent > 200) return;
      sent += 1;
      response.write(chunk, () => setImmediate(more));
    };
    more();
  };
  await expect(send(allowed.base)).rejects.toMatchObject({ code: 'response_too_large', retryable: false });
  expect(sent).toBeLessThan(200);
});
test('SEC-F14: a body that unpacks to more is cut too', async () => {
  const packed = gzipSync(Buffer.alloc(64 * 1024 * 1024));
  allowed.answer = (_request, response) =>
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(packed);
  await expect(send(allowed.base)).rejects.toMatchObject({ code: 'response_too_large' });
});
const five = 'gzip, x-gzip, deflate, br, gzip';
const packedFive = gzipSync(brotliCompressSync(deflateSync(gzipSync(gzipSync('hello')))));
test.each([
  ['gzip', gzipSync('hello'), 'hello'],
  ['GZIP', gzipSync('hello'), 'hello'],
  ['deflate', deflateSync('hello'), 'hello'],
  ['br', brotliCompressSync('hello'), 'hello'],
  [five, packedFive, 'hello'],
  ['identity', Buffer.from('hello'), 'hello'],
  ['gzip, unheard-of', Buffer.from('as it came'), 'as it came'],
])('a body that is encoded as %s is read', async (encoding, body, text) => {
  allowed.answer = (_request, response) =>
    response.writeHead(200, { 'content-encoding': encoding }).end(body);
  expect((await send(allowed.base)).text).toBe(text);
});
test('a deflated body without the head of zlib is read, too', async () => {
  allowed.answer = (_request, response) =>
    response.writeHead(200, { 'content-encoding': 'deflate' }).end(deflateRawSync('hello'));
  expect((await send(allowed.base)).text).toBe('hello');
});
test.each(['gzip', 'deflate', 'br'])(
  'an empty body is empty, though it is said to be %s',
  async (encoding) => {
    allowed.answer = (_request, response) => response.writeHead(200, { 'content-encoding': encoding }).end();
    expect((await send(allowed.base)).text).toBe('');
  },
);
const LONG = Buffer.from(Array.from({ length: 20_000 }, (_, at) => (at * 7919) % 65_521).join(','));
test.each<[string, Buffer]>([
  ['gzip', gzipSync(LONG)],
  ['deflate', deflateSync(LONG)],
  ['deflate', deflateRawSync(LONG)],
  ['br', brotliCompressSync(LONG)],
  ['gzip, gzip', gzipSync(gzipSync(LONG))],
])('a body of %s without its end is no answer, and may be asked for again', async (encoding, packed) => {
  for (const end of [packed.length >> 1, packed.length - 1]) {
    allowed.answer = (_request, response) =>
      response.writeHead(200, { 'content-encoding': encoding }).end(packed.subarray(0, end));
    await expect(send(allowed.base)).rejects.toMatchObject({ code: 'network_error', retryable: true });
  }
});
const flipped = Buffer.from(gzipSync(LONG));
flipped[flipped.length - 6] = (flipped.at(-6) ?? 0) ^ 1;
test.each<[string, Buffer]>([
  ['gzip', Buffer.from('plain words')],
  ['gzip', flipped],
  ['deflate', Buffer.from('plain words')],
  ['br', Buffer.from('plain words')],
  ['zstd', Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0, 0xff])],
  [`${five}, gzip`, gzipSync(packedFive)],
])(
  'SEC-F15: a body that is no %s, though it is said to be, cannot be decoded, however often it is asked for',
  async (encoding, body) => {
    allowed.answer = (_request, response) =>
      response.writeHead(200, { 'content-encoding': encoding }).end(body);
    await expect(send(allowed.base)).rejects.toMatchObject({
      code: 'response_not_decodable',
      retryable: false,
    });
  },
);
test.each([
  ['HEAD', 200],
  ['GET', 204],
])('a %s that is answered %d has no body, whatever its encoding is said to be', async (method, status) => {
  allowed.answer = (_request, response) => response.writeHead(status, { 'content-encoding': 'gzip' }).end();
  expect(await send(allowed.base, { method })).toMatchObject({ status, text: '' });
});
test('values of a name come in one text; those of cookies one by one', async () => {
  allowed.answer = (_request, response) =>
    response.writeHead(200, { 'set-cookie': ['a=1', 'b=2'], link: ['</a>', '</b>'] }).end();
  const { headers, cookies } = await send(allowed.base);
  expect(headers).toMatchObject({ link: '</a>, </b>' });
  expect(headers).not.toHaveProperty('set-cookie');
  expect(cookies).toEqual(['a=1', 'b=2']);
});
test('bytes are sent as they are', async () => {
  await send(allowed.base, {
    method: 'POST',
    body: Buffer.from('a\u00e9'),
    headers: { 'content-type': 'image/png' },
  });
  expect(allowed.heard[0]).toMatchObject({ body: 'a\u00e9', headers: { 'content-type': 'image/png' } });
});
test('what a request does not say has a default, and what it says stands alone, however it is written', async () => {
  await send(allowed.base);
  await send(allowed.base, {
    method: 'POST',
    body: '{}',
    headers: { 'User-Agent': 'mine', ACCEPT: 'text/html', 'Content-Type': 'application/json' },
  });
  const [plain, own] = allowed.heard.map(({ headers }) => headers);
  expect(plain).toMatchObject({ 'user-agent': 'workflow-automation-service', accept: '*/*' });
  expect(plain).not.toHaveProperty('content-type');
  expect(own).toMatchObject({
    'user-agent': 'mine',
    accept: 'text/html',
    'content-type': 'application/json',
    'accept-encoding': 'gzip, deflate, br',
  });
});
test('a text that is sent without a word about its kind is plain text', async () => {
  await send(allowed.base, { method: 'POST', body: 'x' });
  expect(allowed.heard[0]?.headers['content-type']).toBe('text/plain;charset=UTF-8');
});
test('SEC-F14: large headers are refused', async () => {
  allowed.answer = (_request, response) => response.writeHead(200, { 'x-large': 'x'.repeat(40_000) }).end();
  await expect(send(allowed.base)).rejects.toMatchObject({ code: 'network_error' });
});
test('a connection that breaks after the request is a network error, not "nothing sent"', async () => {
  allowed.answer = (_request, response) => response.destroy();
  const failure = await send(allowed.base, { method: 'POST', body: 'x' }).catch((error: unknown) => error);
  expect(failure).toMatchObject({ code: 'network_error', retryable: true });
  expect(failure).not.toBeInstanceOf(NothingSentError);
  expect(allowed.heard).toHaveLength(1);
});
test('a deadline is a retryable timeout; a cancellation passes its own reason on', async () => {
  allowed.answer = () => undefined;
  await expect(send(allowed.base, { signal: AbortSignal.timeout(50) })).rejects.toMatchObject({
    code: 'timeout',
    retryable: true,
  });
  const reason = new Error('cancelled by the test');
  const stop = new AbortController();
  const running = send(allowed.base, { signal: stop.signal });
  stop.abort(reason);
  await expect(running).rejects.toBe(reason);
});
