/** A filter would give another value than it says, another one on another machine, or stall the process. */
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FilterError } from '../../../src/language/graph/filters/filter.ts';
import { FILTER_SIGNATURES } from '../../../src/language/graph/filters/filter-signatures.ts';
import {
  MAX_RENDERED_CHARS,
  RenderBudget,
  RenderTooLarge,
} from '../../../src/language/graph/template/render-budget.ts';
import { scanTemplate, TemplateError } from '../../../src/language/graph/template/template-scanner.ts';
import { checkFilterArguments } from '../../../src/language/graph/filters/filters.ts';
import { findReferences, render } from '../../../src/language/graph/template/template.ts';
import type { Json } from '../../../src/language/graph/values/value.ts';
import { NODE_WORK, WorkBudget, WorkLimitExceeded } from '../../../src/language/graph/values/work-budget.ts';
import { rewriteReferences } from '../../../src/features/canvas/room/rewrite-references.ts';
import { spending } from '../../support/spending.ts';

/** Renders `{{v | …}}` with a value; `o` is another one. */
function apply(
  filters: string,
  v: Json,
  { o = null, work = new WorkBudget(NODE_WORK) }: { o?: Json; work?: WorkBudget } = {},
): Json {
  const roots: Readonly<Record<string, Json>> = { v, o };
  return render(`{{v | ${filters}}}`, {
    root: (name) => ({ state: 'value', value: roots[name] ?? null }),
    missing: (reference) => {
      throw new Error(`missing: ${reference}`);
    },
    budget: new RenderBudget(work),
  });
}

describe('DEF-2.18: texts', () => {
  test.each<[string, Json, Json]>([
    ['lower', 'ÄB', 'äb'],
    ['upper', 'äb', 'ÄB'],
    ['trim', ' a b\n', 'a b'],
    ['upper', 7, '7'],
    ['replace: "a", "$&b"', 'aXa', '$&bX$&b'],
    ["replace: 'it\\'s', \"\"", "it's so", ' so'],
    ['split: ","', 'a,b,', ['a', 'b', '']],
    ['split: ""', 'a😀', ['a', '😀']],
    ['join', [1, 'x', null, { a: 1 }], '1, x, , {"a":1}'],
    ['join: "-"', ['a'], 'a'],
    ['slice: 1', 'abc', 'bc'],
    ['slice: -2, -1', 'abc', 'b'],
    ['slice: 0, 2', [1, 2, 3], [1, 2]],
    ['slice: 0, 1', '😀x', ''],
    ['slice: 1', '😀x', 'x'],
    ['slice: 5', 'abc', ''],
    ['escape: "html"', `<a b="c">'&`, '&lt;a b=&quot;c&quot;&gt;&#39;&amp;'],
    ['escape: "url"', 'a b&ü/', 'a%20b%26%C3%BC%2F'],
    ['escape: "json"', 'say "hi"\n', String.raw`say \"hi\"\n`],
    ['escape: "markdown"', '*a* [b](c)', String.raw`\*a\* \[b\]\(c\)`],
    ['trim | upper | replace("A", "B") | length', ' aa ', 2],
    ['default: "none"', null, 'none'],
    ['upper | default: "none"', null, 'none'],
    ['default: o', null, 'other'],
    ['default: [1, {"a": "]"}]', null, [1, { a: ']' }]],
    ['default: true', null, true],
    ['json | base64', { a: 1 }, 'eyJhIjoxfQ=='],
  ])('%s of %j is %j', (filters, value, expected) => {
    expect(apply(filters, value, { o: 'other' })).toEqual(expected);
  });
});

describe('DEF-2.18: numbers', () => {
  test.each<[string, Json, Json]>([
    ['round', 2.5, 3],
    ['round', -2.5, -3],
    ['round: 2', '1.005', 1.01],
    ['round: 2', 1.004, 1],
    ['round: 20', 1.5, 1.5],
    ['round', '9007199254740993.4', '9007199254740993'],
    ['parse_number: "de"', '1.234,56 €', 1234.56],
    ['parse_number: "de"', '-1.234', -1234],
    ['parse_number', '$1,234.50', 1234.5],
    ['parse_number: "en"', '(12.00)', -12],
    ['parse_number: "fr"', '1\u202F234,5', 1234.5],
    ['parse_number: "fr"', '1 234,5 EUR', 1234.5],
    ['parse_number: "de-CH"', "CHF 1'234.50", 1234.5],
    ['parse_number: "en-IN"', '12,34,567', 1234567],
    ['parse_number', 7, 7],
    ['format_number: "de", 2', 1234567.891, '1.234.567,89'],
    ['format_number', 1234.5, '1,234.5'],
    ['format_number: "fr"', '0.10', '0,1'],
    ['format_number: "en-IN", 0', 1234567, '12,34,567'],
    ['format_number: "de_AT", 1', -999.95, '-1.000,0'],
    ['currency: "EUR", "de"', 1234.5, '1.234,50\u00A0€'],
    ['currency: "USD"', -1234.5, '-$1,234.50'],
    ['currency: "JPY", "ja"', 1234.5, '¥1,235'],
    ['currency: "KWD", "en"', 1, 'KWD\u00A01.000'],
    ['currency: "CHF", "de-CH"', 1234.5, 'CHF\u00A01’234.50'],
  ])('%s of %j is %j', (filters, value, expected) => {
    expect(apply(filters, value)).toEqual(expected);
  });
  test('what is written is read again', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -1e12, max: 1e12 }),
        fc.constantFrom('en', 'de', 'fr', 'pl', 'de-CH', 'en-IN', 'pt-BR', 'nl'),
        fc.constantFrom('EUR', 'USD', 'CHF', 'GBP', 'CZK', 'PLN', 'BRL'),
        (cents, locale, currency) => {
          const written = apply(`currency: "${currency}", "${locale}"`, cents / 100);
          expect(apply(`parse_number: "${locale}"`, written), String(written)).toBe(cents / 100);
        },
      ),
    );
  });
});

describe('DEF-2.18: dates', () => {
  test.each<[string, Json, Json]>([
    ['date: "yyyy-MM-dd HH:mm:ss.SSS XXX"', '2030-02-01T12:30:00.5Z', '2030-02-01 12:30:00.500 +00:00'],
    [
      'date: "EEEE, d MMMM yyyy h:mm a", "America/New_York"',
      '2030-07-04T16:05:00Z',
      'Thursday, 4 July 2030 12:05 PM',
    ],
    [`date: "d'th of' MMM yy ''"`, '2030-02-01', "1th of Feb 30 '"],
    ['date: "HH:mm XXX", "Asia/Kolkata"', 1_900_000_000, '23:16 +05:30'],
    ['date: "yyyy"', 1_900_000_000_000, '2030'],
    ['parse_date', 'Tue, 1 Feb 2030 12:30:00 +0100', '2030-02-01T11:30:00.000Z'],
    ['parse_date', 'Fri, 01 Feb 2030 12:30 GMT', '2030-02-01T12:30:00.000Z'],
    ['parse_date', '2030-02-01', '2030-02-01T00:00:00.000Z'],
    ['parse_date: "dd.MM.yyyy HH:mm", "Europe/Berlin"', '01.07.2030 12:00', '2030-07-01T10:00:00.000Z'],
    ['parse_date: "d MMM yy h a ZZ", "Europe/Berlin"', '1 feb 30 12 am +02:00', '2030-01-31T22:00:00.000Z'],
    // The clocks skip 02:30, and show it twice in October.
    ['parse_date: "yyyy-MM-dd HH:mm", "Europe/Berlin"', '2030-03-31 02:30', '2030-03-31T01:30:00.000Z'],
    ['parse_date: "yyyy-MM-dd HH:mm", "Europe/Berlin"', '2030-10-27 02:30', '2030-10-27T00:30:00.000Z'],
    ['date_add: 1, "day", "Europe/Berlin"', '2030-03-30T11:00:00Z', '2030-03-31T10:00:00.000Z'],
    ['date_add: 24, "hours", "Europe/Berlin"', '2030-03-30T11:00:00Z', '2030-03-31T11:00:00.000Z'],
    ['date_add: 1, "month"', '2032-01-31T10:00:00Z', '2032-02-29T10:00:00.000Z'],
    ['date_add: -1, "years"', '2032-02-29', '2031-02-28T00:00:00.000Z'],
    ['date_add: -2, "weeks"', '2030-01-01', '2029-12-18T00:00:00.000Z'],
    ['date_diff: o, "days"', '2030-04-02T09:59:59Z', 28],
    ['date_diff: o, "month"', '2030-04-04T10:00:00Z', 1],
    ['date_diff: o, "month"', '2030-04-04T09:59:59Z', 0],
    ['date_diff: o, "years"', '2028-03-04', -2],
    ['date_diff: o, "years"', '2028-03-05', -1],
    ['date_diff: o, "hours"', '2030-03-03T12:59:00Z', -21],
    ['start_of: "week"', '2030-03-03T12:00:00Z', '2030-02-25T00:00:00.000Z'],
    ['start_of: "month", "America/New_York"', '2030-04-01T03:00:00Z', '2030-03-01T05:00:00.000Z'],
    ['start_of: "year"', '2030-04-01', '2030-01-01T00:00:00.000Z'],
    ['start_of: "hour", "Asia/Kolkata"', '2030-04-01T00:45:00Z', '2030-04-01T00:30:00.000Z'],
  ])('%s of %j is %j', (filters, value, expected) => {
    expect(apply(filters, value, { o: '2030-03-04T10:00:00Z' })).toEqual(expected);
  });
  test('the years 1000 and 9999 have dates, those beside them have none', () => {
    expect(apply('date: "yyyy"', '1000-01-01')).toBe('1000');
    expect(apply('date_add: 1, "second"', '9999-12-31T23:59:58Z')).toBe('9999-12-31T23:59:59.000Z');
    for (const [filter, value] of [
      ['date: "yyyy"', '0999-12-31'],
      ['date_add: 1, "day"', '9999-12-31'],
      [`date_add: ${Number.MAX_SAFE_INTEGER}, "years"`, '2030-01-01'],
      [`date_add: ${Number.MAX_SAFE_INTEGER}, "days"`, '2030-01-01'],
    ] as const)
      expect(() => apply(filter, value), filter).toThrow(FilterError);
  });
});

describe('DEF-2.18: derived texts', () => {
  test('a hash is that of OpenSSL, and base64 that of Node, of any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (text) => {
        expect(apply('hash', text)).toBe(createHash('sha256').update(text).digest('hex'));
        const encoded = Buffer.from(text).toString('base64');
        expect(apply('base64', text)).toBe(encoded);
        expect(apply('base64_decode', encoded)).toBe(text);
      }),
    );
  });
  test.each([55, 56, 63, 64, 65, 1_000])('a hash of %i bytes has its padding', (length) => {
    const text = 'x'.repeat(length);
    expect(apply('hash: "sha256"', text)).toBe(createHash('sha256').update(text).digest('hex'));
  });
  test('a UUID is the same from the same, and another for another purpose', () => {
    const uuid = apply('uuid', 'order 7');
    expect(uuid).toMatch(/^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
    expect(apply('uuid', 'order 7')).toBe(uuid);
    expect(apply('uuid: "invoice"', 'order 7')).not.toBe(uuid);
    expect(apply('uuid: "7"', 'order ')).not.toBe(apply('uuid', 'order 7'));
  });
});

test.each<[string, Json]>([
  ['round', 'many'],
  ['round', { a: 1 }],
  ['round: o', 1.5],
  ['parse_number: "de"', '1,2,3'],
  ['parse_number: "de"', '12 apples 3'],
  ['parse_number: "de"', 'apples 3'],
  ['parse_number: "de"', '1.23'],
  ['parse_number', ''],
  ['format_number: o', 1],
  ['currency: o', 1],
  ['date: "yyyy"', 'soon'],
  ['date: "yyyy", "Mars/Olympus"', '2030-01-01'],
  ['date: o', '2030-01-01'],
  ['parse_date: "dd.MM.yyyy"', '31.02.2030'],
  ['parse_date: "dd.MM.yyyy"', '01.02.2030 10:00'],
  ['parse_date: "h a"', '13 pm'],
  ['date_add: o, "days"', '2030-01-01'],
  ['date_diff: o, "days"', '2030-01-01'],
  ['join', 'abc'],
  ['slice: o', 'abc'],
  ['escape: o', 'abc'],
  ['replace: "", "x"', 'abc'],
  ['base64_decode', '!!'],
  ['base64_decode', '/w=='],
  ['base64_decode', 'AA=='],
])('DEF-2.18: %s does not accept %j', (filters, value) => {
  expect(() => apply(filters, value, { o: 'constructor' })).toThrow(FilterError);
});

test('each filter is written as its usage says, and null stays null', () => {
  for (const { usage } of FILTER_SIGNATURES.values()) {
    expect(scanTemplate(`{{v | ${usage}}}`, checkFilterArguments).single?.filters, usage).toHaveLength(1);
    if (/^(?:default|json|length)/.test(usage)) continue;
    expect(apply(usage, null, { o: null }), usage).toBeNull();
  }
});

test('references in arguments are read, checked and renamed as others are', () => {
  const text =
    '{{a.due | date_diff: b.date, "days" | default: state.b | replace: "b.x", \'b\'}} {{b}} \\{{b}}';
  const { references, errors } = findReferences({ text });
  expect(errors).toEqual([]);
  expect(references.map(({ text: reference }) => reference)).toEqual(['a.due', 'b.date', 'state.b', 'b']);
  expect(rewriteReferences(text, new Map([['b', 'long_name']]))).toBe(
    '{{a.due | date_diff: long_name.date, "days" | default: state.long_name | replace: "b.x", \'b\'}} {{long_name}} \\{{b}}',
  );
});

test('a template has as many filters as may be, and no more', () => {
  const chain = (count: number): string => `v${' | trim'.repeat(count)}`;
  expect(scanTemplate(`{{${chain(20)}}}`).single?.filters).toHaveLength(20);
  expect(() => scanTemplate(`{{${chain(21)}}}`)).toThrow(TemplateError);
});
test.each(['{{v|default: [', '{{v|default: "', "{{v|default: '", '{{v|split: a.'])(
  'SEC-M09: hostile arguments such as %s are read once',
  (part) => {
    expect(() => scanTemplate(part.repeat(200_000))).toThrow(TemplateError);
  },
);

test('SEC-M08: a filter makes as long a text as may be rendered, and refuses a longer one before it is built', () => {
  const half = 'a'.repeat(MAX_RENDERED_CHARS / 2);
  expect(apply('replace: "a", "bb" | length', half)).toBe(MAX_RENDERED_CHARS);
  expect(() => apply('replace: "a", "bb"', `${half}a`)).toThrow(RenderTooLarge);
  expect(apply('split: "" | join: "b" | length', half)).toBe(MAX_RENDERED_CHARS - 1);
  expect(() => apply('split: "" | join: "bb"', half)).toThrow(RenderTooLarge);
  expect(() => apply('escape: "html"', '<'.repeat(300_000))).toThrow(RenderTooLarge);
});

test.each<[string, Json]>([
  ['upper', 'a'.repeat(100_000)],
  ['split: ","', ','.repeat(100_000)],
  ['join', Array.from({ length: 10_000 }, () => 'x')],
  ['hash', 'a'.repeat(100_000)],
  ['base64', 'a'.repeat(100_000)],
  ['date: "yyyy", "Europe/Berlin"', '2030-01-01'],
  ['currency: "EUR", "de"', '1'.repeat(300)],
])('SEC-H01: %s ends within its steps, and fails with one less', (filters, value) => {
  const { enough, tooLittle, steps } = spending((work) => apply(filters, value, { work }));
  expect(enough()).not.toBeNull();
  expect(tooLittle).toThrow(WorkLimitExceeded);
  expect(steps).toBeGreaterThan(100);
});
