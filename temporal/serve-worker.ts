/** Process 3, the worker: interprets runs and runs their nodes; also delivers the outbox and repairs what got lost. */
import { existsSync } from 'node:fs';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DefaultLogger, NativeConnection, Runtime, Worker, makeTelemetryFilterString } from '@temporalio/worker';
import type { WorkerOptions } from '@temporalio/worker';
import { ConfigError, readConfig } from '../src/config.ts';
import type { Config } from '../src/config.ts';
import { openDb } from '../src/db/client.ts';
import { Dispatcher } from '../src/dispatch/dispatcher.ts';
import { Janitor } from '../src/dispatch/janitor.ts';
import { Reconciler } from '../src/dispatch/reconciler.ts';
import { createLog } from '../src/log.ts';
import type { Logger } from '../src/log.ts';
import { buildNodeTools } from '../src/ports/node-tools.ts';
import { createInterpreterActivities, createNodeActivities } from './activities/create-activities.ts';
import type { EngineDeps } from './activities/engine-deps.ts';
import { Plans } from './activities/plans.ts';
import { TokenAppender } from './activities/token-appender.ts';
import { connectEngine } from './client.ts';
import { connectionOptions } from './connection.ts';
import { nodesTaskQueue } from './contract.ts';
import { dataConverterOptions } from './data-converter.ts';

/** Node activities at once in one process: they wait for others' servers most of the time. */
const NODE_SLOTS = 100;
const CONNECT_RETRY_MS = 1_000;

/** The bundle that the build wrote, or the source to bundle now. */
function interpreterCode(): Pick<WorkerOptions, 'workflowBundle' | 'workflowsPath'> {
  const bundle = fileURLToPath(new URL('./interpreter-bundle.js', import.meta.url));
  if (existsSync(bundle)) return { workflowBundle: { codePath: bundle } };
  const extension = extname(import.meta.url);
  return { workflowsPath: fileURLToPath(new URL(`./interpreter/interpret${extension}`, import.meta.url)) };
}

/** Connects, and waits for a server that is not there yet. */
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

async function createWorkers(config: Config, connection: NativeConnection, deps: EngineDeps): Promise<Worker[]> {
  const { namespace, taskQueue } = config.temporal;
  const shared = {
    connection,
    namespace,
    dataConverter: dataConverterOptions(config),
    shutdownGraceTime: '20s',
    // Heartbeats carry cancellation back: a second is how late a node hears of it.
    maxHeartbeatThrottleInterval: '1s',
    defaultHeartbeatThrottleInterval: '1s',
  } as const;
  return Promise.all([
    Worker.create({
      ...shared,
      ...interpreterCode(),
      taskQueue,
      activities: createInterpreterActivities(deps),
      maxCachedWorkflows: 1_000,
      enableNonLocalActivities: false,
    }),
    Worker.create({
      ...shared,
      taskQueue: nodesTaskQueue(taskQueue),
      activities: createNodeActivities(deps),
      maxConcurrentActivityTaskExecutions: NODE_SLOTS,
    }),
  ]);
}

function installRuntime(log: Logger): void {
  Runtime.install({
    logger: new DefaultLogger('WARN', ({ level, message, meta }) => {
      const fields = { temporal: meta?.['workflowId'] ?? meta?.['activityType'], err: meta?.['error'] };
      if (level === 'ERROR') log.error(fields, message);
      else log.warn(fields, message);
    }),
    telemetryOptions: { logging: { filter: makeTelemetryFilterString({ core: 'WARN', other: 'WARN' }), forward: {} } },
  });
}

async function main(): Promise<void> {
  const config = readConfig(process.env);
  const log = createLog(config.logLevel, 'worker');
  installRuntime(log);
  const db = openDb(config.databaseUrl, 30);
  const tools = await buildNodeTools({ config, db, log });
  const engine = await connectEngine(config, log);
  const deps: EngineDeps = { db, plans: new Plans(db), tools, tokens: new TokenAppender(db, log), log };
  const helpers = [
    new Dispatcher({ db, engine, log }),
    new Reconciler({ db, engine, log }),
    new Janitor({ db, log }),
  ];
  const connection = await connect(config, log);
  const workers = await createWorkers(config, connection, deps);
  for (const helper of helpers) helper.start();
  log.info({ task_queue: config.temporal.taskQueue, address: config.temporal.address }, 'worker started');
  // run() ends by itself on SIGTERM and SIGINT, when the work in flight has ended or its grace time is over.
  await Promise.all(workers.map((worker) => worker.run()));
  log.info('worker stopped');
  for (const helper of helpers) await helper.stop();
  await connection.close();
  await engine.close();
  await tools.close();
  await db.close();
}

main().catch((error: unknown) => {
  if (error instanceof ConfigError) process.stderr.write(`The configuration is not usable:\n${error.message}\n`);
  else process.stderr.write(`The worker could not go on: ${error instanceof Error ? error.stack : String(error)}\n`);
  process.exit(1);
});
