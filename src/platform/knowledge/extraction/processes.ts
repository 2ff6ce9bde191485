/**
 * Runs each piece of work on an untrusted document in a separate process with limits on memory and time, without network or
 * environment. No document is read in the worker.
 */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { ExtractionFailed } from '../extraction-port.ts';
import type { Logger } from '../../../base/log.ts';
import { buildChildCommand } from '../../sandbox/child-command.ts';
import { networkless } from '../../sandbox/isolation.ts';
import { FairSemaphore } from '../../../base/shares/fair-semaphore.ts';
import { limitCommand } from './bounds.ts';
import type { Answer } from './messages.ts';
import { outOfMemory, tookTooLong } from './refusals.ts';

/** Parsers are CPU-bound; more processes would starve the worker. */
const MAX_PROCESSES = 2;

interface ProcessOptions {
  readonly log: Logger;
  /** The URL of the module beside which the program lies. */
  readonly from: string;
  /** The name of the program. */
  readonly program: string;
  readonly timeoutMs: number;
}

interface Work<Task> {
  readonly organizationId: string;
  /** The only argument of the process, as JSON. */
  readonly task: Task;
  /** The document, which is sent over stdin. */
  readonly bytes: Uint8Array;
  readonly signal: AbortSignal;
  /** Called when the process may start: the wait for it is over. */
  readonly onTurn?: () => void;
}

/** The answer of a process, or the reason why it ended without one. */
type Outcome<Value> = Answer<Value> | { readonly ok: 'late' | 'memory' | 'lost' };

function startProcess(command: readonly string[], bytes: Uint8Array, log: Logger): ChildProcess {
  const [file = '', ...args] = command;
  const child = spawn(file, args, { env: {}, stdio: ['pipe', 'ignore', 'pipe', 'ipc'] });
  child.stderr?.on('data', (text: Buffer) => log.warn({ crash: text }, 'extraction process'));
  // A process that exits early closes stdin; its exit reports the reason.
  child.stdin?.on('error', () => undefined);
  child.stdin?.end(bytes);
  return child;
}

/** Waits until a process ends. @throws the signal's reason when it was aborted */
function waitForOutcome<Value>(
  child: ChildProcess,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<Outcome<Value>> {
  return new Promise((resolve, reject) => {
    let answer: Outcome<Value> | undefined;
    const kill = (): void => void child.kill('SIGKILL');
    const deadline = setTimeout(() => {
      answer ??= { ok: 'late' };
      kill();
    }, timeoutMs);
    const finish = (end: Outcome<Value>): void => {
      clearTimeout(deadline);
      signal.removeEventListener('abort', kill);
      if (signal.aborted) reject(signal.reason);
      else resolve(end);
    };
    signal.addEventListener('abort', kill, { once: true });
    child.on('message', (message: Answer<Value>) => (answer ??= message));
    child.on('error', () => finish({ ok: 'lost' }));
    child.on('close', (_code, reason) => finish(answer ?? { ok: toCause(reason) }));
  });
}

/** V8 aborts when its heap is full, and crashes when the system denies memory. */
const OUT_OF_MEMORY: readonly unknown[] = ['SIGABRT', 'SIGTRAP', 'SIGSEGV', 'SIGBUS', 'SIGILL'];

function toCause(reason: NodeJS.Signals | null): 'late' | 'memory' | 'lost' {
  if (OUT_OF_MEMORY.includes(reason)) return 'memory';
  // The signal of the CPU time limit.
  return reason === 'SIGXCPU' ? 'late' : 'lost';
}

/** Processes of one program. They start on demand, at most two at a time, and organizations take turns. */
export class Processes<Task, Value> {
  readonly #options: ProcessOptions;
  readonly #semaphore = new FairSemaphore({ capacity: MAX_PROCESSES, perOrganization: MAX_PROCESSES });
  readonly #closing = new AbortController();
  readonly #running = new Set<Promise<unknown>>();
  readonly #children = new Set<ChildProcess>();
  #isolation: Promise<readonly string[]> | undefined;

  constructor(options: ProcessOptions) {
    this.#options = options;
  }

  /** Running processes. */
  get pids(): readonly number[] {
    return [...this.#children].flatMap(({ pid }) => pid ?? []);
  }

  /**
   * Does one piece of work.
   * @throws ExtractionFailed for an unreadable document, the signal's reason, or an ordinary Error when the process was killed twice,
   *   which is not the document's fault
   */
  run(work: Work<Task>): Promise<Value> {
    const signal = AbortSignal.any([work.signal, this.#closing.signal]);
    const running = this.#semaphore
      .acquire(work.organizationId, { signal })
      .finally(() => work.onTurn?.())
      .then((release) => this.#read(work, signal).finally(release));
    this.#running.add(running);
    return running.finally(() => this.#running.delete(running));
  }

  /** Ends the processes. */
  async close(): Promise<void> {
    this.#closing.abort(new Error('The extractor is closed'));
    await Promise.allSettled(this.#running);
  }

  async #isolate(): Promise<readonly string[]> {
    const prefix = await networkless();
    if (prefix === null)
      this.#options.log.warn('this system cannot isolate extraction processes from the network');
    return [...(prefix ?? []), ...limitCommand()];
  }

  async #attempt({ task, bytes }: Work<Task>, signal: AbortSignal): Promise<Outcome<Value>> {
    const { log, from, program, timeoutMs } = this.#options;
    const prefix = await (this.#isolation ??= this.#isolate());
    signal.throwIfAborted();
    const command = [...prefix, ...buildChildCommand(from, program, JSON.stringify(task))];
    const child = startProcess(command, bytes, log);
    this.#children.add(child);
    return waitForOutcome<Value>(child, timeoutMs, signal).finally(() => this.#children.delete(child));
  }

  async #read(work: Work<Task>, signal: AbortSignal): Promise<Value> {
    let end = await this.#attempt(work, signal);
    if (end.ok === 'lost') end = await this.#attempt(work, signal);
    if (end.ok === true) return end.value;
    if (end.ok === false) throw new ExtractionFailed(end.code, end.message);
    if (end.ok === 'late') throw tookTooLong(this.#options.timeoutMs);
    if (end.ok === 'memory') throw outOfMemory();
    throw new Error('The extraction process crashed twice on the same document');
  }
}
