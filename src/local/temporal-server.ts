/** The Temporal development server with its UI: started with the settings and search attributes this service needs. */
import { mkdirSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { Connection } from '@temporalio/client';
import { SEARCH_ATTRIBUTES } from '../../temporal/contract.ts';
import { DATA, LOGS, ROOT } from './paths.ts';
import { anyPort, freePort, wantedPort } from './ports.ts';
import { launch, sleep, tail, type Child } from './processes.ts';
import type { Say } from './progress.ts';
import { findTemporal } from './temporal-binary.ts';

export interface LocalTemporal {
  readonly address: string;
  /** Null when the server is not ours or has no UI. */
  readonly uiUrl: string | null;
  stop(): Promise<void>;
}

export interface TemporalOptions {
  readonly say: Say;
  /** Everything in memory, no UI, other ports. For tests only. */
  readonly throwaway?: boolean;
  /** Called as soon as the server's process exists, long before it is ready. */
  readonly onLaunch?: (server: Child) => void;
  /** A codec server for the UI, so that it shows what is encrypted at rest. */
  readonly codecUrl?: string;
}

const NAMESPACE = 'default';
const READY_WITHIN_MS = 90_000;

/**
 * The defaults of the development server (20 polls a second on its single shard) hold each run down to ten nodes a
 * second, and durable timers round up to whole seconds.
 */
const DYNAMIC_CONFIG = [
  'history.transferProcessorMaxPollRPS=5000',
  'history.timerProcessorMaxPollRPS=5000',
  'history.timerProcessorMaxTimeShift="20ms"',
  'system.enableActivityEagerExecution=true',
  'matching.enableFairness=true',
];

/** `KEYWORD` of the API is `Keyword` of the command line. */
function searchAttributeArguments(): string[] {
  return Object.entries(SEARCH_ATTRIBUTES).flatMap(([name, type]) => {
    const word = `${type.slice(0, 1)}${type.slice(1).toLowerCase()}`;
    return ['--search-attribute', `${name}=${word}`];
  });
}

async function answers(address: string): Promise<boolean> {
  try {
    const connection = await Connection.connect({ address, connectTimeout: 2_000 });
    try {
      await connection.withDeadline(Date.now() + 2_000, () =>
        connection.workflowService.describeNamespace({ namespace: NAMESPACE }),
      );
      return true;
    } finally {
      await connection.close();
    }
  } catch {
    return false;
  }
}

async function waitUntilReady(child: Child, address: string): Promise<void> {
  const deadline = performance.now() + READY_WITHIN_MS;
  while (!(await answers(address))) {
    if (child.hasEnded() || performance.now() > deadline) {
      throw new Error(`Temporal did not start; its log ${child.logFile} ends with:\n${tail(child.logFile)}`);
    }
    await sleep(100);
  }
}

async function start(options: TemporalOptions): Promise<LocalTemporal> {
  const binary = await findTemporal(options.say);
  const throwaway = options.throwaway === true;
  mkdirSync(LOGS, { recursive: true, mode: 0o755 });
  const port = await (throwaway ? anyPort() : freePort(wantedPort('LOCAL_TEMPORAL_PORT')));
  const uiPort = throwaway ? null : await freePort(wantedPort('LOCAL_TEMPORAL_UI_PORT'));
  const logName = throwaway ? `test-temporal-${randomBytes(3).toString('hex')}` : 'temporal';
  if (!throwaway) mkdirSync(join(DATA, 'temporal'), { recursive: true });
  const child = await launch({
    name: 'temporal',
    command: binary,
    args: [
      'server',
      'start-dev',
      '--ip=127.0.0.1',
      `--port=${port}`,
      `--namespace=${NAMESPACE}`,
      '--log-level=error',
      '--log-format=json',
      ...(uiPort === null ? ['--headless'] : ['--ui-port', String(uiPort)]),
      ...(options.codecUrl === undefined ? [] : ['--ui-codec-endpoint', options.codecUrl]),
      ...(throwaway ? [] : ['--db-filename', join(DATA, 'temporal', 'temporal.db')]),
      ...DYNAMIC_CONFIG.flatMap((entry) => ['--dynamic-config-value', entry]),
      ...searchAttributeArguments(),
    ],
    env: process.env,
    cwd: ROOT,
    logFile: join(LOGS, `${logName}.log`),
  });
  options.onLaunch?.(child);
  const address = `127.0.0.1:${port}`;
  try {
    await waitUntilReady(child, address);
  } catch (error) {
    await child.stop();
    throw error;
  }
  const uiUrl = uiPort === null ? null : `http://127.0.0.1:${uiPort}`;
  return { address, uiUrl, stop: () => child.stop() };
}

/**
 * The server of TEMPORAL_ADDRESS, or one of our own that answers by the time this returns.
 * @throws with what to install when there is no server program, or with the end of its log when it does not come up
 */
export async function startTemporal(options: TemporalOptions): Promise<LocalTemporal> {
  const given = process.env['TEMPORAL_ADDRESS'];
  if (given === undefined || given === '') return start(options);
  if (!(await answers(given))) {
    throw new Error(
      `TEMPORAL_ADDRESS is ${given}, but no Temporal server with a namespace ${NAMESPACE} answers there`,
    );
  }
  return { address: given, uiUrl: process.env['TEMPORAL_UI_URL'] ?? null, stop: async () => {} };
}
