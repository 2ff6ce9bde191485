import fc from 'fast-check';
import jsonPatch, { type Operation } from 'fast-json-patch';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/graph/value.ts';
import { readDocument, writeDocument } from '../../../src/canvas/room/document.ts';
import { keyedDiff } from '../../../src/canvas/room/keyed-diff.ts';
import { OneRoom } from './one-room.ts';

const replayed = (before: JsonObject, after: JsonObject): unknown =>
  jsonPatch.applyPatch(
    structuredClone(before),
    structuredClone(keyedDiff(before, after)) as Operation[],
    true,
  ).newDocument;

const key = fc.constantFrom('x', 'a/b', 't~', '', '0', 'nodes');
const json = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom(null, true, 0, 1, 'text'),
    fc.array(tie('any'), { maxLength: 3 }),
    fc.dictionary(key, tie('any'), { maxKeys: 3, noNullPrototype: true }),
  ),
})).any;
const element = fc.record({ id: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'), config: json });
const elements = fc.oneof(
  fc.uniqueArray(element, { selector: (one) => one.id }),
  // As nobody should have stored them: twice the same id, none, or no objects at all.
  fc.array(fc.oneof(element, json), { maxLength: 4 }),
);
const schema = fc.record(
  { nodes: elements, edges: fc.oneof(elements, json), config: json, extra: json },
  { requiredKeys: [] },
) as fc.Arbitrary<JsonObject>;

describe('keyedDiff', () => {
  test('leads from any definition to any other', () => {
    fc.assert(
      fc.property(schema, schema, (before, after) => {
        expect(replayed(before, after)).toEqual(after);
      }),
      { numRuns: 3_000 },
    );
  });

  test('says nothing about equal definitions', () => {
    fc.assert(
      fc.property(schema, (one) => {
        expect(keyedDiff(one, structuredClone(one))).toEqual([]);
      }),
    );
  });

  test('deleting the first of a thousand nodes is one operation', () => {
    const nodes = Array.from({ length: 1_000 }, (_, n) => ({ id: `n${n}`, type: 'llm', config: { n } }));
    expect(keyedDiff({ nodes }, { nodes: nodes.slice(1) })).toEqual([{ op: 'remove', path: '/nodes/0' }]);
  });

  test('moving one node to the front is two', () => {
    const nodes = Array.from({ length: 100 }, (_, n) => ({ id: `n${n}` }));
    const [last] = nodes.slice(-1);
    const paths = keyedDiff({ nodes }, { nodes: [last ?? { id: '' }, ...nodes.slice(0, -1)] });
    expect(paths.map(({ op, path }) => `${op} ${path}`)).toEqual(['remove /nodes/99', 'add /nodes/0']);
  });

  test('what would be longer than half of the document replaces it', () => {
    const before = { nodes: [{ id: 'a', x: 1 }], edges: [] };
    const after = { nodes: [{ id: 'b', x: 2 }], edges: [{ id: 'e' }] };
    expect(keyedDiff(before, after)).toEqual([{ op: 'replace', path: '', value: after }]);
  });
});

describe('documents', () => {
  test('what was read is written again, whatever it holds, but for keys that a save does not keep', () => {
    fc.assert(
      fc.property(schema, (stored) => {
        const written = writeDocument(readDocument(stored));
        const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
        expect(written['nodes']).toEqual(list(stored['nodes']));
        expect(written['edges']).toEqual(list(stored['edges']));
        expect(written['config']).toEqual(stored['config']);
        expect(Object.keys(written)).not.toContain('extra');
      }),
    );
  });

  test('the first save removes unknown top-level keys, and its history says so', async () => {
    const one = new OneRoom({ nodes: [], edges: [], viewport: { zoom: 2 }, 'a/b': 1 });
    const person = await one.member();
    one.op(person, 'config:update', { set: { '/a~1b/t~0': null } });
    await one.clock.advance(3_000);
    const [entry] = one.row.history;
    expect(one.stored()).toEqual({ config: { 'a/b': { 't~': null } }, nodes: [], edges: [] });
    expect(
      jsonPatch.applyPatch(JSON.parse(one.row.initial), entry?.patches as Operation[]).newDocument,
    ).toEqual(one.stored());
  });
});
