/** The runs of a schedule. SQL: a firing has the root of a run, and Prisma Client joins no segments by that. */
import type { Sql } from '../../db/client.ts';
import { LIST_COLUMNS, type RunListRow } from '../../runs/ledger/run-reads.ts';

export interface Page {
  readonly limit: number;
  readonly offset: number;
}

export interface ScheduledRunRow extends RunListRow {
  readonly scheduled_at: Date;
}

/** The runs of a schedule with their later segments, newest first; one more than `limit` when there is another page. */
export async function listScheduledRuns(
  sql: Sql,
  organizationId: string,
  { scheduleId, limit, offset }: Page & { readonly scheduleId: string },
): Promise<ScheduledRunRow[]> {
  return sql.query<ScheduledRunRow>(
    `SELECT ${LIST_COLUMNS}, f.scheduled_at
     FROM schedule_firings f JOIN runs r ON r.root_run_pk = f.run_pk
     WHERE r.organization_id = $1 AND f.schedule_id = $2
     ORDER BY r.created_at DESC, r.id DESC LIMIT $3 OFFSET $4`,
    [organizationId, scheduleId, limit + 1, offset],
  );
}
