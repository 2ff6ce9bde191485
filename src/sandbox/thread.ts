/** Entry of a sandbox thread: runs one job after the other, each in an instance of its own. */
import { parentPort, workerData } from 'node:worker_threads';
import type { CodeJob, Done, WasmModule } from './messages.ts';
import { runCode } from './run-code.ts';

const { module } = workerData as { readonly module: WasmModule };

parentPort?.on('message', (job: CodeJob) => {
  void runCode(module, job).then((result) =>
    parentPort?.postMessage({ job: job.job, result } satisfies Done),
  );
});
parentPort?.postMessage('ready');
