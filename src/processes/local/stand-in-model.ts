/**
 * Local stand-in for a model provider: speaks OpenAI's protocol, streams tokens and counts usage, but is not a language model.
 * It repeats the words of the prompt, and its embeddings compare letters only.
 */
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { systemClock } from '../../base/clock.ts';
import { listenOnFreePort, readPort } from './ports.ts';
import { sleep } from './processes.ts';

export const STAND_IN_MODEL = 'stand-in-model';
export const STAND_IN_EMBEDDING_MODEL = 'stand-in-embedding';

const DIMENSIONS = 384;
const TOKEN_DELAY_MS = 25;
const MAX_BODY_BYTES = 8 * 1_048_576;

export interface StandInModel {
  /** Ends in `/v1`, like MANAGED_LLM_BASE_URL. */
  readonly baseUrl: string;
  readonly hostPort: string;
  stop(): Promise<void>;
}

interface ChatRequest {
  readonly model?: unknown;
  readonly messages?: readonly { readonly role?: unknown; readonly content?: unknown }[];
  readonly stream?: unknown;
  readonly stream_options?: { readonly include_usage?: unknown };
}

function readText(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  const parts: unknown[] = content;
  return parts
    .map((part) => (typeof part === 'object' && part !== null && 'text' in part ? String(part.text) : ''))
    .join(' ');
}

/** Splits into words with their leading space, so that joining restores the text. */
const splitTokens = (text: string): string[] => text.match(/\s*\S+/g) ?? [];

/** Builds the deterministic answer to a prompt. */
function buildAnswer(prompt: string): string {
  const words = prompt.trim().split(/\s+/).slice(0, 40).join(' ');
  return `This is the local stand-in, not a language model. You asked: ${words}`;
}

/** Occurs in the Composer's system prompt, by which the stand-in recognizes its requests. */
const COMPOSER_MARK = '"workflow_schema"';

/** Builds a workflow of one node that repeats the request: enough to try the Composer without a model. */
function buildWorkflow(prompt: string): string {
  const request = prompt.trim().split(/\s+/).slice(0, 40).join(' ');
  const config = { mode: 'map', fields: { request: request.replaceAll('{{', ''), given: '{{input}}' } };
  const definition = {
    metadata: { name: request.slice(0, 60) },
    nodes: [{ id: 'note', type: 'transformer', name: 'Note', config }],
    edges: [
      { id: 'begin', source: '__start__', target: 'note' },
      { id: 'end', source: 'note', target: '__end__' },
    ],
  };
  const summary = 'The local stand-in is not a language model: this workflow only repeats your request.';
  return JSON.stringify({ summary, workflow_schema: definition });
}

/** Builds a unit vector of hashed letter trigrams, so that texts with common words are near each other. */
function buildLexicalVector(text: string): number[] {
  const vector = Array.from({ length: DIMENSIONS }, () => 0);
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
    const padded = `^${word}$`;
    for (let at = 0; at + 3 <= padded.length; at += 1) {
      const digest = createHash('sha256')
        .update(padded.slice(at, at + 3))
        .digest();
      const index = digest.readUInt32BE(0) % DIMENSIONS;
      vector[index] = (vector[index] ?? 0) + (digest.readUInt8(4) % 2 === 0 ? 1 : -1);
    }
  }
  const length = Math.hypot(...vector);
  // Cosine distance is undefined for a zero vector, so a text without letters gets a fixed direction.
  if (length === 0) return vector.map((_, index) => (index === 0 ? 1 : 0));
  return vector.map((value) => value / length);
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

async function sendChat(body: ChatRequest, response: ServerResponse): Promise<void> {
  const messages = body.messages ?? [];
  const lastMessage = messages.filter((message) => message.role === 'user').at(-1);
  const prompt = readText(lastMessage?.content);
  const isComposer = messages.some(
    ({ role, content }) => role === 'system' && readText(content).includes(COMPOSER_MARK),
  );
  const tokens = splitTokens(isComposer ? buildWorkflow(prompt) : buildAnswer(prompt));
  const promptTokens = messages.reduce(
    (count, message) => count + splitTokens(readText(message.content)).length,
    0,
  );
  const usage = {
    prompt_tokens: promptTokens,
    completion_tokens: tokens.length,
    total_tokens: promptTokens + tokens.length,
  };
  const common = {
    id: 'chatcmpl-stand-in',
    created: Math.floor(systemClock.now() / 1000),
    model: body.model,
  };
  if (body.stream !== true) {
    const message = { role: 'assistant', content: tokens.join('') };
    const choices = [{ index: 0, message, finish_reason: 'stop' }];
    return sendJson(response, 200, { ...common, object: 'chat.completion', choices, usage });
  }
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  const send = (choices: unknown[], extra: object = {}): void => {
    const chunk = { ...common, object: 'chat.completion.chunk', choices, ...extra };
    response.write(`data: ${JSON.stringify(chunk)}\n\n`);
  };
  send([{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null }]);
  for (const content of tokens) {
    await sleep(TOKEN_DELAY_MS);
    if (response.destroyed) return;
    send([{ index: 0, delta: { content }, finish_reason: null }]);
  }
  send([{ index: 0, delta: {}, finish_reason: 'stop' }]);
  if (body.stream_options?.include_usage === true) send([], { usage });
  response.end('data: [DONE]\n\n');
}

function sendEmbeddings(
  body: { readonly input?: unknown; readonly model?: unknown },
  response: ServerResponse,
): void {
  const input: unknown[] = Array.isArray(body.input) ? body.input : [body.input];
  const texts = input.map(readText);
  const data = texts.map((text, index) => ({
    object: 'embedding',
    index,
    embedding: buildLexicalVector(text),
  }));
  const tokens = texts.reduce((count, text) => count + splitTokens(text).length, 0);
  sendJson(response, 200, {
    object: 'list',
    data,
    model: body.model,
    usage: { prompt_tokens: tokens, total_tokens: tokens },
  });
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) throw new Error('the body is too large');
    chunks.push(chunk);
  }
  const body: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8') || '{}');
  return typeof body === 'object' && body !== null ? body : {};
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const call = `${request.method} ${request.url}`;
  if (call === 'GET /v1/models') {
    const data = [STAND_IN_MODEL, STAND_IN_EMBEDDING_MODEL].map((name) => ({ id: name, object: 'model' }));
    return sendJson(response, 200, { object: 'list', data });
  }
  if (call !== 'POST /v1/chat/completions' && call !== 'POST /v1/embeddings') {
    return sendJson(response, 404, { error: { message: `no route ${call}`, type: 'invalid_request_error' } });
  }
  const body = (await readJson(request).catch(() => null)) as ChatRequest | null;
  if (body === null) {
    return sendJson(response, 400, { error: { message: 'not JSON', type: 'invalid_request_error' } });
  }
  return call.endsWith('embeddings') ? sendEmbeddings(body, response) : sendChat(body, response);
}

/** Starts the stand-in on loopback. */
export async function startStandInModel(): Promise<StandInModel> {
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  const port = await listenOnFreePort(server, readPort('LOCAL_MODEL_PORT'));
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    hostPort: `127.0.0.1:${port}`,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
