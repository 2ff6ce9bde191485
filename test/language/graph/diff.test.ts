/** The history of a workflow would not lead to its saved definition, or small edits would be stored as whole copies. */
import fc from 'fast-check';
import jsonPatch, { type Operation } from 'fast-json-patch';
import { describe, expect, test } from 'vitest';
import { anyDefinition, anyJson } from './any-definition.ts';
import type { Json, JsonObject } from '../../../src/language/graph/values/value.ts';
import { diffDefinitions, diffInOrder } from '../../../src/language/graph/definition/diff.ts';

const replayed = (before: JsonObject, after: JsonObject): unknown =>
  jsonPatch.applyPatch(
    structuredClone(before),
    structuredClone(diffDefinitions(before, after)) as Operation[],
    true,
  ).newDocument;

describe('definitionDiff', () => {
  test('leads from any definition to any other', () => {
    fc.assert(
      fc.property(anyDefinition, anyDefinition, (before, after) => {
        expect(replayed(before, after)).toEqual(after);
      }),
      { numRuns: 3_000 },
    );
  });

  test('says nothing about equal definitions', () => {
    fc.assert(
      fc.property(anyDefinition, (one) => {
        expect(diffDefinitions(one, structuredClone(one))).toEqual([]);
      }),
    );
  });

  test('deleting the first of a thousand nodes is one operation', () => {
    const nodes = Array.from({ length: 1_000 }, (_, n) => ({ id: `n${n}`, type: 'llm', config: { n } }));
    expect(diffDefinitions({ nodes }, { nodes: nodes.slice(1) })).toEqual([
      { op: 'remove', path: '/nodes/0' },
    ]);
  });

  test('moving one node to the front is two', () => {
    const nodes = Array.from({ length: 100 }, (_, n) => ({ id: `n${n}` }));
    const [last] = nodes.slice(-1);
    const paths = diffDefinitions({ nodes }, { nodes: [last ?? { id: '' }, ...nodes.slice(0, -1)] });
    expect(paths.map(({ op, path }) => `${op} ${path}`)).toEqual(['remove /nodes/99', 'add /nodes/0']);
  });

  test('what would be longer than half of the document replaces it', () => {
    const before = { nodes: [{ id: 'a', x: 1 }], edges: [] };
    const after = { nodes: [{ id: 'b', x: 2 }], edges: [{ id: 'e' }] };
    expect(diffDefinitions(before, after)).toEqual([{ op: 'replace', path: '', value: after }]);
  });
});

describe('orderedDiff', () => {
  test('finds the operations of fast-json-patch, in order', () => {
    fc.assert(
      fc.property(fc.tuple(anyJson, anyJson), (pair) => {
        const [before, after] = JSON.parse(JSON.stringify(pair)) as [Json, Json];
        const theirs = jsonPatch.compare({ at: before }, { at: after });
        expect(JSON.stringify(diffInOrder('/at', before, after))).toBe(JSON.stringify(theirs));
      }),
      { numRuns: 3_000 },
    );
  });
});
