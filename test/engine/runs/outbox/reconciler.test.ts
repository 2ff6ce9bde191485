/** A run would say "running" for ever after Temporal has lost or ended it, or one that runs would be ended. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Janitor } from '../../../../src/engine/runs/outbox/janitor.ts';
import { NamespaceGuard, adoptNamespace } from '../../../../src/engine/runs/outbox/namespace-guard.ts';
import { Reconciler } from '../../../../src/engine/runs/outbox/reconciler.ts';
import { runHandlers } from '../../../../src/engine/runs/outbox/run-handlers.ts';
import { appendEvents, closeRun } from '../../../../src/engine/runs/ledger/write/events.ts';
import { openSegment } from '../../../../src/engine/runs/ledger/questions/interrupts.ts';
import { registers } from '../../../../src/base/observe/metrics.ts';
import { createLog } from '../../../../src/base/log.ts';
import type { OutboxEntry } from '../../../../src/platform/outbox/outbox.ts';
import { systemClock } from '../../../../src/base/clock.ts';
import { TemporalUnavailable } from '../../../../src/base/errors.ts';
import type { ExecutionState, RunEngine, TaskFailures } from '../../../../src/engine/runs/engine.ts';
import { openTestDatabase, type TestDb } from '../../../support/database.ts';
import { approval, ask } from '../../../support/questions.ts';
import { accept, fakeEngine } from '../../../support/runs.ts';

let db: TestDb;
const log = createLog('silent', 'test');
beforeAll(async () => {
  db = await openTestDatabase();
});
beforeEach(() => db.query('TRUNCATE runs, outbox CASCADE'));
afterAll(() => db.close());

const guardOf = (engine: RunEngine): NamespaceGuard => new NamespaceGuard({ db, engine, clock: systemClock });
const reconcile = (engine: RunEngine, told = log): Reconciler =>
  new Reconciler({ db, engine, guard: guardOf(engine), log: told });

type Accepted = Awaited<ReturnType<typeof accept>>;

/** A run that Temporal was told of and that has been quiet for a minute. */
async function quiet(more: Parameters<typeof accept>[1] = {}): Promise<Accepted> {
  const run = await accept(db, more);
  await db.query('DELETE FROM outbox WHERE subject_id = $1', [run.runPk]);
  await db.query(`UPDATE runs SET last_event_at = now() - interval '1 minute' WHERE id = $1`, [run.runPk]);
  return run;
}

function reconcilerAt(state: Partial<ExecutionState>): { reconciler: Reconciler; calls: string[] } {
  const engine = fakeEngine({
    describe: async () => ({ status: 'RUNNING', heartbeats: [], workflowTaskAttempt: 0, ...state }),
  });
  return { reconciler: reconcile(engine), calls: engine.calls };
}

async function outcomeOf(run: { runPk: string }): Promise<unknown> {
  const [row] = await db.query(
    `SELECT status, error->>'code' AS code, (SELECT count(*) FROM run_events WHERE run_pk = runs.id AND type LIKE 'run_%'
       AND type <> 'run_started') AS ends FROM runs WHERE id = $1`,
    [run.runPk],
  );
  return row;
}

describe('reconciler', () => {
  test.each([
    ['NOT_FOUND', 'failed', 'lost_execution'],
    ['COMPLETED', 'failed', 'lost_execution'],
    ['FAILED', 'failed', 'lost_execution'],
    ['TERMINATED', 'failed', 'terminated'],
    ['TIMED_OUT', 'failed', 'timed_out'],
    ['CANCELLED', 'cancelled', null],
  ])('a running row whose execution is %s becomes %s', async (execution, status, code) => {
    const run = await quiet();
    expect(await reconcilerAt({ status: execution }).reconciler.sweep()).toBe(1);
    expect(await outcomeOf(run)).toEqual({ status, code, ends: 1 });
    expect(await reconcilerAt({ status: execution }).reconciler.sweep()).toBe(0);
  });

  /** An execution whose workflow task does not complete. */
  const stalledAt = (attempt: number, failures: Partial<TaskFailures>, more: Partial<RunEngine> = {}) =>
    fakeEngine({
      describe: async () => ({ status: 'RUNNING', heartbeats: [], workflowTaskAttempt: attempt }),
      readTaskFailures: async () => ({ byCode: 0, isMissingKey: false, isUnrecorded: false, ...failures }),
      ...more,
    });

  test('a running execution is left alone; one whose code has failed five times is terminated', async () => {
    const run = await quiet();
    await reconcile(stalledAt(1, { byCode: 5 })).sweep();
    await reconcile(stalledAt(9, { byCode: 4 })).sweep();
    expect(await outcomeOf(run)).toEqual({ status: 'running', code: null, ends: 0 });
    const engine = stalledAt(2, { byCode: 5 });
    await reconcile(engine).sweep();
    expect(await outcomeOf(run)).toEqual({ status: 'failed', code: 'poison', ends: 1 });
    expect(engine.calls).toContain(`terminate ${run.runPk}`);
  });

  test('time-outs alone end no run, however many they are; the operator sees how many runs stand still', async () => {
    const run = await quiet();
    const lines: { readonly stalled?: number }[] = [];
    const told = createLog('warn', 'test', { write: (line) => void lines.push(JSON.parse(line)) });
    const readStalled = async (): Promise<number | undefined> =>
      (await registers[0]?.getSingleMetric('runs_stalled')?.get())?.values[0]?.value;
    expect(await reconcile(stalledAt(600, { byCode: 0 }), told).sweep()).toBe(0);
    expect(await outcomeOf(run)).toEqual({ status: 'running', code: null, ends: 0 });
    expect(lines).toMatchObject([{ stalled: 1 }]);
    expect(await readStalled()).toBe(1);
    await reconcile(stalledAt(1, {}), told).sweep();
    expect(await readStalled()).toBe(0);
    expect(lines).toHaveLength(1);
  });

  test.each([
    ['a failure of the code, and nothing since', 2, { byCode: 1, isUnrecorded: true }, true],
    ['a failure of the code, and an event since', 2, { byCode: 1 }, false],
    ['few time-outs', 5, { isUnrecorded: true }, false],
    ['many time-outs, which may hide failures', 6, { isUnrecorded: true }, true],
    ['many attempts, the next one recorded', 6, {}, false],
    ['a missing key', 60, { isUnrecorded: true, isMissingKey: true }, false],
  ])('%s: an event makes Temporal record the next attempt', async (_, attempt, failures, isSent) => {
    const run = await quiet();
    const engine = stalledAt(attempt, failures);
    expect(await reconcile(engine).sweep()).toBe(0);
    expect(engine.calls.includes(`resume ${run.runPk}`)).toBe(isSent);
  });

  test('one that is terminated because it cannot proceed is locked by then: its parent reads why', async () => {
    const run = await quiet();
    const seen: unknown[] = [];
    const engine = stalledAt(
      6,
      { byCode: 5 },
      {
        terminate: async () => {
          const lock = 'SELECT 1 FROM runs WHERE id = $1 FOR UPDATE NOWAIT';
          seen.push(await db.query(lock, [run.runPk]).catch((error: { code: string }) => error.code));
        },
      },
    );
    await reconcile(engine).sweep();
    expect(seen).toEqual(['55P03']);
    expect(await outcomeOf(run)).toEqual({ status: 'failed', code: 'poison', ends: 1 });
  });

  test('one that cannot be terminated stays open, and is tried again', async () => {
    const run = await quiet();
    const away = { terminate: () => Promise.reject(new Error('unavailable')) };
    expect(await reconcile(stalledAt(6, { byCode: 5 }, away)).sweep()).toBe(0);
    expect(await outcomeOf(run)).toEqual({ status: 'running', code: null, ends: 0 });
    expect(await reconcile(stalledAt(6, { byCode: 5 })).sweep()).toBe(1);
  });

  test('an execution that no worker has the key of is left to wait', async () => {
    const run = await quiet();
    const engine = stalledAt(60, { isMissingKey: true });
    expect(await reconcile(engine).sweep()).toBe(0);
    expect(await outcomeOf(run)).toEqual({ status: 'running', code: null, ends: 0 });
    expect(engine.calls).not.toContain(`terminate ${run.runPk}`);
  });

  test('a namespace that is not that of the runs ends none of them, until an operator adopts it', async () => {
    const run = await quiet();
    await db.query('TRUNCATE temporal_namespace');
    const at = (namespaceId: string, status: string) =>
      fakeEngine({
        describe: async () => ({ status, heartbeats: [], workflowTaskAttempt: 0 }),
        readNamespace: async () => ({ name: 'default', namespaceId }),
      });
    const lines: string[] = [];
    const told = createLog('error', 'test', { write: (line) => void lines.push(line) });
    await reconcile(at('first', 'RUNNING'), told).sweep();
    const fresh = at('fresh', 'NOT_FOUND');
    expect(await reconcile(fresh, told).sweep()).toBe(0);
    expect(await outcomeOf(run)).toEqual({ status: 'running', code: null, ends: 0 });
    expect(lines.join()).toMatch(/id fresh.*is not the one.*id first.*temporal:adopt/);
    expect(await adoptNamespace({ db, engine: fresh })).toMatchObject({
      from: { namespaceId: 'first' },
      to: { namespaceId: 'fresh' },
    });
    expect(await reconcile(fresh, told).sweep()).toBe(1);
    expect(await outcomeOf(run)).toEqual({ status: 'failed', code: 'lost_execution', ends: 1 });
  });

  test('an answer is kept for the namespace of its run: in another one it would cancel the run', async () => {
    await db.query('TRUNCATE temporal_namespace');
    const run = await quiet();
    const at = (namespaceId: string) =>
      fakeEngine({
        resume: async () => false,
        readNamespace: async () => ({ name: 'default', namespaceId }),
      });
    const entry = { organizationId: run.organizationId, subjectId: run.runPk } as OutboxEntry;
    await reconcile(at('first')).sweep();
    await expect(
      runHandlers({ db, engine: at('fresh'), guard: guardOf(at('fresh')) }).resume.deliver(entry),
    ).rejects.toThrow('is not the one');
    expect(await outcomeOf(run)).toMatchObject({ status: 'running' });
  });

  describe('a Temporal that is replaced after a good look at it', () => {
    /** The former server at first. */
    function replaceable(answers: Parameters<typeof fakeEngine>[0] = {}) {
      let isReplaced = false;
      const engine = fakeEngine({
        describe: async () => ({
          status: isReplaced ? 'NOT_FOUND' : 'RUNNING',
          heartbeats: [],
          workflowTaskAttempt: 0,
        }),
        resume: async () => !isReplaced,
        readNamespace: async () => ({ name: 'default', namespaceId: isReplaced ? 'fresh' : 'first' }),
        ...answers,
      });
      return { engine, guard: guardOf(engine), replace: () => (isReplaced = true) };
    }
    beforeEach(() => db.query('TRUNCATE temporal_namespace'));

    test('ends no run: neither a running nor a waiting one', async () => {
      const [running, waiting] = [await quiet(), await quiet()];
      await ask(db, waiting.runId, approval);
      const { engine, guard, replace } = replaceable();
      const reconciler = new Reconciler({ db, engine, guard, log });
      await guard.require();
      replace();
      expect(await reconciler.sweep()).toBe(0);
      expect(await outcomeOf(running)).toMatchObject({ status: 'running', code: null });
      expect(await outcomeOf(waiting)).toMatchObject({ status: 'interrupted', code: null });
      // The next one knows, without asking for a run.
      await expect(guard.require()).rejects.toThrow('is not the one');
      await adoptNamespace({ db, engine });
      const adopted = new Reconciler({ db, engine, guard, log });
      expect(await adopted.sweep()).toBe(2);
    });

    test('cancels no run whose answer it cannot take, nor one that it cannot tell about', async () => {
      const run = await quiet();
      const entry = { organizationId: run.organizationId, subjectId: run.runPk } as OutboxEntry;
      const { engine, guard, replace } = replaceable();
      const { resume } = runHandlers({ db, engine, guard });
      await resume.deliver(entry);
      replace();
      await expect(resume.deliver(entry)).rejects.toThrow('is not the one');
      const silent = replaceable({
        resume: async () => false,
        readNamespace: () => Promise.reject(new TemporalUnavailable('no answer')),
      });
      await expect(silent.guard.requireNow()).rejects.toThrow('no answer');
      expect(await outcomeOf(run)).toMatchObject({ status: 'running', code: null });
      await adoptNamespace({ db, engine });
      await resume.deliver(entry);
      expect(await outcomeOf(run)).toMatchObject({ status: 'cancelled' });
    });

    test('is seen before schedules and ingests are compared with it', async () => {
      const done: string[] = [];
      const note = (what: string) => async () => void done.push(what);
      const handler = { deliver: note('deliver'), reject: note('reject'), check: note('check') };
      const { guard, replace } = replaceable();
      const guarded = guard.wrap(handler);
      await guarded.deliver({} as OutboxEntry);
      replace();
      await expect(guarded.check?.()).rejects.toThrow('is not the one');
      expect(done).toEqual(['deliver']);
    });
  });

  test('schedules and ingests are neither delivered to a foreign namespace nor compared with it', async () => {
    await db.query('TRUNCATE temporal_namespace');
    const at = (namespaceId: string) =>
      fakeEngine({ readNamespace: async () => ({ name: 'default', namespaceId }) });
    const done: string[] = [];
    const note = (what: string) => async () => void done.push(what);
    const handler = { deliver: note('deliver'), reject: note('reject'), check: note('check') };
    const entry = {} as OutboxEntry;
    await guardOf(at('first')).wrap(handler).deliver(entry);
    const foreign = guardOf(at('fresh')).wrap(handler);
    await expect(foreign.deliver(entry)).rejects.toThrow('is not the one');
    await expect(foreign.check?.()).rejects.toThrow('is not the one');
    expect(done).toEqual(['deliver']);
  });

  test('young runs, and runs that Temporal has not been told of, are not judged', async () => {
    const young = await quiet();
    await appendEvents(db, young.runPk, [{ type: 'progress', payload: {} }]);
    const untold = await accept(db);
    await db.query(`UPDATE runs SET last_event_at = now() - interval '1 minute' WHERE id = $1`, [
      untold.runPk,
    ]);
    const { reconciler, calls } = reconcilerAt({ status: 'NOT_FOUND' });
    await reconciler.sweep();
    expect(calls).toEqual([]);
  });

  test('a sub-workflow that is not started yet is not lost while its parent is open', async () => {
    const parent = await quiet();
    const child = await quiet({ organizationId: parent.organizationId });
    await db.query('UPDATE runs SET parent_run_pk = $2 WHERE id = $1', [child.runPk, parent.runPk]);
    await db.query('UPDATE runs SET last_event_at = now() WHERE id = $1', [parent.runPk]);
    const { reconciler } = reconcilerAt({ status: 'NOT_FOUND' });
    await reconciler.sweep();
    expect(await outcomeOf(child)).toMatchObject({ status: 'running' });
    await closeRun(db, { runPk: parent.runPk, from: ['running'], status: 'failed', payload: {} });
    await reconciler.sweep();
    expect(await outcomeOf(child)).toMatchObject({ status: 'failed' });
  });

  test('a question whose execution is gone is cancelled with its run', async () => {
    const run = await quiet();
    const [interruptId] = await ask(db, run.runId, approval);
    await reconcilerAt({}).reconciler.sweep();
    expect(await outcomeOf(run)).toMatchObject({ status: 'interrupted' });
    await reconcilerAt({ status: 'NOT_FOUND' }).reconciler.sweep();
    expect(await outcomeOf(run)).toEqual({ status: 'cancelled', code: null, ends: 1 });
    expect(await db.query('SELECT status FROM run_interrupts WHERE id = $1', [interruptId])).toEqual([
      { status: 'cancelled' },
    ]);
  });

  test('a run that has not taken its answer is woken again; one without an answer is not', async () => {
    const asked = await quiet();
    const [interruptId] = await ask(db, asked.runId, approval);
    const silent = await quiet();
    const resumed = await quiet({ organizationId: asked.organizationId });
    await db.query('UPDATE runs SET root_run_pk = $2 WHERE id = $1', [resumed.runPk, asked.runPk]);
    await db.query(`UPDATE run_interrupts SET status = 'claimed' WHERE id = $1`, [interruptId]);
    const { reconciler, calls } = reconcilerAt({});
    await reconciler.sweep();
    expect(calls).toContain(`resume ${asked.runPk}`);
    expect(calls).not.toContain(`resume ${silent.runPk}`);
    await db.query(`UPDATE run_interrupts SET status = 'consumed' WHERE id = $1`, [interruptId]);
    const later = reconcilerAt({});
    await later.reconciler.sweep();
    expect(later.calls.filter((call) => call.startsWith('resume'))).toEqual([]);
  });

  test('more quiet runs than a page are all looked at in turn', async () => {
    const organizationId = randomUUID();
    await Promise.all(Array.from({ length: 150 }, () => quiet({ organizationId })));
    const { reconciler, calls } = reconcilerAt({});
    await reconciler.sweep();
    await reconciler.sweep();
    expect(new Set(calls).size).toBe(150);
  });

  test('Temporal away: nothing is decided', async () => {
    const run = await quiet();
    const engine = fakeEngine({ describe: () => Promise.reject(new Error('UNAVAILABLE')) });
    expect(await reconcile(engine).sweep()).toBe(0);
    expect(await outcomeOf(run)).toMatchObject({ status: 'running' });
  });
});

describe('janitor', () => {
  const ended = async (run: Accepted, ago: string): Promise<void> => {
    await closeRun(db, { runPk: run.runPk, from: ['running'], status: 'completed', payload: {} });
    await db.query('UPDATE runs SET completed_at = now() - $2::interval WHERE id = $1', [run.runPk, ago]);
    await db.query('UPDATE run_events SET created_at = now() - $2::interval WHERE run_pk = $1', [
      run.runPk,
      ago,
    ]);
  };
  const eventsOf = (run: Accepted): Promise<object[]> =>
    db.query('SELECT type FROM run_events WHERE run_pk = $1 ORDER BY seq', [run.runPk]);

  test('deletes what has expired and nothing else', async () => {
    const [fresh, hours, days, waiting, ephemeral] = [
      await quiet(),
      await quiet(),
      await quiet(),
      await quiet(),
      await quiet({ ephemeral: true }),
    ];
    for (const run of [fresh, hours, days])
      await appendEvents(db, run.runPk, [{ type: 'token', payload: {} }]);
    await ended(fresh, '10 minutes');
    await ended(hours, '2 hours');
    await ended(days, '25 hours');
    await ended(ephemeral, '2 hours');
    await ask(db, waiting.runId, approval);
    await db.query(`UPDATE runs SET completed_at = now() - interval '3 days' WHERE id = $1`, [waiting.runPk]);
    await db.query(
      `INSERT INTO idempotency_keys (organization_id, key, body_hash, created_at)
       VALUES ($1, 'old', '', now() - interval '25 hours'), ($1, 'new', '', now())`,
      [randomUUID()],
    );
    await new Janitor({ db, log }).sweep();
    expect(await eventsOf(fresh)).toEqual([
      { type: 'run_started' },
      { type: 'token' },
      { type: 'run_completed' },
    ]);
    expect(await eventsOf(hours)).toEqual([{ type: 'run_started' }, { type: 'run_completed' }]);
    expect(await eventsOf(days)).toEqual([]);
    expect(await eventsOf(waiting)).toHaveLength(2);
    expect(await outcomeOf(days)).toMatchObject({ status: 'completed' });
    expect(await outcomeOf(ephemeral)).toBeUndefined();
    expect(await db.query('SELECT key FROM idempotency_keys')).toEqual([{ key: 'new' }]);
  });

  test('an ephemeral run goes with the runs below it, an hour after the last of them has ended', async () => {
    const organizationId = randomUUID();
    const below = (parentRunPk: string): Promise<Accepted> =>
      quiet({ organizationId, ephemeral: true, parentRunPk, parentStepId: randomUUID(), childDepth: 1 });
    const remaining = async (): Promise<string[]> => {
      await new Janitor({ db, log }).sweep();
      const rows = await db.query<{ id: string }>('SELECT id FROM runs WHERE organization_id = $1', [
        organizationId,
      ]);
      return rows.map(({ id }) => id).toSorted();
    };
    const top = await quiet({ organizationId, ephemeral: true });
    const [done, asking] = [await below(top.runPk), await below(top.runPk)];
    const all = [top, done, asking].map(({ runPk }) => runPk).toSorted();
    await ended(done, '3 hours');
    const [question = ''] = await ask(db, asking.runId, approval);
    await db.query(`UPDATE runs SET completed_at = now() - interval '2 hours' WHERE id = $1`, [asking.runPk]);
    // The run at the top waits for one below, which waits for a person.
    expect(await remaining()).toEqual(all);
    await db.query(`UPDATE run_interrupts SET status = 'claimed' WHERE id = $1`, [question]);
    const next = await db.transaction((tx) => openSegment(tx, asking.runPk, null));
    const withNext = [...all, next.runPk].toSorted();
    expect(await remaining()).toEqual(withNext);
    await ended(top, '2 hours');
    // One below, for which nobody waits, still runs.
    expect(await remaining()).toEqual(withNext);
    await ended({ ...asking, runPk: next.runPk }, '2 hours');
    expect(await remaining()).toEqual([]);
  });

  test('an ephemeral run whose run above is gone goes alone', async () => {
    const left = await quiet({ ephemeral: true, parentRunPk: randomUUID(), parentStepId: randomUUID() });
    await ended(left, '2 hours');
    await new Janitor({ db, log }).sweep();
    expect(await outcomeOf(left)).toBeUndefined();
  });

  test('a stage that fails keeps no other from its work, is named, and shows by its age', async () => {
    const readStages = async (): Promise<Record<string, number>> => {
      const metric = registers[0]?.getSingleMetric('janitor_last_success_timestamp_seconds');
      const { values = [] } = (await metric?.get()) ?? {};
      return Object.fromEntries(values.map(({ labels, value }) => [String(labels['stage']), value]));
    };
    const lines: { readonly stage?: string }[] = [];
    const told = createLog('warn', 'test', { write: (line) => void lines.push(JSON.parse(line)) });
    const janitor = new Janitor({ db, log: told });
    await janitor.sweep();
    const before = await readStages();
    const [key, run] = ['x'.repeat(8), await quiet()];
    await ended(run, '25 hours');
    await db.query(
      `INSERT INTO idempotency_keys (organization_id, key, body_hash, created_at) VALUES ($1, $2, '', now() - interval '25 hours')`,
      [randomUUID(), key],
    );
    await db.query('ALTER TABLE hook_deliveries RENAME TO hook_deliveries_away');
    await db.query('ALTER TABLE callback_answers RENAME TO callback_answers_away');
    try {
      await janitor.sweep();
    } finally {
      await db.query('ALTER TABLE hook_deliveries_away RENAME TO hook_deliveries');
      await db.query('ALTER TABLE callback_answers_away RENAME TO callback_answers');
    }
    expect(lines.map(({ stage }) => stage)).toEqual(['deliveries', 'callbacks']);
    expect(await eventsOf(run)).toEqual([]);
    const after = await readStages();
    const older = Object.keys(after).filter((stage) => after[stage] === before[stage]);
    expect(older.toSorted()).toEqual(['callbacks', 'deliveries']);
    expect(after['audit']).toBeGreaterThan(before['audit'] ?? 0);
  });

  test('deletes ended runs after the retention of their organization, and none of others', async () => {
    const [organization] = await db.query<{ id: string }>(
      `INSERT INTO organizations (name, slug, run_retention_days) VALUES ('Short', $1, 30) RETURNING id`,
      [randomUUID()],
    );
    const own = { organizationId: organization?.id ?? '' };
    const [old, young, waiting, foreign] = [
      await quiet(own),
      await quiet(own),
      await quiet(own),
      await quiet(),
    ];
    for (const [run, ago] of [
      [old, '31 days'],
      [young, '20 days'],
      [foreign, '400 days'],
    ] as const)
      await ended(run, ago);
    await ask(db, waiting.runId, approval);
    await db.query(
      `UPDATE runs SET created_at = created_at - interval '500 days', completed_at = completed_at - interval '1 day'`,
    );
    await new Janitor({ db, log }).sweep();
    expect(await outcomeOf(old)).toBeUndefined();
    for (const run of [young, waiting, foreign]) expect(await outcomeOf(run)).toBeDefined();
  });

  test('deletes the values of ended runs after the retention of their workflow or organization, and keeps their rows', async () => {
    const [own] = await db.query<{ organizationId: string; workflowId: string }>(
      `WITH o AS (INSERT INTO organizations (name, slug, value_retention_days) VALUES ('Short', $1, 30) RETURNING id),
            w AS (INSERT INTO workflows (organization_id, name, workflow_schema) SELECT id, 'Kept', '{}' FROM o RETURNING id, organization_id),
            k AS (INSERT INTO workflow_retention (workflow_id, organization_id, value_retention_days, run_retention_days)
                  SELECT id, organization_id, 90, 400 FROM w)
       SELECT id AS "workflowId", organization_id AS "organizationId" FROM w`,
      [randomUUID()],
    );
    const { organizationId, workflowId } = own ?? { organizationId: '', workflowId: '' };
    const values = { organizationId, runInput: { card: 4_242 } };
    const runs = {
      old: await quiet(values),
      waiting: await quiet(values),
      kept: await quiet({ ...values, workflowId }),
      keptLong: await quiet({ ...values, workflowId }),
      gone: await quiet({ ...values, workflowId }),
      foreign: await quiet({ runInput: { card: 4_242 } }),
    };
    await ask(db, runs.waiting.runId, approval);
    for (const [run, ago] of [
      [runs.old, '31 days'],
      [runs.kept, '31 days'],
      [runs.keptLong, '91 days'],
      [runs.gone, '401 days'],
      [runs.foreign, '401 days'],
    ] as const)
      await ended(run, ago);
    await db.query(
      `UPDATE runs SET created_at = created_at - interval '500 days',
                       config = (config::jsonb || '{"openai_response": {"instructions": "4242"}}')::json`,
    );
    await new Janitor({ db, log }).sweep();
    const rows = await db.query<{ id: string; card: string | null; has_values: boolean }>(
      `SELECT id, input->>'card' AS card, config->'openai_response'->>'instructions' AS instructions,
              values_deleted_at IS NULL AS has_values FROM runs`,
    );
    const found = new Map(rows.map(({ id, ...row }) => [id, row]));
    const [whole, empty] = [
      { card: '4242', instructions: '4242', has_values: true },
      { card: null, instructions: null, has_values: false },
    ];
    expect(
      Object.fromEntries(Object.entries(runs).map(([name, run]) => [name, found.get(run.runPk)])),
    ).toEqual({
      old: empty,
      waiting: whole,
      kept: whole,
      keptLong: empty,
      gone: undefined,
      foreign: whole,
    });
  });
});
