/** Process: the worker of the hand-written workflows, with the options of the service's own worker. */
import { fileURLToPath } from 'node:url';
import { NativeConnection, Worker } from '@temporalio/worker';
import { peerActivities } from './activities.ts';

const connection = await NativeConnection.connect({ address: process.env['TEMPORAL_ADDRESS'] ?? '' });
const worker = await Worker.create({
  connection,
  taskQueue: process.env['PEER_TASK_QUEUE'] ?? '',
  workflowsPath: fileURLToPath(new URL('./workflows.ts', import.meta.url)),
  activities: peerActivities,
  maxCachedWorkflows: 1_000,
  maxConcurrentActivityTaskExecutions: 100,
  maxHeartbeatThrottleInterval: '1s',
  defaultHeartbeatThrottleInterval: '1s',
  shutdownGraceTime: '1s',
});
await worker.run();
await connection.close();
