/**
 * If this failed, one definition would hold a process that saves, checks or compares it. The counter is imported first, since it
 * counts the blocks of code that is loaded after it.
 */
import { countWork } from './count-work.ts';
import { describe, expect, test } from 'vitest';
import {
  diffDefinitions,
  findDifferingPointers,
  listDifferences,
} from '../../../src/language/graph/definition/diff.ts';
import { findExcess } from '../../../src/language/graph/definition/definition-size.ts';
import { mergeDefinitions } from '../../../src/language/graph/definition/merge.ts';
import { compile } from '../../../src/language/graph/schedule/plan.ts';
import { listReferences } from '../../../src/language/graph/template/references.ts';
import { addNodeFields } from '../../../src/language/graph/definition/state-fields.ts';
import { validate } from '../../../src/language/graph/checks/validate.ts';
import type { Json, JsonObject } from '../../../src/language/graph/values/value.ts';
import { kindRules } from '../../../src/language/nodes/registry.ts';
import { editPatches } from '../../../src/features/workflows/edit-patches.ts';
import { fields, times } from './shapes.ts';

const nest = (depth: number, inner: Json): Json => (depth === 0 ? inner : { a: nest(depth - 1, inner) });
const node = (id: string, more: JsonObject = {}): JsonObject => ({
  id,
  type: 'transformer',
  config: { mode: 'map', fields: { a: 1 } },
  ...more,
});
const edge = (source: string, target: string, more: JsonObject = {}): JsonObject => ({
  source,
  target,
  ...more,
});
const always = { left: 1, op: 'eq', right: 1 };

/** Definitions in their worst shapes, of a size; `mark` makes a second version that differs in all that it can. */
const SHAPES: Readonly<Record<string, (n: number, mark: string) => JsonObject>> = {
  'a chain': (n, mark) => ({
    nodes: times(n, (at) => node(`n${at}`, { name: mark })),
    edges: [edge('__start__', 'n0'), ...times(n - 1, (at) => edge(`n${at}`, `n${at + 1}`))],
  }),
  'a conditional with an edge for each case': (n, mark) => ({
    nodes: [
      node('c', {
        type: 'conditional',
        config: { mode: 'rules', cases: times(n, (at) => ({ id: `c${at}`, ...always })) },
      }),
      node('n', { name: mark }),
    ],
    edges: [edge('__start__', 'c'), ...times(n, (at) => edge('c', 'n', { source_handle: `c${at}` }))],
  }),
  'edges by unknown handles': (n, mark) => ({
    nodes: [
      node('c', {
        type: 'conditional',
        config: { mode: 'rules', cases: times(n, (at) => ({ id: `c${at}`, ...always })) },
      }),
      node('n', { name: mark }),
    ],
    edges: [edge('__start__', 'c'), ...times(n, (at) => edge('c', 'n', { source_handle: `d${at}` }))],
  }),
  'a star in and out': (n, mark) => ({
    nodes: [node('a'), node('z', { name: mark }), ...times(n, (at) => node(`n${at}`))],
    edges: [
      edge('__start__', 'a'),
      ...times(n, (at) => edge('a', `n${at}`)),
      ...times(n, (at) => edge(`n${at}`, 'z')),
    ],
  }),
  'edges between the same two nodes': (n, mark) => ({
    nodes: [node('a'), node('z', { name: mark })],
    edges: [edge('__start__', 'a'), ...times(n, () => edge('a', 'z'))],
  }),
  'ids that repeat': (n, mark) => ({
    nodes: times(n, () => node('a', { name: mark })),
    edges: times(n, () => edge('a', 'a', { id: 'e' })),
  }),
  'one field that all write': (n, mark) => ({
    state_schema: { fields: { f: { reducer: 'none' } } },
    nodes: times(n, (at) => node(`n${at}`, { name: mark, state_updates: { f: '{{input}}' } })),
    edges: times(n, (at) => edge('__start__', `n${at}`)),
  }),
  'state fields': (n, mark) => ({
    state_schema: { fields: fields(n, () => ({ default: mark })) },
    nodes: [node('a', { state_updates: fields(n, () => '{{input}}') })],
    edges: [edge('__start__', 'a')],
  }),
  'templates of one text': (n, mark) => ({
    nodes: [node('a', { config: { mode: 'map', fields: { a: `${mark}{{unknown.path}} `.repeat(n) } } })],
    edges: [edge('__start__', 'a')],
  }),
  'templates of the nodes before': (n, mark) => ({
    nodes: times(n, (at) =>
      node(`n${at}`, { config: { mode: 'map', fields: { a: `${mark}{{n${at - 1}.a}}` } } }),
    ),
    edges: [edge('__start__', 'n0'), ...times(n - 1, (at) => edge(`n${at}`, `n${at + 1}`))],
  }),
  'members below one long key': (n, mark) => ({
    metadata: { [`${'k'.repeat(20 * n)}`]: fields(n, () => mark) },
    nodes: [
      node('a', { config: { mode: 'map', fields: { ['k'.repeat(20 * n)]: times(n, () => `{{${mark}`) } } }),
    ],
    edges: [edge('__start__', 'a')],
  }),
  'members on the deepest level': (n, mark) => ({
    config: nest(
      50,
      fields(n, () => mark),
    ),
    nodes: [
      node('a', {
        config: {
          mode: 'map',
          fields: nest(
            50,
            fields(n, () => mark),
          ),
        },
      }),
    ],
    edges: [edge('__start__', 'a')],
  }),
  'lists on the deepest level': (n, mark) => ({
    metadata: nest(
      50,
      times(n, () => mark),
    ),
    nodes: [node('a')],
    edges: [edge('__start__', 'a')],
  }),
  'all equal but the last': (n, mark) => ({
    metadata: { list: [...times(n, () => ({ a: [1, 2, 3] })), mark] },
    nodes: [...times(n, (at) => node(`n${at}`)), node('z', { name: mark })],
    edges: [],
  }),
  'nodes in another order': (n, mark) => ({
    nodes: mark === 'x' ? times(n, (at) => node(`n${at}`)) : times(n, (at) => node(`n${n - 1 - at}`)),
    edges: [],
  }),
};

/** What the service does with a definition, or with two versions of one. */
const WORKS: Readonly<Record<string, (before: JsonObject, after: JsonObject) => unknown>> = {
  'is checked': (before) => validate(before, kindRules),
  'is compiled': (before) => compile(before as never, kindRules),
  'is measured': (before, after) => findExcess(after, before),
  'gets its fields and references': (before) => [addNodeFields(before), listReferences(before)],
  'is saved over another one': (before, after) =>
    editPatches({ workflow_schema: before, input: before }, { workflow_schema: after, input: after }),
  'is compared by the canvas': (before, after) => diffDefinitions(before, after),
  'is compared place by place': (before, after) => [
    listDifferences(before, after).map(({ ptr }) => ptr),
    findDifferingPointers(before, after, 100),
  ],
  'is merged': (before, after) => {
    const theirs = JSON.parse(JSON.stringify(after).replaceAll('"y"', '"z"')) as JsonObject;
    return mergeDefinitions(before, after, theirs);
  },
};

const CASES = Object.entries(SHAPES).flatMap(([shape, make]) =>
  Object.entries(WORKS).map(([work, run]) => [shape, work, make, run] as const),
);

test.each(CASES)('SEC-H08: %s %s: twice as much takes at most twice the work', async (_, __, make, run) => {
  // What comes of it is written, too.
  const measure = (n: number): Promise<number> => {
    const [before, after] = [make(n, 'x'), make(n, 'y')];
    return countWork(() => JSON.stringify(run(before, after)));
  };
  await measure(200);
  const [once, twice] = [await measure(400), await measure(800)];
  expect(once).toBeGreaterThan(0);
  expect(twice / once).toBeLessThan(2.3);
});

test.each(Object.entries(WORKS))(
  'SEC-H08: what is nested twice as deep %s without twice the work',
  async (_, run) => {
    const measure = (depth: number): Promise<number> => {
      const make = (mark: string): JsonObject => ({
        config: nest(
          depth,
          fields(2_000, (at) => (at === 1_999 ? mark : 'same')),
        ),
        nodes: [node('a')],
        edges: [edge('__start__', 'a')],
      });
      const [before, after] = [make('x'), make('y')];
      return countWork(() => JSON.stringify(run(before, after)));
    };
    await measure(10);
    const [once, twice] = [await measure(20), await measure(40)];
    // The paths of what differs are longer.
    expect(twice / once).toBeLessThan(1.7);
  },
);

test('SEC-H08: the problems below a long key do not repeat it', () => {
  const key = 'k'.repeat(100_000);
  const config = { mode: 'map', fields: { [key]: times(1_000, () => '{{x') } };
  const problems = validate({ nodes: [node('a', { config })], edges: [edge('__start__', 'a')] }, kindRules);
  expect(problems.length).toBeGreaterThanOrEqual(100);
  expect(JSON.stringify(problems).length).toBeLessThan(1_000_000);
});

describe('SEC-H08: the difference of two versions', () => {
  test('replaces a member whose places would take more than the largest definition, and keeps the others apart', () => {
    const key = 'k'.repeat(1_000);
    const make = (places: number, mark: string): JsonObject => ({
      workflow_schema: {},
      name: mark,
      input: { [key]: fields(places, () => mark) },
    });
    const few = editPatches(make(4_000, 'x'), make(4_000, 'y'));
    expect(few).toHaveLength(4_001);
    const many = editPatches(make(4_300, 'x'), make(4_300, 'y'));
    expect(many).toEqual([
      { op: 'replace', path: '/input', value: make(4_300, 'y')['input'] },
      { op: 'replace', path: '/name', value: 'y' },
    ]);
  });

  test('is told, however many places differ', () => {
    const make = (mark: string): JsonObject => ({ input: fields(200_000, () => mark) });
    const patches = editPatches({ workflow_schema: {}, ...make('x') }, { workflow_schema: {}, ...make('y') });
    expect(patches).toHaveLength(200_000);
    expect(diffDefinitions({ config: make('x') }, { config: make('y') })).toHaveLength(1);
  });
});
