/** A value or a part of a message would be lost, or a document that is built to harm would be read (SPEC DEF-2.7, SEC-K18). */
import { describe, expect, test } from 'vitest';
import type { Json } from '../../../../src/language/graph/values/value.ts';
import { parsed, refusal } from './support/parse.ts';

const yaml = async (text: string) => (await parsed('yaml', text))['data'];

describe('DEF-2.7: YAML', () => {
  test.each<[string, Json]>([
    [
      'a: 1\nb: [x, "2", 3.5, true, null, ~]\nc:\n  d: 2030-03-01\n',
      { a: 1, b: ['x', '2', 3.5, true, null, null], c: { d: '2030-03-01' } },
    ],
    ['x: &a {y: 1}\nz: *a', { x: { y: 1 }, z: { y: 1 } }],
    [
      'id: 9007199254740993\nok: 9007199254740991\nhex: 0x10',
      { id: '9007199254740993', ok: 9007199254740991, hex: 16 },
    ],
    ['text: |\n  one\n  two\n', { text: 'one\ntwo\n' }],
    ['no: no\n1: x\nn: .nan\ni: .inf', { no: 'no', 1: 'x', n: null, i: null }],
    ['', null],
    ['just text', 'just text'],
  ])('%j', async (text, value) => {
    expect(await yaml(text)).toEqual(value);
  });
  test.each([
    ['a: [1', 'invalid_yaml'],
    ['a: 1\na: 2', 'invalid_yaml'],
    ['a: 1\n---\nb: 2', 'invalid_yaml'],
    ['a: *b', 'invalid_yaml'],
    ['a: !!js/function "x"', 'read'],
  ])('%j is %s', async (text, outcome) => {
    expect(await refusal('yaml', text)).toBe(outcome);
  });

  test('front matter, and the text behind it', async () => {
    expect(await parsed('front_matter', '---\ntitle: A\ntags: [b]\n---\n# Text\n---\n')).toEqual({
      data: { title: 'A', tags: ['b'] },
      content: '# Text\n---\n',
    });
    expect(await parsed('front_matter', '\uFEFF---\r\ntitle: A\r\n---\r\nText')).toEqual({
      data: { title: 'A' },
      content: 'Text',
    });
    expect(await parsed('front_matter', '---\n---\nText')).toEqual({ data: {}, content: 'Text' });
    expect(await parsed('front_matter', 'Text\n---\na: 1\n---\n')).toEqual({
      data: {},
      content: 'Text\n---\na: 1\n---\n',
    });
    expect(await refusal('front_matter', '---\na: [\n---\n')).toBe('invalid_yaml');
  });
});

describe('SEC-K18: YAML that is built to harm', () => {
  test('a billion laughs are refused, a few aliases are not', async () => {
    const levels = 'bcdefghij'.split('').map((name, at) => {
      const before = `*${'abcdefghi'[at]}`;
      return `${name}: &${name} [${Array(9).fill(before).join(',')}]`;
    });
    expect(await refusal('yaml', ['a: &a [lol]', ...levels].join('\n'))).toBe('invalid_yaml');
    expect(await refusal('yaml', ['a: &a [lol]', ...levels.slice(0, 1)].join('\n'))).toBe('read');
  });
  test('an alias of itself is refused', async () => {
    expect(['too_deep', 'invalid_yaml']).toContain(await refusal('yaml', '&a [*a, *a]'));
  });
  test('63 levels below the data are read, 64 are refused', async () => {
    const deep = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`;
    expect(await refusal('yaml', deep(63))).toBe('read');
    expect(await refusal('yaml', deep(65))).toBe('too_deep');
    expect(await refusal('yaml', deep(20_000))).toMatch(/^(?:too_deep|invalid_yaml)$/);
  });
  test('__proto__ is refused', async () => {
    expect(await refusal('yaml', '__proto__: {a: 1}')).toBe('forbidden_key');
  });
});

const lines = (...texts: string[]): string => `${texts.join('\r\n')}\r\n`;

describe('DEF-2.7: messages', () => {
  test('a message with texts, addresses and an attachment', async () => {
    const message = lines(
      'From: =?UTF-8?Q?M=C3=BCller=2C_Ada?= <ada@x.test>',
      'To: Bob <bob@y.test>, team: c@y.test, "D, E" <d@y.test>;',
      'Cc: f@y.test',
      'Reply-To: <reply@x.test>',
      'Subject: =?ISO-8859-1?Q?Rechnung_f=FCr_M=E4rz?=',
      'Date: Fri, 1 Mar 2030 10:00:00 +0100',
      'Message-ID: <1@x.test>',
      'In-Reply-To: <0@x.test>',
      'References: <a@x.test> <0@x.test>',
      'MIME-Version: 1.0',
      'Content-Type: multipart/mixed; boundary="b"',
      '',
      '--b',
      'Content-Type: multipart/alternative; boundary="c"',
      '',
      '--c',
      'Content-Type: text/plain; charset=iso-8859-1',
      'Content-Transfer-Encoding: quoted-printable',
      '',
      'Gr=FC=DFe =3D ok',
      '--c',
      'Content-Type: text/html; charset=utf-8',
      '',
      '<p>Grüße</p>',
      '--c--',
      '--b',
      'Content-Type: application/pdf; name="r.pdf"',
      'Content-Disposition: attachment; filename="Rechnung.pdf"',
      'Content-Transfer-Encoding: base64',
      '',
      'JVBERi0x',
      '--b--',
    );
    expect(await parsed('email', Buffer.from(message))).toEqual({
      from: { name: 'Müller, Ada', address: 'ada@x.test' },
      to: [
        { name: 'Bob', address: 'bob@y.test' },
        { name: null, address: 'c@y.test' },
        { name: 'D, E', address: 'd@y.test' },
      ],
      cc: [{ name: null, address: 'f@y.test' }],
      reply_to: [{ name: null, address: 'reply@x.test' }],
      subject: 'Rechnung für März',
      date: '2030-03-01T09:00:00.000Z',
      message_id: '1@x.test',
      in_reply_to: '0@x.test',
      references: ['a@x.test', '0@x.test'],
      text: expect.stringMatching(/^Grüße = ok\s*$/),
      html: expect.stringContaining('<p>Grüße</p>'),
      attachments: [
        {
          filename: 'Rechnung.pdf',
          media_type: 'application/pdf',
          size: 6,
          content_id: null,
          is_inline: false,
          base64: 'JVBERi0x',
        },
      ],
    });
  });
  test('a message given as text', async () => {
    expect(await parsed('email', 'From: a@x.test\nSubject: Hi\n\nGrüße\n')).toMatchObject({
      from: { address: 'a@x.test' },
      to: [],
      text: expect.stringContaining('Grüße'),
      html: null,
      attachments: [],
    });
  });
  test('what is no message is refused', async () => {
    expect(await refusal('email', '')).toBe('invalid_email');
    expect(await refusal('email', '\n\nhello')).toBe('invalid_email');
  });
});

describe('SEC-K18: messages that are built to harm', () => {
  /** A message whose parts nest. */
  const nested = (levels: number): string => {
    const open = Array.from({ length: levels }, (_, at) =>
      lines(`Content-Type: multipart/mixed; boundary="b${at}"`, '', `--b${at}`),
    );
    return `Subject: x\r\n${open.join('')}Content-Type: text/plain\r\n\r\ntext\r\n`;
  };
  test('30 levels of parts are read, 40 are refused', async () => {
    expect(await refusal('email', nested(30))).toBe('read');
    expect(await refusal('email', nested(40))).toBe('invalid_email');
  });
  test('half a MiB of headers is read, more is refused', async () => {
    const headers = (count: number): string => `${`X-A: ${'x'.repeat(1_000)}\r\n`.repeat(count)}\r\ntext`;
    expect(await refusal('email', headers(500))).toBe('read');
    expect(await refusal('email', headers(530))).toBe('invalid_email');
  });
  test('a thousand attachments are read, one more is refused', async () => {
    const part = lines('--b', 'Content-Disposition: attachment', '', 'x');
    const message = (count: number): string =>
      `${lines('Content-Type: multipart/mixed; boundary=b', '')}${part.repeat(count)}--b--\r\n`;
    expect(await refusal('email', message(1_000))).toBe('read');
    expect(await refusal('email', message(1_001))).toBe('too_many_items');
  });
});
