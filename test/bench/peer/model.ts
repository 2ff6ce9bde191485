/**
 * Process: a model provider that streams on a clock. Each token is its number and the time it was sent at
 * (`12@1700000000000.123 `), so that a listener can tell how old it is and whether one is missing. It embeds, too.
 */
import { createServer, type ServerResponse } from 'node:http';

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, Math.max(0, ms)));
const now = (): number => performance.timeOrigin + performance.now();

/** Streams that wait for one another, by how many there shall be. */
const companies = new Map<number, (() => void)[]>();

/**
 * Resolves once so many streams are there, as far from one another as their number divides the interval: they speak at
 * the same time, but not in step.
 */
async function together(streams: number, everyMs: number): Promise<void> {
  const waiting = companies.get(streams) ?? [];
  companies.set(streams, waiting);
  const place = waiting.length;
  await new Promise<void>((resolve) => {
    waiting.push(resolve);
    if (waiting.length < streams) return;
    companies.delete(streams);
    for (const begin of waiting) begin();
  });
  await pause((place * everyMs) / streams);
}

/** The prompt says how many tokens at which interval, and how many streams shall begin together: `tokens=50 every=40 together=1`. */
async function stream(prompt: string, response: ServerResponse): Promise<void> {
  const asked = (name: string, otherwise: number): number =>
    Number(new RegExp(`${name}=(\\d+)`).exec(prompt)?.[1] ?? otherwise);
  const count = asked('tokens', 1);
  const everyMs = asked('every', 40);
  const send = (delta: object, finishReason: string | null = null): void => {
    const choices = [{ index: 0, delta, finish_reason: finishReason }];
    const chunk = { id: 'bench', object: 'chat.completion.chunk', created: 0, model: 'bench-model', choices };
    response.write(`data: ${JSON.stringify(chunk)}\n\n`);
  };
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  send({ role: 'assistant', content: '' });
  await together(asked('together', 1), everyMs);
  const begun = now();
  for (let token = 0; token < count && !response.destroyed; token += 1) {
    await pause(begun + token * everyMs - now());
    send({ content: `${token}@${now().toFixed(3)} ` });
  }
  send({}, 'stop');
  response.end('data: [DONE]\n\n');
}

const DIMENSION = 384;

/** A vector without a meaning, the same for the same text. */
function vectorOf(text: string): number[] {
  let state = 2_166_136_261;
  for (const letter of text) state = Math.imul(state ^ letter.charCodeAt(0), 16_777_619);
  return Array.from({ length: DIMENSION }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    return state / 2 ** 31;
  });
}

function embed(body: string, response: ServerResponse): void {
  const { input } = JSON.parse(body) as { readonly input: readonly string[] };
  const data = input.map((text, index) => ({ object: 'embedding', index, embedding: vectorOf(text) }));
  const usage = { prompt_tokens: input.length, total_tokens: input.length };
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ object: 'list', data, model: 'bench-embedding', usage }));
}

const server = createServer((request, response) => {
  let text = '';
  request.on('data', (chunk: Buffer) => (text += chunk.toString()));
  request.on('end', () => {
    if (request.url?.endsWith('/embeddings') === true) embed(text, response);
    else if (request.method === 'POST') void stream(text, response);
    else response.end('ready');
  });
});
server.listen(Number(process.env['PORT']), '127.0.0.1');
process.once('SIGTERM', () => process.exit(0));
