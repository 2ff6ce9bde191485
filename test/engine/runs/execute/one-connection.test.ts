/**
 * Advances that hold a connection of the pool and want a second one would wait for each other, when as many questions are answered
 * together as the pool has connections.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from '../../../../src/base/clock.ts';
import { advance } from '../../../../src/engine/runs/execute/advance/advance.ts';
import { firstAdvance, startAdvancing, type Advancing } from '../../../support/advancing.ts';
import { START, chain, edge, http, node, transform, workflow } from '../../../support/definitions.ts';
import { stepsOf } from '../../../support/records.ts';

let advancing: Advancing;
beforeAll(async () => {
  advancing = await startAdvancing({}, systemClock, 1);
});
afterAll(() => advancing.close());

/** Its timer has fired when a test says so. */
const ask = node('ask', 'interrupt', {
  kind: 'input',
  timeout_seconds: 1,
  on_timeout: 'default',
  default_response: { action: 'submit', data: {} },
});
const greet = transform('greet', { text: 'Hello {{input.name}}' });

test('the advance of a paused run reads its values in the transaction that has locked the run', async () => {
  const ref = await advancing.run(chain(ask, greet), { name: 'Ada' });
  const paused = await advance(advancing.deps, firstAdvance(ref));
  expect(paused).toMatchObject({ state: 'interrupted' });
  const { progress } = paused;
  const resumed = { ...firstAdvance(ref), advance: 2, progress, elapsed: [[0, 1] as const] };
  expect(await advance(advancing.deps, resumed)).toMatchObject({ state: 'closed', status: 'completed' });
});

test('an advance that has taken the answer to a question reads on in the transaction that this began', async () => {
  const call = http('call', 'http://127.0.0.1:9', {}, { timeout_ms: 130_000 });
  const definition = workflow(
    [ask, greet, call],
    [edge(START, 'ask'), edge('ask', 'greet'), edge(START, 'call')],
  );
  const ref = await advancing.run(definition, { name: 'Ada' });
  const asked = await advance(advancing.deps, firstAdvance(ref));
  expect(asked).toMatchObject({ state: 'running' });
  const { progress } = asked;
  const answered = { ...firstAdvance(ref), advance: 2, progress, elapsed: [[0, 1] as const] };
  expect(await advance(advancing.deps, answered)).toMatchObject({ state: 'running' });
  const [greeted] = await stepsOf(advancing.db, ref.rootRunPk, 'greet');
  expect(greeted?.output).toEqual({ text: 'Hello Ada' });
});
