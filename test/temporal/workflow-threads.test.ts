/** A cancellation would miss the nodes of a run, a thread that hangs would hold all runs of its worker, or its watchdog end the process. */
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Worker as Thread } from 'node:worker_threads';
import { Client, Connection } from '@temporalio/client';
import { NativeConnection, Worker } from '@temporalio/worker';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import * as source from '../../temporal/worker/workflow-threads.ts';
import { installRuntime, throwHungThread } from '../support/engine.ts';
import { testTemporal } from '../support/temporal.ts';
import type { computeLong, keepScope } from './thread-workflows.ts';

let connection: Connection;
let native: NativeConnection;
beforeAll(async () => {
  installRuntime();
  const { address } = testTemporal();
  connection = await Connection.connect({ address });
  native = await NativeConnection.connect({ address });
});
afterAll(async () => {
  source.chooseWorkflowThreads(throwHungThread);
  await native.close();
  await connection.close();
});

const pathOf = (file: string): string => fileURLToPath(new URL(file, import.meta.url));

/** Executes workflows on the threads that are chosen. */
async function withWorker<Result>(
  workflows: string,
  work: (client: Client, taskQueue: string) => Promise<Result>,
): Promise<Result> {
  const taskQueue = `threads-${randomUUID()}`;
  const workflowsPath = pathOf(workflows);
  const worker = await Worker.create({ connection: native, taskQueue, workflowsPath });
  return worker.runUntil(work(new Client({ connection }), taskQueue));
}

const built = async (): Promise<typeof source> =>
  import(
    pathToFileURL(join(inject('builtService'), 'temporal', 'worker', 'workflow-threads.js')).href
  ) as Promise<typeof source>;

test.each([
  ['the threads of the source', async () => source.chooseWorkflowThreads(throwHungThread)],
  ['the threads of the build', async () => (await built()).chooseWorkflowThreads(throwHungThread)],
  ['the SDK’s own threads, for debugging', async () => source.chooseWorkflowThreads(null)],
])('a cancellation scope outlives an await in %s', async (_, choose) => {
  await choose();
  const kept = await withWorker('./thread-workflows.ts', (client, taskQueue) =>
    client.workflow.execute<typeof keepScope>('keepScope', { taskQueue, workflowId: randomUUID() }),
  );
  expect(kept).toEqual([true, true, true]);
});

test('an activation beyond the limit of the SDK ends neither its run nor the process', async () => {
  source.chooseWorkflowThreads(throwHungThread);
  const result = await withWorker('./thread-workflows.ts', (client, taskQueue) =>
    client.workflow.execute<typeof computeLong>('computeLong', {
      taskQueue,
      workflowId: randomUUID(),
      workflowTaskTimeout: '60s',
    }),
  );
  expect(result).toBe('done');
});

test('a process whose thread hangs ends with the run that it hangs in, and another takes the run over', async () => {
  const taskQueue = `threads-${randomUUID()}`;
  const client = new Client({ connection });
  const run = await client.workflow.start('interpretWorkflow', { taskQueue, workflowId: randomUUID() });
  const args = ['--import', 'tsx', pathOf('./hanging-worker.ts'), testTemporal().address, taskQueue];
  const ended = await new Promise<{ readonly status: unknown; readonly out: string }>((resolve) => {
    execFile(process.execPath, args, (error, out) => resolve({ status: error?.code, out }));
  });
  expect(ended).toEqual({ status: 1, out: JSON.stringify([run.firstExecutionRunId]) });
  const worker = await Worker.create({
    connection: native,
    taskQueue,
    workflowsPath: pathOf('./quiet-workflow.ts'),
  });
  expect(await worker.runUntil(run.result())).toBe('taken over');
});

const require = createRequire(import.meta.url);
const sdkFile = (name: string): string => `@temporalio/worker/lib/workflow/${name}.js`;
const readSdk = (name: string): string => readFileSync(require.resolve(sdkFile(name)), 'utf8');

test('the SDK starts its threads and installs its hook as the replacement knows it', () => {
  const threads = readSdk('threaded-vm');
  expect(threads).toContain('new node_worker_threads_1.Worker(require.resolve(');
  expect(threads).toContain(
    'static async create({ threadPoolSize, workflowBundle, isolateExecutionTimeoutMs, reuseV8Context, registeredActivityNames, logger, patchActivationCallback, })',
  );
  expect(readSdk('../worker')).toContain('threaded_vm_1.ThreadedVMWorkflowCreator.create(');
  expect(readSdk('vm-shared')).toContain('this.setPromiseHook();');
  expect(readSdk('reusable-vm')).toContain('timeout: isolateExecutionTimeoutMs');
});

test('a thread does not start with an SDK that has another hook', async () => {
  const entry = pathOf('../../temporal/worker/workflow-thread.cts');
  const code = `
    const { createRequire } = require('node:module');
    delete createRequire(${JSON.stringify(entry)})('${sdkFile('vm-shared')}').globalHandlers.constructor.prototype.setPromiseHook;
    require(${JSON.stringify(entry)});`;
  const thread = new Thread(code, { eval: true });
  const error = await new Promise<Error>((resolve) => thread.once('error', resolve));
  expect(error.message).toContain('installs its promise hook in another way');
});
