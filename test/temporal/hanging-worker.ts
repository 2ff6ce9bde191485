/** A worker process whose workflow thread hangs: started by workflow-threads.test.ts with the server's address and a task queue. */
import { fileURLToPath } from 'node:url';
import { NativeConnection, Worker } from '@temporalio/worker';
import { chooseWorkflowThreads } from '../../temporal/worker/workflow-threads.ts';

const [, , address = '', taskQueue = ''] = process.argv;
chooseWorkflowThreads((waiting) => {
  process.stdout.write(JSON.stringify(waiting));
  process.exit(1);
});
const worker = await Worker.create({
  connection: await NativeConnection.connect({ address }),
  taskQueue,
  workflowsPath: fileURLToPath(new URL('./endless-workflow.ts', import.meta.url)),
});
await worker.run();
