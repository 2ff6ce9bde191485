/** Values of a size, of which the tests of work build their worst shapes. */
import type { Json, JsonObject } from '../../../src/language/graph/values/value.ts';

/** A list of `n` items. */
export const times = <T>(n: number, make: (at: number) => T): T[] =>
  Array.from({ length: n }, (_, at) => make(at));
/** An object of `n` members, `k0` and so on. */
export const fields = (n: number, make: (at: number) => Json): JsonObject =>
  Object.fromEntries(times(n, (at) => [`k${at}`, make(at)]));
