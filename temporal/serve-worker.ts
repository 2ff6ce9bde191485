/** Process 3, the worker: interprets runs, runs their nodes, delivers the outbox, reconciles lost runs. */
import './worker/heap.ts';
import { randomUUID } from 'node:crypto';
import {
  DefaultLogger,
  NativeConnection,
  Runtime,
  makeTelemetryFilterString,
  type LogMetadata,
} from '@temporalio/worker';
import { systemClock } from '../src/base/clock.ts';
import { VERSION, type Config } from '../src/base/config/config.ts';
import { openDb, openOwnPool } from '../src/base/db/client.ts';
import { onDatabase, onEmbeddingModel, onModel, onTemporal } from '../src/processes/dependencies.ts';
import { NamespaceMissing } from '../src/base/errors.ts';
import { listenForCancellations } from '../src/engine/runs/outbox/cancellations.ts';
import { Janitor } from '../src/engine/runs/outbox/janitor.ts';
import { Reconciler } from '../src/engine/runs/outbox/reconciler.ts';
import { ForeignNamespace, NamespaceGuard } from '../src/engine/runs/outbox/namespace-guard.ts';
import { dataJobHandler } from '../src/features/data/job-runner.ts';
import { runHandlers } from '../src/engine/runs/outbox/run-handlers.ts';
import { createExtractor } from '../src/platform/knowledge/extraction/extractor.ts';
import { openFileStore } from '../src/platform/files/file-store.ts';
import { IngestSyncer } from '../src/platform/knowledge/ingest-syncer.ts';
import type { Logger } from '../src/base/log.ts';
import { DependencyWatch } from '../src/base/observe/dependencies.ts';
import { collectProcessMetrics } from '../src/base/observe/metrics.ts';
import type { OutageLog } from '../src/processes/outage-log.ts';
import { Dispatcher } from '../src/platform/outbox/dispatcher.ts';
import { listenForOutbox } from '../src/platform/outbox/outbox-notifier.ts';
import { runProcess, StartError, type ProcessWork } from '../src/processes/process.ts';
import { buildNodeTools } from './worker/node-tools.ts';
import { EvaluationRunner } from '../src/features/workflows/evaluations/runner.ts';
import { deleteExpiredEvaluations } from '../src/features/workflows/evaluations/store.ts';
import { RunAcceptor } from '../src/engine/runs/accept/accept.ts';
import { RehearsalRunner } from '../src/features/workflows/rehearsals/runner.ts';
import { deleteExpiredRehearsals } from '../src/features/workflows/rehearsals/store.ts';
import { deleteExpiredExports } from '../src/features/data/jobs.ts';
import { createCompositionPort } from '../src/features/workflows/composition-port.ts';
import { requireSchema } from '../src/processes/require-schema.ts';
import { requireKeys } from '../src/platform/credentials/vault/rotation.ts';
import { BYTE_LIMITS } from '../src/platform/outbound/answer-bytes.ts';
import { createExecuteDeps } from '../src/engine/runs/execute/deps.ts';
import { ByteBudget } from '../src/base/shares/byte-budget.ts';
import { connectEngine } from './client/client.ts';
import { connectionOptions } from './client/connection.ts';
import { toWorkerTaskQueue } from './contract.ts';
import { ScheduleSyncer } from '../src/engine/schedules/schedule-syncer.ts';
import { openWorkerPort } from './worker/port.ts';
import { takeWorkerLease } from './worker/worker-lease.ts';
import { createAttemptSlots, WORKER_SLOTS } from './worker/worker-slots.ts';
import { createWorkers } from './worker/workers.ts';

const CONNECT_RETRY_MS = 1_000;
/** How long attempts under way may take to end when the process stops; then other workers take them over. */
const DRAIN_MS = 15_000;
/** The same for attempts that began late. With the workers' grace time of 20 s, all of it stays below the 40 s of `docker-compose.yml`. */
const LAST_DRAIN_MS = 3_000;
/** The pool of the outbox: few small statements at a time. */
const OUTBOX_POOL = {
  max: 3,
  statementTimeoutMs: 15_000,
  lockTimeoutMs: 10_000,
  name: 'workflow-automation-service outbox',
  awaitsDisk: false,
};

/** Connects; waits until the server is available. */
async function connect(config: Config, log: Logger): Promise<NativeConnection> {
  for (;;) {
    try {
      return await NativeConnection.connect(connectionOptions(config));
    } catch (error) {
      log.warn({ err: error, address: config.temporal.address }, 'Temporal cannot be reached; trying again');
      await new Promise((resolve) => setTimeout(resolve, CONNECT_RETRY_MS));
    }
  }
}

/** @throws StartError when Temporal lacks the namespace, or is another one than that of this database's runs */
async function requireNamespace(guard: NamespaceGuard, log: Logger): Promise<void> {
  try {
    await guard.require();
  } catch (error) {
    if (error instanceof ForeignNamespace) throw new StartError(error.message);
    if (error instanceof NamespaceMissing)
      throw new StartError(
        `${error.message}. Run \`npm run admin -- temporal:setup\` (in the image: \`node dist/src/processes/admin.js temporal:setup\`), or correct TEMPORAL_NAMESPACE.`,
      );
    log.warn({ err: error }, "could not check Temporal's namespace");
  }
}

/** The first segment of the run, in the id of its execution (contract.ts). */
const RUN_PK = /\/run\/([0-9a-f-]{36})$/;

/** The warning of the SDK for a worker without workflows, which three of ours are. */
const ABOUT_ACTIVITY_WORKERS = 'No workflows registered, not polling for workflow tasks';

/** How the SDK's core words a server that is away: a status of gRPC, or the transport's own error. */
const CORE_OUTAGE =
  /code: '?(?:Unavailable|DeadlineExceeded|Cancelled|The service is currently unavailable)|transport error|connect error|timed out|timeout/i;

/** Tells whether a line of the SDK's core is about a Temporal that is away; its fields are texts. */
const isOutageLine = (meta: LogMetadata | undefined): boolean =>
  meta?.['sdkComponent'] === 'core' &&
  Object.values(meta).some((value) => typeof value === 'string' && CORE_OUTAGE.test(value));

function installRuntime(log: Logger, metricsAddress: string | undefined): void {
  Runtime.install({
    // The process has its own (process.ts), which also closes what the workers used.
    shutdownSignals: [],
    logger: new DefaultLogger('WARN', ({ level, message, meta }) => {
      if (message === ABOUT_ACTIVITY_WORKERS) return;
      // The workflow id names the run, the activity id the node and its visit.
      const workflowId: unknown = meta?.['workflowId'];
      const fields = {
        ...(isOutageLine(meta) ? { dependency: 'temporal' } : {}),
        run_pk: typeof workflowId === 'string' ? RUN_PK.exec(workflowId)?.[1] : undefined,
        temporal: workflowId ?? meta?.['activityType'],
        activity: meta?.['activityId'],
        thrown: meta?.['error'],
      };
      if (level === 'ERROR') log.error(fields, message);
      else log.warn(fields, message);
    }),
    telemetryOptions: {
      logging: { filter: makeTelemetryFilterString({ core: 'WARN', other: 'WARN' }), forward: {} },
      ...(metricsAddress === undefined
        ? {}
        : {
            metrics: {
              prometheus: { bindAddress: metricsAddress, countersTotalSuffix: true, unitSuffix: true },
            },
          }),
    },
  });
}

/** @throws StartError when the metrics of the SDK cannot be served at their address */
function startRuntime(log: Logger, metricsAddress: string | undefined): void {
  try {
    installRuntime(log, metricsAddress);
  } catch (error) {
    if (metricsAddress === undefined) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartError(`TEMPORAL_METRICS_ADDRESS: ${metricsAddress} cannot be used. ${reason}`);
  }
}

async function serve(config: Config, log: Logger, outages: OutageLog): Promise<ProcessWork> {
  startRuntime(log, config.temporalMetricsAddress);
  collectProcessMetrics('worker', { version: VERSION, commit: config.buildCommit });
  const db = openDb(config.databaseUrl, 30);
  await requireSchema({ db, log });
  await requireKeys({ db, config, log });
  const tools = await buildNodeTools({ config, compositions: createCompositionPort(db), db, log });
  const files = openFileStore(config);
  const extractor = createExtractor(log);
  const connection = await connect(config, log);
  const engine = await connectEngine(config, log, connection);
  const guard = new NamespaceGuard({ db, engine, clock: systemClock });
  await requireNamespace(guard, log);
  const watch = new DependencyWatch({
    clock: systemClock,
    listener: outages,
    dependencies: [
      ...onDatabase(db),
      ...onTemporal(engine, db),
      ...onModel(config),
      ...onEmbeddingModel(config),
    ],
  });
  watch.start();
  const outbox = openOwnPool(config.databaseUrl, OUTBOX_POOL);
  const dispatcher = new Dispatcher({
    db,
    outbox,
    clock: systemClock,
    log,
    handlers: {
      ...runHandlers({ db, engine, guard }),
      schedule: guard.wrap(new ScheduleSyncer({ clock: systemClock, db, engine: engine.schedules, log })),
      ingest: guard.wrap(new IngestSyncer({ db, engine: engine.ingests, log })),
      data_job: dataJobHandler({ db, clock: systemClock }),
    },
  });
  const workerId = randomUUID();
  const lease = await takeWorkerLease({ databaseUrl: config.databaseUrl, workerId });
  const reconciler = new Reconciler({ db, engine, guard, log });
  const execute = createExecuteDeps({
    db,
    tools,
    log,
    clock: systemClock,
    worker: { workerId, queue: toWorkerTaskQueue(config.temporal.taskQueue, workerId) },
    ...createAttemptSlots(WORKER_SLOTS),
    bytes: new ByteBudget(BYTE_LIMITS),
    onAdvanced: (run) => dispatcher.noteStarted(run.rootRunPk),
    onUnhosted: (run) => void reconciler.check(run),
  });
  const ingest = { db, clock: systemClock, extractor, log, embedding: tools.embedding };
  const helpers = [
    reconciler,
    new Janitor({ db, log }, [
      ['exports', deleteExpiredExports],
      ['rehearsals', deleteExpiredRehearsals],
      ['evaluations', deleteExpiredEvaluations],
      ['files', (all) => files?.sweep(all) ?? Promise.resolve()],
    ]),
    new RehearsalRunner(execute),
    new EvaluationRunner({
      ...execute,
      acceptor: new RunAcceptor(db),
      onAccepted: (organizationId) => dispatcher.kickStart(organizationId),
    }),
  ];
  const workers = await createWorkers(config, connection, {
    execute,
    ingest,
    slots: WORKER_SLOTS,
    code: null,
    onHungThread: (waiting) => {
      // A shutdown would wait for the thread. Other workers take the tasks over, as those of any process that ends.
      log.fatal(
        { temporal_run_ids: waiting },
        'a workflow thread hangs in one of these runs: the process ends',
      );
      process.exit(1);
    },
  });
  for (const helper of [dispatcher, ...helpers]) helper.start();
  const listeners = [
    listenForOutbox(config.databaseUrl, log, dispatcher),
    listenForCancellations(config.databaseUrl, log, execute.running),
  ];
  const { own, ...others } = workers;
  const running = Promise.all(Object.values(workers).map((worker) => worker.run()));
  const port = await openWorkerPort({ config, db, log, watch, workers: { ...workers } }, config.workerPort);
  log.info({ task_queue: config.temporal.taskQueue, address: config.temporal.address }, 'worker started');
  return {
    done: running,
    async stop() {
      watch.stop();
      // First, because an eager start sends its first task to these workers, which would no longer take it.
      await dispatcher.stop();
      for (const worker of Object.values(others)) worker.shutdown();
      await execute.running.stop(DRAIN_MS);
      own.shutdown();
      // Ends when the work in flight has ended, or its grace time is over.
      await running;
      // An interpreter task may begin an attempt while it drains, and leave it running.
      await execute.running.stop(LAST_DRAIN_MS);
      await lease.release();
      await port?.close();
      for (const listener of listeners) await listener.close();
      for (const helper of helpers) await helper.stop();
      await connection.close();
      await engine.close();
      await extractor.close();
      await tools.close();
      await outbox.close();
      await db.close();
      return 0;
    },
  };
}

runProcess('worker', serve);
