/** A program that follows a run would lose or repeat events when its connection breaks. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WorkflowApiError, type RunEvent } from '../../src/client/client.ts';
import { json, startScriptedServer, type ScriptedServer } from './support/scripted-server.ts';

let server: ScriptedServer;
beforeAll(async () => {
  server = await startScriptedServer();
});
afterAll(() => server.close());

const frame = (seq: number, type = 'progress', more: object = {}): string =>
  `id: ${seq}\ndata: ${JSON.stringify({ type, seq, run_id: 'r', ...more })}\n\n`;
const HEARTBEAT = `data: ${JSON.stringify({ type: 'heartbeat', run_id: 'r', nodes: [] })}\n\n`;
const STREAM = { 'content-type': 'text/event-stream' };
const parseAfterSeq = (url: string): number => Number(/after_seq=(\d+)/.exec(url)?.[1]);

const seqs = (events: readonly RunEvent[]): (number | null)[] =>
  events.map((event) => ('seq' in event ? event.seq : null));

async function all(events: AsyncIterable<RunEvent>): Promise<RunEvent[]> {
  const read: RunEvent[] = [];
  for await (const event of events) read.push(event);
  return read;
}

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
      json(response, status, { detail: 'not now' }, { 'retry-after': '0' });
      return;
    }
    response.writeHead(200, STREAM);
    // The server repeats an event and cuts a frame.
    const begin = Math.max(1, after);
    response.write(frame(begin) + frame(begin + 1) + HEARTBEAT);
    if (after >= 8) response.end(frame(begin + 2, 'run_completed', { status: 'completed', output: 1 }));
    else
      response.write(frame(begin + 2).slice(0, 20), () => setImmediate(() => ends.at(after % 2)?.(response)));
  };
  const run = server.client().runs.byRunId('r');
  const failures: number[] = [];
  const onReconnect = ({ status }: { readonly status: number }): void => void failures.push(status);
  const events = await all(run.events({ onReconnect }));
  // Status 0 is a broken connection; a closed stream is no failure.
  expect(new Set(failures)).toEqual(new Set([0, 429, 503]));
  const numbered = seqs(events).filter((seq) => seq !== null);
  expect(numbered).toEqual(Array.from({ length: numbered.length }, (_, at) => at + 1));
  expect(events.at(-1)?.type).toBe('run_completed');
  expect(events.some((event) => event.type === 'heartbeat')).toBe(true);
  // The result is known from the events, so there is no further request.
  const sent = server.requests.length;
  expect((await run.result()).status).toBe('completed');
  expect(server.requests).toHaveLength(sent);
});

test('the iteration ends and the result is known when afterSeq is already the last event', async () => {
  server.handler = (_, response) => {
    response.writeHead(200, STREAM).end(frame(9, 'run_failed', { status: 'failed', error: null }));
  };
  const run = server.client().runs.byRunId('r');
  expect(await all(run.events({ afterSeq: 9 }))).toEqual([]);
  expect((await run.result()).status).toBe('failed');
});

test('following a run that does not exist, or no longer exists, throws without a retry', async () => {
  server.handler = (_, response) => json(response, 404, { detail: 'Workflow run not found' });
  const run = server.client().runs.byRunId('r');
  await expect(run.result()).rejects.toMatchObject({ status: 404 });
  server.handler = (_, response) => {
    const error = { type: 'stream_error', code: 'run_removed', message: 'gone' };
    response.writeHead(200, STREAM).end(`data: ${JSON.stringify(error)}\n\n`);
  };
  await expect(run.result()).rejects.toMatchObject({ status: 410, code: 'run_removed' });
  await expect(run.result()).rejects.toBeInstanceOf(WorkflowApiError);
});

test('a caller that stops following closes the connection', async () => {
  let closed = (): void => {};
  const gone = new Promise<void>((resolve) => (closed = resolve));
  server.handler = (_, response) => {
    response.writeHead(200, STREAM).write(frame(1));
    response.on('close', closed);
  };
  const run = server.client().runs.byRunId('r');
  for await (const event of run.events()) if (event.type === 'progress') break;
  await gone;
  const stop = new AbortController();
  const reading = (async () => {
    for await (const event of run.events({ signal: stop.signal }))
      if (event.type === 'progress') stop.abort(new Error('enough'));
  })();
  await expect(reading).rejects.toThrow('enough');
});

test('a large output is fetched from the history by run_id', async () => {
  server.handler = ({ url }, response) => {
    if (url.startsWith('/workflows/listen'))
      response
        .writeHead(200, STREAM)
        .end(frame(1, 'run_completed', { status: 'completed', output: null, output_truncated: true }));
    else if (url === '/workflow-runs?run_id=r') json(response, 200, { runs: [{ id: 'pk' }] });
    else json(response, url === '/workflow-runs/pk' ? 200 : 404, { output: 'all of it' });
  };
  const run = server.client().runs.byRunId('r');
  expect(await run.result()).toMatchObject({ output: 'all of it', output_truncated: false });
  expect(run.runPk).toBe('pk');
});
