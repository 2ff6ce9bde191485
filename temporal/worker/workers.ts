/** The Temporal workers of a process: for the interpreter, for nodes, for its own attempts, for ingests. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker } from '@temporalio/worker';
import type { NativeConnection, WorkerInterceptors, WorkerOptions } from '@temporalio/worker';
import type { Config } from '../../src/config/config.ts';
import { createInterpreterActivities } from '../activities/ledger.ts';
import { createIngestActivities, type IngestDeps } from '../activities/ingest.ts';
import { createNodeActivities, createShortNodeActivities } from '../activities/nodes.ts';
import type { ExecuteDeps } from '../../src/runs/execute/deps.ts';
import { toIngestTaskQueue, toNodesTaskQueue } from '../contract.ts';
import { dataConverterOptions } from '../codec/data-converter.ts';
import { INTERPRETER_SOURCE } from './interpreter-source.ts';
import { activityTracing } from '../client/tracing.ts';

/**
 * Node tasks that a process takes from Temporal: far more than it runs concurrently (EXECUTION_SLOTS), so that waiting tasks of one
 * organization do not keep those of others in Temporal's queue.
 */
const NODE_TASKS = 1_000;
/** Local activities of a process: advances, and short nodes, which wait for slots in the same way. */
const LOCAL_TASKS = 1_000;
/** Concurrent ingests in one process: reading is CPU work, and each document is in memory. */
const INGEST_SLOTS = 8;

type InterpreterCode = Pick<WorkerOptions, 'workflowBundle' | 'workflowsPath'>;

/** Finds the bundle of the build, or else the source. */
function findInterpreterCode(): InterpreterCode {
  const bundle = fileURLToPath(new URL('./interpreter-bundle.js', import.meta.url));
  if (existsSync(bundle)) return { workflowBundle: { codePath: bundle } };
  return { workflowsPath: INTERPRETER_SOURCE.workflowsPath };
}

interface WorkersDeps {
  readonly execute: ExecuteDeps;
  readonly ingest: IngestDeps;
  /** Null: the bundle of the build, or else the source. */
  readonly code: InterpreterCode | null;
}

export interface Workers {
  readonly interpreter: Worker;
  readonly nodes: Worker;
  readonly ingest: Worker;
  /** Continues attempts that run in this process. */
  readonly own: Worker;
}

/** Creates the workers; they poll once `run()` is called. */
export async function createWorkers(
  config: Config,
  connection: NativeConnection,
  { execute, ingest, code }: WorkersDeps,
): Promise<Workers> {
  const { namespace, taskQueue } = config.temporal;
  const interceptors: WorkerInterceptors = { activity: [activityTracing] };
  const interpreter = code ?? findInterpreterCode();
  // For a worker that bundles itself; a bundle has them in it.
  const workflowModules =
    'workflowBundle' in interpreter ? [] : INTERPRETER_SOURCE.workflowInterceptorModules;
  const shared = {
    connection,
    namespace,
    dataConverter: dataConverterOptions(config),
    shutdownGraceTime: '20s',
    interceptors,
    // Heartbeats come every 3 s, and faster while an activity waits for its cancellation (activities/activity-host.ts).
    maxHeartbeatThrottleInterval: '200ms',
    defaultHeartbeatThrottleInterval: '200ms',
  } as const;
  const [interpreterWorker, nodes, own, ingestWorker] = await Promise.all([
    Worker.create({
      ...shared,
      ...interpreter,
      interceptors: { ...interceptors, workflowModules },
      taskQueue,
      activities: { ...createInterpreterActivities(execute), ...createShortNodeActivities(execute) },
      maxConcurrentLocalActivityExecutions: LOCAL_TASKS,
      maxCachedWorkflows: 1_000,
      // Same as the Go and Java SDKs; bounds the delay after a worker dies.
      stickyQueueScheduleToStartTimeout: '5s',
      enableNonLocalActivities: false,
    }),
    Worker.create({
      ...shared,
      taskQueue: toNodesTaskQueue(taskQueue),
      activities: createNodeActivities(execute),
      maxConcurrentActivityTaskExecutions: NODE_TASKS,
    }),
    Worker.create({
      ...shared,
      taskQueue: execute.worker.queue,
      activities: createNodeActivities(execute),
      maxConcurrentActivityTaskExecutions: NODE_TASKS,
      maxConcurrentActivityTaskPolls: 2,
    }),
    Worker.create({
      ...shared,
      taskQueue: toIngestTaskQueue(taskQueue),
      activities: createIngestActivities(ingest),
      maxConcurrentActivityTaskExecutions: INGEST_SLOTS,
    }),
  ]);
  return { interpreter: interpreterWorker, nodes, ingest: ingestWorker, own };
}
