/** A program with hundreds of runs would lose some to a rate limit, or be refused for more streams than a user may have. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { LimitedService } from './support/limited-service.ts';
import { json, startScriptedServer, type ScriptedServer } from './support/scripted-server.ts';

let server: ScriptedServer;
beforeEach(async () => {
  server = await startScriptedServer();
});
afterEach(() => server.close());

test('500 runs at once with a key that is refused meanwhile end, none is lost and none started twice', async () => {
  const service = new LimitedService(11);
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
  const limited: unknown[] = [];
  const client = server.client({
    onRateLimited: ({ error, waitMs }) => void limited.push([error.code, waitMs]),
    onRetry() {
      others.push(...['b', 'c', 'd'].map((id) => client.workflows.get(id)));
      // Sent now, they would arrive before a timer that is set for later.
      setTimeout(() => told.push('half of the wait'), 500);
    },
  });
  await client.workflows.get('a');
  await Promise.all(others);
  expect(limited).toEqual([['user_rate_limited', 1_000]]);
  expect(told.slice(0, 2)).toEqual(['/workflows/a', 'half of the wait']);
  expect(told.toSorted().slice(0, 5)).toEqual([
    '/workflows/a',
    '/workflows/a',
    '/workflows/b',
    '/workflows/c',
    '/workflows/d',
  ]);
});

test.each(['rate_limit_exceeded', 'too_many_streams'])(
  'a refusal by %s holds nothing else back',
  async (code) => {
    const limited: unknown[] = [];
    server.handler = (_, response) =>
      json(response, 429, { detail: 'later' }, { 'retry-after': '60', 'x-error-code': code });
    const client = server.client({ retries: 0, onRateLimited: (wait) => void limited.push(wait) });
    await expect(client.workflows.get('a')).rejects.toMatchObject({ code });
    expect(limited).toEqual([]);
  },
);
