/**
 * Child processes of the local system: started in groups of their own (so that Ctrl-C reaches only us, and we stop them
 * in order), logging to files, recorded on disk so that a start after a crash can end what was left behind.
 */
import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { bornAt } from './process-identity.ts';

export interface Launch {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  /** Emptied at start; receives both outputs. */
  readonly logFile: string;
  /** The signal that asks this program to end in good order. */
  readonly stopSignal?: NodeJS.Signals;
  /** Another user to run as; needs root. */
  readonly user?: { readonly uid: number; readonly gid: number };
}

export interface Child {
  readonly name: string;
  readonly pid: number;
  readonly logFile: string;
  readonly stopSignal: NodeJS.Signals;
  /** Resolves with a description of how it ended. */
  readonly ended: Promise<string>;
  hasEnded(): boolean;
  /** Asks it to end, waits, and kills its group when it does not. */
  stop(graceMs?: number): Promise<void>;
}

const DEFAULT_GRACE_MS = 15_000;
const POLL_MS = 50;

export const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It ended in between.
  }
}

/**
 * Starts a program.
 * @throws when it cannot be started at all
 */
export async function launch(options: Launch): Promise<Child> {
  const stopSignal = options.stopSignal ?? 'SIGTERM';
  const log = openSync(options.logFile, 'w');
  const child = spawn(options.command, [...options.args], {
    cwd: options.cwd,
    env: options.env,
    stdio: ['ignore', log, log],
    detached: true,
    ...options.user,
  });
  closeSync(log);
  let over = false;
  const ended = new Promise<string>((resolve) => {
    child.once('exit', (code, killedBy) => {
      over = true;
      resolve(killedBy === null ? `exit status ${code}` : `signal ${killedBy}`);
    });
  });
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', reject);
  });
  const { pid } = child;
  if (pid === undefined) throw new Error(`${options.name} has no pid`);
  return {
    name: options.name,
    pid,
    logFile: options.logFile,
    stopSignal,
    ended,
    hasEnded: () => over,
    async stop(graceMs = DEFAULT_GRACE_MS) {
      if (over) return;
      signal(pid, stopSignal);
      const late = setTimeout(() => signal(-pid, 'SIGKILL'), graceMs);
      await ended;
      clearTimeout(late);
    },
  };
}

/** The last lines of a log file. */
export function tail(logFile: string, lines = 25): string {
  try {
    return readFileSync(logFile, 'utf8').trimEnd().split('\n').slice(-lines).join('\n');
  } catch {
    return '(no log)';
  }
}

interface Recorded {
  readonly name: string;
  readonly pid: number;
  readonly born: string;
  readonly stopSignal: NodeJS.Signals;
}

function isRecorded(value: unknown): value is Recorded {
  return typeof value === 'object' && value !== null && 'pid' in value && 'born' in value && 'name' in value;
}

/** The processes of one system, in a file. `file` is replaced at each change, so a crash never leaves half of it. */
export class ProcessRecord {
  readonly #file: string;
  #entries: Recorded[] = [];

  constructor(file: string) {
    this.#file = file;
  }

  /** Those of the file that still are the processes they were; oldest first. */
  survivors(): readonly Recorded[] {
    let entries: unknown;
    try {
      entries = JSON.parse(readFileSync(this.#file, 'utf8'));
    } catch {
      return [];
    }
    if (!Array.isArray(entries)) return [];
    return entries.filter(isRecorded).filter((entry) => bornAt(entry.pid) === entry.born);
  }

  add({ name, pid, stopSignal }: Pick<Child, 'name' | 'pid' | 'stopSignal'>): void {
    const born = bornAt(pid);
    if (born === null) return;
    this.#entries.push({ name, pid, born, stopSignal });
    this.#write();
  }

  clear(): void {
    this.#entries = [];
    this.#write();
  }

  #write(): void {
    writeFileSync(`${this.#file}.new`, JSON.stringify(this.#entries));
    renameSync(`${this.#file}.new`, this.#file);
  }
}

/**
 * Ends a process that is not our child: signals it, waits, kills it after the grace.
 * @param survivor its id, and when it was born: another process may have the id by now
 */
export async function endProcess(
  { pid, born }: { readonly pid: number; readonly born: string },
  stopSignal: NodeJS.Signals,
  graceMs = DEFAULT_GRACE_MS,
): Promise<void> {
  const deadline = performance.now() + graceMs;
  signal(pid, stopSignal);
  while (bornAt(pid) === born) {
    if (performance.now() > deadline) signal(pid, 'SIGKILL');
    await sleep(POLL_MS);
  }
}
