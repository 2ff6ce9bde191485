/** A rerun would reuse the result of a node that has changed. */
import { expect, test } from 'vitest';
import { compile, type Plan } from '../../../src/language/graph/schedule/plan.ts';
import { ChoiceTranslator, findDifferentNodes } from '../../../src/language/graph/definition/same-nodes.ts';
import type { JsonObject } from '../../../src/language/graph/values/value.ts';
import { fakeKinds, graph } from './fake-kinds.ts';

const FIELDS = { tone: { reducer: 'none', default: 'kind' }, notes: { reducer: 'add', default: [] } };
const LINE = '__start__ -> a, a -> b, b -> c, c -> d';
const READS: Record<string, JsonObject> = {
  a: { config: { text: 'fixed' } },
  b: { config: { text: '{{state.tone}}' } },
  c: { config: { text: '{{state}}' } },
  d: { config: { text: 'fixed' }, state_updates: { notes: '{{a}}' } },
};

/** The line of nodes with some of it changed. */
function planOf(
  change: { readonly nodes?: Record<string, JsonObject>; readonly fields?: JsonObject } = {},
): Plan {
  const definition = {
    ...graph(LINE, { ...READS, ...change.nodes }),
    state_schema: { ...FIELDS, ...change.fields },
  };
  return compile(definition as unknown as JsonObject, fakeKinds);
}

function different(after: Plan, before = planOf()): string[] {
  return [...findDifferentNodes({ before, after }, fakeKinds)].map((node) => after.nodes[node]?.id ?? '');
}

test.each<[string, Parameters<typeof planOf>[0], string[]]>([
  ['nothing', {}, []],
  ['a name', { nodes: { a: { config: { text: 'fixed' }, name: 'Another' } } }, []],
  ['a config', { nodes: { a: { config: { text: 'other' } } } }, ['a']],
  [
    'a field: who reads it, and who reads the whole state',
    { fields: { tone: { reducer: 'none', default: 'cold' } } },
    ['b', 'c'],
  ],
  [
    'the reducer of a field: who writes it',
    { fields: { notes: { reducer: 'none', default: [] } } },
    ['c', 'd'],
  ],
  ['a new field: who reads the whole state', { fields: { other: { reducer: 'none' } } }, ['c']],
  ['what is read', { nodes: { b: { config: { text: '{{state.notes}}' } } } }, ['b']],
])('by %s', (_, change, ids) => {
  expect(different(planOf(change))).toEqual(ids);
});

test('a node differs by what leads into it, not by the order of that', () => {
  const plan = (text: string): Plan => compile(graph(text) as unknown as JsonObject, fakeKinds);
  const before = plan('__start__ -> a, __start__ -> b, a -> c, b -> c, c -> d');
  expect(different(plan('__start__ -> b, __start__ -> a, b -> c, a -> c, c -> d'), before)).toEqual([]);
  expect(different(plan('__start__ -> a, __start__ -> b, a -> c, c -> d, b -> d'), before)).toEqual([
    'c',
    'd',
  ]);
});

/** A plan whose edges and fields count how often they are looked at. */
function counted(plan: Plan, count: () => void): Plan {
  const counting = <T extends object>(target: T): T =>
    new Proxy(target, {
      get(list, key, self) {
        if (typeof key === 'string' && key !== 'length') count();
        return Reflect.get(list, key, self) as unknown;
      },
    });
  return { ...plan, edges: counting(plan.edges), fields: counting(plan.fields) };
}

test('SEC-H05: comparing takes as many looks as there are edges and fields, however many nodes read them all', () => {
  const looksWith = (count: number): number => {
    const names = Array.from({ length: count }, (_, at) => `n${at}`);
    const definition = {
      state_schema: Object.fromEntries(names.map((name) => [`f${name}`, { reducer: 'none', default: name }])),
      nodes: names.map((id) => ({ id, type: 'transformer', config: { text: '{{state}}' } })),
      edges: names.flatMap((target) =>
        ['__start__', ...names.slice(0, 5)]
          .filter((source) => source !== target && target > source)
          .map((source) => ({ source, target })),
      ),
    };
    const plan = (): Plan => compile(definition as unknown as JsonObject, fakeKinds);
    let looks = 0;
    const pair = { before: counted(plan(), () => (looks += 1)), after: counted(plan(), () => (looks += 1)) };
    expect(findDifferentNodes(pair, fakeKinds).size).toBe(0);
    const ways = new ChoiceTranslator(pair);
    for (const { id, out } of pair.after.nodes) {
      const taken = out.map((_, position) => position);
      expect(ways.translate({ nodeId: id, taken, handle: 'default' })).toEqual(taken);
    }
    return looks;
  };
  expect(looksWith(400) / looksWith(100)).toBeLessThan(4.5);
});
