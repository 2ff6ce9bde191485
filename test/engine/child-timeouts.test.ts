/** A sub-workflow would run beyond its time limit, or its caller would not hear of the timeout. */
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { JsonObject } from '../../src/language/graph/values/value.ts';
import type { AcceptedRun } from '../../src/engine/runs/accept/accept.ts';
import { chain, http, node, transform } from '../support/definitions.ts';
import type { TestEngine } from '../support/engine.ts';
import { startEngineWithModel } from '../support/engine-with-servers.ts';
import type { HttpRecorder } from '../support/http-recorder.ts';
import { cancel, childOf, closedAs, deploy } from '../support/journeys.ts';
import type { ModelServer } from '../support/model-server.ts';
import { stepsOf } from '../support/records.ts';
import { startOperator } from '../support/shown-history.ts';

let engine: TestEngine;
let recorder: HttpRecorder;
let model: ModelServer;
beforeAll(async () => {
  ({ engine, recorder, model } = await startEngineWithModel());
});
const begun: AcceptedRun[] = [];
afterEach(async () => {
  for (const run of begun.splice(0)) await cancel(engine, run);
});
afterAll(() => engine.close());

/** Beyond it a caller that does not hear of its time is taken for one that never will. */
const PATIENCE_MS = 10_000;

async function begin(definition: JsonObject): Promise<AcceptedRun> {
  const accepted = await engine.accept(definition);
  begun.push(accepted);
  return accepted;
}

/** A workflow whose one call is never answered, and the name of the call. */
async function endless(): Promise<{ readonly name: string; readonly workflowId: string }> {
  const name = randomUUID();
  const workflowId = await deploy(engine, chain(http('h', recorder.url(name, { hold: 1 }))));
  return { name, workflowId };
}

async function expectCancelledChild(parent: AcceptedRun, name: string): Promise<void> {
  const child = await engine.follow(await childOf(engine, parent), PATIENCE_MS);
  expect(child.end).toMatchObject({ type: 'run_cancelled', status: 'cancelled' });
  expect(await closedAs(engine, child.accepted)).toBe('CANCELLED');
  await expect.poll(() => recorder.calls(name).map((call) => call.aborted)).toEqual([true]);
}

test('a sub-workflow node that takes longer than its timeout_ms fails, and its child is cancelled', async () => {
  const { name, workflowId } = await endless();
  const accepted = await begin(
    chain(node('s', 'tool', { kind: 'workflow', workflow_id: workflowId }, { timeout_ms: 1_000 })),
  );
  const played = await engine.follow(accepted, PATIENCE_MS);
  expect(played.error).toMatchObject({ code: 'timeout', node_id: 's' });
  expect(played.of('node_failed', 's')).toMatchObject([{ error: { code: 'timeout' }, handled: false }]);
  await expectCancelledChild(accepted, name);
});

test('a failure for want of time may be handled, as any other', async () => {
  const { name, workflowId } = await endless();
  const envelope = { timeout_ms: 1_000, on_error: 'continue' };
  const accepted = await begin(
    chain(
      node('s', 'tool', { kind: 'workflow', workflow_id: workflowId }, envelope),
      transform('t', { code: '{{s.error.code}}' }),
    ),
  );
  expect((await engine.follow(accepted, PATIENCE_MS)).output).toEqual({ code: 'timeout' });
  await expectCancelledChild(accepted, name);
});

test("an agent's workflow tool that takes longer than the agent's timeout_ms is answered with timeout", async () => {
  const { name, workflowId } = await endless();
  model.script({ toolCalls: [{ id: 'c1', name: 'child', arguments: {} }] }, { text: ['Done'] });
  const tool = { kind: 'workflow', name: 'child', description: 'Takes for ever', workflow_id: workflowId };
  const messages = [{ role: 'user', content: 'Go' }];
  const config = { provider: 'openai', model: 'test-model', messages, tools: [tool] };
  const accepted = await begin(chain(node('a', 'agent', config, { timeout_ms: 2_000 })));
  const played = await engine.follow(accepted, PATIENCE_MS);
  expect(played.output).toMatchObject({ content: 'Done' });
  const [step] = await stepsOf(engine.db, accepted.runPk, 'a');
  expect(step?.tool_calls).toMatchObject([{ name: 'child', error: { code: 'timeout' } }]);
  await expectCancelledChild(accepted, name);
});

test("an agent's workflow tool whose run is terminated is answered with that, and not with success", async () => {
  const { name, workflowId } = await endless();
  model.script({ toolCalls: [{ id: 'c1', name: 'child', arguments: {} }] }, { text: ['Done'] });
  const tool = { kind: 'workflow', name: 'child', description: 'Takes for ever', workflow_id: workflowId };
  const messages = [{ role: 'user', content: 'Go' }];
  const config = { provider: 'openai', model: 'test-model', messages, tools: [tool] };
  const accepted = await begin(chain(node('a', 'agent', config)));
  await recorder.waitFor(name, 1);
  const operator = await startOperator(engine);
  await operator.handle((await childOf(engine, accepted)).runPk).terminate('by an operator');
  await operator.close();
  await engine.follow(accepted, PATIENCE_MS);
  const [step] = await stepsOf(engine.db, accepted.runPk, 'a');
  expect(step?.tool_calls).toMatchObject([{ name: 'child', error: { code: 'terminated' } }]);
});

test('a sub-workflow that is over in time is not touched', async () => {
  const workflowId = await deploy(engine, chain(transform('t', { x: 1 })));
  const played = await engine.play(
    chain(node('s', 'tool', { kind: 'workflow', workflow_id: workflowId }, { timeout_ms: 30_000 })),
  );
  expect(played.output).toMatchObject({ status: 'completed', data: { x: 1 } });
});
