/** A run would read a feed, a statement or a page otherwise than its test, or a broken one would hold it. */
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JsonObject } from '../../src/language/graph/values/value.ts';
import { END, START, edge, node, transform, workflow } from '../support/definitions.ts';
import { startEngine, type TestEngine } from '../support/engine.ts';
import { workbook } from '../platform/knowledge/parsing/support/workbook.ts';

let engine: TestEngine;
beforeAll(async () => {
  engine = await startEngine();
});
afterAll(() => engine.close());

const parse = (
  id: string,
  format: string,
  source: string,
  more: JsonObject = {},
  envelope: JsonObject = {},
) => node(id, 'transformer', { mode: 'parse', format, source, ...more }, envelope);

test('DEF-2.7: a statement, a workbook and a page are read and written without code', async () => {
  const statement = Buffer.from('Konto;1\r\nName;Betrag\r\nMüller;"1.234,50"\r\nAda;0,10\r\n', 'latin1');
  const sheet = workbook({
    sheets: { S: '<row><c t="inlineStr"><is><t>name</t></is></c></row><row><c><v>7</v></c></row>' },
  });
  const file = (bytes: Buffer) => ({ base64: bytes.toString('base64'), media_type: 'text/csv' });
  const played = await engine.play(
    workflow(
      [
        parse('bank', 'csv', '{{input.statement}}', { charset: 'windows-1252', skip_rows: 1, numbers: 'de' }),
        parse('book', 'xlsx', '{{input.sheet}}'),
        parse('page', 'html', '{{input.html}}', { selector: 'li', fields: { link: 'a@href' } }),
        node('sum', 'transformer', {
          mode: 'group',
          source: '{{bank}}',
          values: [{ name: 'total', op: 'sum', of: '{{item.Betrag}}' }],
        }),
        transform('end', {
          total: '{{sum.items[0].total}}',
          names: '{{book.items}}',
          links: '{{page.items}}',
        }),
      ],
      [
        edge(START, 'bank'),
        edge('bank', 'book'),
        edge('book', 'page'),
        edge('page', 'sum'),
        edge('sum', 'end'),
        edge('end', END),
      ],
    ),
    { statement: file(statement), sheet: file(sheet), html: '<ul><li><a href="/1">one</a><li>two</ul>' },
  );
  expect(played.output).toEqual({
    total: 1234.6,
    names: [{ name: 7 }],
    links: [{ link: '/1' }, { link: null }],
  });
});

test('DEF-2.7: a list of sources is parsed item by item, and one that cannot be read fails its item alone', async () => {
  const played = await engine.play(
    workflow(
      [
        parse(
          'each',
          'yaml',
          '{{item}}',
          {},
          {
            for_each: { items: '{{input.texts}}', on_item_error: 'continue' },
          },
        ),
      ],
      [edge(START, 'each'), edge('each', END)],
    ),
    { texts: ['a: 1', 'a: [', 'b: 2'] },
  );
  expect(played.output).toMatchObject({
    results: [{ data: { a: 1 } }, null, { data: { b: 2 } }],
    errors: [{ index: 1, error: { code: 'invalid_yaml' } }],
    count: 3,
  });
});

test('SEC-K18: a document that declares entities fails its node in words', async () => {
  const xml = '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>';
  const played = await engine.play(
    workflow([parse('x', 'xml', '{{input.xml}}')], [edge(START, 'x'), edge('x', END)]),
    { xml },
  );
  expect(played.end).toMatchObject({ type: 'run_failed', error: { code: 'dtd_not_allowed' } });
  expect(JSON.stringify(played)).not.toContain((await readFile('/etc/passwd', 'utf8')).slice(0, 20));
});
