/** A draft could grow beyond the limit by one way of saving it, and then not be saved by another. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  countJsonBytes,
  MAX_DEFINITION_BYTES,
  MAX_PIN_BYTES,
} from '../../src/language/graph/definition/definition-size.ts';
import type { Json, JsonObject } from '../../src/language/graph/values/value.ts';
import { saveComposed } from '../../src/features/workflows/compose.ts';
import { storeDefinition } from '../../src/engine/runs/ledger/write/definitions.ts';
import { accept } from '../support/runs.ts';
import { startApi, type Answer, type ApiServer, type Tenant } from '../support/api-server.ts';

let api: ApiServer;
let tenant: Tenant;
beforeAll(async () => {
  api = await startApi();
  tenant = await api.tenant();
});
afterAll(() => api.close());

const NODE: JsonObject = { id: 'a', type: 'transformer', name: 'a', config: { mode: 'map', fields: {} } };
/** A definition that is stored with exactly so many bytes; a body holds it because the field of its node is added by the save. */
function sized(bytes: number): JsonObject {
  const definition = {
    metadata: { name: 'N', description: null, version: '1', tags: [] },
    nodes: [NODE],
    edges: [],
  };
  const stored = {
    ...definition,
    config: { pad: '' },
    state_schema: { fields: { a: { type: 'Any', reducer: 'none' } } },
  };
  return {
    ...definition,
    config: { pad: 'x'.repeat(bytes - countJsonBytes(stored)) },
    state_schema: { fields: {} },
  };
}
const EMPTY = countJsonBytes({ enabled: true, output: '' });
const pin = (bytes: number): JsonObject => ({ enabled: true, output: 'x'.repeat(bytes - EMPTY) });
const withPin = (bytes: number): JsonObject => ({ ...sized(2_000), nodes: [{ ...NODE, mock: pin(bytes) }] });

const refusal = (loc: readonly (string | number)[], type: string): object => ({ detail: [{ loc, type }] });
const TOO_LARGE = refusal(['body', 'workflow_schema'], 'definition_too_large');
const PIN_TOO_LARGE = refusal(['body', 'workflow_schema', 'nodes', 0, 'mock'], 'pin_too_large');

const send = (method: string, path: string, workflow_schema: Json): Promise<Answer> =>
  tenant.call(method, path, { body: { workflow_schema } });
async function stored(bytes: number): Promise<string> {
  const { status, body } = await send('POST', '/workflows', sized(bytes));
  expect(status).toBe(201);
  return body.id;
}
const read = async (id: string): Promise<JsonObject> =>
  (await tenant.call('GET', `/workflows/${id}`)).body.workflow_schema;

test('DEF-2.16: POST, PUT and PATCH store a definition of the largest size, and none of one byte more', async () => {
  const over = await send('POST', '/workflows', sized(MAX_DEFINITION_BYTES + 1));
  expect([over.status, over.body]).toMatchObject([422, TOO_LARGE]);
  const id = await stored(MAX_DEFINITION_BYTES);
  expect(countJsonBytes(await read(id))).toBe(MAX_DEFINITION_BYTES);
  for (const method of ['PUT', 'PATCH']) {
    const refused = await send(method, `/workflows/${id}`, sized(MAX_DEFINITION_BYTES + 1));
    expect([refused.status, refused.body]).toMatchObject([422, TOO_LARGE]);
    expect((await send(method, `/workflows/${id}`, sized(MAX_DEFINITION_BYTES))).status).toBe(200);
  }
  // The name is mirrored into the definition.
  const renamed = await tenant.call('PATCH', `/workflows/${id}`, { body: { name: 'NN' } });
  expect([renamed.status, renamed.body]).toMatchObject([422, TOO_LARGE]);
  expect((await tenant.call('PATCH', `/workflows/${id}`, { body: { name: 'M' } })).status).toBe(200);
});

test('DEF-2.16: a draft that was stored above the bound is opened, shrinks, and grows no further', async () => {
  const id = await stored(2_000);
  const huge = JSON.stringify({
    ...sized(MAX_DEFINITION_BYTES + 100_000),
    nodes: [{ ...NODE, mock: pin(MAX_PIN_BYTES * 2) }],
  });
  await api.deps.db.query('UPDATE workflows SET workflow_schema = $2::json WHERE id = $1', [id, huge]);
  expect((await tenant.call('PATCH', `/workflows/${id}`, { body: { name: 'longer' } })).status).toBe(422);
  const unpinned = await tenant.call('DELETE', `/workflows/${id}/nodes/a/pin`);
  expect([unpinned.status, unpinned.body.workflow_schema.nodes]).toEqual([200, [NODE]]);
});

test('DEF-2.16: POST, PUT and PATCH store a pin of the largest size, and none of one byte more', async () => {
  const id = await stored(2_000);
  for (const [method, path] of [
    ['POST', '/workflows'],
    ['PUT', `/workflows/${id}`],
    ['PATCH', `/workflows/${id}`],
  ] as const) {
    const refused = await send(method, path, withPin(MAX_PIN_BYTES + 1));
    expect([refused.status, refused.body]).toMatchObject([422, PIN_TOO_LARGE]);
    expect((await send(method, path, withPin(MAX_PIN_BYTES))).status).toBe(method === 'POST' ? 201 : 200);
  }
});

/** A run in which the node came to an output of so many bytes. */
async function runOf(bytes: number): Promise<string> {
  const { runPk } = await accept(api.deps.db, { organizationId: tenant.org });
  await api.deps.db.query(
    `INSERT INTO run_steps (step_id, run_pk, root_run_pk, node_id, node_type, node_name, visit, depth, position, status, effect, output)
     VALUES (gen_random_uuid(), $1, $1, 'a', 'transformer', 'a', 1, 1, 1, 'succeeded', 'pure', to_json($2::text))`,
    [runPk, 'x'.repeat(bytes - 2)],
  );
  return runPk;
}

test('DEF-2.16: pinning keeps an output that fits, and of a larger one its step; it needs room in the draft', async () => {
  const frame = '{"output":}'.length;
  const [largest, larger, small] = await Promise.all([
    runOf(MAX_PIN_BYTES - frame),
    runOf(MAX_PIN_BYTES - frame + 1),
    runOf(100),
  ]);
  const id = await stored(2_000);
  const pinTo = (run_pk: string, of = id): Promise<Answer> =>
    tenant.call('POST', `/workflows/${of}/nodes/a/pin`, { body: { run_pk } });
  const pinOf = async (): Promise<Json | undefined> =>
    ((await read(id))['metadata'] as { canvas: { pins: JsonObject } }).canvas.pins['a'];

  expect((await pinTo(largest)).status).toBe(200);
  expect(countJsonBytes((await pinOf()) ?? null)).toBe(MAX_PIN_BYTES);
  expect((await read(id))['nodes']).toEqual([NODE]);
  expect((await pinTo(larger)).status).toBe(200);
  const reference = (await pinOf()) as { run_pk: string; step_id: string };
  expect(reference).toEqual({ run_pk: larger, step_id: expect.any(String) });
  const step = await tenant.call('GET', `/workflow-runs/${reference.run_pk}/steps/${reference.step_id}`);
  expect([step.status, countJsonBytes(step.body.output)]).toEqual([200, MAX_PIN_BYTES - frame + 1]);

  const added = ',"canvas":{"pins":{"a":{"output":}}}'.length + 100;
  const [tight, full] = [
    await stored(MAX_DEFINITION_BYTES - added),
    await stored(MAX_DEFINITION_BYTES - added + 1),
  ];
  expect((await pinTo(small, tight)).status).toBe(200);
  const overfull = await pinTo(small, full);
  expect([overfull.status, overfull.body]).toMatchObject([
    422,
    refusal(['body', 'run_pk'], 'definition_too_large'),
  ]);
});

test('DEF-2.16: the outputs that a rerun gives to nodes are kept with its definition, which is no larger for them', async () => {
  const added = ',"mock":{"enabled":true,"output":}'.length;
  const definition = {
    ...sized(MAX_DEFINITION_BYTES - added - 1_000),
    edges: [edge('__start__', 'a'), edge('a', '__end__')],
  };
  const room = MAX_DEFINITION_BYTES - added - countJsonBytes(definition);
  const { runPk } = await accept(api.deps.db, {
    organizationId: tenant.org,
    definitionHash: await storeDefinition(api.deps.db, tenant.org, definition),
  });
  await api.deps.db.query(`UPDATE runs SET status = 'completed', completed_at = now() WHERE id = $1`, [
    runPk,
  ]);
  const rerunWith = (bytes: number): Promise<Answer> =>
    tenant.call('POST', `/workflow-runs/${runPk}/rerun`, {
      body: { overrides: { a: 'x'.repeat(bytes - 2) } },
    });
  const refused = await rerunWith(room + 1);
  expect([refused.status, refused.body]).toMatchObject([
    422,
    refusal(['body', 'overrides'], 'definition_too_large'),
  ]);
  expect((await rerunWith(room)).status).toBe(200);
});

test('DEF-2.16: a composed definition that is too large is returned to the model, and one that fits is saved', async () => {
  const { body: me } = await tenant.call('GET', '/auth/me');
  const compose = (definition: JsonObject): ReturnType<typeof saveComposed> =>
    saveComposed(api.deps.db, {
      organizationId: tenant.org,
      userId: me.id,
      threadId: null,
      stepId: randomUUID(),
      base: null,
      definition: { ...definition, edges: [edge('__start__', 'a'), edge('a', '__end__')] },
    });
  const edges = countJsonBytes([edge('__start__', 'a'), edge('a', '__end__')]) - 2;
  expect(await compose(sized(MAX_DEFINITION_BYTES - edges))).toMatchObject({ kind: 'saved' });
  expect(await compose(sized(MAX_DEFINITION_BYTES - edges + 1))).toMatchObject({
    kind: 'invalid',
    problems: [expect.stringContaining(String(MAX_DEFINITION_BYTES))],
  });
});

const edge = (source: string, target: string): JsonObject => ({ id: `${source}-${target}`, source, target });
