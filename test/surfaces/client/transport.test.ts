/** A program would get wrong errors, duplicate objects or endless waits from calls that fail. */
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { WorkflowApiError, WorkflowClient } from '../../../src/surfaces/client/client.ts';
import type { JsonObject } from '../../../src/language/graph/values/value.ts';
import {
  json,
  refusing,
  startScriptedServer,
  type Handler,
  type ScriptedServer,
} from './support/scripted-server.ts';

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

test('a wrong URL is told at once, in words', () => {
  for (const baseUrl of [undefined, '', 'workflows.example.com', 'ftp://workflows.example.com'])
    expect(() => new WorkflowClient({ baseUrl: baseUrl as string, token: 'k' })).toThrow(/^baseUrl /);
});

test('a missing token is told at once, in words', () => {
  for (const token of [undefined, '', null, 7])
    expect(() => server.client({ token: token as string })).toThrow(/^token is missing/);
});

test('a value that cannot be sent is told in words and at once: it is no failure of the network', async () => {
  const endless: JsonObject = {};
  Object.assign(endless, { self: endless });
  const { runs } = server.client();
  const start = { workflow_id: 'w' };
  const input = { count: 1n as unknown as number };
  const failures = [
    [() => runs.start({ ...start, input: endless }), /circular/i],
    [() => runs.start({ ...start, input }), /BigInt/],
    [() => runs.start(start, { idempotencyKey: 'order …' }), /^The header Idempotency-Key has/],
    [() => server.client({ token: 'svc_live_…' }).runs.start(start), /^The header Authorization has/],
    [() => server.client({ token: async () => '…' }).workflows.get('w'), /^The header Authorization has/],
    [() => server.client({ token: '…' }).runs.byRunId('r').result(), /^The header Authorization has/],
    [() => server.client({ organizationId: '…' }).runs.byRunId('r').result(), /^The header X-Organ/],
  ] as const;
  for (const [call, words] of failures) {
    const error: unknown = await call().then(
      () => null,
      (reason: unknown) => reason,
    );
    expect(error).not.toBeInstanceOf(WorkflowApiError);
    expect((error as Error).message).toMatch(words);
  }
  expect(server.requests).toEqual([]);
});

test('a call whose token does not come ends by its signal, and so does an iteration', async () => {
  const stop = new AbortController();
  const client = server.client({ token: () => new Promise<string>(() => undefined) });
  const call = client.workflows.get('w', { signal: stop.signal });
  const reading = client.runs.byRunId('r').result({ signal: stop.signal });
  setImmediate(() => stop.abort(new Error('enough')));
  await Promise.all([call, reading].map((each) => expect(each).rejects.toThrow('enough')));
});

test('the time of a person who signs in again does not count: the request is sent then', async () => {
  const sent: string[] = [];
  const signIns: ((token: string) => void)[] = [];
  const signIn = (): Promise<string> => new Promise((resolve) => signIns.push(resolve));
  const answer: typeof fetch = async (_, { headers, signal } = {}) => {
    signal?.throwIfAborted();
    const given = new Headers(headers).get('authorization') ?? '';
    return new Response('{}', { status: sent.push(given) === 1 ? 401 : 200 });
  };
  vi.useFakeTimers();
  try {
    const client = server.client({ token: signIn, fetch: answer, timeoutMs: 1_000 });
    const created = client.workflows.create({ name: 'w', workflow_schema: { nodes: [], edges: [] } });
    for (const token of ['old', 'new']) {
      await vi.advanceTimersByTimeAsync(3_600_000);
      signIns.shift()?.(token);
    }
    await created;
  } finally {
    vi.useRealTimers();
  }
  expect(sent).toEqual(['Bearer old', 'Bearer new']);
});

test('an aborted call rejects with the reason of its signal, and so does an aborted iteration', async () => {
  server.handler = (_, response) => {
    const event = JSON.stringify({ type: 'progress', seq: 1, run_id: 'r' });
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(`data: ${event}\n\n`);
  };
  const stop = new AbortController();
  const call = server.client().workflows.get('w', { signal: stop.signal });
  const reading = (async () => {
    for await (const event of server.client().runs.byRunId('r').events({ signal: stop.signal }))
      if (event.type === 'progress') stop.abort(new Error('enough'));
  })();
  await Promise.all([reading, call].map((each) => expect(each).rejects.toThrow('enough')));
});

test('a call without its path parameter throws and sends nothing', async () => {
  await expect(server.client().workflows.get('')).rejects.toThrow('/workflows/{workflow_id} needs');
  expect(server.requests).toEqual([]);
});

/** Fails `times` times, then responds. */
const failing =
  (times: number, fail: Handler): Handler =>
  (seen, response) =>
    server.requests.length <= times ? fail(seen, response) : json(response, 200, { run_id: 'r' });
const breaking: Handler = (_, response) => void response.destroy();

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
