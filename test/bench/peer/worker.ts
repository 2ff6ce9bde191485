/**
 * Process: the worker of the hand-written workflows and their plain activities, with the options of the service's own.
 */
import { fileURLToPath } from 'node:url';
import { NativeConnection, Worker } from '@temporalio/worker';
import { readConfig } from '../../../src/base/config/config.ts';
import { dataConverterOptions } from '../../../temporal/codec/data-converter.ts';
import { peerActivities } from './activities.ts';

const config = readConfig(process.env);
const connection = await NativeConnection.connect({ address: config.temporal.address });
const worker = await Worker.create({
  connection,
  dataConverter: dataConverterOptions(config),
  taskQueue: config.temporal.taskQueue,
  workflowsPath: fileURLToPath(new URL('./workflows.ts', import.meta.url)),
  activities: peerActivities,
  maxCachedWorkflows: 1_000,
  maxConcurrentActivityTaskExecutions: 100,
  shutdownGraceTime: '1s',
});
await worker.run();
await connection.close();
