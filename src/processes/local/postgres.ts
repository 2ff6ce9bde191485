/** Runs the embedded PostgreSQL on a loopback port, with data that is kept between starts or, for tests, thrown away. */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { findAnyPort, findFreePort, readPort } from './ports.ts';
import { systemClock } from '../../base/clock.ts';
import { DATA, LOGS } from './paths.ts';
import { isOpenToOthers, preparePostgres, type PostgresBinaries } from './postgres-binaries.ts';
import { readCommandLine, readStartTime } from './process-identity.ts';
import { endProcess, launch, sleep, tail, type Child } from './processes.ts';
import type { PrintLine } from './progress.ts';

interface LocalPostgres {
  /** URL of the application's database for a superuser. */
  readonly url: string;
  stop(): Promise<void>;
}

interface PostgresOptions {
  readonly say: PrintLine;
  /** A new server whose data is deleted afterwards. For tests only. */
  readonly throwaway?: boolean;
  /** With `throwaway`: writes are as durable as in production. For benchmarks. */
  readonly durable?: boolean;
  /** Called when the process has started, before it is ready. */
  readonly onLaunch?: (server: Child) => void;
}

const DATABASE = 'workflow_automation';
const READY_TIMEOUT_MS = 60_000;
const MAX_CONNECTIONS = 200;

interface Place {
  readonly data: string;
  readonly log: string;
}

function choosePlace(binaries: PostgresBinaries, throwaway: boolean): Place {
  const base = binaries.user === null || isOpenToOthers(dirname(DATA)) ? DATA : binaries.createShelter();
  if (!throwaway) return { data: join(base, 'postgres'), log: join(LOGS, 'postgres.log') };
  const name = `test-postgres-${process.pid}-${randomBytes(3).toString('hex')}`;
  return { data: join(base, name), log: join(LOGS, `${name}.log`) };
}

/** Runs initdb in a directory that is renamed at the end, so that a killed one leaves no partial cluster. */
async function createCluster(binaries: PostgresBinaries, data: string): Promise<void> {
  const unfinished = `${data}.new`;
  const passwordFile = `${data}.password`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { recursive: true, mode: 0o700 });
  writeFileSync(passwordFile, randomBytes(18).toString('hex'), { mode: 0o600 });
  if (binaries.user !== null) {
    chownSync(unfinished, binaries.user.uid, binaries.user.gid);
    chownSync(passwordFile, binaries.user.uid, binaries.user.gid);
  }
  await promisify(execFile)(
    binaries.initdb,
    [
      `--pgdata=${unfinished}`,
      '--username=postgres',
      '--auth=scram-sha-256',
      `--pwfile=${passwordFile}`,
      // The same collation on every machine, whatever its locales.
      '--encoding=UTF8',
      '--locale=C',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--no-sync',
    ],
    { ...binaries.user, cwd: '/', env: { PATH: process.env['PATH'], LC_ALL: 'C' } },
  );
  renameSync(unfinished, data);
}

/** Ends a server that survived its parent and still uses the data, and removes its pid file. */
async function endLeftover(data: string): Promise<void> {
  const pidFile = join(data, 'postmaster.pid');
  if (!existsSync(pidFile)) return;
  const pid = Number.parseInt(readFileSync(pidFile, 'utf8'), 10);
  const startedAt = Number.isInteger(pid) && pid > 0 ? readStartTime(pid) : null;
  if (startedAt !== null && readCommandLine(pid)?.includes(data) === true)
    await endProcess({ pid, startedAt }, 'SIGINT');
  rmSync(pidFile, { force: true });
}

/** Ends throwaway servers whose test process has died. */
async function endAbandoned(base: string): Promise<void> {
  for (const name of readdirSync(base)) {
    const starter = /^test-postgres-(\d+)-[0-9a-f]{6}$/.exec(name)?.[1];
    if (starter === undefined || readStartTime(Number(starter)) !== null) continue;
    await endLeftover(join(base, name));
    rmSync(join(base, name), { recursive: true, force: true });
    rmSync(join(base, `${name}.password`), { force: true });
  }
}

async function waitUntilReady(child: Child, adminUrl: string): Promise<void> {
  const deadline = systemClock.monotonic() + READY_TIMEOUT_MS;
  for (;;) {
    const client = new pg.Client({ connectionString: adminUrl, connectionTimeoutMillis: 2_000 });
    client.on('error', () => undefined);
    try {
      await client.connect();
      const found = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [DATABASE]);
      if (found.rowCount === 0) await client.query(`CREATE DATABASE ${DATABASE}`);
      return;
    } catch (error) {
      if (child.hasEnded() || systemClock.monotonic() > deadline) {
        throw new Error(
          `PostgreSQL did not start. Its log ${child.logFile} ends with:\n${tail(child.logFile)}`,
          {
            cause: error,
          },
        );
      }
      await sleep(100);
    } finally {
      await client.end().catch(() => undefined);
    }
  }
}

function checkVersion(binaries: PostgresBinaries, data: string): void {
  const dataVersion = readFileSync(join(data, 'PG_VERSION'), 'utf8').trim();
  if (dataVersion === binaries.majorVersion) return;
  throw new Error(
    `${data} was created by PostgreSQL ${dataVersion}, but this is ${binaries.majorVersion}. Remove it to start with an empty database.`,
  );
}

/**
 * Starts the server; the first time it creates the cluster and the application's database.
 * @throws Error with the end of the server's log when it does not start
 */
export async function startPostgres(options: PostgresOptions): Promise<LocalPostgres> {
  const throwaway = options.throwaway === true;
  mkdirSync(LOGS, { recursive: true, mode: 0o755 });
  const binaries = preparePostgres();
  const { data, log } = choosePlace(binaries, throwaway);
  if (throwaway) await endAbandoned(dirname(data));
  if (existsSync(join(data, 'PG_VERSION'))) {
    checkVersion(binaries, data);
    await endLeftover(data);
  } else {
    options.say('PostgreSQL: creating a database cluster');
    await createCluster(binaries, data);
  }
  const port = await (throwaway ? findAnyPort() : findFreePort(readPort('LOCAL_POSTGRES_PORT')));
  const settings: Record<string, string> = {
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: '',
    max_connections: String(MAX_CONNECTIONS),
    // The data of a throwaway server is not read after a crash.
    ...(throwaway && options.durable !== true ? { fsync: 'off', full_page_writes: 'off' } : {}),
  };
  const child = await launch({
    name: 'postgres',
    command: binaries.postgres,
    args: ['-D', data, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    env: { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' },
    cwd: '/',
    logFile: log,
    // PostgreSQL's "fast" shutdown: ends sessions, then writes a checkpoint.
    stopSignal: 'SIGINT',
    ...(binaries.user === null ? {} : { user: binaries.user }),
  });
  options.onLaunch?.(child);
  const password = readFileSync(`${data}.password`, 'utf8').trim();
  const toUrl = (database: string): string =>
    `postgresql://postgres:${password}@127.0.0.1:${port}/${database}`;
  const stop = async (): Promise<void> => {
    await child.stop();
    if (!throwaway) return;
    rmSync(data, { recursive: true, force: true });
    rmSync(`${data}.password`, { force: true });
    rmSync(log, { force: true });
  };
  try {
    await waitUntilReady(child, toUrl('postgres'));
  } catch (error) {
    await stop();
    throw error;
  }
  return { url: toUrl(DATABASE), stop };
}
