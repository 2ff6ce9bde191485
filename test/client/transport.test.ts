/** A program would get wrong errors, duplicate objects or endless waits from calls that fail. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { WorkflowApiError, WorkflowClient } from '../../src/client/client.ts';
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

test('a wrong URL is told at once, in words', () => {
  for (const baseUrl of [undefined, '', 'workflows.example.com', 'ftp://workflows.example.com'])
    expect(() => new WorkflowClient({ baseUrl: baseUrl as string, token: 'k' })).toThrow(/^baseUrl /);
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
const refusing =
  (status: number, headers: Record<string, string> = {}): Handler =>
  (_, response) =>
    json(response, status, { detail: 'no' }, headers);
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
