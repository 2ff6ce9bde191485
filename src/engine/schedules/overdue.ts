/** Schedules that did not fire: when each is due next is in its row, and the view `overdue_schedules` compares it with what has fired. */
import type { Clock } from '../../base/clock.ts';
import type { Sql } from '../../base/db/client.ts';
import { parseCron } from '../../language/cron/cron.ts';
import { findNextTime, toEngineZone } from '../../language/cron/next-time.ts';
import type { Firing } from './schedule-engine.ts';

/** Rows that one round computes. */
const BATCH = 200;

interface DueRow {
  readonly scheduleId: string;
  readonly revision: number;
  readonly cronExpression: string;
  readonly timezone: string;
  readonly startAt: Date | null;
  readonly endAt: Date | null;
}

const COLUMNS = `id AS "scheduleId", revision, cron_expression AS "cronExpression", timezone, start_at AS "startAt", end_at AS "endAt"`;

/** Finds when a schedule is due after a time; `infinity` for never again. */
function findDue({ cronExpression, timezone, startAt, endAt }: DueRow, afterMs: number): Date | 'infinity' {
  // The start itself is due, and `findNextTime` begins behind its time.
  const after = new Date(Math.max(afterMs, (startAt?.getTime() ?? 0) - 1));
  const due = findNextTime(parseCron(cronExpression), toEngineZone(timezone), after);
  return due === null || (endAt !== null && due > endAt) ? 'infinity' : due;
}

/** A row that was changed meanwhile keeps what its change has set. */
async function setNextDue(sql: Sql, row: DueRow, afterMs: number): Promise<void> {
  await sql.query('UPDATE schedules SET next_due_at = $3 WHERE id = $1 AND revision = $2', [
    row.scheduleId,
    row.revision,
    findDue(row, afterMs),
  ]);
}

/** Notes that a due time was delivered, whatever comes of it, and when the next one is expected. */
export async function noteDelivered(
  sql: Sql,
  { organizationId, scheduleId, scheduledAt }: Firing,
): Promise<void> {
  const [row] = await sql.query<DueRow & { now: Date }>(
    `SELECT ${COLUMNS}, now() FROM schedules WHERE id = $1 AND organization_id = $2 AND enabled`,
    [scheduleId, organizationId],
  );
  // A delayed firing is followed by the next time from now on: Temporal drops the times in between under some policies.
  if (row !== undefined) await setNextDue(sql, row, Math.max(Date.parse(scheduledAt), row.now.getTime()));
}

/** Computes when new and changed schedules are due. */
export async function computeNextDue(sql: Sql, clock: Clock): Promise<void> {
  const rows = await sql.query<DueRow>(
    `SELECT ${COLUMNS} FROM schedules WHERE enabled AND next_due_at IS NULL LIMIT ${BATCH}`,
  );
  for (const row of rows) await setNextDue(sql, row, clock.now());
}

/** Counts the schedules that did not fire. */
export async function countOverdue(
  sql: Sql,
): Promise<{ readonly count: number; readonly since: Date | null }> {
  const [row] = await sql.query<{ count: number; since: Date | null }>(
    'SELECT count(*)::int AS count, min(next_due_at) AS since FROM overdue_schedules',
  );
  return row ?? { count: 0, since: null };
}

/** @throws Error when schedules did not fire. A database that does not answer is told of as such, not here */
export async function requireFired(sql: Sql): Promise<void> {
  const { count, since } = await countOverdue(sql).catch(() => ({ count: 0, since: null }));
  if (count > 0)
    throw new Error(`${count} schedules did not fire, the first was due at ${since?.toISOString()}`);
}
