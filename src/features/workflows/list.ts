/** Lists workflows: all, a numbered page, or a page by a cursor. */
import type { Scope } from '../../platform/access/caller.ts';
import type { Config } from '../../base/config/config.ts';
import type { Db } from '../../base/db/client.ts';
import type { PageRead } from '../../base/db/keyset.ts';
import { readCursorPage } from '../../platform/http/cursor-page.ts';
import type { ListQuery } from './schema.ts';
import { countWorkflows, selectWorkflows, type ListedWorkflow } from './store.ts';

export interface ListDeps {
  readonly db: Db;
  readonly config: Pick<Config, 'auth'>;
}

/** Items on a page of a cursor that was sent without `limit`. */
const LIMIT = 20;

/**
 * Lists the workflows that match, newest first: all, the page of a number with `page_size`, or one by a cursor with `limit`.
 * @throws ApiError 400 for a cursor of another list
 */
export async function listWorkflows(
  { db, config }: ListDeps,
  { organizationId, caller }: Scope,
  { page = 1, page_size: pageSize, limit, ...query }: ListQuery,
): Promise<{ readonly rows: readonly ListedWorkflow[]; readonly fields: object }> {
  if (limit !== undefined || query.cursor !== undefined) {
    const size = limit ?? LIMIT;
    const list = {
      name: `workflows/${organizationId}/${caller.userId}`,
      read: (read: PageRead) => selectWorkflows(db, organizationId, { ...query, page: read }),
      readPosition: ({ createdAt, id }: ListedWorkflow) => ({ place: createdAt.getTime(), rowId: id }),
    };
    const [found, total] = await Promise.all([
      readCursorPage(config.auth, { ...query, limit: size }, list),
      countWorkflows(db, organizationId, query),
    ]);
    const { rows, nextCursor, previousCursor } = found;
    return {
      rows,
      fields: { total, limit: size, next_cursor: nextCursor, previous_cursor: previousCursor },
    };
  }
  if (pageSize === undefined) {
    const rows = await selectWorkflows(db, organizationId, query);
    return { rows, fields: { total: rows.length } };
  }
  // The product of large numbers would be no number that the database takes.
  const offset = Math.min((page - 1) * pageSize, Number.MAX_SAFE_INTEGER);
  const read = { from: null, isBackward: false, limit: pageSize, offset };
  const [rows, total] = await Promise.all([
    selectWorkflows(db, organizationId, { ...query, page: read }),
    countWorkflows(db, organizationId, query),
  ]);
  return { rows, fields: { total, page, page_size: pageSize, total_pages: Math.ceil(total / pageSize) } };
}
