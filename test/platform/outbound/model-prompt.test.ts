/** A model would get another conversation or other tools than the node has. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ModelTurn } from '../../../src/language/nodes/tools.ts';
import { models } from '../../../src/platform/outbound/models.ts';
import { startModelServer, type ModelServer } from '../../support/model-server.ts';
import { newModelRequest } from './model-request.ts';

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer();
});
afterAll(() => server.close());

const turns: readonly ModelTurn[] = [
  {
    content: '',
    correction: null,
    calls: [
      { id: 'c1', name: 'ask', arguments: '{"a":1}', result: '42', isError: false },
      { id: 'c2', name: 'ask', arguments: 'no JSON', result: 'wrong', isError: true },
    ],
  },
];

async function ask(provider: string, stream: boolean, isClosed = false) {
  const account = { modelCredential: () => Promise.resolve({ apiKey: 'k', baseUrl: server.baseUrl }) };
  const port = models({ managedLlm: null, outboundAllow: [server.hostPort] }, account);
  server.script({ toolCalls: [{ id: 'c3', name: 'ask', arguments: { b: 2 } }] });
  try {
    return await port.complete(
      newModelRequest({
        provider,
        turns,
        offer: {
          tools: [{ name: 'ask', description: 'Asks', schema: { type: 'object', properties: { a: {} } } }],
          force: isClosed ? null : 'ask',
          parallel: false,
          isClosed,
        },
        stream,
      }),
    );
  } finally {
    await port.close();
  }
}

test.each([true, false])('OpenAI, streamed %s', async (stream) => {
  const reply = await ask('openai', stream);
  expect(reply).toMatchObject({ finishReason: 'tool_calls', usage: { byok: true } });
  expect(reply.toolCalls).toEqual([{ id: 'c3', name: 'ask', arguments: '{"b":2}' }]);
  expect(server.requests.at(-1)?.body).toMatchObject({
    parallel_tool_calls: false,
    tool_choice: { type: 'function', function: { name: 'ask' } },
    tools: [{ type: 'function', function: { name: 'ask', description: 'Asks' } }],
    messages: [
      { role: 'user' },
      {
        role: 'assistant',
        tool_calls: [
          { id: 'c1', function: { name: 'ask', arguments: '{"a":1}' } },
          { id: 'c2', function: { name: 'ask', arguments: '{}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'c1', content: '42' },
      { role: 'tool', tool_call_id: 'c2', content: 'wrong' },
    ],
  });
});

test.each([true, false])('Anthropic, streamed %s', async (stream) => {
  const reply = await ask('anthropic', stream);
  expect(reply.finishReason).toBe('tool_calls');
  expect(reply.toolCalls?.map(({ id, name, arguments: text }) => [id, name, JSON.parse(text)])).toEqual([
    ['c3', 'ask', { b: 2 }],
  ]);
  expect(server.requests.at(-1)?.body).toMatchObject({
    tool_choice: { type: 'tool', name: 'ask', disable_parallel_tool_use: true },
    tools: [{ name: 'ask', description: 'Asks' }],
    messages: [
      { role: 'user' },
      {
        role: 'assistant',
        content: [
          { type: 'tool_use', id: 'c1', input: { a: 1 } },
          { id: 'c2', input: {} },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'c1' },
          { type: 'tool_result', tool_use_id: 'c2', is_error: true },
        ],
      },
    ],
  });
});

test('tools that may not be called any more are left out, but where turns may not be without them', async () => {
  await ask('openai', false, true);
  const { body } = server.requests.at(-1) ?? {};
  expect(Object.keys(body ?? {})).not.toEqual(
    expect.arrayContaining([expect.stringMatching(/^(tools|tool_choice|parallel_tool_calls)$/)]),
  );
  await ask('anthropic', false, true);
  expect(server.requests.at(-1)?.body).toMatchObject({
    tools: [{ name: 'ask' }],
    tool_choice: { type: 'none' },
  });
});
