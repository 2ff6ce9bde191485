/** A merge of two people's edits would lose one of them without a conflict. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mergeDefinitions } from '../../../src/language/graph/definition/merge.ts';
import { sameJson, type JsonObject } from '../../../src/language/graph/values/value.ts';

const node = (id: string, more: JsonObject = {}): JsonObject => ({ id, type: 'transformer', ...more });
const base: JsonObject = {
  metadata: { name: 'x', tags: ['a'] },
  nodes: [
    node('a', { config: { x: 1 }, position: { x: 0, y: 0 } }),
    node('b', { config: { y: 1 } }),
    node('c'),
  ],
  edges: [{ id: 'e', source: 'a', target: 'b' }],
};
const nodes = (...list: JsonObject[]): JsonObject => ({ ...base, nodes: list });
const [a, b, c] = base['nodes'] as [JsonObject, JsonObject, JsonObject];
const idsOf = (definition: JsonObject): unknown[] =>
  (definition['nodes'] as JsonObject[]).map(({ id }) => id);

describe('changes in different places are both there', () => {
  test('of different nodes, and of different fields of one node', () => {
    const ours = nodes({ ...a, config: { x: 2 } }, b, c);
    const theirs = nodes({ ...a, position: { x: 9, y: 9 } }, { ...b, config: { y: 2 } }, c);
    const { definition, conflicts } = mergeDefinitions(base, ours, theirs);
    expect(conflicts).toEqual([]);
    expect(definition['nodes']).toEqual([
      { ...a, config: { x: 2 }, position: { x: 9, y: 9 } },
      { ...b, config: { y: 2 } },
      c,
    ]);
  });

  test('of added and removed nodes, in the order of those who saved first', () => {
    const ours = nodes(a, b, node('ours'));
    const theirs = nodes(node('theirs'), a, b, c);
    const { definition, conflicts } = mergeDefinitions(base, ours, theirs);
    expect([idsOf(definition), conflicts]).toEqual([['theirs', 'a', 'b', 'ours'], []]);
  });

  test('of a definition that only one has changed', () => {
    const other = { ...base, metadata: { name: 'y' }, start_position: { x: 1, y: 1 } };
    expect(mergeDefinitions(base, base, other)).toEqual({ definition: other, conflicts: [] });
    expect(mergeDefinitions(base, other, base)).toEqual({ definition: other, conflicts: [] });
  });

  test('and the same change twice is one', () => {
    const both = nodes({ ...a, config: { x: 5 } }, b);
    expect(mergeDefinitions(base, both, both)).toEqual({ definition: both, conflicts: [] });
  });
});

describe('changes in the same place are told', () => {
  test.each<[string, JsonObject, JsonObject, string]>([
    [
      'a value',
      nodes({ ...a, config: { x: 2 } }, b, c),
      nodes({ ...a, config: { x: 3 } }, b, c),
      'nodes/a/config/x',
    ],
    ['a removed and a changed node', nodes(b, c), nodes({ ...a, config: { x: 3 } }, b, c), 'nodes/a'],
    [
      'two nodes of one id',
      nodes(a, b, c, node('n', { x: 1 })),
      nodes(a, b, c, node('n', { x: 2 })),
      'nodes/n/x',
    ],
    [
      'lists without ids',
      { ...base, metadata: { name: 'x', tags: ['b'] } },
      { ...base, metadata: { name: 'x', tags: ['c'] } },
      'metadata/tags',
    ],
  ])('%s', (_, ours, theirs, place) => {
    const merged = mergeDefinitions(base, ours, theirs);
    expect(merged.conflicts).toEqual([place]);
  });
});

test('keys that mean something on every object are keys like others', () => {
  const evil = JSON.parse('{"nodes":[],"edges":[],"__proto__":{"polluted":1}}') as JsonObject;
  const { definition } = mergeDefinitions({}, evil, { nodes: [], edges: [], constructor: 1 });
  expect(Object.keys(definition).toSorted()).toEqual(['__proto__', 'constructor', 'edges', 'nodes']);
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
});

test('an editor without changes does not affect the merge', () => {
  const json = fc.jsonValue({ maxDepth: 4 }).filter((value) => typeof value === 'object' && value !== null);
  fc.assert(
    fc.property(json, json, (one, other) => {
      const [before, after] = [{ x: one } as JsonObject, { x: other } as JsonObject];
      expect(sameJson(mergeDefinitions(before, before, after).definition, after)).toBe(true);
      expect(sameJson(mergeDefinitions(before, after, before).definition, after)).toBe(true);
    }),
  );
});
