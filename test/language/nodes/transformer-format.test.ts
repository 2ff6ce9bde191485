/** A cell would break out of its table, run in a spreadsheet or in a browser, or a text would grow without bounds. */
import { describe, expect, test } from 'vitest';
import { RenderTooLarge } from '../../../src/language/graph/template/render-budget.ts';
import type { Json, JsonObject } from '../../../src/language/graph/values/value.ts';
import { NODE_WORK, WorkBudget, WorkLimitExceeded } from '../../../src/language/graph/values/work-budget.ts';
import { transformer } from '../../../src/language/nodes/transformer/transformer.ts';
import { listProblems, outputOf, type Fakes } from './support/node-call.ts';

const format = async (format: string, source: Json, more: JsonObject = {}, fakes: Fakes = {}) => {
  const config = { mode: 'format', format, source: '{{source}}', ...more };
  const output = (await outputOf(transformer, config, { roots: { source }, ...fakes })) as JsonObject;
  return output['text'] as string;
};
const lines = (text: string): string[] => text.split(/\r?\n/).slice(0, -1);

describe('DEF-2.7: format csv', () => {
  const rows = [
    { id: 1, name: 'Ada "the first"', note: null },
    { name: 'Bob; Sons, Ltd', id: 2, paid: true, tags: ['a', 'b'] },
    { id: 3, name: 'two\nlines', note: '' },
  ];

  test('cells are quoted where they must be, and columns are all keys as they first appear', async () => {
    expect(await format('csv', rows)).toBe(
      [
        'id,name,note,paid,tags',
        '1,"Ada ""the first""",,,',
        '2,"Bob; Sons, Ltd",,true,"[""a"",""b""]"',
        '3,"two\nlines",,,',
        '',
      ].join('\r\n'),
    );
  });
  test('the columns may be chosen, and stand in their order, also those that no row has', async () => {
    const more = { columns: ['name', 'id', 'toString'], delimiter: ';', header: false };
    expect(await format('csv', rows.slice(1, 2), more)).toBe('"Bob; Sons, Ltd";2;\r\n');
  });
  test('the output of a list is the list', async () => {
    expect(lines(await format('csv', { items: [{ a: 1 }], count: 1 }))).toEqual(['a', '1']);
  });
  test.each([
    [',', '"1234,5",1.5,"-0,25"'],
    [';', '1234,5;1.5;-0,25'],
    ['\t', '1234,5\t1.5\t-0,25'],
    ['|', '1234,5|1.5|-0,25'],
  ])('with %j between cells numbers have the decimal sign, and texts stay', async (delimiter, row) => {
    const text = await format('csv', [[1234.5, '1.5', -0.25]], { delimiter, decimal: ',' });
    expect(text).toBe(`${row}\r\n`);
  });
  test('rows that are lists have no header but a given one', async () => {
    expect(await format('csv', [[1, 2, 3], [4]])).toBe('1,2,3\r\n4\r\n');
    expect(await format('csv', [[1, 2, 3], [4]], { columns: ['a', 'b'] })).toBe('a,b\r\n1,2\r\n4,\r\n');
  });
  test('a row of one empty cell is no empty line, and no row is no line', async () => {
    expect(await format('csv', [{ a: null }, { a: '' }])).toBe('a\r\n""\r\n""\r\n');
    expect(await format('csv', [])).toBe('');
    expect(await format('csv', [], { columns: ['a'] })).toBe('a\r\n');
  });

  const formulas = ['=1+1', '+HYPERLINK("x")', '-2+3', '@SUM(A1)', '\t=1', '\r=1', '\uFF1D1+1', '+49 170 1'];
  test.each(formulas)('a text that a spreadsheet would run is made harmless: %j', async (text) => {
    const escaped = lines(await format('csv', [{ a: text }]))[1] ?? '';
    expect(escaped.replace(/^"/, '')).toMatch(/^'/);
    const kept = lines(await format('csv', [{ a: text }], { formulas: 'keep' }))[1] ?? '';
    expect(kept.replace(/^"/, '')).not.toMatch(/^'/);
  });
  test('the name of a column is escaped as a cell is', async () => {
    expect(await format('csv', [{ '=cmd()': 1 }])).toBe("'=cmd()\r\n1\r\n");
  });
  test.each([-5, '-5', '+5.25', '-1e3', 'a=b', ' =1', "'=1"])('%j is no formula', async (cell) => {
    expect(await format('csv', [[cell]])).toBe(`${cell}\r\n`);
  });
});

describe('DEF-2.7: format html and markdown', () => {
  const rows = [{ 'a<b': '<img src=x onerror=alert(1)>', n: 'it\'s "5" & more' }, { n: 'one\ntwo' }];

  test('HTML is a table of escaped cells', async () => {
    expect(lines(await format('html', rows))).toEqual([
      '<table>',
      '<thead>',
      '<tr><th>a&lt;b</th><th>n</th></tr>',
      '</thead>',
      '<tbody>',
      '<tr><td>&lt;img src=x onerror=alert(1)&gt;</td><td>it&#39;s &quot;5&quot; &amp; more</td></tr>',
      '<tr><td></td><td>one<br>two</td></tr>',
      '</tbody>',
      '</table>',
    ]);
  });
  test('rows that are lists have no header in HTML, and the first one is it in Markdown', async () => {
    const table = [
      ['id', 'name'],
      [1, 'Ada'],
    ];
    expect(await format('html', table)).not.toContain('<th');
    expect(lines(await format('markdown', table))).toEqual(['| id | name |', '| --- | --- |', '| 1 | Ada |']);
  });
  test('a cell of Markdown stays in its cell and is no markup', async () => {
    const cell = '*a*|b\\|`c` [x](http://evil) ![](y) <b> _d_ ~e~ &lt;\r\nnew';
    const [, , row = ''] = lines(await format('markdown', [{ a: cell }]));
    expect(row).toBe(
      String.raw`| \*a\*\|b\\\|\`c\` \[x\](http://evil) !\[\](y) \<b\> \_d\_ \~e\~ \&lt;<br>new |`,
    );
  });
  test('without rows a table is empty', async () => {
    expect(await format('html', [])).toBe('<table>\n<tbody>\n</tbody>\n</table>\n');
    expect(await format('markdown', [], { columns: ['a'] })).toBe('| a |\n| --- |\n');
  });
});

describe('DEF-2.7: format xml', () => {
  const xml = async (source: Json, more: JsonObject = {}): Promise<string> =>
    (await format('xml', source, more)).replace('<?xml version="1.0" encoding="UTF-8"?>\n', '').trimEnd();

  test('attributes, texts, lists and what is empty', async () => {
    const order = {
      'o:order': {
        '@xmlns:o': 'urn:o',
        '@note': 'a"b\n<c>',
        line: [{ '@n': 1, '#text': 'x & y' }, { '@n': 2 }, null, 'z'],
        total: 1.5,
        nothing: {},
      },
    };
    expect(await xml(order)).toBe(
      '<o:order xmlns:o="urn:o" note="a&quot;b&#10;&lt;c&gt;">' +
        '<line n="1">x &amp; y</line><line n="2"/><line/><line>z</line><total>1.5</total><nothing/></o:order>',
    );
  });
  test('the outermost element may be named, and the items of a list are its elements', async () => {
    expect(await xml([{ a: 1 }, 2], { root: 'all' })).toBe('<all><item><a>1</a></item><item>2</item></all>');
    expect(await xml('x', { root: 'r' })).toBe('<r>x</r>');
  });
  test.each<[string, Json]>([
    ['no element', {}],
    ['several outermost elements', { a: 1, b: 2 }],
    ['a list', [1]],
    ['a name with a blank', { 'a b': 1 }],
    ['a name that ends its tag', { 'a><script': 1 }],
    ['an attribute without a name', { a: { '@': 1 } }],
    ['an attribute that is a list', { a: { '@b': [1] } }],
    ['a text that is an object', { a: { '#text': {} } }],
    ['a list in a list', { a: [[1]] }],
    ['a character that XML cannot contain', { a: '\u0001' }],
  ])('%s is no XML', async (_, source) => {
    await expect(format('xml', source)).rejects.toMatchObject({ code: 'not_xml' });
  });
  test('64 levels are written, 65 are not', async () => {
    const deep = (levels: number): Json => (levels === 1 ? { a: 1 } : { a: deep(levels - 1) });
    expect(await xml(deep(64))).toContain('<a>1</a>');
    await expect(format('xml', deep(65))).rejects.toMatchObject({ code: 'not_xml' });
  });
});

describe('DEF-2.7: what format refuses', () => {
  test.each<[Json, string]>([
    ['text', 'not_an_array'],
    [[{ a: 1 }, 2], 'not_a_row'],
    [[null], 'not_a_row'],
    [Array.from({ length: 100_001 }, () => ({ a: 1 })), 'too_many_items'],
  ])('rows that are none', async (source, code) => {
    await expect(format('csv', source)).rejects.toMatchObject({ code });
  });
  test('a thousand columns are written, one more is refused', async () => {
    const wide = (count: number): Json[] => [
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`c${at}`, 1])),
      Array.from({ length: count }, () => 2),
    ];
    for (const at of [0, 1]) {
      expect(
        lines(await format('csv', wide(1_000).slice(at, at + 1)))
          .at(-1)
          ?.split(','),
      ).toHaveLength(1_000);
      await expect(format('csv', wide(1_001).slice(at, at + 1))).rejects.toMatchObject({
        code: 'too_many_columns',
      });
    }
  });
  test('SEC-M08: a text of 1 MiB is written, one more character is refused', async () => {
    const fits = 'x'.repeat(1_048_576 - 2);
    expect(await format('csv', [[fits]])).toHaveLength(1_048_576);
    await expect(format('csv', [[`${fits}x`]])).rejects.toThrow(RenderTooLarge);
    await expect(format('xml', `${fits}x`, { root: 'a' })).rejects.toThrow(RenderTooLarge);
  });
  test('the work is counted', async () => {
    const work = new WorkBudget({ ...NODE_WORK, total: 2_000 });
    await expect(format('csv', Array(100).fill({ a: 1, b: 2 }), {}, { work })).rejects.toThrow(
      WorkLimitExceeded,
    );
  });
  test.each<[JsonObject, string]>([
    [{ format: 'pdf' }, 'invalid_config format'],
    [{ delimiter: '::' }, 'invalid_config delimiter'],
    [{ columns: [] }, 'invalid_config columns'],
    [{ columns: Array(1_001).fill('a') }, 'invalid_config columns'],
    [{ root: 'a b' }, 'invalid_config root'],
    [{ root: '-a' }, 'invalid_config root'],
  ])('%j is a problem of the definition', (more, problem) => {
    expect(listProblems(transformer, { mode: 'format', format: 'csv', source: '', ...more })).toEqual([
      problem,
    ]);
  });
  test.each([{ columns: Array(1_000).fill('a') }, { root: 'soap:Envelope' }, { root: 'Äpfel' }])(
    'other settings are none',
    (more) => {
      expect(listProblems(transformer, { mode: 'format', format: 'xml', source: '', ...more })).toEqual([]);
    },
  );
});
