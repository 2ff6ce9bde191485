/**
 * The depth of a run that another run starts by triggering a schedule over the API. It is stored in the schedule's row, because
 * Temporal does not say who triggered a firing.
 */
import type { Sql } from '../../base/db/client.ts';
import type { Firing, ScheduleRef } from './schedule-engine.ts';

/** Longer than a trigger takes to arrive as a firing; firings within this time share the greatest depth. */
const SHARED_SECONDS = 60;

/** Stores the depth of a run that is about to be triggered. @param depth of the triggered run */
export async function writeFiredDepth(
  sql: Sql,
  { organizationId, scheduleId }: ScheduleRef,
  depth: number,
): Promise<void> {
  await sql.query(
    `UPDATE schedules SET fired_at = now(), fired_depth =
       CASE WHEN fired_at > now() - make_interval(secs => ${SHARED_SECONDS}) THEN greatest(fired_depth, $3::int) ELSE $3 END
     WHERE id = $1 AND organization_id = $2`,
    [scheduleId, organizationId, depth],
  );
}

/** Reads the number of runs above the run of a firing: 0 for a scheduled firing and for a person's trigger. */
export async function readFiredDepth(sql: Sql, firing: Firing): Promise<number> {
  const [fired] = await sql.query<{ depth: number }>(
    `SELECT fired_depth AS depth FROM schedules
     WHERE id = $1 AND organization_id = $2
       AND abs(extract(epoch FROM fired_at - $3::timestamptz)) < ${SHARED_SECONDS}`,
    [firing.scheduleId, firing.organizationId, firing.scheduledAt],
  );
  return fired?.depth ?? 0;
}
