/**
 * Counts the work of a call: how often V8 enters its blocks, and the items that built-in functions visit. The count is the same on
 * every machine, so that a test may compare the work for n with that for 2n.
 */
import { Session } from 'node:inspector/promises';

/** Built-in functions of arrays that visit all items of `this` and of their arrays. */
const VISITS = [
  'concat',
  'includes',
  'indexOf',
  'join',
  'lastIndexOf',
  'reverse',
  'shift',
  'slice',
  'splice',
  'toReversed',
  'unshift',
] as const;
/** Built-in functions that visit all members of an object. */
const LISTS = ['assign', 'entries', 'fromEntries', 'keys', 'values'] as const;

/** Built-in functions that look through all pairs of a form. */
const LOOKUPS = ['delete', 'get', 'getAll', 'has', 'set'] as const;

type AnyFunction = (...given: unknown[]) => unknown;

/** Replaces a method until the returned function is called. */
function replace(owner: object, name: PropertyKey, wrap: (original: AnyFunction) => AnyFunction): () => void {
  const original = Reflect.get(owner, name) as AnyFunction;
  Object.defineProperty(owner, name, { value: wrap(original), writable: true, configurable: true });
  return () => Object.defineProperty(owner, name, { value: original, writable: true, configurable: true });
}

/** Counts the items that built-in functions visit while `work` runs. */
async function countVisits(work: () => unknown): Promise<number> {
  let visits = 0;
  const iterator = Object.getPrototypeOf([][Symbol.iterator]()) as object;
  const restore = [
    // A spread takes each item by this function once it is replaced.
    replace(
      iterator,
      'next',
      (next) =>
        function (this: unknown) {
          visits += 1;
          return Reflect.apply(next, this, []);
        },
    ),
    ...VISITS.map((name) =>
      replace(
        Array.prototype,
        name,
        (original) =>
          function (this: unknown[], ...given) {
            visits += this.length;
            return Reflect.apply(original, this, given);
          },
      ),
    ),
    ...LISTS.map((name) =>
      replace(
        Object,
        name,
        (original) =>
          function (this: unknown, ...given) {
            const result = Reflect.apply(original, this, given) as object;
            for (const _ in result) visits += 1;
            return result;
          },
      ),
    ),
    ...LOOKUPS.map((name) =>
      replace(
        URLSearchParams.prototype,
        name,
        (original) =>
          function (this: unknown, ...given) {
            visits += (this as URLSearchParams).size;
            return Reflect.apply(original, this, given);
          },
      ),
    ),
    ...(['parse', 'stringify'] as const).map((name) =>
      replace(
        JSON,
        name,
        (original) =>
          function (this: unknown, ...given) {
            const result = Reflect.apply(original, this, given);
            const text = name === 'parse' ? given[0] : result;
            visits += typeof text === 'string' ? text.length : 0;
            return result;
          },
      ),
    ),
  ];
  try {
    await work();
  } finally {
    for (const undo of restore) undo();
  }
  return visits;
}

// V8 counts the blocks of functions that it compiles from now on: a test imports this file before the code that it counts.
const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });

/** Our code, and the parser of tenants' code. */
const COUNTED = /\/src\/|\/node_modules\/acorn\//;

/** Sums the counts of all blocks since the last call. */
async function takeBlocks(): Promise<number> {
  const { result } = await session.post('Profiler.takePreciseCoverage');
  return result
    .filter(({ url }) => COUNTED.test(url))
    .flatMap(({ functions }) => functions.flatMap(({ ranges }) => ranges.map(({ count }) => count)))
    .reduce((sum, count) => sum + count, 0);
}

/** Counts the work of a call. An error of it is part of its work. */
export async function countWork(work: () => unknown): Promise<number> {
  await takeBlocks();
  const visits = await countVisits(async () => {
    try {
      await work();
    } catch {
      // A refusal ends the work.
    }
  });
  return visits + (await takeBlocks());
}
