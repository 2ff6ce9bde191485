/** The role that the statements of requests have, which row level security holds (prisma/README.md): looked for, prepared, missed. */
import type pg from 'pg';
import type { Logger } from '../log.ts';
import type { Sql } from './client.ts';

export const TENANT_ROLE = 'workflow_tenant';

/** Since PostgreSQL 16 a role's creator is a member that may not take it, until it has granted it to itself. */
const MAY_BECOME = `
  pg_has_role(oid, CASE WHEN current_setting('server_version_num')::int >= 160000 THEN 'SET' ELSE 'MEMBER' END)`;

/** One row if requests can have the role. It, or its rights, may be missing where the owner cannot create roles, and after a restore. */
export const FIND_TENANT_ROLE = `
  SELECT FROM (SELECT to_regrole('${TENANT_ROLE}')::oid AS oid) role WHERE ${MAY_BECOME}
  AND has_table_privilege(oid, to_regclass('audit_log'), 'SELECT')`;

/** The same as in the migration `wall`, for a role that an administrator has created since. */
const PREPARE = `
DO $$
DECLARE
    is_incomplete BOOLEAN;
BEGIN
    BEGIN
        IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '${TENANT_ROLE}') THEN CREATE ROLE "${TENANT_ROLE}" NOLOGIN; END IF;
    EXCEPTION
        -- Created meanwhile, for another database of the server.
        WHEN duplicate_object OR unique_violation THEN NULL;
    END;
    IF NOT (SELECT ${MAY_BECOME} FROM pg_roles WHERE rolname = '${TENANT_ROLE}') THEN
        GRANT "${TENANT_ROLE}" TO CURRENT_USER;
    END IF;
    SELECT count(*) > 0 INTO is_incomplete FROM pg_class
    WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'v', 'p') AND pg_has_role(relowner, 'USAGE')
      AND NOT has_table_privilege('${TENANT_ROLE}', oid, 'SELECT');
    IF NOT is_incomplete THEN RETURN; END IF;
    EXECUTE format('GRANT USAGE ON SCHEMA %I TO ${TENANT_ROLE}', current_schema());
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA %I TO ${TENANT_ROLE}', current_schema());
    EXECUTE format('GRANT USAGE ON ALL SEQUENCES IN SCHEMA %I TO ${TENANT_ROLE}', current_schema());
    EXECUTE format('ALTER DEFAULT PRIVILEGES IN SCHEMA %I GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO ${TENANT_ROLE}', current_schema());
    EXECUTE format('ALTER DEFAULT PRIVILEGES IN SCHEMA %I GRANT USAGE ON SEQUENCES TO ${TENANT_ROLE}', current_schema());
    REVOKE INSERT, UPDATE, DELETE ON "audit_log" FROM "${TENANT_ROLE}";
EXCEPTION
    WHEN insufficient_privilege THEN NULL;
END $$`;

/** Finds out whether requests run behind row level security. @throws when the database does not answer */
export async function hasTenantRole(db: Pick<Sql, 'query'>): Promise<boolean> {
  return (await db.query(FIND_TENANT_ROLE)).length === 1;
}

/**
 * Creates, grants and equips the role as far as the owner of the tables may.
 * @param session of that owner, on a migrated database
 * @returns whether requests can have the role
 */
export async function prepareTenantRole(session: pg.Client): Promise<boolean> {
  await session.query(PREPARE);
  return (await session.query(FIND_TENANT_ROLE)).rowCount === 1;
}

/** Logs when requests will have no row level security. A database that does not answer is not judged. */
export async function warnWithoutTenantRole({
  db,
  log,
}: {
  readonly db: Pick<Sql, 'query'>;
  readonly log: Logger;
}): Promise<void> {
  if (await hasTenantRole(db).catch(() => true)) return;
  log.warn(
    `the database has no role ${TENANT_ROLE} for this user: requests have no row level security (prisma/README.md)`,
  );
}
