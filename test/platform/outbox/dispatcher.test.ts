/**
 * A start, an answer or a cancellation would be lost on its way to Temporal, overtake another, or be tried for ever.
 */
import { NamespaceGuard } from '../../../src/engine/runs/outbox/namespace-guard.ts';
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../../src/base/clock.ts';
import { TemporalUnavailable, TemporalRejected } from '../../../src/base/errors.ts';
import type { IngestEngine } from '../../../src/platform/knowledge/ingest-engine.ts';
import { IngestSyncer } from '../../../src/platform/knowledge/ingest-syncer.ts';
import { createLog } from '../../../src/base/log.ts';
import { Dispatcher, type DispatcherDeps } from '../../../src/platform/outbox/dispatcher.ts';
import { MAX_IN_FLIGHT_MS, MAX_IN_FLIGHT_STARTS } from '../../../src/platform/outbox/in-flight-starts.ts';
import {
  claimOutbox,
  insertEntry,
  removeOutbox,
  type OutboxEntry,
} from '../../../src/platform/outbox/outbox.ts';
import { listenForOutbox, OutboxNotifier } from '../../../src/platform/outbox/outbox-notifier.ts';
import type { RunEngine } from '../../../src/engine/runs/engine.ts';
import { cancelRun } from '../../../src/engine/runs/ledger/write/cancel.ts';
import { appendEvents } from '../../../src/engine/runs/ledger/write/events.ts';
import { claimInterrupts, openSegment } from '../../../src/engine/runs/ledger/questions/interrupts.ts';
import { addOutbox } from '../../../src/engine/runs/ledger/write/outbox-entry.ts';
import { dataJobHandler } from '../../../src/features/data/job-runner.ts';
import { runHandlers } from '../../../src/engine/runs/outbox/run-handlers.ts';
import type { ScheduleEngine } from '../../../src/engine/schedules/schedule-engine.ts';
import { ScheduleSyncer } from '../../../src/engine/schedules/schedule-syncer.ts';
import { openTestDatabase, type TestDb } from '../../support/database.ts';
import { idleIngests, idleSchedules } from '../../support/idle-engines.ts';
import { storedBase, uploadTo } from '../../support/ingests.ts';
import { approval, ask } from '../../support/questions.ts';
import { accept, fakeEngine, until } from '../../support/runs.ts';

let db: TestDb;
const log = createLog('silent', 'test');
const started: Dispatcher[] = [];
const closers: { close(): Promise<void> }[] = [];
beforeAll(async () => {
  db = await openTestDatabase();
});
afterEach(async () => {
  for (const closer of closers.splice(0)) await closer.close();
  for (const dispatcher of started.splice(0)) await dispatcher.stop();
  await db.query('TRUNCATE outbox');
});
afterAll(() => db.close());

interface Answers {
  readonly runs?: Partial<RunEngine>;
  readonly schedules?: Partial<ScheduleEngine>;
  readonly ingests?: Partial<IngestEngine>;
}

/** Starts a dispatcher in front of a Temporal with these answers. @returns what it tells Temporal of runs */
function dispatch(answers: Answers = {}, more: Partial<DispatcherDeps> = {}): ReturnType<typeof fakeEngine> {
  const engine = fakeEngine(answers.runs);
  const handlers = {
    ...runHandlers({ db, engine, guard: new NamespaceGuard({ db, engine, clock: systemClock }) }),
    schedule: new ScheduleSyncer({
      clock: systemClock,
      db,
      engine: { ...idleSchedules, ...answers.schedules },
      log,
    }),
    ingest: new IngestSyncer({ db, engine: { ...idleIngests, ...answers.ingests }, log }),
    data_job: dataJobHandler({ db, clock: systemClock }),
  };
  const dispatcher = new Dispatcher({ db, handlers, clock: systemClock, log, ...more });
  started.push(dispatcher);
  dispatcher.start();
  return engine;
}

/** Capacity for whatever is there. */
const anyStarts = { usual: 100, organizationIds: [], capacities: [] };
const claim = (limit = 10): Promise<OutboxEntry[]> => claimOutbox(db, { limit, starts: anyStarts });

/** Runs of one organization, accepted one after the other; their run_pks. */
async function acceptInTurn(count: number, organizationId: string): Promise<string[]> {
  const runPks: string[] = [];
  for (let run = 0; run < count; run += 1) runPks.push((await accept(db, { organizationId })).runPk);
  return runPks;
}

/** An organization in the database. @returns its id */
async function organization(): Promise<string> {
  const [row] = await db.query<{ id: string }>(
    `INSERT INTO organizations (name, slug) VALUES ('Test', gen_random_uuid()::text) RETURNING id`,
  );
  return row?.id ?? '';
}

/** A schedule of an organization, and the entry of its row. @returns its id */
async function schedule(organizationId: string): Promise<string> {
  const [row] = await db.query<{ id: string }>(
    `WITH workflow AS (
       INSERT INTO workflows (organization_id, name, workflow_schema) VALUES ($1, 'Test', '{}') RETURNING id
     )
     INSERT INTO schedules (organization_id, workflow_id, name, cron_expression, timezone)
     SELECT $1, id, 'Test', '0 0 * * *', 'UTC' FROM workflow RETURNING id`,
    [organizationId],
  );
  return row?.id ?? '';
}

/** A worker has begun the run. */
const advance = (runPk: string) =>
  db.query('UPDATE run_cursors SET advance = 1 WHERE root_run_pk = $1', [runPk]);
const outbox = (): Promise<{ kind: string; tries: number; last_error: string | null }[]> =>
  db.query('SELECT kind, tries, last_error FROM outbox ORDER BY id');
const isEmpty = async (): Promise<boolean> => (await outbox()).length === 0;
const makeDue = () =>
  db.query(`UPDATE outbox SET due_at = now() - interval '1 second' WHERE due_at < 'infinity'`);
const startsOf = (runPks: readonly string[]): string[] => runPks.map((runPk) => `start ${runPk}`).toSorted();

describe('delivery', () => {
  test('delivers what is in the outbox, many at a time, and removes it', async () => {
    const runs = await Promise.all(Array.from({ length: 100 }, () => accept(db)));
    const engine = dispatch();
    await until(isEmpty);
    expect(engine.calls.toSorted()).toEqual(startsOf(runs.map(({ runPk }) => runPk)));
  });

  test('several dispatchers share the work without repeating it', async () => {
    const runs = await Promise.all(Array.from({ length: 100 }, () => accept(db)));
    const engines = [dispatch(), dispatch(), dispatch()];
    await until(isEmpty);
    const calls = engines.flatMap((engine) => engine.calls);
    expect(calls.toSorted()).toEqual(startsOf(runs.map(({ runPk }) => runPk)));
  });

  test('an unknown outcome is tried again until it is known', async () => {
    let tries = 0;
    const run = await accept(db);
    dispatch({
      runs: {
        async start() {
          tries += 1;
          if (tries < 3) throw new Error('UNAVAILABLE');
          return 'already_started';
        },
      },
    });
    await until(isEmpty);
    expect(tries).toBe(3);
    expect(await db.query('SELECT status FROM runs WHERE id = $1', [run.runPk])).toEqual([
      { status: 'running' },
    ]);
  });

  test('kick delivers without waiting for the poll', async () => {
    const engine = dispatch();
    await until(isEmpty);
    const run = await accept(db);
    const [dispatcher] = started;
    dispatcher?.kick();
    await until(async () => engine.calls.includes(`start ${run.runPk}`));
  });

  test('after 20 tries and 15 minutes an entry is parked, and blocks nothing', async () => {
    const run = await accept(db);
    await db.query('TRUNCATE outbox');
    await addOutbox(db, { ...run, kind: 'resume', rootRunPk: run.runPk });
    await db.query(`UPDATE outbox SET tries = 19, created_at = now() - interval '16 minutes'`);
    const engine = dispatch({ runs: { resume: () => Promise.reject(new Error('broken')) } });
    await until(async () => (await outbox())[0]?.last_error === 'broken');
    await addOutbox(db, { ...run, kind: 'cancel', rootRunPk: run.runPk });
    await until(async () => engine.calls.includes(`cancel ${run.runPk}`));
    await until(async () => (await outbox()).length === 1);
    const parked = await db.query(`SELECT kind, due_at = 'infinity' AS parked FROM outbox`);
    expect(parked).toEqual([{ kind: 'resume', parked: true }]);
  });

  test.each([
    [18, 16],
    [30, 14],
  ])('after %i tries and %i minutes it is not', async (tries, minutes) => {
    const run = await accept(db);
    await db.query('TRUNCATE outbox');
    await addOutbox(db, { ...run, kind: 'resume', rootRunPk: run.runPk });
    await db.query('UPDATE outbox SET tries = $1, created_at = now() - make_interval(mins => $2)', [
      tries,
      minutes,
    ]);
    dispatch({ runs: { resume: () => Promise.reject(new Error('broken')) } });
    await until(async () => (await outbox())[0]?.last_error === 'broken');
    expect(await db.query(`SELECT due_at = 'infinity' AS parked FROM outbox`)).toEqual([{ parked: false }]);
  });

  test('every kind of entry outlives Temporal being away, however long that takes', async () => {
    const runs = await Promise.all(Array.from({ length: 2 }, () => accept(db)));
    const organizationId = await organization();
    await schedule(organizationId);
    await db.query(`DELETE FROM outbox WHERE kind = 'start'`);
    for (const [at, run] of runs.entries())
      await addOutbox(db, { ...run, kind: at === 0 ? 'resume' : 'cancel', rootRunPk: run.runPk });
    await uploadTo(
      { db, organizationId, dispatcher: { kick: () => undefined } },
      await storedBase(db, organizationId),
      'Patient.',
    );
    expect((await outbox()).map(({ kind }) => kind)).toEqual(['schedule', 'resume', 'cancel', 'ingest']);
    await db.query(`UPDATE outbox SET tries = 200, created_at = now() - interval '1 day'`);
    let isAway = true;
    const away = async (): Promise<void> => {
      if (isAway) throw new TemporalUnavailable('Temporal is away');
    };
    dispatch({
      runs: { resume: () => away().then(() => true), cancel: away },
      schedules: { put: away },
      ingests: { start: () => away().then(() => 'started' as const) },
    });
    await until(async () => (await outbox()).every((entry) => entry.last_error === 'Temporal is away'));
    isAway = false;
    await makeDue();
    await until(isEmpty);
  });

  test('a backlog of starts above the bound is noticed; other entries are none', async () => {
    const wait = (kind: string, count: number) =>
      db.query(
        `INSERT INTO outbox (kind, organization_id, subject_id, due_at)
         SELECT $1, gen_random_uuid(), gen_random_uuid(), now() + interval '1 hour' FROM generate_series(1, $2)`,
        [kind, count],
      );
    await wait('start', 10_001);
    await wait('ingest', 100);
    dispatch({}, { notifier: { notify: () => undefined } });
    const [dispatcher] = started;
    await until(async () => dispatcher?.isOverloaded === true);
    await db.query(`DELETE FROM outbox WHERE id = (SELECT min(id) FROM outbox WHERE kind = 'start')`);
    await until(async () => dispatcher?.isOverloaded === false);
  });

  test('an entry that no worker takes is delivered by the process that told of it, a while later', async () => {
    const notices: (string | null)[] = [];
    const engine = dispatch({}, { notifier: { notify: (organizationId) => notices.push(organizationId) } });
    await until(isEmpty);
    const run = await accept(db);
    const [dispatcher] = started;
    dispatcher?.kickStart(run.organizationId);
    dispatcher?.kick();
    expect(notices).toEqual([run.organizationId, null]);
    expect(await claimOutbox(db, { limit: 10, starts: anyStarts, headStartMs: 60_000 })).toEqual([]);
    await until(async () => engine.calls.includes(`start ${run.runPk}`));
  });

  test('a notified dispatcher delivers what another process has accepted', async () => {
    const engine = dispatch();
    await until(isEmpty);
    const [hearer] = started;
    const connected = new Promise<void>((resolve) => {
      const kick = (): void => resolve();
      const kickStart = (organizationId: string): void => hearer?.kickStart(organizationId);
      closers.push(listenForOutbox(db.url, log, { kick, kickStart }));
    });
    await connected;
    const heard: string[] = [];
    const run = await accept(db);
    const notifier = new OutboxNotifier(db, log);
    closers.push(
      listenForOutbox(db.url, log, {
        kick: () => notifier.notify(run.organizationId),
        kickStart: (organizationId) => heard.push(organizationId),
      }),
    );
    await until(async () => heard.length > 0);
    expect(new Set(heard)).toEqual(new Set([run.organizationId]));
    await until(async () => engine.calls.includes(`start ${run.runPk}`));
  });
});

describe('turns', () => {
  test('a signal does not overtake the start of its run', async () => {
    const run = await accept(db);
    await addOutbox(db, { ...run, kind: 'resume', rootRunPk: run.runPk });
    const first = await claim();
    expect(first.map(({ kind }) => kind)).toEqual(['start']);
    expect(await claim()).toEqual([]);
    await removeOutbox(
      db,
      first.map(({ outboxId }) => outboxId),
    );
    expect((await claim()).map(({ kind }) => kind)).toEqual(['resume']);
  });

  test.each(['start', 'resume', 'schedule', 'ingest'] as const)(
    'REL-outbox: organizations take turns with entries of kind %s, each in its own order',
    async (kind) => {
      const [flood, small] = [randomUUID(), randomUUID()];
      const insert = async (organizationId: string): Promise<string> => {
        const subjectId = randomUUID();
        await insertEntry(db, { kind, organizationId, subjectId });
        return subjectId;
      };
      const many: string[] = [];
      for (let entry = 0; entry < 6; entry += 1) many.push(await insert(flood));
      const few = [await insert(small), await insert(small)];
      const claimed = async (limit: number) => (await claim(limit)).map(({ subjectId }) => subjectId);
      expect(new Set(await claimed(4))).toEqual(new Set([...many.slice(0, 2), ...few]));
      expect(await claimed(10)).toEqual(many.slice(2));
    },
  );

  test('an entry is due at once, not half a millisecond later', async () => {
    // In one transaction it is the same moment for both.
    for (let round = 0; round < 20; round += 1) {
      const claimed = await db.transaction(async (tx) => {
        await insertEntry(tx, { kind: 'ingest', organizationId: randomUUID(), subjectId: randomUUID() });
        return claimOutbox(tx, { limit: 1, starts: anyStarts });
      });
      expect(claimed).toHaveLength(1);
    }
  });

  test('a flood of uploads holds up neither the starts nor the answers of its own organization', async () => {
    const organizationId = randomUUID();
    for (let entry = 0; entry < 6; entry += 1)
      await insertEntry(db, { kind: 'ingest', organizationId, subjectId: randomUUID() });
    for (const kind of ['start', 'resume'] as const)
      await insertEntry(db, { kind, organizationId, subjectId: randomUUID() });
    expect((await claim(3)).map(({ kind }) => kind)).toEqual(['ingest', 'start', 'resume']);
  });

  test("starts beyond an organization's capacity stay in the outbox and delay no other organization", async () => {
    const [flood, small] = [randomUUID(), randomUUID()];
    const many = await acceptInTurn(6, flood);
    const few = await acceptInTurn(2, small);
    const starts = { usual: 1, organizationIds: [flood], capacities: [3] };
    const claimed = await claimOutbox(db, { limit: 10, starts });
    expect(new Set(claimed.map(({ subjectId }) => subjectId))).toEqual(
      new Set([...many.slice(0, 3), few[0]]),
    );
  });

  test('a flood of one organization is started to its end, and does not hold up another', async () => {
    const [flood, small] = [randomUUID(), randomUUID()];
    const many = await acceptInTurn(8 * MAX_IN_FLIGHT_STARTS, flood);
    const [one = ''] = await acceptInTurn(1, small);
    let inFlight = 0;
    let mostInFlight = 0;
    const start: RunEngine['start'] = async ({ rootRunPk }) => {
      inFlight += 1;
      mostInFlight = Math.max(mostInFlight, inFlight);
      await advance(rootRunPk);
      inFlight -= 1;
      started[0]?.noteStarted(rootRunPk);
      return 'started';
    };
    const engine = dispatch({ runs: { start } });
    await until(isEmpty);
    expect(engine.calls.toSorted()).toEqual(startsOf([...many, one]));
    expect(engine.calls.indexOf(`start ${one}`)).toBeLessThanOrEqual(MAX_IN_FLIGHT_STARTS);
    expect(mostInFlight).toBeLessThanOrEqual(MAX_IN_FLIGHT_STARTS + 1);
  });

  test('runs that begin in another process free capacity without a notice', async () => {
    const many = await acceptInTurn(3 * MAX_IN_FLIGHT_STARTS, randomUUID());
    const start: RunEngine['start'] = async ({ rootRunPk }) => {
      await advance(rootRunPk);
      return 'started';
    };
    // On a clock that stands still, so that none of them is given up on.
    const engine = dispatch({ runs: { start } }, { clock: { ...systemClock, monotonic: () => 0 } });
    await until(isEmpty);
    expect(engine.calls.toSorted()).toEqual(startsOf(many));
  });

  test('REL-R15: runs that no worker begins are all started in the end, and wait in Temporal', async () => {
    let nowMs = 0;
    const runs = await acceptInTurn(2 * MAX_IN_FLIGHT_STARTS + 1, randomUUID());
    const engine = dispatch({}, { clock: { ...systemClock, monotonic: () => nowMs } });
    for (const told of [MAX_IN_FLIGHT_STARTS, 2 * MAX_IN_FLIGHT_STARTS, runs.length]) {
      await until(async () => engine.calls.length === told);
      await until(async () => (await outbox()).length === runs.length - told);
      nowMs += MAX_IN_FLIGHT_MS;
    }
    expect(engine.calls.toSorted()).toEqual(startsOf(runs));
  });
});

describe('runs', () => {
  const errorOf = async (runPk: string): Promise<unknown> => {
    const [row] = await db.query<{ status: string; code: string | null }>(
      `SELECT status, error->>'code' AS code FROM runs WHERE id = $1`,
      [runPk],
    );
    return row === undefined ? null : [row.status, row.code];
  };

  test('a refusal fails the run at once', async () => {
    const run = await accept(db);
    const engine = dispatch({
      runs: { start: () => Promise.reject(new TemporalRejected('invalid')) },
    });
    await until(isEmpty);
    expect(await errorOf(run.runPk)).toEqual(['failed', 'start_refused']);
    expect(engine.calls).toEqual([`start ${run.runPk}`, `cancel ${run.runPk}`]);
  });

  test('a run that Temporal could not be told of for 15 minutes fails, and is never started', async () => {
    const run = await accept(db);
    await db.query(`UPDATE outbox SET created_at = now() - interval '16 minutes', tries = 1`);
    const engine = dispatch();
    await until(isEmpty);
    expect(await errorOf(run.runPk)).toEqual(['failed', 'start_timeout']);
    expect(engine.calls).toEqual([`cancel ${run.runPk}`]);
  });

  test.each([
    [50, '14 minutes'],
    [0, '16 minutes'],
  ])('one that was tried %i times within %s is started', async (tries, age) => {
    const run = await accept(db);
    await db.query('UPDATE outbox SET created_at = now() - $1::interval, tries = $2', [age, tries]);
    const engine = dispatch();
    await until(isEmpty);
    expect([engine.calls, await errorOf(run.runPk)]).toEqual([[`start ${run.runPk}`], ['running', null]]);
  });

  test.each(['running', 'interrupted', 'completed', 'failed', 'cancelled'])(
    'REL-G2: a delivery whose record was lost is not repeated when the run has begun and is %s',
    async (status) => {
      const run = await accept(db);
      await advance(run.runPk);
      await db.query('UPDATE runs SET status = $2 WHERE id = $1', [run.runPk, status]);
      await db.query(`UPDATE outbox SET created_at = now() - interval '2 days', tries = 30`);
      const engine = dispatch();
      await until(isEmpty);
      expect([engine.calls, await errorOf(run.runPk)]).toEqual([[], [status, null]]);
    },
  );

  test('a run whose record begins with what it reuses of another is started', async () => {
    const run = await accept(db);
    await appendEvents(db, run.runPk, [{ type: 'node_reused', payload: {} }]);
    const engine = dispatch();
    await until(isEmpty);
    expect(engine.calls).toEqual([`start ${run.runPk}`]);
  });

  test('a run that was cancelled before its start is not started; the cancel follows', async () => {
    const run = await accept(db);
    await cancelRun(db, { ...run, rootRunPk: run.runPk }, null);
    const engine = dispatch();
    await until(isEmpty);
    expect(engine.calls).toEqual([`cancel ${run.runPk}`]);
  });

  test('an answer whose execution is gone ends cancelled, with its questions', async () => {
    const run = await accept(db);
    await db.query('TRUNCATE outbox');
    const [first = '', second = ''] = await ask(db, run.runId, approval, approval);
    const segment = await db.transaction(async (tx) => {
      const opened = await openSegment(tx, run.runPk, null);
      const answers = [{ interruptId: first, action: 'approve', data: {} }];
      const claimed = {
        ...run,
        rootRunPk: run.runPk,
        segmentRunPk: opened.runPk,
        respondedBy: null,
        answers,
      };
      expect(await claimInterrupts(tx, claimed)).toBe(true);
      return opened;
    });
    dispatch({ runs: { resume: async () => false } });
    await until(isEmpty);
    expect(await errorOf(segment.runPk)).toEqual(['cancelled', null]);
    const rows = await db.query('SELECT DISTINCT status FROM run_interrupts WHERE id IN ($1, $2)', [
      first,
      second,
    ]);
    expect(rows).toEqual([{ status: 'cancelled' }]);
  });
});

describe('schedules', () => {
  test('a change that is made during a delivery is delivered after it, never beside it', async () => {
    const told: string[] = [];
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    dispatch({
      schedules: {
        async put({ revision }) {
          told.push(`begin ${revision}`);
          if (revision === 1) await held;
          told.push(`end ${revision}`);
        },
      },
    });
    const id = await schedule(await organization());
    await until(async () => told.length === 1);
    await db.query(`UPDATE schedules SET enabled = false WHERE id = $1`, [id]);
    expect(await claim()).toEqual([]);
    release();
    await until(isEmpty);
    expect(told).toEqual(['begin 1', 'end 1', 'begin 2', 'end 2']);
  });

  test('one that is gone is removed in Temporal; one that Temporal refuses is disabled', async () => {
    const removed: string[] = [];
    const organizationId = await organization();
    const [refused, gone] = [await schedule(organizationId), await schedule(organizationId)];
    await db.query('DELETE FROM schedules WHERE id = $1', [gone]);
    dispatch({
      schedules: {
        put: ({ enabled }) => (enabled ? Promise.reject(new TemporalRejected('no cron')) : Promise.resolve()),
        remove: async (scheduleId) => void removed.push(scheduleId),
      },
    });
    await until(isEmpty);
    expect(new Set(removed)).toEqual(new Set([gone]));
    expect(await db.query('SELECT enabled, disabled_reason FROM schedules WHERE id = $1', [refused])).toEqual(
      [{ enabled: false, disabled_reason: 'The schedule was rejected: no cron' }],
    );
  });

  test('a change takes the place of an entry that was parked', async () => {
    const id = await schedule(await organization());
    await db.query(`UPDATE outbox SET due_at = 'infinity', last_error = 'broken'`);
    await db.query(`UPDATE schedules SET enabled = false WHERE id = $1`, [id]);
    expect(await outbox()).toEqual([{ kind: 'schedule', tries: 0, last_error: null }]);
  });
});
