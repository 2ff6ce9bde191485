/**
 * Process: a model provider that streams on a clock. Each token is its number and the time it was sent at
 * (`12@1700000000000.123 `), so that a listener can tell how old it is and whether one is missing.
 */
import { createServer, type ServerResponse } from 'node:http';

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, Math.max(0, ms)));
const now = (): number => performance.timeOrigin + performance.now();

/** The prompt says how many tokens at which interval: `tokens=50 every=40`. */
async function stream(prompt: string, response: ServerResponse): Promise<void> {
  const count = Number(/tokens=(\d+)/.exec(prompt)?.[1] ?? 1);
  const everyMs = Number(/every=(\d+)/.exec(prompt)?.[1] ?? 40);
  const send = (delta: object, finishReason: string | null = null): void => {
    const choices = [{ index: 0, delta, finish_reason: finishReason }];
    const chunk = { id: 'bench', object: 'chat.completion.chunk', created: 0, model: 'bench-model', choices };
    response.write(`data: ${JSON.stringify(chunk)}\n\n`);
  };
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  send({ role: 'assistant', content: '' });
  const begun = now();
  for (let token = 0; token < count && !response.destroyed; token += 1) {
    await pause(begun + token * everyMs - now());
    send({ content: `${token}@${now().toFixed(3)} ` });
  }
  send({}, 'stop');
  response.end('data: [DONE]\n\n');
}

const server = createServer((request, response) => {
  let text = '';
  request.on('data', (chunk: Buffer) => (text += chunk.toString()));
  request.on('end', () => {
    if (request.method === 'POST') void stream(text, response);
    else response.end('ready');
  });
});
server.listen(Number(process.env['PORT']), '127.0.0.1');
process.once('SIGTERM', () => process.exit(0));
