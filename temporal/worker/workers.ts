/** The Temporal workers of a process: for the interpreter, for nodes, for its own attempts, for ingests. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker } from '@temporalio/worker';
import type { NativeConnection, WorkerInterceptors, WorkerOptions } from '@temporalio/worker';
import type { Config } from '../../src/base/config/config.ts';
import { createInterpreterActivities } from '../activities/ledger.ts';
import { createIngestActivities, type IngestDeps } from '../activities/ingest.ts';
import { createNodeActivities, createShortNodeActivities } from '../activities/nodes.ts';
import { limitLocalWaits, shareTasks } from './slot-shares.ts';
import type { ExecuteDeps } from '../../src/engine/runs/execute/deps.ts';
import { toIngestTaskQueue, toNodesTaskQueue } from '../contract.ts';
import { dataConverterOptions } from '../codec/data-converter.ts';
import { INTERPRETER_SOURCE } from './interpreter-source.ts';
import type { WorkerSlots } from './worker-slots.ts';
import { chooseWorkflowThreads } from './workflow-threads.ts';
import { activityTracing } from '../client/tracing.ts';

/** Local activities that one workflow task starts (interpreter/local-activity-budget.ts), so that none waits for those of others. */
const LOCAL_TASKS_PER_WORKFLOW_TASK = 100;
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
  readonly slots: WorkerSlots;
  /** Null: the bundle of the build, or else the source. */
  readonly code: InterpreterCode | null;
  /** Called when a thread of workflow code hangs. @param waiting ids of Temporal of the executions that wait for it */
  readonly onHungThread: (waiting: readonly string[]) => void;
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
  { execute, ingest, slots, code, onHungThread }: WorkersDeps,
): Promise<Workers> {
  const { namespace, taskQueue, workerVersion, hasStackTraces } = config.temporal;
  chooseWorkflowThreads(hasStackTraces ? null : onHungThread);
  const interceptors: WorkerInterceptors = { activity: [activityTracing] };
  const interpreter = code ?? findInterpreterCode();
  // Only a worker that bundles the source itself needs them: a bundle contains them.
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
  const nodeTasks = { count: slots.nodeTasks, clock: execute.clock };
  const [interpreterWorker, nodes, own, ingestWorker] = await Promise.all([
    Worker.create({
      ...shared,
      ...interpreter,
      interceptors: { ...interceptors, workflowModules },
      taskQueue,
      activities: {
        ...createInterpreterActivities(execute),
        ...limitLocalWaits(createShortNodeActivities(execute), slots.workflowTasks),
      },
      maxConcurrentWorkflowTaskExecutions: slots.workflowTasks,
      maxConcurrentLocalActivityExecutions: slots.workflowTasks * LOCAL_TASKS_PER_WORKFLOW_TASK,
      maxCachedWorkflows: 1_000,
      // Same as the Go and Java SDKs; bounds the delay after a worker dies.
      stickyQueueScheduleToStartTimeout: '5s',
      enableNonLocalActivities: false,
      // Activities are not versioned: any build may execute them. Each workflow declares its behavior itself, but the SDK wants a default.
      ...(workerVersion === null
        ? {}
        : {
            workerDeploymentOptions: {
              version: workerVersion,
              useWorkerVersioning: true,
              defaultVersioningBehavior: 'AUTO_UPGRADE',
            },
          }),
    }),
    Worker.create({
      ...shared,
      taskQueue: toNodesTaskQueue(taskQueue),
      activities: shareTasks(createNodeActivities(execute), nodeTasks),
      maxConcurrentActivityTaskExecutions: slots.nodeTasks,
    }),
    Worker.create({
      ...shared,
      taskQueue: execute.worker.queue,
      activities: shareTasks(createNodeActivities(execute), nodeTasks),
      maxConcurrentActivityTaskExecutions: slots.nodeTasks,
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
