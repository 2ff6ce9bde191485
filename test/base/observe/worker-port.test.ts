/** An orchestrator would be told that a worker is ready that is not, or anybody could read its metrics. */
import { afterEach, expect, test } from 'vitest';
import type { Worker } from '@temporalio/worker';
import type { Sql } from '../../../src/base/db/client.ts';
import { findMigrationsDirectory, listMigrations } from '../../../src/base/db/migrations.ts';
import { createLog } from '../../../src/base/log.ts';
import type { DependencyName } from '../../../src/base/observe/dependencies.ts';
import { openWorkerPort, type WorkerPort, type WorkerPortDeps } from '../../../temporal/worker/port.ts';

const KEY = 'the-operator-key-of-this-test';

type Status = ReturnType<Worker['getStatus']>;
const idle: Status = {
  runState: 'RUNNING',
  workflowPollerState: 'SHUTDOWN',
  activityPollerState: 'POLLING',
  hasOutstandingWorkflowPoll: false,
  hasOutstandingActivityPoll: true,
  numInFlightWorkflowActivations: 0,
  numInFlightActivities: 3,
  numInFlightNonLocalActivities: 3,
  numInFlightLocalActivities: 0,
  numHeartbeatingActivities: 0,
  numCachedWorkflows: 0,
};

const MIGRATIONS = listMigrations(findMigrationsDirectory());
const situation = {
  status: idle,
  failing: [] as DependencyName[],
  isDatabaseUp: true,
  migrations: MIGRATIONS,
  required: [] as string[],
};
const sql: Sql = {
  async query<Row>(text: string) {
    if (!situation.isDatabaseUp) throw new Error('away');
    if (text.includes('required_build'))
      return situation.required.map((migration) => ({ migration })) as Row[];
    return situation.migrations.map((name) => ({ name })) as Row[];
  },
};
const deps: WorkerPortDeps = {
  config: { host: '127.0.0.1', healthApiKeys: [KEY], metricsTokens: [], trustedProxies: [] },
  db: sql,
  log: createLog('silent', 'test'),
  watch: { listFailing: () => situation.failing },
  workers: { nodes: { getStatus: () => situation.status } },
};

const opened: WorkerPort[] = [];
afterEach(async () => {
  for (const port of opened.splice(0)) await port.close();
  situation.status = idle;
  situation.failing = [];
  situation.isDatabaseUp = true;
  situation.migrations = MIGRATIONS;
  situation.required = [];
});

async function open(): Promise<(path: string, init?: RequestInit) => Promise<Response>> {
  const port = await openWorkerPort(deps, 0);
  if (port === null) throw new Error('nothing listens');
  opened.push(port);
  return (path, init) => fetch(`http://127.0.0.1:${port.port}${path}`, init);
}

test('it is ready while every worker polls and the database answers, and alive in any case', async () => {
  const ask = await open();
  const ready = async () => {
    const response = await ask('/ready');
    return { status: response.status, body: await response.json() };
  };
  expect(await ready()).toEqual({
    status: 200,
    body: { status: 'ready', database: true, schema: 'current', polling: { nodes: true }, failing: [] },
  });
  situation.isDatabaseUp = false;
  expect(await ready()).toMatchObject({ status: 503, body: { database: false, polling: { nodes: true } } });
  situation.isDatabaseUp = true;
  situation.migrations = MIGRATIONS.slice(1);
  expect(await ready()).toMatchObject({ status: 503, body: { status: 'not_ready', schema: 'older' } });
  situation.migrations = [...MIGRATIONS, '20990101000000_of_a_later_build'];
  expect(await ready()).toMatchObject({ status: 200, body: { schema: 'newer' } });
  situation.required = ['20990101000000_of_a_later_build'];
  expect(await ready()).toMatchObject({ status: 503, body: { schema: 'incompatible' } });
  situation.required = [];
  situation.migrations = MIGRATIONS;
  situation.status = { ...idle, runState: 'DRAINING', activityPollerState: 'SHUTDOWN' };
  expect(await ready()).toMatchObject({ status: 503, body: { database: true, polling: { nodes: false } } });
  situation.status = { ...idle, workflowPollerState: 'FAILED' };
  expect((await ready()).status).toBe(503);
  expect((await ask('/health')).status).toBe(200);
});

test('it is not ready while Temporal does not answer, and ready while a model does not', async () => {
  const ask = await open();
  situation.failing = ['model'];
  expect((await ask('/ready')).status).toBe(200);
  situation.failing = ['temporal', 'model'];
  const response = await ask('/ready');
  expect(response.status).toBe(503);
  expect(await response.json()).toMatchObject({
    status: 'not_ready',
    polling: { nodes: true },
    failing: ['temporal', 'model'],
  });
});

test('metrics need the key; without it, and at every other path, there is nothing', async () => {
  const ask = await open();
  const response = await ask('/metrics', { headers: { 'x-health-api-key': KEY } });
  const text = await response.text();
  expect(response.status).toBe(200);
  expect(text).toContain('worker_polling{worker="nodes"} 1');
  expect(text).toContain('worker_tasks_in_flight{worker="nodes",kind="activity"} 3');
  for (const [path, init] of [
    ['/metrics', {}],
    ['/metrics', { headers: { 'x-health-api-key': 'wrong' } }],
    ['/', {}],
    ['/health', { method: 'POST' }],
  ] as const) {
    expect((await ask(path, init)).status, path).toBe(404);
  }
});

test('a port that is taken, and none at all, leave the worker as it is', async () => {
  await open();
  const [taken] = opened;
  expect(await openWorkerPort(deps, taken?.port)).toBeNull();
  expect(await openWorkerPort(deps, undefined)).toBeNull();
});
