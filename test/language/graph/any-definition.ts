/** Definitions as nobody should store them, and as they are stored all the same. */
import fc from 'fast-check';
import type { JsonObject } from '../../../src/language/graph/values/value.ts';

const key = fc.constantFrom('x', 'a/b', 't~', '', '0', 'nodes');
export const anyJson = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom(null, true, 0, 1, 'text'),
    fc.array(tie('any'), { maxLength: 3 }),
    fc.dictionary(key, tie('any'), { maxKeys: 3, noNullPrototype: true }),
  ),
})).any;
const element = fc.record({ id: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'), config: anyJson });
const elements = fc.oneof(
  fc.uniqueArray(element, { selector: (one) => one.id }),
  // As nobody should have stored them: twice the same id, none, or no objects at all.
  fc.array(fc.oneof(element, anyJson), { maxLength: 4 }),
);
export const anyDefinition = fc.record(
  { nodes: elements, edges: fc.oneof(elements, anyJson), config: anyJson, extra: anyJson },
  { requiredKeys: [] },
) as fc.Arbitrary<JsonObject>;
