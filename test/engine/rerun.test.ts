/** A rerun would repeat effects that it could reuse, or go on from another state than the run had. */
import { randomUUID } from 'node:crypto';
import { Client, Connection } from '@temporalio/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Scope } from '../../src/platform/access/caller.ts';
import type { JsonObject } from '../../src/language/graph/values/value.ts';
import type { AcceptedRun } from '../../src/engine/runs/accept/accept.ts';
import { rerunBody } from '../../src/engine/runs/api/rerun-schema.ts';
import { testNodeBody } from '../../src/engine/runs/api/rerun-schema.ts';
import { pinNode, unpinNode } from '../../src/features/workflows/pin.ts';
import { compareRuns } from '../../src/engine/runs/rerun/compare.ts';
import { rerun } from '../../src/engine/runs/rerun/rerun.ts';
import { testNode } from '../../src/engine/runs/rerun/test-node.ts';
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
import type { Played, TestEngine } from '../support/engine.ts';
import { startEngineWithRecorder } from '../support/engine-with-servers.ts';
import { startedExecution } from '../support/executions.ts';
import type { HttpRecorder } from '../support/http-recorder.ts';
import { answer, cancel, deploy, owner, questionsOf, runBy, workflowIdOf } from '../support/journeys.ts';
import { stepsOf } from '../support/records.ts';
import { testTemporal } from '../support/temporal.ts';

let engine: TestEngine;
let recorder: HttpRecorder;
beforeAll(async () => {
  ({ engine, recorder } = await startEngineWithRecorder());
});
afterAll(() => engine.close());

const tag = (): string => randomUUID();
const ONCE = { retry: { max_attempts: 1 } };

const ask = (
  runPk: string,
  body: JsonObject,
  { idempotencyKey = null, scope = owner(engine) }: { idempotencyKey?: string | null; scope?: Scope } = {},
): Promise<JsonObject> => rerun(engine, scope, { runPk, body: rerunBody.parse(body), idempotencyKey });

async function again(runPk: string, body: JsonObject): Promise<Played> {
  return engine.follow(await runBy(engine, 'run_id', String((await ask(runPk, body))['run_id'])));
}

const nodesOf = (played: Played, type: string): unknown[] => played.of(type).map((frame) => frame['node_id']);

/** The fields of a run, as the texts that they are stored as. */
const fieldsOf = ({ runPk }: AcceptedRun): Promise<object[]> =>
  engine.db.query(`SELECT name, value::text AS value FROM run_fields WHERE root_run_pk = $1 ORDER BY name`, [
    runPk,
  ]);

describe('from what has failed', () => {
  const fields = { log: { type: 'array', reducer: 'add' }, seen: { type: 'object', reducer: 'update' } };
  const more = { state_schema: { fields } };

  test('what is done is not done again, and the state is as it was', async () => {
    const [a, b, c] = [tag(), tag(), tag()];
    const definition = {
      ...chain(
        http('a', recorder.url(a), {}, { state_updates: { log: 'a', seen: { a: '{{a.data.number}}' } } }),
        http('b', recorder.url(b, { fail: 1 }), {}, ONCE),
        http('c', recorder.url(c), { body: { log: '{{state.log}}', seen: '{{state.seen}}', a: '{{a}}' } }),
      ),
      ...more,
    };
    const first = await engine.play(definition, { n: 1 });
    expect(first.error).toMatchObject({ node_id: 'b' });
    const before = await fieldsOf(first.accepted);

    const second = await again(first.accepted.runPk, { from: 'failed' });
    expect(second.end.type).toBe('run_completed');
    expect([recorder.calls(a).length, recorder.calls(b).length, recorder.calls(c).length]).toEqual([1, 2, 1]);
    expect(recorder.calls(c)[0]?.body).toMatchObject({ log: ['a'], seen: { a: 1 }, a: { status: 200 } });
    expect(await fieldsOf(second.accepted)).toEqual(before);
    expect(nodesOf(second, 'node_reused')).toEqual(['a']);
    expect(second.of('run_started')[0]).toMatchObject({ reason: 'rerun', rerun_of: first.accepted.runId });
    const connection = await Connection.connect({ address: testTemporal().address });
    const handle = await startedExecution(new Client({ connection }), workflowIdOf(engine, second.accepted));
    expect((await handle.describe()).memo).toMatchObject({ rerun_of: first.accepted.runId });
    await connection.close();
    const [step] = await stepsOf(engine.db, second.accepted.runPk, 'a');
    expect(step).toMatchObject({ status: 'reused', output: null, usage: null });

    // Again, from the last node: what was reused is reused, from where it was made.
    const third = await again(second.accepted.runPk, { from_node_id: 'c' });
    expect(nodesOf(third, 'node_reused')).toEqual(['a', 'b']);
    expect([recorder.calls(a).length, recorder.calls(b).length, recorder.calls(c).length]).toEqual([1, 2, 2]);
    expect(recorder.calls(c)[1]?.body).toEqual(recorder.calls(c)[0]?.body);
    expect(await fieldsOf(third.accepted)).toEqual(before);
  });

  test('of a mapped node the items that have succeeded are reused', async () => {
    const name = tag();
    const definition = chain(
      http(
        't',
        recorder.url(name, { fail: 1 }),
        { body: { i: '{{item}}' } },
        { ...ONCE, for_each: { items: '{{input.rows}}', max_concurrency: 1, on_item_error: 'continue' } },
      ),
      transform('after', { n: '{{t.results}}', errors: '{{t.errors}}' }),
    );
    const first = await engine.play(definition, { rows: [1, 2, 3] });
    expect((first.output as { errors: unknown[] }).errors).toHaveLength(1);
    const second = await again(first.accepted.runPk, { from: 'failed' });
    const { n, errors } = second.output as { n: { data: { body: { i: number } } }[]; errors: unknown[] };
    expect(errors).toEqual([]);
    expect(n.map((item) => item.data.body.i)).toEqual([1, 2, 3]);
    expect(recorder.calls(name).map((call) => (call.body as { i: number }).i)).toEqual([1, 2, 3, 1]);
    const [parent, ...items] = await stepsOf(engine.db, second.accepted.runPk, 't');
    expect(items.map((step) => step.status)).toEqual(['succeeded', 'reused', 'reused']);
    expect(items.map((step) => step.parent_step_id)).toEqual(Array(3).fill(parent?.step_id));
  });

  test.each(
    ['GET', 'PUT', 'POST'].flatMap((method) =>
      ['continue', 'drop', 'fail'].map((onItemError) => [method, onItemError] as const),
    ),
  )(
    'of a mapped %s with on_item_error %s only the failed items are repeated',
    async (method, onItemError) => {
      const name = tag();
      const mapped = { items: '{{input.rows}}', max_concurrency: 3, on_item_error: onItemError };
      const query = { i: '{{item.i}}', status: '{{item.status}}', delay_ms: '{{item.delay_ms}}' };
      const definition = chain(
        http('t', recorder.url(name), { method, query }, { ...ONCE, for_each: mapped }),
      );
      const rows = [200, 404, 200].map((status, i) => ({ i, status, delay_ms: status === 200 ? 0 : 300 }));
      const first = await engine.play(definition, { rows });
      expect(recorder.calls(name)).toHaveLength(3);
      await again(first.accepted.runPk, { from: 'failed' });
      expect(
        recorder
          .calls(name)
          .slice(3)
          .map((call) => call.query['i']),
      ).toEqual(['1']);
    },
  );

  test('items that are no longer the same are not reused', async () => {
    const name = tag();
    const mapped = { items: '{{input.rows}}', max_concurrency: 1 };
    const body = { i: '{{item}}' };
    const definition = chain(
      http(
        't',
        recorder.url(name, { fail: 1 }),
        { body },
        { ...ONCE, for_each: { ...mapped, on_item_error: 'drop' } },
      ),
    );
    const first = await engine.play(definition, { rows: [1, 2, 3] });
    await again(first.accepted.runPk, { from: 'failed', input: { rows: [1, 2, 4] } });
    expect(recorder.calls(name).map((call) => (call.body as { i: number }).i)).toEqual([1, 2, 3, 1, 4]);
  });

  test('work that was cancelled runs, and a person who has answered is not asked again', async () => {
    const slow = tag();
    const definition = chain(
      node('q', 'interrupt', {
        kind: 'approval',
        title: 'Go on?',
        actions: [{ id: 'approve', label: 'Yes' }],
      }),
      http('slow', recorder.url(slow, { hold: 1 }), { method: 'GET' }),
      transform('end', { action: '{{q.action}}' }),
    );
    const asked = await engine.play(definition);
    const id = questionsOf(asked)['q'] ?? '';
    const resumed = await answer(engine, asked, { interrupt_id: id, action: 'approve' });
    // Only the first call is held: it must have arrived before the second is made.
    await recorder.waitFor(slow, 1);
    await cancel(engine, resumed);
    await engine.follow(resumed);
    recorder.release();
    const second = await again(resumed.runPk, { from: 'failed' });
    expect(second.output).toEqual({ action: 'approve' });
    expect(nodesOf(second, 'interrupt')).toEqual([]);
    expect(nodesOf(second, 'node_reused')).toEqual(['q']);
  });
});

describe('from a node', () => {
  /** A loop of three rounds: `work` counts, `check` goes back twice. */
  const loop = (name: string): JsonObject =>
    workflow(
      [
        http(
          'work',
          recorder.url(name),
          { body: { rounds: '{{state.rounds}}' } },
          { state_updates: { rounds: 1 } },
        ),
        conditional('check', when('back', rule('{{state.rounds.2}}', 'is_empty'))),
        transform('end', { rounds: '{{state.rounds}}' }),
      ],
      [
        edge(START, 'work'),
        edge('work', 'check'),
        edge('check', 'work', 'back'),
        edge('check', 'end', 'else'),
        edge('end', END),
      ],
      { state_schema: { fields: { rounds: { type: 'array', reducer: 'add' } } } },
    );

  test('in a loop the last visit, or the one that is named', async () => {
    const name = tag();
    const first = await engine.play(loop(name));
    expect(first.output).toEqual({ rounds: [1, 1, 1] });
    const last = await again(first.accepted.runPk, { from_node_id: 'work' });
    expect([last.output, recorder.calls(name).length]).toEqual([{ rounds: [1, 1, 1] }, 4]);
    expect(recorder.calls(name)[3]?.body).toEqual(recorder.calls(name)[2]?.body);
    const second = await again(first.accepted.runPk, { from_node_id: 'work', from_visit: 2 });
    expect([second.output, recorder.calls(name).length]).toEqual([{ rounds: [1, 1, 1] }, 6]);
    expect(recorder.calls(name)[4]?.body).toEqual(recorder.calls(name)[1]?.body);
    expect(nodesOf(second, 'node_reused')).toEqual(['work', 'check']);
  });

  test('branches that do not come of it are reused, and what was skipped stays skipped', async () => {
    const [a, b, c] = [tag(), tag(), tag()];
    const definition = workflow(
      [
        conditional('if', when('yes', rule('{{input.n}}', 'eq', 1))),
        http('a', recorder.url(a)),
        http('b', recorder.url(b)),
        transform('no', {}),
        http('c', recorder.url(c), { body: { a: '{{a.data.number}}', b: '{{b.data.number}}' } }),
      ],
      [
        edge(START, 'if'),
        edge('if', 'a', 'yes'),
        edge('if', 'b', 'yes'),
        edge('if', 'no', 'else'),
        edge('a', 'c'),
        edge('b', 'c'),
        edge('no', 'c'),
      ],
    );
    const first = await engine.play(definition, { n: 1 });
    const second = await again(first.accepted.runPk, { from_node_id: 'a' });
    expect([recorder.calls(a).length, recorder.calls(b).length, recorder.calls(c).length]).toEqual([2, 1, 2]);
    expect(recorder.calls(c)[1]?.body).toEqual({ a: 2, b: 1 });
    expect(nodesOf(second, 'node_reused')).toEqual(['if', 'b']);
    expect(nodesOf(second, 'node_skipped')).toEqual(['no']);
  });

  test('outputs that are given stand for those of the nodes, whether they ran or not', async () => {
    const [a, b, c] = [tag(), tag(), tag()];
    const definition = chain(
      http('a', recorder.url(a)),
      http('b', recorder.url(b, { fail: 9 }), {}, ONCE),
      http('c', recorder.url(c), { body: { a: '{{a.x}}', b: '{{b.x}}' } }),
    );
    const first = await engine.play(definition);
    const overrides = { b: { x: 2 } };
    const second = await again(first.accepted.runPk, { overrides });
    expect([recorder.calls(a).length, recorder.calls(b).length]).toEqual([1, 1]);
    expect(recorder.calls(c)[0]?.body).toEqual({ a: null, b: 2 });
    await again(second.accepted.runPk, { from_node_id: 'c', overrides: { a: { x: 1 } } });
    expect(recorder.calls(c)[1]?.body).toEqual({ a: 1, b: 2 });
    expect([recorder.calls(a).length, recorder.calls(b).length]).toEqual([1, 1]);
  });

  test('without a choice of nodes everything runs, with the given input', async () => {
    const name = tag();
    const first = await engine.play(chain(http('a', recorder.url(name), { body: { n: '{{input.n}}' } })), {
      n: 1,
    });
    await expect(ask(first.accepted.runPk, { input: { n: 2 } })).rejects.toThrow(
      'The rerun would repeat side effects: a. Send confirm_effects: true to run it',
    );
    await again(first.accepted.runPk, { input: { n: 2 }, confirm_effects: true });
    await again(first.accepted.runPk, { confirm_effects: true });
    expect(recorder.calls(name).map((call) => call.body)).toEqual([{ n: 1 }, { n: 2 }, { n: 1 }]);
  });
});

/** A saved workflow of the engine's organization. */
async function saved(definition: JsonObject): Promise<string> {
  const [row] = await engine.db.query<{ id: string }>(
    `INSERT INTO workflows (organization_id, name, workflow_schema) VALUES ($1, 'Saved', $2::json) RETURNING id`,
    [engine.organizationId, JSON.stringify(definition)],
  );
  return row?.id ?? '';
}

const change = (workflowId: string, definition: JsonObject): Promise<unknown> =>
  engine.db.query('UPDATE workflows SET workflow_schema = $2::json WHERE id = $1', [
    workflowId,
    JSON.stringify(definition),
  ]);

async function playDraft(
  workflowId: string,
  definition: JsonObject,
  given: JsonObject = {},
): Promise<Played> {
  const first = await engine.play(definition, given);
  await engine.db.query('UPDATE runs SET workflow_id = $2 WHERE id = $1', [first.accepted.runPk, workflowId]);
  return first;
}

const actionsOf = (plan: JsonObject): Record<string, string> =>
  Object.fromEntries(
    (plan['nodes'] as JsonObject[]).map((one) => [
      String(one['node_id']),
      `${String(one['action'])} ${String(one['reason'])}`,
    ]),
  );

describe('in another definition', () => {
  test('what is as it was is reused, and a plan starts nothing', async () => {
    const [a, b, c, d] = [tag(), tag(), tag(), tag()];
    const definition = (text: string, more: JsonObject[] = []): JsonObject =>
      chain(
        http('a', recorder.url(a)),
        http('b', recorder.url(b), { body: { text } }),
        http('c', recorder.url(c), { body: { b: '{{b.data.body.text}}' } }),
        ...more,
      );
    const workflowId = await saved(definition('old'));
    const first = await playDraft(workflowId, definition('old'));
    await change(workflowId, definition('new', [http('d', recorder.url(d))]));
    const plan = await ask(first.accepted.runPk, { definition: 'draft', dry_run: true });
    expect(actionsOf(plan)).toEqual({
      a: 'reuse completed',
      b: 'run changed',
      c: 'run changed',
      d: 'run changed',
    });
    expect(plan['counts']).toEqual({ reuse: 1, run: 3, skip: 0 });
    expect(plan['effects_to_confirm']).toEqual(['b', 'c']);
    const [{ count }] = (await engine.db.query('SELECT count(*) FROM runs WHERE rerun_of = $1', [
      first.accepted.runId,
    ])) as [{ count: number }];
    expect(count).toBe(0);
    await expect(ask(first.accepted.runPk, { definition: 'draft' })).rejects.toThrow('side effects: b, c.');
    await again(first.accepted.runPk, { definition: 'draft', confirm_effects: true });
    expect([a, b, c, d].map((name) => recorder.calls(name).length)).toEqual([1, 2, 2, 1]);
    expect(recorder.calls(c)[1]?.body).toEqual({ b: 'new' });

    // A node that is only added makes nobody run again.
    await change(workflowId, definition('old', [http('d', recorder.url(d))]));
    await again(first.accepted.runPk, { definition: 'draft' });
    expect([a, b, c, d].map((name) => recorder.calls(name).length)).toEqual([1, 2, 2, 2]);
  });

  test('REL-confirmed-effects: a node that was changed is not repeated while its outcome is unknown, but for who names it', async () => {
    const [a, b] = [tag(), tag()];
    const definition = (text: string): JsonObject =>
      chain(http('a', recorder.url(a)), http('b', recorder.url(b, { fail: 1 }), { body: { text } }, ONCE));
    const workflowId = await saved(definition('old'));
    const { runPk } = (await playDraft(workflowId, definition('old'))).accepted;
    await engine.db.query(
      `UPDATE run_steps SET error = '{"code": "outcome_unknown"}' WHERE run_pk = $1 AND node_id = 'b'`,
      [runPk],
    );
    await change(workflowId, definition('new'));
    for (const body of [
      { definition: 'draft' },
      { definition: 'draft', confirm_effects: true },
      { definition: 'draft', from: 'failed' },
    ])
      await expect(ask(runPk, body)).rejects.toThrow(/^It is unknown whether these nodes had.*\bb\b/);
    await again(runPk, { definition: 'draft', from_node_id: 'b' });
    expect([recorder.calls(a).length, recorder.calls(b).length]).toEqual([1, 2]);
  });

  test('REL-confirmed-effects: effects behind a failure that was handled, and inside of a sub-workflow, are asked for', async () => {
    const [a, b] = [tag(), tag()];
    const child = await deploy(engine, chain(http('inner', recorder.url(b))));
    const definition = workflow(
      [
        http('fails', recorder.url(a, { fail: 1 }), {}, ONCE),
        http('after', recorder.url(a)),
        node('child', 'tool', { kind: 'workflow', workflow_id: child, input: {} }),
      ],
      [edge(START, 'fails'), edge('fails', 'after', 'error'), edge('after', 'child')],
    );
    const { runPk } = (await engine.play(definition)).accepted;
    const refusal = 'The rerun would repeat side effects: after, child / inner.';
    await expect(ask(runPk, { from: 'failed' })).rejects.toThrow(refusal);
    await expect(ask(runPk, {})).rejects.toThrow(refusal);
    const plan = await ask(runPk, { from: 'failed', dry_run: true });
    expect(plan['effects_to_confirm']).toEqual(['after', 'child / inner']);
    expect([recorder.calls(a).length, recorder.calls(b).length]).toEqual([2, 1]);
  });
});

describe('what is refused', () => {
  const refused = (runPk: string, body: JsonObject): Promise<unknown> =>
    ask(runPk, body).then(
      () => 'started',
      (error: Error) => error.message,
    );

  test('names the nodes', async () => {
    const [a, b] = [tag(), tag()];
    const definition = chain(
      http('a', recorder.url(a)),
      http('b', recorder.url(b, { fail: 1 }), {}, ONCE),
      transform('c'),
    );
    const first = await engine.play(definition);
    const { runPk } = first.accepted;
    expect(await refused(runPk, { from_node_id: 'x' })).toBe('The definition has no node x');
    expect(await refused(runPk, { from_node_id: 'c' })).toBe('The run has not visited this node: c');
    expect(await refused(runPk, { from_node_id: 'a', from_visit: 7 })).toContain('no visit 7');
    expect(await refused(runPk, { from_node_id: 'a', from: 'failed' })).toContain('cannot be used together');
    expect(await refused(randomUUID(), {})).toBe('Workflow run not found');

    // Nobody knows whether b had its effect: it is neither repeated nor passed over.
    await engine.db.query(
      `UPDATE run_steps SET error = '{"code": "outcome_unknown"}' WHERE run_pk = $1 AND node_id = 'b'`,
      [runPk],
    );
    expect(await refused(runPk, { from: 'failed' })).toMatch(/^It is unknown whether these nodes had.*\bb\b/);
    const second = await again(runPk, { overrides: { b: { x: 1 } } });
    expect(second.end.type).toBe('run_completed');
    expect([recorder.calls(a).length, recorder.calls(b).length]).toEqual([1, 1]);
    expect(await refused(second.accepted.runPk, { from: 'failed' })).toBe('No node of the run has failed');

    // A step that others reuse stays; one that is gone is said to be.
    const gone = `DELETE FROM run_steps WHERE run_pk = $1 AND node_id = 'a'`;
    await expect(engine.db.query(gone, [runPk])).rejects.toThrow(/reused_from/);
    await engine.db.query('DELETE FROM runs WHERE id = $1', [second.accepted.runPk]);
    await engine.db.query(gone, [runPk]);
    expect(await refused(runPk, { from_node_id: 'b' })).toBe(
      'The executions before these nodes are no longer stored: b',
    );
  });

  test('a run that is under way', async () => {
    const slow = tag();
    const run = await engine.accept(chain(http('slow', recorder.url(slow, { hold: 1 }))));
    await recorder.waitFor(slow, 1);
    expect(await refused(run.runPk, {})).toBe('The run has not ended');
    recorder.release();
    await engine.follow(run);
  });

  test('the same key twice is one run', async () => {
    const name = tag();
    const first = await engine.play(chain(http('a', recorder.url(name))));
    const key = randomUUID();
    const same = { idempotencyKey: key, scope: owner(engine) };
    const all = { confirm_effects: true };
    const [one, two] = [
      await ask(first.accepted.runPk, all, same),
      await ask(first.accepted.runPk, all, same),
    ];
    expect(two).toEqual(one);
    await engine.follow(await runBy(engine, 'run_id', String(one['run_id'])));
    expect(recorder.calls(name)).toHaveLength(2);
  });
});

test('one node of a draft is tried alone, on the values of a past run, and pinned to what it came to', async () => {
  const [a, b] = [tag(), tag()];
  const definition = {
    ...chain(
      http('a', recorder.url(a)),
      http('b', recorder.url(b), { body: { a: '{{a.data.number}}', f: '{{state.f}}', n: '{{input.n}}' } }),
      transform('c', { b: '{{b}}' }),
    ),
    state_schema: { fields: { f: { type: 'string', default: 'd' } } },
  };
  const workflowId = await saved(definition);
  const first = await playDraft(workflowId, definition, { n: 1 });
  const { runPk } = first.accepted;
  const request = (nodeId: string, body: JsonObject) =>
    testNode(engine, owner(engine), {
      workflowId,
      nodeId,
      body: testNodeBody.parse(body),
      idempotencyKey: null,
    });
  await expect(request('b', { from_run_pk: runPk })).rejects.toThrow('Send confirm_effects: true');
  const started = await request('b', { from_run_pk: runPk, state: { f: 'given' }, confirm_effects: true });
  const tried = await engine.follow(await runBy(engine, 'run_id', String(started['run_id'])));
  expect(tried.end.type).toBe('run_completed');
  expect(recorder.calls(b).map((call) => call.body)).toEqual([
    { a: 1, f: 'd', n: 1 },
    { a: 1, f: 'given', n: 1 },
  ]);
  expect(recorder.calls(a)).toHaveLength(1);
  const [run] = await engine.db.query('SELECT is_private FROM runs WHERE run_id = $1', [
    String(started['run_id']),
  ]);
  expect(run).toEqual({ is_private: true });

  const scope = owner(engine);
  const pinned = await pinNode(engine, scope, { workflowId, nodeId: 'a', from: { run_pk: runPk } });
  expect(pinned.workflow_schema['metadata']).toMatchObject({
    canvas: { pins: { a: { output: { status: 200 } } } },
  });
  // A pin stays out of the nodes: the draft is not changed by it.
  expect(pinned.workflow_schema['nodes']).toEqual(definition['nodes' as never]);
  const unpinned = await unpinNode(engine, scope, { workflowId, nodeId: 'a' });
  expect(unpinned.workflow_schema['nodes']).toEqual(definition['nodes' as never]);
  expect(unpinned.edit_version).toBe(2);
});

test('two runs are compared node by node', async () => {
  const definition = workflow(
    [
      conditional('if', when('yes', rule('{{input.n}}', 'eq', 1))),
      transform('a', { n: '{{input.n}}', same: 1 }),
      transform('b'),
    ],
    [edge(START, 'if'), edge('if', 'a', 'yes'), edge('if', 'a', 'else'), edge('if', 'b', 'else')],
  );
  const [one, two] = [await engine.play(definition, { n: 1 }), await engine.play(definition, { n: 2 })];
  const compared = await compareRuns(engine, owner(engine), [one.accepted.runPk, two.accepted.runPk]);
  expect(compared).toMatchObject({ same_definition: true, a: { status: 'succeeded' } });
  const nodes = Object.fromEntries(
    (compared['nodes'] as JsonObject[]).map((each) => [each['node_id'], each]),
  );
  expect(nodes).toMatchObject({
    if: { branch_differs: true, a: { took: ['a'] }, b: { took: ['a', 'b'] } },
    a: { output_differs: true, differences: ['/n'], branch_differs: false },
    b: { a: { status: 'skipped' }, b: { status: 'succeeded' } },
  });
});
