/** A definition or a pin could outgrow its limit, or one that is too large could not be made smaller. */
import { describe, expect, test } from 'vitest';
import {
  countBytes,
  findPinExcess,
  findExcess,
  countJsonBytes,
  MAX_DEFINITION_BYTES,
  MAX_PIN_BYTES,
} from '../../../src/language/graph/definition/definition-size.ts';
import type { JsonObject } from '../../../src/language/graph/values/value.ts';

/** A definition of exactly so many bytes. */
function sized(bytes: number, more: JsonObject = {}): JsonObject {
  const definition = { nodes: [], edges: [], metadata: { pad: '' }, ...more };
  return { ...definition, metadata: { pad: 'x'.repeat(bytes - countJsonBytes(definition)) } };
}
/** A node whose pin has exactly so many bytes. */
function pinned(bytes: number): JsonObject {
  const mock = { enabled: true, output: '' };
  return { id: 'a', type: 'llm', mock: { ...mock, output: 'x'.repeat(bytes - countJsonBytes(mock)) } };
}

test('bytes are counted as UTF-8 has them', () => {
  for (const text of ['', 'ascii', 'é', '€', '😀', '\u07ff\u0800\uffff', 'a😀é€b'])
    expect(countBytes(text)).toBe(Buffer.byteLength(text));
});

describe('DEF-2.16: a definition', () => {
  test('of the largest size fits, and of one byte more does not', () => {
    expect(findExcess(sized(MAX_DEFINITION_BYTES), null)).toBeNull();
    const excess = findExcess(sized(MAX_DEFINITION_BYTES + 1), sized(MAX_DEFINITION_BYTES));
    expect(excess).toMatchObject({ code: 'definition_too_large', path: [] });
    expect(excess?.message).toContain(String(MAX_DEFINITION_BYTES + 1));
  });

  test('that was stored above the bound may stay and shrink, and grows no further', () => {
    const stored = sized(MAX_DEFINITION_BYTES + 10);
    expect(findExcess(sized(MAX_DEFINITION_BYTES + 10), stored)).toBeNull();
    expect(findExcess(sized(MAX_DEFINITION_BYTES + 9), stored)).toBeNull();
    expect(findExcess(sized(MAX_DEFINITION_BYTES + 11), stored)).toMatchObject({
      code: 'definition_too_large',
    });
  });
});

describe('DEF-2.16: a pin', () => {
  const of = (bytes: number): JsonObject => ({ nodes: [{ id: 'b' }, pinned(bytes)], edges: [] });

  test('of the largest size fits, and of one byte more does not', () => {
    expect(findExcess(of(MAX_PIN_BYTES), null)).toBeNull();
    expect(findExcess(of(MAX_PIN_BYTES + 1), of(MAX_PIN_BYTES))).toMatchObject({
      code: 'pin_too_large',
      path: ['nodes', 1, 'mock'],
    });
  });

  test('that was stored above the bound may stay and shrink, and grows no further', () => {
    const stored = of(MAX_PIN_BYTES + 10);
    expect(findExcess(of(MAX_PIN_BYTES + 10), stored)).toBeNull();
    expect(findExcess(of(MAX_PIN_BYTES + 9), stored)).toBeNull();
    expect(findExcess(of(MAX_PIN_BYTES + 11), stored)).toMatchObject({ code: 'pin_too_large' });
    expect(
      findExcess({ nodes: [{ ...pinned(MAX_PIN_BYTES + 10), id: 'other' }], edges: [] }, stored),
    ).not.toBeNull();
  });

  test('is measured whole, whatever its form', () => {
    expect(findPinExcess('x'.repeat(MAX_PIN_BYTES), undefined)).toBe(MAX_PIN_BYTES + 2);
    expect(findPinExcess({ enabled: false, kept: 'x'.repeat(MAX_PIN_BYTES) }, undefined)).not.toBeNull();
  });

  test('beside the nodes has the same bound', () => {
    const empty = countJsonBytes({ output: '' });
    const beside = (bytes: number): JsonObject => ({
      metadata: { canvas: { pins: { a: { output: 'x'.repeat(bytes - empty) } } } },
      nodes: [],
      edges: [],
    });
    expect(findExcess(beside(MAX_PIN_BYTES), null)).toBeNull();
    expect(findExcess(beside(MAX_PIN_BYTES + 1), beside(MAX_PIN_BYTES))).toMatchObject({
      code: 'pin_too_large',
      path: ['metadata', 'canvas', 'pins', 'a'],
    });
    expect(findExcess(beside(MAX_PIN_BYTES + 9), beside(MAX_PIN_BYTES + 10))).toBeNull();
  });
});
