/**
 * If this failed, an operator would learn on the worst day that the commands of src/README.md do not restore a backup. It runs them as they
 * stand there, between two servers of the release whose pg_dump is installed; without one it is skipped.
 */
import { execFile, execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDb, type Db } from '../../../src/base/db/client.ts';
import { migrate } from '../../../src/base/db/migrate.ts';
import { compareMigrations } from '../../../src/base/db/migrations.ts';
import { hasTenantRole } from '../../../src/base/db/tenant-role.ts';
import { ROOT } from '../../../src/processes/local/paths.ts';
import { startCrashablePostgres, type CrashablePostgres } from '../../support/crashable-postgres.ts';
import { LARGE_ORGANIZATION, storeRuns } from '../../support/stored-runs.ts';

const PASSWORD = "it's a secret";

/** Finds the programs of an installed server with its clients; null without one. */
function findInstalled(): { readonly initdb: string; readonly postgres: string } | null {
  try {
    const directory = execFileSync('pg_config', ['--bindir'], { encoding: 'utf8' }).trim();
    const programs = { initdb: join(directory, 'initdb'), postgres: join(directory, 'postgres') };
    return [...Object.values(programs), join(directory, 'pg_dump')].every((path) => existsSync(path))
      ? programs
      : null;
  } catch {
    return null;
  }
}
const installed = findInstalled();

/** The commands of a section of src/README.md, block by block. */
function readCommands(section: string): string[] {
  const text = readFileSync(join(ROOT, 'src/README.md'), 'utf8');
  const [, found = ''] = text.split(`\n## ${section}\n`);
  const [body = ''] = found.split('\n## ');
  return [...body.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = '']) => block);
}

let folder: string;
let former: CrashablePostgres;
let fresh: CrashablePostgres;
beforeAll(async () => {
  if (installed === null) return;
  folder = mkdtempSync(join(tmpdir(), 'backup-'));
  [former, fresh] = await Promise.all([startCrashablePostgres(installed), startCrashablePostgres(installed)]);
});
afterAll(async () => {
  if (installed === null) return;
  await Promise.all([former.close(), fresh.close()]);
  rmSync(folder, { recursive: true, force: true });
});

/** The URL of the service's database, by its owner. */
function toOwnUrl(server: CrashablePostgres): string {
  const url = new URL(server.url);
  url.username = 'workflow';
  url.password = encodeURIComponent(PASSWORD);
  url.pathname = '/workflow';
  return url.href;
}

async function asAdministrator(server: CrashablePostgres, statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}

/** Runs commands as a shell of an operator does. */
const run = (commands: string, server: CrashablePostgres): Promise<unknown> =>
  promisify(execFile)('bash', ['-euo', 'pipefail', '-c', commands], {
    cwd: folder,
    env: {
      PATH: process.env['PATH'],
      DATABASE_URL: toOwnUrl(server),
      DATABASE_PASSWORD: PASSWORD,
      ADMIN_URL: server.url,
    },
  });

/** Counts the rows of every table, and the policies that hold the organizations apart. */
async function describeDatabase(db: Db): Promise<unknown> {
  const tables = await db.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace ORDER BY 1`,
  );
  const rows: Record<string, number> = {};
  for (const { name } of tables) {
    const [counted] = await db.query<{ count: number }>(`SELECT count(*)::int AS count FROM "${name}"`);
    rows[name] = counted?.count ?? -1;
  }
  const policies = await db.query(
    'SELECT tablename, policyname, roles, qual FROM pg_policies ORDER BY tablename, policyname',
  );
  const triggers = await db.query(`SELECT tgname FROM pg_trigger WHERE NOT tgisinternal ORDER BY 1`);
  return { rows, policies, triggers };
}

test.skipIf(installed === null)(
  'a backup is restored on an empty server by the commands of src/README.md, with its roles and its wall',
  async () => {
    const [dump, restore] = readCommands('Backups');
    if (dump === undefined || restore === undefined) throw new Error('the section has no two blocks');
    await asAdministrator(former, [
      'CREATE ROLE workflow_tenant NOLOGIN',
      `CREATE ROLE workflow LOGIN PASSWORD '${PASSWORD.replaceAll("'", "''")}'`,
      'GRANT workflow_tenant TO workflow',
      'CREATE DATABASE workflow OWNER workflow',
    ]);
    await migrate(toOwnUrl(former));
    const before = openDb(toOwnUrl(former), 2);
    await storeRuns(before, { from: 0, to: 600, total: 600 });
    const expected = await describeDatabase(before);
    await before.close();

    await run(dump, former);
    await run(restore, fresh);

    const after = openDb(toOwnUrl(fresh), 2);
    expect(await describeDatabase(after)).toEqual(expected);
    expect(await compareMigrations(after)).toEqual({ missing: [], newer: [], required: null });
    expect(await hasTenantRole(after)).toBe(true);
    // Behind the wall, a request sees the runs of its organization alone.
    const inOrganization = after.within({ request: 'r', organizationId: LARGE_ORGANIZATION });
    const [seen] = await inOrganization.query<{ count: number; others: number }>(
      'SELECT count(*)::int AS count, count(*) FILTER (WHERE organization_id <> $1)::int AS others FROM runs',
      [LARGE_ORGANIZATION],
    );
    expect(seen).toEqual({ count: 200, others: 0 });
    await after.close();
    // The administrator's part may run again, for a second attempt: what exists stays.
    await asAdministrator(fresh, ['DROP DATABASE workflow']);
    await run(restore, fresh);
  },
);
