/** A cell would be lost, moved or changed, or a table that is built to harm would be read (SPEC DEF-2.7, SEC-K18). */
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/language/graph/values/value.ts';
import { parsed, refusal } from './support/parse.ts';

const items = async (source: string | Uint8Array, more: JsonObject = {}, format = 'csv') =>
  (await parsed(format, source, more))['items'];

describe('DEF-2.7: CSV', () => {
  test('a statement of a German bank: lines before the header, semicolons, decimal commas, Windows-1252', async () => {
    const text =
      'Kontonummer;DE02 1203 0000 0000 2020 51\r\nZeitraum;01.03.2030 - 31.03.2030\r\n\r\n' +
      '"Buchungstag";"Empfänger";"Betrag";"PLZ";"IBAN"\r\n' +
      '"01.03.2030";"Müller & Söhne; GmbH";"-1.234,50";"01067";"DE021203"\r\n' +
      '"02.03.2030";"Café ""Zentral""";"0,99";"10115";""\r\n';
    const expected = [
      {
        Buchungstag: '01.03.2030',
        Empfänger: 'Müller & Söhne; GmbH',
        Betrag: -1234.5,
        PLZ: '01067',
        IBAN: 'DE021203',
      },
      { Buchungstag: '02.03.2030', Empfänger: 'Café "Zentral"', Betrag: 0.99, PLZ: 10115, IBAN: null },
    ];
    const more = { skip_rows: 3, numbers: 'de' };
    expect(await items(text, more)).toEqual(expected);
    const bytes = Buffer.from(text, 'latin1');
    expect(await items(bytes, { ...more, charset: 'windows-1252' })).toEqual(expected);
    expect(await refusal('csv', bytes, more)).toBe('unknown_charset');
  });
  test('an export of an American shop: quoted line breaks, empty cells, thousands', async () => {
    const text = 'Name,Email,Total,Note\n#1001,ada@x.test,"1,299.00","two\nlines"\n#1002,,5,\n';
    expect(await items(text, { numbers: 'en' })).toEqual([
      { Name: '#1001', Email: 'ada@x.test', Total: 1299, Note: 'two\nlines' },
      { Name: '#1002', Email: null, Total: 5, Note: null },
    ]);
  });
  test('without a locale texts stay texts', async () => {
    expect(await items('a,b\n1,2.5')).toEqual([{ a: '1', b: '2.5' }]);
  });
  test('what is no amount stays text, and no digit is lost', async () => {
    const cells = ['007', '+49 170', 'A17', '12 kg', '1.2.3', '9007199254740993', '-5', '0,5', '1e5', '0'];
    expect(await items(cells.join(';'), { numbers: 'de', header: false, delimiter: ';' })).toEqual([
      ['007', '+49 170', 'A17', '12 kg', '1.2.3', '9007199254740993', -5, 0.5, '1e5', 0],
    ]);
  });
  test.each([
    ['a,b;c\n1,2', 'auto', ['a', 'b;c']],
    ['a;b,c;d\n1;2', 'auto', ['a', 'b,c', 'd']],
    ['"x,y,z"\tb\n1\t2', 'auto', ['x,y,z', 'b']],
    ['a|b\n1|2', 'auto', ['a', 'b']],
    ['sep=;\r\na,b;c\r\n1;2', 'auto', ['a,b', 'c']],
    ['a,b;c\n1,2', ';', ['a,b', 'c']],
    ['one\n1', 'auto', ['one']],
  ])('%j with the delimiter %j has the columns %j', async (text, delimiter, names) => {
    const [first] = (await items(text, { delimiter })) as JsonObject[];
    expect(Object.keys(first ?? {})).toEqual(names);
  });
  test('a byte order mark, a single quotation mark, loose quotes and old line breaks', async () => {
    expect(await items('\uFEFFa,b\r1,2')).toEqual([{ a: '1', b: '2' }]);
    expect(await items("a,b\n'x,''y',2", { quote: 'single' })).toEqual([{ a: "x,'y", b: '2' }]);
    expect(await items('a,b\n3.5" disk,2')).toEqual([{ a: '3.5" disk', b: '2' }]);
  });
  test('columns without a name, of one name, too few and too many', async () => {
    expect(await items('a,,a\n1,2,3,4\n5\n\n,,\n')).toEqual([
      { a: '1', column_2: '2', a_2: '3', column_4: '4' },
      { a: '5', column_2: null, a_2: null, column_4: null },
    ]);
  });
  test('UTF-16, as Excel writes "Unicode text"', async () => {
    const bytes = Buffer.from('\uFEFFa\tb\r\nä\tö\r\n', 'utf16le');
    expect(await items(bytes)).toEqual([{ a: 'ä', b: 'ö' }]);
  });
  test('nothing is no item', async () => {
    expect(await parsed('csv', '')).toEqual({ items: [], count: 0 });
    expect(await parsed('csv', 'a,b\n')).toEqual({ items: [], count: 0 });
  });
  test('a quotation mark that nobody closes is refused', async () => {
    expect(await refusal('csv', 'a,b\n"1,2\n3,4')).toBe('invalid_csv');
  });
});

describe('SEC-K18: tables that are built to harm', () => {
  const HEADER = 'a\n';

  test('100,000 rows are read, one more is refused', async () => {
    expect(await parsed('csv', `${HEADER}${'1\n'.repeat(100_000)}`)).toMatchObject({ count: 100_000 });
    expect(await refusal('csv', `${HEADER}${'1\n'.repeat(100_001)}`)).toBe('too_many_items');
  });
  test.each([
    ['csv', (cells: number) => `${'1,'.repeat(cells - 1)}1`],
    ['html_table', (cells: number) => `<table><tr>${'<td>1'.repeat(cells)}</table>`],
  ])('a thousand columns of %s are read, one more is refused', async (format, build) => {
    expect(await refusal(format, build(1_000), { header: false })).toBe('read');
    expect(await refusal(format, build(1_001), { header: false })).toBe('too_many_columns');
  });
  test('a long name of a column is not repeated for each row without bounds', async () => {
    const text = (rows: number): string => `${'n'.repeat(80_000)}\n${'1\n'.repeat(rows)}`;
    expect(await refusal('csv', text(100))).toBe('read');
    expect(await refusal('csv', text(105))).toBe('too_large');
    // Refused while it is read: written out, it would be longer than any text.
    expect(await refusal('csv', text(20_000))).toBe('too_large');
  });
  test.each([
    ['csv', '__proto__,b\n1,2', 'forbidden_key'],
    ['csv', 'constructor,toString\n1,2', 'read'],
    ['html_table', '<table><tr><th>__proto__<tr><td>1</table>', 'forbidden_key'],
  ])('names of %s that objects have: %j', async (format, text, outcome) => {
    expect(await refusal(format, text)).toBe(outcome);
  });
  test('names that objects have are names of columns', async () => {
    expect(await items('constructor,toString\n1,2')).toEqual([{ constructor: '1', toString: '2' }]);
  });
});

describe('DEF-2.7: tables of HTML', () => {
  test('the first table, or the one of a selector, with heads, bodies and spans', async () => {
    const html = `<p>x<table><caption>Prices</caption><thead><tr><th>Item</th><th colspan=2>Price <br> each</th></tr></thead>
      <tbody><tr><td rowspan=2><a href=x>Tea&nbsp;&amp; cake</a></td><td>1,50 €</td><td>2</td></tr>
      <tr><td>1.000</td><td><table><tr><td>inner</table></td></tr></tbody></table><table id=b><tr><td>k<td>v<tr><td>1<td>2</table>`;
    expect(await items(html, { numbers: 'de' }, 'html_table')).toEqual([
      { Item: 'Tea & cake', 'Price each': 1.5, 'Price each_2': 2 },
      { Item: 'Tea & cake', 'Price each': 1000, 'Price each_2': 'inner' },
    ]);
    expect(await items(html, { selector: 'table#b', header: false }, 'html_table')).toEqual([
      ['k', 'v'],
      ['1', '2'],
    ]);
  });
  test('a span is no bomb', async () => {
    const html = '<table><tr><td colspan=1000000 rowspan=1000000>1</table>';
    expect(await refusal('html_table', html, { header: false })).toBe('read');
  });
  test('a page without the table is refused', async () => {
    expect(await refusal('html_table', '<p>no')).toBe('not_found');
  });
});
