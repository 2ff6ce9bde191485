/** Data would pass a schema that forbids it, or a hostile schema would stall the process. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkSchema } from '../../../src/language/graph/schema/json-schema.ts';
import type { Json, JsonObject } from '../../../src/language/graph/values/value.ts';
import {
  NODE_WORK,
  WorkBudget,
  WorkLimitExceeded,
  type PatternEngine,
} from '../../../src/language/graph/values/work-budget.ts';
import { spending } from '../../support/spending.ts';

const engine = (): PatternEngine => ({
  work: new WorkBudget(NODE_WORK),
  matches: (pattern, text) => text.includes(pattern),
});
const types = (schema: Json, value: Json): string[] =>
  checkSchema(schema, value, engine()).map((issue) => issue.type);
/** A schema with a condition; null: without its `if`, where the others say nothing. */
const either = (condition: Json, yes: Json, no: Json = true): JsonObject =>
  // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
  Object.fromEntries([...(condition === null ? [] : [['if', condition]]), ['then', yes], ['else', no]]);

describe('keywords', () => {
  it.each<[Json, Json, Json]>([
    [{ type: 'string' }, 'x', 1],
    [{ type: 'number' }, 1.5, '1'],
    [{ type: 'integer' }, 1, 1.5],
    [{ type: 'boolean' }, false, 0],
    [{ type: 'null' }, null, 0],
    [{ type: 'array' }, [], {}],
    [{ type: 'object' }, {}, []],
    [{ type: 'object' }, {}, null],
    [{ type: ['string', 'null'] }, null, 1],
    [{ enum: [1, { a: [2] }] }, { a: [2] }, { a: [3] }],
    [{ const: null }, null, 0],
    [{ minimum: 2 }, 2, 1],
    [{ maximum: 2 }, 2, 3],
    [{ exclusiveMinimum: 2 }, 3, 2],
    [{ exclusiveMaximum: 2 }, 1, 2],
    [{ multipleOf: 0.1 }, 0.3, 0.35],
    [{ minLength: 1 }, '😀', ''],
    [{ maxLength: 1 }, '😀', 'ab'],
    [{ pattern: 'b' }, 'abc', 'xyz'],
    [{ minItems: 1 }, [0], []],
    [{ maxItems: 1 }, [0], [0, 0]],
    [
      { uniqueItems: true },
      [1, '1', { a: 1, b: 2 }],
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
    ],
    [{ items: { type: 'string' } }, ['a'], ['a', 1]],
    [{ prefixItems: [{ type: 'string' }], items: false }, ['a'], ['a', 'b']],
    [{ required: ['a'] }, { a: null }, {}],
    [{ properties: { a: { type: 'string' } } }, { b: 1 }, { a: 1 }],
    [{ properties: { a: true }, additionalProperties: false }, { a: 1 }, { b: 1 }],
    [{ additionalProperties: { type: 'number' } }, { a: 1 }, { a: 'x' }],
    [{ patternProperties: { x: { type: 'integer' } } }, { ax: 1, b: 'any' }, { ax: 'no' }],
    [{ patternProperties: { x: true }, additionalProperties: false }, { ax: 'any' }, { b: 1 }],
    [{ properties: { ax: { minimum: 1 } }, patternProperties: { x: { maximum: 5 } } }, { ax: 3 }, { ax: 7 }],
    [{ properties: { ax: { minimum: 1 } }, patternProperties: { x: { maximum: 5 } } }, { ax: 3 }, { ax: 0 }],
    [{ propertyNames: { maxLength: 1 } }, { a: 'long' }, { long: 1 }],
    [{ minProperties: 1 }, { a: 1 }, {}],
    [{ maxProperties: 1 }, { a: 1 }, { a: 1, b: 2 }],
    [{ dependentRequired: { a: ['b'] } }, { c: 1 }, { a: 1 }],
    [{ dependentRequired: { a: ['b'] } }, { a: 1, b: null }, { a: 1, c: 1 }],
    [{ dependentSchemas: { a: { required: ['b'] } } }, { b: 1 }, { a: 1 }],
    [either({ type: 'string' }, { minLength: 2 }, { minimum: 2 }), 'ab', 'a'],
    [either({ type: 'string' }, { minLength: 2 }, { minimum: 2 }), 2, 1],
    [either({ type: 'string' }, { minLength: 2 }), 0, ''],
    [{ ...either(null, false, { minimum: 1 }), type: 'number' }, 0, 'x'],
    [{ contains: { type: 'integer' } }, ['x', 1], ['x']],
    [{ contains: { type: 'integer' }, minContains: 2 }, [1, 'x', 2], [1, 'x']],
    [{ contains: { type: 'integer' }, minContains: 0, maxContains: 1 }, ['x'], [1, 2]],
    [{ contains: { type: 'integer' } }, [1], []],
    [{ anyOf: [{ type: 'string' }, { minimum: 5 }] }, 7, 3],
    [{ oneOf: [{ minimum: 1 }, { minimum: 5 }] }, 3, 7],
    [{ allOf: [{ minimum: 1 }, { maximum: 5 }] }, 3, 7],
    [{ not: { type: 'string' } }, 1, 'x'],
    [{ $ref: '#/$defs/a', $defs: { a: { type: 'string' } } }, 'x', 1],
    [{ $ref: '#/definitions/a~1b', definitions: { 'a/b': { type: 'string' } } }, 'x', 1],
    [
      { properties: { next: { $ref: '#' } }, required: ['v'] },
      { v: 1, next: { v: 2 } },
      { v: 1, next: {} },
    ],
  ])('%j accepts %j and refuses %j', (schema, good, bad) => {
    expect(types(schema, good)).toEqual([]);
    expect(types(schema, bad)).toHaveLength(1);
  });

  it('accepts everything with true and nothing with false', () => {
    expect(types(true, 1)).toEqual([]);
    expect(types(false, 1)).toEqual(['false_schema']);
  });

  it('applies the keywords of a type only to that type, and ignores format', () => {
    expect(types({ minimum: 5, minLength: 5, minItems: 5, required: ['a'], format: 'email' }, null)).toEqual(
      [],
    );
    expect(types({ format: 'email' }, 'nobody')).toEqual([]);
  });
});

describe('issues', () => {
  it('names the place, ending with the missing property', () => {
    const schema: Json = {
      properties: { rows: { items: { required: ['id'], properties: { id: { type: 'integer' } } } } },
    };
    expect(checkSchema(schema, { rows: [{}, { id: 'x' }] }, engine())).toEqual([
      { path: ['rows', 0, 'id'], message: 'Field required', type: 'missing' },
      { path: ['rows', 1, 'id'], message: 'Must be of type integer', type: 'type' },
    ]);
  });

  it('stops at a hundred', () => {
    expect(
      types(
        { items: { type: 'string' } },
        Array.from({ length: 1_000 }, () => 1),
      ),
    ).toHaveLength(100);
  });
});

describe('hostile schemas', () => {
  it('ends on references that multiply or turn in a circle', () => {
    const twice = { allOf: [{ $ref: '#/$defs/a' }, { $ref: '#/$defs/a' }] };
    expect(types({ $ref: '#/$defs/a', $defs: { a: twice } }, 1)).toEqual(['too_complex']);
    expect(types({ $ref: '#' }, 1)).toEqual(['too_complex']);
  });

  const numbers = (count: number): Json[] => Array.from({ length: count }, (_, at) => at);
  const names = (count: number): string[] => numbers(count).map((at) => `k${String(at)}`);
  const object = (count: number): Json => Object.fromEntries(names(count).map((key) => [key, 1]));
  const checking = (schema: Json, value: Json) =>
    spending((work) => checkSchema(schema, value, { work, matches: () => true }));

  it.each<[string, (count: number) => Json, (count: number) => Json]>([
    ['many items', () => ({ items: { type: 'integer' } }), numbers],
    ['many branches', (n) => ({ anyOf: [...numbers(n).map(() => false), true] }), () => 1],
    ['many allowed values', (n) => ({ enum: [...numbers(n), 'x'] }), () => 'x'],
    ['one large allowed value', (n) => ({ enum: [object(n)] }), object],
    ['many types', (n) => ({ type: [...names(n), 'integer'] }), () => 1],
    ['many required members', (n) => ({ required: names(n) }), object],
    ['many members', () => ({ additionalProperties: { type: 'integer' } }), object],
    ['many names', () => ({ propertyNames: { type: 'string' } }), object],
    ['members of one pattern', () => ({ patternProperties: { k: true } }), object],
    ['many counted members', () => ({ minProperties: 1, maxProperties: 1_000_000 }), object],
    ['many patterns', (n) => ({ patternProperties: object(n) }), () => ({ a: 1 })],
    [
      'many dependents',
      (n) => ({ dependentRequired: Object.fromEntries(names(n).map((key) => [key, []])) }),
      () => ({}),
    ],
    ['many that one depends on', (n) => ({ dependentRequired: { k0: names(n) } }), object],
    ['many items that may count', () => ({ contains: { type: 'integer' } }), numbers],
    ['items that may not repeat', () => ({ uniqueItems: true }), numbers],
    ['the length of a text', () => ({ maxLength: 1_000_000 }), (n) => 'x'.repeat(100 * n)],
    ['a long reference', (n) => ({ $ref: `#/${'x/'.repeat(100 * n)}`, $defs: {} }), () => 1],
  ])(
    'SEC-H01: %s are checked within their steps, refused with one less, and cost as much as there are',
    (_, schema, value) => {
      const { steps, enough, tooLittle } = checking(schema(1_000), value(1_000));
      expect(steps).toBeGreaterThan(900);
      expect(enough().filter(({ type }) => type !== 'ref')).toEqual([]);
      expect(tooLittle).toThrow(WorkLimitExceeded);
      const ratio = checking(schema(2_000), value(2_000)).steps / steps;
      expect(ratio).toBeGreaterThan(1.8);
      expect(ratio).toBeLessThan(2.3);
    },
  );

  it('survives more issues than fit on the stack', () => {
    const many = { allOf: Array.from({ length: 150_000 }, () => false) };
    expect(types({ allOf: [many] }, 1)).toHaveLength(100);
  });

  it('refuses what is nested too deeply', () => {
    const deep = JSON.parse('['.repeat(50_000) + ']'.repeat(50_000)) as Json;
    expect(types({ uniqueItems: true }, deep)).toEqual(['too_deep']);
    expect(types({ enum: deep }, 1)).toEqual(['too_deep']);
  });

  it('follows local references only and says when one leads nowhere', () => {
    for (const $ref of ['#/$defs/none', 'https://example.com/schema', '#/constructor', '#/__proto__']) {
      expect(types({ $ref }, 1)).toEqual(['ref']);
    }
  });

  it('requires and declares own properties only', () => {
    expect(types({ required: ['toString', '__proto__'] }, {})).toEqual(['missing', 'missing']);
    expect(types({ properties: {}, additionalProperties: false }, { constructor: 1 })).toEqual([
      'additional_properties',
    ]);
  });

  it('never throws on JSON', () => {
    const keyword = fc.constantFrom(
      'type',
      'properties',
      'required',
      'items',
      'enum',
      'anyOf',
      'not',
      '$ref',
      'minimum',
      'pattern',
      'uniqueItems',
    );
    const schema = fc.dictionary(keyword, fc.jsonValue({ maxDepth: 3 }));
    fc.assert(
      fc.property(schema, fc.jsonValue(), (raw, value) =>
        Array.isArray(checkSchema({ ...raw } as Json, value as Json, engine())),
      ),
    );
  });
});

describe('a whole number that is kept as text, for its digits', () => {
  it('is an integer, a number, and a text', () => {
    for (const type of ['integer', 'number', 'string', ['integer', 'null']])
      expect([type, types({ type }, '9007199254740993')]).toEqual([type, []]);
    expect(types({ type: 'boolean' }, '9007199254740993')).toEqual(['type']);
    expect(types({ type: 'integer' }, '9007199254740991')).toEqual(['type']);
  });
  it('is held to the bounds of numbers', () => {
    const long = { type: 'integer', minimum: -1e18, maximum: 1e18 };
    expect(types(long, '1000000000000000000')).toEqual([]);
    expect(types(long, '1000000000000000001')).toEqual(['maximum']);
    expect(types(long, '-1000000000000000001')).toEqual(['minimum']);
    expect(types({ type: 'integer', exclusiveMaximum: 1e18 }, '999999999999999999')).toEqual([]);
    expect(types({ type: 'integer', maximum: 10 }, '9007199254740993')).toEqual(['maximum']);
    expect(types({ type: 'integer', maxLength: 3 }, '9007199254740993')).toEqual([]);
    expect(types({ type: 'string', maxLength: 3 }, '9007199254740993')).toEqual(['max_length']);
  });
});
