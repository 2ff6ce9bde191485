/**
 * Extracts each document in a separate process with limits on memory and time, without network or environment. No document
 * is parsed in the worker.
 */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { ExtractionFailed } from '../extraction-port.ts';
import type { Extraction, Extractor } from '../extraction-port.ts';
import type { Logger } from '../../../base/log.ts';
import { buildChildCommand } from '../../sandbox/child-command.ts';
import { networkless } from '../../sandbox/isolation.ts';
import { FairSemaphore } from '../../../base/shares/fair-semaphore.ts';
import { limitCommand } from './bounds.ts';
import type { Answer, Task } from './messages.ts';
import { outOfMemory, tookTooLong } from './refusals.ts';
import { explainRefusal, sniff } from './sniff.ts';

/** SPEC SEC-K12. */
export const TIMEOUT_MS = 60_000;
/** Parsers are CPU-bound; more processes would starve the worker. */
const MAX_PROCESSES = 2;

interface DocumentExtractor extends Extractor {
  /** Running processes. */
  readonly pids: readonly number[];
}

/** The answer of a process, or the reason why it ended without one. */
type Outcome = Answer | { readonly ok: 'late' | 'memory' | 'lost' };

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
function waitForOutcome(child: ChildProcess, timeoutMs: number, signal: AbortSignal): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    let answer: Outcome | undefined;
    const kill = (): void => void child.kill('SIGKILL');
    const deadline = setTimeout(() => {
      answer ??= { ok: 'late' };
      kill();
    }, timeoutMs);
    const finish = (end: Outcome): void => {
      clearTimeout(deadline);
      signal.removeEventListener('abort', kill);
      if (signal.aborted) reject(signal.reason);
      else resolve(end);
    };
    signal.addEventListener('abort', kill, { once: true });
    child.on('message', (message: Answer) => (answer ??= message));
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

/**
 * Creates the extractor. Processes start on demand, at most two at a time.
 * @param timeoutMs limit of one document; default: 60 s
 * @returns the port; `extract` throws ExtractionFailed for an unreadable document, the signal's reason, or an ordinary Error
 *   when the process was killed twice, which is not the document's fault
 */
export function createExtractor(
  log: Logger,
  { timeoutMs = TIMEOUT_MS }: { readonly timeoutMs?: number } = {},
): DocumentExtractor {
  const semaphore = new FairSemaphore({ capacity: MAX_PROCESSES, perOrganization: MAX_PROCESSES });
  const closing = new AbortController();
  const running = new Set<Promise<unknown>>();
  const children = new Set<ChildProcess>();
  let isolation: Promise<readonly string[]> | undefined;

  const isolate = async (): Promise<readonly string[]> => {
    const prefix = await networkless();
    if (prefix === null) log.warn('this system cannot isolate extraction processes from the network');
    return [...(prefix ?? []), ...limitCommand()];
  };

  async function attempt(task: Task, bytes: Uint8Array, signal: AbortSignal): Promise<Outcome> {
    const prefix = await (isolation ??= isolate());
    signal.throwIfAborted();
    const child = startProcess(
      [...prefix, ...buildChildCommand(import.meta.url, 'serve-extraction', JSON.stringify(task))],
      bytes,
      log,
    );
    children.add(child);
    return waitForOutcome(child, timeoutMs, signal).finally(() => children.delete(child));
  }

  async function read(task: Task, bytes: Uint8Array, signal: AbortSignal): Promise<Extraction> {
    let end = await attempt(task, bytes, signal);
    if (end.ok === 'lost') end = await attempt(task, bytes, signal);
    if (end.ok === true) return end.extraction;
    if (end.ok === false) throw new ExtractionFailed(end.code, end.message);
    if (end.ok === 'late') throw tookTooLong(timeoutMs);
    if (end.ok === 'memory') throw outOfMemory();
    throw new Error('The extraction process crashed twice on the same document');
  }

  return {
    get pids() {
      return [...children].flatMap(({ pid }) => pid ?? []);
    },
    sniff,
    async extract({ organizationId, bytes, fileName, chunking }, callerSignal) {
      const type = sniff(bytes, fileName);
      if (type === undefined) throw explainRefusal(bytes);
      const signal = AbortSignal.any([callerSignal, closing.signal]);
      const reading = semaphore
        .acquire(organizationId, { signal })
        .then((release) => read({ type, chunking }, bytes, signal).finally(release));
      running.add(reading);
      return reading.finally(() => running.delete(reading));
    },
    async close() {
      closing.abort(new Error('The extractor is closed'));
      await Promise.allSettled(running);
    },
  };
}
