/** No operation, batch, external save or log replay may make a definition larger than its limit. */
import { describe, expect, test } from 'vitest';
import {
  countBytes,
  countJsonBytes,
  MAX_DEFINITION_BYTES,
  MAX_PIN_BYTES,
} from '../../../../src/language/graph/definition/definition-size.ts';
import type { JsonObject } from '../../../../src/language/graph/values/value.ts';
import { readDocument, writeDocument } from '../../../../src/features/canvas/room/document.ts';
import { documentSize } from '../../../../src/features/canvas/room/document-measures.ts';
import { DOCUMENT, KEY, OneRoom, type Person } from './one-room.ts';

/** A document of exactly so many bytes. */
function sized(bytes: number): JsonObject {
  const pad = bytes - countJsonBytes({ ...DOCUMENT, config: { pad: '' } });
  return { ...DOCUMENT, config: { pad: 'x'.repeat(pad) } };
}

async function roomOf(document: JsonObject): Promise<{ one: OneRoom; ann: Person }> {
  const one = new OneRoom(document);
  return { one, ann: await one.member() };
}

const EMPTY = countJsonBytes({ enabled: true, output: '' });
const pin = (bytes: number): JsonObject => ({ enabled: true, output: 'x'.repeat(bytes - EMPTY) });

test.for([
  {},
  { nodes: [], edges: [] },
  DOCUMENT,
  { ...DOCUMENT, state_schema: {} },
  { ...DOCUMENT, state_schema: null, end_points: ['é'], entry_point: 'a' },
  { ...DOCUMENT, state_schema: { a: { type: 'Any' }, 'b"ü': { type: 'Any', reducer: 'none' } } },
  { ...DOCUMENT, state_schema: { fields: { a: { type: 'Any' } }, more: [1, '€'] } },
  { ...DOCUMENT, nodes: [null, { id: 'é', name: '😀"\n' }, { id: 'é' }, 'text'], metadata: [] },
] as JsonObject[])('the size of a document is that of its JSON in bytes: %j', (definition) => {
  const document = readDocument(definition);
  expect(documentSize(document)).toBe(countBytes(JSON.stringify(writeDocument(document))));
});

describe('DEF-2.16: operations', () => {
  test('fill a document up to the limit, and one byte more is rejected', async () => {
    const { one, ann } = await roomOf(sized(MAX_DEFINITION_BYTES - 1_000));
    const grown = (extra: number): object => ({
      set: { '/more': 'x'.repeat(1_000 - ',"more":""'.length + extra) },
    });
    expect(one.op(ann, 'config:update', grown(1))).toMatchObject({
      ok: false,
      code: 'DOC_TOO_LARGE',
      retryable: false,
    });
    expect(ann.of('operation:rejected')).toMatchObject([{ code: 'DOC_TOO_LARGE' }]);
    expect(one.op(ann, 'config:update', grown(0))).toMatchObject({ ok: true, version: 1 });
    expect(one.op(ann, 'node:update', { nodeId: 'a', set: { '/name': 'n' } })).toMatchObject({
      code: 'DOC_TOO_LARGE',
    });
    await one.now(one.rooms.flush(ann, KEY));
    expect(countJsonBytes(one.stored() as JsonObject)).toBe(MAX_DEFINITION_BYTES);
  });

  test('that shrink a stored document above the limit are accepted', async () => {
    const { one, ann } = await roomOf(sized(MAX_DEFINITION_BYTES + 5_000));
    expect(one.op(ann, 'node:update', { nodeId: 'a', set: { '/name': 'n' } })).toMatchObject({
      code: 'DOC_TOO_LARGE',
    });
    expect(one.op(ann, 'node:delete', { nodeIds: ['b'] })).toMatchObject({ ok: true });
  });

  test('of a batch are measured together', async () => {
    const { one, ann } = await roomOf(sized(MAX_DEFINITION_BYTES - 1_000));
    const ops = [1, 2].map((n) => ({ type: 'config:update', set: { [`/k${n}`]: 'x'.repeat(600) } }));
    expect(one.op(ann, 'batch', { reason: 'other', ops })).toMatchObject({
      ok: false,
      code: 'DOC_TOO_LARGE',
    });
    expect(one.op(ann, 'batch', { reason: 'other', ops: [ops[0]] })).toMatchObject({ ok: true });
  });

  test('add a node with its state field, or neither', async () => {
    const node = { id: 'c', type: 'llm' };
    const field = ',"c":{"type":"Any","reducer":"none"}';
    const { one, ann } = await roomOf(sized(MAX_DEFINITION_BYTES - countJsonBytes(node) - field.length));
    expect(one.op(ann, 'node:add', { node })).toMatchObject({ ok: true });
    const { one: full, ann: eve } = await roomOf(
      sized(MAX_DEFINITION_BYTES - countJsonBytes(node) - field.length + 1),
    );
    expect(full.op(eve, 'node:add', { node })).toMatchObject({ code: 'DOC_TOO_LARGE' });
  });
});

describe('DEF-2.16: a pin by operations', () => {
  test('grows up to the limit and no larger', async () => {
    const { one, ann } = await roomOf(DOCUMENT);
    const half = MAX_PIN_BYTES / 2;
    expect(one.op(ann, 'node:update', { nodeId: 'a', set: { '/mock': pin(half) } })).toMatchObject({
      ok: true,
    });
    const rest = (extra: number): object => ({
      nodeId: 'a',
      set: { '/mock/more': 'x'.repeat(half - ',"more":""'.length + extra) },
    });
    expect(one.op(ann, 'node:update', rest(1))).toMatchObject({
      ok: false,
      code: 'PIN_TOO_LARGE',
      retryable: false,
    });
    expect(one.op(ann, 'node:update', rest(0))).toMatchObject({ ok: true });
    expect(one.op(ann, 'node:move', { nodeId: 'a', position: { x: 1, y: 1 } })).toMatchObject({ ok: true });
    expect(one.op(ann, 'node:update', { nodeId: 'a', unset: ['/mock/more'] })).toMatchObject({ ok: true });
  });

  test('beside the nodes is as large as the bound, piece by piece, and no larger', async () => {
    const { one, ann } = await roomOf(DOCUMENT);
    const half = MAX_PIN_BYTES / 2;
    const output = 'x'.repeat(half - countJsonBytes({ output: '' }));
    const changes = { canvas: { pins: { a: { output } } } };
    expect(one.op(ann, 'metadata:update', { changes })).toMatchObject({ ok: true });
    const rest = (extra: number): object => ({
      set: { '/canvas/pins/a/more': 'x'.repeat(half - ',"more":""'.length + extra) },
    });
    expect(one.op(ann, 'metadata:update', rest(1))).toMatchObject({ ok: false, code: 'PIN_TOO_LARGE' });
    expect(one.op(ann, 'metadata:update', rest(0))).toMatchObject({ ok: true });
    expect(one.op(ann, 'metadata:update', { set: { '/name': 'longer' } })).toMatchObject({ ok: true });
  });

  test('is limited in a batch that adds its node, too', async () => {
    const { one, ann } = await roomOf(DOCUMENT);
    const add = (id: string, bytes: number): object => ({
      reason: 'other',
      mode: 'atomic',
      ops: [{ type: 'node:add', node: { id, type: 'llm', mock: pin(bytes) } }],
    });
    expect(one.op(ann, 'batch', add('c', MAX_PIN_BYTES))).toMatchObject({ ok: true });
    expect(one.op(ann, 'batch', add('d', MAX_PIN_BYTES + 1))).toMatchObject({
      code: 'BATCH_REJECTED',
      details: { code: 'PIN_TOO_LARGE' },
    });
  });
});

describe('DEF-2.16: replaying on an external save', () => {
  test('lists operations beyond the limit as dropped and keeps the others', async () => {
    const { one, ann } = await roomOf(DOCUMENT);
    one.op(ann, 'config:update', { opId: 'small', set: { '/small': 1 } });
    one.op(ann, 'config:update', { opId: 'large', set: { '/large': 'x'.repeat(2_000) } });
    one.move(ann, 5, { opId: 'moved' });
    const editVersion = one.store.writeExternally(KEY.workflowId, 'rest', (document) => {
      Object.assign(document, sized(MAX_DEFINITION_BYTES - 1_000));
      return [];
    });
    one.rooms.handleExternalSave({ ...KEY, editVersion, source: 'rest' });
    await one.clock.advance(200);
    expect(one.told.at(-1)).toMatchObject({
      event: 'workflow:external-sync',
      payload: { dropped: [{ opId: 'large', userId: ann.userId, code: 'DOC_TOO_LARGE' }] },
    });
    await one.now(one.rooms.flush(ann, KEY));
    expect(one.stored()).toMatchObject({ config: { small: 1 }, nodes: [{ position: { x: 5 } }, {}] });
    expect(countJsonBytes(one.stored() as JsonObject)).toBeLessThanOrEqual(MAX_DEFINITION_BYTES);
  });
});
