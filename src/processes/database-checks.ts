/** The doctor's checks of the database: its server, its schema and its rows. */
import { setTimeout as pause } from 'node:timers/promises';
import { systemClock } from '../base/clock.ts';
import type { Config } from '../base/config/config.ts';
import type { Db } from '../base/db/client.ts';
import { compareMigrations } from '../base/db/migrations.ts';
import { hasTenantRole, TENANT_ROLE } from '../base/db/tenant-role.ts';
import { isTransientDatabaseError } from '../base/db/transient-error.ts';
import { countLivingWorkers } from '../engine/runs/ledger/write/worker-leases.ts';
import { countOverdue } from '../engine/schedules/overdue.ts';
import { describeMissingKeys } from '../platform/credentials/vault/rotation.ts';
import { attempt, fail, MIGRATE, pass, REACH_DATABASE, warn, type Finding } from './findings.ts';

/** Tokens, leases and schedules compare times of several machines. */
const CLOCK_WARNING_MS = 1_000;
const CLOCK_FAILURE_MS = 10_000;
/** The oldest release of PostgreSQL that is tested (`docker-compose.yml`, embedded). */
const POSTGRES_MAJOR = 15;
const OUTBOX_WARNING_SECONDS = 60;
/** A busy database may refuse a connection that it has room for a moment later. */
const TRIES = 4;
const RETRY_MS = 1_500;

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
  const missing = await describeMissingKeys(db, config);
  if (missing !== null)
    return fail(check, missing, 'Add the missing keys to ENCRYPTION_KEYS, or replace these credentials.');
  return pass(check, `${config.encryptionKeys.length} configured; all stored credentials can be read`);
}

async function checkWall(db: Db, { env }: Config): Promise<Finding> {
  const check = 'row level security';
  if (await hasTenantRole(db)) return pass(check, `requests run as ${TENANT_ROLE}`);
  const [found] = await db.query<{ isMigrated: boolean }>(
    `SELECT to_regclass('audit_log') IS NOT NULL AS "isMigrated"`,
  );
  if (found?.isMigrated !== true) return fail(check, 'the tables do not exist yet', MIGRATE);
  const message = `the role ${TENANT_ROLE} is missing: statements alone separate the organizations`;
  const judge = env === 'staging' || env === 'production' ? fail : warn;
  return judge(
    check,
    message,
    'Create and grant the role as prisma/README.md says, and run `node dist/src/base/db/migrate.js`.',
  );
}

async function checkClock(db: Db): Promise<Finding> {
  const check = 'clock';
  const beforeMs = systemClock.now();
  const [row] = await db.query<{ now: Date }>('SELECT clock_timestamp() AS now');
  const afterMs = systemClock.now();
  const serverMs = row?.now.getTime() ?? 0;
  // A busy database reads its clock at any moment of the call: only a time outside of the call proves a difference.
  const apartMs = Math.round(Math.max(0, beforeMs - serverMs, serverMs - afterMs));
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

async function checkSchedules(db: Db): Promise<Finding> {
  const check = 'schedules';
  const { count, since } = await countOverdue(db);
  if (count === 0) return pass(check, 'none is overdue');
  return fail(
    check,
    `${count} did not fire, the first was due at ${since?.toISOString()}`,
    'Check Temporal and that a worker runs; src/base/observe/operations/README.md has more at SchedulesOverdue.',
  );
}

async function checkWorkers(db: Db): Promise<Finding> {
  const check = 'workers';
  const count = await countLivingWorkers(db);
  return count > 0
    ? pass(check, `${count} at work`)
    : fail(check, 'none is at work', 'Start a worker: `node dist/temporal/serve-worker.js`.');
}

/** A check of the database, which is tried again after an error that may pass: a busy database works. */
async function attemptOnDatabase(name: string, check: () => Promise<Finding>): Promise<Finding[]> {
  return attempt(name, REACH_DATABASE, async () => {
    for (let tries = 1; ; tries += 1) {
      try {
        return await check();
      } catch (error) {
        if (tries === TRIES || !isTransientDatabaseError(error)) throw error;
        await pause(RETRY_MS);
      }
    }
  });
}

/** Checks the database first: one that is away is not asked again for each of the others. */
export async function checkDatabases(db: Db, config: Config): Promise<Finding[]> {
  const database = await attemptOnDatabase('database', () => checkDatabase(db, config));
  const others = [
    ['schema', () => checkSchema(db)],
    ['encryption keys', () => checkKeys(db, config)],
    ['row level security', () => checkWall(db, config)],
    ['clock', () => checkClock(db)],
    ['outbox', () => checkOutbox(db)],
    ['schedules', () => checkSchedules(db)],
    ['workers', () => checkWorkers(db)],
  ] as const;
  if (database.some(({ remedy }) => remedy === REACH_DATABASE))
    return [
      ...database,
      ...others.map(([name]) => fail(name, 'not checked without the database', REACH_DATABASE)),
    ];
  // One after the other: the doctor is no load of its own.
  for (const [name, check] of others) database.push(...(await attemptOnDatabase(name, check)));
  return database;
}
