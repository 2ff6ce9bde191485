/**
 * Pages of lists whose filters no index answers together: the whole list is searched for a while; then the page has the matches among
 * the next rows of the list, and says where it has stopped.
 */
import type { Db } from './client.ts';
import { composePage, type PageRead, type Position } from './keyset.ts';
import { readSqlState } from './transient-error.ts';

/** Time of a search in the whole list: usual ones take 5 to 20 ms, and what follows a longer one must end within 50 ms. */
const SEARCH_MS = 25;
/** Rows of the list that a page without a whole search looks at: 4 to 20 ms in memory. */
export const NEXT_ROWS = 4_000;

/** Rows of a page. */
export interface BoundedRows<Row> {
  readonly rows: readonly Row[];
  /** The last row of the list that was looked at, if the search stopped there before the page was full. */
  readonly stoppedAt: Position | null;
}

/** SQL with its parameters. */
export interface Statement {
  readonly text: string;
  readonly params: readonly unknown[];
}

type Transactional = Pick<Db, 'query' | 'transaction'>;

const QUERY_CANCELED = '57014';

/** @returns null when the search has taken too long */
async function search<Row extends object>(
  db: Transactional,
  { text, params }: Statement,
): Promise<Row[] | null> {
  try {
    return await db.transaction(async (tx) => {
      const set = tx.query(`SELECT set_config('statement_timeout', $1, true)`, [String(SEARCH_MS)]);
      // Sent together: the limit costs no round trip.
      const [, rows] = await Promise.all([set, tx.query<Row>(text, params)]);
      return rows;
    });
  } catch (error) {
    if (readSqlState(error) === QUERY_CANCELED) return null;
    throw error;
  }
}

/** A list of rows in an order that an index has. */
interface OrderedRows {
  /** The table or view, with its alias. */
  readonly from: string;
  readonly columns: readonly [time: string, id: string];
  /** Conditions that the index of the order answers. */
  readonly indexed: readonly string[];
  /** Conditions that are tried on each row. */
  readonly filters: readonly string[];
  /** The next rows that a page looks at. */
  readonly most?: number;
}

/**
 * Composes the common table expressions `page`, with the matches among the next rows of a list, and `stop`, with the time and the id of the
 * last row that was looked at if the page is not full. Appends their parameters.
 */
export function composeBounded(
  params: unknown[],
  page: PageRead,
  { from, columns, indexed, filters, most = NEXT_ROWS }: OrderedRows,
): string {
  const [time, id] = columns;
  const alias = time.split('.')[0];
  const next = composePage(params, { ...page, offset: 0, limit: most }, columns);
  const { tail } = composePage(params, { ...page, from: null, offset: 0 }, columns);
  const last = composePage(params, { ...page, from: null, offset: most - 1, limit: 1 }, columns);
  const rest = [...indexed, next.condition].join(' AND ');
  return `page AS MATERIALIZED (
      SELECT ${alias}.* FROM (SELECT ${alias}.* FROM ${from} WHERE ${rest} ${next.tail}) ${alias}
      WHERE ${['true', ...filters].join(' AND ')} ${tail}),
    stop AS MATERIALIZED (
      SELECT ${id}, ${time} FROM ${from} WHERE (SELECT count(*) FROM page) < $${params.push(page.limit)} AND ${rest} ${last.tail})`;
}

/** Columns that a row of a bounded page has beside its own. */
export const STOP_COLUMNS = 'stop.created_at AS stopped_time, stop.id AS stopped_id';

/** Names the tables of a bounded page, of which `page` is known by the alias. Of an empty page there is a row without an id. */
export const fromBounded = (alias: string): string =>
  `(VALUES (1)) AS always LEFT JOIN stop ON true LEFT JOIN page AS ${alias} ON true`;

interface Stop {
  readonly id: string | null;
  readonly stopped_time: Date | null;
  readonly stopped_id: string | null;
}

/**
 * Reads a page. An offset is read through however long it takes, because the rows that it skips are not known otherwise.
 * @param bounded composes a statement of `composeBounded` with `STOP_COLUMNS`
 */
export async function readBounded<Row extends object>(
  db: Transactional,
  page: PageRead,
  { whole, bounded }: { readonly whole: Statement; readonly bounded: () => Statement },
): Promise<BoundedRows<Row>> {
  const read = <Found extends object>({ text, params }: Statement): Promise<Found[]> =>
    db.query<Found>(text, params);
  if (page.offset > 0) return { rows: await read<Row>(whole), stoppedAt: null };
  const found = await search<Row>(db, whole);
  if (found !== null) return { rows: found, stoppedAt: null };
  const rows = await read<Row & Stop>(bounded());
  const { stopped_time: time, stopped_id: rowId } = rows[0] ?? { stopped_time: null, stopped_id: null };
  return {
    rows: rows.filter(({ id }) => id !== null),
    stoppedAt: time === null || rowId === null ? null : { place: time.getTime(), rowId },
  };
}
