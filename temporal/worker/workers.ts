/** The Temporal workers of a process: one interprets, one runs effectful nodes, one takes documents in. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker } from '@temporalio/worker';
import type { NativeConnection, WorkerInterceptors, WorkerOptions } from '@temporalio/worker';
import type { Config } from '../../src/config/config.ts';
import { createInterpreterActivities } from '../activities/bookkeeping.ts';
import { createIngestActivities, type IngestDeps } from '../activities/ingest.ts';
import { createNodeActivities } from '../activities/nodes.ts';
import type { ExecuteDeps } from '../../src/runs/execute/deps.ts';
import { ingestTaskQueue, nodesTaskQueue } from '../contract.ts';
import { dataConverterOptions } from '../codec/data-converter.ts';
import { INTERPRETER_SOURCE } from './interpreter-source.ts';
import { activityTracing } from '../client/tracing.ts';

/** Node activities at once in one process: they wait for others' servers most of the time. */
const NODE_SLOTS = 100;
/** Documents at once in one process: reading them is work for the processor, and each holds its bytes. */
const INGEST_SLOTS = 8;

export type InterpreterCode = Pick<WorkerOptions, 'workflowBundle' | 'workflowsPath'>;

/** The bundle that the build wrote, or the source to bundle now. */
function interpreterCode(): InterpreterCode {
  const bundle = fileURLToPath(new URL('./interpreter-bundle.js', import.meta.url));
  if (existsSync(bundle)) return { workflowBundle: { codePath: bundle } };
  return { workflowsPath: INTERPRETER_SOURCE.workflowsPath };
}

export interface WorkersDeps {
  readonly execute: ExecuteDeps;
  readonly ingest: IngestDeps;
  /** Null: the bundle that the build wrote, or else the source. */
  readonly code: InterpreterCode | null;
}

export interface Workers {
  readonly interpreter: Worker;
  readonly nodes: Worker;
  readonly ingest: Worker;
  /** Takes up what the others have begun: it goes on while calls are under way. */
  readonly home: Worker;
}

/** Creates the workers; they poll once `run()` is called. */
export async function createWorkers(
  config: Config,
  connection: NativeConnection,
  { execute, ingest, code }: WorkersDeps,
): Promise<Workers> {
  const { namespace, taskQueue } = config.temporal;
  const interceptors: WorkerInterceptors = { activity: [activityTracing] };
  const interpreter = code ?? interpreterCode();
  // For a worker that bundles itself; a bundle has them in it.
  const workflowModules =
    'workflowBundle' in interpreter ? [] : INTERPRETER_SOURCE.workflowInterceptorModules;
  const shared = {
    connection,
    namespace,
    dataConverter: dataConverterOptions(config),
    shutdownGraceTime: '20s',
    interceptors,
    // Activities beat every 3 s, and in a hurry when they want to hear of a cancellation (activities/activity-host.ts).
    maxHeartbeatThrottleInterval: '200ms',
    defaultHeartbeatThrottleInterval: '200ms',
  } as const;
  const [interpreterWorker, nodes, homeWorker, ingestWorker] = await Promise.all([
    Worker.create({
      ...shared,
      ...interpreter,
      interceptors: { ...interceptors, workflowModules },
      taskQueue,
      activities: createInterpreterActivities(execute),
      maxCachedWorkflows: 1_000,
      // As in the SDKs for Go and Java: so long a run waits for a worker that is gone.
      stickyQueueScheduleToStartTimeout: '5s',
      enableNonLocalActivities: false,
    }),
    Worker.create({
      ...shared,
      taskQueue: nodesTaskQueue(taskQueue),
      activities: createNodeActivities(execute),
      maxConcurrentActivityTaskExecutions: NODE_SLOTS,
    }),
    Worker.create({
      ...shared,
      taskQueue: execute.home,
      activities: createNodeActivities(execute),
      // What it takes up is under way already.
      maxConcurrentActivityTaskExecutions: 1_000,
      maxConcurrentActivityTaskPolls: 2,
    }),
    Worker.create({
      ...shared,
      taskQueue: ingestTaskQueue(taskQueue),
      activities: createIngestActivities(ingest),
      maxConcurrentActivityTaskExecutions: INGEST_SLOTS,
    }),
  ]);
  return { interpreter: interpreterWorker, nodes, ingest: ingestWorker, home: homeWorker };
}
