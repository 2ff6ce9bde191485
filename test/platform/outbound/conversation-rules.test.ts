/** A thread would get into a state that a provider refuses, and no later run of it would get an answer. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { agent } from '../../../src/language/nodes/agent/agent.ts';
import { takeTurn, type AgentConfig, type AgentHistory } from '../../../src/language/nodes/agent/agent.ts';
import { llm } from '../../../src/language/nodes/llm/llm.ts';
import type { MemoryPort, ModelMessage, ModelPort } from '../../../src/language/nodes/tools.ts';
import { models } from '../../../src/platform/outbound/models.ts';
import { nodeCall, runNode, type Fakes } from '../../language/nodes/support/node-call.ts';
import { startModelServer, type ModelServer } from '../../support/model-server.ts';

let server: ModelServer;
let port: ModelPort & { close(): Promise<void> };
beforeAll(async () => {
  server = await startModelServer();
  const account = { modelCredential: () => Promise.resolve({ apiKey: 'k', baseUrl: server.baseUrl }) };
  port = models({ managedLlm: null, outboundAllow: [server.hostPort] }, account);
});
afterAll(async () => {
  await port.close();
  await server.close();
});

interface SentMessage {
  readonly role: string;
  readonly content: string | readonly { readonly type: string; readonly text?: string }[] | null;
}
const textsOf = ({ content }: SentMessage): string[] =>
  typeof content === 'string'
    ? [content]
    : (content ?? []).flatMap(({ text }) => (text === undefined ? [] : [text]));

/** What is wrong with a request in the eyes of its provider; empty: nothing. */
type Rule = (body: { readonly system?: unknown; readonly messages: readonly SentMessage[] }) => string[];

const findBlank: Rule = ({ system, messages }) =>
  [...((system ?? []) as { text: string }[]).map(({ text }) => text), ...messages.flatMap(textsOf)].some(
    (text) => text.trim() === '',
  )
    ? ['text content blocks must contain non-whitespace text']
    : [];
const findEmpty: Rule = ({ messages }) =>
  messages.some((message) => textsOf(message).length === 0) ? ['a message has no content'] : [];
const findFirst: Rule = ({ messages }) => {
  const [first] = messages.filter(({ role }) => role !== 'system');
  return first?.role === 'user' ? [] : ['the first message must be of the user'];
};
const findLast: Rule = ({ messages }) =>
  messages.at(-1)?.role === 'user' ? [] : ['the last message must be of the user'];
/** The chat templates of Mistral, Gemma and others in vLLM and llama.cpp. */
const findTurns: Rule = ({ messages }) => {
  const turns = messages.filter(({ role }) => role !== 'system');
  return turns.some(({ role }, at) => role !== (at % 2 === 0 ? 'user' : 'assistant'))
    ? ['conversation roles must alternate user/assistant']
    : [];
};

const PROVIDERS: readonly (readonly [string, string, readonly Rule[]])[] = [
  ['Anthropic', 'anthropic', [findBlank, findEmpty, findFirst, findLast]],
  ['OpenAI', 'openai', [findEmpty, findFirst, findLast]],
  ['Gemini, by its OpenAI protocol', 'google', [findBlank, findEmpty, findFirst, findLast]],
  ['a template that wants turns', 'vllm', [findBlank, findEmpty, findFirst, findLast, findTurns]],
];

const user = (content: string): ModelMessage => ({ role: 'user', content });
const assistant = (content: string): ModelMessage => ({ role: 'assistant', content });
const THREADS: readonly (readonly [string, readonly ModelMessage[]])[] = [
  ['nothing', []],
  ['a turn', [user('I am Ada'), assistant('Hello Ada')]],
  ['an empty answer', [user('I am Ada'), assistant(''), user('Well?'), assistant('Hello')]],
  ['an answer of blanks', [user('I am Ada'), assistant(' \n')]],
  ['a question without an answer', [user('I am Ada')]],
  ['an empty question', [user(''), assistant('Hello'), user('Hi'), assistant('Hm')]],
  ['the end of a turn alone', [assistant('Hello Ada'), user('Hi'), assistant('Hm')]],
  ['answers alone', [assistant('Hello'), assistant('Ada')]],
  ['two of each', [user('a'), user('b'), assistant('c'), assistant('d')]],
];
const PROMPTS: readonly (readonly [string, readonly ModelMessage[]])[] = [
  ['a question', [user('Who am I?')]],
  ['a system message', [{ role: 'system', content: 'Be kind' }, user('Who am I?')]],
  ['an empty system message', [{ role: 'system', content: '{{none}}' }, user('Who am I?')]],
  ['examples', [user('1+1'), assistant('2'), user('Who am I?')]],
];

const memoryOf = (known: readonly ModelMessage[]): MemoryPort => ({
  read: () => Promise.resolve(known),
  append: () => Promise.resolve(),
});
const fakes = (known: readonly ModelMessage[]): Fakes => ({
  roots: { none: '' },
  threadId: 't',
  memory: memoryOf(known),
  model: (request) => port.complete(request),
});

test.each(
  PROVIDERS.flatMap(([name, provider, rules]) =>
    THREADS.flatMap(([thread, known]) =>
      PROMPTS.map(([prompt, messages]) => ({ name, provider, rules, thread, known, prompt, messages })),
    ),
  ),
)('$name takes $prompt after a thread with $thread', async ({ provider, rules, known, messages }) => {
  const config = {
    provider,
    model: 'm',
    credential_id: '00000000-0000-4000-8000-000000000000',
    messages: messages as never,
    memory: { mode: 'thread' },
  };
  await runNode(llm, config, fakes(known));
  const body = server.requests.at(-1)?.body as never;
  expect(rules.flatMap((rule) => rule(body))).toEqual([]);
  const sent = JSON.stringify(body);
  for (const { content } of known.filter(({ role }) => role === 'user')) expect(sent).toContain(content);
});

test.each(PROVIDERS)('%s takes the correction of an empty answer', async (_, provider, rules) => {
  const config = {
    provider,
    model: 'm',
    credential_id: '00000000-0000-4000-8000-000000000000',
    messages: [user('Who am I?')] as never,
    response_format: { type: 'json_object' },
  };
  server.script({ text: [''] }, { text: ['{}'] });
  await runNode(llm, config, fakes([]));
  const body = server.requests.at(-1)?.body as never;
  expect(rules.filter((rule) => rule !== findTurns).flatMap((rule) => rule(body))).toEqual([]);
  const read = agent.parse(config);
  if ('problems' in read) throw new Error(JSON.stringify(read.problems));
  const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
  const past: AgentHistory = {
    opening: { own: [user('Who am I?')], messages: [user('Who am I?')], tools: [] },
    turns: [{ content: '', calls: [], correction: 'That is no JSON', usage, hasRefusal: false }],
    toolCalls: [],
  };
  server.script({ text: ['{}'] });
  await takeTurn(nodeCall(read.config as AgentConfig, fakes([])), past);
  const turn = server.requests.at(-1)?.body as never;
  expect(rules.filter((rule) => rule !== findTurns).flatMap((rule) => rule(turn))).toEqual([]);
});
