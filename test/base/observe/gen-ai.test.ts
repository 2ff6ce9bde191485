/** Tools for traces would not know a model call, nor what it cost; or a prompt would be in a trace. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ModelReply, ModelRequest, NodeTools } from '../../../src/language/nodes/tools.ts';
import { describeAgentWork } from '../../../src/base/observe/gen-ai.ts';
import { registers } from '../../../src/base/observe/metrics.ts';
import { Meter } from '../../../src/engine/runs/execute/metering.ts';
import { newModelRequest } from '../../platform/outbound/model-request.ts';
import { recordSpans, type SpanRecorder } from '../../support/spans.ts';

let recorder: SpanRecorder;
beforeAll(() => {
  recorder = recordSpans();
});
afterAll(() => recorder.stop());

const WORKFLOW = '0b9c1a52-6a52-4d8e-9d0e-0d4c7f0a1b2c';
const REQUEST = newModelRequest({
  organizationId: WORKFLOW,
  model: 'gpt-9',
  credentialId: null,
  messages: [{ role: 'user', content: 'CANARY' }],
  temperature: 0.5,
});
const USAGE = { input_tokens: 1_000, output_tokens: 10, total_tokens: 1_010, cached_tokens: 600 };
const toolsWith = (complete: (request: ModelRequest) => Promise<ModelReply>): NodeTools =>
  ({ models: { complete }, knowledge: {} }) as unknown as NodeTools;

test('a model call has a span of the GenAI conventions, without its texts, and costs its workflow', async () => {
  const reply = {
    content: 'CANARY',
    reasoning: null,
    model: 'gpt-9-2027',
    finishReason: 'stop',
    usage: USAGE,
  };
  await new Meter('llm', WORKFLOW)
    .wrapTools(
      toolsWith(async () => reply),
      null,
    )
    .models.complete(REQUEST);
  const span = await recorder.find('chat gpt-9');
  expect(span.attributes).toEqual({
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': 'openai',
    'gen_ai.request.model': 'gpt-9',
    'gen_ai.request.stream': true,
    'gen_ai.request.temperature': 0.5,
    'gen_ai.output.type': 'text',
    'gen_ai.response.model': 'gpt-9-2027',
    'gen_ai.response.finish_reasons': ['stop'],
    'gen_ai.usage.input_tokens': 1_000,
    'gen_ai.usage.output_tokens': 10,
    'gen_ai.usage.cache_read.input_tokens': 600,
    'app.credits': expect.any(Number),
  });
  const metrics = (await registers[0]?.metrics()) ?? '';
  const credits = span.attributes['app.credits'];
  expect(metrics).toContain(
    `model_credits_total{model="gpt-9",workflow_id="${WORKFLOW}"} ${String(credits)}`,
  );
  expect(metrics).toContain(
    `model_workflow_tokens_total{model="gpt-9",workflow_id="${WORKFLOW}",direction="input"} 1000`,
  );
});

test('a failed model call keeps what it has used', async () => {
  const failing = toolsWith((request) => {
    request.onUsage?.(USAGE);
    return Promise.reject(Object.assign(new Error('CANARY'), { code: 'model_error' }));
  });
  const call = new Meter('agent', null)
    .wrapTools(failing, null)
    .models.complete({ ...REQUEST, model: 'gpt-10' });
  await expect(call).rejects.toThrow('CANARY');
  const { attributes } = await recorder.find('chat gpt-10');
  expect(attributes).toMatchObject({ 'error.type': 'model_error', 'gen_ai.usage.output_tokens': 10 });
  expect(JSON.stringify(attributes)).not.toContain('CANARY');
});

test('agents and their tool calls are told apart from other nodes', () => {
  const node = { id: 'helper', type: 'agent', toolName: null, threadId: 't-1' };
  expect(describeAgentWork(node).attributes).toEqual({
    'gen_ai.operation.name': 'invoke_agent',
    'gen_ai.agent.id': 'helper',
    'gen_ai.conversation.id': 't-1',
  });
  expect(describeAgentWork({ ...node, type: 'knowledge', toolName: 'find_docs' })).toMatchObject({
    name: 'execute_tool find_docs',
    attributes: { 'gen_ai.tool.name': 'find_docs', 'gen_ai.tool.type': 'datastore' },
  });
  expect(describeAgentWork({ ...node, type: 'llm' })).toEqual({ attributes: {} });
});
