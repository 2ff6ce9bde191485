/**
 * Process: the workers of the hand-written workflows, with the options of the service's own: one for workflows and
 * bare activities, one that runs the service's node activities as they are.
 */
import { fileURLToPath } from 'node:url';
import { NativeConnection, Worker } from '@temporalio/worker';
import { readConfig } from '../../../src/config/config.ts';
import { openDb } from '../../../src/db/client.ts';
import { createLog } from '../../../src/log.ts';
import { buildNodeTools } from '../../../temporal/worker/node-tools.ts';
import { createNodeActivities } from '../../../temporal/activities/nodes.ts';
import { executeDeps } from '../../../src/runs/execute/deps.ts';
import { nodesTaskQueue } from '../../../temporal/contract.ts';
import { dataConverterOptions } from '../../../temporal/codec/data-converter.ts';
import { peerActivities } from './activities.ts';

const config = readConfig(process.env);
const log = createLog(config.logLevel, 'worker');
const db = openDb(config.databaseUrl, 30);
const tools = await buildNodeTools({ config, db, log });
const nodes = createNodeActivities(executeDeps({ db, tools, log }));
const connection = await NativeConnection.connect({ address: config.temporal.address });
const shared = {
  connection,
  dataConverter: dataConverterOptions(config),
  maxHeartbeatThrottleInterval: '1s',
  defaultHeartbeatThrottleInterval: '1s',
  shutdownGraceTime: '1s',
  maxConcurrentActivityTaskExecutions: 100,
} as const;
const { taskQueue } = config.temporal;
const workers = await Promise.all([
  Worker.create({
    ...shared,
    taskQueue,
    workflowsPath: fileURLToPath(new URL('./workflows.ts', import.meta.url)),
    activities: peerActivities,
    maxCachedWorkflows: 1_000,
  }),
  Worker.create({ ...shared, taskQueue: nodesTaskQueue(taskQueue), activities: nodes }),
]);
await Promise.all(workers.map((worker) => worker.run()));
await connection.close();
await tools.close();
await db.close();
