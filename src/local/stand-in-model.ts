/**
 * Stands in for a model provider on a developer's machine: speaks the OpenAI protocol over HTTP, streams token by token
 * and counts usage, but it is no language model. It repeats the prompt's words, and its embeddings compare letters only.
 */
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { freePort, wantedPort } from './ports.ts';
import { sleep } from './processes.ts';

export const STAND_IN_MODEL = 'stand-in-model';
export const STAND_IN_EMBEDDING_MODEL = 'stand-in-embedding';

const DIMENSIONS = 384;
const TOKEN_DELAY_MS = 25;
const MAX_BODY_BYTES = 8 * 1_048_576;

export interface StandInModel {
  /** Ends in `/v1`, as MANAGED_LLM_BASE_URL does. */
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

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  const parts: unknown[] = content;
  return parts
    .map((part) => (typeof part === 'object' && part !== null && 'text' in part ? String(part.text) : ''))
    .join(' ');
}

/** Words with the space before them: joined they are the text again. */
const tokensOf = (text: string): string[] => text.match(/\s*\S+/g) ?? [];

/** The answer to a prompt, always the same for the same prompt. */
export function standInAnswer(prompt: string): string {
  const words = prompt.trim().split(/\s+/).slice(0, 40).join(' ');
  return `This is the local stand-in, not a language model. You asked: ${words}`;
}

/** What the Composer is told of its answers; the stand-in knows it by these words. */
const ASKED_FOR_WORKFLOW = '"workflow_schema"';

/** A workflow of one node that repeats what was asked for: enough to see the Composer at work without a model. */
export function standInWorkflow(prompt: string): string {
  const asked = prompt.trim().split(/\s+/).slice(0, 40).join(' ');
  const config = { mode: 'map', fields: { asked: asked.replaceAll('{{', ''), given: '{{input}}' } };
  const definition = {
    metadata: { name: asked.slice(0, 60) },
    nodes: [{ id: 'note', type: 'transformer', name: 'Note', config }],
    edges: [
      { id: 'begin', source: '__start__', target: 'note' },
      { id: 'end', source: 'note', target: '__end__' },
    ],
  };
  const summary = 'The local stand-in is no language model: this workflow only repeats what you asked for.';
  return JSON.stringify({ summary, workflow_schema: definition });
}

/** A unit vector of hashed letter trigrams: texts that share words are near each other. */
export function lexicalVector(text: string, dimensions = DIMENSIONS): number[] {
  const vector = Array.from({ length: dimensions }, () => 0);
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
    const padded = `^${word}$`;
    for (let at = 0; at + 3 <= padded.length; at += 1) {
      const digest = createHash('sha256')
        .update(padded.slice(at, at + 3))
        .digest();
      const index = digest.readUInt32BE(0) % dimensions;
      vector[index] = (vector[index] ?? 0) + (digest.readUInt8(4) % 2 === 0 ? 1 : -1);
    }
  }
  const length = Math.hypot(...vector);
  // Cosine distance is not defined for a text without letters; any fixed direction will do.
  if (length === 0) return vector.map((_, index) => (index === 0 ? 1 : 0));
  return vector.map((value) => value / length);
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

async function sendChat(body: ChatRequest, response: ServerResponse): Promise<void> {
  const messages = body.messages ?? [];
  const lastAsked = messages.filter((message) => message.role === 'user').at(-1);
  const prompt = textOf(lastAsked?.content);
  const composes = messages.some(
    ({ role, content }) => role === 'system' && textOf(content).includes(ASKED_FOR_WORKFLOW),
  );
  const tokens = tokensOf(composes ? standInWorkflow(prompt) : standInAnswer(prompt));
  const asked = messages.reduce((count, message) => count + tokensOf(textOf(message.content)).length, 0);
  const usage = {
    prompt_tokens: asked,
    completion_tokens: tokens.length,
    total_tokens: asked + tokens.length,
  };
  const common = { id: 'chatcmpl-stand-in', created: Math.floor(Date.now() / 1000), model: body.model };
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
  const texts = input.map(textOf);
  const data = texts.map((text, index) => ({ object: 'embedding', index, embedding: lexicalVector(text) }));
  const tokens = texts.reduce((count, text) => count + tokensOf(text).length, 0);
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
  const port = await freePort(wantedPort('LOCAL_MODEL_PORT'));
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    hostPort: `127.0.0.1:${port}`,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
