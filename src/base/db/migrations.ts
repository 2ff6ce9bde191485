/** The migrations of this build, and those that a database has. */
import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Db } from './client.ts';
import { readSqlState } from './transient-error.ts';

/** PostgreSQL's code for a table that does not exist. */
const UNDEFINED_TABLE = '42P01';

/** Finds `prisma/migrations`: this file lies three levels deep in the source and four in the build. @throws when it is missing */
export function findMigrationsDirectory(): string {
  const candidates = ['../../../prisma/migrations/', '../../../../prisma/migrations/'].map((path) =>
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

interface Comparison {
  /** Migrations of this build that the database lacks. */
  readonly missing: readonly string[];
  /** Migrations of a later build. This one can live with them, because they expand before they contract. */
  readonly newer: readonly string[];
  /** The migration that a build must have since the database has contracted, and this one has not; null: none. */
  readonly required: string | null;
}

/** Compares a database with this build. @throws when the database does not answer */
export async function compareMigrations(db: Pick<Db, 'query'>): Promise<Comparison> {
  ownMigrations ??= listMigrations(findMigrationsDirectory());
  const own = ownMigrations;
  const applied = await readApplied(db);
  const missing = own.filter((name) => !applied.includes(name));
  const newer = applied.filter((name) => !own.includes(name));
  // Without newer migrations there is nothing that this build has not; a database that lacks some may lack the table.
  if (missing.length > 0 || newer.length === 0) return { missing, newer, required: null };
  const [build] = await db.query<{ migration: string }>('SELECT migration FROM required_build');
  const isSuited = build === undefined || own.includes(build.migration);
  return { missing, newer, required: isSuited ? null : build.migration };
}

/**
 * `older` lacks a migration of this build; `newer` has migrations of a later build; `incompatible` has one that has removed what this
 * build uses.
 */
export type SchemaState = 'current' | 'newer' | 'older' | 'incompatible';

/** Tells whether this build can serve from a database. @param state null: it does not answer */
export const isServable = (state: SchemaState | null): boolean => state === 'current' || state === 'newer';

/** Compares a database with this build, for probes. @returns null when the database does not answer */
export async function readSchemaState(db: Pick<Db, 'query'>): Promise<SchemaState | null> {
  try {
    const { missing, newer, required } = await compareMigrations(db);
    if (missing.length > 0) return 'older';
    if (required !== null) return 'incompatible';
    return newer.length > 0 ? 'newer' : 'current';
  } catch {
    return null;
  }
}
