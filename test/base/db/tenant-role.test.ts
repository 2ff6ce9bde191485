/** A deployment whose database user may not create roles would serve requests without row level security, and nobody would know. */
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readConfig, type Config } from '../../../src/base/config/config.ts';
import { openDb } from '../../../src/base/db/client.ts';
import { migrate } from '../../../src/base/db/migrate.ts';
import { hasTenantRole, warnWithoutTenantRole } from '../../../src/base/db/tenant-role.ts';
import { diagnose } from '../../../src/processes/doctor.ts';
import { startPostgres } from '../../../src/processes/local/postgres.ts';
import { createComposeDatabases } from '../../support/compose-databases.ts';
import { HOST } from '../../support/compose.ts';

/** Roles belong to a server, and that of the tests has this one. */
let server: Awaited<ReturnType<typeof startPostgres>>;
let admin: pg.Client;

beforeAll(async () => {
  server = await startPostgres({ say: () => undefined, throwaway: true });
});
afterAll(() => server.stop());
beforeEach(async () => {
  admin = new pg.Client({ connectionString: server.url });
  await admin.connect();
});
afterEach(async () => {
  const { rows } = await admin.query<{ datname: string; rolname: string }>(
    `SELECT datname, rolname FROM pg_database JOIN pg_roles ON datdba = pg_roles.oid WHERE NOT rolsuper`,
  );
  for (const { datname } of rows) await admin.query(`DROP DATABASE "${datname}" WITH (FORCE)`);
  await admin.query('DROP ROLE IF EXISTS workflow_tenant, workflow, temporal, temporal_visibility, owner');
  await admin.end();
});

function urlOf(user: string, password: string): string {
  const url = new URL(server.url);
  url.username = user;
  url.password = encodeURIComponent(password);
  url.pathname = `/${user}`;
  return url.href;
}

/** Creates an owner as a managed PostgreSQL does, without rights beyond its database. */
async function createOwner(attributes = ''): Promise<string> {
  await admin.query(`CREATE ROLE owner LOGIN PASSWORD 'x' ${attributes}`);
  await admin.query('CREATE DATABASE owner OWNER owner');
  return urlOf('owner', 'x');
}

async function migrateWithLines(url: string): Promise<string[]> {
  const lines: string[] = [];
  await migrate(url, (line) => lines.push(line));
  return lines.filter((line) => line.startsWith('warning'));
}

/** Reads as the requests of an organization do. @returns the role and the number of audit entries that it sees */
async function readAsRequest(url: string): Promise<{ role: string; entries: number } | undefined> {
  const db = openDb(url, 2);
  try {
    const request = db.within({ request: '{}', organizationId: '00000000-0000-4000-8000-000000000000' });
    const [row] = await request.query<{ role: string; entries: number }>(
      'SELECT current_user::text AS role, (SELECT count(*) FROM audit_log) AS entries',
    );
    return row;
  } finally {
    await db.close();
  }
}

test('a database of docker-compose.yml has row level security, also one that was migrated before the role was created', async () => {
  await createComposeDatabases(server.url);
  const url = urlOf('workflow', HOST['DATABASE_PASSWORD'] ?? '');
  expect(await migrateWithLines(url)).toEqual([]);
  expect(await readAsRequest(url)).toEqual({ role: 'workflow_tenant', entries: 0 });

  await admin.query('DROP DATABASE workflow');
  await admin.query('DROP ROLE workflow_tenant');
  await admin.query('CREATE DATABASE workflow OWNER workflow');
  expect(await migrateWithLines(url)).toHaveLength(1);
  expect(await readAsRequest(url)).toEqual({ role: 'workflow', entries: 0 });
  await createComposeDatabases(server.url);
  expect(await migrateWithLines(url)).toEqual([]);
  expect(await readAsRequest(url)).toEqual({ role: 'workflow_tenant', entries: 0 });
});

test('an owner that may create roles may have the role that it creates', async () => {
  const url = await createOwner('CREATEROLE');
  expect(await migrateWithLines(url)).toEqual([]);
  expect(await readAsRequest(url)).toEqual({ role: 'workflow_tenant', entries: 0 });
});

test('requests do not take a role that their user is a member of and may not take', async () => {
  const url = await createOwner('CREATEROLE');
  await migrate(url);
  await admin.query('GRANT workflow_tenant TO owner WITH SET FALSE');
  await admin.query('REVOKE workflow_tenant FROM owner GRANTED BY owner');
  expect(await readAsRequest(url)).toEqual({ role: 'owner', entries: 0 });
});

describe('an owner that may not create roles', () => {
  test('is told by the migration, the start and the doctor, until an administrator has created the role', async () => {
    const url = await createOwner();
    expect(await migrateWithLines(url)).toEqual([
      expect.stringContaining('CREATE ROLE workflow_tenant NOLOGIN; GRANT workflow_tenant TO'),
    ]);
    const db = openDb(url, 2);
    // Nothing listens there.
    const config = readConfig({ APP_ENV: 'test', DATABASE_URL: url, TEMPORAL_ADDRESS: '127.0.0.1:9' });
    const lines: string[] = [];
    const log = { warn: (line: string) => lines.push(line) } as never;
    const findWall = async (env: Config['env']): Promise<string | undefined> =>
      (await diagnose({ ...config, env }, db)).checks.find(({ check }) => check === 'row level security')
        ?.status;
    try {
      await warnWithoutTenantRole({ db, log });
      expect(lines).toEqual([expect.stringContaining('no row level security')]);
      expect(await Promise.all((['development', 'staging', 'production'] as const).map(findWall))).toEqual([
        'warning',
        'failed',
        'failed',
      ]);

      await admin.query('CREATE ROLE workflow_tenant NOLOGIN');
      expect(await migrateWithLines(url)).toHaveLength(1);
      await admin.query('GRANT workflow_tenant TO owner');
      expect(await hasTenantRole(db)).toBe(false);
      expect(await migrateWithLines(url)).toEqual([]);
      expect(await findWall('production')).toBe('ok');
      await warnWithoutTenantRole({ db, log });
      expect(lines).toHaveLength(1);
    } finally {
      await db.close();
    }
  });

  test('gets the rights of the migration for the role: no entry of the audit log can be written', async () => {
    await admin.query('CREATE ROLE workflow_tenant NOLOGIN');
    const url = await createOwner();
    await migrate(url);
    await admin.query('GRANT workflow_tenant TO owner');
    await migrate(url);
    const db = openDb(url, 2);
    try {
      const rows = await db.query<{ table: string; missing: string }>(`
        SELECT relname::text AS table, right_name AS missing FROM pg_class, unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE']) AS right_name
        WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND NOT has_table_privilege('workflow_tenant', pg_class.oid, right_name)`);
      expect(rows).toEqual(
        ['INSERT', 'UPDATE', 'DELETE'].map((missing) => ({ table: 'audit_log', missing })),
      );
    } finally {
      await db.close();
    }
  });
});
