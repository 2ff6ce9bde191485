/**
 * The sandbox of function nodes, seen from the worker: one child process without secrets and network, replaced when
 * it dies. Code of tenants never runs in this process.
 */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { createRequire } from 'node:module';
import { extname } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { deeperThan } from '../graph/value.ts';
import { storable, storableText } from '../graph/storable.ts';
import type { Json } from '../graph/value.ts';
import type { Logger } from '../log.ts';
import { abortFailure } from '../nodes/failure.ts';
import { NodeError } from '../nodes/kind.ts';
import type { SandboxPort } from '../nodes/tools.ts';
import { networkless } from './isolation.ts';
import { MAX_ARGUMENT_BYTES, MAX_RESULT_BYTES } from './messages.ts';
import type { CodeJob, CodeResult, Done, ToProcess } from './messages.ts';
import { SANDBOX_LIMITS, SandboxShares, argumentTooLarge } from './shares.ts';
import type { SandboxLimits } from './shares.ts';

/** SPEC SEC-X08. */
const MAX_RESULT_DEPTH = 64;
const NODE_FLAGS = ['--max-old-space-size=512', '--disallow-code-generation-from-strings', '--no-addons'];

type Job = Parameters<SandboxPort['run']>[0];
type Result = Awaited<ReturnType<SandboxPort['run']>>;

export interface Sandbox extends SandboxPort {
  /**
   * @param pauseTimeout called when the function begins to wait for its turn; what it returns, when the wait is over. Not the
   *   function's own timeout, which begins in a thread
   */
  run(job: Job, pauseTimeout?: () => () => void): Promise<Result>;
  close(): Promise<void>;
  /** The process that runs the code now, if there is one. */
  readonly pid: number | undefined;
}

/** From source the child needs the loader that this process has; built code needs none. */
function commandLine(threads: number): string[] {
  const extension = extname(import.meta.url);
  const tsx = (): string => pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
  const loader = extension === '.ts' ? ['--import', tsx()] : [];
  const entry = fileURLToPath(new URL(`./serve-sandbox${extension}`, import.meta.url));
  return [process.execPath, ...NODE_FLAGS, ...loader, entry, String(threads)];
}

/** The JSON of a result as a value: storable, of bounded depth, and no `__proto__` anywhere (SPEC SEC-X09). */
function readValue(text: string): Json {
  if (Buffer.byteLength(text) > MAX_RESULT_BYTES) {
    throw new NodeError('function_error', 'The returned value is larger than 1 MiB');
  }
  const value = JSON.parse(text) as Json;
  if (deeperThan(value, MAX_RESULT_DEPTH)) {
    throw new NodeError(
      'function_error',
      `The returned value is nested deeper than ${MAX_RESULT_DEPTH} levels`,
    );
  }
  if (!text.includes('"__proto__"')) return storable(value);
  return storable(JSON.parse(text, (key, item: Json) => (key === '__proto__' ? undefined : item)) as Json);
}

interface Process {
  readonly child: ChildProcess;
  /** Jobs in flight; null says that the process died. */
  readonly jobs: Map<number, (result: CodeResult | null) => void>;
  /** It cannot be reached any more: whatever is left of it ends, and so do its jobs. */
  readonly abandon: () => void;
}

function startProcess(command: readonly string[], log: Logger, onGone: () => void): Process {
  const [file = '', ...args] = command;
  const child = spawn(file, args, { env: {}, stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
  const jobs: Process['jobs'] = new Map();
  const gone = (): void => {
    onGone();
    for (const finish of jobs.values()) finish(null);
    jobs.clear();
  };
  child.on('message', ({ job, result }: Done) => jobs.get(job)?.(result));
  child.stderr?.on('data', (text: Buffer) => log.warn({ crash: text }, 'sandbox process'));
  child.on('error', (err) => {
    log.error({ err }, 'the sandbox process failed');
    gone();
  });
  child.on('exit', gone);
  const abandon = (): void => {
    child.kill('SIGKILL');
    gone();
  };
  return { child, jobs, abandon };
}

function runIn(
  { child, jobs, abandon }: Process,
  job: CodeJob,
  signal: AbortSignal,
): Promise<CodeResult | null> {
  return new Promise((resolve, reject) => {
    const finish = (result: CodeResult | null): void => {
      jobs.delete(job.job);
      signal.removeEventListener('abort', abort);
      resolve(result);
    };
    const abort = (): void => {
      jobs.delete(job.job);
      child.send({ cancel: job.job } satisfies ToProcess, () => undefined);
      reject(abortFailure(signal));
    };
    jobs.set(job.job, finish);
    signal.addEventListener('abort', abort, { once: true });
    child.send({ run: job } satisfies ToProcess, (error) => {
      // It may have died without its `exit` being handled yet: the next job must not find it again.
      if (error !== null) abandon();
    });
  });
}

/**
 * Opens the sandbox. Its process starts with the first function, which waits for that once: a worker that runs none does
 * without 65 MB.
 * @returns the port; it throws NodeError `timeout`, `memory`, `function_error`, `argument_too_large` and, when the
 *   process died twice under the same code, `sandbox_lost` (retryable)
 */
export async function openSandbox(log: Logger, limits: SandboxLimits = SANDBOX_LIMITS): Promise<Sandbox> {
  const isolation = await networkless();
  if (isolation === null) log.warn('the sandbox process cannot be cut off the network on this system');
  const command = [...(isolation ?? []), ...commandLine(limits.threads.capacity)];
  const shares = new SandboxShares(limits);
  let process: Process | null = null;
  let closed = false;
  let count = 0;

  const running = (): Process => {
    if (closed) throw new NodeError('sandbox_lost', 'The sandbox is closed', { retryable: true });
    const started: Process = (process ??= startProcess(command, log, () => {
      if (!closed && process === started) log.warn('the sandbox process ended');
      if (process === started) process = null;
    }));
    return started;
  };

  const runCode = async ({ code, argument, timeoutMs, memoryMb, signal }: Job): Promise<CodeResult> => {
    const text = JSON.stringify(argument);
    if (Buffer.byteLength(text) > MAX_ARGUMENT_BYTES) throw argumentTooLarge();
    const job = { job: (count += 1), code, argument: text, timeoutMs, memoryMb };
    // Functions have no effects: when the process dies under one, it is run once more in the next process.
    const result = (await runIn(running(), job, signal)) ?? (await runIn(running(), job, signal));
    if (result === null)
      throw new NodeError('sandbox_lost', 'The sandbox process ended', { retryable: true });
    return result;
  };

  return {
    get pid() {
      return process?.child.pid;
    },
    async run(job, pauseTimeout) {
      const { signal } = job;
      const resumeTimeout = pauseTimeout?.();
      const turn = await shares
        .acquire(job)
        .catch((error: unknown) => {
          throw signal.aborted ? abortFailure(signal) : error;
        })
        .finally(resumeTimeout);
      try {
        // It may have come between the turn and this line.
        if (signal.aborted) throw abortFailure(signal);
        const result = await runCode(job);
        turn.leaveThread();
        if (!result.ok) throw new NodeError(result.code, storableText(result.message));
        return { value: readValue(result.value), logs: storable(result.logs) };
      } finally {
        turn.end();
      }
    },
    async close() {
      closed = true;
      const child = process?.child;
      if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
      const ended = new Promise((resolve) => child.once('exit', resolve));
      // It holds nothing that would have to be saved.
      child.kill('SIGKILL');
      await ended;
    },
  };
}
