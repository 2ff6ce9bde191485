/**
 * The warm threads of the sandbox process; each runs one job at a time. The worker sends no more jobs than there are threads,
 * so a job waits here only while a thread starts. Threads are replaced after a deadline, a cancellation, a crash or many runs.
 */
import { Worker } from 'node:worker_threads';
import { createTimeoutResult } from './messages.ts';
import type { CodeJob, CodeResult, Done, FromThread, WasmModule } from './messages.ts';

/** Runs after which a thread is replaced, so that its WebAssembly memory is released. */
const RUNS_PER_THREAD = 1_000;
/** Extra time in which a job can notice its deadline before its thread is terminated. */
const GRACE_MS = 250;
const THREAD_LIMITS = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 };

interface Thread {
  readonly worker: Worker;
  /** A thread creates an instance while it starts (`starting`) and after each job (`preparing`). */
  state: 'starting' | 'ready' | 'busy' | 'preparing';
  runs: number;
  current: { readonly job: CodeJob; readonly deadline: NodeJS.Timeout } | null;
}

interface PoolOptions {
  /** The entry file of the threads. */
  readonly entry: URL;
  readonly module: WasmModule;
  readonly size: number;
  /** Called once per job, unless the job is cancelled. */
  answer(done: Done): void;
  /** Called when a thread fails to start. */
  broken(error: Error): void;
}

export class Pool {
  readonly #options: PoolOptions;
  readonly #waiting: CodeJob[] = [];
  readonly #threads = new Set<Thread>();

  constructor(options: PoolOptions) {
    this.#options = options;
    for (let slot = 0; slot < options.size; slot += 1) this.#open();
  }

  /** Runs the job as soon as a thread is free. */
  run(job: CodeJob): void {
    this.#waiting.push(job);
    for (const thread of this.#threads) if (thread.state === 'ready') return this.#next(thread);
  }

  /** Removes a waiting job or terminates a running one; `answer` is not called for it. */
  cancel(job: number): void {
    const at = this.#waiting.findIndex((entry) => entry.job === job);
    if (at >= 0) this.#waiting.splice(at, 1);
    for (const thread of this.#threads) if (thread.current?.job.job === job) this.#replace(thread, null);
  }

  #open(): void {
    const { entry, module } = this.#options;
    const worker = new Worker(entry, {
      env: {},
      argv: [],
      workerData: { module },
      resourceLimits: THREAD_LIMITS,
    });
    const thread: Thread = { worker, state: 'starting', runs: 0, current: null };
    this.#threads.add(thread);
    worker.on('message', (message: FromThread) => this.#hear(thread, message));
    worker.on('error', (error) => this.#crash(thread, error));
    worker.on('exit', (code) => this.#crash(thread, new Error(`the thread ended with code ${code}`)));
  }

  #next(thread: Thread): void {
    const job = thread.state === 'ready' ? this.#waiting.shift() : undefined;
    if (job === undefined) return;
    thread.state = 'busy';
    thread.runs += 1;
    const deadline = setTimeout(
      () => this.#replace(thread, createTimeoutResult(job.timeoutMs)),
      job.timeoutMs + GRACE_MS,
    );
    thread.current = { job, deadline };
    thread.worker.postMessage(job);
  }

  #hear(thread: Thread, message: FromThread): void {
    // Ignores messages of a thread that was replaced.
    if (!this.#threads.has(thread)) return;
    if (message === 'ready') {
      thread.state = 'ready';
      this.#next(thread);
    } else if (thread.current?.job.job === message.job) {
      this.#release(thread);
      this.#options.answer(message);
      if (thread.runs >= RUNS_PER_THREAD) this.#replace(thread, null);
    }
  }

  #release(thread: Thread): CodeJob | null {
    const { current } = thread;
    if (current !== null) clearTimeout(current.deadline);
    thread.current = null;
    thread.state = 'preparing';
    return current?.job ?? null;
  }

  #replace(thread: Thread, result: CodeResult | null): void {
    if (!this.#threads.delete(thread)) return;
    const job = this.#release(thread);
    void thread.worker.terminate();
    if (job !== null && result !== null) this.#options.answer({ job: job.job, result });
    this.#open();
  }

  #crash(thread: Thread, error: NodeJS.ErrnoException): void {
    // A new thread would fail in the same way, in an endless loop.
    if (thread.state === 'starting' && this.#threads.has(thread)) return this.#options.broken(error);
    const memory = error.code === 'ERR_WORKER_OUT_OF_MEMORY';
    const message = memory
      ? 'The function needs more memory than it may use'
      : 'The runtime of the function crashed';
    this.#replace(thread, { ok: false, code: memory ? 'memory' : 'function_error', message });
  }
}
