/** Open runs that the reconciler compares with Temporal: silent ones, and those that wait for an answer. */
import type { Sql } from '../../../../base/db/client.ts';
import type { RunRef } from '../../engine.ts';

export interface OpenRun {
  readonly organizationId: string;
  readonly runPk: string;
  readonly rootRunPk: string;
  /** Whether its parent, a run or a schedule, may not have started its execution yet. */
  readonly isParentOpen: boolean;
  /** Whether a question was answered and the execution has not taken the answer. */
  readonly hasAnswer: boolean;
}

const COLUMNS = `
  r.organization_id AS "organizationId", r.id AS "runPk", r.root_run_pk AS "rootRunPk",
  EXISTS (SELECT 1 FROM runs p WHERE p.id = r.parent_run_pk AND p.status IN ('running', 'interrupted'))
    OR (r.trigger_type = 'schedule' AND r.last_seq = 1 AND r.created_at > now() - interval '15 minutes') AS "isParentOpen",
  EXISTS (SELECT 1 FROM run_interrupts i WHERE i.root_run_pk = r.root_run_pk AND i.status = 'claimed') AS "hasAnswer"`;

/** Runs with undelivered entries are left out: Temporal does not know about their last change yet. */
const NOTHING_TO_TELL = `NOT EXISTS (SELECT 1 FROM outbox o WHERE o.subject_id = r.root_run_pk AND o.due_at < 'infinity')`;

/** Finds running runs without an event for 30 seconds, by run_pk. @param after the last one of the previous page */
export async function findQuietRuns(sql: Sql, after: string | null, limit: number): Promise<OpenRun[]> {
  return sql.query<OpenRun>(
    `SELECT ${COLUMNS} FROM runs r
     WHERE r.status = 'running' AND r.last_event_at < now() - interval '30 seconds'
       AND ($1::uuid IS NULL OR r.id > $1) AND ${NOTHING_TO_TELL}
     ORDER BY r.id LIMIT $2`,
    [after, limit],
  );
}

/** Finds interrupted runs with pending questions, by root_run_pk: one row for each run. */
export async function findWaitingRuns(sql: Sql, after: string | null, limit: number): Promise<OpenRun[]> {
  return sql.query<OpenRun>(
    `SELECT ${COLUMNS} FROM (
       SELECT DISTINCT root_run_pk FROM run_interrupts
       WHERE status = 'pending' AND ($1::uuid IS NULL OR root_run_pk > $1)
       ORDER BY root_run_pk LIMIT $2
     ) AS pending JOIN newest_segments r ON r.root_run_pk = pending.root_run_pk
     WHERE r.status = 'interrupted' AND ${NOTHING_TO_TELL}
     ORDER BY r.root_run_pk`,
    [after, limit],
  );
}

/** Finds the running segment of a run; null when it does not run, or Temporal does not know about its last change yet. */
export async function findRunningRun(
  sql: Sql,
  { organizationId, rootRunPk }: RunRef,
): Promise<OpenRun | null> {
  const [run] = await sql.query<OpenRun>(
    `SELECT ${COLUMNS} FROM newest_segments r
     WHERE r.root_run_pk = $1 AND r.organization_id = $2 AND r.status = 'running' AND ${NOTHING_TO_TELL}`,
    [rootRunPk, organizationId],
  );
  return run ?? null;
}

interface StuckRun {
  readonly runPk: string;
  readonly runId: string;
  readonly organizationId: string;
  readonly rootRunPk: string;
  readonly workflowName: string;
  readonly createdAt: Date;
  readonly lastEventAt: Date;
  /** The newest error of a delivery to Temporal; null: none. */
  readonly lastError: string | null;
}

/** Finds running runs without an event for `olderThanSeconds`, the longest silent first; for operators. */
export async function findStuckRuns(sql: Sql, olderThanSeconds: number, limit: number): Promise<StuckRun[]> {
  return sql.query<StuckRun>(
    `SELECT id AS "runPk", run_id AS "runId", organization_id AS "organizationId", root_run_pk AS "rootRunPk",
            workflow_name AS "workflowName", created_at AS "createdAt", last_event_at AS "lastEventAt",
            (SELECT o.last_error FROM outbox o WHERE o.subject_id = r.root_run_pk ORDER BY o.id DESC LIMIT 1) AS "lastError"
     FROM runs r WHERE status = 'running' AND last_event_at < now() - make_interval(secs => $1)
     ORDER BY last_event_at LIMIT $2`,
    [olderThanSeconds, limit],
  );
}
