/**
 * A model provider on loopback that answers what the test scripted: OpenAI-compatible (/v1/chat/completions,
 * /v1/embeddings) and Anthropic (/v1/messages), plain and streamed, with tool calls, usage and errors. Answers are
 * taken from the script in order; the last one repeats.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sleep } from './waiting.ts';

export interface ScriptedToolCall {
  readonly id: string;
  readonly name: string;
  /** A text is sent as it is: not always JSON. */
  readonly arguments: Readonly<Record<string, unknown>> | string;
}
export interface ScriptedAnswer {
  /** The text, in the pieces that streaming sends. */
  readonly text?: readonly string[];
  readonly toolCalls?: readonly ScriptedToolCall[];
  readonly usage?: { readonly input: number; readonly output: number };
  /** The answer waits for it. */
  readonly after?: Promise<void>;
  /** Before each piece. */
  readonly delayMs?: number;
  /** An error status instead of an answer. */
  readonly status?: number;
  readonly retryAfter?: number;
  /** In OpenAI's protocol; by default `stop`, or `tool_calls`. */
  readonly finishReason?: string;
  /** The connection breaks after the pieces, before the end of the answer. */
  readonly breaks?: boolean;
}
export interface ScriptedEmbedding {
  /** An error status instead of vectors. */
  readonly status?: number;
  readonly retryAfter?: number;
  /** Vectors that are cut to this length. */
  readonly dimension?: number;
  /** Until it resolves nothing is answered. */
  readonly after?: Promise<void>;
}
export interface ModelRequest {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Readonly<Record<string, unknown>>;
  aborted: boolean;
}
export interface ModelServer {
  /** Ends in `/v1`, as base URLs of providers do. */
  readonly baseUrl: string;
  readonly hostPort: string;
  readonly requests: readonly ModelRequest[];
  /** Replaces the script. */
  script(...answers: readonly ScriptedAnswer[]): void;
  /** Replaces the script by a choice for each request: of runs that go on at the same time each gets its own answers. */
  scriptBy(choose: (body: ModelRequest['body']) => ScriptedAnswer): void;
  /** What the next calls for vectors get; then vectors again. */
  scriptEmbeddings(...answers: readonly ScriptedEmbedding[]): void;
  close(): Promise<void>;
}

const DEFAULT_ANSWER: ScriptedAnswer = { text: ['Hello', ' ', 'world'] };
const DEFAULT_USAGE = { input: 7, output: 3 };

type Stream = AsyncGenerator<string>;
const textOf = (given: ScriptedToolCall['arguments']): string =>
  typeof given === 'string' ? given : JSON.stringify(given);
const data = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`;
const event = (value: { readonly type: string; readonly [field: string]: unknown }): string =>
  `event: ${value.type}\n${data(value)}`;

function openAiPlain(answer: ScriptedAnswer, model: unknown): unknown {
  const { input, output } = answer.usage ?? DEFAULT_USAGE;
  const calls = answer.toolCalls ?? [];
  const toolCalls = calls.map((call) => ({
    id: call.id,
    type: 'function',
    function: { name: call.name, arguments: textOf(call.arguments) },
  }));
  return {
    id: 'chatcmpl-test',
    object: 'chat.completion',
    created: 0,
    model,
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: answer.text?.join('') ?? null,
          ...(calls.length > 0 ? { tool_calls: toolCalls } : {}),
        },
        finish_reason: answer.finishReason ?? (calls.length > 0 ? 'tool_calls' : 'stop'),
      },
    ],
    usage: { prompt_tokens: input, completion_tokens: output, total_tokens: input + output },
  };
}

async function* openAiStream(answer: ScriptedAnswer, body: ModelRequest['body']): Stream {
  const head = { id: 'chatcmpl-test', object: 'chat.completion.chunk', created: 0, model: body['model'] };
  const chunk = (delta: unknown, finishReason: string | null = null): string =>
    data({ ...head, choices: [{ index: 0, delta, finish_reason: finishReason }] });
  yield chunk({ role: 'assistant', content: '' });
  for (const piece of answer.text ?? []) {
    await sleep(answer.delayMs ?? 0);
    yield chunk({ content: piece });
  }
  const calls = answer.toolCalls ?? [];
  for (const [index, call] of calls.entries()) {
    const given = { name: call.name, arguments: textOf(call.arguments) };
    yield chunk({ tool_calls: [{ index, id: call.id, type: 'function', function: given }] });
  }
  if (answer.breaks === true) return;
  yield chunk({}, answer.finishReason ?? (calls.length > 0 ? 'tool_calls' : 'stop'));
  const options = body['stream_options'] as { include_usage?: boolean } | undefined;
  if (options?.include_usage === true) {
    const { input, output } = answer.usage ?? DEFAULT_USAGE;
    const usage = { prompt_tokens: input, completion_tokens: output, total_tokens: input + output };
    yield data({ ...head, choices: [], usage });
  }
  yield 'data: [DONE]\n\n';
}

function anthropicBlocks(answer: ScriptedAnswer): readonly Record<string, unknown>[] {
  const text = answer.text === undefined ? [] : [{ type: 'text', text: answer.text.join('') }];
  const calls = (answer.toolCalls ?? []).map((call) => ({
    type: 'tool_use',
    id: call.id,
    name: call.name,
    input: call.arguments,
  }));
  return [...text, ...calls];
}

function anthropicPlain(answer: ScriptedAnswer, model: unknown): unknown {
  const { input, output } = answer.usage ?? DEFAULT_USAGE;
  return {
    id: 'msg_test',
    type: 'message',
    role: 'assistant',
    model,
    content: anthropicBlocks(answer),
    stop_reason: (answer.toolCalls ?? []).length > 0 ? 'tool_use' : 'end_turn',
    stop_sequence: null,
    usage: { input_tokens: input, output_tokens: output },
  };
}

async function* anthropicStream(answer: ScriptedAnswer, body: ModelRequest['body']): Stream {
  const { input, output } = answer.usage ?? DEFAULT_USAGE;
  const calls = answer.toolCalls ?? [];
  const whole = anthropicPlain(answer, body['model']) as Record<string, unknown>;
  const usage = { input_tokens: input, output_tokens: 0 };
  yield event({ type: 'message_start', message: { ...whole, content: [], stop_reason: null, usage } });
  let index = 0;
  if (answer.text !== undefined) {
    yield event({ type: 'content_block_start', index, content_block: { type: 'text', text: '' } });
    for (const text of answer.text) {
      await sleep(answer.delayMs ?? 0);
      yield event({ type: 'content_block_delta', index, delta: { type: 'text_delta', text } });
    }
    yield event({ type: 'content_block_stop', index });
    index += 1;
  }
  for (const call of calls) {
    const block = { type: 'tool_use', id: call.id, name: call.name, input: {} };
    yield event({ type: 'content_block_start', index, content_block: block });
    const delta = { type: 'input_json_delta', partial_json: textOf(call.arguments) };
    yield event({ type: 'content_block_delta', index, delta });
    yield event({ type: 'content_block_stop', index });
    index += 1;
  }
  if (answer.breaks === true) return;
  const delta = { stop_reason: calls.length > 0 ? 'tool_use' : 'end_turn', stop_sequence: null };
  yield event({ type: 'message_delta', delta, usage: { output_tokens: output } });
  yield event({ type: 'message_stop' });
}

export const EMBEDDING_DIMENSION = 32;

/** Counts the words of a text in buckets: the same text has the same vector, texts that share words are near. */
export function embedding(text: string): number[] {
  const vector = Array.from({ length: EMBEDDING_DIMENSION }, () => 0);
  for (const word of text.toLowerCase().match(/\w+/g) ?? []) {
    let hash = 7;
    for (const letter of word) hash = (hash * 31 + letter.charCodeAt(0)) % 1_000_003;
    const at = hash % EMBEDDING_DIMENSION;
    vector[at] = (vector[at] ?? 0) + 1;
  }
  return vector;
}

function sendJson(response: ServerResponse, status: number, body: unknown, headers = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

async function sendStream(response: ServerResponse, stream: Stream, breaks: boolean): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for await (const text of stream) {
    if (response.destroyed) return;
    response.write(text);
  }
  if (breaks) response.destroy();
  else response.end();
}

async function answerChat(
  request: ModelRequest,
  answer: ScriptedAnswer,
  response: ServerResponse,
): Promise<void> {
  await answer.after;
  const isAnthropic = request.path.endsWith('/messages');
  if (answer.status !== undefined) {
    const headers = answer.retryAfter === undefined ? {} : { 'retry-after': String(answer.retryAfter) };
    const error = { type: 'scripted_error', message: 'scripted error' };
    return sendJson(response, answer.status, { type: 'error', error }, headers);
  }
  if (request.body['stream'] === true) {
    const stream = isAnthropic ? anthropicStream(answer, request.body) : openAiStream(answer, request.body);
    return sendStream(response, stream, answer.breaks === true);
  }
  await sleep(answer.delayMs ?? 0);
  const { model } = request.body as { model?: unknown };
  return sendJson(response, 200, isAnthropic ? anthropicPlain(answer, model) : openAiPlain(answer, model));
}

async function answerEmbeddings(
  body: ModelRequest['body'],
  scripted: ScriptedEmbedding | undefined,
  response: ServerResponse,
): Promise<void> {
  await scripted?.after;
  if (scripted?.status !== undefined) {
    const { status, retryAfter } = scripted;
    const headers = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) };
    return sendJson(response, status, { error: { message: 'scripted error' } }, headers);
  }
  const input = Array.isArray(body['input']) ? body['input'].map(String) : [String(body['input'])];
  const vectors = input.map((text) => embedding(text).slice(0, scripted?.dimension));
  const rows = vectors.map((vector, index) => ({ object: 'embedding', index, embedding: vector }));
  const usage = { prompt_tokens: input.length, total_tokens: input.length };
  sendJson(response, 200, { object: 'list', data: rows, model: body['model'], usage });
}

/** Starts the provider on a free port; without a script it says "Hello world". */
export async function startModelServer(): Promise<ModelServer> {
  const requests: ModelRequest[] = [];
  let answers: readonly ScriptedAnswer[] = [DEFAULT_ANSWER];
  let next = 0;
  let choose: ((body: ModelRequest['body']) => ScriptedAnswer) | null = null;
  let vectors: ScriptedEmbedding[] = [];
  const server = createServer((incoming, response) => {
    // The service asks whether the server works, which is no call of a model.
    if (incoming.method === 'GET') return sendJson(response, 404, { error: { message: 'no such list' } });
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of incoming) chunks.push(chunk as Buffer);
      const body = JSON.parse(Buffer.concat(chunks).toString('utf8') || '{}') as ModelRequest['body'];
      const request: ModelRequest = {
        path: incoming.url ?? '',
        headers: incoming.headers,
        body,
        aborted: false,
      };
      requests.push(request);
      response.once('close', () => (request.aborted = !response.writableFinished));
      if (request.path === '/v1/embeddings') return answerEmbeddings(body, vectors.shift(), response);
      if (!['/v1/chat/completions', '/v1/messages'].includes(request.path)) {
        return sendJson(response, 404, { error: { message: `no route ${request.path}` } });
      }
      const answer = choose?.(body) ?? answers[Math.min(next, answers.length - 1)] ?? DEFAULT_ANSWER;
      next += 1;
      return answerChat(request, answer, response);
    })().catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    hostPort: `127.0.0.1:${port}`,
    requests,
    script(...given) {
      answers = given;
      next = 0;
      choose = null;
    },
    scriptBy(given) {
      choose = given;
    },
    scriptEmbeddings(...given) {
      vectors = [...given];
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
