/**
 * What would wait for the same lock is asked together (asked-together.ts), so that one connection of this process waits
 * and not one for each. What needs another lock never waits here.
 */
import { AskedTogether } from './asked-together.ts';
import type { Sql } from './client.ts';

type Answered<Row> = Row & { readonly place: number };

interface Group<Row extends object> {
  readonly together: AskedTogether<Row>;
  waiting: number;
}

export class AskedByLock<Item, Row extends object> {
  readonly #run: (sql: Sql, items: readonly Item[]) => Promise<Answered<Row>[]>;
  readonly #atOnce: number;
  readonly #groups = new WeakMap<Sql, Map<string, Group<Row>>>();

  /**
   * @param run one statement; each row's `place` is the position, from 1, of the item that it answers
   * @param atOnce statements of one lock under way
   */
  constructor(run: (sql: Sql, items: readonly Item[]) => Promise<Answered<Row>[]>, atOnce: number) {
    this.#run = run;
    this.#atOnce = atOnce;
  }

  /** The rows that answer an item. @throws what the statement throws */
  async ask(sql: Sql, lock: string, item: Item): Promise<Row[]> {
    const groups = this.#groups.get(sql) ?? new Map<string, Group<Row>>();
    this.#groups.set(sql, groups);
    const group = groups.get(lock) ?? this.#openGroup(sql);
    groups.set(lock, group);
    group.waiting += 1;
    try {
      return await group.together.ask([item]);
    } finally {
      group.waiting -= 1;
      if (group.waiting === 0) groups.delete(lock);
    }
  }

  #openGroup(sql: Sql): Group<Row> {
    const run = ([items]: unknown[][]) => this.#run(sql, items as Item[]);
    return { together: new AskedTogether<Row>(run, this.#atOnce), waiting: 0 };
  }
}
