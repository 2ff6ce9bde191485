/** A request would go out over a connection of another credential, or be repeated when its connection closes. */
import type { ServerResponse } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { HttpPort, HttpRequest } from '../../../src/language/nodes/tools.ts';
import { createGuardedAgent, type GuardedAgent } from '../../../src/platform/outbound/guarded-agent.ts';
import { guardedHttp } from '../../../src/platform/outbound/guarded-http.ts';
import { OrganizationAgents } from '../../../src/platform/outbound/organization-agents.ts';
import { sink, type Sink } from './support.ts';

let server: Sink;
let inner: Sink;
let own: GuardedAgent;
let kept: OrganizationAgents;
let http: HttpPort;
beforeEach(async () => {
  [server, inner] = await Promise.all([sink(), sink()]);
  const exempt = [`127.0.0.1:${server.port}`];
  own = createGuardedAgent(exempt, { keepAlive: false });
  kept = new OrganizationAgents(exempt);
  http = guardedHttp(own, { kept });
});
afterEach(() => Promise.all([server.close(), inner.close(), own.agent.destroy(), kept.destroy()]));

async function send(more: Partial<HttpRequest> = {}) {
  const { signal } = new AbortController();
  const answer = await http.send({
    method: 'GET',
    url: server.base,
    headers: {},
    body: null,
    signal,
    ...more,
  });
  // The connection is free for another request a moment after the answer has ended.
  await setImmediate();
  return answer;
}
const sockets = (): number => new Set(server.heard.map(({ socket }) => socket)).size;

test('SEC-F21: requests of an organization, one after the other, share a connection; those of another have theirs', async () => {
  for (const connectionsOf of ['a', 'b', 'a', 'b', 'a']) await send({ connectionsOf });
  expect(server.heard).toHaveLength(5);
  expect(sockets()).toBe(2);
  const [first, second, third] = server.heard.map(({ socket }) => socket);
  expect(third).toBe(first);
  expect(second).not.toBe(first);
});

test('SEC-F21: a request that names no organization has a connection of its own', async () => {
  for (const more of [{ connectionsOf: 'a' }, {}, {}, { connectionsOf: 'a' }]) await send(more);
  expect(sockets()).toBe(3);
});

test('requests at the same moment wait for no connection', async () => {
  const open: ServerResponse[] = [];
  server.answer = (_request, response) => {
    open.push(response);
    if (open.length === 30) for (const one of open) one.end('ok');
  };
  await Promise.all(Array.from({ length: 30 }, () => send({ connectionsOf: 'a' })));
  expect(sockets()).toBe(30);
});

test('a kept connection that is closed under a request costs nothing but another one', async () => {
  const used = new Set<unknown>();
  server.answer = ({ socket }, response) => {
    if (used.has(socket)) socket.destroy();
    else response.end('ok');
    used.add(socket);
  };
  await send({ connectionsOf: 'a' });
  expect((await send({ connectionsOf: 'a' })).text).toBe('ok');
  expect(server.heard).toHaveLength(3);
});

test('a server that closes every connection is asked twice, then it is a network error', async () => {
  server.answer = ({ socket }) => void socket.destroy();
  await expect(send({ connectionsOf: 'a' })).rejects.toMatchObject({
    code: 'network_error',
    retryable: true,
  });
  expect(server.heard).toHaveLength(2);
});

test('an answer that breaks off is not asked for again', async () => {
  server.answer = ({ socket }, response) => {
    response.writeHead(200, { 'content-length': '100' });
    response.write('half', () => socket.destroy());
  };
  await expect(send({ connectionsOf: 'a' })).rejects.toMatchObject({ code: 'network_error' });
  expect(server.heard).toHaveLength(1);
});

test('SEC-F01, SEC-F09: a kept connection leads nowhere that another does not', async () => {
  const refused = { code: 'destination_not_allowed' };
  await expect(send({ connectionsOf: 'a', url: inner.base })).rejects.toMatchObject(refused);
  server.answer = (_request, response) => response.writeHead(302, { location: inner.base }).end();
  await expect(send({ connectionsOf: 'a' })).rejects.toMatchObject({ code: 'redirect_refused' });
  expect(inner.heard).toEqual([]);
});

test('the organization that called last keeps its connections when others need the place', async () => {
  await send({ connectionsOf: 'a' });
  for (let other = 0; other < 499; other += 1) kept.get(`o${other}`);
  await send({ connectionsOf: 'a' });
  expect(sockets()).toBe(1);
  for (let other = 0; other < 500; other += 1) kept.get(`p${other}`);
  await send({ connectionsOf: 'a' });
  expect(sockets()).toBe(2);
});
