/** Updates of a state field would be lost or combined in another way than its reducer says. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Reducer, StateField } from '../../../src/language/graph/definition/definition.ts';
import { reduceField, reduceUpdates, seedState } from '../../../src/language/graph/definition/state.ts';
import type { Json, JsonObject } from '../../../src/language/graph/values/value.ts';

const field = (reducer: Reducer, initial?: Json): StateField => ({ reducer, default: initial });
const json = fc.jsonValue().map((value) => value as Json);

describe('reduceField', () => {
  it.each<[Reducer, Json | undefined, Json, Json]>([
    ['none', [1], [2], [2]],
    ['none', undefined, null, null],
    ['add', [1], [2, 3], [1, 2, 3]],
    ['add', [1], 'x', [1, 'x']],
    ['add', undefined, 'x', ['x']],
    ['add', null, [], []],
    ['add', 'seed', 'x', ['seed', 'x']],
    ['add', [1], null, [1, null]],
    ['update', { a: 1, b: 1 }, { b: null, c: 3 }, { a: 1, b: null, c: 3 }],
    ['update', undefined, { a: 1 }, { a: 1 }],
    ['update', { a: { deep: 1 } }, { a: {} }, { a: {} }],
    ['update', { a: 1 }, 'text', 'text'],
  ])('%s: %j with %j becomes %j', (reducer, current, update, expected) => {
    expect(reduceField(field(reducer), current, update)).toEqual(expected);
  });

  it('overwrites under every reducer, but only when that is all the update says', () => {
    for (const reducer of ['none', 'add', 'update'] as const) {
      expect(reduceField(field(reducer), { a: 1 }, { __overwrite__: [9] })).toEqual([9]);
    }
    expect(reduceField(field('update'), { a: 1 }, { __overwrite__: 9, b: 2 })).toEqual({
      a: 1,
      __overwrite__: 9,
      b: 2,
    });
  });

  it('comes to the same with many updates at once as with one after the other', () => {
    const members = fc.dictionary(fc.constantFrom('a', 'b', '__proto__'), fc.integer());
    const update = fc.oneof(
      json,
      members,
      members.map((value) => ({ __overwrite__: value })),
    ) as fc.Arbitrary<Json>;
    fc.assert(
      fc.property(
        fc.constantFrom<Reducer>('none', 'add', 'update'),
        fc.option(update, { nil: undefined }),
        fc.array(update),
        (reducer, current, updates) => {
          const one = updates.reduce<Json | undefined>(
            (value, next) => reduceField(field(reducer), value, next),
            current,
          );
          const all = reduceUpdates(field(reducer), current, updates);
          expect(JSON.stringify(all)).toBe(JSON.stringify(one));
        },
      ),
    );
  });

  it('never changes what it was given', () => {
    fc.assert(
      fc.property(
        fc.constantFrom<Reducer>('none', 'add', 'update'),
        json,
        json,
        (reducer, current, update) => {
          const before = JSON.stringify([current, update]);
          reduceField(field(reducer), current, update);
          expect(JSON.stringify([current, update])).toBe(before);
        },
      ),
    );
  });

  it('add grows by the length of the update and is associative on lists', () => {
    const list = fc.array(json, { maxLength: 4 });
    const add = (current: Json, update: Json): Json => reduceField(field('add'), current, update);
    fc.assert(
      fc.property(list, list, list, (a, b, c) => {
        expect(add(add(a, b), c)).toEqual(add(a, add(b, c)));
        expect(add(a, b)).toHaveLength(a.length + b.length);
      }),
    );
  });

  it('update lets the later value of a key win and keeps the others', () => {
    const object = fc
      .dictionary(fc.string(), json, { maxKeys: 4 })
      .map((record) => ({ ...record }) as JsonObject);
    fc.assert(
      fc.property(object, object, (a, b) => {
        fc.pre(!Object.hasOwn(b, '__overwrite__'));
        const merged = reduceField(field('update'), a, b) as JsonObject;
        for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) {
          expect(merged[key]).toEqual(Object.hasOwn(b, key) ? b[key] : a[key]);
        }
      }),
    );
  });
});

describe('seedState', () => {
  it('reduces defaults, then the workflow input, then the run input', () => {
    const fields = {
      log: field('add', ['d']),
      who: field('update', { a: 1 }),
      name: field('none', 'd'),
      unset: field('add'),
    };
    const seeded = seedState(
      fields,
      { log: ['w'], who: { b: 2 }, name: 'w', x: 1 },
      { log: 'r', who: { a: 3 }, x: 2, y: [1] },
    );
    expect(seeded.fields).toEqual({ log: ['d', 'w', 'r'], who: { a: 3, b: 2 }, name: 'w' });
    expect(seeded.free).toEqual({ x: 2, y: [1] });
    expect(seeded.input).toEqual({ log: 'r', who: { a: 3 }, name: 'w', x: 2, y: [1] });
  });

  it('knows no inherited names', () => {
    const hostile = JSON.parse(
      '{"__proto__": {"polluted": true}, "constructor": 1, "toString": 2}',
    ) as JsonObject;
    const { fields, free } = seedState({}, {}, hostile);
    expect(Object.getPrototypeOf(fields)).toBeNull();
    expect(Object.keys(free)).toEqual(['__proto__', 'constructor', 'toString']);
    expect(seedState({ toString: field('none') }, {}, {}).fields['toString']).toBeUndefined();
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });
});
