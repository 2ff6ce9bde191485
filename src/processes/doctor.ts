/** Checks an installation for its operator: each check has a result in words and, unless it passes, a remedy. */
import { statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { systemClock } from '../base/clock.ts';
import { ConfigError, VERSION, type Config } from '../base/config/config.ts';
import { requireKeys } from '../platform/credentials/vault/rotation.ts';
import type { Db } from '../base/db/client.ts';
import { compareMigrations } from '../base/db/migrations.ts';
import { hasTenantRole, TENANT_ROLE } from '../base/db/tenant-role.ts';
import { isTransientDatabaseError, readSqlState } from '../base/db/transient-error.ts';
import { createLog } from '../base/log.ts';
import { ForeignNamespace, NamespaceGuard } from '../engine/runs/outbox/namespace-guard.ts';
import { connectEngine } from '../../temporal/client/client.ts';
import { inspectTemporal, type TemporalStatus } from '../../temporal/client/inspect.ts';

type Status = 'ok' | 'warning' | 'failed';

interface Finding {
  readonly check: string;
  readonly status: Status;
  readonly message: string;
  /** How to fix it; null when there is nothing to fix. */
  readonly remedy: string | null;
}

export interface Diagnosis {
  readonly status: Status;
  readonly version: string;
  readonly checks: readonly Finding[];
}

/** Tokens, leases and schedules compare times of several machines. */
const CLOCK_WARNING_MS = 1_000;
const CLOCK_FAILURE_MS = 10_000;
const MIN_FREE_BYTES = 1024 ** 3;
/** The oldest release of PostgreSQL that is tested (`docker-compose.yml`, embedded). */
const POSTGRES_MAJOR = 15;
/** Releases before it need settings for eager starts (temporal/README.md). */
const TEMPORAL_RELEASE = { major: 1, minor: 29 };
const OUTBOX_WARNING_SECONDS = 60;
const FETCH_MS = 5_000;
const REACH_DATABASE = 'Check DATABASE_URL, and that PostgreSQL runs and can be reached from here.';
const MIGRATE = 'Run `node dist/src/db/migrate.js`.';

const pass = (check: string, message: string): Finding => ({ check, status: 'ok', message, remedy: null });
const warn = (check: string, message: string, remedy: string): Finding => ({
  check,
  status: 'warning',
  message,
  remedy,
});
const fail = (check: string, message: string, remedy: string): Finding => ({
  check,
  status: 'failed',
  message,
  remedy,
});
const describe = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Names what an endpoint lacks: METRICS_TOKEN opens the metrics alone, HEALTH_API_KEY both. */
function describeClosedReports({ healthApiKey, metricsToken }: Config): string[] {
  if (healthApiKey !== undefined) return [];
  return [`HEALTH_API_KEY (health report${metricsToken === undefined ? ', metrics' : ''})`];
}

function checkConfiguration(config: Config): Finding {
  const { env, appUrl, trustedProxies, encryptionKeys } = config;
  const check = 'configuration';
  const open = [
    ...describeClosedReports(config),
    ...(appUrl === undefined ? ['APP_URL (links, CORS)'] : []),
    ...(encryptionKeys.length === 0 ? ['ENCRYPTION_KEYS (credentials)'] : []),
    ...(env === 'production' && trustedProxies.length === 0 ? ['TRUSTED_PROXIES (behind a proxy)'] : []),
  ];
  if (open.length === 0) return pass(check, `valid for ${env}`);
  return warn(check, `valid for ${env}; not set: ${open.join(', ')}`, 'Set what this installation uses.');
}

async function checkDatabase(db: Db, { env }: Config): Promise<Finding> {
  const check = 'database';
  interface Row {
    readonly version: string;
    readonly major: number;
    readonly unsafe: readonly string[];
    readonly used: number;
    readonly max: number;
    readonly bytes: string;
  }
  const [row] = await db.query<Row>(`
    SELECT current_setting('server_version') AS version, current_setting('server_version_num')::int / 10000 AS major,
           ARRAY(SELECT name::text FROM pg_settings WHERE setting = 'off'
                 AND name IN ('fsync', 'full_page_writes', 'synchronous_commit')) AS unsafe,
           (SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend')::int AS used,
           current_setting('max_connections')::int AS max,
           pg_size_pretty(pg_database_size(current_database())) AS bytes`);
  if (row === undefined) return fail(check, 'PostgreSQL answers with nothing', 'Check DATABASE_URL.');
  const message = `PostgreSQL ${row.version}, ${row.bytes}, ${row.used} of ${row.max} connections in use`;
  if (row.major < POSTGRES_MAJOR)
    return fail(check, message, `Upgrade PostgreSQL to ${POSTGRES_MAJOR} or later.`);
  if (row.unsafe.length > 0) {
    // Databases of developers and tests may do without.
    const judge = env === 'staging' || env === 'production' ? fail : warn;
    const remedy = 'Turn them on: an accepted run may be lost otherwise.';
    return judge(check, `${message}; off: ${row.unsafe.join(', ')}`, remedy);
  }
  if (row.used > row.max * 0.9) return warn(check, message, 'Raise max_connections, or run fewer processes.');
  return pass(check, message);
}

async function checkSchema(db: Db): Promise<Finding> {
  const check = 'schema';
  const { missing, newer, required } = await compareMigrations(db);
  if (missing.length > 0)
    return fail(check, `${missing.length} migrations are missing, from ${missing[0]}`, MIGRATE);
  if (required !== null)
    return fail(
      check,
      `removed what this version uses: it needs one with the migration ${required}`,
      'Start a later version, or restore the backup from before the upgrade.',
    );
  if (newer.length > 0) return pass(check, `current, with ${newer.length} migrations of a later version`);
  return pass(check, 'current');
}

async function checkKeys(db: Db, config: Config): Promise<Finding> {
  const check = 'encryption keys';
  try {
    await requireKeys({ db, config: { ...config, env: 'production' }, log: createLog('silent', 'doctor') });
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return fail(
      check,
      error.message,
      'Add the missing keys to ENCRYPTION_KEYS, or replace these credentials.',
    );
  }
  return pass(check, `${config.encryptionKeys.length} configured; all stored credentials can be read`);
}

async function checkWall(db: Db, { env }: Config): Promise<Finding> {
  const check = 'row level security';
  if (await hasTenantRole(db)) return pass(check, `requests run as ${TENANT_ROLE}`);
  const message = `the role ${TENANT_ROLE} is missing: statements alone separate the organizations`;
  const judge = env === 'staging' || env === 'production' ? fail : warn;
  return judge(
    check,
    message,
    'Create and grant the role as prisma/README.md says, and run `node dist/src/db/migrate.js`.',
  );
}

async function checkClock(db: Db): Promise<Finding> {
  const check = 'clock';
  const beforeMs = systemClock.now();
  const [row] = await db.query<{ now: Date }>('SELECT clock_timestamp() AS now');
  const middleMs = (beforeMs + systemClock.now()) / 2;
  const apartMs = Math.round(Math.abs((row?.now.getTime() ?? 0) - middleMs));
  const message = `${apartMs} ms apart from the database`;
  const remedy = 'Synchronize the clocks of all machines (NTP).';
  if (apartMs > CLOCK_FAILURE_MS) return fail(check, message, remedy);
  return apartMs > CLOCK_WARNING_MS ? warn(check, message, remedy) : pass(check, message);
}

async function checkOutbox(db: Db): Promise<Finding> {
  const check = 'outbox';
  const [row] = await db.query<{ waiting: number; parked: number; oldest: number }>(`
    SELECT count(*) FILTER (WHERE due_at < 'infinity')::int AS waiting,
           count(*) FILTER (WHERE due_at = 'infinity')::int AS parked,
           coalesce(extract(epoch FROM now() - min(created_at) FILTER (WHERE due_at < 'infinity')), 0)::int AS oldest
    FROM outbox`);
  const { waiting = 0, parked = 0, oldest = 0 } = row ?? {};
  const message = `${waiting} decisions wait for Temporal, the oldest for ${oldest} s; ${parked} are parked`;
  if (parked > 0)
    return fail(
      check,
      message,
      "Read `last_error` of the rows of `outbox` with due_at = 'infinity'; after fixing the cause set `due_at = now()`.",
    );
  if (oldest > OUTBOX_WARNING_SECONDS)
    return warn(check, message, 'Check that Temporal is reachable and that a worker or an API process runs.');
  return pass(check, message);
}

async function checkNamespace(db: Db, config: Config): Promise<Finding> {
  const check = 'temporal namespace';
  const engine = await connectEngine(config, createLog('silent', 'doctor'));
  try {
    await new NamespaceGuard({ db, engine, clock: systemClock }).require();
    return pass(check, `"${config.temporal.namespace}" executes the runs of this database`);
  } catch (error) {
    if (error instanceof ForeignNamespace)
      return fail(check, error.message, 'Set TEMPORAL_ADDRESS to the former server, or adopt this one.');
    throw error;
  } finally {
    await engine.close();
  }
}

/** A version without two numbers, as a cloud may have one, is not judged. */
function isOldTemporal(version: string): boolean {
  const [, major, minor] = /^v?(\d+)\.(\d+)/.exec(version) ?? [];
  if (major === undefined || minor === undefined) return false;
  const ahead = Number(major) - TEMPORAL_RELEASE.major;
  return ahead < 0 || (ahead === 0 && Number(minor) < TEMPORAL_RELEASE.minor);
}

/** Judges the status of Temporal: its server, its search attributes and its queues. */
export function judgeTemporal({ temporal }: Pick<Config, 'temporal'>, status: TemporalStatus): Finding[] {
  const { serverVersion, retentionDays, missingAttributes, queues } = status;
  const idle = queues.filter(({ pollers }) => pollers === 0).map(({ queue }) => queue);
  const server = `server ${serverVersion} at ${temporal.address}`;
  const create = missingAttributes?.map((name) => `temporal operator search-attribute create --name ${name}`);
  const { major, minor } = TEMPORAL_RELEASE;
  return [
    isOldTemporal(serverVersion)
      ? warn(
          'temporal',
          server,
          `Upgrade Temporal to ${major}.${minor} or later: older releases are not tested.`,
        )
      : retentionDays !== null && retentionDays < 1
        ? warn(
            'temporal',
            `${server}, retention of ${retentionDays} days`,
            'Set a retention of at least a day.',
          )
        : pass('temporal', server),
    missingAttributes === null
      ? warn('search attributes', 'the server does not tell', 'Check the permissions of TEMPORAL_API_KEY.')
      : missingAttributes.length > 0
        ? warn(
            'search attributes',
            `missing: ${missingAttributes.join(', ')}`,
            `Start a process that may register them, or run ${create?.join('; ')} (temporal/README.md has the types).`,
          )
        : pass('search attributes', 'all are registered'),
    idle.length > 0
      ? fail(
          'task queues',
          `no worker polls ${idle.join(', ')}`,
          'Start a worker: `node dist/temporal/serve-worker.js`.',
        )
      : pass('task queues', queues.map(({ queue, pollers }) => `${queue}: ${pollers}`).join(', ')),
  ];
}

async function checkIdentityProvider({ auth }: Config): Promise<Finding> {
  const check = 'identity provider';
  if (auth.jwksUrl === undefined || auth.issuer === undefined)
    return warn(check, 'none: every JWT is refused', 'Set AUTH_JWKS_URL and AUTH_ISSUER.');
  const response = await fetch(auth.jwksUrl, { signal: AbortSignal.timeout(FETCH_MS) });
  const body: unknown = response.ok ? await response.json() : null;
  const keys =
    typeof body === 'object' && body !== null && 'keys' in body && Array.isArray(body.keys) ? body.keys : [];
  if (keys.length === 0)
    return fail(check, `${auth.jwksUrl} has no keys (${response.status})`, 'Check AUTH_JWKS_URL.');
  return pass(check, `${keys.length} keys at ${auth.jwksUrl}`);
}

async function checkDisk(): Promise<Finding> {
  const check = 'disk';
  const { bavail, bsize } = await statfs(tmpdir());
  const message = `${Math.round((bavail * bsize) / 1024 ** 2)} MiB free at ${tmpdir()}`;
  return bavail * bsize < MIN_FREE_BYTES
    ? warn(check, message, 'Free space: uploads and documents use it.')
    : pass(check, message);
}

/** Chooses the remedy of a check that broke: it may read the database for another purpose. */
function chooseRemedy(error: unknown, remedy: string): string {
  // 42P01 and 42703: a table or a column is missing.
  if (/^42(?:P01|703)$/.test(readSqlState(error))) return MIGRATE;
  return isTransientDatabaseError(error) ? REACH_DATABASE : remedy;
}

/** Runs a check; an error of it is its finding. */
async function attempt(
  name: string,
  remedy: string,
  check: () => Promise<Finding | Finding[]>,
): Promise<Finding[]> {
  try {
    return [await check()].flat();
  } catch (error) {
    return [fail(name, describe(error), chooseRemedy(error, remedy))];
  }
}

/** Runs all checks; never throws. */
export async function diagnose(config: Config, db: Db): Promise<Diagnosis> {
  const reachTemporal =
    `Check TEMPORAL_ADDRESS (${config.temporal.address}), TEMPORAL_NAMESPACE (${config.temporal.namespace}), ` +
    'and that Temporal runs and can be reached from here.';
  const found = await Promise.all([
    attempt('database', REACH_DATABASE, () => checkDatabase(db, config)),
    attempt('schema', REACH_DATABASE, () => checkSchema(db)),
    attempt('encryption keys', REACH_DATABASE, () => checkKeys(db, config)),
    attempt('row level security', REACH_DATABASE, () => checkWall(db, config)),
    attempt('clock', REACH_DATABASE, () => checkClock(db)),
    attempt('outbox', REACH_DATABASE, () => checkOutbox(db)),
    attempt('temporal', reachTemporal, async () => judgeTemporal(config, await inspectTemporal(config))),
    attempt('temporal namespace', reachTemporal, () => checkNamespace(db, config)),
    attempt('identity provider', 'Check AUTH_JWKS_URL.', () => checkIdentityProvider(config)),
    attempt('disk', 'Check the directory of temporary files.', checkDisk),
  ]);
  const checks = [checkConfiguration(config), ...found.flat()];
  const has = (status: Status): boolean => checks.some((finding) => finding.status === status);
  return { status: has('failed') ? 'failed' : has('warning') ? 'warning' : 'ok', version: VERSION, checks };
}

/** The diagnosis of a configuration that cannot be read. */
export const refuseConfiguration = ({ message }: ConfigError): Diagnosis => ({
  status: 'failed',
  version: VERSION,
  checks: [fail('configuration', message, 'Correct these variables; src/README.md explains each.')],
});

/** Formats a diagnosis for a terminal. */
export function formatDiagnosis({ version, checks }: Diagnosis): string {
  const width = Math.max(...checks.map(({ check }) => check.length));
  const lines = checks.flatMap(({ check, status, message, remedy }) => [
    `${status.padEnd(7)}  ${check.padEnd(width)}  ${message}`,
    ...(remedy === null ? [] : [`${' '.repeat(9 + width + 2)}→ ${remedy}`]),
  ]);
  const hasFailed = checks.some(({ status }) => status === 'failed');
  return [
    `Version ${version}, Node ${process.versions.node}`,
    '',
    ...lines,
    // The command's own error tells how many failed.
    ...(hasFailed ? [] : ['', 'No check failed.']),
  ].join('\n');
}
