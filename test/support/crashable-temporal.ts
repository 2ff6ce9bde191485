/** A Temporal server of one test's own with a file for its data, to be killed and started again on the same port, or to be put to sleep. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findAnyPort } from '../../src/processes/local/ports.ts';
import type { Child, LaunchOptions } from '../../src/processes/local/processes.ts';
import { toTemporalCommand } from '../../src/processes/local/temporal-launch.ts';
import { findTemporal } from '../../src/processes/local/temporal-programs.ts';
import { waitUntilTemporalReady } from '../../src/processes/local/temporal-server.ts';
import { launchOwn } from './own-child.ts';

export interface CrashableTemporal {
  readonly address: string;
  kill(): Promise<void>;
  /** Resolves when the server answers. */
  start(): Promise<void>;
  /** SIGSTOP: connections stay, and nobody answers. */
  freeze(): void;
  /** The frozen server goes on where it was. */
  thaw(): void;
  close(): Promise<void>;
}

interface Program {
  readonly command: Pick<LaunchOptions, 'command' | 'args' | 'env'>;
  readonly port: number;
  /** Directory of its log and its data, removed with it. */
  readonly home: string;
}

/** Starts a server by its command, the same each time. */
export async function runCrashableTemporal({ command, port, home }: Program): Promise<CrashableTemporal> {
  const address = `127.0.0.1:${port}`;
  let child: Child | null = null;
  const start = async (): Promise<void> => {
    const logFile = join(home, 'temporal.log');
    child = await launchOwn({ ...command, name: 'temporal', cwd: home, logFile, stopSignal: 'SIGKILL' });
    await waitUntilTemporalReady(child, address);
  };
  const signal = (name: NodeJS.Signals): void => {
    if (child !== null && !child.hasEnded()) process.kill(child.pid, name);
  };

  await start();
  return {
    address,
    start,
    freeze: () => signal('SIGSTOP'),
    thaw: () => signal('SIGCONT'),
    async kill() {
      if (child === null) return;
      process.kill(child.pid, 'SIGKILL');
      await child.ended;
      child = null;
    },
    async close() {
      signal('SIGCONT');
      await child?.stop();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

export async function startCrashableTemporal(): Promise<CrashableTemporal> {
  const home = mkdtempSync(join(tmpdir(), 'faults-temporal-'));
  const port = await findAnyPort();
  const program = await findTemporal(() => undefined);
  const dataFile = join(home, 'temporal.db');
  const command = await toTemporalCommand(program, { port, dataFile, home, ui: null });
  return runCrashableTemporal({ command, port, home });
}
