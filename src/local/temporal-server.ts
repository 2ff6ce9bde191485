/** Starts the Temporal development server with its UI and the settings and search attributes of this service. */
import { mkdirSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { Connection } from '@temporalio/client';
import { SEARCH_ATTRIBUTES } from '../../temporal/contract.ts';
import { systemClock } from '../clock.ts';
import { DATA, LOGS, ROOT } from './paths.ts';
import { findAnyPort, findFreePort, readPort } from './ports.ts';
import { launch, sleep, tail, type Child } from './processes.ts';
import type { Say } from './progress.ts';
import { findTemporal } from './temporal-binary.ts';

interface LocalTemporal {
  readonly address: string;
  /** Null when the server has no UI, or is external without TEMPORAL_UI_URL. */
  readonly uiUrl: string | null;
  stop(): Promise<void>;
}

interface TemporalOptions {
  readonly say: Say;
  /** In memory, without UI, on a random port. For tests only. */
  readonly throwaway?: boolean;
  /** Called when the process has started, before it is ready. */
  readonly onLaunch?: (server: Child) => void;
  /** Codec server with which the UI decrypts payloads. */
  readonly codecUrl?: string;
}

const NAMESPACE = 'default';
const READY_TIMEOUT_MS = 90_000;

/**
 * The defaults of the development server (20 polls a second on its single shard) limit each run to ten nodes a second, and
 * round durable timers up to whole seconds.
 */
const DYNAMIC_CONFIG = [
  'history.transferProcessorMaxPollRPS=5000',
  'history.timerProcessorMaxPollRPS=5000',
  'history.timerProcessorMaxTimeShift="20ms"',
  'system.enableActivityEagerExecution=true',
  'matching.enableFairness=true',
];

/** The CLI spells the API's `KEYWORD` as `Keyword`. */
function toSearchAttributeArguments(): string[] {
  return Object.entries(SEARCH_ATTRIBUTES).flatMap(([name, type]) => {
    const word = `${type.slice(0, 1)}${type.slice(1).toLowerCase()}`;
    return ['--search-attribute', `${name}=${word}`];
  });
}

async function isReachable(address: string): Promise<boolean> {
  try {
    const connection = await Connection.connect({ address, connectTimeout: 2_000 });
    try {
      await connection.withDeadline(systemClock.now() + 2_000, () =>
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
  const deadline = systemClock.monotonic() + READY_TIMEOUT_MS;
  while (!(await isReachable(address))) {
    if (child.hasEnded() || systemClock.monotonic() > deadline) {
      throw new Error(`Temporal did not start. Its log ${child.logFile} ends with:\n${tail(child.logFile)}`);
    }
    await sleep(100);
  }
}

async function start(options: TemporalOptions): Promise<LocalTemporal> {
  const binary = await findTemporal(options.say);
  const throwaway = options.throwaway === true;
  mkdirSync(LOGS, { recursive: true, mode: 0o755 });
  const port = await (throwaway ? findAnyPort() : findFreePort(readPort('LOCAL_TEMPORAL_PORT')));
  const uiPort = throwaway ? null : await findFreePort(readPort('LOCAL_TEMPORAL_UI_PORT'));
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
      ...toSearchAttributeArguments(),
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
 * Returns the server of TEMPORAL_ADDRESS, or starts one and waits until it is ready.
 * @throws Error with instructions when there is no server program, or with the end of its log when it does not start
 */
export async function startTemporal(options: TemporalOptions): Promise<LocalTemporal> {
  const given = process.env['TEMPORAL_ADDRESS'];
  if (given === undefined || given === '') return start(options);
  if (!(await isReachable(given))) {
    throw new Error(
      `No Temporal server with the namespace ${NAMESPACE} responds at TEMPORAL_ADDRESS=${given}`,
    );
  }
  return { address: given, uiUrl: process.env['TEMPORAL_UI_URL'] ?? null, stop: async () => {} };
}
