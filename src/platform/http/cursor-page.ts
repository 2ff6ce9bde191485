/** Pages of lists: by an opaque cursor, or by an offset where the list has one. */
import type { BoundedRows } from '../../base/db/bounded-page.ts';
import type { PageRead, Position } from '../../base/db/keyset.ts';
import { canonicalJson } from '../../language/graph/values/canonical-json.ts';
import type { JsonObject } from '../../language/graph/values/value.ts';
import { openCursor, sealCursor } from './cursor.ts';

/** The query of a list: its page, and its filters by name. */
export interface PageQuery {
  readonly limit: number;
  readonly cursor?: string | undefined;
  readonly offset?: number;
}

/** A page in the order of the list. */
export interface CursorPage<Row> {
  readonly rows: readonly Row[];
  readonly hasMore: boolean;
  readonly nextCursor: string | null;
  readonly previousCursor: string | null;
}

/** A list in the order of its positions. */
interface CursorList<Row> {
  /** Contains the owner's id, so that a cursor of another list is refused. */
  readonly name: string;
  /** Reads up to `limit` rows in reading order: a page that is read backward has its last row first. */
  read(page: PageRead): Promise<readonly Row[] | BoundedRows<Row>>;
  readPosition(row: NoInfer<Row>): Position;
}

/** Names a list with its filters: a cursor leads on in the rows that it was made among. */
function nameFiltered(name: string, filters: object): string {
  const set = Object.entries(filters).filter(([, value]) => value !== undefined);
  return set.length === 0 ? name : `${name}\n${canonicalJson(Object.fromEntries(set) as JsonObject)}`;
}

/**
 * Reads a page of a list. With a cursor, the offset means nothing.
 * @param query other fields than those of the page are filters
 * @throws ApiError 400 for a cursor of another list or other filters
 */
export async function readCursorPage<Row>(
  secrets: Parameters<typeof openCursor>[0],
  { limit, cursor, offset = 0, ...filters }: PageQuery,
  list: CursorList<Row>,
): Promise<CursorPage<Row>> {
  const name = nameFiltered(list.name, filters);
  const given = cursor === undefined ? null : openCursor(secrets, name, cursor);
  const isBackward = given?.isBackward ?? false;
  // One row more than the page tells whether there is another page in this direction.
  const answer = await list.read({
    from: given?.position ?? null,
    isBackward,
    limit: limit + 1,
    offset: given === null ? offset : 0,
  });
  const { rows: found, stoppedAt } = 'rows' in answer ? answer : { rows: answer, stoppedAt: null };
  const read = found.slice(0, limit);
  const rows = isBackward ? read.toReversed() : read;
  const isCut = found.length > limit;
  // A search that stopped goes on where it stopped, which is beyond the last row of its page.
  const beyond = isCut ? null : stoppedAt;
  const place = (row: Row | undefined): Position | null =>
    row === undefined ? null : list.readPosition(row);
  const seal = (position: Position | null, backward: boolean): string | null =>
    position === null ? null : sealCursor(secrets, name, { position, isBackward: backward });
  const first = (isBackward ? beyond : null) ?? place(rows[0]) ?? beyond;
  const last = (isBackward ? null : beyond) ?? place(rows.at(-1)) ?? beyond;
  const goesOn = isCut || beyond !== null;
  const hasMore = isBackward ? last !== null : goesOn;
  const hasPrevious = isBackward ? goesOn : given !== null || offset > 0;
  return {
    rows,
    hasMore,
    nextCursor: hasMore ? seal(last, false) : null,
    previousCursor: hasPrevious ? seal(first, true) : null,
  };
}

/** Reads the position of a row in a list ordered by creation. */
export const readCreation = (row: { readonly created_at: Date; readonly id: string }): Position => ({
  place: row.created_at.getTime(),
  rowId: row.id,
});

/** Presents the fields of a page in the answer of a list with an offset. */
export const presentPage = (
  { hasMore, nextCursor, previousCursor }: CursorPage<unknown>,
  { limit, offset = 0 }: PageQuery,
): object => ({
  has_more: hasMore,
  limit,
  offset,
  next_cursor: nextCursor,
  previous_cursor: previousCursor,
});
