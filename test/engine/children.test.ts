/** A run would miss the end of its sub-workflow, or go on with another result. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JsonObject } from '../../src/language/graph/values/value.ts';
import type { AcceptedRun } from '../../src/engine/runs/accept/accept.ts';
import { MAX_CHILD_DEPTH } from '../../src/engine/runs/accept/child-run.ts';
import { chain, http, node, transform } from '../support/definitions.ts';
import type { TestEngine } from '../support/engine.ts';
import { startEngineWithRecorder } from '../support/engine-with-servers.ts';
import type { HttpRecorder } from '../support/http-recorder.ts';
import { answer, cancel, childOf, closedAs, deploy, questionsOf } from '../support/journeys.ts';
import { stepsOf } from '../support/records.ts';
import { startOperator, type Operator } from '../support/shown-history.ts';

let engine: TestEngine;
let recorder: HttpRecorder;
let operator: Operator;
beforeAll(async () => {
  ({ engine, recorder } = await startEngineWithRecorder());
  operator = await startOperator(engine);
});
afterAll(async () => {
  await operator.close();
  await engine.close();
});

const tag = (): string => randomUUID();
const sub = (
  id: string,
  workflowId: string,
  config: JsonObject = {},
  envelope: JsonObject = {},
): JsonObject => node(id, 'tool', { kind: 'workflow', workflow_id: workflowId, ...config }, envelope);

test('a child gets its input and gives its output; each run has a record of its own', async () => {
  const child = await deploy(
    engine,
    chain(transform('t', { doc: '{{input.doc}}', base: '{{input.base}}' })),
    {
      base: 1,
    },
  );
  const played = await engine.play(
    chain(sub('s', child, { input: { doc: '{{input.doc}}' } }), transform('t', { got: '{{s.data.doc}}' })),
    { doc: [1, 2] },
  );
  expect(played.output).toEqual({ got: [1, 2] });
  const run = await engine.follow(await childOf(engine, played.accepted));
  expect(run.output).toEqual({ doc: [1, 2], base: 1 });
  expect(played.of('node_completed', 's')[0]?.['output']).toEqual({
    data: { doc: [1, 2], base: 1 },
    run_id: run.accepted.runId,
    status: 'completed',
  });
  const [step] = await stepsOf(engine.db, played.accepted.runPk, 's');
  expect(step).toMatchObject({ child_run_pk: run.accepted.runPk, input: { doc: [1, 2] } });
  expect(played.of('node_retry', 's')).toEqual([]);
});

test('a child that fails fails its node; on_error may handle it', async () => {
  const child = await deploy(engine, chain(http('h', recorder.url(tag(), { fail: 9 }))));
  const failed = await engine.play(chain(sub('s', child)));
  expect(failed.error).toMatchObject({ code: 'http_error', node_id: 's' });
  const handled = await engine.play(
    chain(sub('s', child, {}, { on_error: 'continue' }), transform('t', { code: '{{s.error.code}}' })),
  );
  expect(handled.output).toEqual({ code: 'http_error' });
});

test('what cannot run is refused with a word', async () => {
  const missing = await engine.play(chain(sub('s', randomUUID())));
  expect(missing.error).toMatchObject({ code: 'workflow_not_found', node_id: 's' });
  const child = await deploy(engine, chain(transform('t')));
  const version = await engine.play(chain(sub('s', child, { deployment: '9.0.0' })));
  expect(version.error).toMatchObject({ code: 'workflow_not_deployed', node_id: 's' });
  const input = await engine.play(chain(sub('s', child, { input: '{{input.text}}' })), { text: 'x' });
  expect(input.error).toMatchObject({ code: 'invalid_input', node_id: 's' });
});

test('a workflow that calls itself ends at the depth limit', async () => {
  const self = await deploy(engine, (workflowId) => chain(sub('s', workflowId)));
  const played = await engine.play(chain(sub('s', self)), {}, {}, 60_000);
  expect(played.error).toMatchObject({ code: 'sub_workflow_too_deep', node_id: 's' });
  const [row] = await engine.db.query<{ n: number }>(
    'SELECT max(child_depth)::int AS n FROM runs WHERE workflow_id = $1',
    [self],
  );
  expect(row?.n).toBe(MAX_CHILD_DEPTH);
});

test('a workflow that starts itself without waiting ends at the depth limit, too', async () => {
  const self = await deploy(engine, (workflowId) => chain(sub('s', workflowId, { wait: false })));
  await engine.play(chain(sub('s', self, { wait: false })));
  const depths = () =>
    engine.db.query<{ depth: number; code: string | null }>(
      `SELECT child_depth AS depth, error->>'code' AS code FROM runs
       WHERE workflow_id = $1 AND status IN ('completed', 'failed') ORDER BY child_depth`,
      [self],
    );
  const expected = Array.from({ length: MAX_CHILD_DEPTH }, (_, at) => ({
    depth: at + 1,
    code: at + 1 === MAX_CHILD_DEPTH ? 'sub_workflow_too_deep' : null,
  }));
  await expect.poll(depths, { timeout: 60_000 }).toEqual(expected);
});

test('cancelling the parent cancels the child and aborts its call', async () => {
  const name = tag();
  const child = await deploy(engine, chain(http('h', recorder.url(name, { delay_ms: 60_000 }))));
  const accepted = await engine.accept(chain(sub('s', child), http('after', recorder.url(tag()))));
  await recorder.waitFor(name, 1);
  await cancel(engine, accepted);
  const played = await engine.follow(accepted);
  const run = await engine.follow(await childOf(engine, accepted));
  expect([played.end.type, run.end.type]).toEqual(['run_cancelled', 'run_cancelled']);
  expect(await closedAs(engine, accepted)).toBe('CANCELLED');
  expect(await closedAs(engine, run.accepted)).toBe('CANCELLED');
  await expect.poll(() => recorder.calls(name).map((call) => call.aborted)).toEqual([true]);
});

test('a child that is cancelled by itself fails its node, not the run', async () => {
  const name = tag();
  const child = await deploy(engine, chain(http('h', recorder.url(name, { delay_ms: 60_000 }))));
  const accepted = await engine.accept(
    chain(sub('s', child, {}, { on_error: 'continue' }), transform('t', { code: '{{s.error.code}}' })),
  );
  await recorder.waitFor(name, 1);
  await cancel(engine, await childOf(engine, accepted));
  const played = await engine.follow(accepted);
  expect(played.output).toEqual({ code: 'child_cancelled' });
});

const terminate = async (run: AcceptedRun): Promise<void> => {
  await operator.handle(run.runPk).terminate('by an operator');
};

test('a child that is terminated fails its node, and has ended when its parent goes on, with all runs below it', async () => {
  const name = tag();
  const below = await deploy(engine, chain(http('h', recorder.url(name, { delay_ms: 60_000 }))));
  const child = await deploy(engine, chain(sub('below', below)));
  const accepted = await engine.accept(
    chain(sub('s', child, {}, { on_error: 'continue' }), transform('t', { code: '{{s.error.code}}' })),
  );
  await recorder.waitFor(name, 1);
  const run = await childOf(engine, accepted);
  await terminate(run);
  const played = await engine.follow(accepted);
  expect(played.output).toEqual({ code: 'terminated' });
  const rows = await engine.db.query(
    `SELECT status, error->>'code' AS code FROM runs WHERE id = $1 OR parent_run_pk = $1 ORDER BY child_depth`,
    [run.runPk],
  );
  expect(rows).toEqual([
    { status: 'failed', code: 'terminated' },
    { status: 'cancelled', code: null },
  ]);
  await expect.poll(() => recorder.calls(name).map((call) => call.aborted)).toEqual([true]);
});

test('a child that is terminated while it asks fails its node, and its question cannot be answered', async () => {
  const child = await deploy(engine, chain(node('ask', 'interrupt', { kind: 'input' })));
  const accepted = await engine.accept(chain(sub('s', child)));
  const asked = await engine.follow(await childOf(engine, accepted));
  expect(asked.end.type).toBe('run_interrupted');
  await terminate(asked.accepted);
  expect((await engine.follow(accepted)).error).toMatchObject({ code: 'terminated', node_id: 's' });
  const interruptId = questionsOf(asked)['ask'] ?? '';
  await expect(answer(engine, asked, { interrupt_id: interruptId, data: {} })).rejects.toMatchObject({
    failure: { status: 410 },
  });
});

test('wait: false goes on at once, and the child outlives its parent', async () => {
  const name = tag();
  const child = await deploy(engine, chain(http('h', recorder.url(name, { delay_ms: 1_500 }))));
  const played = await engine.play(
    chain(sub('s', child, { wait: false }), transform('t', { status: '{{s.status}}' })),
  );
  expect(played.output).toEqual({ status: 'running' });
  const run = await engine.follow(await childOf(engine, played.accepted));
  expect(run.end.type).toBe('run_completed');
});

test('a child may ask; its parent waits for the answer', async () => {
  const child = await deploy(
    engine,
    chain(node('ask', 'interrupt', { kind: 'input' }), transform('t', { v: '{{ask.data.v}}' })),
  );
  const accepted = await engine.accept(chain(sub('s', child)));
  const asked = await engine.follow(await childOf(engine, accepted));
  expect(asked.end.type).toBe('run_interrupted');
  await answer(engine, asked, { interrupt_id: questionsOf(asked)['ask'] ?? '', data: { v: 7 } });
  const played = await engine.follow(accepted);
  expect(played.output).toMatchObject({ data: { v: 7 }, status: 'completed' });
});

test('a mapped sub-workflow runs one child per item', async () => {
  const child = await deploy(engine, chain(transform('t', { twice: '{{input.n}}{{input.n}}' })));
  const mapped = { for_each: { items: '{{input.rows}}', max_concurrency: 2 } };
  const played = await engine.play(chain(sub('s', child, { input: { n: '{{item}}' } }, mapped)), {
    rows: ['a', 'b', 'c'],
  });
  const { results } = played.output as { results: { data: unknown }[] };
  expect(results.map((result) => result.data)).toEqual(['aa', 'bb', 'cc'].map((twice) => ({ twice })));
});
