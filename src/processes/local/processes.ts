/**
 * Child processes of the local system. Each has its own process group, so that Ctrl-C reaches only this process, which stops
 * them in order. They are recorded on disk, so that a start after a crash can end leftovers.
 */
import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { systemClock } from '../../base/clock.ts';
import { readStartTime } from './process-identity.ts';

export interface LaunchOptions {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  /** Truncated at start; receives stdout and stderr. */
  readonly logFile: string;
  /** Signal of a graceful shutdown; default: SIGTERM. */
  readonly stopSignal?: NodeJS.Signals;
  /** Another user to run as; needs root. */
  readonly user?: { readonly uid: number; readonly gid: number };
}

export interface Child {
  readonly name: string;
  readonly pid: number;
  readonly logFile: string;
  readonly stopSignal: NodeJS.Signals;
  /** Resolves with the exit status or signal as text. */
  readonly ended: Promise<string>;
  hasEnded(): boolean;
  /** Stops it gracefully, and kills its process group after the grace period. */
  stop(graceMs?: number): Promise<void>;
}

const DEFAULT_GRACE_MS = 15_000;
const POLL_MS = 50;

export const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has already exited.
  }
}

/**
 * Starts a program.
 * @throws Error when it cannot be started
 */
export async function launch(options: LaunchOptions): Promise<Child> {
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
  let hasExited = false;
  const ended = new Promise<string>((resolve) => {
    child.once('exit', (code, killedBy) => {
      hasExited = true;
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
    hasEnded: () => hasExited,
    async stop(graceMs = DEFAULT_GRACE_MS) {
      if (hasExited) return;
      signal(pid, stopSignal);
      const late = setTimeout(() => signal(-pid, 'SIGKILL'), graceMs);
      await ended;
      clearTimeout(late);
    },
  };
}

/** @returns the last lines of a log file */
export function tail(logFile: string, lines = 25): string {
  try {
    return readFileSync(logFile, 'utf8').trimEnd().split('\n').slice(-lines).join('\n');
  } catch {
    return '(no log)';
  }
}

interface RecordedProcess {
  readonly name: string;
  readonly pid: number;
  readonly startedAt: string;
  readonly stopSignal: NodeJS.Signals;
}

function isRecorded(value: unknown): value is RecordedProcess {
  return (
    typeof value === 'object' && value !== null && 'pid' in value && 'startedAt' in value && 'name' in value
  );
}

/** The processes of a local system in a file, which is replaced at each change, so that a crash leaves no partial one. */
export class ProcessRecord {
  readonly #file: string;
  #entries: RecordedProcess[] = [];

  constructor(file: string) {
    this.#file = file;
  }

  /** Returns the recorded processes that still run, oldest first. */
  findSurvivors(): readonly RecordedProcess[] {
    let entries: unknown;
    try {
      entries = JSON.parse(readFileSync(this.#file, 'utf8'));
    } catch {
      return [];
    }
    if (!Array.isArray(entries)) return [];
    return entries.filter(isRecorded).filter((entry) => readStartTime(entry.pid) === entry.startedAt);
  }

  add({ name, pid, stopSignal }: Pick<Child, 'name' | 'pid' | 'stopSignal'>): void {
    const startedAt = readStartTime(pid);
    if (startedAt === null) return;
    this.#entries.push({ name, pid, startedAt, stopSignal });
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
 * Ends a process that is not a child: signals it, waits, and kills it after the grace period.
 * @param startedAt start time, because another process may have the pid by now
 */
export async function endProcess(
  { pid, startedAt }: { readonly pid: number; readonly startedAt: string },
  stopSignal: NodeJS.Signals,
  graceMs = DEFAULT_GRACE_MS,
): Promise<void> {
  const deadline = systemClock.monotonic() + graceMs;
  signal(pid, stopSignal);
  while (readStartTime(pid) === startedAt) {
    if (systemClock.monotonic() > deadline) signal(pid, 'SIGKILL');
    await sleep(POLL_MS);
  }
}
