/** The Temporal workers of a process: one interprets, one runs effectful nodes, one takes documents in. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker } from '@temporalio/worker';
import type { NativeConnection, WorkerInterceptors, WorkerOptions } from '@temporalio/worker';
import type { Config } from '../../src/config.ts';
import {
  createIngestActivities,
  createInterpreterActivities,
  createNodeActivities,
} from '../activities/create-activities.ts';
import type { EngineDeps } from '../../src/runs/execute/engine-deps.ts';
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
export function interpreterCode(): InterpreterCode {
  const bundle = fileURLToPath(new URL('./interpreter-bundle.js', import.meta.url));
  if (existsSync(bundle)) return { workflowBundle: { codePath: bundle } };
  return { workflowsPath: INTERPRETER_SOURCE.workflowsPath };
}

/** Creates the workers; they poll once `run()` is called. */
export async function createWorkers(
  config: Config,
  connection: NativeConnection,
  deps: EngineDeps,
  code: InterpreterCode = interpreterCode(),
): Promise<Worker[]> {
  const { namespace, taskQueue } = config.temporal;
  const interceptors: WorkerInterceptors = {
    activity: [activityTracing],
    // For a worker that bundles itself; a bundle has them in it.
    workflowModules: INTERPRETER_SOURCE.workflowInterceptorModules,
  };
  const shared = {
    connection,
    namespace,
    dataConverter: dataConverterOptions(config),
    shutdownGraceTime: '20s',
    interceptors,
    // Activities beat every 3 s, and in a hurry when they want to hear of a cancellation (activities/live-work.ts).
    maxHeartbeatThrottleInterval: '200ms',
    defaultHeartbeatThrottleInterval: '200ms',
  } as const;
  return Promise.all([
    Worker.create({
      ...shared,
      ...code,
      taskQueue,
      activities: createInterpreterActivities(deps),
      maxCachedWorkflows: 1_000,
      // As in the SDKs for Go and Java: so long a run waits for a worker that is gone.
      stickyQueueScheduleToStartTimeout: '5s',
      enableNonLocalActivities: false,
    }),
    Worker.create({
      ...shared,
      taskQueue: nodesTaskQueue(taskQueue),
      activities: createNodeActivities(deps),
      maxConcurrentActivityTaskExecutions: NODE_SLOTS,
    }),
    Worker.create({
      ...shared,
      taskQueue: ingestTaskQueue(taskQueue),
      activities: createIngestActivities(deps),
      maxConcurrentActivityTaskExecutions: INGEST_SLOTS,
    }),
  ]);
}
