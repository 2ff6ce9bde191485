/**
 * Starts the threads of workflow code in place of the SDK, which is careful with code that is not trusted: it takes a stack trace for
 * every promise, and starts a watchdog for every entry into the sandbox. The interpreter is ours, and these are most of the cost of
 * a result. The watchdog also breaks JavaScript off inside of promise hooks, at which Node 20 and 22 end the process ("async hook
 * stack has become corrupted"). Instead, this process notices that a thread no longer answers.
 */
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import {
  ThreadedVMWorkflowCreator,
  WorkerThreadClient,
  type ThreadedVMWorkflowCreatorOptions,
} from '@temporalio/worker/lib/workflow/threaded-vm.js';

/** An activation takes milliseconds, and a second or two on a machine with ten times the load that it can bear. */
const MAX_SILENT_CHECKS = 30;
const CHECK_MS = 1_000;

type ThreadRequest = Parameters<WorkerThreadClient['send']>[0];
type ThreadResponse = Awaited<ReturnType<WorkerThreadClient['send']>>;

/** Called when a thread hangs. @param waiting ids of Temporal of the executions that wait for it */
type OnHang = (waiting: readonly string[]) => void;

/** A thread with the requests that wait for it. */
class WatchedThread extends WorkerThreadClient {
  readonly #waiting = new Set<ThreadRequest>();
  #hasAnswered = false;
  #silentChecks = 0;

  override async send(request: ThreadRequest): Promise<ThreadResponse> {
    this.#waiting.add(request);
    try {
      return await super.send(request);
    } finally {
      this.#waiting.delete(request);
      this.#hasAnswered = true;
    }
  }

  /**
   * Tells whether the thread hangs; call it every CHECK_MS. Checks are counted instead of time: a process that was paused makes none.
   * @returns the executions that wait for a thread that hangs, or null
   */
  check(): readonly string[] | null {
    const isSilent = this.#waiting.size > 0 && !this.#hasAnswered;
    this.#hasAnswered = false;
    this.#silentChecks = isSilent ? this.#silentChecks + 1 : 0;
    if (this.#silentChecks < MAX_SILENT_CHECKS) return null;
    return [...this.#waiting].flatMap((request) => ('runId' in request ? [request.runId] : []));
  }
}

/** The threads of one worker. */
class WatchedThreads extends ThreadedVMWorkflowCreator {
  readonly #timer: NodeJS.Timeout;

  constructor(threads: readonly WatchedThread[], onHang: OnHang) {
    super([...threads]);
    const check = (): void => {
      for (const thread of threads) {
        const waiting = thread.check();
        if (waiting !== null) onHang(waiting);
      }
    };
    this.#timer = setInterval(check, CHECK_MS).unref();
  }

  override async destroy(): Promise<void> {
    clearInterval(this.#timer);
    await super.destroy();
  }
}

/** The entry is CommonJS, as the SDK's own (workflow-thread.cts). */
function startThread(): Worker {
  const extension = extname(import.meta.url) === '.ts' ? '.cts' : '.cjs';
  const entry = fileURLToPath(new URL(`./workflow-thread${extension}`, import.meta.url));
  return new Worker(`require(${JSON.stringify(entry)})`, { eval: true });
}

/** As the SDK creates its threads, but without the limit of an entry into the sandbox, which is what needs a watchdog. */
async function createThreads(
  {
    threadPoolSize,
    logger,
    patchActivationCallback,
    isolateExecutionTimeoutMs: _watched,
    ...init
  }: ThreadedVMWorkflowCreatorOptions,
  onHang: OnHang,
): Promise<ThreadedVMWorkflowCreator> {
  const start = (): WatchedThread => new WatchedThread(startThread(), logger, patchActivationCallback);
  const threads = Array.from({ length: threadPoolSize }, start);
  const hasPatchActivationCallback = patchActivationCallback !== undefined;
  const request = { type: 'init', ...init, hasPatchActivationCallback } as ThreadRequest;
  await Promise.all(threads.map((thread) => thread.send(request)));
  return new WatchedThreads(threads, onHang);
}

/** The SDK's own way, with stack traces and watchdog. */
const createByTheSdk = ThreadedVMWorkflowCreator.create.bind(ThreadedVMWorkflowCreator);

/**
 * Chooses the threads of the workers that are created from now on.
 * @param onHang called for a thread that no longer answers; null: the SDK's own threads, for debugging
 */
export function chooseWorkflowThreads(onHang: OnHang | null): void {
  ThreadedVMWorkflowCreator.create =
    onHang === null ? createByTheSdk : (options) => createThreads(options, onHang);
}
