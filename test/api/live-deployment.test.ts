/** A start would run a version of the workflow that is no longer live. */
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { hello, startApi, type Answer, type ApiServer, type Tenant } from '../support/api-server.ts';
import { setTerms } from '../support/money.ts';

let api: ApiServer;
let tenant: Tenant;
let workflow: string;
let first: string;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());
beforeEach(async () => {
  tenant = await api.tenant();
  await setTerms(api.deps.db, tenant.org, { plan: 'free' });
  const body = { workflow_schema: hello('Remembered') };
  workflow = (await tenant.call('POST', '/workflows', { body })).body.id;
  first = await deploy();
  expect((await start()).status).toBe(200);
});

const deploy = async (): Promise<string> =>
  (await tenant.call('POST', `/workflows/${workflow}/deploy`)).body.id;
const start = (): Promise<Answer> =>
  tenant.call('POST', '/workflows/run', { body: { workflow_id: workflow, input: { text: 'hi' } } });

/** What was started, oldest first; each run has its reservation, and there is no other. */
async function started(): Promise<unknown[]> {
  const rows = await api.deps.db.query<{ deployment_id: string; reserved: boolean }>(
    `SELECT deployment_id, EXISTS (SELECT 1 FROM credit_reservations c WHERE c.subject_id = r.id) AS reserved
     FROM runs r WHERE organization_id = $1 ORDER BY created_at`,
    [tenant.org],
  );
  const [books] = await api.deps.db.query<{ count: number }>(
    'SELECT count(*) FROM credit_reservations WHERE organization_id = $1',
    [tenant.org],
  );
  expect(rows.every(({ reserved }) => reserved)).toBe(true);
  expect(books?.count).toBe(rows.length);
  return rows.map((row) => row.deployment_id);
}

test('a second start asks which deployment is live, and does not load its definition again', async () => {
  const { db } = api.deps;
  const open = db.within.bind(db);
  const questions: string[] = [];
  const statements: string[] = [];
  // A request has a client of its own.
  const opened = vi.spyOn(db, 'within').mockImplementation((context) => {
    const within = open(context);
    return {
      ...within,
      batched: (question, key) => {
        questions.push(question);
        return within.batched(question, key);
      },
      query: (statement, values) => {
        statements.push(statement);
        return within.query(statement, values);
      },
    };
  });
  expect((await start()).status).toBe(200);
  opened.mockRestore();
  expect(questions.filter((question) => question.includes('JOIN deployments'))).toHaveLength(1);
  expect(statements.filter((statement) => statement.includes('FROM definitions'))).toEqual([]);
  expect(await started()).toEqual([first, first]);
});

test('what was deployed or activated meanwhile runs, once', async () => {
  const second = await deploy();
  expect((await start()).body).toMatchObject({ status: 'running', workflow_version: '2.0.0' });
  await tenant.call('PUT', `/workflows/${workflow}/deployments/${first}/activate`);
  expect((await start()).body).toMatchObject({ status: 'running', workflow_version: '1.0.0' });
  expect(await started()).toEqual([first, second, first]);
});

test('nothing runs when nothing is live any more, or the workflow is gone', async () => {
  await tenant.call('DELETE', `/workflows/${workflow}/deployments/live`);
  expect((await start()).status).toBe(400);
  await deploy();
  expect((await start()).status).toBe(200);
  await tenant.call('DELETE', `/workflows/${workflow}`);
  expect((await start()).status).toBe(404);
  expect(await started()).toHaveLength(2);
});

test('a workflow that is live in one organization is none of another', async () => {
  const stranger = await api.tenant();
  const body = { workflow_id: workflow, input: { text: 'hi' } };
  expect((await stranger.call('POST', '/workflows/run', { body })).status).toBe(404);
  expect(await started()).toHaveLength(1);
});
