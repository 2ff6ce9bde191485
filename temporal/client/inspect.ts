/** Inspects a Temporal server for an operator: its version, its namespace, its search attributes, and the pollers of the queues. */
import type { Connection } from '@temporalio/client';
import type { Config } from '../../src/base/config/config.ts';
import { toIngestTaskQueue, toNodesTaskQueue } from '../contract.ts';
import { NamespaceMissing } from '../../src/base/errors.ts';
import { callWithin, openConnection } from './connection.ts';
import { GRPC, readGrpcStatus } from './grpc-status.ts';
import { findMissingAttributes } from './search-attributes.ts';

/** Longer than the service's own deadline, so that an operator sees a slow server answer. */
const TIMEOUT_MS = 5_000;
/** temporal.api.enums.v1.TaskQueueType */
const QUEUE_TYPE = { workflow: 1, activity: 2 } as const;

interface QueueStatus {
  readonly queue: string;
  readonly pollers: number;
}

export interface TemporalStatus {
  readonly serverVersion: string;
  /** Null for a namespace without a retention. */
  readonly retentionDays: number | null;
  /** Null when the server does not let this client list them. */
  readonly missingAttributes: readonly string[] | null;
  readonly queues: readonly QueueStatus[];
}

/** Counts the workers that poll a queue. */
async function inspectQueue(
  { workflowService }: Connection,
  namespace: string,
  { queue, type }: { readonly queue: string; readonly type: keyof typeof QUEUE_TYPE },
): Promise<QueueStatus> {
  const { pollers } = await workflowService.describeTaskQueue({
    namespace,
    taskQueue: { name: queue },
    taskQueueType: QUEUE_TYPE[type],
  });
  return { queue, pollers: pollers?.length ?? 0 };
}

async function readRetentionDays(connection: Connection, namespace: string): Promise<number | null> {
  const { config } = await connection.workflowService.describeNamespace({ namespace });
  const seconds = config?.workflowExecutionRetentionTtl?.seconds;
  return seconds === undefined || seconds === null ? null : Number(seconds) / 86_400;
}

/**
 * Waits for all calls before it throws the error of one: when the connection is closed under a call, the SDK's retry throws outside
 * of the call's promise, and the process ends.
 */
async function awaitAll<T>(calls: readonly Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(calls);
  return Promise.all(calls);
}

/** Inspects the server of the configuration. @throws NamespaceMissing; the error of gRPC when it does not answer in time */
export async function inspectTemporal(config: Config): Promise<TemporalStatus> {
  const { namespace, taskQueue, showsNames } = config.temporal;
  const connection = openConnection(config);
  const queues = [
    { queue: taskQueue, type: 'workflow' },
    { queue: toNodesTaskQueue(taskQueue), type: 'activity' },
    { queue: toIngestTaskQueue(taskQueue), type: 'activity' },
  ] as const;
  try {
    return await callWithin(connection, TIMEOUT_MS, async () => {
      const { serverVersion } = await connection.workflowService.getSystemInfo({});
      return {
        serverVersion,
        retentionDays: await readRetentionDays(connection, namespace),
        missingAttributes: await findMissingAttributes(connection, { namespace, showsNames }).catch(
          () => null,
        ),
        queues: await awaitAll(queues.map((queue) => inspectQueue(connection, namespace, queue))),
      };
    });
  } catch (error) {
    if (readGrpcStatus(error) === GRPC.NOT_FOUND) throw new NamespaceMissing(namespace, { cause: error });
    throw error;
  } finally {
    await connection.close();
  }
}
