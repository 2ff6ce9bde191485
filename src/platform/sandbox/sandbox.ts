/**
 * The sandbox port of the worker: runs code of tenants in a child process without secrets and network, and replaces the
 * process when it dies.
 */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { isDeeperThan } from '../../language/graph/values/value.ts';
import { toStorable, toStorableText } from '../../language/graph/values/storable.ts';
import type { Json } from '../../language/graph/values/value.ts';
import { toAbortError } from '../../language/nodes/failure.ts';
import { NodeError } from '../../language/nodes/kind.ts';
import type { SandboxPort } from '../../language/nodes/tools.ts';
import { buildChildCommand } from './child-command.ts';
import { networkless } from './isolation.ts';
import { MAX_ARGUMENT_BYTES, MAX_RESULT_BYTES } from './messages.ts';
import type { CodeJob, CodeResult, Done, ToProcess } from './messages.ts';
import { SANDBOX_LIMITS, SandboxShares, createArgumentTooLarge } from './shares.ts';
import type { SandboxLimits, Turn } from './shares.ts';

/** SPEC SEC-X08. */
const MAX_RESULT_DEPTH = 64;

type Job = Parameters<SandboxPort['run']>[0];
type Result = Awaited<ReturnType<SandboxPort['run']>>;

export interface Sandbox extends SandboxPort {
  /**
   * @param pauseTimeout pauses the timeout of the node while the function waits for its turn; returns a function that resumes
   *   it. The timeout of the function itself begins in a thread
   */
  run(job: Job, pauseTimeout?: () => () => void): Promise<Result>;
  close(): Promise<void>;
  /** The id of the current process, if there is one. */
  readonly pid: number | undefined;
}

/** Parses a result: storable, of bounded depth, without `__proto__` (SPEC SEC-X09). */
function readValue(text: string): Json {
  if (Buffer.byteLength(text) > MAX_RESULT_BYTES) {
    throw new NodeError('function_error', 'The returned value is larger than 1 MiB');
  }
  const value = JSON.parse(text) as Json;
  if (isDeeperThan(value, MAX_RESULT_DEPTH)) {
    throw new NodeError(
      'function_error',
      `The returned value is nested deeper than ${MAX_RESULT_DEPTH} levels`,
    );
  }
  if (!text.includes('"__proto__"')) return toStorable(value);
  return toStorable(JSON.parse(text, (key, item: Json) => (key === '__proto__' ? undefined : item)) as Json);
}

/** The log of whoever opens it. */
interface SandboxLog {
  warn(facts: object, message: string): void;
  error(facts: object, message: string): void;
}

interface Process {
  readonly child: ChildProcess;
  /** Callbacks of running jobs; null: the process died. */
  readonly jobs: Map<number, (result: CodeResult | null) => void>;
  /** Kills the process and ends its jobs. */
  readonly abandon: () => void;
}

function startProcess(command: readonly string[], log: SandboxLog, onGone: () => void): Process {
  const [file = '', ...args] = command;
  const child = spawn(file, args, {
    env: {},
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    // Copies an argument as it is; JSON would escape its text once more.
    serialization: 'advanced',
  });
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

function runInProcess(
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
      reject(toAbortError(signal));
    };
    jobs.set(job.job, finish);
    signal.addEventListener('abort', abort, { once: true });
    child.send({ run: job } satisfies ToProcess, (error) => {
      // The process may be dead before its `exit` event; the next job must not use it.
      if (error !== null) abandon();
    });
  });
}

/**
 * Opens the sandbox. Its process starts with the first function, because it takes 65 MB.
 * @returns the port; it throws NodeError `timeout`, `memory`, `function_error`, `argument_too_large` and, when the process died
 *   twice while it ran the same code, `sandbox_lost` (retryable)
 */
export async function openSandbox(log: SandboxLog, limits: SandboxLimits = SANDBOX_LIMITS): Promise<Sandbox> {
  const isolation = await networkless();
  if (isolation === null) log.warn({}, 'this system cannot isolate the sandbox process from the network');
  const command = [
    ...(isolation ?? []),
    ...buildChildCommand(import.meta.url, 'serve-sandbox', String(limits.threads.capacity)),
  ];
  const shares = new SandboxShares(limits);
  let process: Process | null = null;
  let closed = false;
  let count = 0;

  const running = (): Process => {
    if (closed) throw new NodeError('sandbox_lost', 'The sandbox is closed', { retryable: true });
    const started: Process = (process ??= startProcess(command, log, () => {
      if (!closed && process === started) log.warn({}, 'the sandbox process ended');
      if (process === started) process = null;
    }));
    return started;
  };

  const runCode = async (
    { code, timeoutMs, memoryMb, signal }: Job,
    { serialize }: Turn,
  ): Promise<CodeResult> => {
    // The signal may be aborted after a turn was granted.
    signal.throwIfAborted();
    const text = await serialize();
    signal.throwIfAborted();
    if (Buffer.byteLength(text) > MAX_ARGUMENT_BYTES) throw createArgumentTooLarge();
    const job = { job: (count += 1), code, argument: text, timeoutMs, memoryMb };
    // Functions have no effects, so a function whose process dies runs once more in the next process.
    const result =
      (await runInProcess(running(), job, signal)) ?? (await runInProcess(running(), job, signal));
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
          throw signal.aborted ? toAbortError(signal) : error;
        })
        .finally(resumeTimeout);
      try {
        const result = await runCode(job, turn);
        turn.leaveThread();
        if (!result.ok) throw new NodeError(result.code, toStorableText(result.message));
        return { value: readValue(result.value), logs: toStorable(result.logs) };
      } catch (error) {
        throw signal.aborted && error === signal.reason ? toAbortError(signal) : error;
      } finally {
        turn.end();
      }
    },
    async close() {
      closed = true;
      const child = process?.child;
      if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
      const ended = new Promise((resolve) => child.once('exit', resolve));
      // The process has no state to save.
      child.kill('SIGKILL');
      await ended;
    },
  };
}
