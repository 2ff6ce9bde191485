/** A hostile upload or search would be accepted, stall the service, or leave files behind (SPEC SEC-K01 to SEC-K08). */
import { connect } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startApi, type ApiServer, type Tenant } from '../support/api-server.ts';
import { filePart, makeBase, managedBy, multipart, type Part } from '../support/knowledge.ts';
import { startModelServer, type ModelServer } from '../support/model-server.ts';
import { eventually } from '../support/waiting.ts';

let models: ModelServer;
let api: ApiServer;
let tenant: Tenant;
let base: string;

beforeAll(async () => {
  models = await startModelServer();
  api = await startApi(managedBy(models));
  tenant = await api.tenant();
  base = await makeBase(tenant);
});
afterEach(async () => {
  expect((await api.call('GET', '/system/health')).status).toBe(200);
});
afterAll(async () => {
  await api.close();
  await models.close();
});

const documents = async (): Promise<number> =>
  (await tenant.call('GET', `/knowledge-bases/${base}`)).body.document_count;
const path = (): string => `/knowledge-bases/${base}/documents`;
const send = (parts: readonly Part[], end?: string) => tenant.call('POST', path(), multipart(parts, end));

describe('a search', () => {
  test.each<[string, object, string]>([
    ['SEC-K01: no query', {}, 'query'],
    ['SEC-K01: an empty query', { query: '' }, 'query'],
    ['SEC-K01: a query of 100 kB', { query: 'x'.repeat(100_000) }, 'query'],
    ['SEC-K01: a query that is no text', { query: ['x'] }, 'query'],
    ['SEC-K02: top_k 0', { query: 'x', top_k: 0 }, 'top_k'],
    ['SEC-K02: top_k 51', { query: 'x', top_k: 51 }, 'top_k'],
    ['SEC-K02: top_k 2.5', { query: 'x', top_k: 2.5 }, 'top_k'],
    ['SEC-K02: min_score -0.1', { query: 'x', min_score: -0.1 }, 'min_score'],
    ['SEC-K02: min_score 1.1', { query: 'x', min_score: 1.1 }, 'min_score'],
    ['SEC-K02: min_score "0"', { query: 'x', min_score: '0' }, 'min_score'],
  ])('%s is 422 at its field, and asks nobody', async (_, body, field) => {
    const before = models.requests.length;
    const answer = await tenant.call('POST', `/knowledge-bases/${base}/search`, { body });
    expect([answer.status, answer.body.detail[0].loc]).toEqual([422, ['body', field]]);
    expect(models.requests.length).toBe(before);
  });
});

describe('an upload', () => {
  test('SEC-K05: as JSON that names a file of the server is 422', async () => {
    const body = { files: { f: { filepath: '/etc/passwd' } }, file: '/etc/passwd' };
    const answer = await tenant.call('POST', path(), { body });
    expect([answer.status, answer.body.detail[0].type]).toEqual([422, 'content_type']);
    expect(await documents()).toBe(0);
  });

  const file = filePart('A text.');
  test.each<[string, readonly Part[], string | undefined]>([
    ['without a file', [{ name: 'name', value: 'x' }], undefined],
    ['without anything', [], undefined],
    ['without an end', [file], ''],
    ['cut inside its file', [file], '--a-boundary'],
    ['whose part has no name', [{ value: 'x', fileName: 'a.txt' }], undefined],
    ['of two files', [file, file], undefined],
    ['of a file that is called otherwise', [{ ...file, name: 'upload' }], undefined],
    [
      'with a thousand fields',
      [...Array.from({ length: 1_000 }, (_, at) => ({ name: `f${at}`, value: 'x' })), file],
      undefined,
    ],
    ['with a field name of 5 kB', [{ name: 'n'.repeat(5_000), value: 'x' }, file], undefined],
    ['with a field of 100 kB', [{ name: 'doc_metadata', value: 'x'.repeat(100_000) }, file], undefined],
    [
      'with a field given twice',
      [{ name: 'name', value: 'a' }, { name: 'name', value: 'b' }, file],
      undefined,
    ],
    ['with NUL in a field', [{ name: 'name', value: 'a\0b' }, file], undefined],
    [
      'SEC-P13: with a field that is no UTF-8',
      [{ name: 'name', value: Buffer.from('e9', 'hex') }, file],
      undefined,
    ],
    [
      'SEC-P13: with metadata in a charset that its part names',
      [
        {
          name: 'doc_metadata',
          value: Buffer.from('{"a":"\u00e9"}', 'latin1'),
          type: 'application/json; charset=iso-8859-1',
        },
        file,
      ],
      undefined,
    ],
    ['with metadata that is no JSON', [{ name: 'doc_metadata', value: '{' }, file], undefined],
    ['with metadata that is no object', [{ name: 'doc_metadata', value: '[1]' }, file], undefined],
    [
      'with metadata of a prototype',
      [{ name: 'doc_metadata', value: '{"__proto__": {"a": 1}}' }, file],
      undefined,
    ],
    [
      'with metadata too deep',
      [{ name: 'doc_metadata', value: `${'['.repeat(70)}${']'.repeat(70)}` }, file],
      undefined,
    ],
    [
      'with a config of the wrong type',
      [{ name: 'chunking_config', value: '{"chunk_size": "x"}' }, file],
      undefined,
    ],
    ['of an empty file', [filePart('')], undefined],
    [
      'SEC-K09: of a program called a text',
      [filePart(Buffer.from('4d5a900003000000', 'hex'), 'a.md')],
      undefined,
    ],
  ])('SEC-K06: %s is 422, and leaves nothing', async (_, parts, end) => {
    const answer = await send(parts, end);
    expect(answer.status, answer.text).toBe(422);
    expect(Array.isArray(answer.body.detail)).toBe(true);
    expect(await documents()).toBe(0);
  });

  test('SEC-K06: without a boundary is 422, and compressed 415', async () => {
    const { raw } = multipart([file]);
    const bare = { 'content-type': 'multipart/form-data' };
    expect((await tenant.call('POST', path(), { raw, headers: bare })).status).toBe(422);
    const { headers } = multipart([file]);
    const packed = { ...headers, 'content-encoding': 'gzip' };
    expect((await tenant.call('POST', path(), { raw, headers: packed })).status).toBe(415);
    expect(await documents()).toBe(0);
  });

  test('SEC-K06: whose sender goes away half-way leaves nothing', async () => {
    const { port } = new URL(api.url);
    const { raw, headers } = multipart([filePart('x'.repeat(200_000))]);
    const socket = connect(Number(port), '127.0.0.1');
    socket.on('error', () => undefined);
    const head = [
      `POST ${path()} HTTP/1.1`,
      'Host: x',
      `Authorization: Bearer ${tenant.token}`,
      `X-Organization-ID: ${tenant.org}`,
      `Content-Type: ${headers['content-type'] ?? ''}`,
      `Content-Length: ${raw.byteLength}`,
    ];
    socket.write(`${head.join('\r\n')}\r\n\r\n`);
    const half = raw.slice(0, raw.byteLength / 2);
    await new Promise<void>((resolve) => socket.write(half, () => resolve()));
    const gone = new Promise((resolve) => socket.once('close', resolve));
    socket.destroy();
    await gone;
    // A whole one behind it is taken, and is alone.
    const whole = await send([filePart('Whole.')]);
    expect(whole.status).toBe(202);
    await eventually('the count', 20_000, async () => ((await documents()) === 1 ? true : null));
    await tenant.call('DELETE', `${path()}/${whole.body.id}`);
  });

  test('SEC-K08: of 25 MiB is taken, of a byte more is 413', async () => {
    const limit = 25 * 1024 * 1024;
    const over = await send([filePart(Buffer.alloc(limit + 1, 'x'))]);
    expect([over.status, over.body]).toEqual([413, { detail: 'The file is larger than 25 MiB' }]);
    expect(await documents()).toBe(0);
    const fits = await send([filePart(Buffer.alloc(limit, 'x'))]);
    expect([fits.status, fits.body.size_bytes]).toEqual([202, limit]);
    await tenant.call('DELETE', `${path()}/${fits.body.id}`);
  });
});

test.each([
  ['invoice\u202Efdp.exe.txt', {}, 'invoicefdp.exe.txt'],
  ['../../a\u2066b\u200f.txt', {}, 'ab.txt'],
  ['\u202e.txt', {}, '.txt'],
  ['a.txt', { name: 'report\u202egpj.txt' }, 'reportgpj.txt'],
  [`${'x'.repeat(254)}😀.txt`, {}, 'x'.repeat(254)],
])('the file name %j shows as what it is', async (fileName, fields, shown) => {
  const texts = Object.entries(fields).map(([name, value]) => ({ name, value: String(value) }));
  const text = `text of ${fileName} ${JSON.stringify(fields)}`;
  const answer = await send([...texts, filePart(text, fileName)]);
  expect([answer.status, answer.body.name]).toEqual([answer.status, shown]);
  expect(answer.status).toBeLessThan(300);
});
