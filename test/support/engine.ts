/** The engine in this process: real Temporal workers on a queue of their own, on a database of their own. */
import { NamespaceGuard } from '../../src/engine/runs/outbox/namespace-guard.ts';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { DefaultLogger, NativeConnection, Runtime, makeTelemetryFilterString } from '@temporalio/worker';
import { inject } from 'vitest';
import { systemClock, type Clock } from '../../src/base/clock.ts';
import { readConfig } from '../../src/base/config/config.ts';
import type { Config } from '../../src/base/config/config.ts';
import { openDb } from '../../src/base/db/client.ts';
import type { Db } from '../../src/base/db/client.ts';
import { ANSWER_SHARES } from '../../src/engine/runs/ledger/questions/answer-pages.ts';
import { FairSemaphore } from '../../src/base/shares/fair-semaphore.ts';
import { listenForCancellations } from '../../src/engine/runs/outbox/cancellations.ts';
import { dataJobHandler } from '../../src/features/data/job-runner.ts';
import { Reconciler } from '../../src/engine/runs/outbox/reconciler.ts';
import { runHandlers } from '../../src/engine/runs/outbox/run-handlers.ts';
import type { Json, JsonObject } from '../../src/language/graph/values/value.ts';
import { RunAcceptor } from '../../src/engine/runs/accept/accept.ts';
import type { AcceptedRun } from '../../src/engine/runs/accept/accept.ts';
import { DefinitionFactsCache } from '../../src/engine/runs/accept/definition-facts.ts';
import { storeDefinition } from '../../src/engine/runs/ledger/write/definitions.ts';
import { createExtractor } from '../../src/platform/knowledge/extraction/extractor.ts';
import { createLog, type Logger } from '../../src/base/log.ts';
import { Dispatcher } from '../../src/platform/outbox/dispatcher.ts';
import { createCompositionPort } from '../../src/features/workflows/composition-port.ts';
import { buildNodeTools } from '../../temporal/worker/node-tools.ts';
import { BYTE_LIMITS } from '../../src/platform/outbound/answer-bytes.ts';
import { createExecuteDeps, type ExecuteDeps } from '../../src/engine/runs/execute/deps.ts';
import { ByteBudget } from '../../src/base/shares/byte-budget.ts';
import { connectEngine, type TemporalEngine } from '../../temporal/client/client.ts';
import { IngestSyncer } from '../../src/platform/knowledge/ingest-syncer.ts';
import type { ScheduleEngine } from '../../src/engine/schedules/schedule-engine.ts';
import { ScheduleSyncer } from '../../src/engine/schedules/schedule-syncer.ts';
import { toWorkerTaskQueue } from '../../temporal/contract.ts';
import { takeWorkerLease } from '../../temporal/worker/worker-lease.ts';
import { createAttemptSlots, WORKER_SLOTS, type WorkerSlots } from '../../temporal/worker/worker-slots.ts';
import { createWorkers, type Workers } from '../../temporal/worker/workers.ts';
import { testDatabase } from './database.ts';
import { newRun } from './runs.ts';
import { testTemporal } from './temporal.ts';
import { SeenRequests } from './seen-requests.ts';
import { unendedSteps } from './unended-steps.ts';

export interface Frame extends JsonObject {
  readonly type: string;
  readonly seq: number;
}

export interface Played {
  readonly accepted: AcceptedRun;
  readonly frames: readonly Frame[];
  readonly end: Frame;
  readonly output: Json;
  readonly error: { readonly code: string; readonly message: string; readonly node_id: string | null } | null;
  of(type: string, nodeId?: string): readonly Frame[];
}

export interface TestEngine {
  readonly log: Logger;
  readonly config: Config;
  readonly db: Db;
  readonly engine: TemporalEngine;
  readonly dispatcher: Dispatcher;
  readonly scheduleEngine: ScheduleEngine;
  readonly acceptor: RunAcceptor;
  readonly clock: Clock;
  readonly definitionFacts: DefinitionFactsCache;
  readonly answers: FairSemaphore;
  /** What the activities of the workers are given. */
  readonly deps: ExecuteDeps;
  readonly workers: Workers;
  readonly organizationId: string;
  accept(
    definition: JsonObject,
    given?: JsonObject,
    limits?: { recursionLimit?: number },
  ): Promise<AcceptedRun>;
  /** Waits for the terminal frame of a segment. */
  follow(accepted: AcceptedRun, timeoutMs?: number): Promise<Played>;
  play(
    definition: JsonObject,
    given?: JsonObject,
    limits?: { recursionLimit?: number },
    timeoutMs?: number,
  ): Promise<Played>;
  /** @throws when a run of the database is completed with a step that has not ended */
  close(): Promise<void>;
}

let isInstalled = false;

/** The SDK's part of this process, quiet: of all test files that run in it, the first installs it. */
export function installRuntime(): void {
  if (isInstalled) return;
  isInstalled = true;
  const telemetryOptions = { logging: { filter: makeTelemetryFilterString({ core: 'ERROR' }) } };
  Runtime.install({ logger: new DefaultLogger('ERROR'), shutdownSignals: [], telemetryOptions });
}

const TERMINAL = new Set(['run_completed', 'run_failed', 'run_cancelled', 'run_interrupted']);

async function framesOf(db: Db, runPk: string): Promise<Frame[]> {
  const rows = await db.query<{ seq: number; type: string; payload: JsonObject }>(
    'SELECT seq, type, payload FROM run_events WHERE run_pk = $1 ORDER BY seq',
    [runPk],
  );
  return rows.map((row) => ({ seq: row.seq, type: row.type, ...row.payload }));
}

/** The interpreter as the build bundles it. */
export const interpreterBundle = (): { readonly workflowBundle: { readonly codePath: string } } => ({
  workflowBundle: { codePath: join(inject('builtService'), 'temporal', 'worker', 'interpreter-bundle.js') },
});

/** Ends the test process with the reason. */
export const throwHungThread = (waiting: readonly string[]): never => {
  throw new Error(`a workflow thread hangs: ${waiting.join(', ')}`);
};

/** Of the workers' slots, of which few are easier to fill, and of the values that a node loads; or another interpreter. */
export type EngineLimits = Partial<Pick<ExecuteDeps, 'maxStateBytes'>> & {
  readonly slots?: WorkerSlots;
  readonly code?: Parameters<typeof createWorkers>[2]['code'];
};

/**
 * @param environment more variables for the configuration, such as OUTBOUND_ALLOW or MANAGED_LLM_*
 * @param lines get the log
 */
export async function startEngine(
  environment: Record<string, string> = {},
  lines?: { write(line: string): void },
  limits: EngineLimits = {},
): Promise<TestEngine> {
  installRuntime();
  const { slots = WORKER_SLOTS, code = interpreterBundle(), ...loading } = limits;
  const database = await testDatabase();
  const config = readConfig({
    APP_ENV: 'test',
    DATABASE_URL: database.url,
    TEMPORAL_ADDRESS: testTemporal().address,
    TEMPORAL_TASK_QUEUE: `test-${randomUUID()}`,
    LOG_LEVEL: process.env['TEST_LOG_LEVEL'] ?? 'fatal',
    ...environment,
  });
  const log = createLog(config.logLevel, 'test', lines);
  const db = openDb(config.databaseUrl, 20);
  const requests = new SeenRequests();
  const tools = requests.watch(
    await buildNodeTools({ config, compositions: createCompositionPort(db), db, log }),
  );
  const connection = await NativeConnection.connect({ address: config.temporal.address });
  const engine = await connectEngine(config, log, connection);
  const guard = new NamespaceGuard({ db, engine, clock: systemClock });
  const reconciler = new Reconciler({ db, engine, guard, log });
  const dispatcher = new Dispatcher({
    db,
    clock: systemClock,
    log,
    handlers: {
      ...runHandlers({ db, engine, guard }),
      schedule: new ScheduleSyncer({ clock: systemClock, db, engine: engine.schedules, log }),
      ingest: new IngestSyncer({ db, engine: engine.ingests, log }),
      data_job: dataJobHandler({ db, clock: systemClock }),
    },
  });
  const extractor = createExtractor(log);
  const workerId = randomUUID();
  const lease = await takeWorkerLease({ databaseUrl: database.url, workerId });
  const worker = { workerId, queue: toWorkerTaskQueue(config.temporal.taskQueue, workerId) };
  const deps = createExecuteDeps({
    db,
    tools,
    log,
    clock: systemClock,
    worker,
    bytes: new ByteBudget(BYTE_LIMITS),
    ...loading,
    ...createAttemptSlots(slots),
    onUnhosted: (run) => void reconciler.check(run),
  });
  const cancellations = listenForCancellations(config.databaseUrl, log, deps.running);
  const workers = await createWorkers(config, connection, {
    execute: deps,
    ingest: { db, clock: systemClock, extractor, log, embedding: tools.embedding },
    slots,
    code,
    onHungThread: throwHungThread,
  });
  dispatcher.start();
  const running = Promise.all(Object.values(workers).map((worker) => worker.run()));
  const [organization] = await db.query<{ id: string }>(
    `INSERT INTO organizations (name, slug) VALUES ('Test', $1) RETURNING id`,
    [`test-${randomUUID()}`],
  );
  const organizationId = organization?.id ?? '';

  const acceptor = new RunAcceptor(db);
  const accept: TestEngine['accept'] = async (definition, given = {}, limits = {}) => {
    const definitionHash = await storeDefinition(db, organizationId, definition);
    const run = await newRun(db, {
      organizationId,
      definitionHash,
      recursionLimit: limits.recursionLimit ?? 100,
      runInput: given,
    });
    const accepted = await acceptor.accept(run);
    dispatcher.kick();
    return accepted;
  };
  const follow: TestEngine['follow'] = async (accepted, timeoutMs = 50_000) => {
    const deadline = Date.now() + timeoutMs;
    for (;;) {
      const [row] = await db.query<{ status: string; output: Json; error: Played['error'] }>(
        'SELECT status, output, error FROM runs WHERE id = $1',
        [accepted.runPk],
      );
      if (row !== undefined && row.status !== 'running') {
        const frames = await framesOf(db, accepted.runPk);
        const end = frames.find((frame) => TERMINAL.has(frame.type));
        if (end === undefined) throw new Error('The run ended without a terminal frame');
        const of: Played['of'] = (type, nodeId) =>
          frames.filter(
            (frame) => frame.type === type && (nodeId === undefined || frame['node_id'] === nodeId),
          );
        return { accepted, frames, end, output: row.output, error: row.error, of };
      }
      if (Date.now() > deadline) {
        const seen = (await framesOf(db, accepted.runPk)).map(
          (frame) => `${frame.type} ${JSON.stringify(frame['node_id'] ?? '')}`,
        );
        throw new Error(`The run did not end within ${timeoutMs} ms; seen: ${seen.slice(-20).join(', ')}`);
      }
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  return {
    log,
    config,
    db,
    engine,
    scheduleEngine: engine.schedules,
    acceptor,
    clock: systemClock,
    definitionFacts: new DefinitionFactsCache(db),
    answers: new FairSemaphore(ANSWER_SHARES),
    dispatcher,
    deps,
    workers,
    organizationId,
    accept,
    follow,
    play: async (definition, given, limits, timeoutMs) =>
      follow(await accept(definition, given, limits), timeoutMs),
    async close() {
      await dispatcher.stop();
      for (const worker of Object.values(workers)) worker.shutdown();
      await running;
      await lease.release();
      await cancellations.close();
      await connection.close();
      await engine.close();
      await extractor.close();
      await tools.close();
      const unended = await unendedSteps(db);
      const unseen = await requests.listUnseen(db);
      await db.close();
      await database.drop();
      if (unseen.length > 0) throw new Error(`Requests that no sheet names: ${unseen.join('; ')}`);
      if (unended.length > 0) throw new Error(`Completed runs with open steps: ${unended.join('; ')}`);
    },
  };
}
