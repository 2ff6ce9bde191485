/** Changes to valid values as an attacker or a broken client would make them: other types, lost keys, odd texts, depth. */
import fc from 'fast-check';

/** One step from a valid body towards an invalid one, applied at a place that `at` chooses. */
export interface Mutation {
  readonly at: number;
  readonly change:
    | { readonly kind: 'replace'; readonly by: unknown }
    | { readonly kind: 'drop' | 'double' | 'wrap' };
}

const nested = (depth: number): unknown => JSON.parse('{"a":['.repeat(depth) + ']}'.repeat(depth));

/** Values that have broken something somewhere: in JSON, in JavaScript objects, in PostgreSQL, in templates. */
const odd: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  0.5,
  1e21,
  1e308,
  -1e308,
  5e-324,
  Number.MAX_SAFE_INTEGER,
  2 ** 63,
  '',
  ' ',
  '\u0000',
  '\ud800',
  '\u202e',
  'x'.repeat(10_000),
  '9'.repeat(400),
  '__proto__',
  'constructor',
  '__start__',
  '__end__',
  '{{',
  '{{hello.said}}',
  '{{a.constructor}}',
  '1.0.0-',
  '99999999999999999999.0.0',
  '2026-02-30T25:61:61Z',
  '9999-12-31T23:59:59-23:59',
  '00000000-0000-0000-0000-000000000000',
  '$1; DROP TABLE runs',
  [],
  {},
  [null],
  [[]],
  nested(12),
  nested(30),
  JSON.parse('{"__proto__":{"polluted":1}}'),
  { constructor: { prototype: { polluted: 1 } } },
  { length: { toString: null } },
  JSON.parse('{"toString":null,"valueOf":1,"toJSON":"x","then":1,"length":-1}'),
];

export const oddValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...odd) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 4 }) },
);

export const mutation: fc.Arbitrary<Mutation> = fc.record({
  at: fc.nat(),
  change: fc.oneof(
    { weight: 3, arbitrary: oddValue.map((by) => ({ kind: 'replace' as const, by })) },
    { weight: 1, arbitrary: fc.constantFrom('drop', 'double', 'wrap').map((kind) => ({ kind })) },
  ) as fc.Arbitrary<Mutation['change']>,
});

interface Place {
  readonly holder: Record<string | number, unknown>;
  readonly key: string | number;
}

/** Every place of a value that can be changed, depth first. */
function placesOf(value: unknown): Place[] {
  if (typeof value !== 'object' || value === null) return [];
  const holder = value as Record<string | number, unknown>;
  const keys = Array.isArray(value) ? [...value.keys()] : Object.keys(value);
  return keys.flatMap((key) => [{ holder, key }, ...placesOf(holder[key])]);
}

/** As JSON.parse would: `__proto__` is a key like any other. */
const set = (holder: object, key: string | number, value: unknown): void =>
  void Object.defineProperty(holder, key, { value, writable: true, enumerable: true, configurable: true });

function apply({ holder, key }: Place, change: Mutation['change']): void {
  switch (change.kind) {
    case 'replace':
      // A copy: the values are shared, and the next mutation may be inside this one.
      set(holder, key, structuredClone(change.by));
      return;
    case 'drop':
      if (Array.isArray(holder)) holder.splice(Number(key), 1);
      else delete holder[key];
      return;
    case 'double':
      if (Array.isArray(holder)) holder.push(structuredClone(holder[key]));
      else set(holder, `${key}2`, structuredClone(holder[key]));
      return;
    case 'wrap':
      set(holder, key, [holder[key]]);
  }
}

/** A copy of a JSON value with the mutations applied one after the other. */
export function mutated(value: unknown, mutations: readonly Mutation[]): unknown {
  const copy = structuredClone(value);
  for (const { at, change } of mutations) {
    const places = placesOf(copy);
    const place = places[at % Math.max(places.length, 1)];
    if (place !== undefined) apply(place, change);
  }
  return copy;
}
