/** An operator who restores a backup, or replaces a key, would lose open runs, or have some that nobody ends (README, Backups and Keys). */
import { randomBytes, randomUUID } from 'node:crypto';
import { Connection } from '@temporalio/client';
import { expect, test } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { requireKeys, rewrapAll } from '../../src/platform/credentials/vault/rotation.ts';
import { Vault } from '../../src/platform/credentials/vault/vault.ts';
import { createLog } from '../../src/base/log.ts';
import { NamespaceGuard, adoptNamespace } from '../../src/engine/runs/outbox/namespace-guard.ts';
import type { RunRef } from '../../src/engine/runs/engine.ts';
import { Reconciler } from '../../src/engine/runs/outbox/reconciler.ts';
import { copyDatabase, testDatabase, type TestDatabase } from '../support/database.ts';
import { chain, node, transform } from '../support/definitions.ts';
import { startEngine, type TestEngine } from '../support/engine.ts';
import { questionsOf, resume, seenInTemporal } from '../support/journeys.ts';
import { storeCredential } from '../support/stored-credential.ts';
import { testTemporal } from '../support/temporal.ts';

const log = createLog('silent', 'test');
const question = chain(
  node('ask', 'interrupt', { kind: 'approval', title: 'Go on?', actions: [{ id: 'approve' }] }),
  transform('after'),
);
const timer = (seconds: number) => chain(node('w', 'interrupt', { kind: 'wait', duration_seconds: seconds }));

interface Place {
  readonly database: TestDatabase;
  readonly queue: string;
  /** Of the runs before; a new one unless given. */
  readonly organizationId?: string;
  readonly environment?: Readonly<Record<string, string>>;
}

/** Serves a database while `work` runs. */
async function serve<Result>(place: Place, work: (engine: TestEngine) => Promise<Result>): Promise<Result> {
  const engine = await startEngine({
    DATABASE_URL: place.database.url,
    TEMPORAL_TASK_QUEUE: place.queue,
    ...place.environment,
  });
  try {
    return await work({ ...engine, organizationId: place.organizationId ?? engine.organizationId });
  } finally {
    await engine.close();
  }
}

const reconcilerOf = ({ db, engine }: TestEngine): Reconciler =>
  new Reconciler({ db, engine, guard: new NamespaceGuard({ db, engine, clock: systemClock }), log });

/** Compares all open runs with Temporal. @returns how many runs it ended */
async function reconcile(engine: TestEngine): Promise<number> {
  await engine.db.query(`UPDATE runs SET last_event_at = now() - interval '1 minute'`);
  return reconcilerOf(engine).sweep();
}

async function outcomeOf({ db }: TestEngine, { runPk }: { runPk: string }): Promise<string> {
  const [row] = await db.query<{ outcome: string }>(
    `SELECT concat_ws(' ', status, error->>'code') AS outcome FROM runs WHERE id = $1`,
    [runPk],
  );
  return row?.outcome ?? 'missing';
}

const answer = (engine: TestEngine, asked: Awaited<ReturnType<TestEngine['play']>>) =>
  resume(engine, asked, { interrupt_id: questionsOf(asked)['ask'] ?? '', action: 'approve' });

/** A new namespace, as an operator makes one; the service adds its search attributes. */
async function createNamespace(): Promise<string> {
  const namespace = `restored-${randomUUID()}`;
  const connection = await Connection.connect(testTemporal());
  await connection.workflowService.registerNamespace({
    namespace,
    workflowExecutionRetentionPeriod: { seconds: 86_400 as never },
  });
  // Each part of the server hears of it within seconds.
  await expect
    .poll(
      () =>
        connection.operatorService.listSearchAttributes({ namespace }).then(
          () => 'known',
          (error: unknown) => String(error),
        ),
      { timeout: 60_000, interval: 500 },
    )
    .toBe('known');
  await connection.close();
  return namespace;
}

test('a restored database (SPEC REL-R94, REL-R95): open runs go on, what Temporal has ended since is cancelled, and the rest ends as said', async () => {
  const [database, queue] = [await testDatabase(), `test-${randomUUID()}`];
  const before = await serve({ database, queue }, async (engine) => {
    const runs = {
      open: await engine.play(question),
      answeredLater: await engine.play(question),
      waiting: await engine.accept(timer(3_600)),
      done: await engine.play(chain(transform('only'))),
    };
    // A start that is still to be delivered would be delivered from each copy, to the new Temporal too.
    await expect
      .poll(() => engine.db.query('SELECT kind FROM outbox'), { timeout: 20_000, interval: 50 })
      .toEqual([]);
    return { organizationId: engine.organizationId, ...runs };
  });
  const { organizationId, open, answeredLater, waiting, done } = before;
  const [backup, another] = [await copyDatabase(database), await copyDatabase(database)];
  const later = await serve({ database, queue, organizationId }, async (engine) => {
    expect((await answer(engine, answeredLater)).end.type).toBe('run_completed');
    const { accepted } = await engine.play(question);
    const [run] = await engine.db.query<RunRef>(
      'SELECT organization_id AS "organizationId", id AS "rootRunPk" FROM runs WHERE id = $1',
      [accepted.runPk],
    );
    return run;
  });

  await serve({ database: backup, queue, organizationId }, async (engine) => {
    expect((await answer(engine, open)).end.type).toBe('run_completed');
    expect(await reconcile(engine)).toBe(1);
    expect(await outcomeOf(engine, answeredLater.accepted)).toBe('cancelled');
    expect(await outcomeOf(engine, waiting)).toMatch(/^(running|interrupted)$/);
    expect(await outcomeOf(engine, done.accepted)).toBe('completed');
    // The row of this run is in no backup; its execution ends as soon as it has to do something.
    if (later === undefined) throw new Error('The later run has no row');
    await engine.engine.resume(later);
    await seenInTemporal(engine, later, ({ status }) => status === 'FAILED' || null);
  });

  const namespace = await createNamespace();
  const environment = { TEMPORAL_NAMESPACE: namespace };
  await serve({ database: another, queue, organizationId, environment }, async (engine) => {
    expect(await reconcile(engine)).toBe(0);
    const held = await engine.accept(chain(transform('only')));
    await expect
      .poll(() => engine.db.query('SELECT last_error FROM outbox WHERE subject_id = $1', [held.runPk]))
      .toEqual([{ last_error: expect.stringContaining('is not the one') }]);
    await adoptNamespace(engine);
    await engine.db.query('UPDATE outbox SET due_at = now()');
    engine.dispatcher.kick();
    expect((await engine.follow(held)).end.type).toBe('run_completed');
    expect(await reconcile(engine)).toBe(3);
    expect(await outcomeOf(engine, open.accepted)).toBe('cancelled');
    expect(await outcomeOf(engine, waiting)).toBe('failed lost_execution');
    expect(await outcomeOf(engine, done.accepted)).toBe('completed');
  });
  for (const each of [database, backup, another]) await each.drop();
});

test('a key is replaced in four steps, and neither a credential nor an open run is lost', async () => {
  const [database, queue] = [await testDatabase(), `test-${randomUUID()}`];
  const [old, next] = ['old', 'next'].map((id) => `${id}:${randomBytes(32).toString('base64')}`);
  const withKeys = (...keys: (string | undefined)[]): Place => ({
    database,
    queue,
    environment: { ENCRYPTION_KEYS: keys.join() },
  });
  const secret = { api_key: 'sk-of-the-drill', base_url: 'https://models.example.test/v1' };
  const { organizationId, credentialId, open } = await serve(withKeys(old), async (engine) => ({
    organizationId: engine.organizationId,
    credentialId: await storeCredential(engine, 'openai', 'api_key', secret),
    open: await engine.play(question),
  }));
  const owner = { organizationId, credentialId };
  const openCredential = async ({ db, config }: TestEngine): Promise<unknown> =>
    (await new Vault({ db, config, log }).find(owner))?.data;

  await serve({ ...withKeys(old, next), organizationId }, async (engine) =>
    expect(await openCredential(engine)).toEqual(secret),
  );
  await serve({ ...withKeys(next, old), organizationId }, async (engine) => {
    expect((await answer(engine, open)).end.type).toBe('run_completed');
    const config = { ...engine.config, encryptionKeys: engine.config.encryptionKeys.slice(0, 1) };
    const production = { db: engine.db, log, config: { ...config, env: 'production' as const } };
    await expect(requireKeys(production)).rejects.toThrow('"old" (1)');
    expect(await rewrapAll({ ...engine, log })).toEqual({ rewrapped: 1, unreadable: 0 });
    await requireKeys(production);
  });
  await serve({ ...withKeys(next), organizationId }, async (engine) => {
    expect(await openCredential(engine)).toEqual(secret);
    expect((await engine.play(question)).end.type).toBe('run_interrupted');
  });
  await database.drop();
});
