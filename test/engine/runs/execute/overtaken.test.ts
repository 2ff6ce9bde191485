/** A loop that comes round would leave a wait or a question open, of which nothing hears any more. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/language/graph/values/value.ts';
import { advance } from '../../../../src/engine/runs/execute/advance/advance.ts';
import type { RunRef } from '../../../../src/engine/runs/engine.ts';
import { firstAdvance, startAdvancing, type Advancing } from '../../../support/advancing.ts';
import {
  END,
  START,
  conditional,
  edge,
  node,
  rule,
  transform,
  when,
  workflow,
} from '../../../support/definitions.ts';
import { eventsOf, stepsOf } from '../../../support/records.ts';
import { unendedSteps } from '../../../support/unended-steps.ts';

let advancing: Advancing;
beforeAll(async () => {
  advancing = await startAdvancing();
});
afterAll(() => advancing.close());

/** Round 0 goes past `slow`, round 1 does not reach it. */
const loop = (slow: JsonObject): JsonObject =>
  workflow(
    [
      conditional('head', when('first', rule('{{loop.again.iteration}}', 'eq', 0))),
      slow,
      transform('fast'),
      {
        ...conditional('join', when('again', rule('{{loop.again.iteration}}', 'eq', 0))),
        join: 'any',
      },
    ],
    [
      edge(START, 'head'),
      edge('head', 'slow', 'first'),
      edge('head', 'fast', 'first'),
      edge('head', 'fast', 'else'),
      edge('slow', 'join'),
      edge('fast', 'join'),
      edge('join', 'head', 'again', { id: 'again' }),
      edge('join', END, 'else'),
    ],
  );

const statusesOf = async ({ rootRunPk }: RunRef, nodeId: string): Promise<string[]> =>
  (await stepsOf(advancing.db, rootRunPk, nodeId)).map(({ status }) => status);
const questionsOf = async ({ rootRunPk }: RunRef): Promise<unknown[]> =>
  (
    await advancing.db.query<{ status: string }>(
      'SELECT status FROM run_interrupts WHERE root_run_pk = $1 ORDER BY visit',
      [rootRunPk],
    )
  ).map(({ status }) => status);

test('a wait that a loop overtakes ends as cancelled, and the run completes', async () => {
  const ref = await advancing.run(loop(node('slow', 'interrupt', { kind: 'wait', duration_seconds: 3_600 })));
  expect(await advance(advancing.deps, firstAdvance(ref))).toMatchObject({
    state: 'closed',
    status: 'completed',
  });
  expect(await statusesOf(ref, 'slow')).toEqual(['cancelled', 'skipped']);
  expect(await unendedSteps(advancing.db)).toEqual([]);
});

test('a question that a loop overtakes is cancelled with its step, and its stream says so', async () => {
  const ref = await advancing.run(loop(node('slow', 'interrupt', { kind: 'input' })));
  expect(await advance(advancing.deps, firstAdvance(ref))).toMatchObject({
    state: 'closed',
    status: 'completed',
  });
  expect(await statusesOf(ref, 'slow')).toEqual(['cancelled', 'skipped']);
  expect(await questionsOf(ref)).toEqual(['cancelled']);
  const told = (await eventsOf(advancing.db, ref.rootRunPk)).filter(({ type }) =>
    type.startsWith('interrupt'),
  );
  expect(told.map(({ type, payload }) => [type, payload['node_id'], payload['action']])).toEqual([
    ['interrupt', 'slow', undefined],
    ['interrupt_resolved', 'slow', null],
  ]);
  expect(await unendedSteps(advancing.db)).toEqual([]);
});

test('a question of an earlier segment that a loop overtakes is cancelled there', async () => {
  const other = node('fast', 'interrupt', {
    kind: 'input',
    timeout_seconds: 60,
    on_timeout: 'default',
    default_response: { data: {} },
  });
  const definition = loop(node('slow', 'interrupt', { kind: 'input' }));
  const nodes = (definition['nodes'] as JsonObject[]).map((each) => (each['id'] === 'fast' ? other : each));
  const ref = await advancing.run({ ...definition, nodes });
  const asked = await advance(advancing.deps, firstAdvance(ref));
  expect(asked).toMatchObject({ state: 'interrupted' });
  const ids = nodes.map(({ id }) => id);
  const again = await advance(advancing.deps, {
    ...firstAdvance(ref),
    advance: 2,
    progress: asked.progress,
    elapsed: [[ids.indexOf('fast'), 1]],
  });
  expect(again).toMatchObject({ state: 'interrupted' });
  expect(await statusesOf(ref, 'slow')).toEqual(['cancelled']);
  const done = await advance(advancing.deps, {
    ...firstAdvance(ref),
    advance: 3,
    progress: again.progress,
    elapsed: [[ids.indexOf('fast'), 2]],
  });
  expect(done).toMatchObject({ state: 'closed', status: 'completed' });
  expect(await unendedSteps(advancing.db)).toEqual([]);
});
