/** The migrations of this build, and those that a database has. */
import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Db } from './client.ts';
import { readSqlState } from './transient-error.ts';

/** PostgreSQL's code for a table that does not exist. */
const UNDEFINED_TABLE = '42P01';

/** Finds `prisma/migrations`: this file lies two levels deep in the source and three in the build. @throws when it is missing */
export function findMigrationsDirectory(): string {
  const candidates = ['../../prisma/migrations/', '../../../prisma/migrations/'].map((path) =>
    fileURLToPath(new URL(path, import.meta.url)),
  );
  const found = candidates.find((path) => existsSync(path));
  if (found === undefined)
    throw new Error(`prisma/migrations is missing; looked in ${candidates.join(' and ')}`);
  return found;
}

/** Lists the names of the migrations of this build, oldest first. */
export const listMigrations = (directory: string): string[] =>
  readdirSync(directory, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .toSorted();

/** Those of this build, which stay the same while the process lives: probes compare them every second. */
let ownMigrations: readonly string[] | null = null;

async function readApplied(db: Pick<Db, 'query'>): Promise<string[]> {
  try {
    const rows = await db.query<{ name: string }>(
      'SELECT migration_name AS name FROM _prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL',
    );
    return rows.map(({ name }) => name);
  } catch (error) {
    if (readSqlState(error) === UNDEFINED_TABLE) return [];
    throw error;
  }
}

/**
 * Compares a database with this build.
 * @returns `missing`: migrations of this build that the database lacks; `newer`: migrations of a later build, which this one
 *   can live with, because migrations expand before they contract
 */
export async function compareMigrations(
  db: Pick<Db, 'query'>,
): Promise<{ readonly missing: readonly string[]; readonly newer: readonly string[] }> {
  ownMigrations ??= listMigrations(findMigrationsDirectory());
  const own = ownMigrations;
  const applied = await readApplied(db);
  return {
    missing: own.filter((name) => !applied.includes(name)),
    newer: applied.filter((name) => !own.includes(name)),
  };
}

/** `older` lacks a migration of this build, which cannot serve then; `newer` has migrations of a later build. */
export type SchemaState = 'current' | 'newer' | 'older';

/** Compares a database with this build, for probes. @returns null when the database does not answer */
export async function readSchemaState(db: Pick<Db, 'query'>): Promise<SchemaState | null> {
  try {
    const { missing, newer } = await compareMigrations(db);
    if (missing.length > 0) return 'older';
    return newer.length > 0 ? 'newer' : 'current';
  } catch {
    return null;
  }
}
