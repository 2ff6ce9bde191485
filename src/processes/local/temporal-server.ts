/** Starts the Temporal development server with its UI and the settings and search attributes of this service. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Connection } from '@temporalio/client';
import { prepareNamespace } from '../../../temporal/client/namespace.ts';
import { systemClock } from '../../base/clock.ts';
import { createLog } from '../../base/log.ts';
import { DATA, LOGS, ROOT } from './paths.ts';
import { findAnyPort, findFreePort, readPort } from './ports.ts';
import { launch, sleep, tail, type Child } from './processes.ts';
import type { PrintLine } from './progress.ts';
import { toTemporalCommand } from './temporal-launch.ts';
import { findTemporal, findUiServer } from './temporal-programs.ts';

/** Where a server will be, which is known before it is built. */
export interface TemporalPlace {
  readonly address: string;
  /** Null when the server has no UI, or is external without TEMPORAL_UI_URL. */
  readonly uiUrl: string | null;
  /** Null: the server of TEMPORAL_ADDRESS. */
  readonly own: { readonly port: number; readonly uiPort: number | null } | null;
}

interface LocalTemporal {
  readonly address: string;
  stop(): Promise<void>;
}

interface TemporalOptions {
  readonly say: PrintLine;
  /** In memory, without UI, on a random port. For tests only. */
  readonly throwaway?: boolean;
  /** Called when the process has started, before it is ready. */
  readonly onLaunch?: (server: Child) => void;
  /** Codec server with which the UI decrypts payloads. */
  readonly codecUrl?: string;
  /** Chosen by chooseTemporalPlace; without it the server chooses one itself. */
  readonly place?: TemporalPlace;
}

const NAMESPACE = 'default';
const RETENTION_DAYS = 1;
const READY_TIMEOUT_MS = 90_000;

/** @returns whether the server did it */
async function tryAt(address: string, work: (connection: Connection) => Promise<unknown>): Promise<boolean> {
  try {
    const connection = await Connection.connect({ address, connectTimeout: 2_000 });
    try {
      await work(connection);
      return true;
    } finally {
      await connection.close();
    }
  } catch {
    return false;
  }
}

const isReachable = (address: string): Promise<boolean> =>
  tryAt(address, (connection) =>
    connection.withDeadline(systemClock.now() + 2_000, () =>
      connection.workflowService.describeNamespace({ namespace: NAMESPACE }),
    ),
  );

/** Creates the namespace and its search attributes as soon as the server answers. */
const prepare = (address: string): Promise<boolean> =>
  tryAt(address, (connection) => {
    const setup = { namespace: NAMESPACE, retentionDays: RETENTION_DAYS, showsNames: false };
    return prepareNamespace(connection, setup, createLog('silent', 'local'));
  });

/** Waits until the server has the namespace. @throws Error with the end of its log when it does not start */
export async function waitUntilTemporalReady(child: Child, address: string): Promise<void> {
  const deadline = systemClock.monotonic() + READY_TIMEOUT_MS;
  while (!(await prepare(address)) || !(await isReachable(address))) {
    if (child.hasEnded() || systemClock.monotonic() > deadline) {
      throw new Error(`Temporal did not start. Its log ${child.logFile} ends with:\n${tail(child.logFile)}`);
    }
    await sleep(100);
  }
}

/** Starts the UI, which the server itself, unlike the CLI, does not have in it. */
async function startUi(options: TemporalOptions, uiPort: number, address: string): Promise<Child> {
  const config = join(DATA, 'temporal-ui');
  mkdirSync(config, { recursive: true });
  const settings = {
    temporalGrpcAddress: address,
    host: '127.0.0.1',
    port: uiPort,
    enableUi: true,
    defaultNamespace: NAMESPACE,
    cors: { allowOrigins: [`http://127.0.0.1:${uiPort}`], cookieInsecure: true },
    codec: { endpoint: options.codecUrl ?? '' },
  };
  // JSON is YAML.
  writeFileSync(join(config, 'local.yaml'), JSON.stringify(settings));
  const child = await launch({
    name: 'temporal-ui',
    command: await findUiServer(options.say),
    args: ['--root', DATA, '--config', 'temporal-ui', '--env', 'local', 'start'],
    env: process.env,
    cwd: ROOT,
    logFile: join(LOGS, 'temporal-ui.log'),
  });
  options.onLaunch?.(child);
  return child;
}

/** Chooses the server of TEMPORAL_ADDRESS, or free ports for an own one. @param throwaway without UI, on any port */
export async function chooseTemporalPlace(throwaway = false): Promise<TemporalPlace> {
  const given = process.env['TEMPORAL_ADDRESS'];
  if (given !== undefined && given !== '')
    return { address: given, uiUrl: process.env['TEMPORAL_UI_URL'] ?? null, own: null };
  const port = await (throwaway ? findAnyPort() : findFreePort(readPort('LOCAL_TEMPORAL_PORT')));
  const uiPort = throwaway ? null : await findFreePort(readPort('LOCAL_TEMPORAL_UI_PORT'));
  const uiUrl = uiPort === null ? null : `http://127.0.0.1:${uiPort}`;
  return { address: `127.0.0.1:${port}`, uiUrl, own: { port, uiPort } };
}

async function start(
  options: TemporalOptions,
  { port, uiPort }: NonNullable<TemporalPlace['own']>,
): Promise<LocalTemporal> {
  const program = await findTemporal(options.say);
  const throwaway = options.throwaway === true;
  mkdirSync(LOGS, { recursive: true, mode: 0o755 });
  const logName = throwaway ? `test-temporal-${randomBytes(3).toString('hex')}` : 'temporal';
  const home = throwaway ? mkdtempSync(join(tmpdir(), 'temporal-')) : join(DATA, 'temporal');
  mkdirSync(home, { recursive: true });
  const command = await toTemporalCommand(program, {
    port,
    // A server does not read the files of another release or kind.
    dataFile: throwaway ? null : join(home, `${program.kind}-1.32.db`),
    home,
    ui: uiPort === null ? null : { port: uiPort, codecUrl: options.codecUrl },
  });
  const child = await launch({
    ...command,
    name: 'temporal',
    cwd: ROOT,
    logFile: join(LOGS, `${logName}.log`),
    // The server drains for seconds, and a throwaway one has nothing to keep.
    ...(throwaway ? { stopSignal: 'SIGKILL' } : {}),
  });
  options.onLaunch?.(child);
  const address = `127.0.0.1:${port}`;
  let ui: Promise<Child | null> = Promise.resolve(null);
  const stop = async (): Promise<void> => {
    await (await ui)?.stop();
    await child.stop();
    if (throwaway) rmSync(home, { recursive: true, force: true });
  };
  try {
    await waitUntilTemporalReady(child, address);
    // Runs need no UI, whose build takes a minute the first time.
    if (uiPort !== null && program.kind === 'server')
      ui = startUi(options, uiPort, address).catch((error: unknown) => {
        options.say(`Temporal UI: ${error instanceof Error ? error.message : String(error)}`);
        return null;
      });
  } catch (error) {
    await stop();
    throw error;
  }
  return { address, stop };
}

/**
 * Returns the server of TEMPORAL_ADDRESS, or starts one and waits until it is ready.
 * @throws Error with instructions when there is no server program, or with the end of its log when it does not start
 */
export async function startTemporal(options: TemporalOptions): Promise<LocalTemporal> {
  const { address, own } = options.place ?? (await chooseTemporalPlace(options.throwaway));
  if (own !== null) return start(options, own);
  if (!(await isReachable(address))) {
    throw new Error(
      `No Temporal server with the namespace ${NAMESPACE} responds at TEMPORAL_ADDRESS=${address}`,
    );
  }
  return { address, stop: async () => {} };
}
