/** If this failed, a night without a single scheduled run would look like a night without work (SPEC REL-R36). */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { readMetrics } from '../../src/base/observe/metrics.ts';
import { computeNextDue, countOverdue, requireFired } from '../../src/engine/schedules/overdue.ts';
import { acceptScheduledRun } from '../../src/engine/schedules/scheduled-run.ts';
import { hello, startApi, type ApiServer, type Tenant } from '../support/api-server.ts';

let api: ApiServer;
let tenant: Tenant;
let workflow: string;
beforeAll(async () => {
  api = await startApi();
  tenant = await api.tenant();
  const { body } = await tenant.call('POST', '/workflows', { body: { name: 'W', workflow_schema: hello() } });
  await tenant.call('POST', `/workflows/${body.id}/deploy`);
  workflow = body.id;
});
afterAll(() => api.close());
afterEach(() => api.deps.db.query('DELETE FROM schedules'));

/** A clock that stands still. */
const at = (time: string) => ({ ...api.deps.clock, now: () => Date.parse(time) });

async function make(more: object = {}): Promise<string> {
  const body = { workflow_id: workflow, name: 'S', cron_expression: '0 * * * *', timezone: 'UTC', ...more };
  return (await tenant.call('POST', '/schedules', { body })).body.id;
}
async function readDue(id: string): Promise<unknown> {
  const [row] = await api.deps.db.query<{ due: unknown }>(
    `SELECT to_json(next_due_at)#>>'{}' AS due FROM schedules WHERE id = $1`,
    [id],
  );
  return row?.due;
}
/** The schedule was due so many seconds ago. */
const wasDue = (id: string, seconds: number): Promise<unknown> =>
  api.deps.db.query(`UPDATE schedules SET next_due_at = now() - make_interval(secs => $2) WHERE id = $1`, [
    id,
    seconds,
  ]);
const fire = (id: string, scheduledAt: string): Promise<unknown> =>
  acceptScheduledRun(api.deps.db, { organizationId: tenant.org, scheduleId: id, scheduledAt });

test('a new schedule is due at its next time by the clock, from its start on and not behind its end', async () => {
  const plain = await make();
  const later = await make({ start_at: '2027-03-01T12:00:00Z' });
  const over = await make({ start_at: '2026-12-01T00:30:00Z', end_at: '2026-12-01T00:59:00Z' });
  await computeNextDue(api.deps.db, at('2026-12-01T00:20:00Z'));
  expect(await readDue(plain)).toBe('2026-12-01T01:00:00+00:00');
  expect(await readDue(later)).toBe('2027-03-01T12:00:00+00:00');
  expect(await readDue(over)).toBe('infinity');
});

test('a changed schedule is due by its new expression', async () => {
  const id = await make();
  await computeNextDue(api.deps.db, at('2026-12-01T00:20:00Z'));
  await tenant.call('PATCH', `/schedules/${id}`, { body: { cron_expression: '30 * * * *' } });
  expect(await readDue(id)).toBeNull();
  await computeNextDue(api.deps.db, at('2026-12-01T00:20:00Z'));
  expect(await readDue(id)).toBe('2026-12-01T00:30:00+00:00');
});

test('REL-R36: it is overdue a minute after it was due, not before, until it fires', async () => {
  const id = await make();
  await wasDue(id, 55);
  expect(await countOverdue(api.deps.db)).toEqual({ count: 0, since: null });
  await wasDue(id, 65);
  expect((await countOverdue(api.deps.db)).count).toBe(1);
  await expect(requireFired(api.deps.db)).rejects.toThrow(
    /^1 schedules did not fire, the first was due at 2/,
  );
  expect(await readMetrics(api.deps.db, 0)).toMatch(/^schedules_overdue 1$/m);
  await fire(id, new Date().toISOString());
  expect((await countOverdue(api.deps.db)).count).toBe(0);
  await requireFired(api.deps.db);
  expect(await readMetrics(api.deps.db, 0)).toMatch(/^schedules_overdue 0$/m);
});

test.each([
  [
    'is skipped because a run is open',
    {},
    async (id: string) => void (await fire(id, '2026-01-01T00:00:00Z')),
  ],
  [
    'is denied by the limit of runs',
    {},
    async () =>
      void (await api.deps.db.query(
        `UPDATE organizations SET entitlements = '{"max_concurrent_runs": 0}' WHERE id = $1`,
        [tenant.org],
      )),
  ],
  [
    'finds no deployment',
    {},
    async () => void (await tenant.call('POST', `/workflows/${workflow}/undeploy`)),
  ],
])('a firing that %s has fired', async (_, more, prepare) => {
  const id = await make(more);
  await prepare(id);
  await wasDue(id, 65);
  await fire(id, new Date().toISOString());
  expect((await countOverdue(api.deps.db)).count).toBe(0);
  await api.deps.db.query(`UPDATE organizations SET entitlements = '{}'`);
  await tenant.call('POST', `/workflows/${workflow}/deploy`);
});

test('a paused schedule, and one whose due time waits for the open run, are not overdue', async () => {
  const paused = await make();
  await tenant.call('PATCH', `/schedules/${paused}`, { body: { enabled: false } });
  await wasDue(paused, 3_600);
  const buffered = await make({ overlap_policy: 'buffer_one' });
  await fire(buffered, '2026-01-01T00:00:00Z');
  await wasDue(buffered, 3_600);
  expect((await countOverdue(api.deps.db)).count).toBe(0);
  await api.deps.db.query('UPDATE schedule_firings SET is_settled = true');
  expect((await countOverdue(api.deps.db)).count).toBe(1);
});

test('a firing by a worker of the release before, which writes no due time, counts as fired', async () => {
  const id = await make();
  await fire(id, new Date().toISOString());
  await wasDue(id, 65);
  expect((await countOverdue(api.deps.db)).count).toBe(0);
});
