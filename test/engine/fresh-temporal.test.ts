/** A worker would take a Temporal that was set up anew for the one that has the runs, and end every run as lost. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { expect, inject, test } from 'vitest';
import { openTestDatabase } from '../support/database.ts';
import { testTemporal } from '../support/temporal.ts';
import { eventually } from '../support/waiting.ts';

test('a worker does not start beside another Temporal than before, until an operator adopts it', async () => {
  const db = await openTestDatabase();
  await db.query(
    `INSERT INTO temporal_namespace (name, namespace_id) VALUES ('default', 'of-the-former-server')`,
  );
  const env = {
    PATH: process.env['PATH'],
    APP_ENV: 'test',
    DATABASE_URL: db.url,
    TEMPORAL_ADDRESS: testTemporal().address,
    TEMPORAL_TASK_QUEUE: `test-${randomUUID()}`,
  };
  const built = inject('builtService');
  const startWorker = () => {
    const child = spawn(process.execPath, [join(built, 'temporal', 'serve-worker.js')], { env });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += String(chunk)));
    return { child, said: () => said, ended: once(child, 'close').then(([code]) => code as number | null) };
  };
  const refused = startWorker();
  expect(await refused.ended).toBe(1);
  expect(refused.said()).toMatch(
    /is not the one that executes the runs.*of-the-former-server.*temporal:adopt/,
  );

  const admin = (...args: string[]) =>
    new Promise<string>((resolve) => {
      execFile(process.execPath, [join(built, 'src', 'processes', 'admin.js'), ...args], { env }, (_, out) =>
        resolve(out),
      );
    });
  const diagnose = async (): Promise<Record<string, string>> =>
    Object.fromEntries(
      JSON.parse(await admin('doctor', '--json')).checks.map(
        ({ check, status }: { check: string; status: string }) => [check, status],
      ),
    );
  expect(await diagnose()).toMatchObject({
    temporal: 'ok',
    'temporal namespace': 'failed',
    'task queues': 'failed',
  });
  expect(JSON.parse(await admin('temporal:adopt'))).toMatchObject({
    from: 'of-the-former-server',
    to: expect.stringMatching(/./),
  });
  const worker = startWorker();
  await eventually('the worker to start', 60_000, () => worker.said().includes('worker started') || null);
  // Temporal lists a poller some time after its first poll.
  await expect.poll(diagnose, { timeout: 60_000 }).toMatchObject({
    schema: 'ok',
    temporal: 'ok',
    'temporal namespace': 'ok',
    'search attributes': 'ok',
    'task queues': 'ok',
    outbox: 'ok',
  });
  worker.child.kill('SIGTERM');
  expect(await worker.ended, worker.said()).toBe(0);
  await db.close();
});
