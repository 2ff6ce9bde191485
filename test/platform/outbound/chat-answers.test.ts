/** A whole answer of a model would be thrown away because its server deviates from the protocol. */
import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ModelReply, ModelRequest } from '../../../src/language/nodes/tools.ts';
import { models } from '../../../src/platform/outbound/models.ts';
import { newModelRequest } from './model-request.ts';
import { sink, type Sink } from './support.ts';

let provider: Sink;
beforeEach(async () => {
  provider = await sink();
});
afterEach(() => provider.close());

const event = (value: unknown): string =>
  `data: ${typeof value === 'string' ? value : JSON.stringify(value)}\n\n`;
const chunk = (delta: object, finish_reason: string | null = null): string =>
  event({ id: 'c', created: 1, model: 'm-2', choices: [{ index: 0, delta, finish_reason }] });
const call = (fields: object): string => chunk({ tool_calls: [fields] });
const STOP = chunk({}, 'stop');
const CALLED = chunk({}, 'tool_calls');

interface Asked {
  readonly reply: ModelReply;
  readonly tokens: readonly string[];
}

async function ask(
  answer: (response: ServerResponse) => unknown,
  more: Partial<ModelRequest> = {},
): Promise<Asked> {
  provider.answer = (_request, response) => void answer(response);
  const tokens: string[] = [];
  const own = { apiKey: 'CANARY-key', baseUrl: `${provider.base}/v1` };
  const port = models(
    { managedLlm: null, outboundAllow: [`127.0.0.1:${provider.port}`] },
    { modelCredential: () => Promise.resolve(own) },
  );
  try {
    const reply = await port.complete(
      newModelRequest({ onToken: (delta, channel) => tokens.push(`${channel}:${delta}`), ...more }),
    );
    return { reply, tokens };
  } finally {
    await port.close();
  }
}
const streamed =
  (...events: string[]) =>
  (response: ServerResponse) =>
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(events.join(''));
const whole = (message: object, more: object = {}) => {
  const body = { id: 'c', model: 'm-2', choices: [{ index: 0, message, finish_reason: 'stop' }], ...more };
  return (response: ServerResponse) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
};
const failure = (answer: (response: ServerResponse) => unknown, more?: Partial<ModelRequest>) =>
  ask(answer, more).then(
    () => expect.fail('the call did not fail'),
    (error: unknown) => error as Error,
  );
const callsOf = ({ reply }: Asked): string[] =>
  (reply.toolCalls ?? []).map(({ id, name, arguments: given }) => `${id} ${name}(${given})`);

describe('an answer that has said why it ended is whole', () => {
  test.each([
    ['a ping', event({ type: 'ping' })],
    ['what it cost', event({ id: 'c', cost: 0.001 })],
    ['no choices', event({ id: 'c', choices: null })],
    ['choices of another shape', event({ choices: 7 })],
    ['no JSON', event('ping')],
    ['broken JSON', event('{"choices": [{')],
    ['an error', event({ error: { message: 'the usage cannot be counted' } })],
    ['an empty event', 'data:\n\n'],
  ])('%s behind it changes nothing', async (_name, behind) => {
    const { reply } = await ask(streamed(chunk({ content: 'a' }), STOP, behind, event('[DONE]')));
    expect(reply).toMatchObject({ content: 'a', finishReason: 'stop' });
  });

  test('usage that comes without choices is counted', async () => {
    const usage = { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7, cost: 'free' };
    const { reply } = await ask(streamed(chunk({ content: 'a' }), STOP, event({ usage })));
    expect(reply.usage).toMatchObject({ input_tokens: 3, output_tokens: 4 });
  });

  test('usage that cannot be read is none', async () => {
    const { reply } = await ask(streamed(chunk({ content: 'a' }), STOP, event({ usage: 'much' })));
    expect(reply).toMatchObject({ content: 'a', usage: { total_tokens: 0 } });
  });

  test('without an empty line behind its last event, too', async () => {
    const { reply } = await ask(streamed(chunk({ content: 'a' }), STOP.trimEnd()));
    expect(reply).toMatchObject({ content: 'a', finishReason: 'stop' });
  });
});

describe('an answer that has not', () => {
  test.each([
    ['a reason that is empty', chunk({}, '')],
    ['the reason "error"', chunk({}, 'error')],
    ['no reason', chunk({})],
    ['a text for an error', event({ error: 'no money' })],
  ])('with %s is no answer', async (_name, last) => {
    const error = await failure(streamed(chunk({ content: 'half' }), last));
    expect(error).toMatchObject({ code: 'model_error', retryable: true });
  });
});

describe('before the end', () => {
  test.each([
    ['a ping', event({ type: 'ping' })],
    ['choices that are null', event({ choices: null })],
    ['an error that is null', event({ error: null, choices: [{ index: 0, delta: {} }] })],
    ['a comment', ': ping\n\n'],
    ['a role of its own', chunk({ role: 'model' })],
    ['an empty reason', chunk({}, '')],
    ['a name that is no text', event({ id: 7, created: 'now', model: 7, choices: [] })],
  ])('%s is no fault', async (_name, between) => {
    const { reply, tokens } = await ask(
      streamed(between, chunk({ content: 'a' }), between, chunk({ content: 'b' }), STOP),
    );
    expect(reply.content).toBe('ab');
    expect(tokens).toEqual(['content:a', 'content:b']);
  });

  test('events may be cut anywhere, and end their lines as they like', async () => {
    const body = Buffer.from((chunk({ content: 'é€😀' }) + STOP).replaceAll('\n', '\r\n'));
    const { reply } = await ask(async (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (const byte of body) await new Promise((sent) => response.write(Buffer.of(byte), sent));
      response.end();
    });
    expect(reply.content).toBe('é€😀');
  });

  test('a mark of the byte order is no part of the first event', async () => {
    const { reply } = await ask(streamed(`\uFEFF${chunk({ content: 'a' })}`, STOP));
    expect(reply.content).toBe('a');
  });
});

describe('a server that does not stream', () => {
  test('is read all the same', async () => {
    const usage = { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 };
    const { reply, tokens } = await ask(whole({ role: 'assistant', content: 'all  of it' }, { usage }));
    expect(reply).toMatchObject({ content: 'all  of it', finishReason: 'stop', usage: { total_tokens: 3 } });
    expect(tokens).toEqual(['content:all  of it']);
  });

  test.each(['{"error":{"message":"no money"}}', '{\n  "error": "no money"\n}'])(
    'and fails in the body (%j) is quoted',
    async (body) => {
      const answer = (response: ServerResponse): unknown =>
        response.writeHead(200, { 'content-type': 'application/json' }).end(body);
      expect((await failure(answer)).message).toBe('The model provider failed: no money');
    },
  );
});

describe('tool calls', () => {
  const fn = (name: string | undefined, given?: unknown) => ({ function: { name, arguments: given } });

  test('of one index and different ids are different calls', async () => {
    const asked = await ask(
      streamed(
        call({ index: 0, id: 'a', ...fn('look', '') }),
        call({ index: 0, ...fn(undefined, '{"q":1}') }),
        call({ index: 0, id: 'b', ...fn('look', '') }),
        call({ index: 0, ...fn(undefined, '{"q":') }),
        call({ index: 0, ...fn(undefined, '2}') }),
        CALLED,
      ),
    );
    expect(callsOf(asked)).toEqual(['a look({"q":1})', 'b look({"q":2})']);
  });

  test('of one chunk, one index and different ids are different calls', async () => {
    const both = [
      { index: 0, id: 'a', ...fn('look', '{"q":1}') },
      { index: 0, id: 'b', ...fn('look', '{"q":2}') },
    ];
    expect(callsOf(await ask(streamed(chunk({ tool_calls: both }), CALLED)))).toEqual([
      'a look({"q":1})',
      'b look({"q":2})',
    ]);
  });

  test('whose pieces each have an id of their own are one call', async () => {
    const asked = await ask(
      streamed(
        call({ index: 0, id: 'a', ...fn('look', '{"q"') }),
        call({ index: 0, id: 'x', ...fn(undefined, ':1') }),
        call({ index: 0, id: 'y', ...fn('', '}') }),
        CALLED,
      ),
    );
    expect(callsOf(asked)).toEqual(['a look({"q":1})']);
  });

  test('that come in turns stay apart', async () => {
    const asked = await ask(
      streamed(
        call({ index: 0, id: 'a', ...fn('one', '') }),
        call({ index: 1, id: 'b', ...fn('two', '') }),
        call({ index: 0, ...fn(undefined, '{"x":1}') }),
        call({ index: 1, ...fn(undefined, '{"x":2}') }),
        CALLED,
      ),
    );
    expect(callsOf(asked)).toEqual(['a one({"x":1})', 'b two({"x":2})']);
  });

  test.each([true, false])(
    'with arguments that are no text are understood (streamed: %s)',
    async (stream) => {
      const calls = [{ index: 0, id: 'a', type: 'function', ...fn('look', { q: 1 }) }];
      const answer = stream
        ? streamed(chunk({ tool_calls: calls }), CALLED)
        : whole({ role: 'assistant', content: null, tool_calls: calls });
      expect(callsOf(await ask(answer, { stream }))).toEqual(['a look({"q":1})']);
    },
  );

  test('of which a piece says nothing are no fault', async () => {
    const asked = await ask(
      streamed(call({ index: 0, id: 'a', ...fn('look', '{}') }), call({ index: 0 }), CALLED),
    );
    expect(callsOf(asked)).toEqual(['a look({})']);
  });
});

describe('a refusal', () => {
  test('is told as it comes, and ends the answer', async () => {
    const { reply, tokens } = await ask(
      streamed(
        chunk({ role: 'assistant', content: null, refusal: '' }),
        chunk({ refusal: 'I ' }),
        chunk({ refusal: 'cannot' }),
        STOP,
      ),
    );
    expect(reply).toMatchObject({ content: 'I cannot', finishReason: 'refusal' });
    expect(tokens).toEqual(['content:I ', 'content:cannot']);
  });

  test('of a whole answer is kept', async () => {
    const { reply } = await ask(whole({ role: 'assistant', content: null, refusal: 'I cannot' }), {
      stream: false,
    });
    expect(reply).toMatchObject({ content: 'I cannot', finishReason: 'refusal' });
  });

  test.each([true, false])('of Anthropic has the same word (streamed: %s)', async (stream) => {
    const message = { id: 'm', type: 'message', role: 'assistant', model: 'c', content: [] };
    const usage = { input_tokens: 1, output_tokens: 1 };
    const ended = { stop_reason: 'refusal', stop_sequence: null };
    const typed = (value: { type: string }): string => `event: ${value.type}\n${event(value)}`;
    const parts = [
      { type: 'message_start', message: { ...message, stop_reason: null, usage } },
      { type: 'message_delta', delta: ended, usage: { output_tokens: 1 } },
      { type: 'message_stop' },
    ];
    const answer = stream
      ? streamed(...parts.map(typed))
      : (response: ServerResponse) =>
          response
            .writeHead(200, { 'content-type': 'application/json' })
            .end(JSON.stringify({ ...message, ...ended, usage }));
    const { reply } = await ask(answer, { stream, provider: 'anthropic', model: 'claude-sonnet-4-5' });
    expect(reply.finishReason).toBe('refusal');
  });
});

test('an event of a type that Anthropic adds is passed over', async () => {
  const message = { id: 'm', type: 'message', role: 'assistant', model: 'c', content: [] };
  const parts = [
    { type: 'message_start', message: { ...message, stop_reason: null, usage: { input_tokens: 1 } } },
    { type: 'ping' },
    { type: 'weather', sun: true },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'a' } },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 1 } },
    { type: 'message_stop' },
    { cost: 0.1 },
  ];
  const answer = streamed(...parts.map(event));
  const { reply } = await ask(answer, { provider: 'anthropic', model: 'claude-sonnet-4-5' });
  expect(reply).toMatchObject({ content: 'a', finishReason: 'stop' });
});
