/** A set would be read by another organization, grow without end, take runs that nobody may look at, or outlive what it quotes. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { takeStep } from '../../src/features/data/job-runner.ts';
import { insertJob, readJob } from '../../src/features/data/jobs.ts';
import { deleteValues } from '../../src/engine/runs/ledger/erase/delete-values.ts';
import { MAX_CASES, MAX_CASE_BYTES } from '../../src/features/workflows/evaluations/set-service.ts';
import { startApi, type Answer, type ApiServer, type Tenant } from '../support/api-server.ts';
import { hello } from '../support/api-server.ts';

let api: ApiServer;
let tenant: Tenant;
let stranger: Tenant;
let workflowId: string;
let count = 0;

const makeWorkflow = async (who: Tenant): Promise<string> =>
  (await who.call('POST', '/workflows', { body: { name: 'x', workflow_schema: hello() } })).body.id;
const makeSet = async (more: object = {}, who = tenant): Promise<Answer> =>
  who.call('POST', '/evaluation-sets', {
    body: { name: `Set ${(count += 1)}`, workflow_id: workflowId, ...more },
  });
const add = (setId: string, cases: readonly object[], who = tenant): Promise<Answer> =>
  who.call('POST', `/evaluation-sets/${setId}/cases`, { body: { cases } });
const codeOf = ({ status, headers }: Answer): unknown[] => [status, headers.get('x-error-code')];

/** Stores an ended run of the workflow. */
async function makeRun(fields: { isPrivate?: boolean; status?: string; of?: string } = {}): Promise<string> {
  const runPk = randomUUID();
  await api.deps.db.query(
    `INSERT INTO runs (id, run_id, root_run_pk, organization_id, workflow_id, definition_hash, workflow_name, workflow_version,
       workflow_source, trigger_type, is_ad_hoc, is_private, status, input, config)
     VALUES ($1, $2, $1, $3, $4, 'hash', 'x', '1.0.0', 'database', 'api', false, $5, $6, '{}', '{}')`,
    [
      runPk,
      randomUUID(),
      tenant.org,
      fields.of ?? workflowId,
      fields.isPrivate ?? false,
      fields.status ?? 'completed',
    ],
  );
  return runPk;
}

beforeAll(async () => {
  api = await startApi();
  [tenant, stranger] = await Promise.all([api.tenant(), api.tenant()]);
  workflowId = await makeWorkflow(tenant);
});
afterAll(() => api.close());

test('a set has runs and inputs in the order in which they were added, and its name once', async () => {
  const made = await makeSet({ name: 'Refunds', description: 'By hand' });
  expect([made.status, made.body]).toMatchObject([201, { case_count: 0, bytes: 0 }]);
  const setId = made.body.id as string;
  expect(codeOf(await makeSet({ name: 'Refunds' }))).toEqual([409, 'evaluation_set_name_taken']);
  const runPk = await makeRun();
  const given = { input: { a: 1 }, expected: { b: 2 }, name: 'By hand' };
  expect((await add(setId, [given, { run_pk: runPk }, { run_pk: runPk }])).body).toMatchObject({
    added: 2,
    known: 1,
    case_count: 2,
  });
  expect((await add(setId, [{ run_pk: runPk }, { input: {} }])).body).toMatchObject({ added: 1, known: 1 });
  const path = `/evaluation-sets/${setId}`;
  const first = (await tenant.call('GET', `${path}/cases?limit=2`)).body;
  expect(first.cases).toMatchObject([
    { ...given, run_pk: null },
    { run_pk: runPk, input: null, expected: null },
  ]);
  const second = (await tenant.call('GET', `${path}/cases?limit=2&cursor=${first.next_cursor}`)).body;
  expect([second.cases, second.next_cursor]).toMatchObject([[{ input: {}, run_pk: null }], null]);
  expect((await tenant.call('GET', path)).body).toMatchObject({ case_count: 3, bytes: 16 });

  expect((await tenant.call('DELETE', `${path}/cases/${first.cases[0].id}`)).status).toBe(200);
  expect((await tenant.call('DELETE', `${path}/cases/${first.cases[0].id}`)).status).toBe(404);
  const changed = await tenant.call('PATCH', path, { body: { name: 'Refunds of November' } });
  expect(changed.body).toMatchObject({ name: 'Refunds of November', description: 'By hand', case_count: 2 });

  const other = (await makeSet()).body.id;
  const newest = (await tenant.call('GET', '/evaluation-sets?limit=1')).body;
  expect(newest.sets).toMatchObject([{ id: other }]);
  const older = (await tenant.call('GET', `/evaluation-sets?limit=1&cursor=${newest.next_cursor}`)).body;
  expect([older.sets, older.next_cursor]).toMatchObject([[{ id: setId }], null]);
  const named = (await tenant.call('GET', '/evaluation-sets?name=Refunds%20of%20November')).body;
  expect(named.sets).toMatchObject([{ id: setId }]);
  expect((await tenant.call('DELETE', path)).status).toBe(200);
  expect((await tenant.call('GET', path)).status).toBe(404);
});

test('a set takes ended runs of its workflow alone, none that is private, and nothing of a refused request', async () => {
  const setId = (await makeSet()).body.id as string;
  const elsewhere = await makeRun({ of: await makeWorkflow(tenant) });
  const refused = [
    await makeRun({ isPrivate: true }),
    await makeRun({ status: 'running' }),
    elsewhere,
    randomUUID(),
  ];
  for (const runPk of refused) {
    const answer = await add(setId, [{ input: {} }, { run_pk: runPk }]);
    expect([answer.status, answer.body.detail]).toMatchObject([
      422,
      [{ loc: ['body', 'cases', 1, 'run_pk'], type: 'run_not_usable' }],
    ]);
  }
  for (const neither of [{}, { input: {}, run_pk: await makeRun() }])
    expect((await add(setId, [neither])).body.detail).toMatchObject([{ type: 'case_invalid' }]);
  expect((await tenant.call('GET', `/evaluation-sets/${setId}`)).body.case_count).toBe(0);
});

test('a case and a set are bounded', async () => {
  const setId = (await makeSet()).body.id as string;
  const frame = '{"a":""}'.length;
  const sized = (bytes: number): object => ({ input: { a: 'x'.repeat(bytes - frame) } });
  expect((await add(setId, [sized(MAX_CASE_BYTES)])).status).toBe(201);
  expect((await add(setId, [sized(MAX_CASE_BYTES + 1)])).body.detail).toMatchObject([
    { type: 'case_too_large' },
  ]);
  const full = Array.from({ length: 200 }, () => ({ input: {} }));
  expect((await add(setId, full)).status).toBe(201);
  expect((await add(setId, full)).status).toBe(201);
  expect((await add(setId, full.slice(0, MAX_CASES - 401))).body.case_count).toBe(MAX_CASES);
  expect(codeOf(await add(setId, [{ input: {} }]))).toEqual([409, 'evaluation_case_limit_reached']);
  expect((await tenant.call('GET', `/evaluation-sets/${setId}`)).body.case_count).toBe(MAX_CASES);
  const large = (await makeSet()).body.id as string;
  // Stored sizes decide: 64 cases of the largest size are the most.
  await add(large, [sized(MAX_CASE_BYTES)]);
  await api.deps.db.query('UPDATE evaluation_cases SET bytes = bytes * 64 - 3 WHERE set_id = $1', [large]);
  expect((await add(large, [{ input: {} }])).status).toBe(201);
  expect(codeOf(await add(large, [{ input: {} }]))).toEqual([409, 'evaluation_set_too_large']);
});

test('another organization finds neither a set nor a workflow for one', async () => {
  const setId = (await makeSet()).body.id as string;
  const path = `/evaluation-sets/${setId}`;
  for (const [method, at, body] of [
    ['GET', path, undefined],
    ['PATCH', path, { name: 'Mine' }],
    ['DELETE', path, undefined],
    ['GET', `${path}/cases`, undefined],
    ['POST', `${path}/cases`, { cases: [{ input: {} }] }],
  ] as const)
    expect((await stranger.call(method, at, body === undefined ? {} : { body })).status).toBe(404);
  expect((await makeSet({}, stranger)).status).toBe(404);
  expect((await stranger.call('GET', '/evaluation-sets')).body.sets).toEqual([]);
  const workflow = await makeWorkflow(stranger);
  const asked = await stranger.call('POST', `/workflows/${workflow}/rehearsals`, {
    body: { runs: { set: setId } },
  });
  expect(codeOf(asked)).toEqual([404, 'evaluation_set_not_found']);
});

test('a rehearsal of a set walks its recorded runs', async () => {
  const setId = (await makeSet()).body.id as string;
  const [one] = [await makeRun(), await makeRun()];
  await add(setId, [{ run_pk: one }, { input: {} }]);
  const asked = await tenant.call('POST', `/workflows/${workflowId}/rehearsals`, {
    body: { runs: { set: setId } },
  });
  const rows = await api.deps.db.query('SELECT root_run_pks FROM rehearsals WHERE id = $1', [asked.body.id]);
  expect(rows).toEqual([{ root_run_pks: [one] }]);
});

test('a case goes with the values of its run; an export has sets and cases, and an erasure of the organization deletes them', async () => {
  const { db } = api.deps;
  const setId = (await makeSet()).body.id as string;
  const runPk = await makeRun();
  await add(setId, [{ run_pk: runPk, expected: { name: 'Ada' } }, { input: {} }]);
  await db.transaction((tx) => deleteValues(tx, [runPk]));
  expect((await tenant.call('GET', `/evaluation-sets/${setId}/cases`)).body.cases).toMatchObject([
    { input: {} },
  ]);

  const run = async (kind: 'export' | 'erasure') => {
    const subject = { type: 'organization' } as const;
    const { id } = await insertJob(db, { organization_id: tenant.org, kind, subject, requested_by: null });
    while (await takeStep(db, id));
    const counts = (await readJob(db, id))?.counts;
    return [counts?.['evaluation_sets'], counts?.['evaluation_cases']];
  };
  const [exported] = await db.query<{ sets: number; cases: number }>(
    `SELECT (SELECT count(*)::int FROM evaluation_sets WHERE organization_id = $1) AS sets,
            (SELECT count(*)::int FROM evaluation_cases WHERE organization_id = $1) AS cases`,
    [tenant.org],
  );
  expect(await run('export')).toEqual([exported?.sets, exported?.cases]);
  await run('erasure');
  expect(await db.query('SELECT 1 FROM evaluation_cases WHERE organization_id = $1', [tenant.org])).toEqual(
    [],
  );
  expect(await db.query('SELECT 1 FROM evaluation_sets WHERE organization_id = $1', [tenant.org])).toEqual(
    [],
  );
});
