/** Reads single runs as an organization sees them. */
import type { Sql } from '../../../../base/db/client.ts';
import type { JsonObject } from '../../../../language/graph/values/value.ts';
import type { StartDescription } from '../../engine.ts';
import type { RunStatus } from '../write/events.ts';
import { SEGMENT_COLUMNS, type Segment } from '../write/segments.ts';
import { WAITS_FOR_WORKER } from '../write/worker-leases.ts';

/** The reader. Private runs are visible only to their creator and to owners of the organization. */
export interface Reader {
  readonly organizationId: string;
  readonly userId: string;
  readonly seesPrivate: boolean;
}

/** Builds the reader of a caller. Owners see private runs of others; admins do not. */
export const toReader = (scope: {
  readonly organizationId: string;
  readonly role: string;
  readonly caller: { readonly userId: string };
}): Reader => ({
  organizationId: scope.organizationId,
  userId: scope.caller.userId,
  seesPrivate: scope.role === 'owner',
});

/** SQL condition on the table `runs` as `r`: visible to the reader that is bound as $1, $2, $3. */
export const VISIBLE = '(r.organization_id = $1 AND (NOT r.is_private OR r.created_by = $2 OR $3::boolean))';
export const readerParams = (reader: Reader): unknown[] => [
  reader.organizationId,
  reader.userId,
  reader.seesPrivate,
];

/** A segment with the fields that clients see. */
export interface FoundRun extends Segment {
  readonly stream: boolean;
  readonly workflowVersion: string;
  readonly workflowSource: string;
  /** The seq of its newest event. */
  readonly lastSeq: number;
}

/** Finds a run by its run_id, including ephemeral ones; null when the reader may not see one. */
export async function findRun(sql: Sql, reader: Reader, runId: string): Promise<FoundRun | null> {
  const rows = await sql.query<FoundRun>(
    `SELECT ${SEGMENT_COLUMNS}, stream, workflow_version AS "workflowVersion", workflow_source AS "workflowSource",
            last_seq AS "lastSeq"
     FROM runs r WHERE ${VISIBLE} AND run_id = $4`,
    [...readerParams(reader), runId],
  );
  return rows[0] ?? null;
}

/** Reads the description of a run's start; null when the organization has no such run. */
export async function readStart(
  sql: Sql,
  { organizationId, runPk }: { readonly organizationId: string; readonly runPk: string },
): Promise<StartDescription | null> {
  const [start] = await sql.query<StartDescription>(
    `SELECT organization_id AS "organizationId", id AS "rootRunPk", run_id AS "runId", workflow_id AS "workflowId",
            deployment_id AS "deploymentId", workflow_name AS "workflowName", workflow_version AS "workflowVersion",
            trigger_type AS "triggerType", thread_id AS "threadId", is_ad_hoc AS "isAdHoc"
     FROM runs WHERE id = $1 AND organization_id = $2`,
    [runPk, organizationId],
  );
  return start ?? null;
}

/** The fields of a run that its sub-workflow runs inherit. */
export interface ParentRun {
  readonly childDepth: number;
  readonly threadId: string | null;
  readonly chatId: string | null;
  readonly isPrivate: boolean;
  readonly ephemeral: boolean;
  readonly triggerType: string;
  readonly createdBy: string | null;
  readonly redactedPaths: readonly string[] | null;
}

/** Reads a run that calls a sub-workflow; null when the organization has no such run. */
export async function readParent(
  sql: Sql,
  { organizationId, runPk }: { readonly organizationId: string; readonly runPk: string },
): Promise<ParentRun | null> {
  const [parent] = await sql.query<ParentRun>(
    `SELECT child_depth AS "childDepth", thread_id AS "threadId", chat_id AS "chatId", is_private AS "isPrivate", ephemeral,
            trigger_type AS "triggerType",
            created_by AS "createdBy", redacted_paths AS "redactedPaths"
     FROM runs WHERE id = $1 AND organization_id = $2`,
    [runPk, organizationId],
  );
  return parent ?? null;
}

/** Counts the running runs of an organization, up to `atMost`. */
export async function countUnderWay(sql: Sql, organizationId: string, atMost: number): Promise<number> {
  const [row] = await sql.query<{ count: number }>(
    `SELECT count(*)::integer AS count FROM (
       SELECT 1 FROM runs WHERE organization_id = $1 AND status = 'running' LIMIT $2) AS under_way`,
    [organizationId, atMost],
  );
  return row?.count ?? 0;
}

export interface RunListRow {
  id: string;
  run_id: string;
  workflow_id: string | null;
  deployment_id: string | null;
  trigger_type: string;
  is_ad_hoc: boolean;
  status: RunStatus;
  started_at: Date | null;
  completed_at: Date | null;
  created_at: Date;
  error_message: string | null;
  output_summary: string | null;
  has_output: boolean;
  metadata: JsonObject;
  /** When a retention deleted its inputs and outputs; null: they are stored. */
  values_deleted_at: Date | null;
  /** Whether a question of this segment waits for an answer. */
  has_open_interrupts: boolean;
  /** Whether nobody works on it although it is running. */
  waits_for_worker: boolean;
}

/** The columns of a RunListRow, for `runs` as `r`. */
export const LIST_COLUMNS = `
  r.id, r.run_id, r.workflow_id, r.deployment_id, r.trigger_type, r.is_ad_hoc, r.status, r.started_at, r.completed_at,
  r.created_at, r.error->>'message' AS error_message, r.output_summary, r.output IS NOT NULL AS has_output,
  coalesce(r.metadata, '{}') AS metadata, r.values_deleted_at,
  (r.status = 'interrupted' AND EXISTS (SELECT 1 FROM run_interrupts i
   WHERE i.root_run_pk = r.root_run_pk AND i.run_pk = r.id AND i.status = 'pending')) AS has_open_interrupts,
  ${WAITS_FOR_WORKER} AS waits_for_worker`;
