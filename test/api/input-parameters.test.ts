/** If this fails, a run starts without what its workflow requires, or with null where the workflow declares a default. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { fillInput, readInputParameters } from '../../src/language/graph/definition/input-parameters.ts';
import {
  deployWorkflow,
  hello,
  startApi,
  type Answer,
  type ApiServer,
  type Tenant,
} from '../support/api-server.ts';

const input_parameters = [
  { name: 'order', type: 'string', required: true },
  { name: 'currency', type: 'string', default: 'EUR' },
  { name: 'constructor', type: 'string', required: true, default: 'own' },
];
const definition = { ...hello('Orders'), input_parameters };
const filled = { order: '81', currency: 'EUR', constructor: 'own' };

let api: ApiServer;
let tenant: Tenant;
let workflow_id: string;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());
beforeEach(async () => {
  tenant = await api.tenant();
  workflow_id = await deployWorkflow(tenant, definition);
});

const readInputs = async (): Promise<unknown[]> =>
  (
    await api.deps.db.query<{ input: unknown }>(
      'SELECT input FROM runs WHERE organization_id = $1 ORDER BY created_at, id',
      [tenant.org],
    )
  ).map(({ input }) => input);
const start = (input: object | undefined, more: object = { workflow_id }): Promise<Answer> =>
  tenant.call('POST', '/workflows/run', { body: { ...more, ...(input === undefined ? {} : { input }) } });
const missing = (...loc: (string | number)[]): object => ({
  detail: [{ loc: ['body', ...loc], msg: 'Field required', type: 'missing' }],
});

describe('RUN-input-parameters', () => {
  test.each<[string, object | undefined]>([
    ['no input', undefined],
    ['an input without it', { text: 'x' }],
    ['null', { order: null }],
  ])('a start with %s for a required parameter is 422 and starts nothing', async (_, input) => {
    for (const more of [{ workflow_id }, { workflow: definition }]) {
      const { status, body } = await start(input, more);
      expect([status, body]).toEqual([422, missing('input', 'order')]);
    }
    expect(await readInputs()).toEqual([]);
  });

  test('a start has the defaults of what is not given, also of null, and keeps what is given', async () => {
    for (const input of [
      { order: '81' },
      { order: '81', currency: null },
      { order: '', currency: 'USD', constructor: 'given', more: 1 },
    ])
      expect((await start(input)).status).toBe(200);
    expect(await readInputs()).toEqual([
      filled,
      filled,
      { order: '', currency: 'USD', constructor: 'given', more: 1 },
    ]);
  });

  test('each input of a batch is filled, and one that lacks a value is named', async () => {
    const batch = (inputs: object[]): Promise<Answer> =>
      tenant.call('POST', '/workflows/run/batch', { body: { workflow_id, inputs } });
    const refused = await batch([{ order: '1' }, {}]);
    expect([refused.status, refused.body]).toEqual([422, missing('inputs', 1, 'order')]);
    expect(await readInputs()).toEqual([]);
    await batch([{ order: '81' }, { order: '82', currency: 'CHF' }]);
    // Runs of one batch are accepted at one time, so their order is none.
    const inputs = await readInputs();
    expect(inputs).toHaveLength(2);
    expect(inputs).toEqual(
      expect.arrayContaining([filled, { order: '82', currency: 'CHF', constructor: 'own' }]),
    );
  });

  test('an event of a webhook that lacks a value is 422, and a delivery that says why', async () => {
    const made = await tenant.call('POST', `/workflows/${workflow_id}/hooks`, { body: { name: 'Orders' } });
    const path = new URL(made.body.url).pathname;
    const refused = await api.call('POST', path, { body: { text: 'x' } });
    expect([refused.status, refused.body]).toEqual([422, missing('order')]);
    const log = await tenant.call('GET', `/workflows/${workflow_id}/hooks/${made.body.id}/deliveries`);
    expect(log.body.deliveries).toMatchObject([
      { outcome: 'failed', error: { code: 'missing', message: 'order: Field required' } },
    ]);
    expect((await api.call('POST', path, { body: { order: '81' } })).status).toBe(202);
    expect(await readInputs()).toEqual([filled]);
  });

  test('a test of one node needs none of them, and has the defaults', async () => {
    const { status } = await tenant.call('POST', `/workflows/${workflow_id}/nodes/hello/test`, { body: {} });
    expect([status, await readInputs()]).toEqual([200, [{ currency: 'EUR', constructor: 'own' }]]);
  });
});

describe('the input of a run', () => {
  test('has a value where the deployment has one, but for null over it', () => {
    const parameters = readInputParameters(input_parameters);
    const workflowInput = { order: 'd' };
    expect(fillInput(parameters, { workflowInput, runInput: {} }).missing).toEqual([]);
    expect(fillInput(parameters, { workflowInput, runInput: { order: null } }).missing).toEqual(['order']);
  });

  test.each([undefined, null, {}, [null, 7, {}, { name: '' }, { required: true }]])(
    'is as it was with the declaration %j',
    (declared) => {
      const inputs = { workflowInput: {}, runInput: { a: 1 } };
      expect(fillInput(readInputParameters(declared as never), inputs)).toEqual({
        input: { a: 1 },
        missing: [],
      });
    },
  );
});
