/** A sub-workflow would start twice, be seen by people who may not see its parent, or nest without end. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cancelRun } from '../../../../src/engine/runs/ledger/write/cancel.ts';
import {
  acceptChildRun,
  ChildRunRefused,
  MAX_CHILD_DEPTH,
  type NewChildRun,
} from '../../../../src/engine/runs/accept/child-run.ts';
import { storeDefinition } from '../../../../src/engine/runs/ledger/write/definitions.ts';
import { openTestDatabase, type TestDb } from '../../../support/database.ts';
import { accept } from '../../../support/runs.ts';

let db: TestDb;
let organizationId: string;
let workflowId: string;
beforeAll(async () => {
  db = await openTestDatabase();
  const [made] = await db.query<{ organization_id: string; workflow_id: string }>(
    `WITH o AS (INSERT INTO organizations (name, slug) VALUES ('o', 'o') RETURNING id)
     INSERT INTO workflows (organization_id, name, workflow_schema) SELECT id, 'Child', '{}' FROM o
     RETURNING organization_id, id AS workflow_id`,
  );
  organizationId = made?.organization_id ?? '';
  workflowId = made?.workflow_id ?? '';
  const hash = await storeDefinition(db, organizationId, {
    nodes: [],
    edges: [],
    config: { recursion_limit: 7 },
  });
  await db.query(
    `INSERT INTO deployments (organization_id, workflow_id, name, version, ordinal, is_live, definition_hash,
                              workflow_schema, input, config)
     VALUES ($1, $2, 'Child', '1.0.0', 1, false, $3, '{}', '{}', '{}'),
            ($1, $2, 'Child', '2.0.0', 2, true, $3, '{}', '{"a": 1, "b": 1}', '{}')`,
    [organizationId, workflowId, hash],
  );
});
afterAll(() => db.close());

const child = (parentRunPk: string, more: Partial<NewChildRun> = {}): NewChildRun => ({
  organizationId,
  parentRunPk,
  parentStepId: randomUUID(),
  workflowId,
  deployment: 'live',
  input: { b: 2 },
  budgets: [],
  ...more,
});

describe('acceptChildRun', () => {
  test('makes a run of its own that hangs on its parent, without an outbox entry', async () => {
    const parent = await accept(db, { organizationId, isPrivate: true });
    const made = await acceptChildRun(db, child(parent.runPk));
    expect(made.start).toMatchObject({
      organizationId,
      rootRunPk: made.runPk,
      workflowId,
      workflowName: 'Child',
      workflowVersion: '2.0.0',
      triggerType: 'workflow',
      threadId: parent.threadId,
    });
    const [row] = await db.query(
      `SELECT parent_run_pk, child_depth, is_private, input, config->>'recursion_limit' AS recursion_limit,
              (SELECT type FROM run_events WHERE run_pk = r.id AND seq = 1) AS event,
              (SELECT count(*) FROM run_cursors WHERE root_run_pk = r.id) AS cursors,
              (SELECT count(*) FROM outbox WHERE subject_id = r.root_run_pk) AS outbox
       FROM runs r WHERE id = $1`,
      [made.runPk],
    );
    expect(row).toEqual({
      parent_run_pk: parent.runPk,
      child_depth: 1,
      is_private: true,
      input: { a: 1, b: 2 },
      recursion_limit: '7',
      event: 'run_started',
      cursors: 1,
      outbox: 0,
    });
  });

  test('the same step gets the same run, also when asked twice at once', async () => {
    const parent = await accept(db, { organizationId });
    const asked = child(parent.runPk);
    // Ten open connections, so that ten callers really meet.
    await Promise.all(Array.from({ length: 10 }, () => db.query('SELECT pg_sleep(0.1)')));
    const made = await Promise.all(Array.from({ length: 10 }, () => acceptChildRun(db, asked)));
    expect(new Set(made.map((run) => run.runPk)).size).toBe(1);
    expect(new Set(made.map((run) => run.start.runId)).size).toBe(1);
    expect((await acceptChildRun(db, child(parent.runPk))).runPk).not.toBe(made[0]?.runPk);
  });

  test('a deployment may be named by its version', async () => {
    const parent = await accept(db, { organizationId });
    const made = await acceptChildRun(db, child(parent.runPk, { deployment: '1.0.0' }));
    expect(made.start.workflowVersion).toBe('1.0.0');
  });

  test('refuses what cannot run', async () => {
    const parent = await accept(db, { organizationId });
    const codeOf = (more: Partial<NewChildRun>): Promise<unknown> =>
      acceptChildRun(db, child(parent.runPk, more)).then(
        () => null,
        (error: unknown) => (error instanceof ChildRunRefused ? error.code : error),
      );
    expect(await codeOf({ workflowId: randomUUID() })).toBe('workflow_not_found');
    expect(await codeOf({ deployment: '9.0.0' })).toBe('workflow_not_deployed');
    await db.query('UPDATE runs SET child_depth = $2 WHERE id = $1', [parent.runPk, MAX_CHILD_DEPTH]);
    expect(await codeOf({})).toBe('sub_workflow_too_deep');
  });

  test('refuses one more beside as many runs under way as the organization may have; its own bound counts', async () => {
    const parent = await accept(db, { organizationId });
    const [row] = await db.query<{ count: number }>(
      `SELECT count(*)::integer AS count FROM runs WHERE organization_id = $1 AND status = 'running'`,
      [organizationId],
    );
    const bound = (value: number | null) =>
      db.query('UPDATE organizations SET entitlements = $2::json WHERE id = $1', [
        organizationId,
        JSON.stringify({ runs_under_way: value }),
      ]);
    await bound((row?.count ?? 0) + 1);
    const asked = child(parent.runPk);
    const made = await acceptChildRun(db, asked);
    await expect(acceptChildRun(db, child(parent.runPk))).rejects.toMatchObject({ code: 'too_many_runs' });
    expect((await acceptChildRun(db, asked)).runPk).toBe(made.runPk);
    await cancelRun(db, { organizationId, runPk: made.runPk, rootRunPk: made.runPk }, null);
    await acceptChildRun(db, child(parent.runPk));
    await expect(acceptChildRun(db, child(parent.runPk))).rejects.toMatchObject({ code: 'too_many_runs' });
    await bound(null);
    await acceptChildRun(db, child(parent.runPk));
  });
});

describe('cancelRun', () => {
  test('ends the runs below, and has each execution told of it', async () => {
    const parent = await accept(db, { organizationId });
    const made = await acceptChildRun(db, child(parent.runPk));
    const below = await acceptChildRun(db, child(made.runPk));
    await db.query('TRUNCATE outbox');
    await cancelRun(db, { organizationId, runPk: parent.runPk, rootRunPk: parent.runPk }, 'test');
    const runPks = [parent.runPk, made.runPk, below.runPk];
    const rows = await db.query<{ status: string; kinds: string[] }>(
      `SELECT status, (SELECT array_agg(kind) FROM outbox o WHERE o.subject_id = r.id) AS kinds
       FROM runs r WHERE id = ANY($1::uuid[])`,
      [runPks],
    );
    expect(rows).toEqual(runPks.map(() => ({ status: 'cancelled', kinds: ['cancel'] })));
  });
});
