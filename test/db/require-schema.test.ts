/** If this fails, a process serves requests from a database that is older than its build, and calls itself healthy. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDb, type Db } from '../../src/db/client.ts';
import { migrate } from '../../src/db/migrate.ts';
import { requireSchema } from '../../src/require-schema.ts';
import { emptyDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
let db: Db;
const lines: unknown[] = [];
const log = {
  info: (fields: object, message: string) => lines.push([fields, message]),
  warn: (fields: object, message: string) => lines.push([fields, message]),
} as unknown as Parameters<typeof requireSchema>[0]['log'];

beforeEach(async () => {
  database = await emptyDatabase();
  db = openDb(database.url, 2);
  lines.length = 0;
});
afterEach(async () => {
  await db.close();
  await database.drop();
});

const INIT = '20261121000000_init';

test('an empty and an older database fail the start; one of this build and of a later one do not', async () => {
  await expect(requireSchema({ db, log })).rejects.toThrow(
    new RegExp(
      `^The database lacks the migration ${INIT} and \\d+ more\\. Run \`npm run migrate\` first\\.$`,
    ),
  );
  const applied = await migrate(database.url);
  await requireSchema({ db, log });
  const last = applied.at(-1) ?? '';
  await db.query('UPDATE _prisma_migrations SET finished_at = NULL WHERE migration_name = $1', [last]);
  await expect(requireSchema({ db, log })).rejects.toThrow(
    `The database lacks the migration ${last}. Run \`npm run migrate\` first.`,
  );
  await db.query(
    "UPDATE _prisma_migrations SET finished_at = now(), migration_name = '29990101000000_later' WHERE migration_name = $1",
    [INIT],
  );
  await db.query('UPDATE _prisma_migrations SET finished_at = now() WHERE migration_name = $1', [last]);
  await expect(requireSchema({ db, log })).rejects.toThrow(INIT);
  await db.query(
    "INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at) VALUES ('x', 'x', $1, now())",
    [INIT],
  );
  await requireSchema({ db, log });
  expect(lines.at(-1)).toEqual([
    { newer: ['29990101000000_later'] },
    'the database has migrations of a later version',
  ]);
});

test.each(['src/serve-api.ts', 'src/serve-realtime.ts', 'temporal/serve-worker.ts'])(
  '%s ends with a sentence that says what to run',
  async (program) => {
    const child = spawn(
      process.execPath,
      ['--import', 'tsx', fileURLToPath(new URL(`../../${program}`, import.meta.url))],
      {
        env: {
          PATH: process.env['PATH'],
          HOST: '127.0.0.1',
          PORT: '0',
          REALTIME_PORT: '0',
          DATABASE_URL: database.url,
        },
      },
    );
    let output = '';
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const code = await new Promise((resolve) => child.once('close', resolve));
    expect(output).toContain(`The database lacks the migration ${INIT}`);
    expect(code).toBe(1);
  },
);
