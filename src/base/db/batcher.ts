/**
 * Batches items into shared statements: items that arrive while statements run wait, and the next statement takes them all.
 * Nothing is cached: each item is served by a statement that began after the item arrived.
 */
import { readSqlState } from './transient-error.ts';

/** Items per statement at most: their results are in memory together. */
const MAX_ITEMS = 200;
/** SQLSTATE classes 22 (data) and 23 (constraint), and the deadlock: one item may have broken the statement for the others. */
const ONE_ITEM = /^(?:2[23]\w{3}|40P01)$/;

export interface BatchKind<Item, Result> {
  /** One statement, a transaction of its own. @returns a result for each item, in their order */
  readonly run: (items: readonly Item[]) => Promise<readonly Result[]>;
  /** Concurrent statements of one key at most. */
  readonly maxConcurrent: number;
  /** Items per statement at most; 200 by default. */
  readonly maxItems?: number;
  /** Items of different keys share no statement and never wait for each other; often the row that the statement locks. */
  readonly getKey?: (item: Item) => string;
  /** True for an item that gets its own statement, so that it does not delay the others. */
  readonly isLarge?: (item: Item) => boolean;
}

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

interface Queue<Item, Result> {
  readonly waiting: Waiting<Item, Result>[];
  running: number;
  isDue: boolean;
}

export class Batcher<Item, Result> {
  readonly #kind: BatchKind<Item, Result>;
  readonly #queues = new Map<string, Queue<Item, Result>>();

  constructor(kind: BatchKind<Item, Result>) {
    this.#kind = kind;
  }

  /** Adds an item and returns its result. @throws the error of the statement, or of this item when another one caused it */
  add(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      const one = { item, resolve, reject };
      if (this.#kind.isLarge?.(item) === true) {
        void this.#run([one]);
        return;
      }
      const key = this.#kind.getKey?.(item) ?? '';
      const queue = this.#queues.get(key) ?? { waiting: [], running: 0, isDue: false };
      this.#queues.set(key, queue);
      queue.waiting.push(one);
      this.#runSoon(key, queue);
    });
  }

  /** Waits one turn of the event loop, so that all callers woken by the same message share the statement. */
  #runSoon(key: string, queue: Queue<Item, Result>): void {
    if (queue.isDue || queue.running >= this.#kind.maxConcurrent) return;
    queue.isDue = true;
    setImmediate(() => {
      queue.isDue = false;
      while (queue.waiting.length > 0 && queue.running < this.#kind.maxConcurrent) {
        queue.running += 1;
        void this.#run(queue.waiting.splice(0, this.#kind.maxItems ?? MAX_ITEMS)).then(() => {
          queue.running -= 1;
          if (queue.waiting.length > 0) this.#runSoon(key, queue);
          else if (queue.running === 0 && !queue.isDue) this.#queues.delete(key);
        });
      }
    });
  }

  async #run(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await this.#kind.run(batch.map(({ item }) => item));
      batch.forEach(({ resolve }, at) => resolve(results[at] as Result));
    } catch (error) {
      if (batch.length > 1 && ONE_ITEM.test(readSqlState(error)))
        await Promise.all(batch.map((one) => this.#run([one])));
      else for (const { reject } of batch) reject(error);
    }
  }
}

/**
 * Builds the table `keys` of a batched read, with the `place` of each key. The arrays are in sub-selects to hide their lengths
 * from the planner, which would plan each length anew and take three times as long as the statement itself.
 * @param parts the names of a key's parts, in order, and their types
 */
export function keysTable(parts: Readonly<Record<string, string>>): string {
  const arrays = Object.values(parts).map((type, part) => `(SELECT $${part + 1}::${type}[])`);
  return `unnest(${arrays.join(', ')}) WITH ORDINALITY AS keys(${[...Object.keys(parts), 'place'].join(', ')})`;
}

/**
 * A batched read as a kind of batch: an item is a key, its result the rows of that key.
 * @param read runs the statement on arrays, one for each part of the key; `place` is the key's position, from 1
 */
export function readKind<Row extends object>(
  read: (columns: unknown[][]) => Promise<(Row & { readonly place: number })[]>,
  maxConcurrent: number,
): BatchKind<readonly unknown[], Row[]> {
  return {
    maxConcurrent,
    async run(keys) {
      const columns = Array.from({ length: keys[0]?.length ?? 0 }, (_, part) => keys.map((key) => key[part]));
      const results = keys.map((): Row[] => []);
      for (const row of await read(columns)) results[row.place - 1]?.push(row);
      return results;
    },
  };
}
