/** A room must write back every stored definition unchanged, except for keys that a save does not keep. */
import fc from 'fast-check';
import jsonPatch, { type Operation } from 'fast-json-patch';
import { expect, test } from 'vitest';
import { readDocument, writeDocument } from '../../../../src/features/canvas/room/document.ts';
import { anyDefinition } from '../../../language/graph/any-definition.ts';
import { OneRoom } from './one-room.ts';

test('any stored definition is written back unchanged, without keys that a save does not keep', () => {
  fc.assert(
    fc.property(anyDefinition, (stored) => {
      const written = writeDocument(readDocument(stored));
      const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
      expect(written['nodes']).toEqual(list(stored['nodes']));
      expect(written['edges']).toEqual(list(stored['edges']));
      expect(written['config']).toEqual(stored['config']);
      expect(Object.keys(written)).not.toContain('extra');
    }),
  );
});

test('the first save removes unknown top-level keys and records it in the history', async () => {
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
