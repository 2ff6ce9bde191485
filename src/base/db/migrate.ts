/**
 * `npm run migrate`: brings the database of DATABASE_URL to the newest migration. Safe to run twice and at the same
 * time from several hosts, so that every deployment may simply run it first.
 */
import { readFileSync, realpathSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import type { MigrationList } from '@prisma/schema-engine-wasm';
import pg from 'pg';
import { databaseUrl } from '../config/database-url.ts';
import { readSecretFiles } from '../config/secret-files.ts';
import { findMigrationsDirectory, listMigrations } from './migrations.ts';
import { applyMigrations } from './schema-engine.ts';
import { prepareTenantRole, TENANT_ROLE } from './tenant-role.ts';

/** Any number that nothing else locks; the schema engine's own lock (72707369) gives up after ten seconds. */
const MIGRATION_LOCK = 7_270_736_901;

const HELP = `Usage: node dist/src/base/db/migrate.js

Applies the migrations in prisma/migrations that the database does not have yet.

Environment:
  DATABASE_URL   postgresql://user:password@host:port/database (required)
  DATABASE_PASSWORD   replaces the password in it; any characters
  DATABASE_URL_FILE, DATABASE_PASSWORD_FILE   files that hold them

It may run twice and concurrently: one process migrates, the others wait and find nothing to do.
`;

function readMigrations(baseDir: string): MigrationList {
  const directories = listMigrations(baseDir);
  return {
    baseDir,
    lockfile: { path: 'migration_lock.toml', content: readFileSync(`${baseDir}migration_lock.toml`, 'utf8') },
    shadowDbInitScript: '',
    migrationDirectories: directories.map((path) => ({
      path,
      migrationFile: {
        path: 'migration.sql',
        content: { tag: 'ok', value: readFileSync(`${baseDir}${path}/migration.sql`, 'utf8') },
      },
    })),
  };
}

/**
 * Applies what is missing and prepares the role of requests, holding an advisory lock on a session of its own so that others wait their turn.
 * @param databaseUrl a postgresql:// URL of an existing database
 * @param log receives a line per step
 * @returns the names of the migrations applied now; empty when the database was up to date
 * @throws when the database cannot be reached or a migration fails
 */
export async function migrate(
  databaseUrl: string,
  log: (line: string) => void = () => {},
): Promise<string[]> {
  const list = readMigrations(findMigrationsDirectory());
  const session = new pg.Client({
    connectionString: databaseUrl,
    connectionTimeoutMillis: 10_000,
    application_name: 'migrate',
  });
  await session.connect();
  // The lock goes with its session; a connection that breaks is reported by the query that needs it.
  session.on('error', () => undefined);
  try {
    const free = await session.query<{ locked: boolean }>('SELECT pg_try_advisory_lock($1) AS locked', [
      MIGRATION_LOCK,
    ]);
    if (free.rows[0]?.locked !== true) {
      log('another process is migrating; waiting for it');
      await session.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    }
    const { applied, edited } = await applyMigrations(databaseUrl, list);
    for (const name of applied) log(`applied ${name}`);
    for (const name of edited)
      log(`warning: ${name} was changed after it was applied here; the change is not`);
    if (!(await prepareTenantRole(session)))
      log(
        `warning: requests have no row level security; as an administrator, run: CREATE ROLE ${TENANT_ROLE} NOLOGIN; GRANT ${TENANT_ROLE} TO <this user>; then migrate again`,
      );
    log(`${applied.length} applied, ${list.migrationDirectories.length} in all`);
    return applied;
  } finally {
    await session.end();
  }
}

async function main(args: readonly string[], databaseUrl: string): Promise<number> {
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(HELP);
    return 0;
  }
  if (args.length > 0 || databaseUrl === '') {
    const problem = args.length > 0 ? `unknown argument ${args.join(' ')}` : 'DATABASE_URL is not set';
    process.stderr.write(`migrate: ${problem}\n\n${HELP}`);
    return 2;
  }
  try {
    await migrate(databaseUrl, (line) => process.stdout.write(`migrate: ${line}\n`));
    return 0;
  } catch (error) {
    process.stderr.write(`migrate: ${error instanceof Error ? error.message : String(error)}\n`);
    return 1;
  }
}

// Started as a program, not imported; through realpath, because a checkout may be reached by a symbolic link.
if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(realpathSync(process.argv[1])).href) {
  const { variables, problems } = readSecretFiles(process.env);
  for (const problem of problems) process.stderr.write(`migrate: ${problem}\n`);
  const status = problems.length > 0 ? 2 : await main(process.argv.slice(2), databaseUrl(variables));
  // Everything is done and closed, but the engine leaves a ten-second timer behind (its patience for its own lock).
  process.exit(status);
}
