/** A PostgreSQL of one test's own, to be killed and started again on the same port and data, or to be put to sleep. */
import { execFile, execFileSync } from 'node:child_process';
import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { findAnyPort } from '../../src/processes/local/ports.ts';
import { preparePostgres, type PostgresBinaries } from '../../src/processes/local/postgres-binaries.ts';
import { tail, type Child } from '../../src/processes/local/processes.ts';
import { launchOwn } from './own-child.ts';
import { eventually } from './waiting.ts';

/** A session may end between being listed and being signalled. */
function signalSession(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

export interface CrashablePostgres {
  readonly url: string;
  /** kill -9 of the postmaster: all sessions end, nothing is written any more. */
  kill(): Promise<void>;
  /** Starts the server on what the crash has left; resolves when it answers. */
  start(): Promise<void>;
  /** SIGSTOP of all its processes: connections stay, and nobody answers. */
  freeze(): void;
  /** The frozen server goes on where it was. */
  thaw(): void;
  close(): Promise<void>;
}

/** The processes whose parent is `pid`; PostgreSQL's are no group of their own. */
function childrenOf(pid: number): number[] {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n');
  return lines
    .map((line) => line.trim().split(/\s+/).map(Number))
    .flatMap(([child, parent]) => (parent === pid && child !== undefined ? [child] : []));
}

async function answers(url: string): Promise<true | null> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('SELECT 1');
    return true;
  } catch {
    return null;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** @param programs of another release than the embedded one */
export async function startCrashablePostgres(
  programs: Partial<Pick<PostgresBinaries, 'initdb' | 'postgres'>> = {},
): Promise<CrashablePostgres> {
  const { initdb, postgres, user } = { ...preparePostgres(), ...programs };
  const home = mkdtempSync(join(tmpdir(), 'faults-postgres-'));
  if (user !== null) chownSync(home, user.uid, user.gid);
  const data = join(home, 'data');
  const logFile = join(tmpdir(), `${home.split('/').at(-1)}.log`);
  const as = user ?? {};
  const environment = { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' };
  await promisify(execFile)(
    initdb,
    [`--pgdata=${data}`, '--username=postgres', '--auth=trust', '--encoding=UTF8', '--no-sync'],
    { ...as, cwd: '/', env: environment },
  );
  const port = await findAnyPort();
  const url = `postgresql://postgres@127.0.0.1:${port}/postgres`;
  let child: Child | null = null;

  const start = async (): Promise<void> => {
    await eventually('PostgreSQL to start', 60_000, async () => {
      // Sessions of the killed server may hold its memory for a moment; until then a new one ends at once.
      if (child === null || child.hasEnded()) {
        child = await launchOwn({
          name: 'postgres',
          command: postgres,
          args: ['-D', data, '-p', String(port), '-c', 'listen_addresses=127.0.0.1', '-k', ''],
          env: environment,
          cwd: '/',
          logFile,
          stopSignal: 'SIGINT',
          ...(user === null ? {} : { user }),
        });
      }
      return answers(url);
    }).catch((error: unknown) => {
      throw new Error(`PostgreSQL did not start:\n${tail(logFile)}`, { cause: error });
    });
  };
  const kill = async (): Promise<void> => {
    if (child === null) return;
    process.kill(child.pid, 'SIGKILL');
    await child.ended;
    child = null;
  };
  /** The postmaster first: one that sleeps makes no further session. */
  const signalAll = (name: NodeJS.Signals): void => {
    if (child === null || child.hasEnded()) return;
    process.kill(child.pid, name);
    for (const pid of childrenOf(child.pid)) signalSession(pid, name);
  };

  await start();
  return {
    url,
    kill,
    start,
    freeze: () => signalAll('SIGSTOP'),
    thaw: () => signalAll('SIGCONT'),
    async close() {
      await child?.stop();
      rmSync(home, { recursive: true, force: true });
      rmSync(logFile, { force: true });
    },
  };
}
