/** A Temporal server of one test's own with a file for its data, to be killed and started again on the same port, or to be put to sleep. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Connection } from '@temporalio/client';
import { findAnyPort } from '../../src/local/ports.ts';
import { tail, type Child } from '../../src/local/processes.ts';
import { findTemporal } from '../../src/local/temporal-binary.ts';
import { launchOwn } from './own-child.ts';
import { eventually } from './waiting.ts';

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

async function answers(address: string): Promise<true | null> {
  try {
    const connection = await Connection.connect({ address, connectTimeout: 2_000 });
    try {
      await connection.withDeadline(Date.now() + 2_000, () =>
        connection.workflowService.describeNamespace({ namespace: 'default' }),
      );
      return true;
    } finally {
      await connection.close();
    }
  } catch {
    return null;
  }
}

export async function startCrashableTemporal(): Promise<CrashableTemporal> {
  const binary = await findTemporal(() => undefined);
  const home = mkdtempSync(join(tmpdir(), 'faults-temporal-'));
  const port = await findAnyPort();
  const address = `127.0.0.1:${port}`;
  const logFile = join(home, 'temporal.log');
  let child: Child | null = null;

  const start = async (): Promise<void> => {
    child = await launchOwn({
      name: 'temporal',
      command: binary,
      // The development server polls its queues 20 times a second at most unless told otherwise.
      args: (
        `server start-dev --ip=127.0.0.1 --port=${port} --headless --log-level=error` +
        ' --dynamic-config-value history.transferProcessorMaxPollRPS=5000' +
        ' --dynamic-config-value history.timerProcessorMaxPollRPS=5000'
      )
        .split(' ')
        .concat('--db-filename', join(home, 'temporal.db')),
      env: process.env,
      cwd: home,
      logFile,
    });
    await eventually('Temporal to start', 90_000, () => {
      if (child?.hasEnded() === true) throw new Error(`Temporal did not start:\n${tail(logFile)}`);
      return answers(address);
    });
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
