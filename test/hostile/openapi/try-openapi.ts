/**
 * The OpenAPI document against the service: Schemathesis makes requests out of it, right and wrong ones, and checks what
 * comes back. Starts the built service on servers of its own, with a real key; the exit status is Schemathesis's.
 * Usage: tsx test/hostile/openapi/try-openapi.ts <path of the schemathesis command> [its options]
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDb, type Db } from '../../../src/base/db/client.ts';
import { migrate } from '../../../src/base/db/migrate.ts';
import { startIssuer } from '../../../src/processes/local/issuer.ts';
import { DATA, LOGS, makeDataDirectories, ROOT } from '../../../src/processes/local/paths.ts';
import { findAnyPort } from '../../../src/processes/local/ports.ts';
import { startPostgres } from '../../../src/processes/local/postgres.ts';
import { launch } from '../../../src/processes/local/processes.ts';
import { createProgressPrinter } from '../../../src/processes/local/progress.ts';
import { waitUntilHealthy, waitUntilPolling } from '../../../src/processes/local/services.ts';
import {
  STAND_IN_EMBEDDING_MODEL,
  STAND_IN_MODEL,
  startStandInModel,
} from '../../../src/processes/local/stand-in-model.ts';
import { startTemporal } from '../../../src/processes/local/temporal-server.ts';
import { runCommand } from '../../support/run-command.ts';

const HERE = join(ROOT, 'test', 'hostile', 'openapi');
const APP_URL = 'http://127.0.0.1:3000';
const TASK_QUEUE = 'openapi';
const KEY_NAME = 'schemathesis';
const HEALTH_KEY = 'operator-key-of-this-run';
const secret = (seed: number): string => Buffer.alloc(32, seed).toString('base64');

type Undo = (step: () => unknown) => void;

/** PostgreSQL, Temporal, an issuer of tokens, and the API and a worker as in production. @returns where they are */
async function startService(undo: Undo) {
  const say = createProgressPrinter();
  const [postgres, temporal] = await Promise.all([
    startPostgres({ say, throwaway: true }),
    startTemporal({ say, throwaway: true }),
  ]);
  undo(() => postgres.stop());
  undo(() => temporal.stop());
  await migrate(postgres.url);
  const keys = mkdtempSync(join(tmpdir(), 'openapi-issuer-'));
  const issuer = await startIssuer(join(keys, 'key.pem'));
  undo(async () => {
    await issuer.stop();
    rmSync(keys, { recursive: true, force: true });
  });
  const files = mkdtempSync(join(tmpdir(), 'openapi-files-'));
  undo(() => rmSync(files, { recursive: true, force: true }));
  const model = await startStandInModel();
  undo(() => model.stop());
  const port = await findAnyPort();
  const env = {
    PATH: process.env['PATH'],
    APP_ENV: 'production',
    HOST: '127.0.0.1',
    PORT: String(port),
    APP_URL,
    DATABASE_URL: postgres.url,
    TEMPORAL_ADDRESS: temporal.address,
    TEMPORAL_TASK_QUEUE: TASK_QUEUE,
    AUTH_JWKS_URL: issuer.jwksUrl,
    AUTH_ISSUER: issuer.issuer,
    API_KEY_SECRET: secret(1),
    ENCRYPTION_KEYS: `k1:${secret(2)}`,
    FILES_DIR: files,
    HEALTH_API_KEY: HEALTH_KEY,
    MANAGED_LLM_BASE_URL: model.baseUrl,
    MANAGED_LLM_MODEL: STAND_IN_MODEL,
    MANAGED_EMBEDDING_BASE_URL: model.baseUrl,
    MANAGED_EMBEDDING_MODEL: STAND_IN_EMBEDDING_MODEL,
    LOG_LEVEL: 'warn',
  };
  const start = async (name: string, entry: string) => {
    const args = ['--enable-source-maps', join('dist', entry)];
    const logFile = join(LOGS, `openapi-${name}.log`);
    const child = await launch({ name, command: process.execPath, args, env, cwd: ROOT, logFile });
    undo(() => child.stop());
    return child;
  };
  const [api, worker] = await Promise.all([
    start('api', 'src/processes/serve-api.js'),
    start('worker', 'temporal/serve-worker.js'),
  ]);
  const url = `http://127.0.0.1:${port}`;
  await waitUntilHealthy(api, `${url}/system/health`);
  await waitUntilPolling(worker, {
    address: temporal.address,
    namespace: 'default',
    taskQueue: TASK_QUEUE,
  });
  return { url, issuer, databaseUrl: postgres.url };
}

/** One request that must succeed. @returns its answer */
async function ask(
  url: string,
  method: string,
  path: string,
  headers: Record<string, string>,
  body?: object,
) {
  const given = body === undefined ? {} : { body: JSON.stringify(body) };
  const response = await fetch(url + path, {
    method,
    headers: { ...headers, 'content-type': 'application/json' },
    ...given,
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as Record<string, unknown> & { readonly id: string }[];
}

/** A user with an organization and a key for it, both without limits: those are the subject of other tests. */
async function signIn(url: string, db: Db, token: string): Promise<Record<string, string>> {
  const authorization = { authorization: `Bearer ${token}` };
  const [organization] = await ask(url, 'GET', '/organizations', authorization);
  const organizationId = organization?.id ?? '';
  await db.query(`UPDATE organizations SET plan = 'enterprise'`);
  const body = { name: KEY_NAME, organization_id: organizationId, rate_limit_per_minute: 1_000 };
  const { key } = await ask(url, 'POST', '/api-keys', authorization, body);
  await db.query(KEEP_KEY);
  return {
    Authorization: `Bearer ${String(key)}`,
    'X-Organization-ID': organizationId,
    'X-Health-API-Key': HEALTH_KEY,
  };
}

/** Whoever may do everything may revoke the very key that it uses. This one stays; its answer says so. */
const KEEP_KEY = `
  CREATE FUNCTION keep_key() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    NEW.is_active := OLD.is_active;
    NEW.revoked_at := OLD.revoked_at;
    RETURN NEW;
  END $$;
  CREATE TRIGGER keep_key BEFORE UPDATE ON api_keys FOR EACH ROW WHEN (OLD.name = '${KEY_NAME}') EXECUTE FUNCTION keep_key()`;

/** A key has 1,000 requests a minute and its user 300: what they have used is forgotten as it is counted. */
function forgetRates(db: Db): NodeJS.Timeout {
  const forget = (): Promise<unknown> => db.query('DELETE FROM rate_windows').catch(() => undefined);
  return setInterval(() => void forget(), 250);
}

async function main(command: string, options: readonly string[]): Promise<number> {
  makeDataDirectories();
  const steps: (() => unknown)[] = [];
  try {
    const { url, issuer, databaseUrl } = await startService((step) => steps.push(step));
    const db = openDb(databaseUrl, 2);
    steps.push(() => db.close());
    const token = await issuer.mint({ sub: 'tester', email: 'tester@example.com', azp: APP_URL });
    const headers = await signIn(url, db, token);
    const timer = forgetRates(db);
    steps.push(() => clearInterval(timer));
    const cwd = join(DATA, 'schemathesis');
    mkdirSync(cwd, { recursive: true });
    const config = join(HERE, 'schemathesis.toml');
    const given = Object.entries(headers).flatMap(([name, value]) => ['--header', `${name}: ${value}`]);
    const env = { ...process.env, SCHEMATHESIS_HOOKS: join(HERE, 'hooks.py'), PYTHONDONTWRITEBYTECODE: '1' };
    const args = ['--config-file', config, 'run', ...options, ...given, `${url}/openapi.json`];
    return await runCommand(command, args, { cwd, env });
  } finally {
    for (const step of steps.toReversed()) await step();
  }
}

const [command, ...options] = process.argv.slice(2);
if (command === undefined) throw new Error('name the schemathesis command');
process.exit(await main(command, options));
