/** A reader of a run would lose events, see them twice or out of order, or never see its end. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { appendEvents, closeRun } from '../../src/engine/runs/ledger/write/events.ts';
import { hello, startApi, type ApiServer, type Tenant } from '../support/api-server.ts';
import { EventStream } from '../support/event-stream.ts';
import { approval, ask } from '../support/questions.ts';

let api: ApiServer;
let tenant: Tenant;
beforeAll(async () => {
  api = await startApi();
  api.deps.feed.start();
  tenant = await api.tenant();
});
afterAll(() => api.close());

async function startRun(more: object = {}): Promise<{ runId: string; runPk: string; threadId: string }> {
  const { body } = await tenant.call('POST', '/workflows/run', { body: { workflow: hello(), ...more } });
  const [row] = await api.deps.db.query<{ id: string }>('SELECT id FROM runs WHERE run_id = $1', [
    body.run_id,
  ]);
  return { runId: body.run_id, runPk: row?.id ?? '', threadId: body.thread_id };
}

const listen = (
  runId: string,
  query = '',
  headers: Record<string, string> = {},
  who = tenant,
): Promise<EventStream> =>
  EventStream.open(`${api.url}/workflows/listen/${runId}${query}`, {
    authorization: `Bearer ${who.token}`,
    'x-organization-id': who.org,
    ...headers,
  });

const say = (runPk: string, ...payloads: object[]): Promise<number | null> =>
  appendEvents(
    api.deps.db,
    runPk,
    payloads.map((payload) => ({ type: 'progress', payload: { data: payload as never } })),
  );

const complete = (runPk: string): Promise<boolean> =>
  closeRun(api.deps.db, {
    runPk,
    from: ['running'],
    status: 'completed',
    payload: { output: { z: 1, a: 2 } },
  });

const seqs = (stream: EventStream): unknown[] => stream.frames.map((frame) => frame.seq);

describe('GET /workflows/listen/{run_id}', () => {
  test('frames come as they are committed, gapless, and the server closes after the terminal one', async () => {
    const { runId, runPk, threadId } = await startRun();
    const stream = await listen(runId);
    expect(stream.response.statusCode).toBe(200);
    expect(stream.response.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
    });
    await stream.frame('run_started');
    await say(runPk, { n: 1 }, { n: 2 });
    await stream.frame('progress');
    await complete(runPk);
    const frames = await stream.finish();
    expect(frames.map((frame) => frame.type)).toEqual([
      'run_started',
      'progress',
      'progress',
      'run_completed',
    ]);
    expect(seqs(stream)).toEqual([1, 2, 3, 4]);
    for (const frame of frames) {
      expect(frame).toMatchObject({ run_id: runId, thread_id: threadId });
      expect(Date.parse(String(frame['timestamp']))).not.toBeNaN();
    }
    expect(stream.lines.filter((line) => line.startsWith('id: '))).toEqual([
      'id: 1',
      'id: 2',
      'id: 3',
      'id: 4',
    ]);
    expect(stream.lines.some((line) => line.startsWith('event'))).toBe(false);
    expect(stream.lines.find((line) => line.includes('run_completed'))).toContain('"output":{"z":1,"a":2}');
  });

  test('data cannot forge a frame', async () => {
    const { runId, runPk } = await startRun();
    await say(runPk, { evil: 'x\n\ndata: {"type":"run_failed"}\n\nevent: x\r\rid: 9\u2028' });
    await complete(runPk);
    const stream = await listen(runId);
    const frames = await stream.finish();
    expect(frames.map((frame) => frame.type)).toEqual(['run_started', 'progress', 'run_completed']);
    expect(stream.lines.filter((line) => line.startsWith('id: '))).toHaveLength(3);
  });

  test('replay continues after after_seq or Last-Event-ID, and tells the end', async () => {
    const { runId, runPk } = await startRun();
    await say(runPk, {}, {}, {});
    await complete(runPk);
    const from = async (query: string, headers: Record<string, string> = {}): Promise<unknown[]> => {
      const stream = await listen(runId, query, headers);
      await stream.finish();
      return seqs(stream);
    };
    expect(await from('')).toEqual([1, 2, 3, 4, 5]);
    expect(await from('?after_seq=3')).toEqual([4, 5]);
    expect(await from('', { 'last-event-id': '4' })).toEqual([5]);
    expect(await from('?after_seq=1', { 'last-event-id': '4' })).toEqual([2, 3, 4, 5]);
    expect(await from('?after_seq=5')).toEqual([5]);
    expect(await from('?after_seq=999')).toEqual([5]);
    expect(await from('', { 'last-event-id': 'abc' })).toEqual([1, 2, 3, 4, 5]);
    expect(await from('', { 'last-event-id': '-4' })).toEqual([1, 2, 3, 4, 5]);
  });

  test.each([
    ['', { 'last-event-id': '3' }],
    ['', { 'last-event-id': '999' }],
    ['?after_seq=1', { 'last-event-id': '3' }],
  ])(
    'an EventSource that has seen the end is not told it again: 204, after which no EventSource returns (%s %j)',
    async (query, headers) => {
      const { runId, runPk } = await startRun();
      await say(runPk, {});
      // A run that goes on has more to tell, whatever was seen.
      const early = await listen(runId, '?after_seq=2');
      expect(early.response.statusCode).toBe(200);
      early.drop();
      await complete(runPk);
      const stream = await listen(runId, query, headers);
      await stream.finish();
      expect([stream.response.statusCode, stream.lines]).toEqual([204, []]);
    },
  );

  test('more events than a page arrive whole', async () => {
    const { runId, runPk } = await startRun();
    await say(runPk, ...Array.from({ length: 1_200 }, (_, n) => ({ n })));
    await complete(runPk);
    const stream = await listen(runId);
    await stream.finish();
    expect(seqs(stream)).toEqual(Array.from({ length: 1_202 }, (_, n) => n + 1));
  });

  test('several listeners see the same, also while events are written', async () => {
    const { runId, runPk } = await startRun();
    const streams = await Promise.all([listen(runId), listen(runId), listen(runId)]);
    for (let n = 0; n < 30; n += 1) await say(runPk, { n });
    await complete(runPk);
    for (const stream of streams) {
      await stream.finish();
      expect(seqs(stream)).toEqual(Array.from({ length: 32 }, (_, n) => n + 1));
    }
  });

  test('a listener that leaves changes nothing', async () => {
    const { runId, runPk } = await startRun();
    const stream = await listen(runId);
    await stream.frame('run_started');
    stream.drop();
    await say(runPk, {});
    await complete(runPk);
    const again = await listen(runId);
    expect((await again.finish()).at(-1)?.type).toBe('run_completed');
  });

  test('an interrupted run ends its stream with the question', async () => {
    const { runId } = await startRun();
    const stream = await listen(runId);
    await stream.frame('run_started');
    const [interruptId] = await ask(api.deps.db, runId, approval);
    expect((await stream.finish()).at(-1)).toMatchObject({
      type: 'run_interrupted',
      status: 'interrupted',
      interrupts: [{ interrupt_id: interruptId }],
    });
  });

  test('a run whose events were deleted is streamed as a snapshot and its end', async () => {
    const { runId, runPk } = await startRun();
    await closeRun(api.deps.db, {
      runPk,
      from: ['running'],
      status: 'completed',
      payload: {},
      output: { a: 1 },
    });
    await api.deps.db.query('DELETE FROM run_events WHERE run_pk = $1', [runPk]);
    const frames = await (await listen(runId)).finish();
    expect(frames).toMatchObject([
      { type: 'snapshot', status: 'completed', run_id: runId },
      { type: 'run_completed', status: 'completed', output: { a: 1 }, output_truncated: false },
    ]);
  });

  test('an ephemeral run has no thread in its frames', async () => {
    const { runId, runPk } = await startRun({ ephemeral: true });
    await complete(runPk);
    const frames = await (await listen(runId)).finish();
    expect(new Set(frames.map((frame) => frame['thread_id']))).toEqual(new Set([null]));
  });

  test('unknown, foreign and malformed ids are answered before a stream opens', async () => {
    const { runId } = await startRun();
    const stranger = await api.tenant();
    for (const [asked, who, status] of [
      [randomUUID(), tenant, 404],
      [runId, stranger, 404],
      ['nonsense', tenant, 400],
    ] as const) {
      const stream = await listen(asked, '', {}, who);
      expect(stream.response.statusCode).toBe(status);
      expect(stream.response.headers['content-type']).toContain('application/json');
      stream.drop();
    }
  });

  test('more than 20 streams of one user are refused, and places come back', async () => {
    const own = await api.tenant();
    const { body } = await own.call('POST', '/workflows/run', { body: { workflow: hello() } });
    const open = await Promise.all(Array.from({ length: 20 }, () => listen(body.run_id, '', {}, own)));
    const refused = await listen(body.run_id, '', {}, own);
    const { statusCode, headers } = refused.response;
    expect([statusCode, headers['retry-after'], headers['x-ratelimit-limit']]).toEqual([429, '10', '20']);
    expect(headers['x-ratelimit-remaining']).toBe('0');
    refused.drop();
    await own.call('POST', `/workflows/cancel/${body.run_id}`);
    for (const stream of open) await stream.finish();
    const again = await listen(body.run_id, '', {}, own);
    expect(again.response.statusCode).toBe(200);
    await again.finish();
  });

  test('positions that nodes heartbeat to Temporal are relayed', async () => {
    const { runId, runPk } = await startRun();
    await api.deps.db.query(`UPDATE runs SET created_at = now() - interval '5 seconds' WHERE id = $1`, [
      runPk,
    ]);
    const position = { node_id: 'hello', attempt: 1, seq: 1, tokens: 12 };
    const describeRun = vi.spyOn(api.deps.engine, 'describe').mockImplementation(async (run) => ({
      status: 'RUNNING',
      heartbeats: run.rootRunPk === runPk ? [position] : [],
      workflowTaskAttempt: 0,
    }));
    const stream = await listen(runId);
    expect(await stream.frame('heartbeat')).toMatchObject({ run_id: runId, nodes: [position] });
    describeRun.mockRestore();
    await complete(runPk);
    await stream.finish();
    expect(stream.lines.filter((line) => line.startsWith('id: '))).toHaveLength(2);
  });

  test('a feed that stops ends its streams with a word', async () => {
    const other = await startApi();
    other.deps.feed.start();
    const own = await other.tenant();
    const { body } = await own.call('POST', '/workflows/run', { body: { workflow: hello() } });
    const stream = await EventStream.open(`${other.url}/workflows/listen/${body.run_id}`, {
      authorization: `Bearer ${own.token}`,
      'x-organization-id': own.org,
    });
    await stream.frame('run_started');
    await other.deps.feed.stop();
    await stream.ended;
    expect(stream.lines).toContain(': reconnect');
    await other.close();
  });
});
