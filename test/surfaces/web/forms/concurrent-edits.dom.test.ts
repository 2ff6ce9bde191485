/** If this fails, an edit that was made without the network erases what a colleague has written meanwhile. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { diffToBatch } from '../../../../src/features/canvas/client/difference-ops.ts';
import {
  readDocument,
  writeDocument,
  type CanvasDocument,
} from '../../../../src/features/canvas/room/document.ts';
import type { DurableOp } from '../../../../src/features/canvas/room/operations.ts';
import { reduce } from '../../../../src/features/canvas/room/reduce.ts';
import { UNLOCKED } from '../../../../src/features/canvas/room/reduction.ts';
import { NODE_TYPES } from '../../../../src/language/nodes/faces.ts';
import { mergeDefinitions } from '../../../../src/language/graph/definition/merge.ts';
import { formatPointer, getAt, parsePointer } from '../../../../src/language/graph/values/pointer.ts';
import {
  isObject,
  sameJson,
  type Json,
  type JsonObject,
} from '../../../../src/language/graph/values/value.ts';
import { readEntity, type Entity } from '../../../../src/surfaces/web/forms/entity.ts';
import {
  ERRORS,
  FLOW,
  FOR_EACH,
  INPUT_PARAMETERS,
  MCP_SETTINGS,
  OUTPUT,
  RETRY,
  RUN_SETTINGS,
} from '../../../../src/surfaces/web/forms/envelope-fields.ts';
import { CONFIRM } from '../../../../src/language/nodes/confirm/fields.ts';
import { guardedChange, guardedWrite } from '../../../../src/surfaces/web/forms/field-value.ts';
import schemaFacts from '../../../../src/surfaces/web/forms/schema-facts.json' with { type: 'json' };

interface Place {
  readonly entity: Entity;
  readonly ptr: string;
}

/** All values of a node's config: those of each alternative of its kind. */
function listConfigPlaces(type: string): Place[] {
  const facts: object | undefined = Reflect.get(schemaFacts, type) as object | undefined;
  if (facts === undefined) return [];
  const alternatives =
    'fields' in facts ? [facts.fields] : 'by' in facts ? Object.values(facts.by as object) : [];
  const pointers = alternatives.flatMap((one) => Object.keys(one as object));
  return [...new Set(pointers)].map((ptr) => ({ entity: 'node:a', ptr: `/config${ptr}` }));
}

const place =
  (entity: Entity) =>
  ({ ptr }: { readonly ptr: string }): Place => ({ entity, ptr });

/** By form: each value that it writes, and each group of them. */
const FORMS: Readonly<Record<string, readonly Place[]>> = {
  ...Object.fromEntries(NODE_TYPES.map((type) => [type, listConfigPlaces(type)])),
  node: [
    ...FOR_EACH,
    ...ERRORS,
    ...RETRY,
    ...FLOW,
    ...CONFIRM,
    { ptr: '/for_each' },
    { ptr: '/retry' },
    { ptr: '/confirm' },
  ].map(place('node:a')),
  workflow: [
    ...[...RUN_SETTINGS, OUTPUT].map(place('config')),
    ...[...MCP_SETTINGS, { ptr: '/mcp' }].map(place('metadata')),
    place('workflow')(INPUT_PARAMETERS),
  ],
};

/** A workflow with a node as it was just added, beside one value. */
function startWith(type: string, { ptr, entity }: Place, value: Json): CanvasDocument {
  const document = readDocument({
    nodes: [{ id: 'a', type, config: {} }],
    edges: [],
    config: {},
    metadata: {},
  });
  return apply(document, guardedWrite({ entity, ptr }, readEntity(document, entity) ?? {}, value));
}

function apply(document: CanvasDocument, op: DurableOp): CanvasDocument {
  const reduction = reduce(document, op, UNLOCKED);
  return reduction.outcome === 'applied' ? reduction.document : document;
}

const readAt = (document: CanvasDocument, { entity, ptr }: Place): Json | undefined =>
  getAt(readEntity(document, entity), parsePointer(ptr));

/** Whether everything that an object has is in another value, too. */
const isIn = (part: Json | undefined, whole: Json | undefined): boolean =>
  isObject(part) && isObject(whole)
    ? Object.keys(part).every((key) => isIn(part[key], whole[key]))
    : sameJson(part, whole);

const contains = (outer: Place, inner: Place): boolean =>
  outer.entity === inner.entity && `${inner.ptr}/`.startsWith(`${outer.ptr}/`);

const AS_JSON: readonly Json[] = ['{{input}}', 7, ['x'], { other: 'theirs' }];

describe.each(Object.entries(FORMS))('%s', (form, places) => {
  const type = form === 'node' || form === 'workflow' ? 'llm' : form;

  test('two people who write different values of a form get both, whatever was there before', () => {
    const drawn = fc.record({
      mine: fc.constantFrom(...places),
      theirs: fc.constantFrom(...places),
      before: fc.constantFrom(...places),
      value: fc.constantFrom<Json>(...AS_JSON),
    });
    fc.assert(
      fc.property(drawn, ({ mine, theirs, before, value }) => {
        fc.pre(!contains(mine, theirs));
        const started = startWith(type, before, {});
        const write = (at: Place, to: Json) => guardedWrite(at, readEntity(started, at.entity) ?? {}, to);
        const kept = apply(started, write(theirs, contains(theirs, mine) ? value : 'theirs'));
        const both = apply(kept, write(mine, 'mine'));
        // A colleague may have written the group as JSON: it stays, with the own value in it or without.
        expect(isIn(readAt(kept, theirs), readAt(both, theirs))).toBe(true);
        if (!contains(theirs, mine)) expect(readAt(both, mine)).toBe('mine');
      }),
      { numRuns: 500 },
    );
  });

  test('a version, a proposal of the Composer and a file take nothing from the canvas that they did not see', () => {
    const drawn = fc.record({
      mine: fc.constantFrom(...places),
      theirs: fc.constantFrom(...places),
      before: fc.constantFrom(...places),
    });
    fc.assert(
      fc.property(drawn, ({ mine, theirs, before }) => {
        fc.pre(!contains(mine, theirs) && !contains(theirs, mine));
        const started = startWith(type, before, {});
        const write = (at: Place, to: Json) =>
          apply(started, guardedWrite(at, readEntity(started, at.entity) ?? {}, to));
        const [proposed, edited] = [write(mine, 'mine'), write(theirs, 'theirs')];
        const { definition } = mergeDefinitions(
          writeDocument(started),
          writeDocument(proposed),
          writeDocument(edited),
        );
        const merged = readDocument(definition);
        expect([readAt(merged, mine), readAt(merged, theirs)]).toEqual(['mine', 'theirs']);
        const op = diffToBatch(started, proposed, 'other');
        if (op !== null) expect(readAt(apply(edited, op), theirs)).toBe('theirs');
      }),
    );
  });
});

describe('builders', () => {
  const HEADERS: Place = { entity: 'node:a', ptr: '/config/headers' };
  const change = (
    document: CanvasDocument,
    at: Place,
    changed: (now: Json | undefined) => Json | undefined,
  ) => guardedChange(at, readEntity(document, at.entity) ?? {}, changed(readAt(document, at)));
  const withKey = (key: string) => (now: Json | undefined) => ({ ...(isObject(now) ? now : {}), [key]: key });
  const withEntry = (entry: Json) => (now: Json | undefined) => [...(Array.isArray(now) ? now : []), entry];
  const keys = fc.dictionary(fc.constantFrom('a', 'b', 'c', '-', '0'), fc.constantFrom<Json>('x', 'y', {}), {
    maxKeys: 3,
  });

  test('rows that two people add to an object are both there, in one that was there and in one that was not', () => {
    fc.assert(
      fc.property(fc.option(keys, { nil: undefined }), (before) => {
        const started =
          before === undefined ? startWith('tool', HEADERS, []) : startWith('tool', HEADERS, before);
        const document =
          before === undefined
            ? apply(started, { type: 'node:update', nodeId: 'a', unset: [HEADERS.ptr] })
            : started;
        const [mine, theirs] = [
          change(document, HEADERS, withKey('mine')),
          change(document, HEADERS, withKey('theirs')),
        ];
        expect(readAt(apply(apply(document, theirs), mine), HEADERS)).toEqual({
          ...before,
          theirs: 'theirs',
          mine: 'mine',
        });
      }),
    );
  });

  test('entries that two people add to a list are both there', () => {
    const at: Place = { entity: 'node:a', ptr: '/config/tools' };
    fc.assert(
      fc.property(
        fc.option(fc.array(fc.constantFrom<Json>('x', {}), { maxLength: 3 }), { nil: undefined }),
        (before) => {
          const empty = readDocument({ nodes: [{ id: 'a', type: 'agent', config: {} }], edges: [] });
          const document = before === undefined ? empty : startWith('agent', at, before);
          const [mine, theirs] = [
            change(document, at, withEntry('mine')),
            change(document, at, withEntry('theirs')),
          ];
          expect(readAt(apply(apply(document, theirs), mine), at)).toEqual([
            ...(before ?? []),
            'theirs',
            'mine',
          ]);
        },
      ),
    );
  });

  test('a row that is renamed or deleted while a colleague writes in it is refused, and the rest of the object stays', () => {
    const document = startWith('tool', HEADERS, { a: '1', b: '2' });
    const theirs = apply(
      document,
      change(document, HEADERS, (now) => ({ ...(isObject(now) ? now : {}), a: 'theirs' })),
    );
    const rename = change(document, HEADERS, () => ({ z: '1', b: '2' }));
    const remove = change(document, HEADERS, () => ({ b: '2' }));
    for (const mine of [rename, remove])
      expect(readAt(apply(theirs, mine), HEADERS)).toEqual({ a: 'theirs', b: '2' });
    expect(Object.keys(readAt(apply(document, rename), HEADERS) as JsonObject)).toEqual(['z', 'b']);
    const removeOther = change(document, HEADERS, () => ({ a: '1' }));
    expect(readAt(apply(theirs, removeOther), HEADERS)).toEqual({ a: 'theirs' });
  });

  test('a pointer that appends to what is no list is refused or adds a key, and replaces nothing', () => {
    for (const value of AS_JSON) {
      const at: Place = { entity: 'node:a', ptr: '/config/tools' };
      const empty = readDocument({ nodes: [{ id: 'a', type: 'agent', config: {} }], edges: [] });
      const theirs = apply(empty, guardedWrite(at, readEntity(empty, at.entity) ?? {}, value));
      const both = readAt(apply(theirs, change(empty, at, withEntry('mine'))), at);
      expect(
        isIn(Array.isArray(value) ? [...value, 'mine'] : value, both),
        formatPointer([String(both)]),
      ).toBe(true);
    }
  });
});
