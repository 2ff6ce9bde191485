/**
 * Everything that is measured, started once: PostgreSQL with durable writes, Temporal, the built API and worker as in
 * production, and beside them the hand-written workflow, the bare Koa server, the model and the tool server.
 */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import pg from 'pg';
import { migrate } from '../../src/base/db/migrate.ts';
import { startIssuer } from '../../src/processes/local/issuer.ts';
import { LOGS, makeDataDirectories, ROOT } from '../../src/processes/local/paths.ts';
import { findAnyPort } from '../../src/processes/local/ports.ts';
import { startPostgres } from '../../src/processes/local/postgres.ts';
import { launch, type Child } from '../../src/processes/local/processes.ts';
import type { PrintLine } from '../../src/processes/local/progress.ts';
import { waitUntilHealthy, waitUntilPolling } from '../../src/processes/local/services.ts';
import { startTemporal } from '../../src/processes/local/temporal-server.ts';
import { connections, Tenant } from './client.ts';
import { startToolServer, type ToolServer } from './tool-server.ts';

export const MODEL = 'bench-model';
const APP_URL = 'http://127.0.0.1:3000';
/** A user may hold 20 streams, an organization 50. */
export const STREAMS_PER_TENANT = 20;

export interface Bench {
  readonly say: PrintLine;
  readonly apiUrl: string;
  /** Bare Koa. */
  readonly peerUrl: string;
  readonly temporal: Client;
  readonly peerQueue: string;
  readonly tools: ToolServer;
  readonly db: pg.Pool;
  /** The tenant of this number; signed in when it is first asked for. */
  tenant(number: number): Promise<Tenant>;
  /** Waits until no run is open and nothing waits to be delivered. */
  quiet(): Promise<void>;
  /** Starts one more process beside the service, with its environment and `more`; it ends with the bench. */
  launch(name: string, args: readonly string[], more: NodeJS.ProcessEnv): Promise<Child>;
  /** Starts one more worker of the service; the returned function ends it. */
  addWorker(): Promise<() => Promise<void>>;
  /**
   * Starts one more API on a database of its own, whose runs are started on Temporal but find no worker: what it costs
   * is what the API costs.
   */
  addApi(name: string): Promise<ApiAlone>;
}

export interface ApiAlone {
  readonly url: string;
  /** Its process. */
  readonly pid: number;
  /** The first tenant. */
  readonly tenant: Tenant;
  openTenant(number: number): Promise<Tenant>;
  readonly db: pg.Pool;
  stop(): Promise<void>;
}

/** Steps that undo what was started, run in the reverse order. */
export type Undo = (step: () => Promise<void>) => void;

/** Flags of the service's processes, for profiles: `BENCH_NODE_OPTIONS="--cpu-prof --cpu-prof-dir=..."`. */
export const nodeFlags = (): string[] => (process.env['BENCH_NODE_OPTIONS'] ?? '').split(' ').filter(Boolean);

function start(name: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<Child> {
  return launch({
    name,
    command: process.execPath,
    args,
    env: { PATH: process.env['PATH'], ...env },
    cwd: ROOT,
    logFile: join(LOGS, `bench-${name}.log`),
  });
}

interface Addresses {
  readonly databaseUrl: string;
  readonly temporalAddress: string;
  readonly taskQueue: string;
  readonly peerQueue: string;
}

/** The bare Koa server and the worker of the hand-written workflows, both from the source. */
async function startPeers(at: Addresses, service: NodeJS.ProcessEnv, undo: Undo): Promise<string> {
  const port = await findAnyPort();
  const env = {
    ...service,
    TEMPORAL_TASK_QUEUE: at.peerQueue,
    PORT: String(port),
  };
  const run = async (name: string): Promise<Child> => {
    const child = await start(`peer-${name}`, ['--import', 'tsx', `test/bench/peer/${name}.ts`], env);
    undo(() => child.stop());
    return child;
  };
  const [http, worker] = await Promise.all([run('http'), run('worker')]);
  await Promise.all([
    waitUntilHealthy(http, `http://127.0.0.1:${port}/`),
    waitUntilPolling(worker, {
      address: at.temporalAddress,
      namespace: 'default',
      taskQueue: at.peerQueue,
    }),
  ]);
  return `http://127.0.0.1:${port}`;
}

async function startModel(undo: Undo): Promise<string> {
  const port = await findAnyPort();
  const child = await start('peer-model', ['--import', 'tsx', 'test/bench/peer/model.ts'], {
    PORT: String(port),
  });
  undo(() => child.stop());
  await waitUntilHealthy(child, `http://127.0.0.1:${port}/`);
  return `127.0.0.1:${port}`;
}

function serviceEnvironment(at: Addresses, more: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return {
    APP_ENV: 'test',
    HOST: '127.0.0.1',
    DATABASE_URL: at.databaseUrl,
    TEMPORAL_ADDRESS: at.temporalAddress,
    TEMPORAL_TASK_QUEUE: at.taskQueue,
    APP_URL,
    ...more,
  };
}

/** The built API, started as `npm run start:api` does. */
async function startApi(name: string, env: NodeJS.ProcessEnv): Promise<{ url: string; child: Child }> {
  const port = await findAnyPort();
  const args = [...nodeFlags(), '--enable-source-maps', 'dist/src/processes/serve-api.js'];
  const child = await start(name, args, { ...env, PORT: String(port) });
  const url = `http://127.0.0.1:${port}`;
  await waitUntilHealthy(child, `${url}/system/health`);
  return { url, child };
}

/** The built worker, started as `npm run start:worker` does. */
async function startWorker(at: Addresses, env: NodeJS.ProcessEnv): Promise<Child> {
  const args = [
    '--enable-source-maps',
    '--max-semi-space-size=16',
    ...nodeFlags(),
    'dist/temporal/serve-worker.js',
  ];
  const child = await start('worker', args, env);
  const { temporalAddress: address, taskQueue } = at;
  await waitUntilPolling(child, { address, namespace: 'default', taskQueue });
  return child;
}

/** A new database on the same server. */
async function addDatabase(databaseUrl: string, name: string): Promise<string> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(`CREATE DATABASE ${name}`);
  await client.end();
  const url = new URL(databaseUrl);
  url.pathname = `/${name}`;
  await migrate(url.href);
  return url.href;
}

function openPool(databaseUrl: string): pg.Pool {
  const db = new pg.Pool({ connectionString: databaseUrl, max: 2 });
  db.on('error', () => undefined);
  return db;
}

async function startIdentity(undo: Undo): Promise<Awaited<ReturnType<typeof startIssuer>>> {
  const directory = mkdtempSync(join(tmpdir(), 'bench-issuer-'));
  const issuer = await startIssuer(join(directory, 'key.pem'));
  undo(async () => {
    await issuer.stop();
    rmSync(directory, { recursive: true, force: true });
  });
  return issuer;
}

/** Runs that are accepted but not over, in the database. */
async function waitUntilQuiet(db: pg.Pool): Promise<void> {
  for (;;) {
    const { rows } = await db.query<{ busy: boolean }>(
      `SELECT EXISTS (SELECT 1 FROM outbox) OR EXISTS (SELECT 1 FROM runs WHERE status = 'running') AS busy`,
    );
    if (rows[0]?.busy !== true) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** A migrated database: of a server of the bench's own, or of the one that BENCH_DATABASE_URL names. */
async function startDatabase(say: PrintLine, unique: string, undo: Undo): Promise<string> {
  const given = process.env['BENCH_DATABASE_URL'];
  if (given !== undefined) return addDatabase(given, `bench_${unique}`);
  const postgres = await startPostgres({ say, throwaway: true, durable: true });
  undo(() => postgres.stop());
  await migrate(postgres.url);
  return postgres.url;
}

async function startServers(say: PrintLine, undo: Undo): Promise<Addresses> {
  say('starting PostgreSQL with durable writes, and Temporal');
  const unique = randomBytes(3).toString('hex');
  const [databaseUrl, temporal] = await Promise.all([
    startDatabase(say, unique, undo),
    startTemporal({ say, throwaway: true }),
  ]);
  undo(() => temporal.stop());
  return {
    databaseUrl,
    temporalAddress: temporal.address,
    taskQueue: `bench-${unique}`,
    peerQueue: `bench-peer-${unique}`,
  };
}

/** What signs tenants in, each once, on a plan without bounds. */
function tenants(
  apiUrl: string,
  db: pg.Pool,
  issuer: Awaited<ReturnType<typeof startIssuer>>,
): (number: number) => Promise<Tenant> {
  const known = new Map<number, Promise<Tenant>>();
  const signIn = async (number: number): Promise<Tenant> => {
    const token = await issuer.mint({
      // A soak lasts hours.
      lifetimeSeconds: 86_400,
      sub: `user_bench_${number}`,
      email: `bench-${number}@example.com`,
      azp: APP_URL,
    });
    const tenant = await Tenant.signIn(apiUrl, token);
    await db.query(`UPDATE organizations SET plan = 'enterprise' WHERE id = $1`, [tenant.organizationId]);
    return tenant;
  };
  return (number) => {
    const tenant = known.get(number) ?? signIn(number);
    known.set(number, tenant);
    return tenant;
  };
}

/**
 * Starts everything.
 * @param undo receives how to stop each part, as soon as it runs
 */
export async function startBench(say: PrintLine, undo: Undo): Promise<Bench> {
  makeDataDirectories();
  const at = await startServers(say, undo);
  const tools = await startToolServer();
  undo(() => tools.close());
  const issuer = await startIdentity(undo);
  say('starting the API, the worker, and what they are compared with');
  const modelHost = await startModel(undo);
  const env = serviceEnvironment(at, {
    AUTH_JWKS_URL: issuer.jwksUrl,
    AUTH_ISSUER: issuer.issuer,
    OUTBOUND_ALLOW: `${tools.hostPort},${modelHost}`,
    MANAGED_LLM_BASE_URL: `http://${modelHost}/v1`,
    MANAGED_LLM_API_KEY: 'bench',
    MANAGED_LLM_MODEL: MODEL,
    MANAGED_EMBEDDING_BASE_URL: `http://${modelHost}/v1`,
    MANAGED_EMBEDDING_MODEL: 'bench-embedding',
  });
  const peerUrl = await startPeers(at, env, undo);
  const addWorker = async (): Promise<() => Promise<void>> => {
    const child = await startWorker(at, env);
    undo(() => child.stop());
    return () => child.stop();
  };
  const addApi = async (name: string): Promise<ApiAlone> => {
    const databaseUrl = await addDatabase(at.databaseUrl, `bench_${name}`);
    const taskQueue = `${at.taskQueue}-${name}`;
    const own = await startApi(name, { ...env, DATABASE_URL: databaseUrl, TEMPORAL_TASK_QUEUE: taskQueue });
    const pool = openPool(databaseUrl);
    const stop = async (): Promise<void> => {
      await own.child.stop();
      if (!pool.ended) await pool.end();
    };
    undo(stop);
    const openTenant = tenants(own.url, pool, issuer);
    const { url } = own;
    return { url, pid: own.child.pid, tenant: await openTenant(0), openTenant, db: pool, stop };
  };
  const [api] = await Promise.all([startApi('api', env), addWorker()]);
  undo(() => api.child.stop());
  const connection = await Connection.connect({ address: at.temporalAddress });
  undo(() => connection.close());
  const db = openPool(at.databaseUrl);
  undo(() => db.end());
  undo(() => connections.destroy());
  return {
    say,
    apiUrl: api.url,
    peerUrl,
    temporal: new Client({ connection }),
    peerQueue: at.peerQueue,
    tools,
    db,
    tenant: tenants(api.url, db, issuer),
    quiet: () => waitUntilQuiet(db),
    async launch(name, args, more) {
      const child = await start(name, args, { ...env, ...more });
      undo(() => child.stop());
      return child;
    },
    addWorker,
    addApi,
  };
}
