/** A program with hundreds of runs would lose some to a rate limit, or be refused for more streams than a user may have. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type RunEvent } from '../../src/client/client.ts';
import { json, startScriptedServer, type ScriptedServer } from './support/scripted-server.ts';

const STREAM = { 'content-type': 'text/event-stream' };
/** The service's own (src/runs/stream/stream-semaphore.ts). */
const MAX_PER_USER = 20;
/** After so many requests the service refuses all for a second, as after those of a minute. */
const PER_WINDOW = 200;
const CLOSED_MS = 1_000;

let server: ScriptedServer;
beforeEach(async () => {
  server = await startScriptedServer();
});
afterEach(() => server.close());

const frame = (seq: number, type: string, more: object = {}): string =>
  `id: ${seq}\ndata: ${JSON.stringify({ type, seq, run_id: 'r', ...more })}\n\n`;
const END = { status: 'completed', output: null };

/** A service with the limits of a key and of a user. */
class LimitedService {
  readonly started = new Map<string, string>();
  readonly refused: string[] = [];
  mostStreams = 0;
  #streams = 0;
  #taken = 0;
  #closedUntilMs = 0;

  readonly handle: ScriptedServer['handler'] = ({ url, headers }, response) => {
    if (this.#taken >= PER_WINDOW) [this.#taken, this.#closedUntilMs] = [0, performance.now() + CLOSED_MS];
    const refuse = (code: string): void => {
      this.refused.push(code);
      json(response, 429, { detail: code }, { 'retry-after': '1', 'x-error-code': code });
    };
    if (performance.now() < this.#closedUntilMs) return refuse('api_key_rate_limited');
    this.#taken += 1;
    if (url === '/workflows/run') {
      const key = String(headers['idempotency-key']);
      if (!this.started.has(key)) this.started.set(key, `run-${this.started.size}`);
      return json(response, 200, { run_id: this.started.get(key) });
    }
    if (this.#streams >= MAX_PER_USER) return refuse('too_many_streams');
    this.#streams += 1;
    this.mostStreams = Math.max(this.mostStreams, this.#streams);
    response.once('close', () => (this.#streams -= 1));
    response.writeHead(200, STREAM).write(frame(1, 'run_started'));
    setImmediate(() => response.end(frame(2, 'progress') + frame(3, 'run_completed', END)));
  };
}

test('500 runs at once with a key that is refused meanwhile end, none is lost and none started twice', async () => {
  const service = new LimitedService();
  server.handler = service.handle;
  const { runs } = server.client();
  const started = await Promise.all(Array.from({ length: 500 }, () => runs.start({ workflow_id: 'w' })));
  const seqs = new Map<string, number[]>();
  for await (const { run, event } of runs.follow(started))
    if ('seq' in event) seqs.set(run.runId, [...(seqs.get(run.runId) ?? []), event.seq]);
  expect(service.started.size).toBe(500);
  expect(new Set(started.map(({ runId }) => runId))).toEqual(new Set(service.started.values()));
  expect(seqs.size).toBe(500);
  for (const read of seqs.values()) expect(read).toEqual([1, 2, 3]);
  expect(new Set(service.refused)).toEqual(new Set(['api_key_rate_limited']));
  expect(service.mostStreams).toBeGreaterThan(10);
});

test('after a refusal by rate no other request of the client is sent until the refused one may be', async () => {
  const told: string[] = [];
  server.handler = ({ url }, response) => {
    told.push(url);
    if (told.length > 1) return json(response, 200, { id: 'w' });
    json(response, 429, { detail: 'later' }, { 'retry-after': '1', 'x-error-code': 'user_rate_limited' });
  };
  const others: Promise<unknown>[] = [];
  const client = server.client({
    onRetry() {
      others.push(...['b', 'c', 'd'].map((id) => client.workflows.get(id)));
      // Sent now, they would arrive before a timer that is set for later.
      setTimeout(() => told.push('half of the wait'), 500);
    },
  });
  await client.workflows.get('a');
  await Promise.all(others);
  expect(told.slice(0, 2)).toEqual(['/workflows/a', 'half of the wait']);
  expect(told.toSorted().slice(0, 5)).toEqual([
    '/workflows/a',
    '/workflows/a',
    '/workflows/b',
    '/workflows/c',
    '/workflows/d',
  ]);
});

test('leaving the loop closes every stream, and a run that does not exist ends it', async () => {
  let open = 0;
  server.handler = ({ url }, response) => {
    if (url.includes('missing')) return json(response, 404, { detail: 'Workflow run not found' });
    open += 1;
    response.once('close', () => (open -= 1));
    response.writeHead(200, STREAM).write(frame(1, 'run_started'));
  };
  const { runs } = server.client();
  const read: RunEvent[] = [];
  for await (const { event } of runs.follow(['a', 'b', runs.byRunId('c')])) {
    read.push(event);
    if (read.length === 3) break;
  }
  await expect.poll(() => open).toBe(0);
  const failing = (async () => {
    for await (const { event } of runs.follow(['a', 'missing'])) read.push(event);
  })();
  await expect(failing).rejects.toMatchObject({ status: 404 });
  await expect.poll(() => open).toBe(0);
});
