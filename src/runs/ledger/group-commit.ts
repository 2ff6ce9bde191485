/**
 * Writes that would wait for the same lock become durable together: what is asked for while one of them is under way goes
 * with the next, in one statement and one flush to disk. Those of another lock never wait here.
 */
import { AskedByLock } from '../../db/asked-by-lock.ts';
import type { Sql } from '../../db/client.ts';
import { sqlStateOf } from '../../db/transient-error.ts';

/** Characters of what is written with others; what is larger would hold them up. */
export const MAX_SHARED = 65_536;

/** What became of one write of several, by its position from 1: a result, or why there is none. */
type Written<Result> = { readonly place: number } & (
  | { readonly result: Result }
  | { readonly broken: unknown }
);

/** Errors of what a statement holds, not of the server: classes 22 and 23, and the deadlock. */
const isOfOneWrite = (error: unknown): boolean => /^(?:2[23]\w{3}|40P01)$/.test(sqlStateOf(error));

export class GroupCommit<Item, Result> {
  readonly #write: (sql: Sql, items: readonly Item[]) => Promise<readonly Result[]>;
  readonly #byLock: AskedByLock<Item, Written<Result>>;

  /**
   * @param write one statement, a transaction of its own; what it returns has the order of the items
   * @param atOnce statements of one lock under way
   */
  constructor(write: (sql: Sql, items: readonly Item[]) => Promise<readonly Result[]>, atOnce: number) {
    this.#write = write;
    this.#byLock = new AskedByLock((sql, items: readonly Item[]) => this.#writeAll(sql, items), atOnce);
  }

  /**
   * Writes an item with others of the same lock.
   * @throws as the statement does, for this item alone
   */
  async write(sql: Sql, lock: string, item: Item): Promise<Result> {
    const [written] = await this.#byLock.ask(sql, lock, item);
    if (written === undefined) throw new Error('a write was not answered');
    if ('broken' in written) throw written.broken;
    return written.result;
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
