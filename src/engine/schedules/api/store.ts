/** The runs of a schedule. SQL, because a firing refers to the root of a run, and Prisma Client has no relation to its segments. */
import type { Sql } from '../../../base/db/client.ts';
import { LIST_COLUMNS, type RunListRow } from '../../runs/ledger/read/run-reads.ts';

export interface OffsetPage {
  readonly limit: number;
  readonly offset: number;
}

export interface ScheduledRunRow extends RunListRow {
  readonly scheduled_at: Date;
}

/** Lists the runs of a schedule with their later segments, newest first; one more than `limit` if there is a next page. */
export async function listScheduledRuns(
  sql: Sql,
  organizationId: string,
  { scheduleId, limit, offset }: OffsetPage & { readonly scheduleId: string },
): Promise<ScheduledRunRow[]> {
  return sql.query<ScheduledRunRow>(
    `SELECT ${LIST_COLUMNS}, f.scheduled_at
     FROM schedule_firings f JOIN runs r ON r.root_run_pk = f.run_pk
     WHERE r.organization_id = $1 AND f.schedule_id = $2
     ORDER BY r.created_at DESC, r.id DESC LIMIT $3 OFFSET $4`,
    [organizationId, scheduleId, limit + 1, offset],
  );
}
