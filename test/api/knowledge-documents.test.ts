/** An uploaded document would be stored twice, lost or charged wrongly, or fail without saying why. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { failDocument } from '../../src/platform/knowledge/ingest.ts';
import { startApi, type ApiServer, type Tenant } from '../support/api-server.ts';
import { filePart, ingestAll, makeBase, managedBy, upload, uploadText } from '../support/knowledge.ts';
import { startModelServer, type ModelServer } from '../support/model-server.ts';

let models: ModelServer;
let api: ApiServer;
let tenant: Tenant;
let base: string;

beforeAll(async () => {
  models = await startModelServer();
  api = await startApi(managedBy(models));
});
afterAll(async () => {
  await api.close();
  await models.close();
});

async function fresh(plan = 'enterprise'): Promise<void> {
  tenant = await api.tenant();
  await api.deps.db.query('UPDATE organizations SET plan = $2 WHERE id = $1', [tenant.org, plan]);
  base = await makeBase(tenant);
}

const record = async () => (await tenant.call('GET', `/knowledge-bases/${base}`)).body;
const documentPath = (id: string): string => `/knowledge-bases/${base}/documents/${id}`;
const find = async (id: string) => (await tenant.call('GET', documentPath(id))).body;

async function money(): Promise<{ used: number; reserved: number }> {
  const { body } = await tenant.call('GET', '/subscriptions');
  return { used: body.credits.used, reserved: body.credits.reserved };
}

/** What the counts say, and what is really there. */
async function counts(): Promise<{ said: object; real: object }> {
  const { document_count: documents, total_chunks: chunks, total_tokens: tokens } = await record();
  const [real] = await api.deps.db.query(
    `SELECT (SELECT count(*) FROM knowledge_documents WHERE knowledge_base_id = $1) AS documents, count(*) AS chunks,
            coalesce(sum(token_count), 0)::bigint AS tokens FROM knowledge_chunks WHERE knowledge_base_id = $1`,
    [base],
  );
  return { said: { documents, chunks, tokens }, real: real ?? {} };
}

describe('an upload', () => {
  test('is stored, then taken in, and its counts are those of its rows', async () => {
    await fresh();
    const text = '# One\n\nTwo words here.\n\nThree.';
    const made = await uploadText(tenant, base, text, { lang: 'en', year: 2026 }, 'guide.md');
    expect(made.status).toBe(202);
    expect(made.body).toMatchObject({
      knowledge_base_id: base,
      name: 'guide.md',
      source_type: 'upload',
      mime_type: 'text/markdown',
      size_bytes: text.length,
      content_hash: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
      status: 'pending',
      progress: { chunks_done: 0, chunks_total: null },
      error: null,
      doc_metadata: { lang: 'en', year: 2026 },
      attempts: 1,
      completed_at: null,
    });
    expect((await record()).status).toBe('indexing');
    await ingestAll(api, tenant);
    expect(await find(made.body.id)).toMatchObject({
      status: 'completed',
      stage: null,
      progress: { chunks_done: 3, chunks_total: 3 },
      chunk_count: 3,
      completed_at: expect.any(String),
    });
    const { said, real } = await counts();
    expect(said).toEqual(real);
    expect(said).toMatchObject({ documents: 1, chunks: 3 });
    expect(await record()).toMatchObject({ status: 'active', stats: { storage_bytes: text.length } });
    const page = (await tenant.call('GET', `${documentPath(made.body.id)}/chunks?limit=2&offset=1`)).body;
    expect(page).toMatchObject({ has_more: false, limit: 2, offset: 1 });
    expect(page.chunks).toMatchObject([
      { chunk_index: 1, content: 'Two words here.', chunk_metadata: {} },
      { chunk_index: 2, content: 'Three.' },
    ]);
  });

  test('SEC-K17: of the same content, also twice at once, is the same document', async () => {
    await fresh();
    const answers = await Promise.all([uploadText(tenant, base, 'Same.'), uploadText(tenant, base, 'Same.')]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 202]);
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    expect((await uploadText(tenant, base, 'Same.', {}, 'other.txt')).status).toBe(200);
    expect((await record()).document_count).toBe(1);
    const other = await makeBase(tenant);
    expect((await uploadText(tenant, other, 'Same.')).status).toBe(202);
  });

  test('of the same content with new metadata, or a name, has them from now on', async () => {
    await fresh();
    const first = (await uploadText(tenant, base, 'Same.', { lang: 'en', year: 2025 })).body;
    const again = await uploadText(tenant, base, 'Same.', { lang: 'de' });
    expect([again.status, again.body.id, again.body.doc_metadata]).toEqual([200, first.id, { lang: 'de' }]);
    expect((await find(first.id)).doc_metadata).toEqual({ lang: 'de' });
    const renamed = await upload(tenant, base, filePart('Same.', 'b.txt'), { name: 'Über uns' });
    expect(renamed.body).toMatchObject({ id: first.id, name: 'Über uns', doc_metadata: { lang: 'de' } });
    const plain = await upload(tenant, base, filePart('Same.', 'c.txt'));
    expect(plain.body).toMatchObject({ name: 'Über uns', doc_metadata: { lang: 'de' } });
    expect(plain.body.updated_at).toBe(renamed.body.updated_at);
    expect((await uploadText(tenant, base, 'Same.', {})).body.doc_metadata).toEqual({});
  });

  test('of stored content with other chunking is rejected and changes nothing', async () => {
    await fresh();
    const size = (chunk_size: number) => ({
      chunking_config: JSON.stringify({ chunk_size }),
      name: `${chunk_size}`,
    });
    const first = await upload(tenant, base, filePart('Same.'), size(100));
    expect((await upload(tenant, base, filePart('Same.'), size(100))).status).toBe(200);
    const other = await upload(tenant, base, filePart('Same.'), size(200));
    expect([other.status, other.body.detail]).toEqual([
      409,
      expect.stringContaining('split into other chunks'),
    ]);
    expect((await find(first.body.id)).name).toBe('100');
  });

  test.each([
    ['doc_metadata', '{bad', ['body', 'doc_metadata', 1], 'json_invalid'],
    ['doc_metadata', `${'['.repeat(80)}${']'.repeat(80)}`, ['body', 'doc_metadata'], 'json_depth'],
    ['doc_metadata', '{"__proto__": 1}', ['body', 'doc_metadata'], 'key_forbidden'],
    ['doc_metadata', '[]', ['body', 'doc_metadata'], 'dict_type'],
    ['chunking_config', 'x', ['body', 'chunking_config', 0], 'json_invalid'],
    ['chunking_config', '{"chunk_size": 1}', ['body', 'chunking_config', 'chunk_size'], 'greater_than_equal'],
  ])('of which %s is %s is refused at that field', async (field, text, loc, type) => {
    const refused = await upload(tenant, base, filePart('x'), { [field]: text });
    expect([refused.status, refused.body.detail]).toMatchObject([422, [{ loc, type }]]);
  });

  test('in an encoding that nobody can tell is refused in words', async () => {
    await fresh();
    const refused = await upload(tenant, base, filePart(Buffer.from('Grüße', 'latin1')));
    expect([refused.status, refused.body.detail[0]]).toMatchObject([
      422,
      { type: 'file_type_unsupported', msg: expect.stringContaining('UTF-8') },
    ]);
    expect((await upload(tenant, base, filePart(Buffer.from('\uFEFFGrüße', 'utf16le')))).status).toBe(202);
  });

  test('takes a name of its own, and another way to cut', async () => {
    await fresh();
    const fields = { name: 'Über uns', chunking_config: '{"chunk_size": 100}' };
    const made = await upload(tenant, base, filePart('x', '../../etc/passwd'), fields);
    expect(made.body.name).toBe('Über uns');
    const plain = await upload(tenant, base, filePart('y', '..\\..\\C:\\secret\u0007.txt'));
    expect(plain.body.name).toBe('secret.txt');
  });

  test('lists by cursor and by status', async () => {
    await fresh();
    const ids: string[] = [];
    for (const text of ['a', 'b', 'c']) ids.unshift((await uploadText(tenant, base, text)).body.id);
    const list = async (query: string) =>
      (await tenant.call('GET', `/knowledge-bases/${base}/documents?${query}`)).body;
    const first = await list('limit=2');
    const second = await list(`limit=2&cursor=${first.next_cursor}`);
    const idsOf = (page: { documents: { id: string }[] }) => page.documents.map(({ id }) => id);
    expect([...idsOf(first), ...idsOf(second)]).toEqual(ids);
    expect(second.next_cursor).toBeNull();
    expect(idsOf(await list('status=completed'))).toEqual([]);
    expect(idsOf(await list('status=pending'))).toEqual(ids);
  });
});

describe('a failed document', () => {
  test('says why, leaves nothing behind, and may be tried again; others may not', async () => {
    await fresh();
    const { id } = (await uploadText(tenant, base, 'A text.')).body;
    expect((await tenant.call('POST', `${documentPath(id)}/retry`)).status).toBe(409);
    const ref = { organizationId: tenant.org, documentId: id, attempt: 1 };
    const error = { code: 'damaged', message: 'It is damaged' };
    expect(await failDocument(api.deps.db, ref, error)).toBe(true);
    expect(await failDocument(api.deps.db, ref, error)).toBe(false);
    expect(await find(id)).toMatchObject({ status: 'failed', error, chunk_count: 0 });
    const again = await tenant.call('POST', `${documentPath(id)}/retry`);
    expect([again.status, again.body]).toMatchObject([202, { status: 'pending', error: null, attempts: 2 }]);
    // The attempt before has no say any more.
    expect(await failDocument(api.deps.db, ref, error)).toBe(false);
    await ingestAll(api, tenant);
    expect((await find(id)).status).toBe('completed');
  });
});

describe('a deleted document', () => {
  test('takes its chunks with it; the counts follow', async () => {
    await fresh();
    const { id } = (await uploadText(tenant, base, 'One.\n\nTwo.')).body;
    await uploadText(tenant, base, 'Three.');
    await ingestAll(api, tenant);
    expect((await tenant.call('DELETE', documentPath(id))).status).toBe(200);
    expect((await tenant.call('GET', documentPath(id))).status).toBe(404);
    const { said, real } = await counts();
    expect(said).toEqual(real);
    expect(said).toMatchObject({ documents: 1, chunks: 1 });
  });
});

describe('the bill', () => {
  test('a managed upload reserves a credit, and costs what its embedding cost', async () => {
    await fresh('pro');
    const text = Array.from({ length: 5 }, (_, at) => `Paragraph ${at}.`).join('\n\n');
    await uploadText(tenant, base, text);
    expect(await money()).toEqual({ used: 0, reserved: 1 });
    await ingestAll(api, tenant);
    // The server of the test counts a token for each text: a tenth of a thousandth each, rounded up.
    expect(await money()).toEqual({ used: 0.001, reserved: 0 });
  });

  test('a failed ingest gives the credit back', async () => {
    await fresh('pro');
    const { id } = (await uploadText(tenant, base, 'A text.')).body;
    const ref = { organizationId: tenant.org, documentId: id, attempt: 1 };
    await failDocument(api.deps.db, ref, { code: 'x', message: 'y' });
    expect(await money()).toEqual({ used: 0, reserved: 0 });
  });

  test('without credits a managed upload and its retry are refused, and nothing is stored', async () => {
    await fresh('pro');
    const { id } = (await uploadText(tenant, base, 'A text.')).body;
    const ref = { organizationId: tenant.org, documentId: id, attempt: 1 };
    await failDocument(api.deps.db, ref, { code: 'x', message: 'y' });
    await api.deps.db.query('UPDATE credit_accounts SET used_mc = 5000000 WHERE organization_id = $1', [
      tenant.org,
    ]);
    const refused = [
      402,
      {
        code: 'wallet_overage_disabled',
        layer: 'wallet',
        key: 'monthly_credits',
        current: 5_000,
        limit: 5_000,
        reason: 'wallet_overage_disabled',
      },
    ];
    const answers = [
      await uploadText(tenant, base, 'Another.'),
      await tenant.call('POST', `${documentPath(id)}/retry`),
    ];
    for (const { status, body } of answers) expect([status, body]).toEqual(refused);
    expect((await record()).document_count).toBe(1);
    expect(await find(id)).toMatchObject({ status: 'failed', attempts: 1 });
    // What is there already costs nothing to be told of.
    expect((await uploadText(tenant, base, 'A text.')).status).toBe(200);
  });
});
