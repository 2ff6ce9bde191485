/** An answer that holds a whole run would be cut off, or many of them would exhaust the memory of the API. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { storeDefinition } from '../../src/engine/runs/ledger/write/definitions.ts';
import { MAX_SNAPSHOT_BYTES, readEndedNodes } from '../../src/engine/runs/ledger/read/event-reader.ts';
import { ANSWER_SHARES } from '../../src/engine/runs/ledger/questions/answer-pages.ts';
import {
  MAX_RECORD_VALUES_BYTES,
  MAX_STEP_VALUE_BYTES,
} from '../../src/engine/runs/ledger/read/run-record.ts';
import { MAX_PAST_BYTES } from '../../src/engine/runs/rerun/test-node.ts';
import type { JsonObject } from '../../src/language/graph/values/value.ts';
import type { Release } from '../../src/base/shares/fair-semaphore.ts';
import { startApi, type Answer, type ApiServer, type Tenant } from '../support/api-server.ts';
import { ask } from '../support/questions.ts';
import { accept } from '../support/runs.ts';
import { eventually } from '../support/waiting.ts';

let api: ApiServer;
let tenant: Tenant;
let stranger: Tenant;
/** Shares that were taken, by organization. */
const taken: { readonly organizationId: string; readonly weight: number }[] = [];
beforeAll(async () => {
  api = await startApi();
  [tenant, stranger] = [await api.tenant(), await api.tenant()];
  const { answers } = api.deps;
  const acquire = answers.acquire.bind(answers);
  answers.acquire = async (organizationId, options): Promise<Release> => {
    taken.push({ organizationId, weight: options?.weight ?? 1 });
    return acquire(organizationId, options);
  };
});
afterAll(() => api.close());

/** An accepted run with steps and fields of so many bytes each. */
async function runOf(
  by: Tenant,
  { steps = 0, stepBytes = 10, fields = 0, fieldBytes = 10 }: Readonly<Record<string, number>>,
): Promise<string> {
  const { runPk } = await accept(api.deps.db, { organizationId: by.org });
  await api.deps.db.query(
    `INSERT INTO run_steps (step_id, run_pk, root_run_pk, node_id, node_type, node_name, visit, depth, position, status, effect, input, output)
     SELECT gen_random_uuid(), $1, $1, 'n' || at, 'transformer', 'n' || at, 1, 1, at, 'succeeded', 'pure', to_json(at),
            to_json(repeat('x', $3::int - 2))
     FROM generate_series(1, $2::int) AS at`,
    [runPk, steps, stepBytes],
  );
  await api.deps.db.query(
    `INSERT INTO run_fields (root_run_pk, name, value)
     SELECT $1, 'f' || at, to_json(repeat('y', $3::int - 2)) FROM generate_series(1, $2::int) AS at`,
    [runPk, fields, fieldBytes],
  );
  return runPk;
}
const read = (runPk: string, by = tenant): Promise<Answer> => by.call('GET', `/workflow-runs/${runPk}`);
/** Everything that an organization may hold. */
const holdAll = (by: Tenant): Promise<Release> =>
  api.deps.answers.acquire(by.org, { weight: ANSWER_SHARES.perOrganization });

test('RUN-4.3: a record has all steps, values up to its bound, and names what it leaves out', async () => {
  const steps = Math.ceil(MAX_RECORD_VALUES_BYTES / MAX_STEP_VALUE_BYTES) + 20;
  const runPk = await runOf(tenant, { steps, stepBytes: MAX_STEP_VALUE_BYTES });
  taken.length = 0;
  const { body } = await read(runPk);
  const shown = body.steps.filter((step: JsonObject) => step['output'] !== null);
  const bytes = shown.reduce((sum: number, step: { output: string }) => sum + step.output.length + 2, 0);
  expect([body.steps.length, body.truncated]).toEqual([steps, true]);
  expect(bytes).toBeGreaterThan(MAX_RECORD_VALUES_BYTES - 2 * MAX_STEP_VALUE_BYTES);
  expect(bytes).toBeLessThanOrEqual(MAX_RECORD_VALUES_BYTES);
  expect(body.steps.at(-1)).toMatchObject({ output: null, output_truncated: true });
  // In pages of half a MiB.
  expect(Math.max(...taken.map(({ weight }) => weight))).toBeLessThanOrEqual(512 * 1024);
  expect(taken.length).toBeGreaterThan(MAX_RECORD_VALUES_BYTES / (512 * 1024));
  expect(api.deps.answers.held).toBe(0);
});

test('a run of more than max_steps steps is written as an outline, compressed for a client that accepts it', async () => {
  const runPk = await runOf(tenant, { steps: 700, stepBytes: 60_000, fields: 2 });
  const url = `${api.url}/workflow-runs/${runPk}?max_steps=699`;
  const headers = { authorization: `Bearer ${tenant.token}`, 'x-organization-id': tenant.org };
  taken.length = 0;
  const response = await fetch(url, { headers });
  expect(response.headers.get('content-encoding')).toBe('gzip');
  const body = (await response.json()) as { outline: JsonObject[] };
  expect(body).toMatchObject({ id: runPk, steps: [], state: {}, truncated: false });
  expect(body.outline.map((step) => step['node_id'])).toEqual(
    Array.from({ length: 700 }, (_, at) => `n${at + 1}`),
  );
  expect(Object.keys(body.outline[0] ?? {})).toEqual(['step_id', 'node_id', 'node_name', 'status', 'visit']);
  // Nothing near the 42 MB of the values is reserved.
  expect(taken.reduce((sum, { weight }) => sum + weight, 0)).toBeLessThan(500_000);
  const plain = await fetch(url, { headers: { ...headers, 'accept-encoding': 'identity' } });
  expect(plain.headers.get('content-encoding')).toBeNull();
  expect(await plain.json()).toEqual(body);
  const whole = await tenant.call('GET', `/workflow-runs/${runPk}?max_steps=700`);
  expect([whole.body.steps.length, whole.body.outline]).toEqual([700, undefined]);
  expect((await tenant.call('GET', `/workflow-runs/${runPk}?max_steps=-1`)).status).toBe(422);
  expect(api.deps.answers.held).toBe(0);
});

test('RUN-4.3: a record shows the smallest values of a state up to its bound', async () => {
  const runPk = await runOf(tenant, { steps: 2, fields: 17, fieldBytes: 1024 * 1024 });
  const { body } = await read(runPk);
  expect(Object.keys(body.state)).toHaveLength(2 + 15);
  expect([body.state.n1, body.state.f1.length, body.truncated]).toEqual([
    'x'.repeat(8),
    1024 * 1024 - 2,
    true,
  ]);
  const small = await read(await runOf(tenant, { steps: 3, fields: 3 }));
  expect(Object.keys(small.body.state).toSorted()).toEqual(['f1', 'f2', 'f3', 'n1', 'n2', 'n3']);
  expect(small.body.truncated).toBe(false);
});

test('SRV-answer-bytes: an organization waits for its own share alone, and is answered then', async () => {
  const [own, foreign] = [await runOf(tenant, { steps: 3 }), await runOf(stranger, { steps: 3 })];
  const release = await holdAll(tenant);
  const waiting = read(own);
  await eventually(
    'the answer to wait',
    10_000,
    async () => api.deps.answers.countWaiting(tenant.org) === 1 || null,
  );
  expect((await read(foreign, stranger)).body.steps).toHaveLength(3);
  release();
  expect((await waiting).body.steps).toHaveLength(3);
  expect(api.deps.answers.held).toBe(0);
});

test('SRV-answer-bytes: a client that goes leaves the line, and gives back what it held', async () => {
  const runPk = await runOf(tenant, { steps: 200, stepBytes: 60_000 });
  const release = await holdAll(tenant);
  const leaving = new AbortController();
  const headers = { authorization: `Bearer ${tenant.token}`, 'x-organization-id': tenant.org };
  const open = (): Promise<Response> =>
    fetch(`${api.url}/workflow-runs/${runPk}`, { headers, signal: leaving.signal });
  const [waiting] = await Promise.allSettled([
    open().then((response) => response.text()),
    eventually(
      'the answer to wait',
      10_000,
      async () => api.deps.answers.countWaiting(tenant.org) === 1 || null,
    ).then(() => leaving.abort()),
  ]);
  expect(waiting.status).toBe('rejected');
  await eventually(
    'the line to be left',
    10_000,
    async () => api.deps.answers.countWaiting(tenant.org) === 0 || null,
  );
  release();
  expect(api.deps.answers.held).toBe(0);
});

test('SRV-answer-bytes: a reader that does not read holds one page', async () => {
  const runPk = await runOf(tenant, { steps: 200, stepBytes: 60_000 });
  const headers = { authorization: `Bearer ${tenant.token}`, 'x-organization-id': tenant.org };
  const response = await fetch(`${api.url}/workflow-runs/${runPk}`, { headers });
  const held = await eventually(
    'a page to be held',
    10_000,
    async () => api.deps.answers.heldBy(tenant.org) || null,
  );
  expect(held).toBeLessThanOrEqual(512 * 1024);
  expect(JSON.parse(await response.text()) as JsonObject).toMatchObject({ id: runPk, truncated: false });
  expect(api.deps.answers.held).toBe(0);
});

test('SRV-answer-bytes: questions are listed a page at a time, in the list of an organization and in the record of a run', async () => {
  const { runPk, runId } = await accept(api.deps.db, { organizationId: tenant.org });
  const payload = 'x'.repeat(200_000);
  const ids = await ask(
    api.deps.db,
    runId,
    ...Array.from({ length: 5 }, (_, at) => ({ title: `Q${at}`, payload })),
  );
  taken.length = 0;
  const { body } = await tenant.call('GET', '/interrupts?limit=4');
  expect(body).toMatchObject({ has_more: true, limit: 4, offset: 0 });
  expect(body.interrupts.map((question: JsonObject) => question['payload'] === payload)).toEqual([
    true,
    true,
    true,
    true,
  ]);
  // Two of them have room in half a MiB.
  expect(taken).toHaveLength(2);
  taken.length = 0;
  const record = await read(runPk);
  const shown: string[] = record.body.interrupts.map(
    (question: { interrupt_id: string }) => question.interrupt_id,
  );
  expect(shown.toSorted()).toEqual(ids.toSorted());
  // Input, output, and three pages.
  expect(taken).toHaveLength(5);
  expect((await tenant.call('GET', '/interrupts?limit=4&offset=4')).body.has_more).toBe(false);
});

test('SRV-answer-bytes: one step counts with its full values', async () => {
  const runPk = await runOf(tenant, { steps: 1, stepBytes: 2_000_000 });
  const { body } = await read(runPk);
  taken.length = 0;
  const step = await tenant.call('GET', `/workflow-runs/${runPk}/steps/${body.steps[0].step_id}`);
  expect(step.body.output).toHaveLength(2_000_000 - 2);
  expect(taken).toHaveLength(1);
  expect(taken[0]?.weight).toBeGreaterThan(2_000_000);
});

/** A draft with nodes that read one another. */
async function draft(): Promise<string> {
  const node = (id: string, fields: JsonObject, more: JsonObject = {}): JsonObject => ({
    id,
    type: 'transformer',
    name: id,
    config: { mode: 'map', fields },
    ...more,
  });
  const nodes = [
    node('n1', {}),
    node('n2', {}),
    node('n3', {}),
    node('one', { read: '{{n1}}', kept: '{{state.f1}}' }, { state_updates: { f2: '{{n1}}' } }),
    node('whole', { all: '{{state}}' }),
  ];
  const ids = ['__start__', ...nodes.map((one) => String(one['id'])), '__end__'];
  const edges = ids.slice(1).map((id, at) => ({ id: `e${at}`, source: ids[at] ?? '', target: id }));
  const fields = Object.fromEntries(
    ['f1', 'f2', 'f3'].map((name) => [name, { type: 'Any', reducer: 'none' }]),
  );
  const { body } = await tenant.call('POST', '/workflows', {
    body: { name: 'Draft', workflow_schema: { nodes, edges, state_schema: { fields } } },
  });
  return body.id;
}
const namesOf = async (runId: string): Promise<string[]> => {
  const rows = await api.deps.db.query<{ name: string }>(
    'SELECT name FROM run_fields f JOIN runs r ON r.id = f.root_run_pk WHERE r.run_id = $1 ORDER BY name',
    [runId],
  );
  return rows.map(({ name }) => name);
};

test('SRV-answer-bytes: a test of a node takes those values of a past run that the node reads, and counts them', async () => {
  const [workflowId, runPk] = [
    await draft(),
    await runOf(tenant, { steps: 3, stepBytes: 1_000, fields: 3, fieldBytes: 500 }),
  ];
  const tryNode = (nodeId: string, more: JsonObject = {}): Promise<Answer> =>
    tenant.call('POST', `/workflows/${workflowId}/nodes/${nodeId}/test`, {
      body: { from_run_pk: runPk, ...more },
    });
  taken.length = 0;
  expect(await namesOf((await tryNode('one')).body.run_id)).toEqual(['f1', 'f2', 'n1']);
  expect(taken).toEqual([{ organizationId: tenant.org, weight: 2_000 }]);
  expect(await namesOf((await tryNode('whole')).body.run_id)).toEqual(['f1', 'f2', 'f3', 'n1', 'n2', 'n3']);
  await api.deps.db.query(
    `UPDATE run_steps SET output = to_json(repeat('x', $2::int)) WHERE run_pk = $1 AND node_id = 'n1'`,
    [runPk, MAX_PAST_BYTES - 1_000 - 1],
  );
  const over = await tryNode('one');
  expect([over.status, over.body]).toMatchObject([
    422,
    { detail: [{ loc: ['body', 'from_run_pk'], type: 'state_too_large' }] },
  ]);
  expect((await tryNode('one', { state: { n1: 'given' } })).status).toBe(200);
  await api.deps.db.query(
    `UPDATE run_steps SET output = to_json(repeat('x', $2::int)) WHERE run_pk = $1 AND node_id = 'n1'`,
    [runPk, MAX_PAST_BYTES - 1_000 - 2],
  );
  expect((await tryNode('one')).status).toBe(200);
  expect(api.deps.answers.held).toBe(0);
});

test('SRV-answer-bytes: a rerun counts what the reused executions gave to the state, until it has written it', async () => {
  const ids = ['n1', 'n2', 'n3'];
  const nodes = ids.map((id) => ({
    id,
    type: 'transformer',
    name: id,
    config: { mode: 'map', fields: {} },
    state_updates: { f1: '{{input}}' },
  }));
  const ends = ['__start__', ...ids, '__end__'];
  const edges = ends.slice(1).map((id, at) => ({ id: `e${at}`, source: ends[at] ?? '', target: id }));
  const definition = { nodes, edges, state_schema: { fields: { f1: { type: 'array', reducer: 'add' } } } };
  const { runPk } = await accept(api.deps.db, {
    organizationId: tenant.org,
    definitionHash: await storeDefinition(api.deps.db, tenant.org, definition),
  });
  await api.deps.db.query(
    `INSERT INTO run_steps (step_id, run_pk, root_run_pk, node_id, node_type, node_name, visit, depth, position, status, effect,
                            outcome, ended, updates, output)
     SELECT gen_random_uuid(), $1, $1, 'n' || at, 'transformer', 'n' || at, 1, 1, at, 'succeeded', 'pure',
            '{"taken": [0], "failed": false}', at, json_build_object('f1', json_build_array(repeat(at::text, 300000))), '1'
     FROM generate_series(1, 3) AS at`,
    [runPk],
  );
  await api.deps.db.query(`UPDATE runs SET status = 'completed', completed_at = now() WHERE id = $1`, [
    runPk,
  ]);
  const rerun = (body: JsonObject): Promise<Answer> =>
    tenant.call('POST', `/workflow-runs/${runPk}/rerun`, { body });
  taken.length = 0;
  expect((await rerun({ from_node_id: 'n3', dry_run: true })).status).toBe(200);
  expect(taken).toEqual([]);
  const started = await rerun({ from_node_id: 'n3' });
  expect(started.status).toBe(200);
  expect(taken).toHaveLength(1);
  expect(taken[0]?.weight).toBeGreaterThan(600_000);
  expect(taken[0]?.weight).toBeLessThan(601_000);
  const [field] = await api.deps.db.query<{ value: string[] }>(
    `SELECT f.value FROM run_fields f JOIN runs r ON r.id = f.root_run_pk WHERE r.run_id = $1 AND f.name = 'f1'`,
    [started.body.run_id],
  );
  expect(field?.value.map((text) => [text[0], text.length])).toEqual([
    ['1', 300_000],
    ['2', 300_000],
  ]);
  expect(api.deps.answers.held).toBe(0);
});

test('RUN-3.4: the snapshot of a run whose events were deleted is one frame, and bounded', async () => {
  const steps = Math.floor(MAX_SNAPSHOT_BYTES / MAX_STEP_VALUE_BYTES);
  const runPk = await runOf(tenant, { steps: steps + 3, stepBytes: MAX_STEP_VALUE_BYTES });
  await api.deps.db.query(`UPDATE run_steps SET output = '"small"' WHERE run_pk = $1 AND node_id = 'n1'`, [
    runPk,
  ]);
  const nodes = await readEndedNodes(api.deps.db, runPk);
  expect(nodes).toHaveLength(steps + 3);
  expect(nodes[0]).toMatchObject({
    node_id: 'n1',
    status: 'succeeded',
    output: 'small',
    output_truncated: false,
  });
  expect(nodes.filter((node) => !node.output_truncated)).toHaveLength(steps);
  expect(nodes.at(-1)).toMatchObject({ output: null, output_truncated: true });
});
