/** A model's answer would be misread, its tokens not charged, or a thread's memory wrong. */
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/language/graph/values/value.ts';
import { llm } from '../../../src/language/nodes/llm/llm.ts';
import type { MemoryPort, ModelMessage, ModelRequest } from '../../../src/language/nodes/tools.ts';
import { listProblems, runNode } from './support/node-call.ts';

const base = {
  provider: 'openai',
  model: 'm',
  messages: [
    { role: 'system', content: 'You label {{what}}.' },
    { role: 'user', content: '{{text}}' },
  ],
};
const usage = { input_tokens: 2, output_tokens: 3, total_tokens: 5, cached_tokens: 1 };
const schema = { type: 'object', properties: { topic: { type: 'string' } }, required: ['topic'] };
const asked = { response_format: { type: 'json_schema', strict: true, schema } };

async function ask(
  config: JsonObject,
  replies: readonly string[],
  more: { memory?: MemoryPort; threadId?: string; finishReason?: string } = {},
) {
  const { finishReason = 'stop' } = more;
  const requests: ModelRequest[] = [];
  const said: string[] = [];
  const result = await runNode(
    llm,
    { ...base, ...config },
    {
      roots: { what: 'tickets', text: { a: 1 } },
      said,
      ...more,
      model: (request) => {
        requests.push(request);
        const content = replies[requests.length - 1] ?? 'none';
        request.onToken(content, 'content');
        return Promise.resolve({ content, reasoning: null, model: 'm-1', finishReason, usage });
      },
    },
  ).catch((error: unknown) => error as Error);
  return { requests, said, result };
}

test('messages are rendered and the answer has its documented shape', async () => {
  const { requests, result, said } = await ask({ parameters: { temperature: 0.25, max_output_tokens: 55 } }, [
    'hi',
  ]);
  expect(requests[0]).toMatchObject({
    messages: [
      { role: 'system', content: 'You label tickets.' },
      { role: 'user', content: '{"a":1}' },
    ],
    temperature: 0.25,
    maxOutputTokens: 55,
    credentialId: null,
    stream: true,
  });
  expect(result).toMatchObject({
    output: { content: 'hi', data: null, model: 'm-1', finish_reason: 'stop', reasoning: null, usage },
    usage,
  });
  expect(said).toEqual(['token:hi']);
});
test.each([
  ['alone', '{"topic":"x"}'],
  ['in a fence', '```json\n{"topic":"x"}\n```'],
  ['in a fence with blanks', '  ```JSON  \n\n{"topic":"x"}\n```\n'],
  ['in a fence before half a megabyte of lines', `\`\`\`json\n{"topic":"x"}${'\n'.repeat(500_000)}\`\`\``],
  ['in a megabyte of blanks', `${' '.repeat(500_000)}{"topic":"x"}${' '.repeat(500_000)}`],
  ['behind a megabyte of fences', `${'```\n'.repeat(250_000)}{"topic":"x"}`],
])('an answer %s is read as data', async (_, reply) => {
  const { requests, result } = await ask(asked, [reply]);
  expect(result).toMatchObject({ output: { data: { topic: 'x' }, content: reply } });
  expect(requests).toHaveLength(1);
});
const data = '{"topic":"x"}';
test.each([
  ['a mark of the byte order', `\uFEFF${data}`],
  ['its thinking', `<think>\nA {topic}?\n</think>\n\n${data}`],
  ['thinking whose begin the template has swallowed', `A {topic}?\n</think>\n${data}`],
  ['thinking in other words', `<thinking>x</thinking>${data}`],
  ['thinking and a fence', `<think>{"topic":1}</think>\n\`\`\`json\n${data}\n\`\`\``],
  ['a fence with words around it', `Here it is:\n\n\`\`\`json\n${data}\n\`\`\`\nAnything else?`],
  ['a fence that does not end', `\`\`\`json\n${data}`],
  ['a fence of another kind', `~~~\n${data}\n~~~`],
  [
    'fences, of which the last is the answer',
    `\`\`\`json\n{"topic":"y"}\n\`\`\`\nNo:\n\`\`\`\n${data}\n\`\`\``,
  ],
  ['words around it', `Sure [1]: ${data} Anything else?`],
])('data are read without what is not the answer: %s', async (_name, reply) => {
  const { requests, result } = await ask(asked, [reply]);
  expect(result).toMatchObject({ output: { data: { topic: 'x' }, content: reply } });
  expect(requests).toHaveLength(1);
});
test('data that hold what looks like a fence or like thinking are the answer as they are', async () => {
  const reply = JSON.stringify({ topic: 'x', said: '<think>a</think>\n```json\n{"topic":"y"}\n```' });
  const { result } = await ask(asked, [reply]);
  expect(result).toMatchObject({ output: { data: JSON.parse(reply) as JsonObject } });
});
test('a list between words is read whole', async () => {
  const list = { response_format: { type: 'json_schema', schema: { type: 'array' } } };
  const { result } = await ask(list, ['The list: [{"a":1},{"a":2}]. Done']);
  expect(result).toMatchObject({ output: { data: [{ a: 1 }, { a: 2 }] } });
});
test('a model that is asked to repair its JSON hears where it is wrong', async () => {
  const { requests } = await ask(asked, ['{"topic" "x"}', data]);
  expect(requests[1]?.messages.at(-1)?.content).toMatch(/it is not JSON: .*(position 9|"topic" "x")/);
  const other = await ask(asked, ['{"topic":5}', '{"topic":5}']);
  const where = /does not match the JSON schema: topic: \w+/;
  expect(other.requests[1]?.messages.at(-1)?.content).toMatch(where);
  expect(other.result).toMatchObject({ message: expect.stringMatching(where) });
});
test.each([
  ['refusal', 'I cannot', /refused to answer: I cannot/],
  ['content_filter', '', /content filter/],
])('an answer with the reason %s is not asked for again, and says why', async (finishReason, said, why) => {
  const structured = await ask(asked, [said], { finishReason });
  expect(structured.requests).toHaveLength(1);
  expect(structured.result).toMatchObject({
    code: 'model_refused',
    retryable: false,
    message: expect.stringMatching(why),
  });
  const plain = await ask({}, [said], { finishReason });
  expect(plain.result).toMatchObject({
    output: { content: said, finish_reason: finishReason },
    warnings: [{ code: 'model_refused', message: expect.stringMatching(why) }],
  });
});
test('an answer that fits is taken, whatever the reason for its end', async () => {
  const { result } = await ask(asked, [data], { finishReason: 'content_filter' });
  expect(result).toMatchObject({ output: { data: { topic: 'x' } } });
});
test('numbers in the data keep their digits, as text, with a warning', async () => {
  const integer = { type: 'object', properties: { id: { type: 'integer' } } };
  const { result } = await ask({ response_format: { type: 'json_schema', schema: integer } }, [
    '{"id":9007199254740993}',
  ]);
  expect(result).toMatchObject({
    output: { data: { id: '9007199254740993' } },
    warnings: [{ code: 'number_as_text', paths: ['data.id'] }],
  });
});
test('an answer that does not fit is repaired once; listeners drop its text, and both calls are paid', async () => {
  const { requests, result, said } = await ask(asked, ['{"wrong":1}', '{"topic":"x"}']);
  expect(result).toMatchObject({ output: { data: { topic: 'x' } }, usage: { total_tokens: 10 } });
  expect(said).toEqual(['token:{"wrong":1}', 'reset:retry', 'token:{"topic":"x"}']);
  expect(requests[1]?.messages.slice(-2)).toMatchObject([
    { role: 'assistant', content: '{"wrong":1}' },
    { role: 'user' },
  ]);
});
test.each([
  ['in the middle', '{"topic":'],
  ['behind the first entry of a list, which could be read as the answer', '[{"topic":"x"},{"topic":'],
  ['behind its last character', '{"topic":"x"}'],
])(
  'JSON that was cut off %s is no data: the node fails, and the model is not asked again',
  async (_, reply) => {
    const { requests, result } = await ask(asked, [reply], { finishReason: 'length' });
    expect(requests).toHaveLength(1);
    expect(result).toMatchObject({ code: 'answer_truncated', retryable: false });
  },
);
test('a text that was cut off warns', async () => {
  const { result } = await ask({}, ['Once upon'], { finishReason: 'length' });
  expect(result).toMatchObject({
    output: { content: 'Once upon', finish_reason: 'length' },
    warnings: [{ code: 'answer_truncated', reason: 'length' }],
  });
});
test('an answer that does not fit twice fails for good', async () => {
  const { requests, result } = await ask(asked, ['nope', '{"wrong":1}']);
  expect(result).toMatchObject({ code: 'output_schema_mismatch', retryable: false });
  expect(requests).toHaveLength(2);
});

function memoryOf(known: readonly ModelMessage[]) {
  const calls: unknown[] = [];
  const memory: MemoryPort = {
    read: (...given) => (calls.push(['read', ...given]), Promise.resolve(known)),
    append: (...given) => (calls.push(['append', ...given]), Promise.resolve()),
  };
  return { memory, calls };
}
const known: ModelMessage[] = [
  { role: 'user', content: 'I am Ada' },
  { role: 'assistant', content: 'Hello Ada' },
];

test('the thread comes after the system message; new messages are appended after success', async () => {
  const { memory, calls } = memoryOf(known);
  const { requests } = await ask({ memory: { mode: 'thread' } }, ['hi'], { memory, threadId: 't' });
  expect(requests[0]?.messages.map(({ content }) => content)).toEqual([
    'You label tickets.',
    'I am Ada',
    'Hello Ada',
    '{"a":1}',
  ]);
  expect(calls).toEqual([
    ['read', 'o1', 't', 1_000],
    [
      'append',
      { organizationId: 'o1', threadId: 't' },
      { runPk: 'pk1', stepId: 's1' },
      [
        { role: 'user', content: '{"a":1}' },
        { role: 'assistant', content: 'hi' },
      ],
    ],
  ]);
});
test('a window has its own size, in messages and in tokens, and begins with a message of the user', async () => {
  const thread = [...known, { role: 'user', content: 'Hi' }, { role: 'assistant', content: 'Hm' }] as const;
  const size = { mode: 'window', max_messages: 4, max_tokens: 4 };
  const { memory, calls } = memoryOf(thread);
  const { requests } = await ask({ memory: size }, ['hi'], { memory, threadId: 't' });
  expect(calls[0]).toEqual(['read', 'o1', 't', 4]);
  expect(requests[0]?.messages.map(({ content }) => content)).toEqual([
    'You label tickets.',
    'Hi',
    'Hm',
    '{"a":1}',
  ]);
});
test.each(['', ' \n'])('the answer %j is not remembered, the question is', async (answer) => {
  const { memory, calls } = memoryOf([]);
  await ask({ memory: { mode: 'thread' } }, [answer], { memory, threadId: 't' });
  expect(calls.at(-1)).toMatchObject(['append', {}, {}, [{ role: 'user', content: '{"a":1}' }]]);
});
test('examples among the messages come before the thread, and are not remembered as asked', async () => {
  const { memory, calls } = memoryOf(known);
  const messages = [
    { role: 'system', content: 'Count' },
    { role: 'user', content: '1+1' },
    { role: 'assistant', content: '2' },
    { role: 'user', content: '2+2' },
  ];
  const { requests } = await ask({ messages, memory: { mode: 'thread' } }, ['4'], { memory, threadId: 't' });
  expect(requests[0]?.messages.map(({ content }) => content)).toEqual([
    'Count',
    '1+1',
    '2',
    'I am Ada',
    'Hello Ada',
    '2+2',
  ]);
  expect(calls.at(-1)).toMatchObject(['append', {}, {}, [{ content: '2+2' }, { content: '4' }]]);
});
test('the beginning of an answer that the definition gives is no example', async () => {
  const { memory, calls } = memoryOf([]);
  const messages = [
    { role: 'user', content: '2+2' },
    { role: 'assistant', content: 'It is' },
  ];
  await ask({ messages, memory: { mode: 'thread' } }, [' 4'], { memory, threadId: 't' });
  expect(calls.at(-1)).toMatchObject(['append', {}, {}, [{ content: '2+2' }, { content: ' 4' }]]);
});
test('parts of text are one text, as a template may render them, too', async () => {
  const parts = [
    { type: 'text', text: 'a' },
    { type: 'text', text: '{{text}}' },
  ];
  const { requests } = await ask({ messages: [{ role: 'user', content: parts }] }, ['hi']);
  expect(requests[0]?.messages).toEqual([{ role: 'user', content: 'a\n{"a":1}' }]);
});
test('a failed answer leaves no memory; mode none and a run without a thread touch none', async () => {
  const failed = memoryOf([]);
  await ask({ ...asked, memory: { mode: 'thread' } }, ['a', 'b'], { memory: failed.memory, threadId: 't' });
  expect(failed.calls).toHaveLength(1);
  const none = memoryOf([]);
  await ask({ memory: { mode: 'none' } }, ['hi'], { memory: none.memory, threadId: 't' });
  await ask({ memory: { mode: 'thread' } }, ['hi'], { memory: none.memory });
  expect(none.calls).toEqual([]);
});
test.each([
  [{ ...base, messages: [] }, 'invalid_config messages'],
  [{ ...base, model: '' }, 'invalid_config model'],
  [{ ...base, response_format: { type: 'json_schema' } }, 'invalid_config response_format.schema'],
  [{ ...base, messages: [{ role: 'tool', content: 'x' }] }, 'invalid_config messages.0.role'],
  [
    {
      ...base,
      messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'https://x' } }] }],
    },
    'invalid_config messages.0.content',
  ],
  [
    { ...base, messages: [{ role: 'user', content: { base64: 'AA==' } }] },
    'invalid_config messages.0.content',
  ],
  [{ ...base, messages: [{ role: 'user', content: 7 }] }, 'invalid_config messages.0.content'],
  [{ ...base, messages: [{ role: 'user', content: [] }] }, 'invalid_config messages.0.content'],
])('%j is refused', (config, problem) => {
  expect(listProblems(llm, config as JsonObject)).toEqual([problem]);
});
