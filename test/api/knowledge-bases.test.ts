/**
 * An organization could use another's knowledge base or account, or a base would change its model after its documents
 * were embedded.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApi, type ApiServer, type Tenant } from '../support/api-server.ts';
import { ingestAll, makeBase, managedBy, uploadText } from '../support/knowledge.ts';
import { startModelServer, type ModelServer } from '../support/model-server.ts';

let models: ModelServer;
let api: ApiServer;
let tenant: Tenant;
let stranger: Tenant;

beforeAll(async () => {
  models = await startModelServer();
  api = await startApi(managedBy(models));
  [tenant, stranger] = await Promise.all([api.tenant(), api.tenant()]);
});
afterAll(async () => {
  await api.close();
  await models.close();
});

const create = (body: object, who = tenant) => who.call('POST', '/knowledge-bases', { body });

async function account(who = tenant, integration = 'openai'): Promise<string> {
  const data =
    integration === 'openai' ? { api_key: 'sk-of-a-test' } : { server_url: 'https://mcp.example.test' };
  const body = { name: 'E', integration, auth_type: integration === 'openai' ? 'api_key' : 'none', data };
  return (await who.call('POST', '/credentials', { body })).body.credential_id;
}

describe('creating', () => {
  test('a managed base has the model of the deployment and the defaults', async () => {
    const { status, body } = await create({ name: 'Handbook', embedding_config: {}, chunking_config: {} });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      organization_id: tenant.org,
      credential_id: null,
      description: '',
      embedding_config: { provider: 'managed', model: 'test-embedding', dimensions: null },
      chunking_config: { strategy: 'recursive', chunk_size: 800, chunk_overlap: 100, unit: 'tokens' },
      document_count: 0,
      total_chunks: 0,
      total_tokens: 0,
      status: 'active',
      stats: { documents_by_status: {}, last_indexed_at: null, storage_bytes: 0, searches_30d: 0 },
    });
    expect((await tenant.call('GET', `/knowledge-bases/${body.id}`)).body).toEqual(body);
  });

  test('a base on an account names it once or twice, but not two', async () => {
    const credential = await account();
    const config = { model: 'text-embedding-3-small', dimensions: 256 };
    for (const body of [
      { name: 'x', credential_id: credential, embedding_config: config },
      { name: 'x', embedding_config: { ...config, credential_id: credential } },
      { name: 'x', credential_id: credential, embedding_config: { ...config, credential_id: credential } },
    ]) {
      const made = await create(body);
      expect(made.body).toMatchObject({
        credential_id: credential,
        embedding_config: { provider: 'openai', ...config, credential_id: credential },
      });
    }
    const two = {
      name: 'x',
      credential_id: credential,
      embedding_config: { ...config, credential_id: await account() },
    };
    expect((await create(two)).status).toBe(422);
  });

  test.each([
    ['a provider without an account', { provider: 'openai' }, 'credential_id'],
    ['another managed model', { model: 'mine' }, 'model'],
    ['too many dimensions', { dimensions: 4_097 }, 'dimensions'],
  ])('%s is 422 at its field', async (_, embedding, field) => {
    const { status, body } = await create({ name: 'x', embedding_config: embedding });
    expect(status).toBe(422);
    expect(body.detail[0].loc).toEqual(['body', 'embedding_config', field]);
  });

  test('an account of something else, without a model, or of a provider without embeddings is 422', async () => {
    const config = { model: 'm' };
    const mcp = await account(tenant, 'mcp');
    const openai = await account();
    expect((await create({ name: 'x', credential_id: mcp, embedding_config: config })).status).toBe(422);
    expect((await create({ name: 'x', credential_id: openai })).status).toBe(422);
    const anthropic = {
      name: 'x',
      credential_id: openai,
      embedding_config: { ...config, provider: 'anthropic' },
    };
    expect((await create(anthropic)).status).toBe(422);
  });

  test('an overlap of more than half a chunk is 422; one that is left out fits', async () => {
    const wrong = await create({ name: 'x', chunking_config: { chunk_size: 100, chunk_overlap: 51 } });
    expect(wrong.body.detail[0]).toMatchObject({ loc: ['body', 'chunking_config', 'chunk_overlap'] });
    const right = await create({ name: 'x', chunking_config: { chunk_size: 80 } });
    expect(right.body.chunking_config).toMatchObject({ chunk_size: 80, chunk_overlap: 10 });
  });

  test('without a managed model a managed base is 503', async () => {
    const bare = await startApi();
    const someone = await bare.tenant();
    const { status, body } = await create({ name: 'x' }, someone);
    await bare.close();
    expect([status, body.detail]).toEqual([503, expect.stringContaining('MANAGED_EMBEDDING_BASE_URL')]);
  });

  test('REL-R61: of twenty at once where one more is allowed, one is made', async () => {
    const someone = await api.tenant();
    await api.deps.db.query(`UPDATE organizations SET plan = 'free' WHERE id = $1`, [someone.org]);
    await makeBase(someone);
    await makeBase(someone);
    const answers = await Promise.all(Array.from({ length: 20 }, () => create({ name: 'x' }, someone)));
    const made = answers.filter(({ status }) => status === 201);
    expect(made).toHaveLength(1);
    const denied = answers.filter(({ status }) => status !== 201);
    for (const { status, body } of denied) {
      expect([status, body]).toEqual([
        403,
        {
          code: 'quota_exceeded',
          layer: 'quota',
          key: 'knowledge_bases',
          current: 3,
          limit: 3,
          reason: 'quota_exceeded',
        },
      ]);
    }
  });
});

describe('of other organizations', () => {
  test('SEC-T11: a base for an organization that is not the caller\u2019s is 403, and is not made', async () => {
    const { status, body } = await create({ name: 'x', organization_id: stranger.org });
    expect([status, body]).toEqual([403, { detail: `User is not a member of organization ${stranger.org}` }]);
    expect((await stranger.call('GET', '/knowledge-bases')).body.knowledge_bases).toEqual([]);
  });

  test('a foreign account and none are the same 404', async () => {
    const config = { model: 'm' };
    const foreign = await create({
      name: 'x',
      credential_id: await account(stranger),
      embedding_config: config,
    });
    const none = await create({ name: 'x', credential_id: crypto.randomUUID(), embedding_config: config });
    expect([foreign.status, foreign.text]).toEqual([404, none.text]);
  });

  test('SEC-T16: a graph with a foreign base is refused, naming the node', async () => {
    const base = await makeBase(stranger);
    const config = { knowledge_base_ids: [base], query: 'x' };
    const agent = {
      provider: 'openai',
      model: 'm',
      messages: [{ role: 'user', content: 'x' }],
      tools: [{ kind: 'knowledge', name: 'docs', knowledge_base_ids: [base] }],
    };
    for (const node of [
      { id: 'look', type: 'knowledge', config },
      { id: 'look', type: 'agent', config: agent },
    ]) {
      const workflow = { nodes: [node], edges: [{ source: '__start__', target: 'look' }] };
      const refused = [400, { detail: 'Node "look": knowledge_base_ids: the knowledge base does not exist' }];
      const run = await tenant.call('POST', '/workflows/run', { body: { workflow } });
      expect([run.status, run.body]).toEqual(refused);
      const saved = await tenant.call('POST', '/workflows', {
        body: { name: 'x', workflow_schema: workflow },
      });
      const deploy = await tenant.call('POST', `/workflows/${saved.body.id}/deploy`);
      expect([deploy.status, deploy.body]).toEqual(refused);
    }
  });
});

describe('listing', () => {
  test('pages by cursor, newest first; a cursor of another list is refused', async () => {
    const someone = await api.tenant();
    const ids: string[] = [];
    for (const name of ['a', 'b', 'c', 'd', 'e']) ids.unshift(await makeBase(someone, { name }));
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const query: string = cursor === null ? '' : `&cursor=${cursor}`;
      const { body } = await someone.call('GET', `/knowledge-bases?limit=2${query}`);
      seen.push(...body.knowledge_bases.map(({ id }: { id: string }) => id));
      cursor = body.next_cursor;
    } while (cursor !== null);
    expect(seen).toEqual(ids);
    const { body } = await someone.call('GET', '/knowledge-bases?limit=2');
    const stolen = await stranger.call('GET', `/knowledge-bases?cursor=${body.next_cursor}`);
    expect([stolen.status, stolen.body.detail]).toEqual([400, 'Invalid cursor']);
  });
});

describe('changing', () => {
  test('the config is free while the base is empty, and fixed with its first document', async () => {
    const base = await makeBase(tenant);
    const patch = (body: object) => tenant.call('PATCH', `/knowledge-bases/${base}`, { body });
    const credential = await account();
    const own = { credential_id: credential, embedding_config: { model: 'm' } };
    expect((await patch({ name: 'y', ...own })).body).toMatchObject({ name: 'y', credential_id: credential });
    expect((await patch({ credential_id: null })).body).toMatchObject({
      embedding_config: { provider: 'managed' },
    });
    expect((await patch({ chunking_config: { chunk_size: 200 } })).body.chunking_config.chunk_size).toBe(200);
    await uploadText(tenant, base, 'A text.');
    for (const body of [
      own,
      { chunking_config: { chunk_size: 300 } },
      { embedding_config: { dimensions: 3 } },
    ])
      expect((await patch(body)).status).toBe(409);
    expect((await patch({ description: 'z', embedding_config: {} })).body.description).toBe('z');
  });

  test('another account of the same model may go on with the vectors that are there', async () => {
    const config = { model: 'm', provider: 'openai' };
    const [first, second] = [await account(), await account()];
    const base = await makeBase(tenant, { credential_id: first, embedding_config: config });
    await uploadText(tenant, base, 'A text.');
    const patch = (body: object) => tenant.call('PATCH', `/knowledge-bases/${base}`, { body });
    expect((await patch({ credential_id: second })).body.credential_id).toBe(second);
    expect((await patch({ credential_id: null })).status).toBe(409);
  });

  test('an account that a base uses is not deleted, and the refusal names the base', async () => {
    const credential = await account();
    const base = await makeBase(tenant, {
      name: 'Mine',
      credential_id: credential,
      embedding_config: { model: 'm' },
    });
    const found = await tenant.call('GET', `/credentials/${credential}`);
    expect(found.body.in_use_by).toEqual({ workflows: 0, knowledge_bases: 1 });
    const refused = await tenant.call('DELETE', `/credentials/${credential}`);
    expect([refused.status, refused.body.detail]).toEqual([
      409,
      'The credential is in use by knowledge base "Mine"',
    ]);
    await tenant.call('DELETE', `/knowledge-bases/${base}`);
    expect((await tenant.call('DELETE', `/credentials/${credential}`)).status).toBe(200);
  });
});

test('deleting a base takes everything with it, and settles what was reserved', async () => {
  const someone = await api.tenant();
  await api.deps.db.query(`UPDATE organizations SET plan = 'pro' WHERE id = $1`, [someone.org]);
  const base = await makeBase(someone);
  await uploadText(someone, base, 'One.\n\nTwo.');
  await ingestAll(api, someone);
  await uploadText(someone, base, 'Another.');
  const reserved = () =>
    api.deps.db.query<{ reserved_mc: number }>(
      'SELECT reserved_mc FROM credit_accounts WHERE organization_id = $1',
      [someone.org],
    );
  expect(await reserved()).toEqual([{ reserved_mc: 1_000 }]);
  expect((await someone.call('DELETE', `/knowledge-bases/${base}`)).status).toBe(200);
  expect(await reserved()).toEqual([{ reserved_mc: 0 }]);
  const left = await api.deps.db.query(
    `SELECT 1 FROM knowledge_documents WHERE organization_id = $1
     UNION ALL SELECT 1 FROM knowledge_chunks WHERE knowledge_base_id = $2`,
    [someone.org, base],
  );
  expect(left).toEqual([]);
  expect((await someone.call('GET', `/knowledge-bases/${base}`)).status).toBe(404);
});
