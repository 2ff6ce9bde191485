/**
 * Entry of a sandbox thread: runs one job after the other, each in an instance of its own. It makes the next one while
 * nobody waits for it (0.7 ms, most of what a short function costs), for as much memory as the last job wanted.
 */
import { parentPort, workerData } from 'node:worker_threads';
import type { CodeJob, FromThread, WasmModule } from './messages.ts';
import { freshVm, runCode } from './run-code.ts';
import type { FreshVm } from './run-code.ts';

/** What a function may use that does not say anything. */
const USUAL_MEMORY_MB = 128;

const { module } = workerData as { readonly module: WasmModule };
const say = (message: FromThread): void => parentPort?.postMessage(message);

let next: FreshVm;

async function prepare(memoryMb: number): Promise<void> {
  next = await freshVm(module, memoryMb);
  say('ready');
}

async function run(job: CodeJob): Promise<void> {
  const fresh = next.memoryMb === job.memoryMb ? next : await freshVm(module, job.memoryMb);
  say({ job: job.job, result: await runCode(fresh, job) });
  await prepare(job.memoryMb);
}

parentPort?.on('message', (job: CodeJob) => void run(job));
await prepare(USUAL_MEMORY_MB);
