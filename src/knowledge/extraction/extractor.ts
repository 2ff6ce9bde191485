/**
 * Reading documents, seen from the worker: each document in a process of its own, which has bounds on memory and time, no
 * network and no environment, and is gone afterwards. Documents never meet a parser in this process.
 */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { createRequire } from 'node:module';
import { extname } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { ExtractionFailed } from '../extraction-port.ts';
import type { Extraction, Extractor } from '../extraction-port.ts';
import type { Logger } from '../../log.ts';
import { networkless } from '../../sandbox/isolation.ts';
import { bounded } from './bounds.ts';
import type { Answer, Task } from './messages.ts';
import { outOfMemory, tookTooLong } from './refusals.ts';
import { explainRefusal, sniff } from './sniff.ts';
import { Turns } from './turns.ts';

/** SPEC SEC-K12. */
export const TIMEOUT_MS = 60_000;
/** Parsers keep a processor busy: more at once would starve the worker beside them. */
const MAX_PROCESSES = 2;
const NODE_FLAGS = ['--max-old-space-size=512', '--disallow-code-generation-from-strings', '--no-addons'];

export interface ExtractorOptions {
  /** How long one document may take; 60 s if not said. */
  readonly timeoutMs?: number;
}

export interface DocumentExtractor extends Extractor {
  /** The processes that read now. */
  readonly pids: readonly number[];
}

/** From source the child needs the loader that this process has; built code needs none. */
function commandLine(task: Task): string[] {
  const extension = extname(import.meta.url);
  const tsx = (): string => pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
  const loader = extension === '.ts' ? ['--import', tsx()] : [];
  const entry = fileURLToPath(new URL(`./serve-extraction${extension}`, import.meta.url));
  return [process.execPath, ...NODE_FLAGS, ...loader, entry, JSON.stringify(task)];
}

/** How a process ended: its answer or, if it gave none, what ended it. */
type End = Answer | { readonly ok: 'late' | 'memory' | 'lost' };

function startProcess(command: readonly string[], bytes: Uint8Array, log: Logger): ChildProcess {
  const [file = '', ...args] = command;
  const child = spawn(file, args, { env: {}, stdio: ['pipe', 'ignore', 'pipe', 'ipc'] });
  child.stderr?.on('data', (text: Buffer) => log.warn({ crash: text }, 'extraction process'));
  // A process that ends early does not read on; how it ended is told by its exit.
  child.stdin?.on('error', () => undefined);
  child.stdin?.end(bytes);
  return child;
}

/** Waits for the end of a process. @throws the signal's reason, when that ended it */
function endOf(child: ChildProcess, timeoutMs: number, signal: AbortSignal): Promise<End> {
  return new Promise((resolve, reject) => {
    let answer: End | undefined;
    const kill = (): void => void child.kill('SIGKILL');
    const deadline = setTimeout(() => {
      answer ??= { ok: 'late' };
      kill();
    }, timeoutMs);
    const finish = (end: End): void => {
      clearTimeout(deadline);
      signal.removeEventListener('abort', kill);
      if (signal.aborted) reject(signal.reason);
      else resolve(end);
    };
    signal.addEventListener('abort', kill, { once: true });
    child.on('message', (message: Answer) => (answer ??= message));
    child.on('error', () => finish({ ok: 'lost' }));
    child.on('close', (_code, reason) => finish(answer ?? { ok: cause(reason) }));
  });
}

/** V8 aborts when its heap is full, and stumbles over memory that the system refuses. */
const OUT_OF_MEMORY: readonly unknown[] = ['SIGABRT', 'SIGTRAP', 'SIGSEGV', 'SIGBUS', 'SIGILL'];

function cause(reason: NodeJS.Signals | null): 'late' | 'memory' | 'lost' {
  if (OUT_OF_MEMORY.includes(reason)) return 'memory';
  // The system's bound on processor time has a signal of its own.
  return reason === 'SIGXCPU' ? 'late' : 'lost';
}

/**
 * Makes the extractor. Processes are started when there is something to read, two at once.
 * @returns the port; its `extract` throws ExtractionFailed for a document that will not be read, the signal's reason,
 *   or an ordinary error when the process was killed twice under the same document, which is not the document's fault
 */
export function createExtractor(
  log: Logger,
  { timeoutMs = TIMEOUT_MS }: ExtractorOptions = {},
): DocumentExtractor {
  const turns = new Turns(MAX_PROCESSES);
  const closing = new AbortController();
  const running = new Set<Promise<unknown>>();
  const children = new Set<ChildProcess>();
  let isolation: Promise<readonly string[]> | undefined;

  const isolate = async (): Promise<readonly string[]> => {
    const prefix = await networkless();
    if (prefix === null) log.warn('extraction processes cannot be cut off the network on this system');
    return [...(prefix ?? []), ...bounded()];
  };

  async function attempt(task: Task, bytes: Uint8Array, signal: AbortSignal): Promise<End> {
    const prefix = await (isolation ??= isolate());
    signal.throwIfAborted();
    const child = startProcess([...prefix, ...commandLine(task)], bytes, log);
    children.add(child);
    return endOf(child, timeoutMs, signal).finally(() => children.delete(child));
  }

  async function read(task: Task, bytes: Uint8Array, signal: AbortSignal): Promise<Extraction> {
    const release = await turns.take(signal);
    try {
      let end = await attempt(task, bytes, signal);
      if (end.ok === 'lost') end = await attempt(task, bytes, signal);
      if (end.ok === true) return end.extraction;
      if (end.ok === false) throw new ExtractionFailed(end.code, end.message);
      if (end.ok === 'late') throw tookTooLong(timeoutMs);
      if (end.ok === 'memory') throw outOfMemory();
      throw new Error('The extraction process ended twice under the same document');
    } finally {
      release();
    }
  }

  return {
    get pids() {
      return [...children].flatMap(({ pid }) => pid ?? []);
    },
    sniff,
    async extract({ bytes, fileName, chunking }, signal) {
      const type = sniff(bytes, fileName);
      if (type === undefined) throw explainRefusal(bytes);
      const reading = read({ type, chunking }, bytes, AbortSignal.any([signal, closing.signal]));
      running.add(reading);
      return reading.finally(() => running.delete(reading));
    },
    async close() {
      closing.abort(new Error('The extractor is closed'));
      await Promise.allSettled(running);
    },
  };
}
