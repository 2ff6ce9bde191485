/** A deployment would start on a half-migrated database, or two processes would apply a migration twice. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { migrate } from '../../../src/base/db/migrate.ts';
import { emptyDatabase, type TestDatabase } from '../../support/database.ts';

const PROGRAM = fileURLToPath(new URL('../../../src/base/db/migrate.ts', import.meta.url));
let database: TestDatabase;

beforeEach(async () => {
  database = await emptyDatabase();
});
afterEach(() => database.drop());

function run(args: readonly string[], url: string): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, ['--import', 'tsx', PROGRAM, ...args], {
      env: { ...process.env, DATABASE_URL: url },
    });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.once('close', (code) => resolve({ code, output }));
  });
}

async function rows(): Promise<{ migration_name: string; finished: boolean }[]> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    const found = await client.query<{ migration_name: string; finished: boolean }>(
      'SELECT migration_name, finished_at IS NOT NULL AS finished FROM _prisma_migrations ORDER BY started_at',
    );
    return found.rows;
  } finally {
    await client.end();
  }
}

test('the first time applies and records every migration, the second time none', async () => {
  const applied = await migrate(database.url);
  expect(applied).toContain('20261121000000_init');
  expect(await migrate(database.url)).toEqual([]);
  expect(await rows()).toEqual(applied.map((name) => ({ migration_name: name, finished: true })));
});

test('a migration whose file changed after it was applied is reported', async () => {
  await migrate(database.url);
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query(
    "UPDATE _prisma_migrations SET checksum = 'another' WHERE migration_name = '20261121000000_init'",
  );
  await client.end();
  const lines: string[] = [];
  expect(await migrate(database.url, (line) => lines.push(line))).toEqual([]);
  expect(lines).toContain(
    'warning: 20261121000000_init was changed after it was applied here; the change is not',
  );
});

test('three processes on an empty database all succeed and each migration is applied once', async () => {
  const ends = await Promise.all([1, 2, 3].map(() => run([], database.url)));
  expect(ends.map((end) => end.code)).toEqual([0, 0, 0]);
  const names = (await rows()).map((row) => row.migration_name);
  expect(new Set(names).size).toBe(names.length);
});

test('a database that does not exist is named, with status 1', async () => {
  const end = await run([], database.url.replace(/[^/]+$/, 'no_such_database'));
  expect(end.code).toBe(1);
  expect(end.output).toContain('no_such_database');
});

test('without DATABASE_URL it exits with status 2 and names the variable', async () => {
  const end = await run([], '');
  expect(end.code).toBe(2);
  expect(end.output).toContain('DATABASE_URL is not set');
});

test('--help explains and changes nothing', async () => {
  const end = await run(['--help'], database.url);
  expect(end.code).toBe(0);
  expect(end.output).toContain('Usage: node dist/src/base/db/migrate.js');
  await expect(rows()).rejects.toThrow('_prisma_migrations');
});
