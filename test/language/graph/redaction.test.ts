/** Redaction is promised for every value that a path names: a path that matches too little would store what was to be hidden. */
import { describe, expect, test } from 'vitest';
import { findRedactedReads } from '../../../src/language/graph/checks/check-redacted.ts';
import {
  findPathProblem,
  NO_REDACTION,
  REDACTED_PATH_PATTERN,
  Redaction,
} from '../../../src/language/graph/redaction/redaction.ts';
import type { Json } from '../../../src/language/graph/values/value.ts';
import { REQUEST_WORK, WorkBudget } from '../../../src/language/graph/values/work-budget.ts';

const R = '[redacted]';
const redact = (path: string, value: Json): Json => new Redaction(path.split(' ')).json(value);

describe('a path names', () => {
  test.each<[string, Json, Json]>([
    [
      'customer.ssn',
      { customer: { ssn: 'a', name: 'b' }, ssn: 'c' },
      { customer: { ssn: R, name: 'b' }, ssn: 'c' },
    ],
    ['customer', { customer: { ssn: 'a' } }, { customer: R }],
    ['customer.ssn', { customer: null }, { customer: null }],
    ['a.b', { a: { b: null } }, { a: { b: R } }],
    ['items.*.card', { items: [{ card: 1, id: 2 }, { id: 3 }] }, { items: [{ card: R, id: 2 }, { id: 3 }] }],
    ['items.1.card', { items: [{ card: 1 }, { card: 2 }] }, { items: [{ card: 1 }, { card: R }] }],
    ['*.card', { a: { card: 1 }, b: { c: { card: 2 } } }, { a: { card: R }, b: { c: { card: 2 } } }],
    [
      '**.password',
      { password: 1, a: [{ b: { password: 2 } }] },
      { password: R, a: [{ b: { password: R } }] },
    ],
    ['a.**.z', { a: { z: 1, b: { z: 2 } }, z: 3 }, { a: { z: R, b: { z: R } }, z: 3 }],
    ['a.**.b.c', { a: { b: { b: { c: 1 } } } }, { a: { b: { b: { c: R } } } }],
    ['a b.c', { a: 1, b: { c: 2, d: 3 } }, { a: R, b: { c: R, d: 3 } }],
    [
      '__proto__.a',
      JSON.parse('{"__proto__":{"a":1}}') as Json,
      JSON.parse(`{"__proto__":{"a":"${R}"}}`) as Json,
    ],
  ])('%s', (path, value, expected) => {
    expect(JSON.stringify(redact(path, value))).toBe(JSON.stringify(expected));
  });

  test.each<[string, Json, Json]>([
    ['the body of a response', { status: 200, data: { ssn: 1 } }, { status: 200, data: { ssn: R } }],
    [
      'the items of a mapped node',
      { results: [{ data: { ssn: 1 } }], count: 1 },
      { results: [{ data: { ssn: R } }], count: 1 },
    ],
    ['a list', [{ ssn: 1 }, { x: { ssn: 2 } }], [{ ssn: R }, { x: { ssn: 2 } }]],
    ['the JSON in a text', { data: '{"ssn":1,"n":2}' }, { data: `{"ssn":"${R}","n":2}` }],
    [
      'the JSON in the JSON in a text',
      { content: '[{"data":"{\\"ssn\\":1}"}]' },
      { content: `[{"data":"{\\"ssn\\":\\"${R}\\"}"}]` },
    ],
    [
      'the arguments of a tool call',
      { tool_calls: [{ name: 'a', arguments: { ssn: 1 } }] },
      { tool_calls: [{ name: 'a', arguments: { ssn: R } }] },
    ],
  ])('what %s holds, without the wrapping', (_, value, expected) => {
    expect(redact('ssn', value)).toEqual(expected);
  });
});

test('a text or a number that was named is removed from the texts beside it', () => {
  const [output, logs] = new Redaction(['ssn']).all([
    { ssn: '078-05-1120', copy: '078-05-1120', note: 'see 078-05-1120!' },
    ['found 078-05-1120', 'and%20078-05-1120'],
  ]);
  expect(output).toEqual({ ssn: R, copy: R, note: `see ${R}!` });
  expect(logs).toEqual([`found ${R}`, `and%20${R}`]);
});

test('short texts are not searched for, because ordinary words have them', () => {
  expect(redact('pin', { pin: 'abc', note: 'abcde' })).toEqual({ pin: R, note: 'abcde' });
});

test('half a surrogate pair is redacted, too', () => {
  expect(redact('a', { a: 'half a pair \uD800', b: 'x half a pair \uD800' })).toEqual({ a: R, b: `x ${R}` });
});

test('a value without named parts stays itself, and one that was redacted does not change again', () => {
  const value = { a: [{ b: 1 }], text: '{"a":1}' };
  expect(redact('x.y', value)).toBe(value);
  const once = redact('**.b', value);
  expect(redact('**.b', once)).toEqual(once);
  expect(NO_REDACTION.json(value)).toBe(value);
});

describe('SEC-H07: redaction is bounded, and beyond the bound replaces everything', () => {
  test('a long named text is searched for in linear time', () => {
    const half = 'a'.repeat(125_000);
    const text = `${'a'.repeat(500_000)}${half}b${half}${'a'.repeat(500_000)}`;
    const work = new WorkBudget(REQUEST_WORK);
    expect(new Redaction(['secret']).json({ secret: `${half}b${half}`, text }, work)).toEqual({
      secret: R,
      text: `${'a'.repeat(500_000)}${R}${'a'.repeat(500_000)}`,
    });
    expect(work.spent).toBeLessThan(2_000_000);
  });

  test('the steps of many paths are counted, per key', () => {
    // 50 paths of 200 characters: 99 levels each.
    const paths = Array.from({ length: 50 }, (_, at) => `${'**.*.'.repeat(39)}x${at}`);
    const wide: Json = Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`k${at}`, 'text']));
    const deep = Array.from({ length: 40 }).reduce<Json>((inner) => ({ inner }), wide);
    const work = new WorkBudget(REQUEST_WORK);
    expect(new Redaction(paths).json({ deep }, work)).not.toMatchObject({ deep });
    const few = new WorkBudget(REQUEST_WORK);
    new Redaction(['**.x']).json({ deep }, few);
    expect(few.spent).toBeLessThan(30_000);
  });

  test('values within the budget keep what is not named; beyond it only keys and nulls stay', () => {
    const secrets = (count: number): Json =>
      Array.from({ length: count }, (_, at) => ({ secret: `a named text ${at}` }));
    const given: Json = {
      texts: Array.from({ length: 400 }, () => 'x'.repeat(1_000)),
      n: 1,
      yes: true,
      no: null,
    };
    const redaction = new Redaction(['**.secret']);
    expect(redaction.all([secrets(64), given])[1]).toEqual(given);
    const small = new WorkBudget({ total: 300_000, turn: 300_000 });
    const [named, rest] = redaction.all([secrets(64), given], small);
    expect(rest).toEqual({ texts: Array.from({ length: 400 }, () => R), n: R, yes: R, no: null });
    expect(named).toEqual(Array.from({ length: 64 }, () => ({ secret: R })));
  });

  test('so is JSON in a text that nests deeper than the call stack', () => {
    const text = `${'['.repeat(200_000)}{"secret":"a named text"}${']'.repeat(200_000)}`;
    expect(redact('**.secret', { text, other: 'a named text' })).toEqual({ text: R, other: R });
  });
});

test('the input is not changed', () => {
  const value = { a: { b: [1, { c: 2 }] } };
  redact('**.c', value);
  expect(value).toEqual({ a: { b: [1, { c: 2 }] } });
});

test.each([
  ['', 'Must have 1 to 200'],
  ['a..b', 'single dots'],
  ['.a', 'single dots'],
  ['a. b', 'without spaces'],
  ['items[].card', 'items.*.card'],
  ['a*.b', 'only a name'],
  ['a.*', 'end with a name'],
  ['**', 'end with a name'],
  ['**.**.a', 'may not follow'],
  ['a'.repeat(201), 'Must have 1 to 200'],
])('%s is refused', (path, reason) => {
  expect(findPathProblem(path)).toContain(reason);
  // The length is a keyword of its own.
  if (path.length <= 200) expect(path).not.toMatch(new RegExp(REDACTED_PATH_PATTERN, 'u'));
});

test.each(['customer.ssn', '**.password', 'items.*.card', 'a', 'first name.x', 'ä.ö', 'a.**.b'])(
  '%s is accepted',
  (path) => {
    expect(findPathProblem(path)).toBeNull();
    expect(path).toMatch(new RegExp(REDACTED_PATH_PATTERN, 'u'));
  },
);

test('a template that reads a redacted value is warned of, at its node', () => {
  const definition = {
    nodes: [
      { id: 'a', config: { fields: { x: '{{input.customer.ssn}}', y: '{{input.customer.name}}' } } },
      { id: 'b', config: { body: '{{a.data.customer.ssn}} {{state.pin}} {{pin}} {{input.customer}}' } },
    ],
  };
  const found = findRedactedReads(definition, ['customer.ssn', 'pin']);
  expect(found.map(({ severity, nodeId, path }) => [severity, nodeId, path.join('.')])).toEqual([
    ['warning', 'a', 'nodes.0.config.fields.x'],
    ['warning', 'b', 'nodes.1.config.body'],
    ['warning', 'b', 'nodes.1.config.body'],
    ['warning', 'b', 'nodes.1.config.body'],
  ]);
  expect(found[0]?.message).toContain('{{input.customer.ssn}} is redacted');
  expect(findRedactedReads(definition, [])).toEqual([]);
});
