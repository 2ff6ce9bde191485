/** Accepted runs that are to start: the description for Temporal, and which of them have started. */
import { keysTable } from '../../../../base/db/batcher.ts';
import type { BatchedReads, Sql } from '../../../../base/db/client.ts';
import type { RunRef, StartDescription } from '../../engine.ts';
import type { RunStatus } from './events.ts';

interface AcceptedStart {
  readonly start: StartDescription;
  readonly status: RunStatus;
  /** Whether its execution has made the first advance. Events do not tell: a rerun has some before its start. */
  readonly hasStarted: boolean;
}

const READ = `
  SELECT keys.place, r.status, c.advance > 0 AS "hasStarted",
         json_build_object(
           'organizationId', r.organization_id, 'rootRunPk', r.root_run_pk, 'runId', r.run_id,
           'workflowId', r.workflow_id, 'deploymentId', r.deployment_id, 'workflowName', r.workflow_name,
           'workflowVersion', r.workflow_version, 'triggerType', r.trigger_type, 'threadId', r.thread_id,
           'isAdHoc', r.is_ad_hoc, 'rerunOf', r.rerun_of, 'metadata', r.metadata) AS start
  FROM ${keysTable({ organization_id: 'uuid', run_pk: 'uuid' })}
  JOIN runs r ON r.id = keys.run_pk AND r.organization_id = keys.organization_id
  JOIN run_cursors c ON c.root_run_pk = r.id`;

/** Reads the first segment of a run; null when it does not exist. Runs that are read at the same moment share a statement. */
export async function readAcceptedStart(
  db: BatchedReads,
  { organizationId, rootRunPk }: RunRef,
): Promise<AcceptedStart | null> {
  const [row] = await db.batched<AcceptedStart>(READ, [organizationId, rootRunPk]);
  return row ?? null;
}

/** Finds those of the runs that have started, have ended, or do not exist. */
export async function findStarted(sql: Sql, runPks: readonly string[]): Promise<string[]> {
  if (runPks.length === 0) return [];
  const rows = await sql.query<{ run_pk: string }>(
    `SELECT given.run_pk FROM unnest($1::uuid[]) AS given (run_pk)
     LEFT JOIN runs r ON r.id = given.run_pk LEFT JOIN run_cursors c ON c.root_run_pk = r.id
     WHERE r.id IS NULL OR r.status <> 'running' OR c.advance > 0`,
    [runPks],
  );
  return rows.map((row) => row.run_pk);
}
