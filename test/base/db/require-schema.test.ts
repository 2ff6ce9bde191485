/** If this fails, a process serves requests from a database that does not suit its build, and calls itself healthy. */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDb, type Db } from '../../../src/base/db/client.ts';
import { migrate } from '../../../src/base/db/migrate.ts';
import {
  compareMigrations,
  findMigrationsDirectory,
  isServable,
  listMigrations,
  readSchemaState,
} from '../../../src/base/db/migrations.ts';
import { StartError } from '../../../src/processes/process.ts';
import { requireSchema } from '../../../src/processes/require-schema.ts';
import { emptyDatabase, type TestDatabase } from '../../support/database.ts';

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
      `^The database lacks the migration ${INIT} and \\d+ more\\. Run \`npm run migrate\` first \\(in the image: \`node dist/src/base/db/migrate\\.js\`\\)\\.$`,
    ),
  );
  const applied = await migrate(database.url);
  await requireSchema({ db, log });
  const last = applied.at(-1) ?? '';
  await db.query('UPDATE _prisma_migrations SET finished_at = NULL WHERE migration_name = $1', [last]);
  await expect(requireSchema({ db, log })).rejects.toThrow(
    `The database lacks the migration ${last}. Run \`npm run migrate\` first (in the image: \`node dist/src/base/db/migrate.js\`).`,
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

/** Records a migration of a later build, which requires another. */
async function applyLater(name: string, requiredBuild: string): Promise<void> {
  await db.query(
    'INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at) VALUES ($1, $1, $1, now())',
    [name],
  );
  await db.query('SELECT require_build($1)', [requiredBuild]);
}

test('a database that has removed what this build uses fails the start, one that has removed what an earlier build uses does not', async () => {
  const applied = await migrate(database.url);
  await applyLater('29990101000000_removes', applied.at(-1) ?? '');
  await requireSchema({ db, log });
  expect(await readSchemaState(db)).toBe('newer');

  await applyLater('29990201000000_removes_more', '29990101000000_removes');
  const sentence =
    'The database needs a version that has the migration 29990101000000_removes: it has removed what this one uses. ' +
    'Start such a version, or restore the backup from before that upgrade.';
  await expect(requireSchema({ db, log })).rejects.toThrow(new StartError(sentence));
  expect(await readSchemaState(db)).toBe('incompatible');

  // A migration that removes less does not open the database to older builds again.
  await applyLater('29990301000000_removes_less', applied[0] ?? '');
  expect(await readSchemaState(db)).toBe('incompatible');
});

test('a database before the table is older, whatever else it has', async () => {
  const query = async (text: string): Promise<object[]> => {
    if (text.includes('required_build')) throw new Error('relation "required_build" does not exist');
    return [{ name: INIT }, { name: '29990101000000_later' }];
  };
  const compared = await compareMigrations({ query: query as Db['query'] });
  expect(compared).toMatchObject({ newer: ['29990101000000_later'], required: null });
  expect(isServable(await readSchemaState({ query: query as Db['query'] }))).toBe(false);
});

test.each([
  ['current', true],
  ['newer', true],
  ['older', false],
  ['incompatible', false],
  [null, false],
] as const)('a build can serve from a database that is %s: %s', (state, expected) => {
  expect(isServable(state)).toBe(expected);
});

test('a migration that removes or renames a table or a column says which build does without it', () => {
  const directory = findMigrationsDirectory();
  const names = listMigrations(directory);
  // Earlier ones are of builds that read no requirement.
  for (const name of names.filter((each) => each > '20261127020000_required_build')) {
    const text = readFileSync(`${directory}${name}/migration.sql`, 'utf8');
    if (!/\bDROP (?:TABLE|COLUMN)\b|\bRENAME\b/i.test(text)) continue;
    const [, required] = /require_build\('(\w+)'\)/.exec(text) ?? [];
    expect(names, name).toContain(required);
  }
});

test.each(['src/processes/serve-api.ts', 'src/processes/serve-realtime.ts', 'temporal/serve-worker.ts'])(
  '%s ends with a sentence that says what to run',
  async (program) => {
    const child = spawn(
      process.execPath,
      ['--import', 'tsx', fileURLToPath(new URL(`../../../${program}`, import.meta.url))],
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
