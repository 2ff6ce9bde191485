/** If this fails, a typed text goes to another entry, key or node than the one that it was typed for. */
import { describe, expect, test } from 'vitest';
import { readDocument } from '../../../../src/features/canvas/room/document.ts';
import type { Json, JsonObject } from '../../../../src/language/graph/values/value.ts';
import {
  followField,
  rebasePointer,
  buildPathSkeleton,
} from '../../../../src/surfaces/web/forms/follow-place.ts';

const follow = (before: Json, after: Json, tokens: readonly string[]) => rebasePointer(before, after, tokens);
const at = (index: number) => [String(index)];
const message = (role: string, content: string) => ({ role, content });

describe('an entry of a list', () => {
  test.for([
    ['one before it is deleted', ['a', 'b', 'c'], 1, ['b', 'c'], 0],
    ['one before it is added', ['a', 'b'], 1, ['x', 'a', 'b'], 2],
    ['one after it is deleted', ['a', 'b', 'c'], 1, ['a', 'b'], 1],
    ['it is deleted', ['a', 'b', 'c'], 1, ['a', 'c'], null],
    ['the last one is deleted', ['a', 'b'], 1, ['a'], null],
    ['all are deleted', ['a'], 0, [], null],
    ['it is edited', ['a', 'b', 'c'], 1, ['a', 'B', 'c'], 1],
    ['two are edited', ['a', 'b'], 1, ['A', 'B'], 1],
    ['two change places', ['a', 'b'], 0, ['b', 'a'], 1],
    ['one is deleted and one is added', ['a', 'b'], 1, ['b', 'c'], 0],
    ['it is deleted and one is added', ['a', 'b'], 0, ['b', 'c'], null],
    ['it is edited and one is deleted', ['a', 'b'], 1, ['B'], null],
    ['one of two equal ones is deleted', ['a', 'a', 'b'], 1, ['a', 'b'], null],
    ['two equal ones follow it', ['x', 'a', 'a'], 1, ['a', 'a'], 0],
    ['it was never there', ['a'], 1, ['a', 'b'], null],
  ] as const)('%s', ([, before, index, after, found]) => {
    expect(follow([...before], [...after], at(index))).toEqual(found === null ? null : at(found));
  });

  test('a field of an entry that is moved and edited at once is gone, one of a list inside it is followed', () => {
    const before = [message('system', 'x'), message('user', 'y')];
    expect(follow(before, [message('user', 'z')], ['1', 'content'])).toBeNull();
    expect(follow({ l: [1, { l: ['a', 'b'] }] }, { l: [{ l: ['a', 'b'] }] }, ['l', '1', 'l', '1'])).toEqual([
      'l',
      '0',
      'l',
      '1',
    ]);
  });
});

describe('a key of an object', () => {
  test('that is renamed is the one with its value; among several it is not guessed', () => {
    expect(follow({ h: { a: 'x', b: 'y' } }, { h: { c: 'x', b: 'y' } }, ['h', 'a'])).toEqual(['h', 'c']);
    expect(follow({ p: { a: { t: 1 } } }, { p: { b: { t: 1 }, c: { t: 1 } } }, ['p', 'a', 't'])).toBeNull();
  });
  test('that has lost its value is still a place, and what was inside of it is not', () => {
    expect(follow({ h: { a: 'x', b: 'y' } }, { h: { b: 'y' } }, ['h', 'a'])).toEqual(['h', 'a']);
    expect(follow({ h: { a: 'x' } }, {}, ['h', 'a'])).toBeNull();
    expect(follow({}, {}, ['retry', 'max_attempts'])).toEqual(['retry', 'max_attempts']);
  });
});

test('an outline follows as the whole value does, and takes no other key for a renamed one', () => {
  const before = { h: { a: 'x', b: 'y' }, l: ['a', 'b'], code: 'long' };
  const keep = (tokens: string[]): Json => JSON.parse(JSON.stringify(buildPathSkeleton(before, tokens)));
  expect(keep(['h', 'a'])).toEqual({ h: { a: 'x', b: null }, l: null, code: null });
  expect(follow(keep(['l', '1']), { ...before, l: ['b'] }, ['l', '1'])).toEqual(['l', '0']);
  expect(follow(keep(['h', 'a']), { ...before, h: { b: 'x' } }, ['h', 'a'])).toEqual(['h', 'a']);
  expect(follow(keep(['h', 'a']), { ...before, h: { b: 'y', c: 'x' } }, ['h', 'a'])).toEqual(['h', 'c']);
});

describe('a node', () => {
  const read = (...nodes: JsonObject[]) => {
    const document = readDocument({ nodes, edges: [] });
    return { view: document, confirmed: document };
  };
  const place = { entity: 'node:a', ptr: '/config/t' } as const;
  test('that is renamed is the new node that is the same but for its id and the references to it', () => {
    const before = read({ id: 'a', config: { t: '{{a.x}}' } });
    expect(followField(place, before, read({ id: 'b', config: { t: '{{b.x}}' } }))).toEqual({
      entity: 'node:b',
      ptr: '/config/t',
    });
    expect(followField(place, before, read({ id: 'b', config: { t: '{{a.y}}' } }))).toBeNull();
  });
  test('that is deleted has no copy among the nodes that were there', () => {
    const [a, b] = [
      { id: 'a', config: { t: 'x' } },
      { id: 'b', config: { t: 'x' } },
    ];
    expect(followField(place, read(a, b), read(b))).toBeNull();
  });
  test('is followed in what the server has while an own text in it is under way', () => {
    const list = (...texts: string[]) => readDocument({ nodes: [{ id: 'a', l: texts }], edges: [] });
    const before = { view: list('x', 'y typed'), confirmed: list('x', 'y') };
    const after = { view: list('y'), confirmed: list('y') };
    expect(followField({ entity: 'node:a', ptr: '/l/1' }, before, after)?.ptr).toBe('/l/0');
  });
});
