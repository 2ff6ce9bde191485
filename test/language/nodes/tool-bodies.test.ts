/** An inserted value could break out of a JSON, XML or form body and change the request (SPEC SEC-M04). */
import { Readable } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../../src/language/graph/values/value.ts';
import { tool } from '../../../src/language/nodes/tool/tool.ts';
import type { HttpRequest } from '../../../src/language/nodes/tools.ts';
import { listProblems, nodeCall, runNode } from './support/node-call.ts';

const HOST = 'https://api.example.com';
const FORM = 'application/x-www-form-urlencoded';

/** The files that bodies refer to, by their ids. */
const FILES = new Map<string, Uint8Array[]>();

async function send(body: Json, roots: JsonObject, contentType?: string) {
  const requests: HttpRequest[] = [];
  const headers = contentType === undefined ? {} : { 'Content-Type': contentType };
  await runNode(
    tool,
    { kind: 'http', method: 'POST', url: HOST, headers, body },
    {
      roots,
      files: (_, { $file }) => {
        const pieces = FILES.get($file) ?? [];
        return Promise.resolve(() => Readable.from(pieces));
      },
      http: (request) => {
        requests.push(request);
        return Promise.resolve({ status: 200, headers: {}, text: '' });
      },
    },
  );
  const [request] = requests;
  if (request === undefined) throw new Error('nothing was sent');
  const { body: given } = request;
  const type = request.headers['content-type'];
  if (typeof given === 'string') return { sent: given, type, bytes: given, size: null };
  const isStream = given !== null && 'open' in given;
  const bytes = isStream
    ? Buffer.concat(await Readable.from(given.open()).toArray())
    : Buffer.from(given ?? []);
  return { sent: bytes.toString(), type, bytes: new Uint8Array(bytes), size: isStream ? given.size : null };
}
const problems = (body: Json, contentType: string): string[] =>
  listProblems(tool, {
    kind: 'http',
    method: 'POST',
    url: HOST,
    headers: { 'content-type': contentType },
    body,
  });

const EVIL = ['say "hi"', 'x"},{"name":"admin', 'x","role":"admin', 'a\nb\\', '{{other}}', ''];

describe('JSON that is written as text', () => {
  test.each(EVIL)('SEC-M04: keeps its shape with %j in its strings, and is sent as JSON', async (n) => {
    const list = await send('[{"name": "user {{n}}"}]', { n });
    expect([JSON.parse(list.sent), list.type]).toEqual([[{ name: `user ${n}` }], 'application/json']);
    const object = await send('{"role":"user","name":"{{n}}"}', { n });
    expect(JSON.parse(object.sent)).toEqual({ role: 'user', name: n });
  });
  test.each<[string, JsonObject, Json]>([
    ['{"list": {{l}}}', { l: [1, { a: 'b' }] }, { list: [1, { a: 'b' }] }],
    ['[{{n}}, {{s}}, {{gone}}]', { n: 7, s: 'x"' }, [7, 'x"', null]],
    ['{"o": {{o | json}}, "t": "{{o | json}}!"}', { o: { a: '"' } }, { o: { a: '"' }, t: '{"a":"\\""}!' }],
    ['{"typed": "{{n}}", "text": "n={{n}}"}', { n: 7 }, { typed: 7, text: 'n=7' }],
    ['{"{{k}}": 1}', { k: 'a"b' }, { 'a"b': 1 }],
    ['{"raw": "\\{{ and \\\\{{"}', {}, { raw: '{{ and {{' }],
  ])('%s takes values in the place of values', async (body, roots, sent) => {
    const one = await send(body, roots);
    expect([JSON.parse(one.sent), one.type]).toEqual([sent, 'application/json']);
  });
  test('is sent with the numbers that its author wrote', async () => {
    expect((await send('{"id": 9007199254740993, "n": {{n}}}', { n: 1 })).sent).toBe(
      '{"id": 9007199254740993, "n": 1}',
    );
  });
  test('is refused where a key becomes something else than a text', async () => {
    await expect(send('{ {{k}}: 1}', { k: 7 })).rejects.toMatchObject({ code: 'invalid_body' });
  });
  test.each(['[note] {{n}}', '{{n}} of {{n}}', '{ {{n}}', '[{{n}}{{n}}]', '[1{{n}}]'])(
    '%s is no JSON, so it is a text',
    async (body) => {
      expect((await send(body, { n: 1 })).type).toBe('text/plain; charset=utf-8');
    },
  );
  test('has the shape that its author wrote, whatever is inserted', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue({ stringUnit: 'grapheme' }), fc.string(), async (value, text) => {
        const roots = { v: value as Json, t: text };
        const one = await send('{"v": {{v}}, "list": [{"t": "<{{t}}>"}, "{{v}}"], "role": "user"}', roots);
        const read = JSON.parse(one.sent) as unknown;
        const exact = JSON.parse(JSON.stringify(value)) as unknown;
        expect(read).toEqual({ v: exact, list: [{ t: `<${text}>` }, exact], role: 'user' });
      }),
    );
  });
});

test('SEC-M04: each line of JSON lines stays one line', async () => {
  const lines = await send('{"index":{}}\n{"name":"{{n}}"}\n', { n: 'a"\n{"b":1}' }, 'application/x-ndjson');
  expect(lines.sent.split('\n')).toEqual(['{"index":{}}', JSON.stringify({ name: 'a"\n{"b":1}' }), '']);
  expect((await send('{{rows}}', { rows: [{ a: 1 }, 2] }, 'application/jsonl')).sent).toBe('{"a":1}\n2\n');
});

describe('a form', () => {
  test.each(['x&role=admin', 'a=b', 'a b+c', 'é%26'])('SEC-M04: has no other fields with %j', async (n) => {
    const { sent, type } = await send('name={{n}}&role=user', { n }, FORM);
    expect([...new URLSearchParams(sent)]).toEqual([
      ['name', n],
      ['role', 'user'],
    ]);
    expect(type).toBe(FORM);
  });
  test('is written from an object: null is left out, an array is repeated', async () => {
    const { sent } = await send({ a: '{{n}}', b: [1, 2], c: null, d: { e: 1 } }, { n: 'x&y' }, FORM);
    expect([...new URLSearchParams(sent)]).toEqual([
      ['a', 'x&y'],
      ['b', '1'],
      ['b', '2'],
      ['d', '{"e":1}'],
    ]);
  });
  test('that is one template is the object or the text that it names', async () => {
    expect((await send('{{f}}', { f: { a: '&' } }, FORM)).sent).toBe('a=%26');
    expect((await send('{{f}}', { f: 'a=1&b=2' }, FORM)).sent).toBe('a=1&b=2');
    await expect(send('{{f}}', { f: [1] }, FORM)).rejects.toMatchObject({ code: 'invalid_body' });
  });
});

describe('XML', () => {
  test.each<[string, string]>([
    ['<a>{{n}}</a>', '<a>&lt;/a&gt;&lt;admin x=&quot;1&quot;/&gt;&amp;</a>'],
    ['<a b="{{n}}"/>', '<a b="&lt;/a&gt;&lt;admin x=&quot;1&quot;/&gt;&amp;"/>'],
    ['<a b=\'{{n}}\' c="d">e</a>', '<a b=\'&lt;/a&gt;&lt;admin x=&quot;1&quot;/&gt;&amp;\' c="d">e</a>'],
  ])('SEC-M04: %s takes a value as text', async (body, sent) => {
    const one = await send(body, { n: '</a><admin x="1"/>&' }, 'text/xml; charset=utf-8');
    expect([one.sent, one.type]).toEqual([sent, 'text/xml; charset=utf-8']);
  });
  test('SEC-M04: a CDATA section is not ended by a value', async () => {
    const { sent } = await send('<a><![CDATA[x]{{n}}>]]></a>', { n: ']]><b/>' }, 'application/soap+xml');
    expect(sent).toBe('<a><![CDATA[x]]]>]]&gt;&lt;b/&gt;<![CDATA[>]]></a>');
  });
  test('a value with characters that XML cannot write fails', async () => {
    await expect(send('<a>{{n}}</a>', { n: '\u0001' }, 'text/xml')).rejects.toMatchObject({
      code: 'invalid_body',
    });
  });
  test.each([
    '<{{n}}/>',
    '<a {{n}}="1"/>',
    '<a b={{n}}/>',
    '<!-- {{n}} -->',
    '<?x {{n}}?>',
    '<!DOCTYPE a [{{n}}]><a/>',
  ])('a template is refused where no text can stand: %s', (body) => {
    expect(problems(body, 'application/xml')).toEqual(['invalid_body body']);
  });
  test.each(['<!-- a > b --><?x y?><!DOCTYPE a [<!ENTITY b "c">]><a b=">">{{n}}</a>', '{{n}}', '<a/>'])(
    'a template is taken behind closed markup: %s',
    (body) => {
      expect(problems(body, 'application/xml')).toEqual([]);
    },
  );
});

describe('a multipart body', () => {
  test('is written from an object, with a boundary that no value holds', async () => {
    const evil = 'x\r\n--form-boundary-0\r\nContent-Disposition: form-data; name="role"\r\n\r\nadmin';
    const { sent, type } = await send(
      { 'na"me': '{{n}}', n: 7, none: null },
      { n: evil },
      'multipart/form-data',
    );
    expect(type).toBe('multipart/form-data; boundary=form-boundary-1');
    const form = await new Response(sent, { headers: { 'content-type': type ?? '' } }).formData();
    expect([...form]).toEqual([
      ['na"me', evil],
      ['n', '7'],
    ]);
  });
  test('carries a file for what an HTTP tool answered as bytes', async () => {
    const file = {
      base64: Buffer.from([0, 255, 1]).toString('base64'),
      media_type: 'image/png',
      filename: 'a.png',
    };
    const { bytes, type } = await send({ f: '{{f}}' }, { f: file }, 'multipart/form-data; boundary=given');
    const form = await new Response(bytes, { headers: { 'content-type': type ?? '' } }).formData();
    const sent = form.get('f') as File;
    expect([sent.name, sent.type, [...new Uint8Array(await sent.arrayBuffer())]]).toEqual([
      'a.png',
      'image/png',
      [0, 255, 1],
    ]);
  });
});

describe('a reference to a file', () => {
  const id = '7b0a54a8-77e7-4f1c-8d19-1d1b9a2c3d4e';
  const bytes = [Buffer.from([0, 255]), Buffer.from('--form-boundary-0')];
  const size = 19;
  const reference = { $file: id, name: 'a "1".png', media_type: 'image/png', size, sha256: 'a'.repeat(64) };
  FILES.set(id, bytes);

  test('in a multipart body is sent as its bytes, beside texts and other bytes', async () => {
    const fields = { file: '{{f}}', text: '{{t}}', other: '{{o}}' };
    const roots = { f: reference, t: 'x\r\ny', o: { base64: 'AP8=', media_type: 'image/gif' } };
    const sent = await send(fields, roots, 'multipart/form-data');
    expect(sent.size).toBe(sent.bytes.length);
    const form = await new Response(sent.bytes, { headers: { 'content-type': sent.type ?? '' } }).formData();
    const file = form.get('file') as File;
    expect([file.name, file.type, Buffer.from(await file.arrayBuffer())]).toEqual([
      'a "1".png',
      'image/png',
      Buffer.concat(bytes),
    ]);
    expect([form.get('text'), (form.get('other') as File).size]).toEqual(['x\r\ny', 2]);
    // A repetition has the same bytes.
    expect((await send(fields, roots, 'multipart/form-data')).sent).toBe(sent.sent);
  });

  test.each([
    [undefined, 'image/png'],
    ['application/x-own', 'application/x-own'],
  ])('alone in a body of type %s is sent as it is', async (given, type) => {
    const sent = await send('{{f}}', { f: reference }, given);
    expect([sent.type, sent.size, Buffer.from(sent.bytes)]).toEqual([type, size, Buffer.concat(bytes)]);
  });

  test('stays a value of JSON', async () => {
    const { sent } = await send({ f: '{{f}}' }, { f: reference }, 'application/json');
    expect(JSON.parse(sent)).toEqual({ f: reference });
  });

  test('that does not describe its file fails', async () => {
    await expect(send('{{f}}', { f: { $file: id, name: 'a' } })).rejects.toMatchObject({
      code: 'invalid_body',
    });
  });

  test('counts in the digest of its request by what it says of its file', async () => {
    const digest = async (f: JsonObject): Promise<string> => {
      const config = tool.config.parse({ kind: 'http', method: 'POST', url: HOST, body: '{{f}}' });
      const sender = tool.sender?.(config);
      const effect = await sender?.prepare(nodeCall(config, { roots: { f } }));
      expect(JSON.stringify(effect?.shown)).toContain(reference.sha256.slice(1));
      return effect?.digest() ?? '';
    };
    expect(await digest(reference)).toBe(await digest({ ...reference }));
    expect(await digest(reference)).not.toBe(await digest({ ...reference, sha256: `b${'a'.repeat(63)}` }));
  });
});

test.each([
  ['multipart/form-data', { media_type: 'application/pdf', filename: 'a.pdf', size: 3 }],
  ['multipart/form-data', { media_type: 'application/pdf', base64: '' }],
  ['multipart/form-data', { media_type: 'application/pdf', base64: null }],
  ['multipart/form-data', { media_type: 'application/pdf', base64: 'no base64!' }],
  ['application/pdf', { media_type: 'application/pdf', filename: 'a.pdf', size: 3 }],
])('a file without bytes in a body of %s fails: %j', async (type, file) => {
  const body = type === 'application/pdf' ? '{{f}}' : { f: '{{f}}' };
  await expect(send(body, { f: file }, type)).rejects.toMatchObject({ code: 'invalid_body' });
});
test('an object that describes no file is a part of JSON', async () => {
  const { sent } = await send(
    { f: '{{f}}' },
    { f: { media_type: 'print', filename: 'x' } },
    'multipart/form-data',
  );
  expect(sent).toContain('{"media_type":"print","filename":"x"}');
});

test('a body that is one template sends the bytes that an HTTP tool answered, under the type that is given', async () => {
  const file = { base64: Buffer.from([0, 255]).toString('base64'), media_type: 'image/png' };
  expect((await send('{{f}}', { f: file }, 'image/png')).bytes).toEqual(new Uint8Array([0, 255]));
  expect((await send('{{f}}', { f: file })).type).toBe('application/json');
});

test.each<[Json, string, string[]]>([
  ['{"a": {{n}}', 'application/json', ['invalid_body body']],
  ['{{n}} {{n}}', 'application/vnd.api+json', ['invalid_body body']],
  ['{"a": {{n}}}', 'application/json', []],
  ['{"a": 1}\n{{n', 'application/x-ndjson', []],
  ['{"a": 1}\nb', 'application/x-ndjson', ['invalid_body body']],
  [[1], FORM, ['invalid_body body']],
  [7, FORM, ['invalid_body body']],
  ['a=1', FORM, []],
  ['--x\r\n{{n}}', 'multipart/form-data; boundary=x', ['invalid_body body']],
  [{ a: 1 }, 'multipart/mixed', ['invalid_body body']],
  [{ a: 1 }, 'multipart/form-data', []],
  ['{{n}}', 'multipart/form-data', []],
  [{ a: 1 }, 'text/xml', ['invalid_body body']],
  ['{{x}', 'text/xml', []],
  [{ a: 1 }, '{{type}}', []],
  [{ a: 1 }, 'text/csv', []],
])('%j of type %s has the problems %j when it is saved', (body, type, found) => {
  expect(problems(body, type)).toEqual(found);
});
test('a content type that a template gives is looked at when the node runs', async () => {
  const roots = { type: 'text/xml', n: '<' };
  expect((await send('<a>{{n}}</a>', roots, '{{type}}')).sent).toBe('<a>&lt;</a>');
  await expect(send({ a: 1 }, roots, '{{type}}')).rejects.toMatchObject({ code: 'invalid_body' });
});

const url = async (address: string, roots: JsonObject): Promise<string> => {
  const requests: HttpRequest[] = [];
  await runNode(
    tool,
    { kind: 'http', method: 'DELETE', url: address, query: { z: '{{z}}' } },
    {
      roots,
      http: (request) => {
        requests.push(request);
        return Promise.resolve({ status: 200, headers: {}, text: '' });
      },
    },
  );
  return requests[0]?.url ?? '';
};
describe('the address', () => {
  test.each<[string, JsonObject]>([
    ['/users/{{id}}', {}],
    ['/users/{{id}}', { id: null }],
    ['/users/{{id}}', { id: '' }],
    ['/users/{{id}}/keys', { id: '' }],
    ['/users/{{id}}{{more}}/keys', { id: '' }],
    ['/users/{{id}}?a=1', { id: '' }],
    ['/users/{{id}}#a', { id: '' }],
    ['/users/{{id}}/', { id: '' }],
    ['/users/{{id | default("")}}', {}],
  ])('SEC-M07: %s with %j is refused: nothing would be a segment of the path', async (path, roots) => {
    await expect(url(`${HOST}${path}`, roots)).rejects.toMatchObject({
      code: 'invalid_url',
      message: expect.stringContaining('{{id') as string,
    });
  });
  test.each<[string, JsonObject, string]>([
    ['/users/{{id}}', { id: 0 }, '/users/0'],
    ['/users/{{id}}', { id: false }, '/users/false'],
    ['/users/u{{id}}', { id: '' }, '/users/u'],
    ['/users/{{id}}{{more}}', { id: '', more: 'x' }, '/users/x'],
    ['/users/?id={{id}}', { id: '' }, '/users/?id='],
    ['//users/', {}, '//users/'],
  ])('%s with %j goes to %s', async (path, roots, sent) => {
    expect(await url(`${HOST}${path}`, roots)).toBe(`${HOST}${sent}`);
  });
  test('keeps the query that is written in it, and adds to it', async () => {
    expect(await url(`${HOST}/a?b=%20c+d&e=~(f)&g`, { z: 'h i' })).toBe(`${HOST}/a?b=%20c+d&e=~(f)&g&z=h+i`);
    expect(await url(`${HOST}/a?b=%20c&d={{d}}#e`, { z: 1, d: 'f g' })).toBe(
      `${HOST}/a?b=%20c&d=f%20g&z=1#e`,
    );
  });
});
