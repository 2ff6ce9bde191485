/** A demo without a model of its own would show answers in another form than real models give. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  STAND_IN_MODEL,
  startStandInModel,
  type StandInModel,
} from '../../../src/processes/local/stand-in-model.ts';

let model: StandInModel;
beforeAll(async () => {
  model = await startStandInModel();
});
afterAll(() => model.stop());

const post = (path: string, body: unknown): Promise<Response> =>
  fetch(`${model.baseUrl}${path}`, { method: 'POST', body: JSON.stringify(body) });
const ANSWER = 'This is the local stand-in, not a language model. You asked: two words';
const chat = { model: STAND_IN_MODEL, messages: [{ role: 'user', content: 'two words' }] };

interface Chunk {
  choices: { delta: { content?: string } }[];
  usage?: { total_tokens: number };
}

async function chunks(body: unknown): Promise<{ chunks: Chunk[]; end: string | undefined }> {
  const text = await (await post('/chat/completions', body)).text();
  const lines = text
    .split('\n\n')
    .filter((line) => line !== '')
    .map((line) => line.replace(/^data: /, ''));
  const end = lines.pop();
  return { chunks: lines.map((line) => JSON.parse(line) as Chunk), end };
}

const contentOf = (given: Chunk[]): string =>
  given.map((chunk) => chunk.choices[0]?.delta.content ?? '').join('');

test('a plain answer repeats the prompt, says what it is, and counts usage', async () => {
  const answer = await (await post('/chat/completions', chat)).json();
  expect(answer).toMatchObject({
    choices: [{ message: { role: 'assistant', content: ANSWER }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 2 },
  });
});

test('a stream is the same text in several tokens, ended by [DONE]', async () => {
  const stream = await chunks({ ...chat, stream: true });
  expect(stream.end).toBe('[DONE]');
  expect(contentOf(stream.chunks)).toBe(ANSWER);
  expect(stream.chunks.length).toBeGreaterThan(5);
});

test('usage is streamed only when asked for', async () => {
  const without = await chunks({ ...chat, stream: true });
  const asked = await chunks({ ...chat, stream: true, stream_options: { include_usage: true } });
  expect(without.chunks.some((chunk) => chunk.usage !== undefined)).toBe(false);
  expect(asked.chunks.at(-1)).toMatchObject({ choices: [], usage: { prompt_tokens: 2 } });
});

test('embeddings are unit vectors, nearer for texts that share words', async () => {
  const answer = (await (
    await post('/embeddings', { input: ['the red car', 'a red cart', 'entirely different', '…'] })
  ).json()) as {
    data: { embedding: number[] }[];
  };
  expect(answer.data.map((row) => row.embedding.length)).toEqual([384, 384, 384, 384]);
  const cosine = (a: number[], b: number[]): number =>
    a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0);
  const [car = [], cart = [], other = [], noWords = []] = answer.data.map((row) => row.embedding);
  expect(cosine(car, car)).toBeCloseTo(1, 6);
  expect(cosine(car, cart)).toBeGreaterThan(cosine(car, other));
  expect(Math.hypot(...noWords)).toBeCloseTo(1, 6);
});

test('what it does not speak is refused in the protocol of the provider', async () => {
  expect((await post('/completions', {})).status).toBe(404);
  const broken = await fetch(`${model.baseUrl}/chat/completions`, { method: 'POST', body: '{' });
  expect(broken.status).toBe(400);
  expect((await (await fetch(`${model.baseUrl}/models`)).json()) as object).toMatchObject({ object: 'list' });
});
