/** If this fails, a client takes the beginning of a model's answer for all of it. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/language/graph/values/value.ts';
import { chain, node } from '../support/definitions.ts';
import { startEngineWithModel, type EngineWithModel } from '../support/engine-with-servers.ts';
import { serveEngine, type ServedEngine } from '../support/served-engine.ts';

let served: ServedEngine<EngineWithModel>;
let openAi: OpenAI;

const model = (id: string, prompt: string): JsonObject =>
  node(id, 'llm', { provider: 'openai', model: 'test-model', messages: [{ role: 'user', content: prompt }] });
const input_parameters: JsonObject[] = [{ name: 'message', type: 'string', required: true }];
/** @param prompt of the model whose text is the output */
const answering = (...nodes: JsonObject[]): JsonObject => ({ ...chain(...nodes), input_parameters });

let path: string;
beforeAll(async () => {
  served = await serveEngine(startEngineWithModel);
  openAi = new OpenAI({ apiKey: served.apiKey, baseURL: `${served.url}/openai`, maxRetries: 0 });
  const { tenant } = served;
  const endpoint = { name: 'E', url: 'https://company.example/events' };
  expect((await tenant.call('POST', '/notification-endpoints', { body: endpoint })).status).toBe(201);
  const id = await served.deploy('Tells', answering(model('tale', '{{input.message}}')), {
    metadata: { mcp: { enabled: true } },
  });
  const hook = { name: 'H', response: { mode: 'result' } };
  path = new URL((await tenant.call('POST', `/workflows/${id}/hooks`, { body: hook })).body.url).pathname;
  await served.deploy('Thinks', answering(model('plan', 'plan'), model('tale', 'tell {{plan.content}}')));
});
afterAll(() => served.close());

const messages = [{ role: 'user' as const, content: 'Tell' }];
const scripted = (finishReason: string): void =>
  served.started.model.script({ text: ['Once ', 'upon'], finishReason });

describe.each([
  ['length', 'length', 'max_output_tokens'],
  ['content_filter', 'content_filter', 'content_filter'],
] as const)('an answer that ends for %s', (finishReason, reason, details) => {
  test('is a chat completion with that reason, whole and streamed', async () => {
    scripted(finishReason);
    const whole = await openAi.chat.completions.create({ model: 'tells', messages });
    expect(whole.choices[0]).toMatchObject({ finish_reason: reason, message: { content: 'Once upon' } });
    const stream = await openAi.chat.completions.create({ model: 'tells', messages, stream: true });
    const reasons: unknown[] = [];
    for await (const { choices } of stream) reasons.push(choices[0]?.finish_reason);
    expect(reasons.at(-1)).toBe(reason);
  });

  test('is an incomplete response, whole, streamed and read again', async () => {
    scripted(finishReason);
    const wanted = {
      status: 'incomplete',
      incomplete_details: { reason: details },
      output_text: 'Once upon',
    };
    const whole = await openAi.responses.create({ model: 'tells', input: 'Tell' });
    expect(whole).toMatchObject({ ...wanted, output: [{ status: 'incomplete' }] });
    expect(await openAi.responses.retrieve(whole.id)).toMatchObject(wanted);
    const events: OpenAI.Responses.ResponseStreamEvent[] = [];
    const stream = await openAi.responses.create({ model: 'tells', input: 'Tell', stream: true });
    for await (const event of stream) events.push(event);
    expect(events.at(-1)).toMatchObject({
      type: 'response.incomplete',
      response: { status: 'incomplete', incomplete_details: { reason: details } },
    });
  });
});

test('a refusal is the refusal of the message', async () => {
  scripted('refusal');
  const { choices } = await openAi.chat.completions.create({ model: 'tells', messages });
  expect(choices[0]).toMatchObject({ finish_reason: 'stop', message: { refusal: 'Once upon' } });
});

test('an answer is whole whose draft was cut: only the nodes of the answer count', async () => {
  served.started.model.scriptBy(({ messages: sent }) =>
    JSON.stringify(sent).includes('plan') && !JSON.stringify(sent).includes('tell')
      ? { text: ['A plan'], finishReason: 'length' }
      : { text: ['The end'] },
  );
  const { choices } = await openAi.chat.completions.create({ model: 'thinks', messages });
  expect(choices[0]).toMatchObject({ finish_reason: 'stop', message: { content: 'The end' } });
});

test('a client of MCP, the sender of a webhook and an endpoint learn of it', async () => {
  scripted('length');
  const client = new Client({ name: 'test', version: '1.0.0' });
  const requestInit = { headers: { Authorization: `Bearer ${served.apiKey}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${served.url}/mcp`), { requestInit }));
  const result = await client.callTool({ name: 'Tells', arguments: { message: 'Tell' } });
  await client.close();
  expect(result).toMatchObject({
    content: [
      { text: expect.stringContaining('Once upon') },
      { text: expect.stringMatching(/node tale: .*cut off/) },
    ],
    _meta: { warnings: [{ node_id: 'tale', code: 'answer_truncated', reason: 'length' }] },
  });
  const answer = await fetch(`${served.url}${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: '{"message":"Tell"}',
  });
  expect([answer.status, answer.headers.get('x-run-warnings')]).toEqual([200, 'answer_truncated']);
  const run = result._meta?.['run_id'];
  const [event] = await served.api.deps.db.query<{ payload: JsonObject }>(
    `SELECT payload FROM notification_events WHERE type = 'run.completed' AND payload #>> '{data,run_id}' = $1`,
    [run],
  );
  expect(event?.payload).toMatchObject({ data: { warnings: ['answer_truncated'] } });
});

test('a whole answer has no warnings at any of them', async () => {
  scripted('stop');
  const whole = await openAi.responses.create({ model: 'tells', input: 'Tell' });
  expect(whole).toMatchObject({ status: 'completed', incomplete_details: null });
  const answer = await fetch(`${served.url}${path}`, { method: 'POST', body: '{"message":"Tell"}' });
  expect(answer.headers.get('x-run-warnings')).toBeNull();
  const runId = whole.id.slice('resp_'.length);
  const [event] = await served.api.deps.db.query<{ payload: JsonObject }>(
    `SELECT payload FROM notification_events WHERE type = 'run.completed' AND payload #>> '{data,run_id}' = $1`,
    [runId],
  );
  expect(event?.payload).toMatchObject({ data: { warnings: [] } });
});
