/** A server could fill the memory of a worker with an endless answer (SPEC SEC-F22). */
import type { ServerResponse } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { BYTE_LIMITS } from '../../../src/platform/outbound/answer-bytes.ts';
import { createGuardedAgent, type GuardedAgent } from '../../../src/platform/outbound/guarded-agent.ts';
import { guardedFetch } from '../../../src/platform/outbound/guarded-fetch.ts';
import { guardedHttp, MAX_BODY_BYTES } from '../../../src/platform/outbound/guarded-http.ts';
import { ByteBudget, type ByteLease } from '../../../src/base/shares/byte-budget.ts';
import { mcpPort } from '../../../src/platform/outbound/mcp.ts';
import { models } from '../../../src/platform/outbound/models.ts';
import { startMcpServer, type McpTool } from '../../support/mcp-server.ts';
import { newModelRequest } from './model-request.ts';
import { sink, type Sink } from './support.ts';

/** The part of each answer that is not counted. */
const FREE_BYTES = 64 * 1024;

const MB = 1_000_000;
const BODY = 'x'.repeat(MB);
/** Bytes that are counted of an answer of a megabyte. */
const COUNTED = MB - FREE_BYTES;
/** More than the system keeps of a connection that nobody reads, at both its ends. */
const UNREAD = 24 * MB;

const NO_ACCOUNTS = { open: () => Promise.reject(new Error('none')) };

let server: Sink;
let agent: GuardedAgent;
let budget: ByteBudget;
let leases: ByteLease[];
beforeEach(async () => {
  server = await sink();
  server.answer = (_request, response) => response.end(BODY);
  agent = createGuardedAgent([`127.0.0.1:${server.port}`], { keepAlive: false });
  leases = [];
  // Two answers of a megabyte for an organization, three for all.
  budget = new ByteBudget({ capacity: 3 * COUNTED, perOrganization: 2 * COUNTED });
});
afterEach(() => Promise.all([server.close(), agent.agent.destroy()]));

interface Reading {
  readonly lease: ByteLease;
  /** The length of the answer, or the code of the failure. */
  readonly end: Promise<unknown>;
  /** Null while it is not known. */
  ended(): unknown;
}
function reading(lease: ByteLease, end: Promise<number>): Reading {
  leases.push(lease);
  let ended: unknown = null;
  const known = end.catch((error: Error & { code?: string }) => error.code ?? error.message);
  void known.then((value) => (ended = value));
  return { lease, end: known, ended: () => ended };
}

const never = (): AbortSignal => new AbortController().signal;
/** The request of an HTTP tool in one attempt. */
function get(organizationId: string, signal = never(), lease = budget.open(organizationId)): Reading {
  const request = { method: 'GET', url: server.base, headers: {}, body: null, signal };
  const sent = guardedHttp(agent, { lease }).send(request);
  return reading(
    lease,
    sent.then(({ text }) => text.length),
  );
}
/** The request to a model or an MCP server in one attempt. */
function fetched(organizationId: string, signal = never(), lease = budget.open(organizationId)): Reading {
  const sent = guardedFetch(agent, { lease })(server.base, { signal });
  return reading(
    lease,
    sent.then(async (response) => (await response.text()).length),
  );
}

const waitFor = (waiting: number): Promise<void> => expect.poll(() => budget.waiting).toBe(waiting);

test.each([
  ['HTTP port', get],
  ['fetch', fetched],
])(
  'SEC-F22: %s: what is over the bound of its organization waits until another has ended',
  async (_name, read) => {
    const first = [read('a'), read('a')];
    expect(await Promise.all(first.map(({ end }) => end))).toEqual([MB, MB]);
    const third = read('a');
    await waitFor(1);
    // Another organization has its own bound.
    expect(await read('b').end).toBe(MB);
    expect([third.ended(), budget.heldBy('a')]).toEqual([null, 2 * COUNTED]);
    first[0]?.lease.close();
    expect(await third.end).toBe(MB);
    for (const lease of leases) lease.close();
    expect([budget.held, budget.waiting]).toEqual([0, 0]);
  },
);

test('SEC-F22: what is over the capacity waits for any organization, but for the oldest of its own', async () => {
  const others = [get('a'), get('a'), get('b')];
  await Promise.all(others.map(({ end }) => end));
  const oldest = get('c');
  expect(await oldest.end).toBe(MB);
  const waiting = get('c');
  await waitFor(1);
  expect([budget.held, budget.heldBy('c')]).toEqual([4 * COUNTED, COUNTED]);
  others[0]?.lease.close();
  expect(budget.waiting).toBe(1);
  others[2]?.lease.close();
  expect(await waiting.end).toBe(MB);
});

test('of an answer that announces its size, everything is counted before it is read on', async () => {
  const open: ServerResponse[] = [];
  server.answer = (_request, response) => {
    response.writeHead(200, { 'content-length': String(MB) });
    response.write(BODY.slice(0, FREE_BYTES + 1));
    open.push(response);
  };
  const first = get('a');
  await expect.poll(() => budget.heldBy('a')).toBe(COUNTED);
  open[0]?.end(BODY.slice(FREE_BYTES + 1));
  expect(await first.end).toBe(MB);
  expect(budget.heldBy('a')).toBe(COUNTED);
});

test('an answer that announces more than may be read is counted as far as it may', async () => {
  server.answer = (_request, response) => {
    response.writeHead(200, { 'content-length': String(100 * MB) });
    response.write(BODY);
  };
  const stop = new AbortController();
  const one = get('a', stop.signal);
  await expect.poll(() => budget.heldBy('a')).toBe(MAX_BODY_BYTES - FREE_BYTES);
  stop.abort(new Error('enough'));
  expect(await one.end).toBe('enough');
});

test('what is compressed is counted as it is in memory', async () => {
  const zipped = gzipSync(BODY);
  server.answer = (_request, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(zipped);
  expect(await get('a').end).toBe(MB);
  expect(budget.heldBy('a')).toBe(COUNTED);
});

test.each([
  ['is not counted', FREE_BYTES, 0],
  ['is counted beyond them', FREE_BYTES + 1, 1],
])('an answer of 64 KiB %s, and never waits', async (_name, size, counted) => {
  await Promise.all([get('a').end, get('a').end]);
  server.answer = (_request, response) => response.end('x'.repeat(size));
  const small = budget.open('b');
  expect(await get('b', never(), small).end).toBe(size);
  expect(budget.heldBy('b')).toBe(counted);
});

test('SEC-F22: two answers that each hold half of the bound and want more both end', async () => {
  const open: ServerResponse[] = [];
  server.answer = (_request, response) => {
    open.push(response);
    // Without its size: it grows with what comes.
    response.write(BODY);
  };
  const [one, other] = [get('a'), get('a')];
  await expect.poll(() => budget.heldBy('a')).toBe(2 * COUNTED);
  for (const response of open) response.end(BODY);
  await waitFor(1);
  const first = await Promise.race([one, other].map(async (each) => (await each.end, each)));
  expect(first.ended()).toBe(2 * MB);
  first.lease.close();
  expect(await Promise.all([one.end, other.end])).toEqual([2 * MB, 2 * MB]);
});

test('the answers of one attempt that are read at the same time do not wait for each other', async () => {
  const lease = budget.open('a');
  const many = Array.from({ length: 6 }, () => fetched('a', never(), lease));
  expect(await Promise.all(many.map(({ end }) => end))).toEqual(Array.from({ length: 6 }, () => MB));
  expect(budget.heldBy('a')).toBe(6 * COUNTED);
});

test.each([
  ['HTTP port', get],
  ['fetch', fetched],
])('SEC-F22: %s: a body that waits is not read: the server cannot send the rest', async (_name, read) => {
  await Promise.all([get('a').end, get('a').end]);
  let drained = false;
  server.answer = (_request, response) => {
    response.write('x'.repeat(3 * MB));
    response.write(Buffer.alloc(UNREAD), () => (drained = true));
  };
  const stop = new AbortController();
  const waiting = read('a', stop.signal);
  await waitFor(1);
  for (let turn = 0; turn < 50; turn += 1) await setImmediate();
  expect([drained, budget.heldBy('a')]).toEqual([false, 2 * COUNTED]);
  stop.abort(new Error('not wanted any more'));
  expect(await waiting.end).toBe('not wanted any more');
  expect(budget.waiting).toBe(0);
});

test('the time of a node goes on while its answer waits', async () => {
  await Promise.all([get('a').end, get('a').end]);
  expect(await get('a', AbortSignal.timeout(200)).end).toBe('timeout');
  expect(budget.waiting).toBe(0);
});

test('a node that ends while one of its answers waits holds nothing', async () => {
  await Promise.all([get('a').end, get('a').end]);
  const waiting = fetched('a');
  await waitFor(1);
  waiting.lease.close();
  expect(await waiting.end).toBe(MB);
  for (const lease of leases) lease.close();
  expect([budget.held, budget.waiting]).toEqual([0, 0]);
});

test('a hundred large answers of one organization hold no more than its bound and one of them', async () => {
  let most = 0;
  const all = Array.from({ length: 100 }, async () => {
    const one = get('a');
    expect(await one.end).toBe(MB);
    most = Math.max(most, budget.held);
    // Its end is written.
    await setImmediate();
    one.lease.close();
  });
  await Promise.all(all);
  expect(most).toBeGreaterThan(COUNTED);
  expect(most).toBeLessThanOrEqual(3 * COUNTED);
  expect(budget.held).toBe(0);
});

test('the answers of a model are counted', async () => {
  const choice = { index: 0, message: { role: 'assistant', content: BODY }, finish_reason: 'stop' };
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
  const whole = JSON.stringify({ id: 'c', created: 1, model: 'm', choices: [choice], usage });
  const chunk = { index: 0, delta: { content: BODY }, finish_reason: 'stop' };
  const streamed = JSON.stringify({ id: 'c', created: 1, model: 'm', choices: [chunk], usage });
  server.answer = ({ body }, response) => {
    if (!body.includes('"stream":true'))
      return void response.writeHead(200, { 'content-type': 'application/json' }).end(whole);
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(`data: ${streamed}\n\n`);
  };
  const credentials = {
    modelCredential: () => Promise.resolve({ apiKey: 'k', baseUrl: `${server.base}/v1` }),
  };
  const port = models({ managedLlm: null, outboundAllow: [`127.0.0.1:${server.port}`] }, credentials);
  for (const [at, stream] of [false, true].entries()) {
    const lease = budget.open(`o${at}`);
    const request = newModelRequest({ organizationId: `o${at}`, stream, signal: never() });
    const reply = await port.with({ credentials, lease }).complete(request);
    expect(reply.content).toHaveLength(MB);
    expect(budget.heldBy(`o${at}`)).toBeGreaterThan(COUNTED);
  }
  await port.close();
});

test('the answers of an MCP server are counted', async () => {
  const text = 'x'.repeat(MB / 2);
  const large: McpTool = { name: 'large', answer: () => ({ content: [{ type: 'text', text }] }) };
  const mcp = await startMcpServer([large]);
  const guarded = createGuardedAgent([mcp.hostPort], { keepAlive: false });
  try {
    await mcpPort({ agent: guarded, accounts: NO_ACCOUNTS, lease: budget.open('a') }).call({
      serverUrl: mcp.url,
      credential: null,
      tool: 'large',
      fingerprint: null,
      arguments: {},
      signal: never(),
      beforeCall: () => Promise.resolve(),
    });
    expect(budget.heldBy('a')).toBeGreaterThan(MB / 2 - FREE_BYTES);
  } finally {
    await guarded.agent.destroy();
    await mcp.close();
  }
});

test('the limits of a process have room for the largest answer, and for several organizations', () => {
  expect(BYTE_LIMITS.perOrganization).toBeGreaterThanOrEqual(2 * MAX_BODY_BYTES);
  expect(BYTE_LIMITS.capacity).toBeGreaterThanOrEqual(2 * BYTE_LIMITS.perOrganization);
});
