/** Reads the lists of the API item by item, whichever style of pagination a list has. */
import type { Values } from './transport.ts';

interface PageFields {
  readonly next_cursor?: string | null;
  readonly has_more?: boolean;
  readonly offset?: number;
  readonly page?: number;
  readonly total_pages?: number;
}

/** @returns the query of the next page; null after the last (SPEC API-pagination) */
function toNextPage(answer: PageFields, count: number): Values | null {
  if (typeof answer.next_cursor === 'string') return { cursor: answer.next_cursor };
  if (answer.next_cursor === null) return null;
  // An older service has no cursors in these lists.
  if (answer.has_more === true && count > 0) return { offset: (answer.offset ?? 0) + count };
  const { page, total_pages: pages } = answer;
  return page !== undefined && pages !== undefined && page < pages ? { page: page + 1 } : null;
}

/** `for await` yields every item and fetches pages as needed; `page()` returns the single page that the query selects. */
export class List<Answer, Item> implements AsyncIterable<Item> {
  readonly #read: (query: Values) => Promise<Answer>;
  readonly #readItems: (answer: Answer) => readonly Item[];
  readonly #query: Values;

  constructor(
    read: (query: Values) => Promise<Answer>,
    readItems: (answer: Answer) => readonly Item[],
    query: object = {},
  ) {
    this.#read = read;
    this.#readItems = readItems;
    this.#query = query as Values;
  }

  /** The API's answer, unchanged. */
  page(): Promise<Answer> {
    return this.#read(this.#query);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, void> {
    let next: Values | null = {};
    while (next !== null) {
      const answer = await this.#read({ ...this.#query, ...next });
      const items = this.#readItems(answer);
      yield* items;
      next = toNextPage(answer as PageFields, items.length);
    }
  }
}
