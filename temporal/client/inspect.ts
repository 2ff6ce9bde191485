/** Inspects a Temporal server for an operator: its version, its namespace, its search attributes, and who polls the queues. */
import type { Connection } from '@temporalio/client';
import type { Config } from '../../src/config/config.ts';
import { toIngestTaskQueue, toNodesTaskQueue } from '../contract.ts';
import { callWithin, openConnection } from './connection.ts';
import { findMissingAttributes } from './search-attributes.ts';

/** Longer than the service itself waits: an operator wants the answer of a slow server, too. */
const TIMEOUT_MS = 5_000;
/** temporal.api.enums.v1.TaskQueueType */
const QUEUE_TYPE = { workflow: 1, activity: 2 } as const;

interface QueueStatus {
  readonly queue: string;
  readonly pollers: number;
}

/** Null: the server may not tell. */
export interface TemporalStatus {
  readonly serverVersion: string;
  readonly retentionDays: number | null;
  readonly missingAttributes: readonly string[] | null;
  readonly queues: readonly QueueStatus[];
}

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
 * Waits for all, also when one fails: a call that the SDK is about to repeat when its connection is closed throws where nobody
 * catches it, and the process ends.
 */
async function settleAll<T>(calls: readonly Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(calls);
  return Promise.all(calls);
}

/** Asks the server of the configuration. @throws when it does not answer, or has no such namespace */
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
        queues: await settleAll(queues.map((queue) => inspectQueue(connection, namespace, queue))),
      };
    });
  } finally {
    await connection.close();
  }
}
