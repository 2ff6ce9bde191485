/**
 * How deep below other runs the run of a firing stands: a run may fire a schedule over the API, and Temporal fires it without a
 * word of who asked.
 */
import type { Sql } from '../db/client.ts';
import type { Firing, ScheduleRef } from './schedule-engine.ts';

/** Longer than a firing takes to be known here: firings of this time share the greatest depth among them. */
const SHARED_SECONDS = 60;

/** Notes that a run has the schedule fired now. @param depth of the run that comes of it */
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

/** Reads how many runs stand above the run of a firing: 0 for one that is due, or that a person asks for. */
export async function readFiredDepth(sql: Sql, firing: Firing): Promise<number> {
  const [fired] = await sql.query<{ depth: number }>(
    `SELECT fired_depth AS depth FROM schedules
     WHERE id = $1 AND organization_id = $2
       AND abs(extract(epoch FROM fired_at - $3::timestamptz)) < ${SHARED_SECONDS}`,
    [firing.scheduleId, firing.organizationId, firing.scheduledAt],
  );
  return fired?.depth ?? 0;
}
