/**
 * A crash of a worker would lose a run, or repeat a call that must not be repeated (SPEC REL-R08 to REL-R12,
 * REL-R15).
 */
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { PatientClient, type Reading } from './support/client.ts';
import { CALLS, given, mixed } from './support/shapes.ts';
import { expectPromisesKept, misread, misreadLate } from './support/promises.ts';
import { startSituation, type Situation } from './support/situation.ts';
import type { JsonObject } from '../../src/language/graph/values/value.ts';
import { chain, http, node } from '../support/definitions.ts';
import { eventually } from '../support/waiting.ts';

let situation: Situation;
let client: PatientClient;
const accepted: string[] = [];
beforeAll(async () => {
  situation = await startSituation();
  client = new PatientClient(situation.service);
});
afterAll(() => situation.close());
afterEach(() => expectPromisesKept(situation, accepted));

/** Runs of a rehearsal: enough to kill its workers in the middle. */
const REHEARSED = 8;

interface Held {
  readonly key: string;
  readonly runId: string;
  readonly reading: Promise<Reading>;
}

/** Starts a run and waits until it is held up in `node`, and its record says so; whoever reads it has been there from the beginning. */
async function hold(node: string): Promise<Held> {
  const key = randomUUID();
  const hindrance = node in CALLS ? { holds: { [node]: 1 } } : { delays: { [node]: 4_000 } };
  const runId = await client.run(mixed(situation.recorder), given(key, hindrance));
  accepted.push(runId);
  const reading = client.read(runId);
  if (node in CALLS) await situation.recorder.waitFor(`${key}.${node}`, 1);
  await eventually(`${node} to start`, 30_000, async () => {
    const rows = await situation.db.query(
      `SELECT 1 FROM run_steps s JOIN runs r ON r.id = s.run_pk WHERE r.run_id = $1 AND s.node_id = $2`,
      [runId, node],
    );
    return rows[0];
  });
  return { key, runId, reading };
}

/** One run in each effect class; all of them in hands of the workers that are up. */
async function holdAll(): Promise<Record<'once' | 'idempotent' | 'read' | 'code', Held>> {
  const [once, idempotent, read, code] = await Promise.all([
    hold('post2'),
    hold('put2'),
    hold('get2'),
    hold('fn2'),
  ]);
  return { once, idempotent, read, code };
}

const callsOf = ({ key }: Held, node: string) => situation.recorder.calls(`${key}.${node}`);

/** What must have become of them when their worker is gone, whoever takes over. */
async function expectRecovered(held: Awaited<ReturnType<typeof holdAll>>): Promise<void> {
  const once = await held.once.reading;
  expect(once.end).toMatchObject({
    type: 'run_failed',
    error: { code: 'outcome_unknown', node_id: 'post2' },
  });
  expect(callsOf(held.once, 'post2')).toHaveLength(1);
  expect(callsOf(held.once, 'get2')).toHaveLength(0);

  const idempotent = await held.idempotent.reading;
  expect(idempotent.end.type).toBe('run_completed');
  expect(callsOf(held.idempotent, 'put2')).toHaveLength(2);
  const retry = idempotent.frames.find((frame) => frame.type === 'node_retry');
  expect(retry).toMatchObject({ node_id: 'put2', possibly_repeated: true });

  const read = await held.read.reading;
  expect(read.end.type).toBe('run_completed');
  expect(callsOf(held.read, 'get2')).toHaveLength(2);
  // It had its end, which the lost workflow task had not told Temporal yet.
  expect(callsOf(held.read, 'get1')).toHaveLength(1);
  expect(read.frames.find((frame) => frame.type === 'node_retry')).toMatchObject({
    possibly_repeated: false,
  });

  const ledger = (run: Held, node: string): Promise<unknown> =>
    situation.db.query(
      `SELECT e.attempt, e.outcome FROM run_effects e JOIN runs r ON r.id = e.run_pk
       WHERE r.run_id = $1 AND e.node_id = $2 ORDER BY e.attempt`,
      [run.runId, node],
    );
  expect(await ledger(held.once, 'post2')).toEqual([{ attempt: 1, outcome: 'unknown' }]);
  expect(await ledger(held.idempotent, 'put2')).toEqual([
    { attempt: 1, outcome: 'settled' },
    { attempt: 2, outcome: 'done' },
  ]);
  expect(await ledger(held.read, 'get2')).toEqual([]);

  const code = await held.code.reading;
  expect(code.end.type).toBe('run_completed');

  for (const { runId, reading } of Object.values(held)) {
    expect(await misread(situation.db, runId, await reading)).toEqual([]);
  }
  expect(
    await misreadLate(
      situation.db,
      client,
      Object.values(held).map(({ runId }) => runId),
    ),
  ).toEqual([]);
}

test('one of two workers is killed: the other takes over', async () => {
  const [first, second] = situation.service.workers;
  await second.kill();
  const held = await holdAll();
  await second.start();
  await first.kill();
  await expectRecovered(held);
});

test('the only worker is killed: the runs wait for it, new ones are accepted, and all end when it is back', async () => {
  const [first, second] = situation.service.workers;
  await second.kill();
  const held = await holdAll();
  await first.kill();
  const key = randomUUID();
  const late = await client.run(mixed(situation.recorder), given(key));
  accepted.push(late);
  await first.start();
  await expectRecovered(held);
  expect((await client.read(late)).end.type).toBe('run_completed');
});

test('a worker is killed within the advance that makes the calls: the record of each attempt decides', async () => {
  const [first, second] = situation.service.workers;
  await second.kill();
  // Killed as soon as the calls are out: they are not activities yet.
  const [once, idempotent] = await Promise.all([hold('post1'), hold('put1')]);
  await first.kill();
  await second.start();
  expect((await once.reading).end).toMatchObject({
    type: 'run_failed',
    error: { code: 'outcome_unknown', node_id: 'post1' },
  });
  expect(callsOf(once, 'post1')).toHaveLength(1);
  const { end, frames } = await idempotent.reading;
  expect(end.type).toBe('run_completed');
  expect(callsOf(idempotent, 'put1')).toHaveLength(2);
  expect(frames.find((frame) => frame.type === 'node_retry')).toMatchObject({
    node_id: 'put1',
    possibly_repeated: true,
  });
  for (const { runId, reading } of [once, idempotent])
    expect(await misread(situation.db, runId, await reading)).toEqual([]);
});

test('a worker is killed while a failed run is run again: what is reused is not called, the rest goes on', async () => {
  const [first, second] = situation.service.workers;
  await second.kill();
  const failed = await hold('post2');
  await first.kill();
  await first.start();
  expect((await failed.reading).end).toMatchObject({ type: 'run_failed', error: { node_id: 'post2' } });
  const { body: listed } = await client.send('GET', `/workflow-runs?run_id=${failed.runId}`);
  const [{ id }] = listed.runs as [{ id: string }];
  // What runs again reads another key, so that its calls can be told from those of the first time.
  const key = randomUUID();
  const again = await client.send('POST', `/workflow-runs/${id}/rerun`, {
    body: { from_node_id: 'post2', input: given(key, { holds: { put2: 1 } }) },
  });
  const runId = String(again.body.run_id);
  accepted.push(runId);
  const reading = client.read(runId);
  await situation.recorder.waitFor(`${key}.put2`, 1);
  await first.kill();
  await second.start();
  const read = await reading;
  expect(read.end.type).toBe('run_completed');
  const reused = read.frames.filter((frame) => frame.type === 'node_reused').map((frame) => frame['node_id']);
  expect(reused).toEqual(['first', 'get1', 'post1', 'fn1', 'put1', 'choice', 'shape']);
  const counted = (of: string) =>
    Object.keys(CALLS).map((node) => situation.recorder.calls(`${of}.${node}`).length);
  expect(counted(failed.key)).toEqual([1, 1, 1, 1, 0, 0, 0, 0, 0, 0]);
  expect(counted(key)).toEqual([0, 0, 0, 1, 1, 2, 1, 1, 1, 1]);
});

test('workers are killed while they rehearse: the rehearsal goes on where it was, and tells of each run once', async () => {
  const { db, recorder, service } = situation;
  // Of another code the function runs again, and takes long enough to be killed within.
  const spin = (ms: number): JsonObject =>
    chain(
      node('spin', 'function', {
        code: `export default () => { const until = Date.now() + ${ms}; while (Date.now() < until); return 1; };`,
      }),
      http('mail', `${recorder.origin}/{{input.key}}.mail`, { body: { n: '{{spin}}' } }),
    );
  const made = await client.send('POST', '/workflows', { body: { name: 'Slow', workflow_schema: spin(0) } });
  const workflowId = String(made.body.id);
  await client.send('POST', `/workflows/${workflowId}/deploy`);
  const runIds = await Promise.all(
    Array.from({ length: REHEARSED }, async () => {
      const headers = { 'Idempotency-Key': randomUUID() };
      const body = { workflow_id: workflowId, input: { key: randomUUID() } };
      return String((await client.send('POST', '/workflows/run', { body, headers })).body.run_id);
    }),
  );
  for (const runId of runIds) expect((await client.read(runId)).end.type).toBe('run_completed');
  accepted.push(...runIds);
  const sent = recorder.calls().length;
  await client.send('PUT', `/workflows/${workflowId}`, { body: { workflow_schema: spin(400) } });

  const { body } = await client.send('POST', `/workflows/${workflowId}/rehearsals`, { body: {} });
  const read = async () => (await client.send('GET', `/rehearsals/${body.id}`)).body;
  await eventually('some runs to be walked', 60_000, async () => (await read()).walked >= 2 || null);
  // Nobody knows which of them walks it.
  await Promise.all(service.workers.map((worker) => worker.kill()));
  expect((await read()).status).toBe('running');
  await Promise.all(service.workers.map((worker) => worker.start()));
  await eventually(
    'all runs to be walked',
    120_000,
    async () => (await read()).status === 'completed' || null,
  );
  expect(await read()).toMatchObject({ total: REHEARSED, walked: REHEARSED, counts: { same: REHEARSED } });
  const places = await db.query<{ place: number }>(
    'SELECT place FROM rehearsed_runs WHERE rehearsal_id = $1 ORDER BY place',
    [body.id],
  );
  expect(places.map(({ place }) => place)).toEqual(Array.from({ length: REHEARSED }, (_, place) => place));
  expect(recorder.calls()).toHaveLength(sent);
});

/**
 * Temporal gives new attempts to the open polls of a frozen worker, one after the other, until these have run out: that
 * takes a minute, so this belongs to the long campaign.
 */
const isLong = process.env['FAULT_ROUNDS'] !== undefined;

test.runIf(isLong)(
  'a worker that was frozen and comes back does nothing twice and overwrites nothing',
  async () => {
    const { db, recorder, service } = situation;
    const [first, second] = service.workers;
    await second.kill();
    const [once, idempotent] = await Promise.all([hold('post4'), hold('put2')]);
    await second.start();
    first.signal('SIGSTOP');
    // It is given up where it stands; then its calls are answered, and it makes of the answers what it can.
    await recorder.waitFor(`${idempotent.key}.put2`, 2);
    await eventually('the call to be given up', 60_000, async () => {
      const rows = await db.query(
        `SELECT 1 FROM run_steps s JOIN runs r ON r.id = s.run_pk
       WHERE r.run_id = $1 AND s.node_id = 'post4' AND s.status = 'failed'`,
        [once.runId],
      );
      return rows[0];
    });
    recorder.release();
    first.signal('SIGCONT');
    await eventually('the answers to be heard', 30_000, () => {
      const late = [...callsOf(once, 'post4'), ...callsOf(idempotent, 'put2')];
      return late.every((call) => call.endedAtMs !== null) ? true : null;
    });
    const ends = [(await once.reading).end, (await idempotent.reading).end];
    expect(ends).toMatchObject([
      { type: 'run_failed', error: { code: 'outcome_unknown', node_id: 'post4' } },
      { type: 'run_completed' },
    ]);
    await second.kill();
    const last = await client.run(mixed(recorder), given(randomUUID()));
    expect((await client.read(last)).end.type).toBe('run_completed');
    for (const [index, { runId, reading }] of [once, idempotent].entries()) {
      expect((await client.read(runId)).end).toEqual(ends[index]);
      expect(await misread(situation.db, runId, await reading)).toEqual([]);
    }
    expect(callsOf(once, 'post4')).toHaveLength(1);
    expect(callsOf(idempotent, 'put2')).toHaveLength(2);
  },
);
