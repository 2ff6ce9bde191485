/** A database of the test's own, cloned from the migrated template in some 50 ms. */
import './provided.ts';
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import { openDb, type Db } from '../../src/base/db/client.ts';

export interface TestDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

async function execute(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: inject('adminDatabaseUrl') });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

async function create(template: string | null): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  await execute(`CREATE DATABASE ${name}${template === null ? '' : ` TEMPLATE ${template}`}`);
  const url = new URL(inject('adminDatabaseUrl'));
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => execute(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`) };
}

/** A migrated database without rows. Drop it when the file is done; open connections do not hinder that. */
export const testDatabase = (): Promise<TestDatabase> => create(inject('templateDatabase'));

/** A copy of a database that nobody is connected to: what a backup restores. */
export const copyDatabase = ({ url }: Pick<TestDatabase, 'url'>): Promise<TestDatabase> =>
  create(new URL(url).pathname.slice(1));

/** A database without anything, for the tests of migrations. */
export const emptyDatabase = (): Promise<TestDatabase> => create(null);

/** The pool of a migrated database without rows, which is dropped when it closes. */
export interface TestDb extends Db {
  readonly url: string;
}

/** @param connections of the pool at most */
export async function openTestDatabase(connections?: number): Promise<TestDb> {
  const database = await testDatabase();
  const db = openDb(database.url, connections);
  const close = async (): Promise<void> => {
    await db.close();
    await database.drop();
  };
  return { ...db, url: database.url, close };
}
