/** Documents would be embedded with the wrong text or model, or a wrong vector would be stored. */
import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { EmbeddingModel } from '../../../src/platform/knowledge/embedding-port.ts';
import { createLog } from '../../../src/base/log.ts';
import { openEmbeddings } from '../../../src/platform/knowledge/embeddings.ts';
import { Secrets } from '../../../src/platform/credentials/vault/secrets.ts';
import { ByteBudget, type ByteLease } from '../../../src/base/shares/byte-budget.ts';
import { sink, type Sink } from './support.ts';

const KEY = 'CANARY-managed-key';
let provider: Sink;
beforeEach(async () => {
  provider = await sink();
});
afterEach(() => provider.close());

const answer = (response: ServerResponse, status: number, body: unknown, headers = {}): void => {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
};
const vectors = (...given: readonly unknown[]) => ({
  object: 'list',
  data: given.map((embedding, index) => ({ object: 'embedding', index, embedding })),
  usage: { prompt_tokens: 11, total_tokens: 11 },
});

const managed: EmbeddingModel = { provider: 'managed', model: 'm', credentialId: null, dimensions: null };

/** Counts the bytes of the next answers. */
let lease: ByteLease | null = null;

function openPort(configured = true) {
  const managedEmbedding = configured ? { baseUrl: `${provider.base}/v1`, apiKey: KEY, model: 'm' } : null;
  return openEmbeddings({
    config: { managedEmbedding, outboundAllow: [], encryptionKeys: [] },
    // No organization has any credential.
    db: { query: async () => [] },
    log: createLog('silent', 'test'),
  });
}

async function embed(texts: readonly string[], model = managed, configured = true) {
  const port = openPort(configured);
  try {
    const signal = AbortSignal.timeout(5_000);
    return await port
      .createEmbedder(new Secrets(), lease)
      .embed({ organizationId: 'o', model, texts, signal });
  } finally {
    await port.close();
  }
}

test('one call for all texts; the vectors and what they cost', async () => {
  provider.answer = (_, response) => answer(response, 200, vectors([1, 0], [0, 1]));
  expect(await embed(['a', 'b'])).toEqual({
    vectors: [
      [1, 0],
      [0, 1],
    ],
    tokens: 11,
  });
  expect(provider.heard).toHaveLength(1);
  expect(provider.heard[0]).toMatchObject({
    url: '/v1/embeddings',
    headers: { authorization: `Bearer ${KEY}` },
  });
  expect(JSON.parse(provider.heard[0]?.body ?? '')).toMatchObject({ model: 'm', input: ['a', 'b'] });
});

test('SEC-F22: the bytes of an answer are counted on the lease of its work', async () => {
  const budget = new ByteBudget({ capacity: 1_000_000, perOrganization: 1_000_000 });
  lease = budget.open('o');
  const vector = Array.from({ length: 16_000 }, (_, at) => at + 0.123_456);
  provider.answer = (_, response) => answer(response, 200, vectors(vector));
  try {
    await embed(['a']);
    expect(budget.heldBy('o')).toBe(JSON.stringify(vectors(vector)).length - 64 * 1024);
  } finally {
    lease.close();
    lease = null;
  }
});

test('the dimensions that a base has chosen are asked for, and looked for', async () => {
  provider.answer = (_, response) => answer(response, 200, vectors([1, 0]));
  await embed(['a'], { ...managed, dimensions: 2 });
  expect(JSON.parse(provider.heard[0]?.body ?? '')).toMatchObject({ dimensions: 2 });
  await expect(embed(['a'], { ...managed, dimensions: 3 })).rejects.toMatchObject({
    code: 'provider_response_invalid',
    retryable: false,
  });
});

describe('an answer that cannot be used', () => {
  test.each<[string, readonly unknown[]]>([
    ['too few vectors', [[1, 0]]],
    ['too many vectors', [[1], [1], [1]]],
    ['vectors of two lengths', [[1, 0], [1]]],
    ['an empty vector', [[], []]],
    [
      'a number beyond single precision',
      [
        [1, 1e39],
        [1, 0],
      ],
    ],
    [
      'more dimensions than are stored',
      [Array.from({ length: 17_000 }, () => 1), Array.from({ length: 17_000 }, () => 1)],
    ],
    [
      'a number that is none',
      [
        [1, null],
        [1, 0],
      ],
    ],
    ['a text', ['x', 'y']],
  ])('%s', async (_, given) => {
    provider.answer = (__, response) => answer(response, 200, vectors(...given));
    await expect(embed(['a', 'b'])).rejects.toMatchObject({ code: 'provider_response_invalid' });
  });
});

test.each([
  [400, false, null],
  [401, false, null],
  [429, true, 3_000],
  [500, true, null],
])(
  'a %i is told with its status, and whether trying again may help',
  async (status, retryable, retryAfterMs) => {
    const message = `wrong key ${KEY}`;
    provider.answer = (_, response) =>
      answer(response, status, { error: { message } }, retryAfterMs === null ? {} : { 'retry-after': '3' });
    const failure = await embed(['a']).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'model_error', status, retryable, retryAfterMs });
    expect(String(failure)).not.toContain(KEY);
  },
);

test('without a managed model or a credential no request is sent', async () => {
  await expect(embed(['a'], managed, false)).rejects.toMatchObject({ code: 'model_not_configured' });
  const credentialId = '6f0d1c7e-3f0e-4a53-9b0f-2f6f2f1f7a10';
  await expect(embed(['a'], { ...managed, provider: 'openai', credentialId })).rejects.toMatchObject({
    code: 'credential_not_found',
  });
  expect(provider.heard).toEqual([]);
});

test('what is too near to zero for single precision is zero', async () => {
  provider.answer = (_, response) => answer(response, 200, vectors([1, 1e-50, -1e-39]));
  expect((await embed(['a'])).vectors).toEqual([[1, 0, 0]]);
});

describe('vectors are placed by their index', () => {
  const rows = (...given: readonly object[]) => ({
    object: 'list',
    data: given,
    usage: { prompt_tokens: 4 },
  });
  const [first, second] = [
    [1, 0],
    [0, 1],
  ];

  test('in whatever order they come', async () => {
    provider.answer = (_, response) =>
      answer(response, 200, rows({ index: 1, embedding: second }, { index: 0, embedding: first }));
    expect(await embed(['a', 'b'])).toEqual({ vectors: [first, second], tokens: 4 });
  });

  test.each<[string, readonly object[]]>([
    [
      'that is there twice',
      [
        { index: 0, embedding: first },
        { index: 0, embedding: second },
      ],
    ],
    [
      'that is missing',
      [
        { index: 0, embedding: first },
        { index: 2, embedding: second },
      ],
    ],
    ['that one of them lacks', [{ index: 0, embedding: first }, { embedding: second }]],
    [
      'that is negative',
      [
        { index: 0, embedding: first },
        { index: -1, embedding: second },
      ],
    ],
    [
      'that is no whole number',
      [
        { index: 0, embedding: first },
        { index: 0.5, embedding: second },
      ],
    ],
    ['that none of them has', [{ embedding: first }, { embedding: second }]],
  ])('an index %s fails', async (_name, given) => {
    provider.answer = (__, response) => answer(response, 200, rows(...given));
    await expect(embed(['a', 'b'])).rejects.toMatchObject({ code: 'provider_response_invalid' });
  });

  test('one vector for one text needs none', async () => {
    provider.answer = (_, response) => answer(response, 200, rows({ embedding: first }));
    expect((await embed(['a'])).vectors).toEqual([first]);
  });
});

describe('a batch is as large as the endpoint allows', () => {
  const texts = Array.from({ length: 64 }, (_, at) => `text ${at}`);
  const sizes = (): number[] =>
    provider.heard.map(({ body }) => (JSON.parse(body) as { input: string[] }).input.length);
  const inputOf = (body: string): string[] => (JSON.parse(body) as { input: string[] }).input;
  const limited =
    (limit: number, status: number, refusal: unknown) =>
    ({ body }: { readonly body: string }, response: ServerResponse): void => {
      const input = inputOf(body);
      if (input.length > limit) return answer(response, status, refusal);
      return answer(response, 200, vectors(...input.map((text) => [Number(text.slice(5)) + 1, 1])));
    };

  /** Embeds all texts as an ingest does it: what comes back is the vectors of the first. */
  async function embedAll(port: ReturnType<typeof openPort>, model = managed): Promise<number[]> {
    const found: number[] = [];
    while (found.length < texts.length) {
      const request = {
        organizationId: 'o',
        model,
        texts: texts.slice(found.length),
        signal: AbortSignal.timeout(5_000),
      };
      const { vectors: got } = await port.createEmbedder(new Secrets()).embed(request);
      expect(got.length).toBeGreaterThan(0);
      found.push(...got.map(([value = 0]) => value));
    }
    return found;
  }

  test.each<[number, number, unknown, readonly number[]]>([
    [
      10,
      400,
      { error: { message: 'batch size is invalid, it should not be larger than 10.: input.contents' } },
      [64, 10, 10, 10, 10, 10, 10, 4],
    ],
    [25, 400, { error: { message: 'The input array has too many items' } }, [64, 32, 25, 25, 14]],
    [
      32,
      422,
      { error: 'batch size 64 > maximum allowed batch size 32', error_type: 'Validation' },
      [64, 32, 32],
    ],
    [32, 413, 'Payload Too Large', [64, 32, 32]],
    [
      1,
      400,
      { error: { message: 'Only one input is supported: max batch size is 1' } },
      [64, ...texts.map(() => 1)],
    ],
    [64, 400, { error: { message: 'unused' } }, [64]],
  ])('of %i texts, refused with %i %j', async (learned, status, refusal, expected) => {
    provider.answer = limited(learned, status, refusal);
    const port = openPort();
    try {
      expect(await embedAll(port)).toEqual(texts.map((_, at) => at + 1));
      expect(sizes()).toEqual(expected);
      // What was learned is not asked again.
      provider.heard.splice(0);
      await embedAll(port);
      expect(sizes()[0]).toBe(learned);
    } finally {
      await port.close();
    }
  });

  test('a refusal of something else is the failure, at once', async () => {
    provider.answer = (_, response) => answer(response, 400, { error: { message: 'No such model' } });
    await expect(embed(texts)).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('No such model'),
    });
    expect(sizes()).toEqual([64]);
  });

  test('a text that is too long for itself is the failure, and nothing is learned from it', async () => {
    const port = openPort();
    const tooLong = { error: { message: 'Input exceeds the maximum length' } };
    provider.answer = ({ body }, response) =>
      inputOf(body).includes('text 3')
        ? answer(response, 400, tooLong)
        : limited(64, 400, tooLong)({ body }, response);
    try {
      await expect(embedAll(port)).rejects.toMatchObject({ status: 400 });
      provider.answer = limited(64, 400, tooLong);
      provider.heard.splice(0);
      await embedAll(port);
      expect(sizes()).toEqual([64]);
    } finally {
      await port.close();
    }
  });

  test('an answer that is too large is asked for in smaller batches', async () => {
    provider.answer = ({ body }, response) => {
      const input = inputOf(body);
      if (input.length <= 32) return limited(32, 400, {})({ body }, response);
      response.writeHead(200, { 'content-type': 'application/json' });
      return void response.end(' '.repeat(4 * 1024 * 1024 + 1));
    };
    const port = openPort();
    try {
      expect(await embedAll(port)).toEqual(texts.map((_, at) => at + 1));
      expect(sizes()).toEqual([64, 32, 32]);
    } finally {
      await port.close();
    }
  });
});

test.each([
  [{ prompt_tokens: 3, total_tokens: 5 }, 3],
  [{ total_tokens: 5 }, 5],
  [{ prompt_tokens: 'many' }, 0],
  [undefined, 0],
])('a usage of %j counts %i tokens', async (usage, tokens) => {
  provider.answer = (_, response) => answer(response, 200, { ...vectors([1]), usage });
  expect((await embed(['a'])).tokens).toBe(tokens);
});
