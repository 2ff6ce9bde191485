/** A date would be a number, a cell in another column, or a workbook that is built to harm would be unpacked (SPEC DEF-2.7, SEC-K18). */
import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../../../src/language/graph/values/value.ts';
import { formatDays, readFormat } from '../../../../src/platform/knowledge/parsing/sheet-dates.ts';
import { zip } from '../../../support/documents.ts';
import { parsed, refusal } from './support/parse.ts';
import { workbook, type Parts } from './support/workbook.ts';

const items = async (parts: Parts, more: JsonObject = {}) =>
  (await parsed('xlsx', workbook(parts), more))['items'];
/** The cells of one row without a header. */
const cells = async (row: string, parts: Omit<Parts, 'sheets'> = {}) => {
  const [first] = (await items(
    { ...parts, sheets: { S: `<row>${row}</row>` } },
    { header: false },
  )) as Json[];
  return first;
};

describe('DEF-2.7: xlsx', () => {
  const STYLES =
    '<numFmts count="2"><numFmt numFmtId="164" formatCode="dd\\.mm\\.yyyy\\ hh:mm"/><numFmt numFmtId="165" formatCode="[$€-407]#,##0.00"/></numFmts>' +
    '<cellStyleXfs><xf numFmtId="14"/></cellStyleXfs>' +
    '<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="165"/><xf numFmtId="20"/><xf numFmtId="46"/></cellXfs>';

  test('a sheet of invoices: shared texts, dates, amounts, formulas, truth values and gaps', async () => {
    const sheets = {
      Rechnungen:
        '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c><c r="C1" t="inlineStr"><is><t>Betrag</t></is></c><c r="E1" t="s"><v>2</v></c></row>' +
        '<row r="2"><c r="A2"><v>1001</v></c><c r="B2" s="1"><v>47543</v></c><c r="C2" s="3"><f>1+1</f><v>1234.5</v></c><c r="E2" t="b"><v>1</v></c></row>' +
        '<row r="5"><c r="A5" t="str"><f>A1</f><v>x</v></c><c r="B5" s="2"><v>47543.7505208333</v></c><c r="C5" t="e"><v>#N/A</v></c></row>',
    };
    const shared =
      '<si><t>Nr</t></si><si><r><t>Fäl</t></r><r><rPr/><t>lig &amp; offen</t></r><rPh><t>no</t></rPh></si><si><t>be_x000D_zahlt</t></si>';
    expect(await items({ sheets, shared, styles: STYLES })).toEqual([
      { Nr: 1001, 'Fällig & offen': '2030-03-01', Betrag: 1234.5, column_4: null, 'be\rzahlt': true },
      { Nr: 'x', 'Fällig & offen': '2030-03-01T18:00:45', Betrag: '#N/A', column_4: null, 'be\rzahlt': null },
    ]);
  });
  test('the first sheet, or the named one; another name says which there are', async () => {
    const sheets = { One: '<row><c><v>1</v></c></row>', Two: '<row><c><v>2</v></c></row>' };
    const more = { header: false };
    expect(await items({ sheets }, more)).toEqual([[1]]);
    expect(await items({ sheets }, { ...more, sheet: 'Two' })).toEqual([[2]]);
    await expect(items({ sheets }, { ...more, sheet: 'Three' })).rejects.toThrow('"One", "Two"');
  });
  test('rows before the header are left out by their number', async () => {
    const S =
      '<row r="2"><c r="A2"><v>9</v></c></row><row r="4"><c r="A4"><v>8</v></c></row><row r="6"><c r="A6"><v>7</v></c></row>';
    expect(await items({ sheets: { S } }, { skip_rows: 3 })).toEqual([{ 8: 7 }]);
  });
  test('days from 1904, times, and hours beyond a day', async () => {
    const row = '<c s="1"><v>1</v></c><c s="4"><v>0.75</v></c><c s="5"><v>1.5</v></c><c s="9"><v>3</v></c>';
    expect(await cells(row, { styles: STYLES })).toEqual(['1900-01-01', '18:00:00', 1.5, 3]);
    expect(await cells(row, { styles: STYLES, properties: 'date1904="1"' })).toEqual([
      '1904-01-02',
      '18:00:00',
      1.5,
      3,
    ]);
  });
  test('texts that are numbers are read by a locale, numbers stay', async () => {
    const S = '<row><c t="inlineStr"><is><t>1.234,5</t></is></c><c><v>1.5</v></c></row>';
    expect(await items({ sheets: { S } }, { header: false, numbers: 'de' })).toEqual([[1234.5, 1.5]]);
  });
  test.each([
    ['yyyy-mm-dd', 'date'],
    ['mmm yy', 'date'],
    ['m/d/yy h:mm', 'date_time'],
    ['[$-F400]h:mm:ss AM/PM', 'time'],
    ['mm:ss', 'time'],
    ['[h]:mm', null],
    ['General', null],
    ['0.00', null],
    ['#,##0 "days"', null],
    ['0\\d', null],
    ['[Red]0.00', null],
    ['_d0', null],
    ['0;yyyy', null],
  ])('the format %j is %j', (code, kind) => {
    expect(readFormat(code)).toBe(kind);
  });
  test.each([
    [59, '1900-02-28'],
    [61, '1900-03-01'],
    [2_958_465, '9999-12-31'],
    [2_958_466, null],
    [-1, null],
    [Number.NaN, null],
  ])('day %d is %j', (days, date) => {
    expect(formatDays(days, 'date', false)).toBe(date);
  });
});

describe('SEC-K18: workbooks that are built to harm', () => {
  const row = (name: string): string => `<row><c r="${name}"><v>1</v></c></row>`;

  test.each([
    ['no archive', Buffer.from('PK no')],
    ['an archive without a workbook', zip([{ name: 'a.xml', data: '<a/>' }])],
    ['a text that is not there', workbook({ sheets: { S: '<row><c t="s"><v>7</v></c></row>' } })],
  ])('%s is damaged', async (_, bytes) => {
    expect(await refusal('xlsx', bytes)).toBe('damaged');
  });
  test('SEC-K10: an archive that unpacks to too much is refused', async () => {
    const bomb = (bytes: number) =>
      workbook({ sheets: { S: row('A1') }, more: [{ name: 'xl/media/a.bin', data: Buffer.alloc(bytes) }] });
    expect(await refusal('xlsx', bomb(1024 * 512))).toBe('read');
    expect(await refusal('xlsx', bomb(8 * 1024 * 1024))).toBe('too_large');
  });
  test('the thousandth column is read, the next one is refused', async () => {
    expect(await refusal('xlsx', workbook({ sheets: { S: row('ALL1') } }))).toBe('read');
    expect(await refusal('xlsx', workbook({ sheets: { S: row('ALM1') } }))).toBe('too_many_columns');
  });
  test('100,000 rows are read, one more is refused', async () => {
    const sheet = (count: number) =>
      workbook({ sheets: { S: '<row><c><v>1</v></c></row>'.repeat(count) }, stored: true });
    expect(await refusal('xlsx', sheet(100_000), { header: false })).toBe('read');
    expect(await refusal('xlsx', sheet(100_001), { header: false })).toBe('too_many_items');
  });
  test('entities are not declared', async () => {
    const name = 'xl/styles.xml';
    const data = '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><styleSheet>&b;</styleSheet>';
    const bytes = workbook({ sheets: { S: row('A1') }, more: [{ name, data }] });
    expect(await refusal('xlsx', bytes)).toBe('dtd_not_allowed');
  });
});
