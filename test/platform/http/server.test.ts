/** A deploy would cut off requests, or slow clients would hold connections for ever. */
import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import Koa from 'koa';
import { expect, test } from 'vitest';
import { drain, listen, readPort } from '../../../src/platform/http/server.ts';

test('draining lets a request in flight finish, refuses new ones, and does not wait for idle connections', async () => {
  const app = new Koa();
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  let arrived: () => void = () => undefined;
  const arrival = new Promise<void>((resolve) => {
    arrived = resolve;
  });
  app.use(async (ctx) => {
    arrived();
    await held;
    ctx.body = 'done';
  });
  const server = await listen(app, '127.0.0.1', 0);
  const port = readPort(server);
  const answer = fetch(`http://127.0.0.1:${port}/`).then((response) => response.text());
  await arrival;
  const drained = drain(server, 60_000);
  await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow('fetch failed');
  release();
  expect(await answer).toBe('done');
  await drained;
});

test('each answer on a kept connection announces its end once the server is to close, also one in progress', async () => {
  const app = new Koa();
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  app.use(async (ctx) => {
    if (ctx.path === '/held') await held;
    ctx.body = 'done';
  });
  const server = await listen(app, '127.0.0.1', 0);
  const agent = new Agent({ keepAlive: true });
  const connectionOf = async (path: string): Promise<unknown> => {
    const asked = get({ port: readPort(server), host: '127.0.0.1', path, agent });
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    answer.resume();
    await once(answer, 'end');
    return answer.headers.connection;
  };
  expect(await connectionOf('/')).toBe('keep-alive');
  const arrival = once(server, 'request');
  const inProgress = connectionOf('/held');
  await arrival;
  server.announceClose();
  expect(await connectionOf('/')).toBe('close');
  release();
  expect(await inProgress).toBe('close');
  agent.destroy();
  await drain(server, 1_000);
});

test('what does not finish within the grace is cut', async () => {
  const app = new Koa();
  app.use(() => new Promise(() => undefined));
  const server = await listen(app, '127.0.0.1', 0);
  const socket = connect(readPort(server), '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  await once(server, 'request');
  await drain(server, 10);
  if (!socket.closed) await once(socket, 'close');
  expect(socket.destroyed).toBe(true);
});

test('SEC-P26: slow senders are cut off, streams are not', async () => {
  const server = await listen(new Koa(), '127.0.0.1', 0);
  expect([server.headersTimeout, server.requestTimeout, server.timeout]).toEqual([10_000, 30_000, 0]);
  await drain(server, 1_000);
});

test('a connection is used for as long as its client likes: nothing on it is refused', async () => {
  const app = new Koa();
  // As streams say it.
  app.use((ctx) => ctx.set('Connection', 'keep-alive'));
  const server = await listen(app, '127.0.0.1', 0);
  const count = 10_050;
  const socket = connect(readPort(server), '127.0.0.1');
  let seen = '';
  socket.on('data', (data) => (seen += String(data)));
  socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(count));
  const statuses = (): string[] => seen.match(/HTTP\/1\.1 \d+/gu) ?? [];
  await expect.poll(() => statuses().length, { interval: 100 }).toBe(count);
  expect(new Set(statuses())).toEqual(new Set(['HTTP/1.1 404']));
  socket.destroy();
  await drain(server, 1_000);
});
