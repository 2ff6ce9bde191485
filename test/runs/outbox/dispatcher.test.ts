/** The outbox and its delivery: nothing is lost, nothing overtakes, nothing is tried for ever. */
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { openDb, type Db } from '../../../src/db/client.ts';
import { Dispatcher, type DispatcherDeps } from '../../../src/runs/outbox/dispatcher.ts';
import { listenForOutbox, OutboxNotifier } from '../../../src/runs/outbox/outbox-notifier.ts';
import { LONE_CAP, SHARED_CAP } from '../../../src/runs/outbox/in-flight-starts.ts';
import { cancelRun } from '../../../src/runs/ledger/cancel.ts';
import { claimInterrupts, openSegment } from '../../../src/runs/ledger/interrupts.ts';
import { appendEvents } from '../../../src/runs/ledger/events.ts';
import { addOutbox } from '../../../src/runs/ledger/outbox-entry.ts';
import { claimOutbox } from '../../../src/runs/outbox/outbox.ts';
import { createLog } from '../../../src/log.ts';
import type { RunEngine } from '../../../src/runs/engine.ts';
import type { AdvanceResult, Begun } from '../../../src/runs/execute/protocol.ts';
import { TemporalUnavailable, TemporalRejected } from '../../../src/errors.ts';
import { testDatabase, type TestDatabase } from '../../support/database.ts';
import { approval, ask } from '../../support/questions.ts';
import { accept, fakeEngine, until } from '../../support/runs.ts';

let database: TestDatabase;
let db: Db;
const started: Dispatcher[] = [];
const closers: { close(): Promise<void> }[] = [];
beforeAll(async () => {
  database = await testDatabase();
  db = openDb(database.url);
});
afterEach(async () => {
  for (const closer of closers.splice(0)) await closer.close();
  for (const dispatcher of started.splice(0)) await dispatcher.stop();
  await db.query('TRUNCATE outbox');
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

/** @param known organizations that the dispatcher has seen at work before it starts */
function dispatch(
  answers: Partial<RunEngine> = {},
  more: Partial<DispatcherDeps> = {},
  known: readonly string[] = [],
): ReturnType<typeof fakeEngine> {
  const engine = fakeEngine(answers);
  const dispatcher = new Dispatcher({ db, engine, log: createLog('silent', 'test'), ...more });
  started.push(dispatcher);
  for (const organizationId of known) dispatcher.kickStart(organizationId);
  dispatcher.start();
  return engine;
}

type Begin = NonNullable<DispatcherDeps['begin']>;

/** Room for whatever is there. */
const everyRoom = { usual: 100, organizationIds: [], rooms: [] };

/** Runs of one organization, accepted one after the other; their run_pks. */
async function acceptInTurn(count: number, organizationId: string): Promise<string[]> {
  const runPks: string[] = [];
  for (let run = 0; run < count; run += 1) runPks.push((await accept(db, { organizationId })).runPk);
  return runPks;
}

const outbox = (): Promise<{ kind: string; tries: number; last_error: string | null }[]> =>
  db.query('SELECT kind, tries, last_error FROM outbox ORDER BY id');
const isEmpty = async (): Promise<boolean> => (await outbox()).length === 0;
const errorOf = async (runPk: string): Promise<unknown> => {
  const [row] = await db.query<{ status: string; code: string | null }>(
    `SELECT status, error->>'code' AS code FROM runs WHERE id = $1`,
    [runPk],
  );
  return row === undefined ? null : [row.status, row.code];
};

describe('dispatcher', () => {
  test('delivers what is in the outbox, many at a time, and removes it', async () => {
    const runs = await Promise.all(Array.from({ length: 100 }, () => accept(db)));
    const engine = dispatch();
    await until(isEmpty);
    expect(engine.calls.toSorted()).toEqual(runs.map((run) => `start ${run.runPk}`).toSorted());
  });

  test('several dispatchers share the work without repeating it', async () => {
    const runs = await Promise.all(Array.from({ length: 100 }, () => accept(db)));
    const engines = [dispatch(), dispatch(), dispatch()];
    await until(isEmpty);
    const calls = engines.flatMap((engine) => engine.calls);
    expect(calls.toSorted()).toEqual(runs.map((run) => `start ${run.runPk}`).toSorted());
  });

  test('an unknown outcome is tried again until it is known', async () => {
    let tries = 0;
    const run = await accept(db);
    dispatch({
      async start() {
        tries += 1;
        if (tries < 3) throw new Error('UNAVAILABLE');
        return 'already_started';
      },
    });
    await until(isEmpty);
    expect([tries, await errorOf(run.runPk)]).toEqual([3, ['running', null]]);
  });

  test('a refusal fails the run at once', async () => {
    const run = await accept(db);
    const engine = dispatch({ start: () => Promise.reject(new TemporalRejected('invalid')) });
    await until(isEmpty);
    expect(await errorOf(run.runPk)).toEqual(['failed', 'start_refused']);
    expect(engine.calls).toEqual([`start ${run.runPk}`, `cancel ${run.runPk}`]);
  });

  test('a run that could not be started for 15 minutes fails, and is never started', async () => {
    const run = await accept(db);
    await db.query(`UPDATE outbox SET created_at = now() - interval '16 minutes', tries = 50`);
    const engine = dispatch();
    await until(isEmpty);
    expect(await errorOf(run.runPk)).toEqual(['failed', 'start_timeout']);
    expect(engine.calls).toEqual([`cancel ${run.runPk}`]);
  });

  test.each(['running', 'interrupted', 'completed', 'failed', 'cancelled'])(
    'a run that has begun and is %s is started, however late its entry is found, and not begun again',
    async (status) => {
      const run = await accept(db);
      await db.query('UPDATE run_cursors SET advance = 3 WHERE root_run_pk = $1', [run.runPk]);
      await db.query('UPDATE runs SET status = $2 WHERE id = $1', [run.runPk, status]);
      await db.query(`UPDATE outbox SET created_at = now() - interval '2 days', tries = 30`);
      const given: unknown[] = [];
      let isAway = true;
      const start: RunEngine['start'] = async (_run, begun) => {
        if (isAway) throw new Error('Temporal is away');
        given.push(begun);
        return 'started';
      };
      dispatch({ start }, { begin: () => Promise.reject(new Error('must not be asked again')) });
      await until(async () => (await outbox())[0]?.last_error === 'Temporal is away');
      isAway = false;
      await db.query(`UPDATE outbox SET due_at = now() - interval '1 second' WHERE due_at < 'infinity'`);
      await until(isEmpty);
      expect([given, await errorOf(run.runPk)]).toEqual([[null], [status, null]]);
    },
  );

  test('a run that was cancelled before its start is not started; the cancel follows', async () => {
    const run = await accept(db);
    await cancelRun(db, { ...run, rootRunPk: run.runPk }, null);
    const engine = dispatch();
    await until(isEmpty);
    expect(engine.calls).toEqual([`cancel ${run.runPk}`]);
  });

  test('a signal does not overtake the start of its run', async () => {
    const run = await accept(db);
    await addOutbox(db, { ...run, kind: 'resume', rootRunPk: run.runPk });
    const first = await claimOutbox(db, { limit: 10, room: everyRoom });
    expect(first.map((entry) => entry.kind)).toEqual(['start']);
    expect(await claimOutbox(db, { limit: 10, room: everyRoom })).toEqual([]);
    // What is removed with a claim is out of its way.
    const delivered = first.map((entry) => entry.outboxId);
    const next = await claimOutbox(db, { limit: 10, room: everyRoom, delivered });
    expect(next.map((entry) => entry.kind)).toEqual(['resume']);
    expect(await db.query('SELECT kind FROM outbox')).toEqual([{ kind: 'resume' }]);
  });

  test('organizations take turns, each in its own order', async () => {
    const [flood, small] = [randomUUID(), randomUUID()];
    const many = await acceptInTurn(6, flood);
    const few = await acceptInTurn(2, small);
    const claimed = async (limit: number): Promise<string[]> =>
      (await claimOutbox(db, { limit, room: everyRoom })).map((entry) => entry.runPk);
    expect(new Set(await claimed(4))).toEqual(new Set([...many.slice(0, 2), ...few]));
    expect(await claimed(10)).toEqual(many.slice(2));
  });

  test('what an organization has no room for stays in the outbox, and holds up nobody', async () => {
    const [flood, small] = [randomUUID(), randomUUID()];
    const many = await acceptInTurn(6, flood);
    const few = await acceptInTurn(2, small);
    const room = { usual: 1, organizationIds: [flood], rooms: [3] };
    const claimed = await claimOutbox(db, { limit: 10, room });
    expect(new Set(claimed.map((entry) => entry.runPk))).toEqual(new Set([...many.slice(0, 3), few[0]]));
    // What waits is counted with what was taken.
    expect(claimed.map(({ due }) => due).toSorted()).toEqual([2, 6, 6, 6]);
  });

  test('runs that nobody begins are all started in the end: no worker is there, and they may wait in Temporal', async () => {
    const runs = await acceptInTurn(LONE_CAP + 1, randomUUID());
    const engine = dispatch();
    await until(isEmpty);
    expect(engine.calls.toSorted()).toEqual(runs.map((runPk) => `start ${runPk}`).toSorted());
  });

  test('a flood of one organization is started to its end, and does not hold up another', async () => {
    const [flood, small] = [randomUUID(), randomUUID()];
    const many = await acceptInTurn(8 * SHARED_CAP, flood);
    const [one = ''] = await acceptInTurn(1, small);
    let inFlight = 0;
    let mostInFlight = 0;
    const start: RunEngine['start'] = async ({ organizationId, rootRunPk }) => {
      inFlight += 1;
      mostInFlight = Math.max(mostInFlight, inFlight);
      await appendEvents(db, rootRunPk, [{ type: 'node_started', payload: {} }]);
      inFlight -= 1;
      started[0]?.hasAdvanced({ organizationId, rootRunPk });
      return 'started';
    };
    const engine = dispatch({ start }, {}, [flood, small]);
    await until(isEmpty);
    expect(engine.calls.toSorted()).toEqual([...many, one].map((runPk) => `start ${runPk}`).toSorted());
    expect(engine.calls.indexOf(`start ${one}`)).toBeLessThanOrEqual(SHARED_CAP);
    expect(mostInFlight).toBeLessThanOrEqual(SHARED_CAP + 1);
  });

  test('runs that begin in another process make room, and nobody needs to say so', async () => {
    const [flood, small] = [randomUUID(), randomUUID()];
    const many = await acceptInTurn(3 * SHARED_CAP, flood);
    const start: RunEngine['start'] = async ({ rootRunPk }) => {
      await appendEvents(db, rootRunPk, [{ type: 'node_started', payload: {} }]);
      return 'started';
    };
    const engine = dispatch({ start }, {}, [flood, small]);
    await until(isEmpty);
    expect(engine.calls.toSorted()).toEqual(many.map((runPk) => `start ${runPk}`).toSorted());
  });

  test('an answer whose execution is gone ends cancelled, with its questions', async () => {
    const run = await accept(db);
    await db.query('TRUNCATE outbox');
    const [first = '', second = ''] = await ask(db, run.runId, approval, approval);
    const segment = await db.transaction(async (tx) => {
      const opened = await openSegment(tx, run.runPk, null);
      const answers = [{ interruptId: first, action: 'approve', data: {} }];
      const claim = { ...run, rootRunPk: run.runPk, segmentRunPk: opened.runPk, respondedBy: null, answers };
      expect(await claimInterrupts(tx, claim)).toBe(true);
      return opened;
    });
    dispatch({ resume: async () => false });
    await until(isEmpty);
    expect(await errorOf(segment.runPk)).toEqual(['cancelled', null]);
    const rows = await db.query('SELECT DISTINCT status FROM run_interrupts WHERE id IN ($1, $2)', [
      first,
      second,
    ]);
    expect(rows).toEqual([{ status: 'cancelled' }]);
  });

  test('after 20 tries and 15 minutes an entry is parked, and blocks nothing', async () => {
    const run = await accept(db);
    await db.query(
      `UPDATE outbox SET kind = 'resume', tries = 20, created_at = now() - interval '16 minutes'`,
    );
    const engine = dispatch({ resume: () => Promise.reject(new Error('broken')) });
    await until(async () => (await outbox())[0]?.last_error === 'broken');
    await addOutbox(db, { ...run, kind: 'cancel', rootRunPk: run.runPk });
    await until(async () => engine.calls.includes(`cancel ${run.runPk}`));
    await until(async () => (await outbox()).length === 1);
    const parked = await db.query(`SELECT kind, due_at = 'infinity' AS parked FROM outbox`);
    expect(parked).toEqual([{ kind: 'resume', parked: true }]);
  });

  test('an answer and a cancellation outlive Temporal being away, however long that takes', async () => {
    const runs = await Promise.all(Array.from({ length: 2 }, () => accept(db)));
    await db.query('TRUNCATE outbox');
    for (const [at, { runPk, organizationId }] of runs.entries()) {
      const kind = at === 0 ? 'resume' : 'cancel';
      await addOutbox(db, { kind, organizationId, runPk, rootRunPk: runPk });
    }
    await db.query(`UPDATE outbox SET tries = 200, created_at = now() - interval '1 day'`);
    let isAway = true;
    const away = (): Promise<void> =>
      isAway ? Promise.reject(new TemporalUnavailable('Temporal is away')) : Promise.resolve();
    dispatch({ resume: () => away().then(() => true), cancel: away });
    await until(async () => (await outbox()).every((entry) => entry.last_error === 'Temporal is away'));
    isAway = false;
    await db.query('UPDATE outbox SET due_at = now()');
    await until(isEmpty);
  });

  test('a backlog above the bound is noticed', async () => {
    await db.query(
      `INSERT INTO outbox (kind, organization_id, run_pk, root_run_pk, due_at)
       SELECT 'start', gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), now() + interval '1 hour'
       FROM generate_series(1, 10001)`,
    );
    dispatch();
    const [dispatcher] = started;
    await until(async () => dispatcher?.isOverloaded === true);
    await db.query('TRUNCATE outbox');
    await until(async () => dispatcher?.isOverloaded === false);
  });

  test('what no worker takes is delivered by those who have told of it, a while later', async () => {
    const notices: (string | null)[] = [];
    const engine = dispatch({}, { notifier: { notify: (organizationId) => notices.push(organizationId) } });
    await until(isEmpty);
    const run = await accept(db);
    const [dispatcher] = started;
    dispatcher?.kickStart(run.organizationId);
    dispatcher?.kick();
    expect(notices).toEqual([run.organizationId, null]);
    expect(await claimOutbox(db, { limit: 10, room: everyRoom, patienceMs: 60_000 })).toEqual([]);
    await until(async () => engine.calls.includes(`start ${run.runPk}`));
  });

  test('a notified dispatcher delivers what another process has accepted', async () => {
    const engine = dispatch();
    await until(isEmpty);
    const [hearer] = started;
    const connected = new Promise<void>((resolve) => {
      const kick = (): void => resolve();
      const kickStart = (organizationId: string): void => hearer?.kickStart(organizationId);
      closers.push(listenForOutbox(database.url, createLog('silent', 'test'), { kick, kickStart }));
    });
    await connected;
    const heard: string[] = [];
    const run = await accept(db);
    const notifier = new OutboxNotifier(db, createLog('silent', 'test'));
    closers.push(
      listenForOutbox(database.url, createLog('silent', 'test'), {
        kick: () => notifier.notify(run.organizationId),
        kickStart: (organizationId) => heard.push(organizationId),
      }),
    );
    await until(async () => heard.length > 0);
    expect(new Set(heard)).toEqual(new Set([run.organizationId]));
    await until(async () => engine.calls.includes(`start ${run.runPk}`));
  });

  test('what a run begins with is read only for who begins runs', async () => {
    await accept(db, { runInput: { a: 1 } });
    const [entry] = await claimOutbox(db, { limit: 1, room: everyRoom });
    expect(entry).toMatchObject({ hasBegun: false, toBegin: null });
    await db.query(`UPDATE outbox SET due_at = now() - interval '1 second'`);
    const [again] = await claimOutbox(db, { limit: 1, room: everyRoom, begins: true });
    expect(again).toMatchObject({ hasBegun: false, toBegin: { advance: 0, inputs: { runInput: { a: 1 } } } });
  });

  test('a start takes along what was done before it; what fails is left to the execution', async () => {
    const begun: Begun = { answer: { state: 'running', more: false } as AdvanceResult, called: [] };
    const given: (Begun | null | undefined)[] = [];
    const begin: Begin = async ({ segment }) => {
      if (segment.rootRunPk === broken.runPk) throw new Error('broken');
      return begun;
    };
    const broken = await accept(db);
    const run = await accept(db);
    const start: RunEngine['start'] = async ({ rootRunPk }, answer) => {
      given[rootRunPk === run.runPk ? 0 : 1] = answer;
      return 'started';
    };
    dispatch({ start }, { begin });
    await until(isEmpty);
    expect(given).toEqual([begun, null]);
  });

  /** Runs that call nodes before their start, until `answer` is called. */
  function calling(): { readonly begin: Begin; readonly out: Set<string>; readonly answer: () => void } {
    const out = new Set<string>();
    let answer: () => void = () => undefined;
    const answered = new Promise<void>((resolve) => (answer = resolve));
    const begin: Begin = async ({ segment }, { onCalls }) => {
      if (onCalls !== null) {
        out.add(segment.rootRunPk);
        onCalls();
        await answered;
      }
      return { answer: { state: 'running', more: false } as AdvanceResult, called: [] };
    };
    return { begin, out, answer };
  }

  test('runs that wait for calls hold up nobody; beyond a hundred of them calls are left to executions', async () => {
    const [flood, small] = [randomUUID(), randomUUID()];
    const many = await acceptInTurn(101, flood);
    const { begin, out, answer } = calling();
    const engine = dispatch({}, { begin }, [flood, small]);
    await until(async () => out.size === 100);
    const [one = ''] = await acceptInTurn(1, small);
    started[0]?.kickStart(small);
    await until(async () => engine.calls.includes(`start ${one}`));
    await until(async () => engine.calls.length === 2);
    // What was delivered leaves the outbox a moment later.
    await until(async () => (await outbox()).length === 100);
    expect(out.size).toBe(100);
    answer();
    await until(isEmpty);
    expect(engine.calls.toSorted()).toEqual([...many, one].map((runPk) => `start ${runPk}`).toSorted());
  });

  test('a run that waits for calls longer than a claim lasts is not taken by another process', async () => {
    const run = await accept(db);
    const { begin, out, answer } = calling();
    const engine = dispatch({}, { begin });
    await until(async () => out.has(run.runPk));
    await db.query(`UPDATE outbox SET due_at = now() + interval '7 seconds'`);
    const due = async (): Promise<boolean> =>
      (await db.query(`SELECT 1 FROM outbox WHERE due_at > now() + interval '8 seconds'`)).length === 1;
    await until(due);
    expect((await outbox())[0]?.tries).toBe(1);
    answer();
    await until(isEmpty);
    expect(engine.calls).toEqual([`start ${run.runPk}`]);
  });

  test('no call goes out before a start while Temporal is away', async () => {
    const { begin, out, answer } = calling();
    answer();
    let isAway = true;
    const start = async (): Promise<'started'> => {
      if (isAway) throw new TemporalUnavailable('Temporal is away');
      return 'started';
    };
    dispatch({ start }, { begin });
    const failed = async (runPk: string): Promise<boolean> =>
      (await db.query('SELECT 1 FROM outbox WHERE run_pk = $1 AND last_error IS NOT NULL', [runPk]))
        .length === 1;
    const first = await accept(db);
    await until(() => failed(first.runPk));
    const second = await accept(db);
    await until(() => failed(second.runPk));
    isAway = false;
    await until(isEmpty);
    const third = await accept(db);
    await until(isEmpty);
    expect(out).toEqual(new Set([first.runPk, third.runPk]));
  });

  test('no call goes out before a start without a connection to Temporal', async () => {
    const { begin, out, answer } = calling();
    answer();
    const engine = dispatch({ isConnected: false }, { begin });
    const run = await accept(db);
    await until(isEmpty);
    expect(engine.calls).toEqual([`start ${run.runPk}`]);
    expect(out).toEqual(new Set());
  });

  test('kick delivers without waiting for the poll', async () => {
    const engine = dispatch();
    await until(isEmpty);
    const run = await accept(db);
    const [dispatcher] = started;
    dispatcher?.kick();
    await until(async () => engine.calls.includes(`start ${run.runPk}`));
  });
});
