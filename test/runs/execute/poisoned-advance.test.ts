/** A run whose advance fails again and again would stay open, with a question that nobody can answer. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { advance, failRun } from '../../../src/runs/execute/advance/advance.ts';
import type { RunRef } from '../../../src/runs/engine.ts';
import { firstAdvance, startAdvancing, type Advancing } from '../../support/advancing.ts';
import { START, chain, edge, http, node, workflow } from '../../support/definitions.ts';
import { eventsOf, stepsOf } from '../../support/records.ts';

let advancing: Advancing;
beforeAll(async () => {
  advancing = await startAdvancing();
});
afterAll(() => advancing.close());

const ask = node('ask', 'interrupt', { kind: 'input' });
const fail = (ref: RunRef) =>
  failRun(
    advancing.deps,
    { ...firstAdvance(ref), advance: 2 },
    { code: 'internal_error', message: 'An advance failed', nodeId: null },
  );

async function stateOf({ rootRunPk }: RunRef): Promise<unknown> {
  const [run] = await advancing.db.query(
    `SELECT status, error->>'code' AS code, (SELECT array_agg(status) FROM run_interrupts WHERE root_run_pk = runs.id) AS questions
     FROM runs WHERE id = $1`,
    [rootRunPk],
  );
  const steps = (await stepsOf(advancing.db, rootRunPk)).map(({ node_id: id, status }) => [id, status]);
  return { ...run, steps };
}

const FAILED = { status: 'failed', code: 'internal_error', questions: ['cancelled'] };

test('a paused run fails, with its question and its step', async () => {
  const ref = await advancing.run(chain(ask));
  expect(await advance(advancing.deps, firstAdvance(ref))).toMatchObject({ state: 'interrupted' });
  expect(await fail(ref)).toMatchObject({ state: 'closed', status: 'failed' });
  expect(await stateOf(ref)).toEqual({ ...FAILED, steps: [['ask', 'cancelled']] });
  const frames = (await eventsOf(advancing.db, ref.rootRunPk)).map(({ type }) => type);
  expect(frames.slice(-2)).toEqual(['paused', 'run_failed']);
});

test('a run that asks while a branch runs fails, with its question and its step', async () => {
  const call = http('t', 'http://127.0.0.1:9', {}, { timeout_ms: 130_000 });
  const ref = await advancing.run(workflow([ask, call], [edge(START, 'ask'), edge(START, 't')]));
  expect(await advance(advancing.deps, firstAdvance(ref))).toMatchObject({ state: 'running' });
  await fail(ref);
  expect(await stateOf(ref)).toEqual({ ...FAILED, steps: [['ask', 'cancelled']] });
});

test('a run that has ended stays as it is', async () => {
  const ref = await advancing.run(chain(node('t', 'transformer', { mode: 'template', template: 'x' })));
  expect(await advance(advancing.deps, firstAdvance(ref))).toMatchObject({ state: 'closed' });
  await fail(ref);
  expect(await stateOf(ref)).toMatchObject({ status: 'completed', code: null });
});
