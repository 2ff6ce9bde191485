/** If this fails, the error workflow of a failed run is not started, is started twice, or starts itself for ever. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { acceptErrorRun } from '../../src/engine/runs/accept/error-run.ts';
import { closeRun } from '../../src/engine/runs/ledger/write/events.ts';
import {
  deployWorkflow,
  hello,
  startApi,
  type Answer,
  type ApiServer,
  type Tenant,
} from '../support/api-server.ts';

let api: ApiServer;
let tenant: Tenant;
let workflow: string;
let errorWorkflow: string;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());
beforeEach(async () => {
  tenant = await api.tenant();
  [workflow, errorWorkflow] = [await deploy('Watched'), await deploy('On error')];
  expect((await choose(errorWorkflow)).status).toBe(200);
});

const deploy = (name: string): Promise<string> => deployWorkflow(tenant, hello(name));
const choose = (error_workflow_id: string | null, of = workflow): Promise<Answer> =>
  tenant.call('PUT', `/workflows/${of}/error-workflow`, { body: { error_workflow_id } });

const FAILURE = { code: 'http_error', message: 'The server responded with HTTP 503', node_id: 'hello' };
async function failRun(more: object = {}): Promise<{ readonly runPk: string; readonly runId: string }> {
  const { body } = await tenant.call('POST', '/workflows/run', { body: { workflow_id: workflow, ...more } });
  const [row] = await api.deps.db.query<{ id: string }>('SELECT id FROM runs WHERE run_id = $1', [
    body.run_id,
  ]);
  const runPk = row?.id ?? '';
  await fail(runPk);
  return { runPk, runId: body.run_id };
}
const fail = (runPk: string): Promise<boolean> =>
  closeRun(api.deps.db, { runPk, from: ['running'], status: 'failed', payload: {}, error: FAILURE });

/** Delivers the error runs in the outbox, each as often as it says. */
async function deliver(times = 1): Promise<number> {
  const entries = await api.deps.db.query<{ runPk: string }>(
    `DELETE FROM outbox WHERE kind = 'error_run' AND organization_id = $1 RETURNING subject_id AS "runPk"`,
    [tenant.org],
  );
  const organizationId = tenant.org;
  await Promise.all(
    entries.flatMap(({ runPk }) =>
      Array.from({ length: times }, () => acceptErrorRun(api.deps.db, { organizationId, runPk })),
    ),
  );
  return entries.length;
}
interface ErrorRun {
  readonly id: string;
  readonly workflow_id: string;
  readonly status: string;
  readonly input: Record<string, unknown>;
  readonly error: { readonly code: string } | null;
  readonly child_depth: number;
}
const readErrorRuns = (): Promise<ErrorRun[]> =>
  api.deps.db.query<ErrorRun>(
    `SELECT id, workflow_id, status, input, error, child_depth FROM runs
     WHERE organization_id = $1 AND trigger_type = 'error' ORDER BY created_at`,
    [tenant.org],
  );

describe('a failed run', () => {
  test('starts the error workflow once with its facts, however often that is delivered', async () => {
    const { runPk, runId } = await failRun({ metadata: { customer: '42' } });
    expect(await deliver(4)).toBe(1);
    const [run, ...others] = await readErrorRuns();
    expect(others).toEqual([]);
    expect(run).toMatchObject({ workflow_id: errorWorkflow, status: 'running', child_depth: 1 });
    expect(run?.input).toMatchObject({
      run_id: runId,
      run_pk: runPk,
      workflow_id: workflow,
      workflow_name: 'Watched',
      trigger_type: 'api',
      error: FAILURE,
    });
    const listed = (await tenant.call('GET', '/workflow-runs?trigger_type=error')).body.runs;
    expect(listed).toMatchObject([{ metadata: { customer: '42' } }]);
    expect(listed.map(({ id }: { id: string }) => id)).toEqual([run?.id]);
  });

  test('of an error workflow starts none, also where that has an error workflow itself', async () => {
    await choose(workflow, errorWorkflow);
    await failRun();
    await deliver();
    const [run] = await readErrorRuns();
    await fail(run?.id ?? '');
    expect(await deliver()).toBe(0);
    expect(await readErrorRuns()).toHaveLength(1);
  });

  test('that is private, or of a definition in the request, starts none', async () => {
    await failRun({ is_private: true });
    await failRun({ workflow_id: undefined, workflow: hello() });
    expect(await deliver()).toBe(0);
  });

  test('leaves a failed record where the error workflow is not deployed, once', async () => {
    await tenant.call('DELETE', `/workflows/${errorWorkflow}/deployments/live`);
    await failRun();
    await deliver(3);
    expect(await readErrorRuns()).toMatchObject([
      { status: 'failed', error: { code: 'workflow_not_deployed' } },
    ]);
    expect(await deliver()).toBe(0);
  });

  test('starts none once the choice was taken back', async () => {
    await failRun();
    await choose(null);
    await deliver();
    expect(await readErrorRuns()).toEqual([]);
    await failRun();
    expect(await deliver()).toBe(0);
  });
});

describe('the error workflow', () => {
  test('is read and changed, and forgotten when it is deleted', async () => {
    const read = async (): Promise<unknown> =>
      (await tenant.call('GET', `/workflows/${workflow}/error-workflow`)).body.error_workflow_id;
    expect(await read()).toBe(errorWorkflow);
    await tenant.call('DELETE', `/workflows/${errorWorkflow}`);
    expect(await read()).toBeNull();
  });

  test('is another workflow of the same organization', async () => {
    const stranger = await api.tenant();
    const { body } = await stranger.call('POST', '/workflows', { body: { workflow_schema: hello() } });
    const refusals = [await choose(workflow), await choose(body.id), await choose(crypto.randomUUID())];
    expect(refusals.map((refusal) => [refusal.status, refusal.body.detail[0].type])).toEqual([
      [422, 'own_error_workflow'],
      [422, 'workflow_not_found'],
      [422, 'workflow_not_found'],
    ]);
  });
});
