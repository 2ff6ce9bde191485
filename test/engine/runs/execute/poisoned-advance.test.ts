/** A run whose advance fails again and again would stay open, with a question that nobody can answer. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { recordUsage } from '../../../../src/platform/billing/usage.ts';
import { advance, failRun } from '../../../../src/engine/runs/execute/advance/advance.ts';
import type { RunRef } from '../../../../src/engine/runs/engine.ts';
import { TERMINATED, cancelTree, failTree } from '../../../../src/engine/runs/ledger/write/cancel.ts';
import { readCurrentSegment } from '../../../../src/engine/runs/ledger/write/segments.ts';
import { firstAdvance, startAdvancing, type Advancing } from '../../../support/advancing.ts';
import { START, chain, edge, http, node, workflow } from '../../../support/definitions.ts';
import { eventsOf, stepsOf } from '../../../support/records.ts';
import { untilOneWaits } from '../../../support/runs.ts';

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

const transformed = chain(node('t', 'transformer', { mode: 'template', template: 'x' }));

test('a run that has ended stays as it is, and so its execution ends', async () => {
  const ref = await advancing.run(transformed);
  expect(await advance(advancing.deps, firstAdvance(ref))).toMatchObject({ state: 'closed' });
  expect(await fail(ref)).toMatchObject({ state: 'closed', status: 'completed', error: null });
  expect(await stateOf(ref)).toMatchObject({ status: 'completed', code: null });
});

test('of a run that is cancelled while it fails, the execution ends as cancelled', async () => {
  const ref = await advancing.run(transformed);
  let failing: Promise<unknown> = Promise.resolve();
  await advancing.db.transaction(async (tx) => {
    const segment = await readCurrentSegment(tx, ref, true);
    if (segment === null) throw new Error('the run is gone');
    failing = fail(ref);
    await untilOneWaits(advancing.db);
    await cancelTree(tx, segment, 'not needed');
  });
  expect(await failing).toMatchObject({ state: 'closed', status: 'cancelled', error: null });
  expect(await stateOf(ref)).toMatchObject({ status: 'cancelled', code: null });
});

test('a run that has failed elsewhere keeps its error, and its execution has it', async () => {
  const ref = await advancing.run(transformed);
  await advancing.db.transaction(async (tx) => {
    const segment = await readCurrentSegment(tx, ref, true);
    if (segment !== null) await failTree(tx, segment, TERMINATED);
  });
  const error = { ...TERMINATED, nodeId: null };
  expect(await fail(ref)).toMatchObject({ status: 'failed', error });
  expect(await advance(advancing.deps, firstAdvance(ref))).toMatchObject({ status: 'failed', error });
});

test('the last frame has what the run has used', async () => {
  const ref = await advancing.run(transformed);
  const { organizationId, rootRunPk: subjectId } = ref;
  const tokens = { inputTokens: 10, outputTokens: 5, creditsMc: 2_500 };
  await recordUsage(advancing.db, { organizationId, subjectId, stepId: randomUUID() }, [
    { kind: 'llm', model: 'small', isByok: false, ...tokens },
  ]);
  await fail(ref);
  const last = (await eventsOf(advancing.db, ref.rootRunPk)).at(-1);
  expect(last).toMatchObject({ type: 'run_failed', payload: { credits: 2.5, handled_error_count: 0 } });
});
