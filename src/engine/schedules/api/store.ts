/** The runs of a schedule. SQL, because a firing refers to the root of a run, and Prisma Client has no relation to its segments. */
import { composePage, type PageRead } from '../../../base/db/keyset.ts';
import type { Sql } from '../../../base/db/client.ts';
import { LIST_COLUMNS, type RunListRow } from '../../runs/ledger/read/run-reads.ts';

export interface ScheduledRunRow extends RunListRow {
  readonly scheduled_at: Date;
}

/** Lists the runs of a schedule with their later segments, the last firing first. */
export async function listScheduledRuns(
  sql: Sql,
  { organizationId, scheduleId }: { readonly organizationId: string; readonly scheduleId: string },
  page: PageRead,
): Promise<ScheduledRunRow[]> {
  const params: unknown[] = [organizationId, scheduleId];
  // By firing, because the table of firings has the index: an order by the runs' creation would read all firings.
  const { condition, tail } = composePage(params, page, ['f.scheduled_at', 'r.id']);
  return sql.query<ScheduledRunRow>(
    `SELECT ${LIST_COLUMNS}, f.scheduled_at
     FROM schedule_firings f JOIN runs r ON r.root_run_pk = f.run_pk
     WHERE r.organization_id = $1 AND f.schedule_id = $2 AND ${condition} ${tail}`,
    params,
  );
}
