/** Values of a run would outlive it: other tables quote what it was sent, asked and failed with, and a receipt would say that they are gone. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { takeStep } from '../../../../src/features/data/job-runner.ts';
import { insertJob } from '../../../../src/features/data/jobs.ts';
import { insertDelivery } from '../../../../src/features/hooks/store.ts';
import { acceptErrorRun } from '../../../../src/engine/runs/accept/error-run.ts';
import { deleteTree } from '../../../../src/engine/runs/ledger/erase/delete-runs.ts';
import { deleteValues } from '../../../../src/engine/runs/ledger/erase/delete-values.ts';
import { closeRun } from '../../../../src/engine/runs/ledger/write/events.ts';
import { deleteExpiredHookDeliveries } from '../../../../src/engine/runs/ledger/erase/retention.ts';
import { openTestDatabase, type TestDb } from '../../../support/database.ts';
import { accept } from '../../../support/runs.ts';

const CANARY = 'canary-of-a-customer';
const REQUEST = { method: 'POST', headers: { 'x-who': CANARY }, query: { who: CANARY }, body: CANARY };

let db: TestDb;
beforeAll(async () => {
  db = await openTestDatabase();
});
beforeEach(() => db.query('TRUNCATE organizations, runs, outbox, data_jobs CASCADE'));
afterAll(() => db.close());

/** Lists the tables that have the canary somewhere, with how many rows. */
async function findCopies(): Promise<Record<string, number>> {
  const tables = await db.query<{ name: string }>(
    `SELECT relname::text AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' ORDER BY 1`,
  );
  const found: Record<string, number> = {};
  for (const { name } of tables) {
    const [row] = await db.query<{ n: number }>(
      `SELECT count(*)::int AS n FROM "${name}" t WHERE strpos(t::text, '${CANARY}') > 0`,
    );
    if ((row?.n ?? 0) > 0) found[name] = row?.n ?? 0;
  }
  return found;
}

interface House {
  readonly organizationId: string;
  readonly workflowId: string;
  readonly hookId: string;
}

/** An organization that is told of failed runs, and a workflow with a webhook and an error workflow. */
async function furnish(): Promise<House> {
  const [house] = await db.query<House>(
    `WITH o AS (INSERT INTO organizations (name, slug) VALUES ('Shop', $1) RETURNING id),
          e AS (INSERT INTO workflows (organization_id, name, workflow_schema) SELECT id, 'On error', '{}' FROM o RETURNING id),
          w AS (INSERT INTO workflows (organization_id, name, workflow_schema, error_workflow_id)
                SELECT o.id, 'Orders', '{}', e.id FROM o, e RETURNING id),
          h AS (INSERT INTO hooks (organization_id, workflow_id, name, token_hash, key_id, wrapped_key, ciphertext)
                SELECT o.id, w.id, 'Hook', sha256(w.id::text::bytea), 'k', '', '' FROM o, w RETURNING id),
          n AS (INSERT INTO notification_endpoints (organization_id, name, url, event_types, key_id, wrapped_key, ciphertext)
                SELECT id, 'Endpoint', 'https://example.com', '{run.failed}', 'k', '', '' FROM o)
     SELECT o.id AS "organizationId", w.id AS "workflowId", h.id AS "hookId" FROM o, w, h`,
    [randomUUID()],
  );
  if (house === undefined) throw new Error('not furnished');
  return house;
}

/** Fails a run that a webhook has started, in an organization that is told of it and has an error workflow. */
async function failRun(house: House): Promise<{ readonly runPk: string; readonly runId: string }> {
  const { organizationId, workflowId, hookId } = house;
  const run = await accept(db, {
    ...house,
    isAdHoc: false,
    workflowId,
    triggerType: 'webhook',
    metadata: { customer: '42' },
    runInput: { body: CANARY },
  });
  const { runPk, runId } = run;
  const deliveryId = await insertDelivery(
    db,
    { hookId, organizationId },
    { outcome: 'started', run: { runPk, runId }, duplicateKey: 'key', redeliveryOf: null, request: REQUEST },
  );
  const response = JSON.stringify({ status: 200, body: CANARY });
  await db.query('UPDATE hook_deliveries SET response = $2::json WHERE id = $1', [deliveryId, response]);
  await db.query(
    `INSERT INTO run_advances (root_run_pk, advance, result) VALUES ($1, 1, '{"input": "${CANARY}"}')`,
    [runPk],
  );
  const error = { code: 'http_error', message: `No such customer: ${CANARY}`, node_id: 'n' };
  await closeRun(db, { runPk, from: ['running'], status: 'failed', payload: { error }, error });
  await acceptErrorRun(db, { organizationId, runPk });
  return run;
}

const readDelivery = async (runPk: string): Promise<unknown> =>
  (
    await db.query(
      'SELECT outcome, request, response, run_pk, duplicate_key FROM hook_deliveries WHERE run_pk = $1',
      [runPk],
    )
  )[0];

describe('copies of the values of a run', () => {
  test('stand in the tables that the deletions are about', async () => {
    await failRun(await furnish());
    // The run, and that of the error workflow.
    expect(await findCopies()).toEqual({
      hook_deliveries: 1,
      notification_events: 1,
      run_advances: 1,
      run_events: 1,
      runs: 2,
    });
  });

  test('go with the values: the delivery and the notification stay without them', async () => {
    const house = await furnish();
    const { runPk } = await failRun(house);
    expect(await db.transaction((tx) => deleteValues(tx, [runPk]))).toBe(1);
    const [event] = await db.query<{ error: unknown; deliveries: number }>(
      `SELECT payload #> '{data,error}' AS error, (SELECT count(*)::int FROM notification_deliveries WHERE event_id = notification_events.id) AS deliveries
       FROM notification_events WHERE run_pk = $1`,
      [runPk],
    );
    expect(event).toEqual({
      error: { code: 'http_error', message: '[deleted]', node_id: 'n' },
      deliveries: 1,
    });
    const kept = { outcome: 'started', request: null, response: null, run_pk: runPk, duplicate_key: 'key' };
    expect(await readDelivery(runPk)).toEqual(kept);
    // A run of an error workflow is a run of its own, with a retention of its own.
    const [errorRun] = await db.query<{ id: string }>(`SELECT id FROM runs WHERE trigger_type = 'error'`);
    await db.transaction((tx) => deleteValues(tx, [errorRun?.id ?? '']));
    expect(await findCopies()).toEqual({});
    expect(await db.query('SELECT 1 FROM runs')).toHaveLength(2);
  });

  test('go with the run, and a sender that repeats its request starts no other', async () => {
    const { runPk } = await failRun(await furnish());
    expect(await deleteTree(db, runPk)).toBe('deleted');
    expect(await findCopies()).toEqual({ runs: 1 });
    expect(await readDelivery(runPk)).toMatchObject({
      outcome: 'started',
      request: null,
      duplicate_key: 'key',
    });
    expect(await db.query('SELECT 1 FROM notification_events WHERE run_pk = $1', [runPk])).toEqual([]);
  });

  test('of a customer go with an erasure, also those of the error workflow; another customer keeps theirs', async () => {
    const house = await furnish();
    await failRun(house);
    const other = await accept(db, { ...house, metadata: { customer: '43' } });
    const { id } = await insertJob(db, {
      organization_id: house.organizationId,
      kind: 'erasure',
      subject: { type: 'metadata', metadata: { customer: '42' } },
      requested_by: null,
    });
    while (await takeStep(db, id));
    expect(await findCopies()).toEqual({});
    expect(await db.query('SELECT id FROM runs')).toEqual([{ id: other.runPk }]);
  });
});

test('a request that started no run goes after the retention of values, when that is shorter than the seven days of the log', async () => {
  const [short, long, own] = [await furnish(), await furnish(), await furnish()];
  await db.query('UPDATE organizations SET value_retention_days = 2 WHERE id = $1', [short.organizationId]);
  await db.query('UPDATE organizations SET value_retention_days = 30 WHERE id = $1', [long.organizationId]);
  await db.query(
    'INSERT INTO workflow_retention (workflow_id, organization_id, value_retention_days) VALUES ($1, $2, 6)',
    [own.workflowId, own.organizationId],
  );
  const ages = ['1 day 23 hours', '2 days 1 second', '5 days 23 hours', '6 days 1 second', '7 days 1 second'];
  for (const { hookId, organizationId } of [short, long, own])
    for (const age of ages) {
      const delivery = {
        outcome: 'filtered',
        duplicateKey: null,
        redeliveryOf: null,
        request: REQUEST,
      } as const;
      const deliveryId = await insertDelivery(db, { hookId, organizationId }, delivery);
      await db.query(
        'UPDATE hook_deliveries SET received_at = now() - $2::interval, error_code = $3 WHERE id = $1',
        [deliveryId, age, age],
      );
    }
  await deleteExpiredHookDeliveries(db);
  const readAges = async ({ hookId }: House): Promise<string[]> =>
    (
      await db.query<{ age: string }>(
        'SELECT error_code AS age FROM hook_deliveries WHERE hook_id = $1 ORDER BY received_at DESC',
        [hookId],
      )
    ).map(({ age }) => age);
  expect(await readAges(short)).toEqual(ages.slice(0, 1));
  expect(await readAges(own)).toEqual(ages.slice(0, 3));
  expect(await readAges(long)).toEqual(ages.slice(0, 4));
});
