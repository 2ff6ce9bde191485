/** A search would return wrong or foreign passages, or charge for an answer that never came. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeCurrent, type DocumentRow } from '../../src/platform/knowledge/documents.ts';
import { startApi, type ApiServer, type Tenant } from '../support/api-server.ts';
import { ingestAll, makeBase, managedBy, uploadText } from '../support/knowledge.ts';
import { embedding, startModelServer, type ModelServer } from '../support/model-server.ts';

let models: ModelServer;
let api: ApiServer;
let tenant: Tenant;
let base: string;

const CATS = 'A cat purrs when it is content.';
const TAX = 'The quarterly tax report is due in April.';
const SHIPS = 'Container ships carry freight across the ocean.';

beforeAll(async () => {
  models = await startModelServer();
  api = await startApi({ ...managedBy(models), OUTBOUND_ALLOW: models.hostPort });
  tenant = await api.tenant();
  base = await makeBase(tenant);
  await uploadText(
    tenant,
    base,
    `${CATS}\n\n# Kittens`,
    { lang: 'en', year: 2024, tags: ['animal', 1], name: 'a cat' },
    'cats.md',
  );
  await uploadText(tenant, base, TAX, { lang: 'en', year: 2025, tags: [], due: '2025-04-01' }, 'tax.txt');
  await uploadText(tenant, base, SHIPS, { lang: 'de', year: 2026 }, 'ships.txt');
  await uploadText(
    tenant,
    base,
    'A ledger of orders.',
    { order: '9007199254740993', weight: '9.5', paid_at: '2030-02-01T00:30:00+01:00', code: 'B7' },
    'orders.txt',
  );
  await ingestAll(api, tenant);
});
afterAll(async () => {
  await api.close();
  await models.close();
});

const search = (body: object, who = tenant, of = base) =>
  who.call('POST', `/knowledge-bases/${of}/search`, { body });

interface Match {
  readonly document_name: string;
  readonly score: number;
  readonly content: string;
}
const find = async (body: object): Promise<Match[]> => {
  const answer = await search(body);
  expect(answer.status, answer.text).toBe(200);
  return answer.body.matches;
};

function cosine(a: readonly number[], b: readonly number[]): number {
  const dot = (x: readonly number[], y: readonly number[]): number =>
    x.reduce((sum, value, at) => sum + value * (y[at] ?? 0), 0);
  return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
}

describe('matches', () => {
  test('are the nearest, best first, each with its cosine similarity', async () => {
    const query = 'the tax report is due';
    const matches = await find({ query });
    expect(matches[0]).toMatchObject({ document_name: 'tax.txt', content: TAX });
    const scores = matches.map(({ score }) => score);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    for (const { content, score } of matches) {
      const wanted = Math.min(1, Math.max(0, cosine(embedding(query), embedding(content))));
      expect(score).toBeCloseTo(wanted, 5);
    }
  });

  test('have the whole shape, or what was asked for of it', async () => {
    const [whole] = await find({ query: CATS, top_k: 1 });
    expect(whole).toEqual({
      chunk_id: expect.any(String),
      document_id: expect.any(String),
      document_name: 'cats.md',
      knowledge_base_id: base,
      chunk_index: 0,
      score: expect.closeTo(1, 5),
      content: CATS,
      chunk_metadata: {},
      doc_metadata: { lang: 'en', year: 2024, tags: ['animal', 1], name: 'a cat' },
      source_url: null,
      token_count: 7,
    });
    const [bare] = await find({ query: CATS, top_k: 1, include_content: false, include_metadata: false });
    const absent = ['content', 'chunk_metadata', 'doc_metadata'];
    expect(Object.keys(bare ?? {}).filter((key) => absent.includes(key))).toEqual([]);
  });

  test('are as many as asked for, and above the threshold', async () => {
    expect(await find({ query: 'x', top_k: 2 })).toHaveLength(2);
    expect((await find({ query: CATS, min_score: 0.99 })).map(({ content }) => content)).toEqual([CATS]);
    const { body } = await search({ query: 'nothing of the kind', min_score: 1 });
    expect(body).toMatchObject({ total_matches: 0, matches: [] });
  });

  test('are of this base alone, and of documents that are through', async () => {
    const other = await makeBase(tenant);
    expect((await search({ query: CATS }, tenant, other)).body.matches).toEqual([]);
    const made = (await uploadText(tenant, other, `${CATS}\n\n${TAX}`)).body;
    await ingestAll(api, tenant);
    await api.deps.db.query(`UPDATE knowledge_documents SET status = 'processing' WHERE id = $1`, [made.id]);
    expect((await search({ query: CATS }, tenant, other)).body.matches).toEqual([]);
  });
});

describe('filters', () => {
  test.each<[string, object, string[]]>([
    ['equality', { lang: 'en' }, ['cats.md', 'cats.md', 'tax.txt']],
    ['equality of numbers', { year: 2024.0 }, ['cats.md', 'cats.md']],
    ['of another type', { year: '2024' }, []],
    ['two conditions', { lang: 'en', year: { op: 'gt', value: 2024 } }, ['tax.txt']],
    [
      'neq, also where there is none',
      { due: { op: 'neq', value: '2025-04-01' } },
      ['cats.md', 'cats.md', 'orders.txt', 'ships.txt'],
    ],
    ['in', { year: { op: 'in', value: [2025, 2026] } }, ['ships.txt', 'tax.txt']],
    ['not_in', { year: { op: 'not_in', value: [2025, 2026] } }, ['cats.md', 'cats.md', 'orders.txt']],
    ['gte and lte', { year: { op: 'gte', value: 2026 } }, ['ships.txt']],
    ['lt', { year: { op: 'lt', value: 2025 } }, ['cats.md', 'cats.md']],
    ['a range of texts', { due: { op: 'lte', value: '2025-12-31' } }, ['tax.txt']],
    ['a number against texts', { lang: { op: 'gt', value: 1 } }, []],
    ['contains of a list', { tags: { op: 'contains', value: 'animal' } }, ['cats.md', 'cats.md']],
    ['contains of a text', { name: { op: 'contains', value: 'cat' } }, ['cats.md', 'cats.md']],
    ['exists', { due: { op: 'exists', value: true } }, ['tax.txt']],
    ['exists without a value', { due: { op: 'exists' } }, ['tax.txt']],
    [
      'exists not',
      { due: { op: 'exists', value: false } },
      ['cats.md', 'cats.md', 'orders.txt', 'ships.txt'],
    ],
    ['digits of long numbers', { order: { op: 'gt', value: '9007199254740992' } }, ['orders.txt']],
    ['digits of long numbers, beyond', { order: { op: 'gt', value: '9007199254740993' } }, []],
    ['a number against a number kept as text', { weight: { op: 'lt', value: 10 } }, ['orders.txt']],
    ['a number kept as text against numbers', { year: { op: 'gte', value: '2026' } }, ['ships.txt']],
    ['timestamps by time', { paid_at: { op: 'lt', value: '2030-02-01T00:00:00Z' } }, ['orders.txt']],
    ['timestamps by time, beyond', { paid_at: { op: 'lt', value: '2030-01-31T23:00:00Z' } }, []],
    ['other texts by character', { code: { op: 'gt', value: 'B10' } }, ['orders.txt']],
    ['of the chunk', { heading: 'Kittens' }, ['cats.md']],
    ['of nobody', { "x' OR true --": 1 }, []],
  ])('%s', async (_, filters, names) => {
    const matches = await find({ query: 'x', filters });
    expect(matches.map(({ document_name: name }) => name).toSorted()).toEqual(names);
  });

  test.each<[string, unknown, (string | number)[]]>([
    ['a list', [], ['filters']],
    ['an unknown op', { a: { op: 'like', value: 1 } }, ['filters', 'a', 'op']],
    ['in without a list', { a: { op: 'in', value: 1 } }, ['filters', 'a', 'value']],
    ['a comparison with an object', { a: { op: 'gt', value: {} } }, ['filters', 'a', 'value']],
    [
      'twenty-one conditions',
      Object.fromEntries(Array.from({ length: 21 }, (__, at) => [`k${at}`, 1])),
      ['filters'],
    ],
  ])('%s is 422', async (_, filters, path) => {
    const { status, body } = await search({ query: 'x', filters });
    expect([status, body.detail[0].loc]).toEqual([422, ['body', ...path]]);
  });
});

describe('versions of a document', () => {
  test('the newest that is completed is found, whichever ends first; an older one is back when it is uploaded again', async () => {
    const own = await makeBase(tenant);
    const names = async (): Promise<string[]> =>
      (await search({ query: 'refund' }, tenant, own)).body.matches
        .map(({ content }: Match) => content)
        .toSorted();
    await uploadText(tenant, own, 'A refund takes 30 days.', {}, 'terms.txt');
    await uploadText(tenant, own, 'A refund needs a receipt.', {}, 'other.txt');
    await ingestAll(api, tenant);
    const both = ['A refund needs a receipt.', 'A refund takes 14 days.'];
    const second = (await uploadText(tenant, own, 'A refund takes 14 days.', {}, 'terms.txt')).body;
    expect(await names()).toEqual(['A refund needs a receipt.', 'A refund takes 30 days.']);
    await ingestAll(api, tenant);
    expect(await names()).toEqual(both);
    const { documents } = (await tenant.call('GET', `/knowledge-bases/${own}/documents`)).body;
    expect(documents.filter((one: { replaced_at?: string }) => one.replaced_at !== undefined)).toMatchObject([
      { name: 'terms.txt', status: 'completed' },
    ]);
    const back = await uploadText(tenant, own, 'A refund takes 30 days.', {}, 'terms.txt');
    expect([back.status, back.body.replaced_at]).toEqual([200, undefined]);
    expect(await names()).toEqual(['A refund needs a receipt.', 'A refund takes 30 days.']);
    await tenant.call('DELETE', `/knowledge-bases/${own}/documents/${second.id}`);
    expect(await names()).toEqual(['A refund needs a receipt.', 'A refund takes 30 days.']);
  });

  test('one that ends after a version that was uploaded later is not found', async () => {
    const own = await makeBase(tenant);
    await uploadText(tenant, own, 'Old terms.', {}, 'terms.txt');
    await ingestAll(api, tenant);
    await uploadText(tenant, own, 'New terms.', {}, 'terms.txt');
    await ingestAll(api, tenant);
    // As if the first one had been ingested last.
    const [old] = await api.deps.db.query<DocumentRow>(
      `UPDATE knowledge_documents SET replaced_at = NULL WHERE knowledge_base_id = $1 AND replaced_at IS NOT NULL RETURNING *`,
      [own],
    );
    await api.deps.db.transaction((tx) => makeCurrent(tx, old!, false));
    const { matches } = (await search({ query: 'terms' }, tenant, own)).body;
    expect(matches.map(({ content }: Match) => content)).toEqual(['New terms.']);
  });
});

describe('the bill', () => {
  let payer: Tenant;
  let own: string;
  const use = (credits: number) =>
    api.deps.db.query('UPDATE credit_accounts SET used_mc = $2 WHERE organization_id = $1', [
      payer.org,
      credits * 1_000,
    ]);
  const account = async (): Promise<unknown> => (await payer.call('GET', '/subscriptions')).body.credits;
  const searches = (): number => models.requests.filter(({ path }) => path === '/v1/embeddings').length;
  beforeAll(async () => {
    payer = await api.tenant();
    await api.deps.db.query(`UPDATE organizations SET plan = 'pro' WHERE id = $1`, [payer.org]);
    own = await makeBase(payer);
  });

  test('a search costs a credit', async () => {
    await use(10);
    expect((await search({ query: 'x' }, payer, own)).status).toBe(200);
    expect(await account()).toMatchObject({ used: 11, reserved: 0 });
    const { body } = await payer.call('GET', `/knowledge-bases/${own}`);
    expect(body.stats.searches_30d).toBe(1);
  });

  test.each([
    [400, 502],
    [401, 502],
    [500, 503],
    [429, 503],
  ])('one whose model answers %i gives it back, and is %i', async (status, answered) => {
    await use(4_999);
    models.scriptEmbeddings({ status, retryAfter: 7 });
    const failed = await search({ query: 'x' }, payer, own);
    expect(failed.status).toBe(answered);
    expect(failed.headers.get('retry-after')).toBe(answered === 503 ? '7' : null);
    expect(failed.text).not.toContain('managed-embedding-key');
    expect(await account()).toMatchObject({ used: 4_999, reserved: 0 });
    expect((await search({ query: 'x' }, payer, own)).status).toBe(200);
  });

  test('SEC-K04: without credits no vector is requested', async () => {
    await use(5_000);
    const before = searches();
    const { status, body } = await search({ query: 'x' }, payer, own);
    expect([status, body]).toMatchObject([402, { code: 'wallet_overage_disabled', layer: 'wallet' }]);
    expect(Object.keys(body).toSorted()).toEqual(['code', 'current', 'key', 'layer', 'limit', 'reason']);
    expect(searches()).toBe(before);
  });

  test('of ten at once with a credit for one, one is answered', async () => {
    await use(4_999);
    const answers = await Promise.all(Array.from({ length: 10 }, () => search({ query: 'x' }, payer, own)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 402)).toHaveLength(9);
    expect(await account()).toMatchObject({ used: 5_000, reserved: 0 });
  });

  test('a base on an account of the organization is free, and searched with its key', async () => {
    await use(0);
    const data = { api_key: 'sk-of-the-organization', base_url: models.baseUrl };
    const stored = await payer.call('POST', '/credentials', {
      body: { name: 'E', integration: 'openai', auth_type: 'api_key', data },
    });
    const config = { credential_id: stored.body.credential_id, embedding_config: { model: 'mine' } };
    const free = await makeBase(payer, config);
    await uploadText(payer, free, CATS);
    await ingestAll(api, payer);
    await use(5_000);
    expect((await search({ query: CATS }, payer, free)).body.total_matches).toBe(1);
    expect(models.requests.at(-1)).toMatchObject({
      headers: { authorization: 'Bearer sk-of-the-organization' },
      body: { model: 'mine', input: [CATS] },
    });
    expect(await account()).toMatchObject({ used: 5_000 });
  });

  test('a vector of another length than those of the base is 502', async () => {
    models.scriptEmbeddings({ dimension: 5 });
    const { status, body } = await search({ query: 'x' });
    expect([status, body.detail]).toEqual([
      502,
      'The embedding model returns 5 dimensions, the knowledge base has 32',
    ]);
  });
});
