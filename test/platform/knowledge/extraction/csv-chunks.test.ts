/** A row of a table would be found without the names of its columns, or be lost or cut. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { splitCsv } from '../../../../src/platform/knowledge/extraction/csv-chunks.ts';
import { countTokens } from '../../../../src/platform/knowledge/extraction/tokens.ts';

const HEADER = 'id,name,city';
const cut = (text: string, chunkSize = 60) => splitCsv(text, { chunkSize, chunkOverlap: 20 });

test('each chunk begins with the header, and each record is in one chunk', () => {
  const records = Array.from({ length: 100 }, (_, at) => `${at},Person ${at},"Town, ${at}"`);
  const chunks = cut([HEADER, ...records].join('\n'));
  expect(chunks.length).toBeGreaterThan(5);
  for (const { text } of chunks) expect(text.split('\n')[0]).toBe(HEADER);
  expect(chunks.flatMap(({ text }) => text.split('\n').slice(1))).toEqual(records);
  expect(chunks.map(({ position }) => position)).toEqual(chunks.map((_, at) => at));
});

test('a line break inside of quotes belongs to its record', () => {
  const records = Array.from({ length: 20 }, (_, at) => `${at},"A ""quoted""\nname",x`);
  const chunks = cut([HEADER, ...records].join('\n'));
  const read = chunks.flatMap(({ text }) => text.slice(HEADER.length + 1).split(/\n(?=\d+,)/));
  expect(read).toEqual(records);
});

test('a record that is larger than a chunk is split, each part below the header', () => {
  const chunks = cut(`${HEADER}\n1,${'word '.repeat(200)},x\n2,b,c`);
  for (const { text, tokens } of chunks) {
    expect(text.startsWith(`${HEADER}\n`)).toBe(true);
    expect(tokens).toBeLessThanOrEqual(60);
  }
  expect(
    chunks
      .map(({ text }) => text)
      .join(' ')
      .match(/word/g),
  ).toHaveLength(200);
});

test.each([
  ['a header alone', HEADER],
  ['a header that takes most of a chunk', `${'column,'.repeat(40)}\n1,2`],
])('%s is split like any text', (_, text) => {
  expect(
    cut(text)
      .map((chunk) => chunk.text)
      .join(''),
  ).toContain(text.split('\n')[0]?.slice(0, 12));
});

test('no chunk is larger than it may be, and no record is lost', () => {
  const field = fc.oneof(fc.lorem({ maxCount: 8 }), fc.integer().map(String), fc.constant('字'.repeat(40)));
  fc.assert(
    fc.property(fc.array(fc.tuple(field, field), { minLength: 1, maxLength: 40 }), (rows) => {
      const records = rows.map((row, at) => `r${at},${row.join(',')}`);
      const chunks = cut([HEADER, ...records].join('\n'), 80);
      for (const { text, tokens } of chunks) {
        expect(tokens).toBe(countTokens(text));
        expect(tokens).toBeLessThanOrEqual(80);
      }
      const all = chunks.map(({ text }) => text).join('\n');
      for (const [at] of rows.entries()) expect(all).toContain(`r${at},`);
    }),
  );
});
