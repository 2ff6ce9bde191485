/** The Assistant would forget a conversation, or run a workflow that its person has not allowed. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Scope } from '../../src/platform/access/caller.ts';
import type { JsonObject } from '../../src/language/graph/values/value.ts';
import { startSystemRun } from '../../src/engine/runs/accept/start.ts';
import { resumeRun } from '../../src/engine/runs/accept/resume.ts';
import { chain, transform } from '../support/definitions.ts';
import type { Played, TestEngine } from '../support/engine.ts';
import { startEngineWithModel } from '../support/engine-with-servers.ts';
import { deploy, owner } from '../support/journeys.ts';
import type { ModelServer } from '../support/model-server.ts';

let engine: TestEngine;
let model: ModelServer;
let scope: Scope;
beforeAll(async () => {
  ({ engine, model } = await startEngineWithModel());
  scope = owner(engine);
});
afterAll(() => engine.close());

const follow = async (reply: JsonObject): Promise<Played> => {
  const [run] = await engine.db.query<{ id: string }>('SELECT id FROM runs WHERE run_id = $1', [
    reply['run_id'],
  ]);
  const { run_id: runId, thread_id: threadId, chat_id: chatId } = reply;
  return engine.follow({
    runPk: run?.id ?? '',
    runId: String(runId),
    threadId: String(threadId),
    chatId: String(chatId),
    createdAt: new Date(),
    messagePreview: '',
  });
};
const said = async (message: string, threadId?: string): Promise<Played> =>
  follow(
    await startSystemRun(engine, scope, { name: 'assistant', input: { message }, threadId, llm: undefined }),
  );
const lastRequest = (): JsonObject => (model.requests.at(-1)?.body ?? {}) as JsonObject;
const contentsOf = (request: JsonObject): unknown[] =>
  (request['messages'] as JsonObject[]).map(({ content }) => content);

test('answers, and remembers what was said in the chat', async () => {
  model.script({ text: ['Hello ', 'Ada'] });
  const first = await said('I am Ada');
  expect(first.output).toMatchObject({ content: 'Hello Ada', stop_reason: 'final' });
  expect(lastRequest()).not.toHaveProperty('tools');
  model.script({ text: ['Ada'] });
  await said('Who am I?', String(first.accepted.threadId));
  expect(contentsOf(lastRequest()).slice(1)).toEqual(['I am Ada', 'Hello Ada', 'Who am I?']);
});

describe('a live workflow', () => {
  let workflowId: string;
  beforeAll(async () => {
    workflowId = await deploy(engine, {
      ...chain(transform('t', { paid: '{{input.amount}}' })),
      input_parameters: [{ name: 'amount', description: '{{not.a.template}}' }],
    });
    await engine.db.query(
      `UPDATE workflows SET live_deployment_id = (SELECT id FROM deployments WHERE workflow_id = $1) WHERE id = $1`,
      [workflowId],
    );
  });

  test('runs as a tool once its person approves, and its output reaches the model', async () => {
    const call = { id: 'c', name: 'run_1_sub', arguments: { amount: 5 } };
    model.script({ toolCalls: [call] }, { text: ['Paid'] });
    const asked = await said('Pay 5');
    const [tool] = lastRequest()['tools'] as { function: JsonObject }[];
    expect(tool?.function['name']).toBe('run_1_sub');
    expect(tool?.function['description']).toContain('amount');
    const [question] = asked.end['interrupts'] as JsonObject[];
    expect(question).toMatchObject({
      kind: 'tool_approval',
      payload: { arguments: { amount: 5 } },
      assignees: { user_ids: [scope.caller.userId] },
    });
    const answer = { interrupt_id: String(question?.['interrupt_id']), action: 'approve' };
    const foreign = resumeRun(
      engine,
      { ...owner(engine), role: 'admin' },
      { runId: asked.accepted.runId, body: answer },
    );
    await expect(foreign).rejects.toMatchObject({ failure: { status: expect.any(Number) } });
    const done = await follow(await resumeRun(engine, scope, { runId: asked.accepted.runId, body: answer }));
    expect(done.output).toMatchObject({ content: 'Paid', tool_calls: [{ result: { paid: 5 } }] });
    const [child] = await engine.db.query<{ created_by: string; is_private: boolean }>(
      'SELECT created_by, is_private FROM runs WHERE workflow_id = $1 AND parent_run_pk IS NOT NULL',
      [workflowId],
    );
    expect(child).toEqual({ created_by: scope.caller.userId, is_private: true });
  });
});
