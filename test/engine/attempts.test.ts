/**
 * An attempt that was lost, late or reported twice would run a node's effect twice or fail the run. The activities
 * are called directly, as Temporal would call them again.
 */
import { randomUUID } from 'node:crypto';
import { ActivityCancellationDetails, CancelledFailure } from '@temporalio/common';
import type { ApplicationFailure } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDb, type Tx } from '../../src/base/db/client.ts';
import type { JsonObject } from '../../src/language/graph/values/value.ts';
import { advance } from '../../src/engine/runs/execute/advance/advance.ts';
import { createExecuteDeps, type ExecuteDeps } from '../../src/engine/runs/execute/deps.ts';
import { createNodeActivities, createShortNodeActivities } from '../../temporal/activities/nodes.ts';
import { prepareChild } from '../../src/engine/runs/execute/child.ts';
import { settleFailed } from '../../src/engine/runs/execute/settle.ts';
import { NodeError } from '../../src/language/nodes/kind.ts';
import { TokenAppender } from '../../src/engine/runs/execute/tokens.ts';
import type { NodeOutcome, NodeTask } from '../../src/engine/runs/execute/protocol.ts';
import { firstTask } from '../support/advancing.ts';
import { chain, http, node, transform } from '../support/definitions.ts';
import type { TestEngine } from '../support/engine.ts';
import { startEngineWithModel } from '../support/engine-with-servers.ts';
import type { HttpRecorder } from '../support/http-recorder.ts';
import { deploy } from '../support/journeys.ts';
import type { ModelServer } from '../support/model-server.ts';
import { eventsOf, stepsOf } from '../support/records.ts';
import { startOtherWorker } from '../support/workers.ts';

let engine: TestEngine;
let recorder: HttpRecorder;
let model: ModelServer;
beforeAll(async () => {
  ({ engine, recorder, model } = await startEngineWithModel());
  // The runs here are accepted but never started: the test is their Temporal.
  await engine.dispatcher.stop();
});
afterAll(() => engine.close());

/** The context of one attempt; quiet, for failures are what is tested. */
const worker = (info: { readonly attempt?: number } = {}): MockActivityEnvironment =>
  new MockActivityEnvironment(info, { logger: new DefaultLogger('ERROR') });

async function taskOf(only: JsonObject): Promise<NodeTask> {
  const { runPk } = await engine.accept(chain(only));
  return firstTask({ organizationId: engine.organizationId, rootRunPk: runPk }, String(only['id']));
}

/** One attempt, as a worker would make it. */
function attempt(
  task: NodeTask,
  environment = worker(),
  deps: ExecuteDeps = engine.deps,
): Promise<NodeOutcome> {
  return environment.run(() => createNodeActivities(deps).tool(task)) as Promise<NodeOutcome>;
}
const failureOf = (work: Promise<unknown>): Promise<ApplicationFailure> =>
  work.then(
    () => Promise.reject(new Error('It did not fail')),
    (error: unknown) => error as ApplicationFailure,
  );
const typesOf = async (task: NodeTask): Promise<string[]> =>
  (await eventsOf(engine.db, task.runPk)).map((event) => event.type);

describe('a repetition after the conclusion was committed', () => {
  test('gives the same outcome and does nothing again', async () => {
    const name = randomUUID();
    const task = await taskOf(http('h', recorder.url(name)));
    const first = await attempt(task);
    expect(first).toEqual({ taken: [0], failed: false });
    expect(await attempt(task)).toEqual(first);
    expect(recorder.calls(name)).toHaveLength(1);
    expect(await typesOf(task)).toEqual(['run_started', 'node_started', 'node_completed']);
  });

  test('of work without an effect does nothing again, either', async () => {
    const name = randomUUID();
    const task = await taskOf(http('h', recorder.url(name), { method: 'GET' }));
    const first = await attempt(task);
    expect(await attempt(task, worker({ attempt: 2 }))).toEqual(first);
    expect(recorder.calls(name)).toHaveLength(1);
  });

  test('gives the same failure again', async () => {
    const name = randomUUID();
    const task = await taskOf(http('h', recorder.url(name, { status: 404 })));
    const [first, second] = [await failureOf(attempt(task)), await failureOf(attempt(task))];
    expect(first).toMatchObject({ nonRetryable: true, type: 'http_error' });
    expect(first.details).toEqual([{ taken: [], failed: true }]);
    expect([second.message, second.type, second.details]).toEqual([first.message, first.type, first.details]);
    expect(recorder.calls(name)).toHaveLength(1);
    expect((await typesOf(task)).filter((type) => type === 'node_failed')).toHaveLength(1);
  });

  test('of an advance gives the stored answer', async () => {
    const { runPk } = await engine.accept(chain(transform('a', { x: 1 })));
    const ref = { organizationId: engine.organizationId, rootRunPk: runPk };
    const input = { ...ref, advance: 1, progress: '', elapsed: [], skipped: [], inFlight: 0 };
    const first = await advance(engine.deps, input);
    expect(first).toMatchObject({ state: 'closed', status: 'completed' });
    expect(await advance(engine.deps, input)).toEqual({ ...first, repeated: true });
    expect(await eventsOf(engine.db, runPk)).toHaveLength(4);
  });

  test('of a prepared child gives the same child, and is no lost attempt', async () => {
    const workflowId = await deploy(engine, chain(transform('t')));
    const task = await taskOf(node('s', 'tool', { kind: 'workflow', workflow_id: workflowId }));
    const first = await prepareChild(engine.deps, task);
    expect(first.child?.start.workflowId).toBe(workflowId);
    expect(await prepareChild(engine.deps, task)).toEqual(first);
    expect(await typesOf(task)).toEqual(['run_started', 'node_started']);
  });
});

describe('a task that comes before its next attempt is due', () => {
  const again = (task: NodeTask): Promise<NodeOutcome> => attempt({ ...task, isRepeated: true });
  /** Lets the time of the next attempt come. */
  const pass = (task: NodeTask): Promise<unknown> =>
    engine.db.query(
      `UPDATE run_steps SET attempts = replace(attempts::text, substring(attempts::text FROM '"retry_at":"([^"]+)"'), $2)::json
       WHERE run_pk = $1`,
      [task.runPk, new Date(Date.now() - 1).toISOString()],
    );

  test('waits for the rest of the delay: the end of the attempt before may not have been heard of', async () => {
    const name = randomUUID();
    const retry = { retry: { max_attempts: 2 } };
    const task = await taskOf(
      http('h', recorder.url(name, { fail: 1, status: 429, retry_after: 60 }), {}, retry),
    );
    const [{ retryInMs: askedMs }] = (await failureOf(attempt(task))).details as [{ retryInMs: number }];
    expect(askedMs).toBeGreaterThanOrEqual(60_000);
    const early = await failureOf(again(task));
    expect(early).toMatchObject({ type: 'http_error', nonRetryable: true });
    const [{ retryInMs }] = early.details as [{ retryInMs: number }];
    expect(retryInMs).toBeGreaterThan(1_000);
    expect(retryInMs).toBeLessThanOrEqual(askedMs);
    expect(recorder.calls(name)).toHaveLength(1);
    await pass(task);
    expect(await again(task)).toEqual({ taken: [0], failed: false });
    expect(recorder.calls(name)).toHaveLength(2);
    const [step] = await stepsOf(engine.db, task.runPk);
    expect(step?.attempts.map(({ status, retry_at }) => [status, retry_at])).toEqual([
      ['failed', undefined],
      ['succeeded', undefined],
    ]);
  });

  test('a short rest is waited for in the process', async () => {
    const name = randomUUID();
    const retry = { retry: { max_attempts: 2, initial_interval_ms: 900 } };
    const task = await taskOf(
      http('h', recorder.url(name, { fail: 1, status: 503, retry_after: 0 }), {}, retry),
    );
    const [{ retryInMs }] = (await failureOf(attempt(task))).details as [{ retryInMs: number }];
    expect(retryInMs).toBeGreaterThanOrEqual(450);
    expect(retryInMs).toBeLessThanOrEqual(900);
    const [step] = await stepsOf(engine.db, task.runPk);
    const dueMs = Date.parse(step?.attempts[0]?.retry_at ?? '');
    expect(await again(task)).toEqual({ taken: [0], failed: false });
    expect(recorder.calls(name)[1]?.startedAtMs).toBeGreaterThanOrEqual(dueMs);
  });

  test('so does a turn of an agent', async () => {
    const messages = [{ role: 'user', content: 'Go' }];
    const config = { provider: 'openai', model: 'test-model', messages };
    const task = { ...(await taskOf(node('h', 'agent', config, { retry: { max_attempts: 2 } }))), turn: 1 };
    model.script({ status: 429, retryAfter: 60 }, { text: ['Done'] });
    const turn = (): Promise<unknown> => worker().run(() => createNodeActivities(engine.deps).agent(task));
    const asked = model.requests.length;
    expect((await failureOf(turn())).details).toEqual([{ retryInMs: expect.any(Number) }]);
    expect((await failureOf(turn())).details).toEqual([{ retryInMs: expect.any(Number) }]);
    expect(model.requests).toHaveLength(asked + 1);
    await pass(task);
    expect(await turn()).toMatchObject({ outcome: { taken: [0], failed: false } });
  });
});

describe('a task that comes twice', () => {
  test('joins the attempt that its process has under way', async () => {
    const name = randomUUID();
    const task = await taskOf(http('h', recorder.url(name, { hold: 1 })));
    const both = [attempt(task), attempt(task)];
    await recorder.waitFor(name, 1);
    recorder.release();
    expect(await Promise.all(both)).toEqual(Array(2).fill({ taken: [0], failed: false }));
    expect(recorder.calls(name)).toHaveLength(1);
    expect(await typesOf(task)).toEqual(['run_started', 'node_started', 'node_completed']);
  });

  test('a call that Temporal had given up still counts when it ends', async () => {
    const name = randomUUID();
    const task = await taskOf(http('h', recorder.url(name, { hold: 1 })));
    const late = worker();
    const given = failureOf(attempt(task, late));
    await recorder.waitFor(name, 1);
    late.cancel('NOT_FOUND', new ActivityCancellationDetails({ notFound: true }));
    expect(await given).toMatchObject({ type: 'attempt_abandoned', nonRetryable: false });
    const again = attempt(task);
    recorder.release();
    expect(await again).toEqual({ taken: [0], failed: false });
    expect(recorder.calls(name)).toHaveLength(1);
  });

  test('finds the call under way although the SDK has evicted the run, which looks like a cancellation', async () => {
    const name = randomUUID();
    const task = await taskOf(http('h', recorder.url(name, { hold: 1 })));
    const evicted = worker();
    const given = evicted.run(async () =>
      createShortNodeActivities(engine.deps)['tool']?.({ task, patienceMs: 60_000 }),
    );
    await recorder.waitFor(name, 1);
    evicted.cancel('CANCELLED', new ActivityCancellationDetails({ cancelRequested: true }));
    await expect(given).rejects.toBeInstanceOf(CancelledFailure);
    const other = await startOtherWorker(engine.deps);
    const again = [attempt(task), attempt(task, worker(), other.deps)];
    recorder.release();
    expect(await Promise.all(again)).toEqual(Array(2).fill({ taken: [0], failed: false }));
    expect(recorder.calls(name)).toHaveLength(1);
  });

  test('waits for the end of an attempt that another worker holds', async () => {
    const name = randomUUID();
    const task = await taskOf(http('h', recorder.url(name, { hold: 1 })));
    const other = await startOtherWorker(engine.deps);
    const held = attempt(task, worker(), other.deps);
    await recorder.waitFor(name, 1);
    const waiting = attempt(task);
    recorder.release();
    expect(await Promise.all([held, waiting])).toEqual(Array(2).fill({ taken: [0], failed: false }));
    expect(recorder.calls(name)).toHaveLength(1);
  });

  test('of work without an effect that others have begun makes no second attempt', async () => {
    const name = randomUUID();
    const task = await taskOf(http('h', recorder.url(name, { hold: 1 }), { method: 'GET' }));
    const other = await startOtherWorker(engine.deps);
    const held = attempt(task, worker(), other.deps);
    await expect.poll(() => stepsOf(engine.db, task.runPk)).toHaveLength(1);
    await recorder.waitFor(name, 1);
    // Temporal delivers it again. Its record is there, so the second one makes no call and waits.
    const second = attempt(task, worker({ attempt: 2 }));
    recorder.release();
    expect(await Promise.all([held, second])).toEqual(Array(2).fill({ taken: [0], failed: false }));
    expect(recorder.calls(name)).toHaveLength(1);
    const [step] = await stepsOf(engine.db, task.runPk);
    expect(step?.attempts.map((each) => each.status)).toEqual(['succeeded']);
  });
});

describe('a lost attempt', () => {
  test('that may have had an effect which must not be repeated ends as outcome_unknown', async () => {
    const name = randomUUID();
    const task = await taskOf(http('h', recorder.url(name, { hold: 1 }), {}, { retry: { max_attempts: 3 } }));
    const other = await startOtherWorker(engine.deps);
    const lost = failureOf(attempt(task, worker(), other.deps));
    await recorder.waitFor(name, 1);
    await other.lose();
    expect(await failureOf(attempt(task))).toMatchObject({ type: 'outcome_unknown', nonRetryable: true });
    recorder.release();
    // The lost attempt comes back with a success: too late, and it says what is on record.
    expect(await lost).toMatchObject({ type: 'outcome_unknown' });
    expect(recorder.calls(name)).toHaveLength(1);
    const [step] = await stepsOf(engine.db, task.runPk);
    expect(step).toMatchObject({ status: 'failed', error: { code: 'outcome_unknown' } });
  });

  test('of a map fails it, and the items that were begun behind it come to their end, too', async () => {
    const name = randomUUID();
    const each = { for_each: { items: [0, 1, 2], max_concurrency: 3 }, retry: { max_attempts: 1 } };
    const task = await taskOf(http('h', `${recorder.url(name)}.{{index}}?hold=1`, {}, each));
    const run = { organizationId: task.organizationId, rootRunPk: task.rootRunPk };
    const nothing = { progress: '', elapsed: [], skipped: [], inFlight: 0 };
    expect(await advance(engine.deps, { ...run, advance: 1, ...nothing })).toMatchObject({
      state: 'running',
    });
    const range = { ...task, first: 0, end: 3 };
    const items = (deps: ExecuteDeps, atOnce: number): Promise<unknown> =>
      worker().run(async () =>
        createShortNodeActivities(deps)['tool']?.({ task: { ...range, atOnce }, patienceMs: 60_000 }),
      );
    const other = await startOtherWorker(engine.deps);
    const lost = items(other.deps, 3);
    await Promise.all([0, 1, 2].map((index) => recorder.waitFor(`${name}.${index}`, 1)));
    await other.lose();
    expect(await items(engine.deps, 1)).toMatchObject({ next: 1, failed: true, open: [] });
    const ended = (await stepsOf(engine.db, task.runPk)).filter((step) => step.item_index >= 0);
    expect(ended.map((step) => step.error)).toMatchObject(Array(3).fill({ code: 'outcome_unknown' }));
    recorder.release();
    await lost;
  });

  test('that sent nothing yet is repeated, without a word of repetition', async () => {
    const name = randomUUID();
    const task = await taskOf(http('h', recorder.url(name, { hold: 1 })));
    const other = await startOtherWorker(engine.deps);
    const lost = attempt(task, worker(), other.deps);
    await recorder.waitFor(name, 1);
    await engine.db.query('UPDATE run_steps SET sent_at = NULL WHERE run_pk = $1', [task.runPk]);
    await other.lose();
    expect(await attempt(task)).toEqual({ taken: [0], failed: false });
    const [retry] = (await eventsOf(engine.db, task.runPk)).filter((event) => event.type === 'node_retry');
    expect(retry?.payload).toMatchObject({ next_attempt: 2, possibly_repeated: false });
    recorder.release();
    expect(await lost).toEqual({ taken: [0], failed: false });
  });

  test('that was fenced decides nothing: it waits for the attempt that has fenced it', async () => {
    const name = randomUUID();
    const task = await taskOf(http('h', recorder.url(name, { hold: 2 }), { method: 'PUT' }));
    const other = await startOtherWorker(engine.deps);
    const late = attempt(task, worker(), other.deps);
    await recorder.waitFor(name, 1);
    await other.lose();
    const second = attempt(task);
    await recorder.waitFor(name, 2);
    recorder.release();
    expect(await Promise.all([late, second])).toEqual(Array(2).fill({ taken: [0], failed: false }));
    const keys = recorder.calls(name).map((call) => call.headers['idempotency-key']);
    expect(keys).toEqual(Array(2).fill(`${task.runPk}:h:1`));
    const events = await eventsOf(engine.db, task.runPk);
    expect(events.map((event) => event.type)).toEqual([
      'run_started',
      'node_started',
      'node_retry',
      'node_completed',
    ]);
    expect(events[2]?.payload).toMatchObject({ possibly_repeated: true, error: { code: 'worker_lost' } });
    expect(events[3]?.payload).toMatchObject({ attempt: 2 });
    const [step] = await stepsOf(engine.db, task.runPk);
    expect(step?.attempts.map((each) => each.status)).toEqual(['lost', 'succeeded']);
  });

  test('does not speak any more once another has begun', async () => {
    // Far more than is said before the other one begins.
    const words = Array.from({ length: 1_000 }, (_, i) => `${i} `);
    model.script({ text: words, delayMs: 20 }, { text: ['the', ' end'] });
    const messages = [{ role: 'user', content: 'x' }];
    const task = await taskOf(node('m', 'llm', { provider: 'openai', model: 'test-model', messages }));
    const other = await startOtherWorker(engine.deps);
    const zombie = attempt(task, worker(), other.deps);
    const said = async (): Promise<number> => (await typesOf(task)).filter((type) => type === 'token').length;
    await expect.poll(said).toBeGreaterThan(1);
    await other.lose();
    expect(await attempt(task)).toEqual({ taken: [0], failed: false });
    expect(await zombie).toEqual({ taken: [0], failed: false });
    const events = await eventsOf(engine.db, task.runPk);
    const after = events.slice(events.findIndex((event) => event.type === 'token_reset') + 1);
    const text = after.filter((event) => event.type === 'token').map((event) => event.payload['delta']);
    expect(text.join('')).toBe('the end');
    expect(events.at(-1)?.type).toBe('node_completed');
    expect(events.map((event) => event.seq)).toEqual(events.map((_, i) => i + 1));
  });

  test('is given up after so many workers', async () => {
    const name = randomUUID();
    const task = await taskOf(http('h', recorder.url(name, { hold: 6 }), { method: 'PUT' }));
    const lost: Promise<ApplicationFailure>[] = [];
    for (let count = 1; count <= 6; count += 1) {
      const other = await startOtherWorker(engine.deps);
      lost.push(failureOf(attempt(task, worker(), other.deps)));
      await recorder.waitFor(name, count);
      await other.lose();
    }
    expect(await failureOf(attempt(task))).toMatchObject({ type: 'node_lost', nonRetryable: true });
    recorder.release();
    for (const late of lost) expect(await late).toMatchObject({ type: 'node_lost' });
  });
});

describe('the end of an attempt', () => {
  test('by a cancellation is no failure of the node', async () => {
    const name = randomUUID();
    const task = await taskOf(http('h', recorder.url(name, { delay_ms: 60_000 }), { method: 'PUT' }));
    const environment = worker();
    const running = attempt(task, environment);
    await recorder.waitFor(name, 1);
    environment.cancel('CANCELLED', new ActivityCancellationDetails({ cancelRequested: true }));
    await expect(running).rejects.toThrow('The run was cancelled');
    const [step] = await stepsOf(engine.db, task.runPk);
    expect(step?.status).toBe('running');
  });

  test('is recorded although the database was away for a moment', async () => {
    const name = randomUUID();
    const task = await taskOf(http('h', recorder.url(name)));
    let calls = 0;
    const flaky = {
      ...engine.db,
      transaction: async <T>(work: (tx: Tx) => Promise<T>): Promise<T> => {
        calls += 1;
        if (calls === 2) throw Object.assign(new Error('terminating connection'), { code: '57P01' });
        return engine.db.transaction(work);
      },
    };
    const outcome = await attempt(task, worker(), { ...engine.deps, db: flaky });
    expect(outcome).toEqual({ taken: [0], failed: false });
    expect(recorder.calls(name)).toHaveLength(1);
  });
});

/** A database that loses the answer to the commit of one transaction, the n-th from now. */
function losingCommit(n: number): ExecuteDeps {
  let commits = 0;
  const transaction = async <T>(work: (tx: Tx) => Promise<T>): Promise<T> => {
    const result = await engine.db.transaction(work);
    commits += 1;
    if (commits === n) throw Object.assign(new Error('terminating connection'), { code: '57P01' });
    return result;
  };
  return { ...engine.deps, db: { ...engine.db, transaction } };
}

test('a failure whose commit got no answer is one attempt: all others that the node has are made', async () => {
  const name = randomUUID();
  const retry = { max_attempts: 2, initial_interval_ms: 1_000 };
  const task = await taskOf(http('h', recorder.url(name, { fail: 1 }), { method: 'PUT' }, { retry }));
  const [{ retryInMs }] = (await failureOf(attempt(task, worker(), losingCommit(1)))).details as [
    { retryInMs: number },
  ];
  const [retried] = (await eventsOf(engine.db, task.runPk)).filter(({ type }) => type === 'node_retry');
  expect(retried?.payload).toMatchObject({ next_attempt: 2, delay_ms: retryInMs });
  expect(await attempt({ ...task, isRepeated: true })).toEqual({ taken: [0], failed: false });
  const [step] = await stepsOf(engine.db, task.runPk);
  expect(step?.attempts.map(({ status }) => status)).toEqual(['failed', 'succeeded']);
});

test('an outage that no patience outlasts leaves no attempt that others wait for', async () => {
  const name = randomUUID();
  const task = await taskOf(http('h', recorder.url(name, { hold: 1 })));
  const outage = { isOn: false, refusals: 0, skewMs: 0 };
  const refuse = (): void => {
    if (!outage.isOn) return;
    outage.refusals += 1;
    throw Object.assign(new Error('terminating connection'), { code: '57P01' });
  };
  const { db, clock } = engine.deps;
  const flaky: typeof db = {
    ...db,
    transaction: async (work) => (refuse(), db.transaction(work)),
    share: async (write, item) => (refuse(), db.share(write, item)),
  };
  const late = { ...clock, monotonic: () => clock.monotonic() + outage.skewMs };
  const ended = failureOf(attempt(task, worker(), { ...engine.deps, db: flaky, clock: late }));
  await recorder.waitFor(name, 1);
  outage.isOn = true;
  recorder.release();
  await expect.poll(() => outage.refusals).toBeGreaterThan(0);
  outage.skewMs = 3_600_000;
  const seen = outage.refusals;
  await expect.poll(() => outage.refusals).toBeGreaterThan(seen + 1);
  outage.isOn = false;
  expect(await ended).toMatchObject({ type: 'outcome_unknown' });
  const other = await startOtherWorker(engine.deps);
  expect(await failureOf(attempt(task, worker(), other.deps))).toMatchObject({ type: 'outcome_unknown' });
});

test('words of a locked run, in which another attempt begins, are not written', async () => {
  const task = await taskOf(http('h', recorder.url(randomUUID(), { delay_ms: 60_000 }), { method: 'GET' }));
  const environment = worker();
  const first = attempt(task, environment).catch(() => undefined);
  await expect.poll(() => stepsOf(engine.db, task.runPk)).toHaveLength(1);
  const [step] = await stepsOf(engine.db, task.runPk);
  let fenced = false;
  const appender = new TokenAppender(engine.db, engine.deps);
  const speaker = {
    runPk: task.runPk,
    stepId: step!.step_id,
    attempt: 1,
    batchIntervalMs: 0,
    fields: {},
  };
  const stream = appender.open(speaker, () => (fenced = true));
  let writing: Promise<void> = Promise.resolve();
  await engine.db.transaction(async (tx) => {
    await tx.query('SELECT 1 FROM runs WHERE id = $1 FOR UPDATE', [task.runPk]);
    stream.token('late', 'content');
    writing = stream.drain();
    // It was tried once, in vain.
    await appender.flush(null);
    expect(fenced).toBe(false);
    await tx.query('UPDATE run_steps SET attempt = 2 WHERE step_id = $1', [step!.step_id]);
  });
  await writing;
  stream.close();
  expect(fenced).toBe(true);
  expect(await typesOf(task)).not.toContain('token');
  environment.cancel('CANCELLED', new ActivityCancellationDetails({ cancelRequested: true }));
  await first;
});

test('a transaction that locks a run takes one connection, also for a definition that was not compiled yet', async () => {
  const task = await taskOf(http('h', recorder.url(randomUUID())));
  const db = openDb(engine.config.databaseUrl, 1);
  const deps = createExecuteDeps({ ...engine.deps, db });
  try {
    expect(await settleFailed(deps, task, failed)).toMatchObject({ failed: true });
  } finally {
    await db.close();
  }
});

/** Counts the transactions that wait for the lock of a run. */
async function countLockWaits(): Promise<number> {
  const [row] = await engine.db.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM pg_stat_activity
     WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%newest_segments%'`,
  );
  return row?.n ?? 0;
}

/** More than the pool has connections. */
const BRANCHES = Array.from({ length: 30 }, (_, index) => `b${index}`);
const failed = new NodeError('x', 'x');

test.each<readonly [string, (task: NodeTask) => Promise<unknown>]>([
  ['start again', (task) => attempt({ ...task, isRepeated: true })],
  ['start a child', (task) => prepareChild(engine.deps, task)],
  ['end without a worker', (task) => settleFailed(engine.deps, task, failed)],
])(
  'branches that %s together leave connections to other runs while the lock of theirs is held',
  async (_, act) => {
    const workflowId = await deploy(engine, chain(transform('t')));
    const branches = BRANCHES.map((id) => node(id, 'tool', { kind: 'workflow', workflow_id: workflowId }));
    const { runPk } = await engine.accept(chain(...branches));
    const ref = { organizationId: engine.organizationId, rootRunPk: runPk };
    const acting = await engine.db.transaction(async (tx) => {
      await tx.query('SELECT 1 FROM runs WHERE id = $1 FOR NO KEY UPDATE', [runPk]);
      const acts = Promise.allSettled(BRANCHES.map((id) => act(firstTask(ref, id))));
      await expect.poll(countLockWaits).toBeGreaterThanOrEqual(2);
      const name = randomUUID();
      expect(await attempt(await taskOf(http('h', recorder.url(name))))).toMatchObject({ failed: false });
      expect(await countLockWaits()).toBe(2);
      return { acts };
    });
    await acting.acts;
  },
);

test('attempts of one run that end together take two connections while its lock is held', async () => {
  const name = randomUUID();
  const ids = ['a', 'b', 'c', 'd', 'e'];
  // State updates are made by a transaction that locks the run.
  const calls = ids.map((id) =>
    http(id, recorder.url(name, { hold: ids.length }), {}, { state_updates: { last: `{{${id}.status}}` } }),
  );
  const { runPk } = await engine.accept(chain(...calls));
  const ref = { organizationId: engine.organizationId, rootRunPk: runPk };
  const ended = ids.map((id) => attempt(firstTask(ref, id)));
  await recorder.waitFor(name, ids.length);
  await engine.db.transaction(async (tx) => {
    await tx.query('SELECT 1 FROM runs WHERE id = $1 FOR NO KEY UPDATE', [runPk]);
    recorder.release();
    await expect.poll(countLockWaits).toBeGreaterThanOrEqual(2);
    // The others would have come by now.
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(await countLockWaits()).toBe(2);
  });
  expect((await Promise.all(ended)).map(({ failed }) => failed)).toEqual(ids.map(() => false));
});
