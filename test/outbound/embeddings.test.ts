/** The embedding port against a provider on loopback: what is sent, what is believed, and what a failure says. */
import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { EmbeddingModel } from '../../src/knowledge/embedding-port.ts';
import { createLog } from '../../src/log.ts';
import { openEmbeddings } from '../../src/knowledge/embeddings.ts';
import { FREE_BYTES } from '../../src/outbound/answer-bytes.ts';
import { Secrets } from '../../src/credentials/vault/secrets.ts';
import { ByteBudget, type ByteLease } from '../../src/shares/byte-budget.ts';
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

async function embed(texts: readonly string[], model = managed, configured = true) {
  const managedEmbedding = configured ? { baseUrl: `${provider.base}/v1`, apiKey: KEY, model: 'm' } : null;
  const port = openEmbeddings({
    config: { managedEmbedding, outboundAllow: [], encryptionKeys: [] },
    // No organization has any credential.
    db: { query: async () => [] },
    log: createLog('silent', 'test'),
  });
  try {
    const signal = AbortSignal.timeout(5_000);
    return await port.embedder(new Secrets(), lease).embed({ organizationId: 'o', model, texts, signal });
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
    expect(budget.heldBy('o')).toBe(JSON.stringify(vectors(vector)).length - FREE_BYTES);
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

test('without a managed model, and without the credential, nobody is called', async () => {
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
