/** A rehearsal would send something, tell of another organization's runs, or say that a version does what it does not. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { MAX_CASE_BYTES } from '../../src/engine/runs/api/case.ts';
import { countRecordedBytes } from '../../src/engine/runs/ledger/read/recorded-run.ts';
import { RehearsalRunner } from '../../src/features/workflows/rehearsals/runner.ts';
import { deleteExpiredRehearsals, listWalkable } from '../../src/features/workflows/rehearsals/store.ts';
import type { JsonObject } from '../../src/language/graph/values/value.ts';
import {
  END,
  START,
  chain,
  conditional,
  edge,
  http,
  node,
  rule,
  transform,
  when,
  workflow,
} from '../support/definitions.ts';
import { CommandLine } from '../support/command-line.ts';
import { startEngineWithRecorder, type EngineWithRecorder } from '../support/engine-with-servers.ts';
import { serveEngine, type ServedEngine } from '../support/served-engine.ts';

let served: ServedEngine<EngineWithRecorder>;
let runner: RehearsalRunner;
beforeAll(async () => {
  served = await serveEngine(startEngineWithRecorder);
  runner = new RehearsalRunner(served.started.engine.deps);
  runner.start();
});
afterAll(async () => {
  await runner.stop();
  await served.close();
});

const calls = (): number => served.started.recorder.calls().length;

/** Runs a workflow once for each input, to the end. */
async function runWith(workflowId: string, inputs: readonly JsonObject[]): Promise<string[]> {
  const runPks: string[] = [];
  for (const input of inputs) {
    const { body } = await served.tenant.call('POST', '/workflows/run', {
      body: { workflow_id: workflowId, input, stream: true },
    });
    const [run] = await served.api.deps.db.query<{ id: string; status: string }>(
      'SELECT id FROM runs WHERE run_id = $1',
      [body.run_id],
    );
    const runPk = run?.id ?? '';
    await expect
      .poll(async () => (await served.tenant.call('GET', `/workflow-runs/${runPk}`)).body.status)
      .not.toBe('running');
    runPks.push(runPk);
  }
  return runPks;
}

const saveDraft = (workflowId: string, definition: JsonObject, name: string) =>
  served.tenant.call('PUT', `/workflows/${workflowId}`, {
    body: { workflow_schema: { ...definition, metadata: { name, version: '1.0.0' } } },
  });

/** Requests a rehearsal of the draft, and waits for its end. */
async function rehearse(workflowId: string, body: object = {}) {
  const made = await served.tenant.call('POST', `/workflows/${workflowId}/rehearsals`, { body });
  expect([made.status, made.body.status]).toEqual([202, 'pending']);
  const read = () => served.tenant.call('GET', `/rehearsals/${made.body.id}`);
  await expect.poll(async () => (await read()).body.status).toBe('completed');
  return (await read()).body;
}

/** Refunds above a limit are made by mail: a choice, a request, an answer that the output reads. */
const refunds = (limit: number, subject: string): JsonObject =>
  workflow(
    [
      conditional('big', when('yes', rule('{{input.amount}}', 'gte', limit))),
      transform('letter', { subject }),
      http('mail', served.started.recorder.url('mail', { reply: '{"sent":true}' }), {
        body: { subject: '{{letter.subject}}' },
      }),
    ],
    [
      edge(START, 'big'),
      edge('big', 'letter', 'yes'),
      edge('letter', 'mail'),
      edge('mail', END),
      edge('big', END, 'else'),
    ],
  );

test('API-rehearsals: runs that a draft would treat otherwise are counted in groups, with both requests and the node that made the difference, and nothing is sent', async () => {
  const workflowId = await served.deploy('Refunds', refunds(100, 'Order {{input.id}}'));
  const runPks = await runWith(
    workflowId,
    [50, 150, 250].map((amount, id) => ({ amount, id })),
  );
  const before = calls();
  expect(await rehearse(workflowId)).toMatchObject({ total: 3, walked: 3, counts: { same: 3 } });

  await saveDraft(workflowId, refunds(200, 'Order {{input.id}}'), 'Refunds');
  expect(await rehearse(workflowId)).toMatchObject({
    definition: 'draft',
    counts: { same: 2, branches: 1 },
    groups: [
      { verdict: 'same', runs: 2, differences: [] },
      {
        verdict: 'branches',
        runs: 1,
        run_pk: runPks[1],
        differences: expect.arrayContaining([
          {
            kind: 'branches',
            node_id: 'big',
            visit: 1,
            item_index: -1,
            before: { status: 'succeeded', handle: 'yes' },
            after: { status: 'succeeded', handle: 'else' },
            places: [],
          },
        ]),
      },
    ],
  });

  await saveDraft(workflowId, refunds(100, 'Your order {{input.id}}'), 'Refunds');
  const sent = await rehearse(workflowId);
  expect(sent).toMatchObject({
    counts: { same: 1, sends_other: 2 },
    groups: [
      {
        verdict: 'sends_other',
        runs: 2,
        first_change: { node_id: 'letter', visit: 1, places: ['/subject'] },
        differences: [
          {
            kind: 'sends',
            node_id: 'mail',
            before: { door: 'http', request: { body: { subject: 'Order 2' } } },
            after: { door: 'http', request: { body: { subject: 'Your order 2' } } },
          },
        ],
      },
      { verdict: 'same', runs: 1 },
    ],
  });
  const page = await served.tenant.call('GET', `/rehearsals/${sent.id}/runs?verdict=sends_other&limit=1`);
  expect(page.body).toMatchObject({ runs: [{ run_pk: runPks[2] }], previous_cursor: null });
  const next = await served.tenant.call(
    'GET',
    `/rehearsals/${sent.id}/runs?verdict=sends_other&limit=1&cursor=${page.body.next_cursor}`,
  );
  expect(next.body).toMatchObject({ runs: [{ run_pk: runPks[1] }], next_cursor: null });
  expect(calls()).toBe(before);
});

test('a failure, an effect without a record, another question to the world and another reading are told apart', async () => {
  const { recorder } = served.started;
  const look = (more: JsonObject = {}, envelope: JsonObject = {}): JsonObject =>
    http('look', recorder.url('look', { reply: '{"left":3}' }), { method: 'GET', ...more }, envelope);
  const read = (path: string): JsonObject => transform('read', { left: `{{${path}}}` });
  const workflowId = await served.deploy('Stock', chain(look(), read('look.data.left')));
  await runWith(workflowId, [{}]);
  const before = calls();
  const verdictOf = async (definition: JsonObject) => {
    await saveDraft(workflowId, definition, 'Stock');
    const { groups } = await rehearse(workflowId);
    return [groups[0].verdict, groups[0].doubt];
  };
  const strict = { ...chain(look(), read('look.data.gone')), config: { strict_templates: true } };
  expect(await verdictOf(strict)).toEqual(['fails', null]);
  expect(await verdictOf(chain(look(), read('look.data.left'), http('tell', recorder.url('tell'))))).toEqual([
    'new_effect',
    null,
  ]);
  expect(await verdictOf(chain(look({ query: { of: 'shirts' } }), read('look.data.left')))).toEqual([
    'cannot_tell',
    'asks_other',
  ]);
  const fails = { fail_when: { match: 'all', rules: [rule('{{response.data.left}}', 'eq', 3)] } };
  expect(await verdictOf(chain(look(fails), read('look.data.left')))).toEqual(['cannot_tell', 'reads_other']);
  expect(await verdictOf(chain(look(), read('look.status')))).toEqual(['other_output', null]);
  expect(calls()).toBe(before);
});

test('the runs of a rehearsal are the newest, those of a filter, of a version, or those that are named', async () => {
  const { tenant, api } = served;
  const failing = (limit: number): JsonObject => ({
    ...refunds(limit, '{{input.gone}}'),
    config: { strict_templates: true },
  });
  const workflowId = await served.deploy('Chosen', failing(100));
  const [small, large] = await runWith(workflowId, [{ amount: 50 }, { amount: 150 }]);
  const { body: first } = await tenant.call('GET', `/workflows/${workflowId}/deployments`);
  const [{ id: deploymentId, version }] = first.deployments;
  await saveDraft(workflowId, refunds(100, 'Order'), 'Chosen');
  await tenant.call('POST', `/workflows/${workflowId}/deploy`, { body: {} });
  const [later] = await runWith(workflowId, [{ amount: 250 }]);

  const choose = async (runs: object, definition = 'draft'): Promise<unknown> => {
    const made = await tenant.call('POST', `/workflows/${workflowId}/rehearsals`, {
      body: { definition, runs },
    });
    const [row] = await api.deps.db.query<{ runs: string[] }>(
      'SELECT root_run_pks AS runs FROM rehearsals WHERE id = $1',
      [made.body.id],
    );
    await tenant.call('POST', `/rehearsals/${made.body.id}/cancel`);
    return row?.runs;
  };
  expect(await choose({})).toEqual([later, large, small]);
  expect(await choose({ last: 1 })).toEqual([later]);
  expect(await choose({ status: 'failed' })).toEqual([large]);
  expect(await choose({ status: 'succeeded', last: 1 })).toEqual([later]);
  expect(await choose({ deployment_id: deploymentId })).toEqual([large, small]);
  const [run] = await api.deps.db.query<{ created_at: Date }>('SELECT created_at FROM runs WHERE id = $1', [
    large,
  ]);
  expect(await choose({ from: run?.created_at.toISOString() })).toEqual([later, large]);
  expect(await choose({ to: run?.created_at.toISOString() })).toEqual([small]);
  const unknown = '00000000-0000-4000-8000-000000000000';
  expect(await choose({ run_pks: [small, unknown, later], last: 1 })).toEqual([later, small]);

  // The draft is compared with the runs of a version; and the other way round, a version that is no longer live.
  const named = await rehearse(workflowId, { definition: version, runs: { run_pks: [later] } });
  expect(named).toMatchObject({ definition: deploymentId, total: 1, counts: { fails: 1 } });
  expect(await choose({ last: 1 }, deploymentId)).toEqual([later]);

  const post = async (body: object, by = tenant) => {
    const { status, headers } = await by.call('POST', `/workflows/${workflowId}/rehearsals`, { body });
    return [status, headers.get('x-error-code')];
  };
  expect(await post({ definition: unknown })).toEqual([404, 'deployment_not_found']);
  expect(await post({ runs: { run_pks: [unknown] } })).toEqual([409, 'nothing_to_rehearse']);
  for (const count of [0, 501])
    expect((await post({ runs: { run_pks: Array.from({ length: count }, () => unknown) } }))[0]).toBe(422);
  expect((await post({ runs: { run_pks: Array.from({ length: 500 }, () => unknown) } }))[0]).toBe(409);
  // Runs of another organization are not found by their ids.
  const other = await served.api.tenant();
  const { body: foreign } = await other.call('POST', '/workflows', {
    body: { name: 'Foreign', workflow_schema: chain(transform('t', { a: 1 })) },
  });
  const stolen = { body: { runs: { run_pks: [later] } } };
  expect((await other.call('POST', `/workflows/${foreign.id}/rehearsals`, stolen)).status).toBe(409);

  const walkable = (lookedAt: number) =>
    listWalkable(
      api.deps.db,
      { organizationId: tenant.org, workflowId },
      { limit: 500, lookedAt, status: 'failed', from: null, to: null, deploymentId: null, runPks: null },
    );
  expect([await walkable(1), await walkable(2)]).toEqual([[], [large]]);
});

test('the command line counts and names what would go otherwise, and fails where all must be the same', async () => {
  const workflowId = await served.deploy('Told', refunds(100, 'Order'));
  await runWith(workflowId, [{ amount: 150 }, { amount: 50 }]);
  const { url, apiKey, tenant } = served;
  const cli = new CommandLine(join(inject('builtService'), 'src', 'surfaces', 'cli', 'main.js'), {
    PATH: process.env['PATH'] ?? '',
    WORKFLOW_API_URL: url,
    WORKFLOW_API_KEY: apiKey,
    WORKFLOW_ORGANIZATION_ID: tenant.org,
  });
  const before = calls();
  const same = await cli.piped('workflows', 'rehearse', workflowId, '--require', 'same');
  expect([same.code, same.out]).toEqual([0, expect.stringContaining('2  go the same way')]);
  await saveDraft(workflowId, refunds(100, 'Your order'), 'Told');
  const told = await cli.piped(
    'workflows',
    'rehearse',
    workflowId,
    '--last',
    '1',
    '--require',
    'no-failures',
  );
  expect([told.code, told.out]).toEqual([0, expect.stringContaining('1 run rehearsed; nothing was sent')]);
  const none = await cli.piped(
    'workflows',
    'rehearse',
    workflowId,
    '--status',
    'failed',
    '--since',
    '2026-01-01',
  );
  expect(none).toMatchObject({
    code: 1,
    err: expect.stringContaining('There is no run to rehearse'),
  });
  const [newest] = await served.api.deps.db.query<{ id: string }>(
    'SELECT id FROM runs WHERE workflow_id = $1 ORDER BY created_at DESC LIMIT 1',
    [workflowId],
  );
  const live = await cli.piped(
    'workflows',
    'rehearse',
    workflowId,
    '--deployment',
    '1.0.0',
    '--runs',
    newest?.id ?? '',
  );
  expect([live.code, live.out]).toEqual([0, expect.stringContaining('1  go the same way')]);
  const other = await cli.piped('workflows', 'rehearse', workflowId, '--require', 'same');
  expect(other).toMatchObject({
    code: 1,
    out: expect.stringMatching(/1 {2}would send something else[^]*at mail because of letter in /),
    err: expect.stringContaining('Not all runs meet --require same'),
  });
  const deploy = (...flags: string[]) => cli.piped('workflows', 'deploy', workflowId, ...flags);
  expect(await deploy('--require', 'same')).toMatchObject({
    code: 1,
    out: expect.stringMatching(/1 {2}would send something else[^]*at mail because of letter in /),
    err: expect.stringContaining('Not all runs meet --require same'),
  });
  const went = await deploy('--rehearse', '--require', 'no-failures', '--last', '1');
  expect([went.code, went.out]).toEqual([0, expect.stringMatching(/1 run rehearsed[^]*Deployed version 2/)]);
  await saveDraft(workflowId, refunds(100, 'Other order'), 'Told');
  const json = await deploy('--rehearse', '--json');
  expect(JSON.parse(json.out)).toMatchObject({
    version: '3.0.0',
    rehearsal: { total: 2, status: 'completed' },
  });
  expect(calls()).toBe(before);
});

test('code of a draft is run, without a network; code that stays has its recorded result', async () => {
  const code = (text: string): JsonObject =>
    node('code', 'function', { code: text, arguments: { n: '{{input.n}}' } });
  const chance = 'export default () => ({ at: Math.random() })';
  const workflowId = await served.deploy('Code', chain(code(chance)));
  await runWith(workflowId, [{ n: 2 }]);
  expect((await rehearse(workflowId)).counts).toEqual({ same: 1 });
  await saveDraft(workflowId, chain(code('export default ({ n }) => ({ at: n * 2 })')), 'Code');
  const { groups } = await rehearse(workflowId);
  expect(groups[0]).toMatchObject({
    verdict: 'other_output',
    first_change: { node_id: 'code', places: ['/at'] },
  });
});

test('API-run-case: an ended run becomes a file, redacted by the paths of today, that the command line walks; for its organization alone', async () => {
  const { url, apiKey, tenant } = served;
  const definition = refunds(100, 'Order {{input.id}}');
  const workflowId = await served.deploy('Filed', definition);
  const [runPk = ''] = await runWith(workflowId, [{ amount: 150, id: 7, nickname: 'Countess' }]);
  const cli = new CommandLine(join(inject('builtService'), 'src', 'surfaces', 'cli', 'main.js'), {
    PATH: process.env['PATH'] ?? '',
    WORKFLOW_API_URL: url,
    WORKFLOW_API_KEY: apiKey,
    WORKFLOW_ORGANIZATION_ID: tenant.org,
  });
  const read = (by = tenant) => by.call('GET', `/workflow-runs/${runPk}/case`);
  expect((await read()).body.input.merged.nickname).toBe('Countess');
  await tenant.call('PATCH', '/retention', { body: { redacted_paths: ['nickname'] } });
  const { body } = await read();
  expect(body).toMatchObject({
    case: 1,
    workflow: 'Filed',
    run: { run_pk: runPk, workflow_id: workflowId, redacted_paths: ['nickname'] },
    input: { merged: { amount: 150, id: 7, nickname: '[redacted]' } },
    steps: [
      { node_id: 'big', handle: 'yes' },
      { node_id: 'letter' },
      { node_id: 'mail', status: 'succeeded' },
    ],
  });
  expect((await read(await served.api.tenant())).status).toBe(404);

  const folder = await mkdtemp(join(tmpdir(), 'cases-'));
  try {
    const file = join(folder, 'cases', 'seven.json');
    const refused = await cli.piped('runs', 'export', body.run.run_id, '-o', file);
    expect(refused).toMatchObject({ code: 2, err: expect.stringContaining('Pass --values to write them') });
    const before = calls();
    expect(await cli.piped('runs', 'export', body.run.run_id, '--values', '-o', file)).toMatchObject({
      code: 0,
    });
    const printed = await cli.piped('runs', 'export', body.run.run_id, '--values');
    expect(JSON.parse(printed.out)).toEqual(JSON.parse(await readFile(file, 'utf8')));
    const write = (schema: JsonObject) =>
      writeFile(join(folder, 'filed.json'), JSON.stringify({ name: 'Filed', workflow_schema: schema }));
    await write(definition);
    expect(await cli.piped('test', folder)).toMatchObject({
      code: 0,
      out: expect.stringContaining('1 case, all the same'),
    });
    await write(refunds(200, 'Order {{input.id}}'));
    expect(await cli.piped('test', folder)).toMatchObject({
      code: 1,
      out: expect.stringContaining('`big` took `else` where it took `yes` (amount 150, needs at least 200)'),
    });
    expect(calls()).toBe(before);
  } finally {
    await rm(folder, { recursive: true, force: true });
    await tenant.call('PATCH', '/retention', { body: { redacted_paths: [] } });
  }
});

test('a case has 16 MiB of values at most, and those of an ended run that keeps them', async () => {
  const workflowId = await served.deploy('Large', chain(transform('t', { a: 1 })));
  const [runPk = ''] = await runWith(workflowId, [{}]);
  const { db } = served.api.deps;
  const read = async () => {
    const { status, headers } = await served.tenant.call('GET', `/workflow-runs/${runPk}/case`);
    return [status, headers.get('x-error-code')];
  };
  const pad = (count: number) =>
    db.query(`UPDATE runs SET input = jsonb_build_object('pad', repeat('x', $2)) WHERE id = $1`, [
      runPk,
      count,
    ]);
  await pad(0);
  const room = MAX_CASE_BYTES - (await countRecordedBytes(db, runPk));
  await pad(room);
  expect(await read()).toEqual([200, null]);
  await pad(room + 1);
  expect(await read()).toEqual([409, 'record_too_large']);
  await pad(0);
  await db.query('UPDATE runs SET values_deleted_at = now() WHERE id = $1', [runPk]);
  expect(await read()).toEqual([409, 'values_deleted']);
});

test('a rehearsal is of its organization; one at a time is open for a workflow; it is cancelled, and deleted when it expires', async () => {
  const workflowId = await served.deploy('Own', chain(transform('t', { a: 1 })));
  const post = (body: object = {}) =>
    served.tenant.call('POST', `/workflows/${workflowId}/rehearsals`, { body });
  expect([(await post()).status, (await post()).headers.get('x-error-code')]).toEqual([
    409,
    'nothing_to_rehearse',
  ]);
  await runWith(workflowId, [{}]);
  await runner.stop();
  const made = await post({ definition: 'live', runs: { last: 1 } });
  expect([made.status, (await post()).headers.get('x-error-code')]).toEqual([202, 'rehearsal_open']);
  const other = await served.api.tenant();
  const one = `/rehearsals/${made.body.id}`;
  for (const [method, path] of [
    ['GET', one],
    ['GET', `${one}/runs`],
    ['POST', `${one}/cancel`],
    ['GET', `/workflows/${workflowId}/rehearsals`],
    ['POST', `/workflows/${workflowId}/rehearsals`],
  ] as const)
    expect([path, (await other.call(method, path)).status]).toEqual([path, 404]);
  expect((await served.tenant.call('POST', `${one}/cancel`)).body).toMatchObject({
    status: 'cancelled',
    walked: 0,
  });
  expect(
    (await served.tenant.call('GET', `/workflows/${workflowId}/rehearsals`)).body.rehearsals,
  ).toMatchObject([{ id: made.body.id, status: 'cancelled' }]);
  const { db } = served.api.deps;
  await db.query(`UPDATE rehearsals SET expires_at = now() - interval '1 second' WHERE id = $1`, [
    made.body.id,
  ]);
  expect(await deleteExpiredRehearsals(db)).toBe(1);
  expect((await served.tenant.call('GET', one)).status).toBe(404);
  for (const last of [0, 501]) expect((await post({ runs: { last } })).status).toBe(422);
});
