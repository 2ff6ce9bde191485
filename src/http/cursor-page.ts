/** Pages of lists with opaque cursors. */
import { openCursor, sealCursor, type Position } from './cursor.ts';

interface PageQuery {
  readonly limit: number;
  readonly cursor?: string | undefined;
}

export interface CursorPage<Row> {
  readonly rows: readonly Row[];
  readonly nextCursor: string | null;
}

/** A list in the order of its positions, newest first. */
interface CursorList<Row> {
  /** Contains the owner's id, so that a cursor of another list is refused. */
  readonly name: string;
  read(after: Position | null, limit: number): Promise<readonly Row[]>;
  readPosition(row: NoInfer<Row>): Position;
}

/** Reads a page of a list. @throws ApiError 400 for a cursor of another list */
export async function readCursorPage<Row>(
  secret: string,
  { limit, cursor }: PageQuery,
  list: CursorList<Row>,
): Promise<CursorPage<Row>> {
  const after = cursor === undefined ? null : openCursor(secret, list.name, cursor);
  // One row more than the page tells whether there is a next page.
  const found = await list.read(after, limit + 1);
  const rows = found.slice(0, limit);
  const last = found.length > limit ? rows.at(-1) : undefined;
  return {
    rows,
    nextCursor: last === undefined ? null : sealCursor(secret, list.name, list.readPosition(last)),
  };
}

/** Reads the position of a row in a list ordered by creation. */
export const readCreation = (row: { readonly created_at: Date; readonly id: string }): Position => ({
  time: row.created_at,
  rowId: row.id,
});
