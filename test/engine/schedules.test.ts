/**
 * A schedule would not fire, fire twice, or go on after it was paused or deleted. The server is a real Temporal,
 * whose times must be those that are computed here.
 */
import { randomUUID } from 'node:crypto';
import { Client, Connection, type ScheduleDescription, type ScheduleHandle } from '@temporalio/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { ScheduleSyncer } from '../../src/engine/schedules/schedule-syncer.ts';
import type { JsonObject } from '../../src/language/graph/values/value.ts';
import type { AcceptedRun } from '../../src/engine/runs/accept/accept.ts';
import { createLog } from '../../src/base/log.ts';
import { parseCron } from '../../src/language/cron/cron.ts';
import { findNextTime } from '../../src/language/cron/next-time.ts';
import { createSchedule, triggerSchedule } from '../../src/engine/schedules/api/service.ts';
import { newSchedule } from '../../src/engine/schedules/api/schema.ts';
import { type ScheduleSettings } from '../../src/engine/schedules/schedule-engine.ts';
import { SCHEDULED_WORKFLOW_TYPE, toTemporalScheduleId } from '../../temporal/contract.ts';
import { chain, http, node, transform } from '../support/definitions.ts';
import type { TestEngine } from '../support/engine.ts';
import { startEngineWithRecorder } from '../support/engine-with-servers.ts';
import type { HttpRecorder } from '../support/http-recorder.ts';
import { cancel, closedAs, deploy, eventually, owner, workflowIdOf } from '../support/journeys.ts';

let engine: TestEngine;
let recorder: HttpRecorder;
let connection: Connection;
let client: Client;
beforeAll(async () => {
  ({ engine, recorder } = await startEngineWithRecorder());
  await engine.db.query(`UPDATE organizations SET plan = 'enterprise'`);
  connection = await Connection.connect({ address: engine.config.temporal.address });
  client = new Client({ connection });
});
afterAll(async () => {
  await engine.db.query('DELETE FROM schedules');
  await eventually(async () => ((await untold()) === 0 ? true : null));
  await engine.close();
  await connection.close();
});

const untold = async (): Promise<number> =>
  (await engine.db.query(`SELECT 1 FROM outbox WHERE kind = 'schedule'`)).length;
const handleOf = (scheduleId: string): ScheduleHandle =>
  client.schedule.getHandle(toTemporalScheduleId(scheduleId));
const describe = (scheduleId: string) => handleOf(scheduleId).describe();
/** Waits until Temporal shows a change: it confirms one before it shows it. */
const shown = (
  scheduleId: string,
  isAsChanged: (schedule: ScheduleDescription) => boolean,
): Promise<ScheduleDescription> =>
  eventually(async () => {
    const schedule = await describe(scheduleId);
    return isAsChanged(schedule) ? schedule : null;
  });
const isGone = async (scheduleId: string): Promise<boolean> =>
  describe(scheduleId).then(
    () => false,
    (error: unknown) => error instanceof Error && error.name === 'ScheduleNotFoundError',
  );

/** A schedule that is never due while the tests run, in Temporal when this returns. */
async function schedule(definition: JsonObject, more: object = {}): Promise<string> {
  return plan(await deploy(engine, definition), more);
}
async function plan(workflowId: string, more: object = {}): Promise<string> {
  const body = newSchedule.parse({
    workflow_id: workflowId,
    name: 'Yearly',
    cron_expression: '0 0 1 1 *',
    ...more,
  });
  // The scope's user is none of the table.
  const row = await engine.db.query<{ id: string }>(
    `INSERT INTO users (subject, email) VALUES ($1, 'owner@example.com') RETURNING id`,
    [randomUUID()],
  );
  const scope = owner(engine);
  const caller = { ...scope.caller, userId: row[0]?.id ?? '' };
  const { id } = await createSchedule(engine, { ...scope, caller }, body);
  await inStep();
  return id;
}
const inStep = (): Promise<true> => eventually(async () => ((await untold()) === 0 ? true : null));
const fire = (scheduleId: string): Promise<void> =>
  triggerSchedule({ ...engine, log: createLog('silent', 'test') }, owner(engine), scheduleId);
/** Fires once more. Temporal takes two firings of one second for one, so this waits for the next second. */
async function fireAgain(scheduleId: string): Promise<void> {
  const second = (): number => Math.floor(Date.now() / 1_000);
  const now = second();
  await eventually(() => Promise.resolve(second() > now ? true : null));
  await fire(scheduleId);
}

interface Fired extends AcceptedRun {
  readonly status: string;
  readonly code: string | null;
}
const runsOf = (scheduleId: string): Promise<Fired[]> =>
  engine.db.query<Fired>(
    `SELECT r.id AS "runPk", r.run_id AS "runId", r.thread_id AS "threadId", r.chat_id AS "chatId",
            r.created_at AS "createdAt", r.status, r.error->>'code' AS code
     FROM schedule_firings f JOIN runs r ON r.id = f.run_pk WHERE f.schedule_id = $1 ORDER BY r.created_at`,
    [scheduleId],
  );
const run = (scheduleId: string, number = 1): Promise<Fired> =>
  eventually(async () => (await runsOf(scheduleId))[number - 1]);
const rowOf = async (scheduleId: string): Promise<Record<string, unknown>> =>
  (await engine.db.query('SELECT * FROM schedules WHERE id = $1', [scheduleId]))[0] ?? {};
/** Waits until the end of each run of the schedule was counted. */
const isQuiet = (scheduleId: string): Promise<true> =>
  eventually(async () => {
    const open = 'SELECT 1 FROM schedule_firings WHERE schedule_id = $1 AND NOT is_settled';
    return (await engine.db.query(open, [scheduleId])).length === 0 ? true : null;
  });

test('fired by hand, it makes one run with its history', async () => {
  const id = await schedule(chain(transform('t', { said: '{{input.text}}' })), { input: { text: 'hi' } });
  await fire(id);
  const played = await engine.follow(await run(id));
  expect([played.end.type, played.output]).toEqual(['run_completed', { said: 'hi' }]);
  await isQuiet(id);
  expect((await runsOf(id)).length).toBe(1);
  const [record] = await engine.db.query('SELECT trigger_type, deployment_id FROM runs WHERE id = $1', [
    played.accepted.runPk,
  ]);
  expect(record).toEqual({ trigger_type: 'schedule', deployment_id: expect.any(String) });
  expect(await rowOf(id)).toMatchObject({ run_count: 1, consecutive_failures: 0 });
  const [settled] = await engine.db.query('SELECT is_settled FROM schedule_firings WHERE schedule_id = $1', [
    id,
  ]);
  expect(settled).toEqual({ is_settled: true });
});

test('a schedule in Temporal has the policies of its row, and ids only', async () => {
  const id = await schedule(chain(transform('t')), {
    overlap_policy: 'buffer_one',
    timezone: 'Europe/Istanbul',
    catchup_window_seconds: 120,
    input: { secret: 'canary' },
  });
  const { policies, state, spec, action } = await describe(id);
  expect(policies).toEqual({ overlap: 'BUFFER_ONE', catchupWindow: 120_000, pauseOnFailure: false });
  expect(state).toMatchObject({ paused: false, note: 'revision 1' });
  expect(spec.timezone).toBe('Europe/Istanbul');
  expect(action).toMatchObject({
    workflowType: 'scheduledRun',
    args: [{ organizationId: engine.organizationId, scheduleId: id, searchable: true }],
  });
});

test('two firings of the same time make one run', async () => {
  const tag = randomUUID();
  const id = await schedule(chain(http('h', recorder.url(tag, { delay_ms: 60_000 }))));
  const scheduledAt = new Date('2026-01-05T00:00:00Z');
  // Temporal keeps its own firings apart as long as it remembers them; these are as after a failover.
  const fireAgain = () =>
    client.workflow.start(SCHEDULED_WORKFLOW_TYPE, {
      workflowId: randomUUID(),
      taskQueue: engine.config.temporal.taskQueue,
      args: [{ organizationId: engine.organizationId, scheduleId: id, searchable: true }],
      typedSearchAttributes: [
        { key: { name: 'TemporalScheduledStartTime', type: 'DATETIME' }, value: scheduledAt },
      ],
    });
  const first = await fireAgain();
  await recorder.waitFor(tag, 1);
  const { runId } = await run(id);
  const second = await fireAgain();
  expect(await second.result()).toEqual({ run_id: runId });
  expect((await first.describe()).status.name).toBe('RUNNING');
  await cancel(engine, await run(id));
  expect(await first.result()).toEqual({ run_id: runId });
  const third = await fireAgain();
  expect(await third.result()).toEqual({ run_id: null });
  expect(
    await engine.db.query('SELECT scheduled_at FROM schedule_firings WHERE schedule_id = $1', [id]),
  ).toEqual([{ scheduled_at: scheduledAt }]);
  expect([recorder.calls(tag).length, (await rowOf(id))['run_count']]).toEqual([1, 1]);
});

test('a time that was missed is run as that time', async () => {
  const id = await schedule(chain(transform('t')), { cron_expression: '0 0 5 1 *' });
  const scheduledAt = new Date('2026-01-05T00:00:00Z');
  await handleOf(id).backfill({
    start: new Date(scheduledAt.getTime() - 1_000),
    end: new Date(scheduledAt.getTime() + 1_000),
  });
  const played = await engine.follow(await run(id));
  expect(played.end.type).toBe('run_completed');
  expect(
    await engine.db.query('SELECT scheduled_at FROM schedule_firings WHERE schedule_id = $1', [id]),
  ).toEqual([{ scheduled_at: scheduledAt }]);
});

test('skip: a run that is under way is the only one', async () => {
  const tag = randomUUID();
  const id = await schedule(chain(http('h', recorder.url(tag, { delay_ms: 60_000 }))));
  await fire(id);
  await recorder.waitFor(tag, 1);
  await fireAgain(id);
  const { runId } = await run(id);
  await eventually(async () => ((await rowOf(id))['skipped_count'] === 1 ? true : null));
  expect(await rowOf(id)).toMatchObject({ last_skipped_at: expect.any(Date), last_skipped_run_id: runId });
  expect((await runsOf(id)).length).toBe(1);
  await cancel(engine, await run(id));
  const played = await engine.follow(await run(id));
  expect(played.end.type).toBe('run_cancelled');
  await isQuiet(id);
  expect((await rowOf(id))['consecutive_failures']).toBe(0);
});

test('RUN-4.4: buffer_one: one waits, and what Temporal drops beyond it is counted when the schedule is compared', async () => {
  const tag = randomUUID();
  const definition = chain(http('h', recorder.url(tag, { delay_ms: 60_000 })));
  const id = await schedule(definition, { overlap_policy: 'buffer_one', cron_expression: '0 0 1 1 *' });
  const syncer = new ScheduleSyncer({
    clock: systemClock,
    db: engine.db,
    engine: engine.scheduleEngine,
    log: createLog('silent', 'test'),
  });
  const compare = async (): Promise<number> => {
    await engine.db.query('UPDATE schedules SET checked_at = now() WHERE id <> $1', [id]);
    await engine.db.query(`UPDATE schedules SET checked_at = now() - interval '200 s' WHERE id = $1`, [id]);
    return syncer.check(100);
  };
  await fire(id);
  await recorder.waitFor(tag, 1);
  for (let count = 0; count < 3; count += 1) {
    await fireAgain(id);
    // The first of them waits, so Temporal drops the second and the third.
    await eventually(async () =>
      (await describe(id)).info.numActionsSkippedOverlap === count ? true : null,
    );
  }
  const { runId } = await run(id);
  for (let count = 0; count < 2; count += 1) {
    expect(await compare()).toBe(0);
    expect(await rowOf(id)).toMatchObject({
      skipped_count: 2,
      last_skipped_at: expect.any(Date),
      last_skipped_run_id: runId,
    });
  }
  await cancel(engine, await run(id));
  await cancel(engine, await run(id, 2));
  await isQuiet(id);
});

test.each(['cancel_other', 'terminate_other'])('%s: a new run ends the one before', async (policy) => {
  const tag = randomUUID();
  const id = await schedule(chain(http('h', recorder.url(tag, { delay_ms: 60_000 }))), {
    overlap_policy: policy,
  });
  await fire(id);
  await recorder.waitFor(tag, 1);
  await fireAgain(id);
  const first = await engine.follow(await run(id));
  expect(first.end.type).toBe('run_cancelled');
  expect(await closedAs(engine, first.accepted)).toBe('CANCELLED');
  const second = await run(id, 2);
  await recorder.waitFor(tag, 2);
  await cancel(engine, second);
  expect((await engine.follow(second)).end.type).toBe('run_cancelled');
});

test('a run that fails is counted; one that waits for an answer has the next one skipped', async () => {
  const failing = await schedule(chain(http('h', recorder.url(randomUUID(), { fail: 9 }))));
  await fire(failing);
  expect((await engine.follow(await run(failing))).end.type).toBe('run_failed');
  await eventually(async () => ((await rowOf(failing))['consecutive_failures'] === 1 ? true : null));
  const asking = await schedule(chain(node('ask', 'interrupt', { kind: 'input' })));
  await fire(asking);
  expect((await engine.follow(await run(asking))).end.type).toBe('run_interrupted');
  await fireAgain(asking);
  await eventually(async () => ((await rowOf(asking))['skipped_count'] === 1 ? true : null));
  expect((await runsOf(asking)).length).toBe(1);
  await cancel(engine, await run(asking));
  await isQuiet(asking);
});

test('a run that is terminated in Temporal is counted as a failure', async () => {
  const name = randomUUID();
  const id = await schedule(chain(http('h', recorder.url(name, { delay_ms: 60_000 }))));
  await fire(id);
  await recorder.waitFor(name, 1);
  const fired = await run(id);
  await client.workflow.getHandle(workflowIdOf(engine, fired)).terminate('by an operator');
  expect((await engine.follow(fired)).error).toMatchObject({ code: 'terminated' });
  await isQuiet(id);
  expect(await rowOf(id)).toMatchObject({ consecutive_failures: 1 });
});

test('without a live deployment a firing is a failed record', async () => {
  const workflowId = await deploy(engine, chain(transform('t')));
  await engine.db.query('UPDATE deployments SET is_live = false WHERE workflow_id = $1', [workflowId]);
  const id = await plan(workflowId);
  await fire(id);
  expect(await run(id)).toMatchObject({ status: 'failed', code: 'workflow_not_deployed' });
  await isQuiet(id);
});

test('Temporal follows the row: paused, changed, deleted with its workflow', async () => {
  const workflowId = await deploy(engine, chain(transform('t')));
  const id = await plan(workflowId);
  await engine.db.query(
    `UPDATE schedules SET enabled = false, cron_expression = '0 12 * * *' WHERE id = $1`,
    [id],
  );
  await inStep();
  const { state, info } = await shown(id, (schedule) => schedule.state.note === 'revision 2');
  expect(state.paused).toBe(true);
  expect(info.nextActionTimes[0]?.toISOString()).toMatch(/T12:00:00\.000Z$/);
  await engine.db.query('DELETE FROM workflows WHERE id = $1', [workflowId]);
  await inStep();
  await eventually(async () => ((await isGone(id)) ? true : null));
});

test('a schedule that was lost or changed in Temporal is repaired', async () => {
  const syncer = new ScheduleSyncer({
    clock: systemClock,
    db: engine.db,
    engine: engine.scheduleEngine,
    log: createLog('silent', 'test'),
  });
  const [lost, changed, stale, well] = [
    await schedule(chain(transform('t'))),
    await schedule(chain(transform('t'))),
    await schedule(chain(transform('t'))),
    await schedule(chain(transform('t'))),
  ];
  await engine.db.query('UPDATE schedules SET checked_at = now() WHERE id <> ALL($1::uuid[])', [
    [lost, changed, stale, well],
  ]);
  // Not so long ago that the engine's own syncer, which looks after 300 s, would compare them first.
  await engine.db.query(`UPDATE schedules SET checked_at = now() - interval '200 s' WHERE id = ANY($1)`, [
    [lost, changed, stale, well],
  ]);
  await handleOf(lost).delete();
  await eventually(async () => ((await isGone(lost)) ? true : null));
  await handleOf(changed).pause('revision 1');
  await shown(changed, ({ state }) => state.paused);
  await engine.db.transaction(async (tx) => {
    await tx.query(`UPDATE schedules SET end_at = '2040-01-01' WHERE id = $1`, [stale]);
    await tx.query('DELETE FROM outbox WHERE subject_id = $1', [stale]);
  });
  const before = (await describe(well)).info.lastUpdatedAt;
  expect(await syncer.check(100)).toBe(3);
  await inStep();
  expect((await describe(lost)).state.paused).toBe(false);
  await shown(changed, ({ state }) => !state.paused);
  const { spec } = await shown(stale, ({ state }) => state.note === 'revision 2');
  expect(spec.endAt?.toISOString()).toMatch(/^20(39-12-31|40-01-01)T/);
  expect((await describe(well)).info.lastUpdatedAt).toEqual(before);
  expect(await syncer.check(100)).toBe(0);
});

test('a Schedule without a row is removed once it fires', async () => {
  const id = randomUUID();
  const order: ScheduleSettings = {
    organizationId: engine.organizationId,
    scheduleId: id,
    workflowId: randomUUID(),
    revision: 1,
    cronExpression: '0 0 1 1 *',
    timezone: 'UTC',
    enabled: true,
    overlapPolicy: 'skip',
    catchupWindowSeconds: 60,
    startAt: null,
    endAt: null,
  };
  await engine.scheduleEngine.put(order);
  expect(await engine.scheduleEngine.trigger(order)).toBe(true);
  await eventually(async () => ((await isGone(id)) ? true : null));
});

test('what Temporal refuses is disabled, with the reason', async () => {
  const id = await schedule(chain(transform('t')));
  await engine.db.query(`UPDATE schedules SET cron_expression = 'never' WHERE id = $1`, [id]);
  await inStep();
  expect(await rowOf(id)).toMatchObject({
    enabled: false,
    disabled_reason: expect.stringContaining('The schedule was rejected: '),
  });
});

test.each([
  ['0 6 * * 1-5', 'Europe/Istanbul'],
  ['*/7 */5 * * *', 'Asia/Kathmandu'],
  ['30 1,2 * * *', 'America/New_York'],
  ['15 2-3/1 * 3,10,11 SUN', 'Europe/Berlin'],
  ['30 1 * * 0', 'Australia/Lord_Howe'],
  ['0 0 13 * FRI', 'UTC'],
  ['0 12 31 * 7', 'Pacific/Apia'],
  ['0 0 29 2 1/2', 'UTC'],
  ['5/20 8/6 */10 jan-jun 0-7', 'America/Sao_Paulo'],
  ['0 0 1 */5 5-7', 'Africa/Casablanca'],
])('%s in %s is due when Temporal says so', async (cronExpression, timezone) => {
  const scheduleId = `times-${randomUUID()}`;
  const before = new Date();
  const handle = await client.schedule.create({
    scheduleId,
    spec: { cronExpressions: [cronExpression], timezone },
    action: { type: 'startWorkflow', workflowType: 'none', taskQueue: 'none' },
    state: { paused: true },
  });
  try {
    const { info } = await handle.describe();
    const theirs = info.nextActionTimes.map((time) => time.toISOString());
    const cron = parseCron(cronExpression);
    const oursAfter = (from: Date): string[] => {
      const ours: string[] = [];
      for (let at: Date | null = from; ours.length < theirs.length; ours.push(at.toISOString())) {
        at = findNextTime(cron, timezone, at);
        if (at === null) break;
      }
      return ours;
    };
    expect(theirs.length).toBeGreaterThan(0);
    // A time may come to be due between Temporal's look and this one.
    expect([oursAfter(before), oursAfter(new Date())]).toContainEqual(theirs);
  } finally {
    await handle.delete();
  }
});
