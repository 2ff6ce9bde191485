/** If this fails, a batch of starts loses inputs, starts some of them twice, or lets an organization exceed its plan. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  deployWorkflow,
  hello,
  startApi,
  type Answer,
  type ApiServer,
  type Tenant,
} from '../support/api-server.ts';
import { setTerms } from '../support/money.ts';

let api: ApiServer;
let tenant: Tenant;
let workflow: string;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());
beforeEach(async () => {
  tenant = await api.tenant();
  workflow = await deployWorkflow(tenant, hello('Batch'));
});

const buildInputs = (count: number): { text: string }[] =>
  Array.from({ length: count }, (_, index) => ({ text: `input ${index}` }));
const startBatch = (
  inputs: unknown,
  headers: Record<string, string> = {},
  more: object = {},
): Promise<Answer> =>
  tenant.call('POST', '/workflows/run/batch', { body: { workflow_id: workflow, inputs, ...more }, headers });
const readInputs = async (): Promise<{ run_id: string; text: string }[]> =>
  api.deps.db.query(
    `SELECT run_id, input->>'text' AS text FROM runs WHERE organization_id = $1 ORDER BY created_at, id`,
    [tenant.org],
  );

describe('a batch', () => {
  test('has a receipt for each input, in their order, and each is an accepted run', async () => {
    const { status, body } = await startBatch(buildInputs(3));
    expect([status, body.accepted, body.refused]).toEqual([200, 3, 0]);
    const started = new Map((await readInputs()).map(({ run_id, text }) => [run_id, text]));
    expect(body.runs.map((receipt: { run_id: string }) => started.get(receipt.run_id))).toEqual([
      'input 0',
      'input 1',
      'input 2',
    ]);
    const [queued] = await api.deps.db.query<{ count: number }>(
      `SELECT count(*) FROM outbox WHERE kind = 'start' AND organization_id = $1`,
      [tenant.org],
    );
    expect(queued?.count).toBe(3);
  });

  test('takes 1,000 inputs, and not one more', async () => {
    const { body } = await startBatch(buildInputs(1_000));
    expect(body.accepted).toBe(1_000);
    expect((await startBatch(buildInputs(1_001))).status).toBe(422);
    expect(await readInputs()).toHaveLength(1_000);
  });

  test('with an Idempotency-Key is started once as a whole', async () => {
    const key = { 'Idempotency-Key': 'one batch' };
    const first = await startBatch(buildInputs(4), key);
    const again = await startBatch(buildInputs(4), key);
    expect(again.body).toEqual(first.body);
    expect(await readInputs()).toHaveLength(4);
    expect((await startBatch(buildInputs(5), key)).status).toBe(422);
  });

  test('that the run rate admits in part says which inputs were refused', async () => {
    await setTerms(api.deps.db, tenant.org, { plan: 'free', entitlements: { sync_exec: 2 } });
    const { status, body } = await startBatch(buildInputs(4), { 'Idempotency-Key': 'in part' });
    expect([status, body.accepted, body.refused]).toEqual([200, 2, 2]);
    expect(body.runs.map((receipt: { status: string }) => receipt.status)).toEqual([
      'running',
      'running',
      'refused',
      'refused',
    ]);
    expect(body.runs[3]).toMatchObject({ run_id: null, error: { code: 'rate_limit_exceeded' } });
    expect(await readInputs()).toHaveLength(2);
  });

  test('that the gate refuses whole is answered as a start is, and leaves its key free', async () => {
    const key = { 'Idempotency-Key': 'refused whole' };
    await setTerms(api.deps.db, tenant.org, { plan: 'free', entitlements: { sync_exec: 0 } });
    const refused = await startBatch(buildInputs(2), key);
    expect([refused.status, refused.body.code]).toEqual([429, 'rate_limit_exceeded']);
    await setTerms(api.deps.db, tenant.org, { plan: 'free', entitlements: { sync_exec: 10 } });
    expect((await startBatch(buildInputs(2), key)).body.accepted).toBe(2);
  });

  test.each([
    ['no inputs', [], {}],
    ['an input that is no object', ['text'], {}],
    ['a thread, which has one run at a time', [{}], { config: { thread_id: 'mine' } }],
    ['an unknown field', [{}], { input: {} }],
  ])('is refused with %s', async (_, inputs, more) => {
    expect((await startBatch(inputs, {}, more)).status).toBe(422);
  });

  test('of another organization does not exist', async () => {
    const foreign = await (
      await api.tenant()
    ).call('POST', '/workflows/run/batch', {
      body: { workflow_id: workflow, inputs: [{}] },
    });
    expect(foreign.status).toBe(404);
  });
});
