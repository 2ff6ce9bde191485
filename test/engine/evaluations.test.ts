/** An evaluation would change something outside, be billed twice, use more than it may, or say of a version what it does not do. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { RunAcceptor } from '../../src/engine/runs/accept/accept.ts';
import { EvaluationRunner } from '../../src/features/workflows/evaluations/runner.ts';
import { deleteExpiredEvaluations } from '../../src/features/workflows/evaluations/store.ts';
import type { JsonObject } from '../../src/language/graph/values/value.ts';
import { CommandLine } from '../support/command-line.ts';
import { chain, http, node, rule, transform } from '../support/definitions.ts';
import { startEngineWithModel, type EngineWithModel } from '../support/engine-with-servers.ts';
import { serveEngine, type ServedEngine } from '../support/served-engine.ts';

let served: ServedEngine<EngineWithModel>;
/** Two workers look at the same evaluations. */
let runners: EvaluationRunner[];
let count = 0;

beforeAll(async () => {
  served = await serveEngine(startEngineWithModel);
  const { deps, dispatcher } = served.started.engine;
  runners = [1, 2].map(
    () =>
      new EvaluationRunner({
        ...deps,
        acceptor: new RunAcceptor(deps.db),
        onAccepted: (organizationId) => dispatcher.kickStart(organizationId),
      }),
  );
  for (const runner of runners) runner.start();
});
afterAll(async () => {
  await Promise.all(runners.map((runner) => runner.stop()));
  await served.close();
});

const calls = (): number => served.started.recorder.calls().length;
const saveDraft = (workflowId: string, definition: JsonObject) =>
  served.tenant.call('PUT', `/workflows/${workflowId}`, {
    body: { workflow_schema: { ...definition, metadata: { name: 'x', version: '1.0.0' } } },
  });

async function makeSet(workflowId: string, cases: readonly JsonObject[]): Promise<string> {
  const name = `Set ${(count += 1)}`;
  const { body } = await served.tenant.call('POST', '/evaluation-sets', {
    body: { name, workflow_id: workflowId },
  });
  if (cases.length > 0) {
    const added = await served.tenant.call('POST', `/evaluation-sets/${body.id}/cases`, { body: { cases } });
    expect(added.status, added.text).toBe(201);
  }
  return body.id as string;
}

const ask = (body: object, by = served.tenant) => by.call('POST', '/evaluations', { body });
const read = async (id: string) => (await served.tenant.call('GET', `/evaluations/${id}`)).body;
const readTrials = async (id: string, query = '') =>
  (await served.tenant.call('GET', `/evaluations/${id}/trials?${query}`)).body;

async function evaluate(body: object) {
  const made = await ask(body);
  expect([made.status, made.body.status], made.text).toEqual([202, 'pending']);
  await expect.poll(async () => (await read(made.body.id)).status).toBe('completed');
  return read(made.body.id);
}

async function run(workflowId: string, input: JsonObject): Promise<string> {
  const { body } = await served.tenant.call('POST', '/workflows/run', {
    body: { workflow_id: workflowId, input },
  });
  const rows = await served.api.deps.db.query<{ id: string }>('SELECT id FROM runs WHERE run_id = $1', [
    body.run_id,
  ]);
  const runPk = rows[0]?.id ?? '';
  await expect
    .poll(async () => (await served.tenant.call('GET', `/workflow-runs/${runPk}`)).body.status)
    .not.toBe('running');
  return runPk;
}

const team = (value: string): JsonObject => chain(transform('choose', { team: value }));

test('cases of inputs run for real in each definition, beside each other, and rates come with their interval and variance', async () => {
  const workflowId = await served.deploy('Team', team('{{input.team}}'));
  await saveDraft(workflowId, team('billing'));
  const set = await makeSet(workflowId, [
    { name: 'one', input: { team: 'billing' }, expected: { team: 'billing' } },
    { name: 'two', input: { team: 'shipping' }, expected: { team: 'shipping' } },
  ]);
  const graders = [
    { kind: 'equal', path: '/team' },
    { kind: 'schema', schema: { type: 'object', required: ['team'] } },
    { kind: 'rule', when: [rule('{{output.team}}', 'eq', '{{expected.team}}')] },
  ];
  const done = await evaluate({ set, definitions: ['draft', 'live'], trials: 2, graders });
  expect(done).toMatchObject({ total: 8, done: 8 });
  expect(done.results).toMatchObject([
    {
      definition: 'draft',
      passed: 2,
      failed: 2,
      cannot_tell: 0,
      pass_rate: 0.5,
      trial_variance: 0,
      credits: 0,
    },
    { definition: 'live', passed: 4, failed: 0, pass_rate: 1, p50_ms: expect.any(Number) },
  ]);
  // Of two cases; computed with R's prop.test(1, 2, correct = FALSE).
  expect(done.results[0].interval.low).toBeCloseTo(0.0945, 4);
  expect(done.results[0].interval.high).toBeCloseTo(0.9055, 4);

  const page = await readTrials(done.id, 'limit=4');
  expect(
    page.trials.map((trial: JsonObject) => [trial['name'], trial['definition'], trial['trial']]),
  ).toEqual([
    ['one', 0, 1],
    ['one', 0, 2],
    ['one', 1, 1],
    ['one', 1, 2],
  ]);
  const next = await readTrials(done.id, `limit=4&cursor=${page.next_cursor}`);
  expect([next.trials.length, next.next_cursor]).toEqual([4, null]);
  const failed = await readTrials(done.id, 'verdict=failed');
  expect(failed.trials[0]).toMatchObject({
    name: 'two',
    output: { team: 'billing' },
    grades: [
      { grader: 0, passed: false, reason: '"billing", not "shipping"' },
      { grader: 1, passed: true, reason: null },
      { grader: 2, passed: false },
    ],
  });
  // Runs of evaluations are no history.
  const history = await served.tenant.call('GET', `/workflow-runs?workflow_id=${workflowId}`);
  expect(history.body.runs).toEqual([]);
});

test('nothing outside is changed: a recorded run is rehearsed, and a run for real, or a sub-workflow of it, is refused its writes', async () => {
  const { recorder } = served.started;
  const mail = http('mail', recorder.url('mail', { reply: '{"sent":true}' }), {
    body: { to: '{{input.to}}' },
  });
  const childId = await served.deploy('Mail', chain(mail));
  const parentId = await served.deploy(
    'Caller',
    chain(node('call', 'tool', { kind: 'workflow', workflow_id: childId, input: { to: '{{input.to}}' } })),
  );
  const runPk = await run(childId, { to: 'ada' });
  const before = calls();
  const recorded = await makeSet(childId, [{ run_pk: runPk }, { input: { to: 'ada' } }]);
  const graders = [{ kind: 'rule', when: [rule('{{output.data.sent}}', 'eq', true)] }];
  const done = await evaluate({ set: recorded, definitions: ['live'], graders });
  expect(done.results).toMatchObject([{ passed: 1, failed: 1 }]);
  const { trials } = await readTrials(done.id);
  expect(trials).toMatchObject([
    { verdict: 'passed', duration_ms: null },
    { verdict: 'failed', error: { code: 'effect_refused' } },
  ]);
  const below = await evaluate({
    set: await makeSet(parentId, [{ input: { to: 'ada' } }]),
    definitions: ['live'],
    graders,
  });
  expect(below.results).toMatchObject([{ passed: 0, failed: 1 }]);
  expect(calls()).toBe(before);
});

const judge = {
  kind: 'judge',
  rubric: 'It is polite',
  provider: 'openai',
  model: 'test-model',
  credential_id: null,
};

test('a judge scores outputs within the credits, once for each trial, and its agreement with people is told', async () => {
  const { model } = served.started;
  model.scriptBy((body) => ({
    text: [JSON.stringify({ reason: 'Because', score: JSON.stringify(body).includes('rude') ? 0.2 : 0.9 })],
    usage: { input: 100, output: 10 },
  }));
  const workflowId = await served.deploy('Letters', chain(transform('letter', { text: '{{input.text}}' })));
  const texts = ['rude', 'kind', 'warm', 'short', 'long', 'plain'];
  const set = await makeSet(
    workflowId,
    texts.map((text) => ({ name: text, input: { text } })),
  );
  const asked = model.requests.length;
  const done = await evaluate({ set, graders: [judge], max_credits: 500 });
  expect(
    ((await readTrials(done.id)).trials as { doubt: unknown; error: unknown }[]).flatMap(({ doubt, error }) =>
      doubt === null ? [] : [doubt, error],
    ),
  ).toEqual([]);
  expect(done.results).toMatchObject([{ passed: 5, failed: 1, marked: 0, judge_agreement: null }]);
  // Two workers, six trials.
  expect(model.requests.length - asked).toBe(texts.length);
  // 100 tokens at 1 and 10 at 3 millicredits, for each.
  expect(done.results[0].credits).toBeCloseTo(0.13 * texts.length, 5);
  const { trials } = await readTrials(done.id);
  expect(trials[0]).toMatchObject({
    verdict: 'failed',
    grades: [{ passed: false, score: 0.2, reason: 'Because' }],
  });

  for (const [number, mark] of [
    [0, false],
    [1, false],
  ] as const) {
    const marked = await served.tenant.call('PUT', `/evaluations/${done.id}/trials/${number}/mark`, {
      body: { mark },
    });
    expect(marked.body).toMatchObject({ number, mark });
  }
  expect((await read(done.id)).results).toMatchObject([{ marked: 2, judge_agreement: 0.5 }]);
  const gone = await served.tenant.call('PUT', `/evaluations/${done.id}/trials/6/mark`, {
    body: { mark: true },
  });
  expect(gone.status).toBe(404);

  const without = await evaluate({ set, graders: [judge] });
  expect(without.results).toMatchObject([{ cannot_tell: texts.length, pass_rate: 0, credits: 0 }]);
  expect((await readTrials(without.id)).trials[0]).toMatchObject({ doubt: 'out_of_credits' });
  expect(model.requests.length - asked).toBe(texts.length);
});

test('an evaluation is one of its organization, of a set with cases, alone, bounded, and ends when it is cancelled', async () => {
  const graders = [{ kind: 'equal' }];
  const workflowId = await served.deploy('Bounded', team('x'));
  const empty = await ask({ set: await makeSet(workflowId, []), graders });
  expect([empty.status, empty.headers.get('x-error-code')]).toEqual([409, 'evaluation_set_empty']);
  const set = await makeSet(
    workflowId,
    Array.from({ length: 200 }, () => ({ input: {} })),
  );
  const many = { set, graders, trials: 10 };
  expect((await ask({ ...many, definitions: ['draft', 'live'] })).body.detail).toMatchObject([
    { type: 'too_many_trials' },
  ]);
  for (const wrong of [
    [],
    [{ kind: 'rule', when: [{ op: 'eq' }] }],
    [judge, judge],
    [{ kind: 'equal', path: 'a' }],
  ])
    expect((await ask({ set, graders: wrong })).status).toBe(422);
  const other = await served.api.tenant();
  expect((await ask({ set, graders }, other)).status).toBe(404);

  const made = await ask(many);
  expect([made.status, made.body.total]).toEqual([202, 2_000]);
  const second = await ask(many);
  expect([second.status, second.headers.get('x-error-code')]).toEqual([409, 'evaluation_open']);
  const path = `/evaluations/${made.body.id}`;
  for (const [method, at] of [
    ['GET', path],
    ['GET', `${path}/trials`],
    ['POST', `${path}/cancel`],
  ] as const)
    expect((await other.call(method, at)).status).toBe(404);
  await expect.poll(async () => (await read(made.body.id)).status).toBe('running');
  expect((await served.tenant.call('POST', `${path}/cancel`)).body.status).toBe('cancelled');
  const { db } = served.api.deps;
  await expect
    .poll(() =>
      db.query(`SELECT 1 FROM runs WHERE workflow_id = $1 AND ephemeral AND status = 'running'`, [
        workflowId,
      ]),
    )
    .toEqual([]);
  await db.query(`UPDATE evaluations SET expires_at = now() - interval '1 s' WHERE id = $1`, [made.body.id]);
  expect(await deleteExpiredEvaluations(db)).toBe(1);
  expect((await served.tenant.call('GET', path)).status).toBe(404);
});

test('the command line makes a set, says which trials fail, and deploys only a draft that passes', async () => {
  const workflowId = await served.deploy('Gated', team('{{input.team}}'));
  await saveDraft(workflowId, team('billing'));
  const { url, apiKey, tenant } = served;
  const cli = new CommandLine(join(inject('builtService'), 'src', 'surfaces', 'cli', 'main.js'), {
    PATH: process.env['PATH'] ?? '',
    WORKFLOW_API_URL: url,
    WORKFLOW_API_KEY: apiKey,
    WORKFLOW_ORGANIZATION_ID: tenant.org,
  });
  const folder = await mkdtemp(join(tmpdir(), 'cases-'));
  const file = join(folder, 'cases.jsonl');
  const cases = ['billing', 'shipping'].map((one) => ({
    name: one,
    input: { team: one },
    expected: { team: one },
  }));
  await writeFile(file, cases.map((one) => JSON.stringify(one)).join('\n'));
  expect(await cli.piped('sets', 'create', workflowId, 'Teams')).toMatchObject({ code: 0 });
  const added = await cli.piped('sets', 'add', 'Teams', file);
  expect([added.err, added.out]).toEqual(['', expect.stringContaining('2 added')]);
  await rm(folder, { recursive: true });

  const both = await cli.piped('evaluate', 'Teams', '--definitions', 'draft', 'live', '--at-least', '0.5');
  expect([both.code, both.err]).toEqual([0, expect.any(String)]);
  expect(both.out).toMatch(/draft: 1 of 2 passed, 50\.0 % [^]*live: 2 of 2 passed, 100\.0 %/);
  expect(both.out).toMatch(/draft {2}failed {2}\d+ {2}shipping: /);
  const deploy = (...flags: string[]) => cli.piped('workflows', 'deploy', workflowId, ...flags);
  expect(await deploy('--evaluate', 'Teams')).toMatchObject({
    code: 1,
    err: expect.stringContaining('draft passes 50.0 %, less than 100.0 %'),
  });
  expect(await deploy('--evaluate', 'Teams', '--at-least', '1.1')).toMatchObject({
    err: expect.stringContaining('It must be a number from 0 to 1.'),
  });
  const passed = await deploy('--evaluate', 'Teams', '--at-least', '0.5', '--json');
  expect([passed.code, passed.err]).toEqual([0, expect.any(String)]);
  expect(JSON.parse(passed.out)).toMatchObject({ version: '2.0.0', evaluation: { status: 'completed' } });
});
