/** A search filter would find other documents than a rule with the same words. */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { compareValues } from '../../../src/language/graph/values/order.ts';
import { readMoment } from '../../../src/language/graph/values/iso8601.ts';
import { readDecimal } from '../../../src/language/graph/values/decimal.ts';
import type { Json } from '../../../src/language/graph/values/value.ts';
import { openTestDatabase, type TestDb } from '../../support/database.ts';

let db: TestDb;
beforeAll(async () => {
  db = await openTestDatabase(1);
});
afterAll(() => db.close());

const OFFSETS = ['', 'Z', 'z', '+00:00', '+05:30', '-0800', '+05', '+24:00', '-01:60'];
const TIMES = [
  '',
  'T00',
  'T24',
  'T24:01',
  'T12:30',
  'T23:59:59',
  'T12:00:60',
  'T12:30:15.5',
  'T12:30:15,123456789',
];
const DAYS = [
  '2030-02-01',
  '2028-02-29',
  '2027-02-29',
  '2030-12-31',
  '2030-13-01',
  '2030-00-01',
  '2030-02-00',
  '2030-W01-1',
  '2026-W53-7',
  '2030-W53-1',
  '2030-W00-1',
  '2030-W01-8',
  '2030-032',
  '2028-366',
  '2027-366',
  '2030-000',
  '2030-02',
  '2030',
  '0050-01-01',
  '1969-12-31',
  '2100-02-29',
  '2000-02-29',
  'yesterday',
  '',
];
const extended = DAYS.flatMap((day) => TIMES.flatMap((time) => OFFSETS.map((offset) => day + time + offset)));
const TEXTS = [...extended, ...extended.map((text) => text.replaceAll(/[-:](?=\d|W)/g, ''))];

test('a text is a timestamp to the database exactly when it is one to a rule', async () => {
  const rows = await db.query<{ text: string; moment: string | null }>(
    `SELECT text, (metadata_moment(to_jsonb(text)) * 1000000000)::numeric(40, 0)::text AS moment FROM unnest($1::text[]) AS text`,
    [[...new Set(TEXTS)]],
  );
  expect(rows.filter(({ moment }) => moment !== null).length).toBeGreaterThan(300);
  for (const { text, moment } of rows) {
    const read = readMoment(text);
    const wanted = read === null ? null : String(BigInt(read.ms) * 1_000_000n + BigInt(read.below));
    expect([text, moment]).toEqual([text, wanted]);
  }
});

test('a value is a number to the database exactly when it is one to a rule', async () => {
  const values: Json[] = [
    0,
    -1.5,
    1e300,
    '1',
    ' 1.50 ',
    '+7',
    '-0',
    '1e999',
    '1e1000',
    '0x10',
    '1.',
    '.5',
    '1e',
    '',
    ' ',
    '１',
  ];
  const others: Json[] = [true, null, [], {}, '9'.repeat(400)];
  const rows = await db.query<{ value: Json; is_number: boolean }>(
    `SELECT value, metadata_number(value) IS NOT NULL AS is_number FROM jsonb_array_elements($1::jsonb) AS value`,
    [JSON.stringify([...values, ...others])],
  );
  for (const { value, is_number: isNumber } of rows)
    expect([value, isNumber]).toEqual([value, readDecimal(value) !== null]);
});

const ordered = fc.oneof<fc.Arbitrary<Json>[]>(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.bigInt({ min: -(10n ** 25n), max: 10n ** 25n }).map(String),
  fc.constantFrom('9007199254740993', '9007199254740993.5', '1e400', '-1e-400', '1e16', '0'),
  fc
    .tuple(fc.constantFrom(...DAYS), fc.constantFrom(...TIMES), fc.constantFrom(...OFFSETS))
    .map((parts) => parts.join('')),
);

test('two values have one order in the database and in a rule', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(ordered, ordered), { minLength: 20, maxLength: 100 }),
      async (pairs) => {
        const rows = await db.query<{ order: number | null }>(
          `SELECT coalesce(sign(metadata_number(a) - metadata_number(b)), sign(metadata_moment(a) - metadata_moment(b)))::integer AS "order"
         FROM jsonb_array_elements($1::jsonb) WITH ORDINALITY AS pairs(pair, at),
           LATERAL (SELECT pair -> 0 AS a, pair -> 1 AS b) AS sides ORDER BY at`,
          [JSON.stringify(pairs)],
        );
        const wanted = pairs.map(([a, b]) => {
          const order = compareValues(a, b);
          return order === null ? null : Math.sign(order) + 0;
        });
        expect(rows.map(({ order }) => order)).toEqual(wanted);
      },
    ),
    { numRuns: 30 },
  );
});
