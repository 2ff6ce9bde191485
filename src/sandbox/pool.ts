/**
 * The warm threads of the sandbox process: one job per thread at a time, first come first served. A thread that is
 * ended (deadline, cancellation, crash) or has done its share is replaced.
 */
import { Worker } from 'node:worker_threads';
import { timedOut } from './messages.ts';
import type { CodeJob, CodeResult, Done, WasmModule } from './messages.ts';

/** After so many runs a thread is replaced: WebAssembly memory is given back for certain. */
const RUNS_PER_THREAD = 200;
/** How much longer than its deadline a job may take to notice it by itself. */
const GRACE_MS = 250;
const THREAD_LIMITS = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 };

interface Thread {
  readonly worker: Worker;
  state: 'starting' | 'ready' | 'busy';
  runs: number;
  current: { readonly job: CodeJob; readonly deadline: NodeJS.Timeout } | null;
}

export interface Pool {
  run(job: CodeJob): void;
  /** Drops a waiting job and ends a running one; nothing is answered. */
  cancel(job: number): void;
}

/**
 * @param entry the thread's entry
 * @param answer called once per job that is not cancelled
 * @param broken called when threads cannot be started at all
 */
export function openPool(
  entry: URL,
  module: WasmModule,
  size: number,
  answer: (done: Done) => void,
  broken: (error: Error) => void,
): Pool {
  const waiting: CodeJob[] = [];
  const threads = new Set<Thread>();

  const release = (thread: Thread): CodeJob | null => {
    const { current } = thread;
    if (current !== null) clearTimeout(current.deadline);
    thread.current = null;
    thread.state = 'ready';
    return current?.job ?? null;
  };

  const replace = (thread: Thread, result: CodeResult | null): void => {
    if (!threads.delete(thread)) return;
    const job = release(thread);
    void thread.worker.terminate();
    if (job !== null && result !== null) answer({ job: job.job, result });
    open();
  };

  const next = (thread: Thread): void => {
    const job = thread.state === 'ready' ? waiting.shift() : undefined;
    if (job === undefined) return;
    thread.state = 'busy';
    thread.runs += 1;
    const deadline = setTimeout(() => replace(thread, timedOut(job.timeoutMs)), job.timeoutMs + GRACE_MS);
    thread.current = { job, deadline };
    thread.worker.postMessage(job);
  };

  const hear = (thread: Thread, message: Done | 'ready'): void => {
    if (message === 'ready') {
      thread.state = 'ready';
      return next(thread);
    }
    if (thread.current?.job.job !== message.job) return;
    release(thread);
    answer(message);
    if (thread.runs >= RUNS_PER_THREAD) replace(thread, null);
    else next(thread);
  };

  const crash = (thread: Thread, error: Error): void => {
    // Starting another one would end the same way, again and again.
    if (thread.state === 'starting' && threads.has(thread)) return broken(error);
    const memory = (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY';
    const message = memory
      ? 'The function needs more memory than it may use'
      : 'The runtime of the function crashed';
    replace(thread, { ok: false, code: memory ? 'memory' : 'function_error', message });
  };

  function open(): void {
    const worker = new Worker(entry, {
      env: {},
      argv: [],
      workerData: { module },
      resourceLimits: THREAD_LIMITS,
    });
    const thread: Thread = { worker, state: 'starting', runs: 0, current: null };
    threads.add(thread);
    worker.on('message', (message: Done | 'ready') => hear(thread, message));
    worker.on('error', (error) => crash(thread, error));
    worker.on('exit', (code) => crash(thread, new Error(`the thread ended with code ${code}`)));
  }

  for (let slot = 0; slot < size; slot += 1) open();
  return {
    run(job) {
      waiting.push(job);
      for (const thread of threads) if (thread.state === 'ready') return next(thread);
    },
    cancel(job) {
      const at = waiting.findIndex((entry) => entry.job === job);
      if (at >= 0) waiting.splice(at, 1);
      for (const thread of threads) if (thread.current?.job.job === job) replace(thread, null);
    },
  };
}
