/** Pages by keyset: a page begins behind the position of a row, so rows that arrive meanwhile move nothing. */

/** The position of a row in a list ordered by a time or a number, then by the id. */
export interface Position {
  /** The time in milliseconds, or the number. */
  readonly place: number;
  readonly rowId: string;
}

/** The rows of a list to read, in reading order. */
export interface PageRead {
  /** The row behind which the page begins; null: the start of the list. */
  readonly from: Position | null;
  /** Reads from the position towards the start of the list. */
  readonly isBackward: boolean;
  readonly limit: number;
  /** Rows to skip; 0 with a position. */
  readonly offset: number;
}

/** Converts the place of a list that is ordered by time. */
export const toMoment = ({ place }: Position): Date => new Date(place);

/**
 * Composes the SQL of a page of a list, newest first, and appends its parameters.
 * @param columns the time and the id: an index ends with both, so the server reads the rows of the page and none before it
 */
export function composePage(
  params: unknown[],
  { from, isBackward, limit, offset }: PageRead,
  columns: readonly [time: string, id: string],
): { readonly condition: string; readonly tail: string } {
  const bind = (value: unknown): string => `$${params.push(value)}`;
  const [time, id] = columns;
  const beyond = isBackward ? '>' : '<';
  // The pair is a condition of the index where both columns are of one table; else the time alone is one. Beside the pair, the time would
  // be counted twice: the server takes the rest of the list for its square, and reads it whole for a filter.
  const isOneTable = time.replace(/\w+$/, '') === id.replace(/\w+$/, '');
  const behind = (place: string, rowId: string): string =>
    `${isOneTable ? '' : `${time} ${beyond}= ${place} AND `}(${time}, ${id}) ${beyond} (${place}, ${rowId})`;
  // Without a position there is no condition: `$1 IS NULL OR …` is no condition of an index in a plan for all values.
  const condition = from === null ? 'true' : behind(bind(toMoment(from)), bind(from.rowId));
  const order = isBackward ? 'ASC' : 'DESC';
  const skipped = offset === 0 ? '' : ` OFFSET ${bind(offset)}`;
  return { condition, tail: `ORDER BY ${time} ${order}, ${id} ${order} LIMIT ${bind(limit)}${skipped}` };
}

type Bound<Value> = { readonly [Operator in 'lt' | 'lte' | 'gt' | 'gte']?: Value };

/** Composes the arguments of Prisma Client for a page of a list, newest first, ordered by a time and `id`. */
export function pageByTime<Key extends string>({ from, isBackward, limit, offset }: PageRead, key: Key) {
  const order: 'asc' | 'desc' = isBackward ? 'asc' : 'desc';
  const [beyond, upTo] = isBackward ? (['gt', 'gte'] as const) : (['lt', 'lte'] as const);
  const bound = (operator: keyof Bound<Date>, value: Date) =>
    ({ [key]: { [operator]: value } }) as Record<Key, Bound<Date>>;
  // Prisma compares no pairs: the first condition is that of the index, the second that of equal times.
  const behind =
    from === null
      ? []
      : [
          bound(upTo, toMoment(from)),
          { OR: [bound(beyond, toMoment(from)), { id: { [beyond]: from.rowId } as Bound<string> }] },
        ];
  const byTime = { [key]: order } as Record<Key, 'asc' | 'desc'>;
  return { behind, orderBy: [byTime, { id: order }], take: limit, skip: offset };
}

/** Composes the arguments of Prisma Client for a page of a list ordered by a number that no two rows share. */
export function pageByNumber<Key extends string>(
  { from, isBackward, limit, offset }: PageRead,
  key: Key,
  first: 'highest' | 'lowest',
) {
  const isAscending = (first === 'lowest') !== isBackward;
  const operator = isAscending ? 'gt' : 'lt';
  const behind = from === null ? [] : [{ [key]: { [operator]: from.place } } as Record<Key, Bound<number>>];
  const orderBy = { [key]: isAscending ? 'asc' : 'desc' } as Record<Key, 'asc' | 'desc'>;
  return { behind, orderBy, take: limit, skip: offset };
}
