/** A row would be written twice, by a step that has failed, or by a run that only repeats what another one has done. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JsonObject } from '../../src/language/graph/values/value.ts';
import { rerunBody } from '../../src/engine/runs/api/rerun-schema.ts';
import { rerun } from '../../src/engine/runs/rerun/rerun.ts';
import { chain, node, transform } from '../support/definitions.ts';
import { startEngine, type Played, type TestEngine } from '../support/engine.ts';
import { owner, runBy } from '../support/journeys.ts';
import { stepsOf } from '../support/records.ts';

let engine: TestEngine;
beforeAll(async () => {
  engine = await startEngine();
});
afterAll(() => engine.close());

async function makeTable(organizationId = engine.organizationId): Promise<string> {
  const id = randomUUID();
  await engine.db.query('INSERT INTO data_tables (id, organization_id, name) VALUES ($1, $2, $3)', [
    id,
    organizationId,
    id,
  ]);
  return id;
}

const row = (id: string, tableId: string, config: JsonObject, envelope: JsonObject = {}): JsonObject =>
  node(id, 'tool', { kind: 'table', table_id: tableId, key: 'k', ...config }, envelope);

interface StoredRow {
  readonly key: string;
  readonly value: unknown;
  readonly version: number;
  readonly run_pk: string | null;
  readonly step_id: string | null;
}
const readRows = (tableId: string): Promise<StoredRow[]> =>
  engine.db.query<StoredRow>(
    'SELECT key, value, version, run_pk, step_id FROM data_rows WHERE table_id = $1 ORDER BY key',
    [tableId],
  );
const listEffects = (runPk: string): Promise<object[]> =>
  engine.db.query('SELECT node_id, outcome, error_code FROM run_effects WHERE run_pk = $1 ORDER BY node_id', [
    runPk,
  ]);
const outputsOf = async ({ accepted }: Played): Promise<Record<string, unknown>> =>
  Object.fromEntries((await stepsOf(engine.db, accepted.runPk)).map((step) => [step.node_id, step.output]));

test('each operation does what it says, and a row names the run and the step that wrote it last', async () => {
  const table = await makeTable();
  const played = await engine.play(
    chain(
      row('a_miss', table, { operation: 'get' }),
      row('b_put', table, { operation: 'put', value: { n: '{{a_miss.found}}', list: [1] } }),
      row('c_absent', table, { operation: 'put_if_absent', value: 'other' }),
      row('d_get', table, { operation: 'get' }),
      row('e_stale', table, { operation: 'compare_and_set', expected_version: 0, value: 'stale' }),
      row('f_set', table, {
        operation: 'compare_and_set',
        expected_version: '{{d_get.version}}',
        value: { n: 2 },
      }),
      row('g_add', table, { operation: 'increment', field: 'n', by: 0.5 }),
      row('h_count', table, { operation: 'increment', key: 'count' }),
      row('i_query', table, { operation: 'query', field: 'n', equals: '2.5' }),
      row('j_delete', table, { operation: 'delete' }),
      row('k_again', table, { operation: 'delete' }),
    ),
  );
  expect(await outputsOf(played)).toMatchObject({
    a_miss: { found: false, key: 'k', value: null, version: null },
    b_put: { key: 'k', written: true, version: 1 },
    c_absent: { written: false, version: 1 },
    d_get: { found: true, value: { n: false, list: [1] }, version: 1 },
    e_stale: { written: false, version: 1 },
    f_set: { written: true, version: 2 },
    g_add: { written: true, version: 3, value: 2.5 },
    h_count: { written: true, value: 1 },
    i_query: { items: [{ key: 'k', value: { n: 2.5 }, version: 3 }], count: 1, next: null },
    j_delete: { written: true, version: null },
    k_again: { written: false, version: null },
  });
  const [counted] = await stepsOf(engine.db, played.accepted.runPk, 'h_count');
  expect(await readRows(table)).toMatchObject([
    { key: 'count', value: 1, run_pk: played.accepted.runPk, step_id: counted?.step_id },
  ]);
  expect(await listEffects(played.accepted.runPk)).toMatchObject(
    ['b_put', 'c_absent', 'e_stale', 'f_set', 'g_add', 'h_count', 'j_delete', 'k_again'].map((nodeId) => ({
      node_id: nodeId,
      outcome: 'done',
    })),
  );
});

test('thirty items that count at the same time are counted once each', async () => {
  const table = await makeTable();
  const counting = row(
    'count',
    table,
    { operation: 'increment', by: '{{item}}' },
    { for_each: { items: '{{list.items}}', concurrency: 10 } },
  );
  const items = Array.from({ length: 30 }, (_, index) => index);
  await engine.play(chain(transform('list', { items }), counting));
  expect(await readRows(table)).toMatchObject([{ value: 435, version: 30 }]);
});

test('REL-table-writes: a step that fails when it ends has written nothing, and its effect was not sent', async () => {
  const table = await makeTable();
  const failing = row(
    'write',
    table,
    { operation: 'put', value: 1 },
    { state_updates: { last: '{{write.key | round}}' } },
  );
  const { accepted, end } = await engine.play({
    ...chain(failing),
    state_schema: { last: {} },
  });
  expect(end.type).toBe('run_failed');
  expect(await readRows(table)).toEqual([]);
  expect(await listEffects(accepted.runPk)).toMatchObject([{ outcome: 'not_sent' }]);
});

test.each([
  ['not_a_number', { operation: 'increment' }],
  ['not_an_object', { operation: 'increment', field: 'n' }],
  ['row_too_large', { operation: 'put', value: 'x'.repeat(70_000) }],
  ['table_full', { operation: 'put', key: 'another', value: 1 }],
  ['invalid_key', { operation: 'get', key: '{{input.missing | default("")}}' }],
])('a write that is refused fails its node as %s', async (code, config) => {
  const table = await makeTable();
  await engine.play(chain(row('first', table, { operation: 'put', value: 'text' })));
  await engine.db.query(
    `UPDATE organizations SET entitlements = '{"table_rows":1,"table_row_bytes":65536}' WHERE id = $1`,
    [engine.organizationId],
  );
  const { error } = await engine.play(chain(row('refused', table, config)));
  await engine.db.query(`UPDATE organizations SET entitlements = '{}' WHERE id = $1`, [
    engine.organizationId,
  ]);
  expect(error).toMatchObject({ code });
  expect(await readRows(table)).toMatchObject([{ value: 'text', version: 1 }]);
});

test('REL-table-writes: a rerun writes what it runs, and nothing of what it reuses', async () => {
  const table = await makeTable();
  const first = await engine.play(
    chain(
      row('once', table, { operation: 'increment', key: 'once' }),
      row('again', table, { operation: 'increment', key: 'again' }),
    ),
  );
  const body = rerunBody.parse({ from_node_id: 'again' });
  const made = await rerun(engine, owner(engine), {
    runPk: first.accepted.runPk,
    body,
    idempotencyKey: null,
  });
  await engine.follow(await runBy(engine, 'run_id', String(made['run_id'])));
  expect((await readRows(table)).map(({ key, value }) => [key, value])).toEqual([
    ['again', 2],
    ['once', 1],
  ]);
});

test('a table of another organization is not there for a run', async () => {
  const [other] = await engine.db.query<{ id: string }>(
    `INSERT INTO organizations (name, slug) VALUES ('Other', $1) RETURNING id`,
    [randomUUID()],
  );
  const table = await makeTable(other?.id);
  for (const operation of ['get', 'query', 'put', 'delete']) {
    const config = { operation, value: 1, ...(operation === 'query' ? { key: null } : {}) };
    const { error } = await engine.play(chain(row('foreign', table, config)));
    expect(error).toMatchObject({ code: 'table_not_found' });
  }
  expect(await readRows(table)).toEqual([]);
});
