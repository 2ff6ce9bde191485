/** Lists of the API, of whichever style, as items one after the other. */

interface AnyQuery {
  readonly [name: string]: unknown;
}

interface PageFacts {
  readonly next_cursor?: string | null;
  readonly has_more?: boolean;
  readonly offset?: number;
  readonly page?: number;
  readonly total_pages?: number;
}

/** What to ask for after a page; null after the last (SPEC API-pagination). */
function next(answer: PageFacts, count: number): AnyQuery | null {
  if (typeof answer.next_cursor === 'string') return { cursor: answer.next_cursor };
  if (answer.has_more === true && count > 0) return { offset: (answer.offset ?? 0) + count };
  const { page, total_pages: pages } = answer;
  return page !== undefined && pages !== undefined && page < pages ? { page: page + 1 } : null;
}

/** `for await` gives every item, and pages are fetched as they are needed; `page()` is the one page that the query asks for. */
export class List<Answer, Item> implements AsyncIterable<Item> {
  readonly #read: (query: AnyQuery) => Promise<Answer>;
  readonly #itemsOf: (answer: Answer) => readonly Item[];
  readonly #query: AnyQuery;

  constructor(
    read: (query: AnyQuery) => Promise<Answer>,
    itemsOf: (answer: Answer) => readonly Item[],
    query: object = {},
  ) {
    this.#read = read;
    this.#itemsOf = itemsOf;
    this.#query = query as AnyQuery;
  }

  /** The answer as the API gives it. */
  page(): Promise<Answer> {
    return this.#read(this.#query);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, void> {
    let more: AnyQuery | null = {};
    while (more !== null) {
      const answer = await this.#read({ ...this.#query, ...more });
      const items = this.#itemsOf(answer);
      yield* items;
      more = next(answer as PageFacts, items.length);
    }
  }
}
