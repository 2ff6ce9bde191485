/** A condition would take the wrong branch, or a hostile one would stall the process. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RULE_OPS, type RuleGroup, type RuleOp } from '../../../src/language/graph/definition/definition.ts';
import { evaluateRules, readRules } from '../../../src/language/graph/template/rules.ts';
import type { Json } from '../../../src/language/graph/values/value.ts';
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
const evaluate = (group: RuleGroup): boolean => evaluateRules(group, (value) => value, engine());
const holds = (left: Json, op: RuleOp, right?: Json): boolean =>
  evaluate({ match: 'all', rules: [right === undefined ? { left, op } : { left, op, right }] });

describe('operators', () => {
  it.each<[Json, RuleOp, Json, boolean]>([
    [1, 'eq', 1, true],
    [1, 'eq', '1', false],
    [{ a: 1, b: [2] }, 'eq', { b: [2], a: 1 }, true],
    [null, 'eq', null, true],
    [true, 'neq', 'true', true],
    [2, 'gt', 1, true],
    ['9007199254740993', 'gt', '9007199254740992', true],
    ['9007199254740993', 'gt', 9007199254740991, true],
    ['9007199254740993', 'lte', '9007199254740992', false],
    ['-9007199254740993', 'lt', '-9007199254740992', true],
    ['9007199254740993', 'gte', '9007199254740993.0', true],
    ['9007199254740993e1', 'gt', '90071992547409929', true],
    ['0.30000000000000000001', 'gt', 0.3, true],
    [1e21, 'gte', '1000000000000000000000', true],
    ['10', 'gt', 9, true],
    [' 1.5e1 ', 'gte', '15', true],
    ['2030-02-01', 'gt', '2030-01-31T23:59:59Z', true],
    ['2030-02-01T00:30:00+01:00', 'lt', '2030-02-01T00:00:00Z', true],
    ['2030-02-01T01:00:00+01:00', 'gte', '2030-02-01T00:00', true],
    ['2030-02-01T00:00:00.123457Z', 'gt', '2030-02-01T00:00:00.123456Z', true],
    ['2030-02-01T00:00:00.123Z', 'gt', '2030-02-01T00:00:00.1230Z', false],
    ['2030-W01-1', 'lte', '20291231T00Z', true],
    ['2030-02-30', 'gt', '2030-02-01', false],
    ['2030-02-01', 'gt', 'yesterday', false],
    ['2030-02-01', 'gt', 5, false],
    ['2030-02-01T00:00:00Z', 'eq', '2030-02-01', false],
    ['abc', 'gt', 'abb', false],
    ['0x10', 'gt', 1, false],
    ['', 'gte', 0, false],
    [null, 'lt', 1, false],
    [true, 'gte', 1, false],
    [1, 'lt', 2, true],
    [2, 'lte', 2, true],
    ['hello', 'contains', 'ell', true],
    ['1', 'contains', 1, false],
    [[{ a: 1 }], 'contains', { a: 1 }, true],
    [null, 'contains', 'x', false],
    [null, 'not_contains', 'x', true],
    ['hello', 'starts_with', 'he', true],
    ['hello', 'ends_with', 'lo', true],
    [12, 'starts_with', '1', false],
    ['hello', 'matches', 'll', true],
    [5, 'matches', '5', false],
    ['a', 'in', ['a', 'b'], true],
    ['a', 'in', 'cat', true],
    ['z', 'not_in', ['a'], true],
  ])('%j %s %j is %j', (left, op, right, expected) => {
    expect(holds(left, op, right)).toBe(expected);
  });

  it('calls null, the empty text, list and object empty, and nothing else', () => {
    for (const value of [null, '', [], {}])
      expect([holds(value, 'is_empty'), holds(value, 'is_not_empty')]).toEqual([true, false]);
    for (const value of [0, false, ' ', [null], { a: null }]) expect(holds(value, 'is_empty')).toBe(false);
  });

  it('takes null for what does not exist', () => {
    expect([holds(null, 'exists'), holds(null, 'not_exists')]).toEqual([false, true]);
    expect([holds('', 'exists'), holds(0, 'not_exists')]).toEqual([true, false]);
  });

  it('takes only true for true and only false for false', () => {
    expect(([true, 'true', 1, false, null] as Json[]).map((value) => holds(value, 'is_true'))).toEqual([
      true,
      false,
      false,
      false,
      false,
    ]);
    expect(([false, 0, null, ''] as Json[]).map((value) => holds(value, 'is_false'))).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });

  it('asks for a value that may be missing where it asks whether it exists, and nowhere else', () => {
    const mayMiss = RULE_OPS.filter((op) => {
      const asked: boolean[] = [];
      const side = (value: Json, may: boolean): Json => (asked.push(may), value);
      evaluateRules({ match: 'all', rules: [{ left: 'x', op, right: 'y' }] }, side, engine());
      expect(asked[1]).toBe(false);
      return asked[0];
    });
    expect(mayMiss).toEqual(['exists', 'not_exists']);
  });

  it('stops at the rule that decides', () => {
    const seen: Json[] = [];
    const side = (value: Json): Json => (seen.push(value), value);
    evaluateRules(
      {
        match: 'any',
        rules: [
          { left: true, op: 'is_true' },
          { left: 'late', op: 'exists' },
        ],
      },
      side,
      engine(),
    );
    expect(seen).toEqual([true]);
  });
});

describe('work', () => {
  const many = (count: number): Json[] => Array.from({ length: count }, (_, at) => `v${at}`);
  const object = (count: number): Json => Object.fromEntries(many(count).map((key) => [String(key), 1]));
  const evaluating = ([left, op, right]: readonly [Json, RuleOp, Json]) =>
    spending((work) =>
      evaluateRules({ match: 'all', rules: [{ left, op, right }] }, (value) => value, {
        work,
        matches: () => true,
      }),
    );

  it.each<[string, Json, RuleOp, Json, boolean]>([
    ['a list that does not hold a value', many(1_000), 'contains', 'x', false],
    ['a value in a list', 'v999', 'in', many(1_000), true],
    ['two large objects', object(1_000), 'eq', object(1_000), true],
    ['two long texts', 'x'.repeat(100_000), 'eq', 'x'.repeat(100_000), true],
    ['a text in a text', `${'x'.repeat(10_000)}y`, 'contains', 'y', true],
    ['a long text in a text', `${'x'.repeat(10_000)}y`, 'contains', `${'x'.repeat(1_000)}y`, true],
    ['the beginning of a text', 'x'.repeat(100_000), 'starts_with', 'x'.repeat(90_000), true],
    ['a text that is read as a number', '1'.repeat(10_000), 'gt', 1, true],
    ['the members of an object', object(1_000), 'is_empty', null, false],
  ])('SEC-H01: %s is compared within its steps, and refused with one less', (_, left, op, right, held) => {
    const { steps, enough, tooLittle } = evaluating([left, op, right]);
    expect(steps).toBeGreaterThan(200);
    expect(enough()).toBe(held);
    expect(tooLittle).toThrow(WorkLimitExceeded);
  });

  it.each<[string, (count: number) => Json, RuleOp, (count: number) => Json]>([
    ['lists', many, 'eq', many],
    ['objects', object, 'eq', object],
    ['a value and a list', () => 'nothing of it', 'in', many],
    [
      'nearly periodic texts',
      (n) => 'a'.repeat(4 * n),
      'contains',
      (n) => `${'a'.repeat(n)}b${'a'.repeat(n)}`,
    ],
  ])('SEC-H01: comparing %s twice as large costs twice as much', (_, left, op, right) => {
    const [one, two] = [2_000, 4_000].map((count) => evaluating([left(count), op, right(count)]).steps);
    expect((two ?? 0) / (one ?? 1)).toBeCloseTo(2, 1);
  });
});

describe('readRules', () => {
  const nested = (depth: number): Json =>
    depth === 0 ? { left: 1, op: 'exists' } : { match: 'any', rules: [nested(depth - 1)] };

  it('reads one rule, a list and nested groups', () => {
    const rule = { left: '{{a}}', op: 'eq', right: null };
    expect(readRules(rule)).toEqual({ rules: { match: 'all', rules: [rule] } });
    expect(readRules([rule])).toEqual({ rules: { match: 'all', rules: [rule] } });
    expect(readRules({ rules: [{ match: 'any', rules: [rule] }] })).toEqual({
      rules: { match: 'all', rules: [{ match: 'any', rules: [rule] }] },
    });
  });

  it.each<[Json, (string | number)[]]>([
    [null, []],
    [{ left: 1, op: 'like', right: 2 }, ['op']],
    [{ op: 'exists' }, ['left']],
    [{ left: 1, op: 'eq' }, ['right']],
    [{ match: 'none', rules: [] }, ['match']],
    [{ rules: {} }, ['rules']],
    [{ rules: [{ rules: [7] }] }, ['rules', 0, 'rules', 0]],
  ])('refuses %j at %j', (value, path) => {
    const read = readRules(value);
    expect('problems' in read && read.problems.map((problem) => problem.path)).toEqual([path]);
  });

  it('nests sixteen groups and no more', () => {
    expect(readRules(nested(16))).toHaveProperty('rules');
    expect(readRules(nested(17))).toHaveProperty('problems');
    expect(readRules(nested(2_000))).toHaveProperty('problems');
  });

  it('evaluates whatever it accepts', () => {
    const rule = fc.record({
      left: fc.jsonValue(),
      op: fc.constantFrom('gt', 'contains', 'in', 'matches', 'is_empty'),
      right: fc.jsonValue(),
    });
    const value = fc.oneof(
      fc.jsonValue(),
      fc.record({ match: fc.constantFrom('all', 'any'), rules: fc.array(rule) }),
    );
    fc.assert(
      fc.property(value, (raw) => {
        const read = readRules(raw);
        if ('rules' in read) expect(typeof evaluate(read.rules)).toBe('boolean');
        else expect(read.problems.length).toBeGreaterThan(0);
      }),
    );
  });
});
