/** The service would not work on Temporal as docker-compose.yml starts it: version, schema, settings and namespace on PostgreSQL. */
import { randomUUID } from 'node:crypto';
import { Client, Connection, isGrpcServiceError } from '@temporalio/client';
import { NativeConnection } from '@temporalio/worker';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSchedule, triggerSchedule } from '../../src/engine/schedules/api/service.ts';
import { newSchedule } from '../../src/engine/schedules/api/schema.ts';
import { createExtractor } from '../../src/platform/knowledge/extraction/extractor.ts';
import { createLog } from '../../src/base/log.ts';
import { SCHEDULED_WORKFLOW_TYPE, SEARCH_ATTRIBUTES } from '../../temporal/contract.ts';
import { WORKER_SLOTS } from '../../temporal/worker/worker-slots.ts';
import { createWorkers } from '../../temporal/worker/workers.ts';
import { startCrashablePostgres, type CrashablePostgres } from '../support/crashable-postgres.ts';
import type { CrashableTemporal } from '../support/crashable-temporal.ts';
import { chain, http, node, transform } from '../support/definitions.ts';
import { interpreterBundle, throwHungThread, type TestEngine } from '../support/engine.ts';
import { startEngineWithRecorder } from '../support/engine-with-servers.ts';
import type { HttpRecorder } from '../support/http-recorder.ts';
import {
  cancel,
  childOf,
  closedAs,
  deploy,
  eventually,
  owner,
  questionsOf,
  resume,
  runBy,
  workflowIdOf,
} from '../support/journeys.ts';
import { hasProductionTemporal, startProductionTemporal } from '../support/production-temporal.ts';

const DEPLOYMENT = 'test';
// https://grpc.io/docs/guides/status-codes/
const NOT_FOUND = 5;
const FAILED_PRECONDITION = 9;
/** temporal.api.enums.v1.RoutingConfigUpdateState */
const ROUTING_UPDATED = 2;

const isHere = hasProductionTemporal();
if (!isHere)
  process.stdout.write(
    'SKIPPED: Temporal on PostgreSQL. Its server is not built: TEST_TEMPORAL_SERVER=1 builds it with Go, once.\n',
  );

describe.skipIf(!isHere)('on Temporal with PostgreSQL', () => {
  let postgres: CrashablePostgres;
  let temporal: CrashableTemporal;
  let engine: TestEngine;
  let recorder: HttpRecorder;
  let client: Client;
  beforeAll(async () => {
    postgres = await startCrashablePostgres();
    temporal = await startProductionTemporal(postgres.url);
    ({ engine, recorder } = await startEngineWithRecorder({
      TEMPORAL_ADDRESS: temporal.address,
      TEMPORAL_WORKER_BUILD_ID: 'one',
      TEMPORAL_DEPLOYMENT_NAME: DEPLOYMENT,
    }));
    client = new Client({ connection: await Connection.connect({ address: temporal.address }) });
    await makeCurrent('one');
  });
  afterAll(async () => {
    await engine?.close();
    await client?.connection.close();
    await temporal?.close();
    await postgres.close();
  });

  /** Makes a build the current one, as soon as its workers poll, and waits until all task queues know it. */
  async function makeCurrent(buildId: string): Promise<void> {
    const deployment = { namespace: 'default', deploymentName: DEPLOYMENT };
    await eventually(() =>
      client.workflowService
        .setWorkerDeploymentCurrentVersion({ ...deployment, buildId })
        .catch((error: unknown) => {
          // The version is not known yet, or one of its queues has no poller yet.
          if (isGrpcServiceError(error) && [NOT_FOUND, FAILED_PRECONDITION].includes(error.code)) return null;
          throw error;
        }),
    );
    await eventually(async () => {
      const { workerDeploymentInfo: info } =
        await client.workflowService.describeWorkerDeployment(deployment);
      const isCurrent = info?.routingConfig?.currentDeploymentVersion?.buildId === buildId;
      return isCurrent && info.routingConfigUpdateState === ROUTING_UPDATED ? true : null;
    });
  }

  test('the namespace has the search attributes of runs, and the server is the release of the compose file', async () => {
    const { operatorService, workflowService } = client.connection;
    const { customAttributes } = await operatorService.listSearchAttributes({ namespace: 'default' });
    expect(Object.keys(customAttributes).toSorted()).toEqual(Object.keys(SEARCH_ATTRIBUTES).toSorted());
    expect(await workflowService.getSystemInfo({})).toMatchObject({ serverVersion: '1.32.0' });
  });

  /** The behavior and the builds that have executed an execution, in order. */
  async function versionsOf(workflowId: string): Promise<string[]> {
    const { events } = await client.workflow.getHandle(workflowId).fetchHistory();
    const tasks = (events ?? []).flatMap(({ workflowTaskCompletedEventAttributes: task }) => task ?? []);
    const versions = tasks.map(
      ({ versioningBehavior, deploymentVersion }) =>
        `${versioningBehavior === 1 ? 'PINNED' : 'AUTO_UPGRADE'} ${deploymentVersion?.buildId}`,
    );
    return [...new Set(versions)];
  }

  test('a question is answered, a failed call is tried again, and a sub-workflow gives its output', async () => {
    const child = await deploy(engine, chain(transform('t', { doubled: '{{input.n}}{{input.n}}' })));
    const asked = await engine.play(
      chain(
        http(
          'flaky',
          recorder.url(randomUUID(), { fail: 1 }),
          { method: 'GET' },
          { retry: { max_attempts: 3 } },
        ),
        node('ask', 'interrupt', { kind: 'input' }),
        node('sub', 'tool', { kind: 'workflow', workflow_id: child, input: { n: '{{ask.data.n}}' } }),
        transform('end', { got: '{{sub.data.doubled}}' }),
      ),
    );
    expect(asked.end.type).toBe('run_interrupted');
    expect(asked.of('node_retry', 'flaky')).toHaveLength(1);
    const resumed = await resume(engine, asked, {
      interrupt_id: questionsOf(asked)['ask'] ?? '',
      data: { n: 4 },
    });
    expect(resumed.output).toEqual({ got: '44' });
    expect(await closedAs(engine, await childOf(engine, resumed.accepted))).toBe('COMPLETED');
  });

  test('a cancelled run stops its work', async () => {
    const tag = randomUUID();
    const run = await engine.accept(chain(http('slow', recorder.url(tag, { delay_ms: 60_000 }))));
    await eventually(async () => (recorder.calls(tag).length > 0 ? true : null));
    await cancel(engine, run);
    expect((await engine.follow(run)).end.type).toBe('run_cancelled');
    expect(await closedAs(engine, run)).toBe('CANCELLED');
  });

  test('a schedule fires, and an operator finds its run and reads what it did', async () => {
    const workflowId = await deploy(engine, chain(transform('t', { said: '{{input.text}}' })));
    const [user] = await engine.db.query<{ id: string }>(
      `INSERT INTO users (subject, email) VALUES ($1, 'owner@example.com') RETURNING id`,
      [randomUUID()],
    );
    const scope = owner(engine);
    const schedule = newSchedule.parse({
      workflow_id: workflowId,
      name: 'Yearly',
      cron_expression: '0 0 1 1 *',
      input: { text: 'hi' },
    });
    const caller = { ...scope.caller, userId: user?.id ?? '' };
    const { id } = await createSchedule(engine, { ...scope, caller }, schedule);
    await eventually(async () => {
      const waiting = await engine.db.query(`SELECT 1 FROM outbox WHERE kind = 'schedule'`);
      return waiting.length === 0 ? true : null;
    });
    await triggerSchedule({ ...engine, log: createLog('silent', 'test') }, scope, id);
    const fired = await eventually(async () => {
      const [row] = await engine.db.query<{ id: string }>(
        'SELECT run_pk AS id FROM schedule_firings WHERE schedule_id = $1 AND run_pk IS NOT NULL',
        [id],
      );
      return row === undefined ? null : runBy(engine, 'id', row.id);
    });
    expect((await engine.follow(fired)).output).toEqual({ said: 'hi' });
    expect(await closedAs(engine, fired)).toBe('COMPLETED');

    const query = `OrganizationId = '${engine.organizationId}' AND TriggerType = 'schedule'`;
    const found = await eventually(async () => {
      for await (const each of client.workflow.list({ query })) return each;
      return null;
    });
    const { events } = await client.workflow.getHandle(found.workflowId).fetchHistory();
    expect(events?.at(-1)).toHaveProperty('workflowExecutionCompletedEventAttributes');
  });

  /** Workers of another build beside those of the engine. @returns how to end them */
  async function startBuild(buildId: string): Promise<() => Promise<void>> {
    const connection = await NativeConnection.connect({ address: temporal.address });
    const extractor = createExtractor(createLog('silent', 'test'));
    const workerVersion = { deploymentName: DEPLOYMENT, buildId };
    const config = { ...engine.config, temporal: { ...engine.config.temporal, workerVersion } };
    const embedding = (): never => {
      throw new Error('nothing is ingested here');
    };
    const workers = await createWorkers(config, connection, {
      execute: engine.deps,
      ingest: { ...engine.deps, extractor, embedding },
      slots: WORKER_SLOTS,
      code: interpreterBundle(),
      onHungThread: throwHungThread,
    });
    const running = Promise.all(Object.values(workers).map((worker) => worker.run()));
    return async () => {
      for (const worker of Object.values(workers)) worker.shutdown();
      await running;
      await connection.close();
      await extractor.close();
    };
  }

  test('a run that waits goes on with the next build once its own is gone, a firing keeps its own', async () => {
    const ask = node('ask', 'interrupt', { kind: 'input' });
    const stopBuild = await startBuild('zero');
    await makeCurrent('zero');
    const asked = await engine.play(chain(ask, transform('end', { got: '{{ask.data.n}}' })));
    await stopBuild();
    await makeCurrent('one');
    const question = { interrupt_id: questionsOf(asked)['ask'] ?? '', data: { n: 5 } };
    expect((await resume(engine, asked, question)).output).toEqual({ got: 5 });
    // The record ends within the last workflow task; the history has that task once it is over.
    expect(await closedAs(engine, asked.accepted)).toBe('COMPLETED');
    const versions = await versionsOf(workflowIdOf(engine, asked.accepted));
    expect(versions).toEqual(['AUTO_UPGRADE zero', 'AUTO_UPGRADE one']);
    const query = `WorkflowType = '${SCHEDULED_WORKFLOW_TYPE}' AND ExecutionStatus = 'Completed'`;
    const firing = await eventually(async () => {
      for await (const each of client.workflow.list({ query })) return each;
      return null;
    });
    expect(await versionsOf(firing.workflowId)).toEqual(['PINNED one']);
  });

  test('the server is killed and started again: a run that was under way goes on', async () => {
    const tag = randomUUID();
    const run = await engine.accept(
      chain(http('slow', recorder.url(tag, { delay_ms: 3_000 })), transform('end', { ok: true })),
    );
    await eventually(async () => (recorder.calls(tag).length > 0 ? true : null));
    await temporal.kill();
    await temporal.start();
    expect((await engine.follow(run)).output).toEqual({ ok: true });
    expect(workflowIdOf(engine, run)).toContain(run.runPk);
  });
});
