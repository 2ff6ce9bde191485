/** A deployment that forgets an encryption key would end every run that needs it, instead of leaving it until the key is back. */
import { NamespaceGuard } from '../../src/engine/runs/outbox/namespace-guard.ts';
import { systemClock } from '../../src/base/clock.ts';
import { randomUUID } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { readConfig } from '../../src/base/config/config.ts';
import { createLog } from '../../src/base/log.ts';
import { Reconciler } from '../../src/engine/runs/outbox/reconciler.ts';
import { readAcceptedStart } from '../../src/engine/runs/ledger/write/starts.ts';
import { connectEngine } from '../../temporal/client/client.ts';
import { openTestDatabase } from '../support/database.ts';
import { startEngine } from '../support/engine.ts';
import { accept } from '../support/runs.ts';
import { testTemporal } from '../support/temporal.ts';
import { eventually } from '../support/waiting.ts';

// Temporal waits longer before each further attempt of a workflow task.
vi.setConfig({ testTimeout: 300_000 });

const key = (id: string, byte: number): string => `${id}:${Buffer.alloc(32, byte).toString('base64')}`;
/** Failures of the code, of which as many would end the run: fewer than usual, because each further attempt waits longer. */
const MAX_CODE_FAILURES = 1;

test('a run whose key no worker has waits, and completes on a worker that has it', async () => {
  const db = await openTestDatabase();
  const log = createLog('silent', 'test');
  const shared = { DATABASE_URL: db.url, TEMPORAL_TASK_QUEUE: `test-${randomUUID()}` };
  const config = readConfig({
    ...shared,
    APP_ENV: 'test',
    TEMPORAL_ADDRESS: testTemporal().address,
    ENCRYPTION_KEYS: key('kept', 1),
  });
  const starter = await connectEngine(config, log);
  const run = await accept(db);
  const ref = { organizationId: run.organizationId, rootRunPk: run.runPk };
  const accepted = await readAcceptedStart(db, ref);
  if (accepted === null) throw new Error('the run was not accepted');
  await starter.start(accepted.start);
  await db.query('DELETE FROM outbox WHERE subject_id = $1', [run.runPk]);

  const lacking = await startEngine({ ...shared, ENCRYPTION_KEYS: key('other', 2) });
  await eventually('the workflow task to fail often', 200_000, async () => {
    // A busy server may not answer in time.
    const execution = await starter.describe(ref).catch(() => null);
    return (execution !== null && execution.workflowTaskAttempt > 2) || null;
  });
  const readStatus = async (): Promise<unknown> =>
    (await db.query<{ status: string }>('SELECT status FROM runs WHERE id = $1', [run.runPk]))[0]?.status;
  await db.query(`UPDATE runs SET last_event_at = now() - interval '1 minute' WHERE id = $1`, [run.runPk]);
  for (const engine of [lacking.engine, starter]) {
    const guard = new NamespaceGuard({ db, engine, clock: systemClock });
    const reconciler = new Reconciler({ db, engine, guard, log, maxCodeFailures: MAX_CODE_FAILURES });
    expect(await reconciler.sweep()).toBe(0);
  }
  expect(await readStatus()).toBe('running');
  await lacking.close();

  const keyed = await startEngine({ ...shared, ENCRYPTION_KEYS: `${key('other', 2)},${key('kept', 1)}` });
  await eventually('the run to end', 200_000, async () => ((await readStatus()) === 'running' ? null : true));
  expect(await readStatus()).toBe('completed');
  // Temporal hears of the end with the workflow task, after the row.
  const lacksKey = async (): Promise<boolean> => (await keyed.engine.readTaskFailures(ref)).isMissingKey;
  await expect.poll(lacksKey, { timeout: 30_000 }).toBe(false);
  await keyed.close();
  await starter.close();
  await db.close();
});
