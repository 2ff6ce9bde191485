/** Running a run again: what is known is reused and calls nobody, what comes after runs, and the state is as it was. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/graph/value.ts';
import type { AcceptedRun } from '../../src/runs/accept/accept.ts';
import { rerunBody } from '../../src/runs/api/rerun-schema.ts';
import { rerun } from '../../src/runs/rerun/rerun.ts';
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
import { startEngine } from '../support/engine.ts';
import type { Played, TestEngine } from '../support/engine.ts';
import { startHttpRecorder } from '../support/http-recorder.ts';
import type { HttpRecorder } from '../support/http-recorder.ts';
import { answer, cancel, owner, questionsOf, runBy } from '../support/journeys.ts';
import { happened, stepsOf } from '../support/records.ts';

let engine: TestEngine;
let recorder: HttpRecorder;
beforeAll(async () => {
  recorder = await startHttpRecorder();
  engine = await startEngine({ OUTBOUND_ALLOW: recorder.hostPort });
});
afterAll(async () => {
  await engine.close();
  await recorder.close();
});

const tag = (): string => randomUUID();
const ONCE = { retry: { max_attempts: 1 } };

const ask = (runPk: string, body: JsonObject, idempotencyKey: string | null = null): Promise<JsonObject> =>
  rerun(engine, owner(engine), { runPk, body: rerunBody.parse(body), idempotencyKey });

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
    await happened(engine.db, resumed.runPk, 'node_started', 'slow');
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

  test('with nothing said everything runs, with the input that is given', async () => {
    const name = tag();
    const first = await engine.play(chain(http('a', recorder.url(name), { body: { n: '{{input.n}}' } })), {
      n: 1,
    });
    await again(first.accepted.runPk, { input: { n: 2 } });
    await again(first.accepted.runPk, {});
    expect(recorder.calls(name).map((call) => call.body)).toEqual([{ n: 1 }, { n: 2 }, { n: 1 }]);
  });
});
