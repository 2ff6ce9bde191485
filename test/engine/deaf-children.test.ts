/** A sub-workflow that hears of nothing, such as one whose code no worker can run, would hold its caller for ever. */
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { DefaultLogger, bundleWorkflowCode } from '@temporalio/worker';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { INTERPRETER_SOURCE } from '../../temporal/worker/interpreter-source.ts';
import { chain, http, node, transform } from '../support/definitions.ts';
import type { TestEngine } from '../support/engine.ts';
import { startEngineWithModel } from '../support/engine-with-servers.ts';
import type { HttpRecorder } from '../support/http-recorder.ts';
import { childOf, deploy } from '../support/journeys.ts';
import type { ModelServer } from '../support/model-server.ts';
import { eventsOf, stepsOf } from '../support/records.ts';
import { startOperator, type Operator } from '../support/shown-history.ts';

let engine: TestEngine;
let recorder: HttpRecorder;
let model: ModelServer;
let operator: Operator;
beforeAll(async () => {
  const workflowsPath = fileURLToPath(new URL('./deaf-interpreter.ts', import.meta.url));
  const logger = new DefaultLogger('ERROR');
  const workflowBundle = await bundleWorkflowCode({ ...INTERPRETER_SOURCE, workflowsPath, logger });
  ({ engine, recorder, model } = await startEngineWithModel({}, { code: { workflowBundle } }));
  operator = await startOperator(engine);
});
afterAll(async () => {
  await operator.close();
  await engine.close();
});

/** A workflow whose one call is not answered before `release`, and the name of the call. */
async function held(): Promise<{ readonly name: string; readonly workflowId: string }> {
  const name = randomUUID();
  const call = http('h', recorder.url(name, { hold: 1 }), { method: 'POST' });
  return { name, workflowId: await deploy(engine, chain(call, transform('t', { x: 1 }))) };
}

test('a node ends at its timeout_ms although its child does not, and what the child does later is ignored', async () => {
  const { name, workflowId } = await held();
  const late = { timeout_ms: 1_000, on_error: 'continue' };
  const accepted = await engine.accept(
    chain(
      node('s', 'tool', { kind: 'workflow', workflow_id: workflowId }, late),
      transform('t', { code: '{{s.error.code}}' }),
    ),
  );
  await recorder.waitFor(name, 1);
  const child = await childOf(engine, accepted);
  const played = await engine.follow(accepted, 40_000);
  expect(played.output).toEqual({ code: 'timeout' });

  expect((await engine.follow(child)).end).toMatchObject({ type: 'run_cancelled', status: 'cancelled' });
  const before = await eventsOf(engine.db, child.runPk);
  recorder.release();
  const execution = operator.handle(child.runPk);
  expect((await execution.describe()).status.name).toBe('RUNNING');
  await expect
    .poll(async () => (await stepsOf(engine.db, child.runPk)).map(({ status }) => status))
    .toEqual(['cancelled']);
  expect(await eventsOf(engine.db, child.runPk)).toEqual(before);
  await execution.terminate('the end of the test');
});

test("so does an agent's tool", async () => {
  const { workflowId } = await held();
  model.script({ toolCalls: [{ id: 'c1', name: 'child', arguments: {} }] }, { text: ['Done'] });
  const tool = { kind: 'workflow', name: 'child', description: 'Takes for ever', workflow_id: workflowId };
  const messages = [{ role: 'user', content: 'Go' }];
  const config = { provider: 'openai', model: 'test-model', messages, tools: [tool] };
  const accepted = await engine.accept(chain(node('a', 'agent', config, { timeout_ms: 2_000 })));
  expect((await engine.follow(accepted, 40_000)).output).toMatchObject({ content: 'Done' });
  const [step] = await stepsOf(engine.db, accepted.runPk, 'a');
  expect(step?.tool_calls).toMatchObject([{ name: 'child', error: { code: 'timeout' } }]);
  recorder.release();
  await operator.handle((await childOf(engine, accepted)).runPk).terminate('the end of the test');
});
