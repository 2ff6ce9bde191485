/** If this failed, the first thing that an operator sees of a new installation would name the wrong remedy, or a dump of a library. */
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { emptyDatabase } from '../support/database.ts';
import { testTemporal } from '../support/temporal.ts';

interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

function run(entry: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<Ended> {
  return new Promise((resolve) => {
    const file = join(inject('builtService'), entry);
    execFile(process.execPath, [file, ...args], { env }, (error, out, err) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, out, err }),
    );
  });
}

test('doctor names the next step of an installation, and a worker that is started too early says it in one line', async () => {
  const database = await emptyDatabase();
  const env = {
    PATH: process.env['PATH'],
    APP_ENV: 'test',
    DATABASE_URL: database.url,
    TEMPORAL_ADDRESS: testTemporal().address,
    TEMPORAL_NAMESPACE: `new-${randomUUID()}`,
  };
  const readRemedies = async (): Promise<Record<string, string>> => {
    const { out } = await run('src/processes/admin.js', ['doctor', '--json'], env);
    const { checks } = JSON.parse(out) as {
      checks: { check: string; status: string; remedy: string | null }[];
    };
    return Object.fromEntries(
      checks.map(({ check, status, remedy }) => [check, status === 'failed' ? (remedy ?? '') : 'passes']),
    );
  };
  const migrate = 'Run `node dist/src/base/db/migrate.js`.';
  const setUp = 'Run `node dist/src/processes/admin.js temporal:setup`, or correct TEMPORAL_NAMESPACE.';
  const empty = await readRemedies();
  for (const check of ['schema', 'encryption keys', 'row level security', 'outbox', 'schedules', 'workers'])
    expect([check, empty[check]]).toEqual([check, migrate]);
  for (const check of ['temporal', 'temporal namespace'])
    expect([check, empty[check]]).toEqual([check, setUp]);

  expect((await run('src/base/db/migrate.js', [], env)).code).toBe(0);
  const worker = await run('temporal/serve-worker.js', [], env);
  expect([worker.code, worker.err]).toEqual([
    1,
    `Temporal has no namespace "${env.TEMPORAL_NAMESPACE}". Run \`npm run admin -- temporal:setup\` (in the image: \`node dist/src/processes/admin.js temporal:setup\`), or correct TEMPORAL_NAMESPACE.\n`,
  ]);

  expect((await run('src/processes/admin.js', ['temporal:setup'], env)).code).toBe(0);
  expect(await readRemedies()).toMatchObject({
    schema: 'passes',
    'row level security': 'passes',
    outbox: 'passes',
    temporal: 'passes',
    'temporal namespace': 'passes',
    'encryption keys': 'passes',
    workers: 'Start a worker: `node dist/temporal/serve-worker.js`.',
  });
  await database.drop();
});
