/** The three processes as they are built, on a database of their own: the corpus is what they put on the wire. */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import { ROOT } from '../../src/processes/local/paths.ts';
import { findAnyPort } from '../../src/processes/local/ports.ts';
import { tail } from '../../src/processes/local/processes.ts';
import { testDatabase } from '../support/database.ts';
import { APP_URL, startIdentityProvider, type IdentityProvider } from '../support/identity-provider.ts';
import { startModelServer, type ModelServer } from '../support/model-server.ts';
import { launchOwn } from '../support/own-child.ts';
import { testTemporal } from '../support/temporal.ts';
import { eventually } from '../support/waiting.ts';
import { Sql } from './sql.ts';

const READY_WITHIN_MS = 90_000;
const GRACE_MS = 20_000;
export const HEALTH_KEY = 'operator-secret-of-the-corpus';

export interface Processes {
  readonly apiUrl: string;
  readonly realtimeUrl: string;
  /** Of the worker: the metrics of Temporal's SDK. */
  readonly sdkMetricsUrl: string;
  readonly identity: IdentityProvider;
  readonly models: ModelServer;
  /** For what no client can do: plans, roles. */
  readonly sql: Sql;
  close(): Promise<void>;
}

/** Starts API, worker and realtime server; all three serve when this returns. */
export async function startProcesses(): Promise<Processes> {
  const [database, identity, models] = await Promise.all([
    testDatabase(),
    startIdentityProvider(),
    startModelServer(),
  ]);
  // In one piece: how tokens of several are gathered into frames depends on the clock.
  models.script({ text: ['Hello world'] });
  const logs = mkdtempSync(join(tmpdir(), 'wire-'));
  const [port, realtimePort, metricsPort] = [await findAnyPort(), await findAnyPort(), await findAnyPort()];
  const env = {
    PATH: process.env['PATH'],
    APP_ENV: 'test',
    HOST: '127.0.0.1',
    PORT: String(port),
    REALTIME_PORT: String(realtimePort),
    DATABASE_URL: database.url,
    TEMPORAL_ADDRESS: testTemporal().address,
    TEMPORAL_TASK_QUEUE: `wire-${randomUUID()}`,
    AUTH_JWKS_URL: identity.jwksUrl,
    AUTH_ISSUER: identity.issuer,
    APP_URL,
    TEMPORAL_METRICS_ADDRESS: `127.0.0.1:${metricsPort}`,
    HEALTH_API_KEY: HEALTH_KEY,
    REALTIME_ADMIN_API_KEY: HEALTH_KEY,
    REALTIME_ADMIN_EMAIL: 'operator@example.test',
    ENCRYPTION_KEYS: `test:${Buffer.alloc(32, 7).toString('base64')}`,
    MANAGED_LLM_BASE_URL: models.baseUrl,
    MANAGED_LLM_API_KEY: 'managed-llm-key',
    MANAGED_LLM_MODEL: 'test-model',
    MANAGED_EMBEDDING_BASE_URL: models.baseUrl,
    MANAGED_EMBEDDING_API_KEY: 'managed-embedding-key',
    MANAGED_EMBEDDING_MODEL: 'test-embedding',
    OUTBOUND_ALLOW: models.hostPort,
    LOG_LEVEL: 'info',
  };
  const start = async (name: string, entry: string, ready: string): Promise<() => Promise<void>> => {
    const child = await launchOwn({
      name,
      command: process.execPath,
      args: [join(inject('builtService'), entry)],
      env,
      cwd: ROOT,
      logFile: join(logs, `${name}.log`),
    });
    await eventually(`${name} to serve`, READY_WITHIN_MS, () => {
      if (child.hasEnded()) throw new Error(`${name} ended:\n${tail(child.logFile)}`);
      return readFileSync(child.logFile, 'utf8').includes(ready) || null;
    });
    return () => child.stop(GRACE_MS);
  };
  const stops = await Promise.all([
    start('api', 'src/processes/serve-api.js', 'the API is listening'),
    start('worker', 'temporal/serve-worker.js', 'worker started'),
    start('realtime', 'src/processes/serve-realtime.js', 'the realtime server is listening'),
  ]);
  const sql = await Sql.connect(database.url);
  return {
    apiUrl: `http://127.0.0.1:${port}`,
    realtimeUrl: `http://127.0.0.1:${realtimePort}`,
    sdkMetricsUrl: `http://127.0.0.1:${metricsPort}/metrics`,
    identity,
    models,
    sql,
    async close() {
      await sql.close();
      await Promise.all(stops.map((stop) => stop()));
      await Promise.all([identity.stop(), models.close()]);
      await database.drop();
      rmSync(logs, { recursive: true, force: true });
    },
  };
}
