/** The stream, the record and the list would disagree about how a run ended that waited first. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WorkflowClient } from '../../src/surfaces/client/client.ts';
import { closeRun } from '../../src/engine/runs/ledger/write/events.ts';
import { openSegment } from '../../src/engine/runs/ledger/questions/interrupts.ts';
import { hello, startApi, type ApiServer, type Tenant } from '../support/api-server.ts';
import { EventStream } from '../support/event-stream.ts';
import { approval, ask, interrupt } from '../support/questions.ts';

let api: ApiServer;
let tenant: Tenant;
let client: WorkflowClient;
beforeAll(async () => {
  api = await startApi();
  api.deps.feed.start();
  tenant = await api.tenant();
  client = new WorkflowClient({ baseUrl: api.url, token: tenant.token, organizationId: tenant.org });
});
afterAll(() => api.close());

interface WaitingRun {
  readonly runId: string;
  readonly runPk: string;
  readonly interruptId: string;
}

async function waitingRun(more: object = {}): Promise<WaitingRun> {
  const { body } = await tenant.call('POST', '/workflows/run', { body: { workflow: hello(), ...more } });
  const runId: string = body.run_id;
  const [interruptId = ''] = await ask(api.deps.db, runId, approval);
  const [row] = await api.deps.db.query<{ id: string }>('SELECT id FROM runs WHERE run_id = $1', [runId]);
  return { runId, runPk: row?.id ?? '', interruptId };
}

async function heard(runId: string, query = '', headers: Record<string, string> = {}): Promise<EventStream> {
  const stream = await EventStream.open(`${api.url}/workflows/listen/${runId}${query}`, {
    authorization: `Bearer ${tenant.token}`,
    'x-organization-id': tenant.org,
    ...headers,
  });
  await stream.finish();
  return stream;
}
const told = (stream: EventStream): unknown[] => stream.frames.map(({ seq, type }) => [seq, type]);

const cancel = (runId: string, reason = 'No longer wanted') =>
  tenant.call('POST', `/workflows/cancel/${runId}`, { body: { reason } });

const answer = async ({ runId, interruptId }: WaitingRun): Promise<string> => {
  const body = { interrupt_id: interruptId, action: 'approve' };
  return (await tenant.call('POST', `/workflows/resume/${runId}`, { body })).body.run_id;
};

/** The status of a run as its row, the list and its stream tell it. */
async function statuses({ runId, runPk }: WaitingRun): Promise<unknown[]> {
  const record = await tenant.call('GET', `/workflow-runs/${runPk}`);
  const list = await tenant.call('GET', `/workflow-runs?run_id=${runId}`);
  const { frames } = await heard(runId);
  return [record.body.status, list.body.runs[0].status, frames.at(-1)?.['status']];
}

describe('RUN-3.5: the stream of a run that waited', () => {
  const ENDS: Readonly<Record<string, (run: WaitingRun) => Promise<unknown>>> = {
    'is cancelled': ({ runId }) => cancel(runId),
    fails: ({ runPk }) => {
      const error = { code: 'node_failed', message: 'broken', node_id: null };
      const closing = {
        from: ['running', 'interrupted'],
        status: 'failed',
        payload: { error },
        error,
      } as const;
      return closeRun(api.deps.db, { ...closing, runPk });
    },
  };

  test.each([
    ['is cancelled', 'cancelled', { reason: 'No longer wanted' }],
    ['fails', 'failed', { error: { code: 'node_failed' } }],
  ])(
    'goes on to its end when it %s: for late readers, and for those who come back',
    async (how, status, more) => {
      const run = await waitingRun();
      expect(told(await heard(run.runId))).toEqual([
        [1, 'run_started'],
        [2, 'run_interrupted'],
      ]);
      expect(await statuses(run)).toEqual(['interrupted', 'interrupted', 'interrupted']);
      await ENDS[how]?.(run);

      const end = [3, `run_${status}`];
      const whole = await heard(run.runId);
      expect(told(whole)).toEqual([[1, 'run_started'], [2, 'paused'], end]);
      expect(whole.frames[1]).toMatchObject({
        status: 'interrupted',
        interrupts: [{ interrupt_id: run.interruptId }],
      });
      expect(whole.frames[2]).toMatchObject({ status, ...more });
      expect(whole.frames[2]?.['duration_ms']).toBeGreaterThanOrEqual(0);
      // Readers that have seen it waiting: a program, and an EventSource.
      expect(told(await heard(run.runId, '?after_seq=2'))).toEqual([end]);
      expect(told(await heard(run.runId, '', { 'last-event-id': '2' }))).toEqual([end]);
      expect(told(await heard(run.runId, '?after_seq=3'))).toEqual([end]);
      expect((await heard(run.runId, '', { 'last-event-id': '3' })).response.statusCode).toBe(204);
      expect(await statuses(run)).toEqual([status, status, status]);
    },
  );

  test('has one end, however many cancel at once', async () => {
    const run = await waitingRun();
    const answers = await Promise.all(Array.from({ length: 20 }, () => cancel(run.runId)));
    expect(answers.filter(({ body }) => body.already_terminal === false)).toHaveLength(1);
    expect(told(await heard(run.runId))).toEqual([
      [1, 'run_started'],
      [2, 'paused'],
      [3, 'run_cancelled'],
    ]);
  });

  test('says that a newer run on the thread has taken its place', async () => {
    const run = await waitingRun({ config: { thread_id: 'superseded' } });
    await tenant.call('POST', '/workflows/run', {
      body: { workflow: hello(), config: { thread_id: 'superseded' } },
    });
    const { frames } = await heard(run.runId, '?after_seq=2');
    expect(frames).toMatchObject([
      { type: 'run_cancelled', reason: 'Superseded by a newer run on the thread' },
    ]);
    expect(await statuses(run)).toEqual(['cancelled', 'cancelled', 'cancelled']);
  });

  test('is read from the row where its events were deleted', async () => {
    const run = await waitingRun();
    await api.deps.db.query('DELETE FROM run_events WHERE run_pk = $1', [run.runPk]);
    await cancel(run.runId);
    const { frames } = await heard(run.runId);
    expect(frames).toMatchObject([
      { type: 'snapshot', status: 'cancelled', last_seq: 3 },
      { type: 'run_cancelled', seq: 3, reason: 'No longer wanted' },
    ]);
  });

  test('names the part that goes on from an answer, to whoever looks for its end again', async () => {
    const run = await waitingRun();
    const before = await heard(run.runId);
    expect(before.frames.at(-1)).not.toHaveProperty('resumed_by_run_id');
    const next = await answer(run);
    const end = { type: 'run_interrupted', seq: 2, status: 'interrupted', resumed_by_run_id: next };
    for (const query of ['', '?after_seq=1', '?after_seq=2'])
      expect((await heard(run.runId, query)).frames.at(-1)).toMatchObject(end);
    const { body } = await tenant.call('GET', `/workflow-runs/${run.runPk}`);
    expect(body).toMatchObject({ status: 'interrupted', resumed_by_run_ids: [next] });
    // The part that was answered has ended; what is cancelled is the one that goes on.
    await cancel(run.runId);
    expect((await heard(run.runId)).frames.at(-1)).toMatchObject(end);
    await cancel(next);
    expect((await heard(next)).frames.at(-1)).toMatchObject({ type: 'run_cancelled', seq: 2 });
    await api.deps.db.query('DELETE FROM run_events WHERE run_pk = $1', [run.runPk]);
    expect((await heard(run.runId)).frames.at(-1)).toMatchObject(end);
  });

  test('names the part that goes on from a question that expired', async () => {
    const run = await waitingRun();
    const opened = await api.deps.db.transaction((tx) => openSegment(tx, run.runPk, null));
    expect((await heard(run.runId)).frames.at(-1)).toMatchObject({ resumed_by_run_id: opened.runId });
  });
});

describe('RUN-3.5: the client', () => {
  test('receives the end of a run that it has seen waiting', async () => {
    const run = await waitingRun();
    const handle = client.runs.byRunId(run.runId);
    expect(await handle.result()).toMatchObject({ status: 'interrupted' });
    expect(await handle.result()).toMatchObject({ status: 'interrupted' });
    expect(await handle.continuation()).toBeNull();
    await cancel(run.runId);
    expect(await handle.result()).toMatchObject({ status: 'cancelled', seq: 3 });
    expect(await handle.continuation()).toBeNull();
    const events = [];
    for await (const event of handle.events({ afterSeq: 2 })) events.push(event.type);
    expect(events).toEqual(['run_cancelled']);
  });

  test('finds the run that goes on from one that it has seen waiting, over each of its parts', async () => {
    const run = await waitingRun();
    const first = client.runs.byRunId(run.runId);
    expect((await first.result()).status).toBe('interrupted');
    expect((await first.ownEnd()).status).toBe('interrupted');
    const next = await answer(run);
    const [row] = await api.deps.db.query<{ id: string }>('SELECT id FROM runs WHERE run_id = $1', [next]);
    await interrupt(api.deps.db, row?.id ?? '', []);
    const second = await first.continuation();
    expect(second?.runId).toBe(next);
    expect((await second?.result())?.status).toBe('interrupted');
    expect(await second?.continuation()).toBeNull();
    await cancel(next);
    // The first run leads to the true end.
    expect((await first.result()).status).toBe('cancelled');
    expect((await first.ownEnd()).status).toBe('interrupted');
  });
});
