/** The history of a workflow would show another change than was made. */
import fc from 'fast-check';
import jsonPatch from 'fast-json-patch';
import { expect, test } from 'vitest';
import type { Json, JsonObject } from '../../../src/language/graph/values/value.ts';
import { editPatches } from '../../../src/features/workflows/edit-patches.ts';

const state = (nodes: Json, more: JsonObject = {}): JsonObject => ({
  workflow_schema: { nodes, edges: [], ...more },
  name: 'a',
});
const node = (id: string, x = 0): JsonObject => ({ id, config: { x } });

function applied(before: JsonObject, after: JsonObject): unknown {
  return jsonPatch.applyPatch(structuredClone(before), structuredClone(editPatches(before, after)), true)
    .newDocument;
}

test('a node inserted in front is one operation', () => {
  const before = state([node('a'), node('b')]);
  const after = state([node('new'), node('a'), node('b')]);
  expect(editPatches(before, after)).toEqual([
    { op: 'add', path: '/workflow_schema/nodes/0', value: node('new') },
  ]);
});

test('a changed setting names its place', () => {
  expect(editPatches(state([node('a'), node('b', 1)]), state([node('a'), node('b', 2)]))).toEqual([
    { op: 'replace', path: '/workflow_schema/nodes/1/config/x', value: 2 },
  ]);
});

test('removals come from the end', () => {
  const before = state([node('a'), node('b'), node('c')]);
  expect(editPatches(before, state([node('b')]))).toEqual([
    { op: 'remove', path: '/workflow_schema/nodes/2' },
    { op: 'remove', path: '/workflow_schema/nodes/0' },
  ]);
});

test('equal definitions give no patches', () => {
  expect(editPatches(state([node('a')]), state([node('a')]))).toEqual([]);
  const nameless = (): JsonObject => ({ source: '__start__', target: 'a', config: { x: [1, { y: 2 }] } });
  for (const list of ['nodes', 'edges']) {
    const before = state([node('a')], { [list]: [nameless()] });
    expect(editPatches(before, state([node('a')], { [list]: [nameless()] }))).toEqual([]);
    expect(editPatches(before, state([node('a')], { [list]: [nameless(), nameless()] }))).toHaveLength(1);
  }
});

test('the patches turn any state into any other', () => {
  const item = fc.oneof(
    fc.record({
      id: fc.constantFrom('a', 'b', 'c', 'd', 'e/f', '~0'),
      config: fc.dictionary(fc.string(), fc.integer()),
    }),
    fc.record({ id: fc.constantFrom('a', 'b', 'c') }),
    fc.constant(7),
  );
  const nodes = fc.oneof(
    fc.uniqueArray(item, { selector: (value) => (typeof value === 'object' ? value.id : value) }),
    fc.array(item),
    fc.constant(null),
  );
  const anyState = fc.record({
    name: fc.string(),
    tags: fc.array(fc.string()),
    workflow_schema: fc.record({
      nodes,
      edges: nodes,
      metadata: fc.dictionary(fc.constantFrom('x', 'y', 'a/b'), fc.integer()),
    }),
  });
  fc.assert(
    fc.property(anyState, anyState, (before, after) => {
      const [from, to] = JSON.parse(JSON.stringify([before, after])) as [JsonObject, JsonObject];
      expect(applied(from, to)).toEqual(to);
    }),
    { numRuns: 500 },
  );
});
