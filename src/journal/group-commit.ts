/**
 * Writes that would wait for the same lock become durable together: what is asked for while one of them is under way goes
 * with the next, in one statement and one flush to disk. Those of another lock never wait here.
 */
import { AskedTogether } from '../db/asked-together.ts';
import type { Sql } from '../db/client.ts';

/** Characters of what is written with others; what is larger would hold them up. */
export const MAX_SHARED = 65_536;

/** What became of one write of several, by its position from 1: a result, or why there is none. */
type Written<Result> = { readonly place: number } & (
  | { readonly result: Result }
  | { readonly broken: unknown }
);

interface Group<Result> {
  readonly together: AskedTogether<Written<Result>>;
  waiting: number;
}

/** Errors of what a statement holds, not of the server: classes 22 and 23, and the deadlock. */
function isOfOneWrite(error: unknown): boolean {
  const code: unknown = error instanceof Error && 'code' in error ? error.code : null;
  return typeof code === 'string' && /^(?:2[23]\w{3}|40P01)$/.test(code);
}

export class GroupCommit<Item, Result> {
  readonly #write: (sql: Sql, items: readonly Item[]) => Promise<readonly Result[]>;
  readonly #atOnce: number;
  readonly #groups = new WeakMap<Sql, Map<string, Group<Result>>>();

  /**
   * @param write one statement, a transaction of its own; what it returns has the order of the items
   * @param atOnce statements of one lock under way
   */
  constructor(write: (sql: Sql, items: readonly Item[]) => Promise<readonly Result[]>, atOnce: number) {
    this.#write = write;
    this.#atOnce = atOnce;
  }

  /**
   * Writes an item with others of the same lock.
   * @throws as the statement does, for this item alone
   */
  async write(sql: Sql, lock: string, item: Item): Promise<Result> {
    const groups = this.#groups.get(sql) ?? new Map<string, Group<Result>>();
    this.#groups.set(sql, groups);
    const group = groups.get(lock) ?? this.#openGroup(sql);
    groups.set(lock, group);
    group.waiting += 1;
    try {
      const [written] = await group.together.ask([item]);
      if (written === undefined) throw new Error('a write was not answered');
      if ('broken' in written) throw written.broken;
      return written.result;
    } finally {
      group.waiting -= 1;
      if (group.waiting === 0) groups.delete(lock);
    }
  }

  #openGroup(sql: Sql): Group<Result> {
    const run = ([items]: unknown[][]) => this.#writeAll(sql, items as Item[]);
    return { together: new AskedTogether<Written<Result>>(run, this.#atOnce), waiting: 0 };
  }

  /** In one statement; one by one where one item breaks it for all. */
  async #writeAll(sql: Sql, items: readonly Item[]): Promise<Written<Result>[]> {
    try {
      const results = await this.#write(sql, items);
      return results.map((result, at) => ({ place: at + 1, result }));
    } catch (error) {
      if (items.length === 1 || !isOfOneWrite(error)) throw error;
    }
    const alone = items.map(async (item, at): Promise<Written<Result>[]> => {
      try {
        const results = await this.#write(sql, [item]);
        return results.map((result) => ({ place: at + 1, result }));
      } catch (broken) {
        return [{ place: at + 1, broken }];
      }
    });
    return (await Promise.all(alone)).flat();
  }
}
