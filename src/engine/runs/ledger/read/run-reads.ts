/** Reads runs as an organization sees them: the history list, and single runs. */
import { composePage, type PageRead } from '../../../../base/db/keyset.ts';
import type { Sql } from '../../../../base/db/client.ts';
import { escapeLike } from '../../../../base/db/like.ts';
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

/** A row of the history list: a run, with the fields by which a person recognizes it. */
export interface HistoryRow extends RunListRow {
  workflow_name: string;
  created_by: string | null;
  /** The node that failed the run, or whose question it waits for. */
  stopped_at: { readonly node_id: string; readonly node_name: string } | null;
  /** Millicredits of all segments of the run and of its sub-workflows. */
  credits_mc: number;
  /** The segments that this one continues, oldest first. */
  earlier_segments: readonly EarlierSegment[];
}

interface EarlierSegment {
  readonly id: string;
  readonly run_id: string;
  readonly status: RunStatus;
  readonly started_at: string | null;
  readonly completed_at: string | null;
}

const HISTORY_COLUMNS = `${LIST_COLUMNS}, r.workflow_name, r.created_by,
  (SELECT json_build_object('node_id', stop.node_id, 'node_name', coalesce(step.node_name, stop.node_id))
   FROM (
     SELECT r.error->>'node_id' AS node_id WHERE r.status = 'failed'
     UNION ALL
     (SELECT node_id FROM run_interrupts i
      WHERE r.status = 'interrupted' AND i.root_run_pk = r.root_run_pk AND i.run_pk = r.id AND i.status = 'pending'
      ORDER BY i.created_at, i.id LIMIT 1)) AS stop
   LEFT JOIN LATERAL (
     SELECT node_name FROM run_steps s WHERE s.run_pk = r.id AND s.node_id = stop.node_id LIMIT 1) AS step ON true
   WHERE stop.node_id IS NOT NULL) AS stopped_at,
  (WITH RECURSIVE tree AS (
     SELECT id FROM runs WHERE root_run_pk = r.root_run_pk
     UNION SELECT child.id FROM tree JOIN runs child ON child.parent_run_pk = tree.id)
   SELECT coalesce(sum(u.credits_mc), 0)::bigint FROM tree JOIN credit_usage u ON u.subject_id = tree.id) AS credits_mc,
  (WITH RECURSIVE earlier AS (
     SELECT id, run_id, status, started_at, completed_at, resumed_from_run_pk, 1 AS distance
     FROM runs WHERE id = r.resumed_from_run_pk
     UNION ALL
     SELECT s.id, s.run_id, s.status, s.started_at, s.completed_at, s.resumed_from_run_pk, distance + 1
     FROM earlier JOIN runs s ON s.id = earlier.resumed_from_run_pk)
   SELECT coalesce(json_agg(json_build_object('id', id, 'run_id', run_id, 'status', status, 'started_at', started_at,
            'completed_at', completed_at) ORDER BY distance DESC), '[]'::json) FROM earlier) AS earlier_segments`;

interface RunFilter {
  readonly runId: string | null;
  readonly workflowId: string | null;
  readonly status: string | null;
  readonly triggerType: string | null;
  readonly createdBy: string | null;
  /** Pairs that the metadata of the run includes. */
  readonly metadata: Readonly<Record<string, string>> | null;
  /** The run was created at this time or later. */
  readonly from: Date | null;
  /** The run was created before this time. */
  readonly to: Date | null;
  /** A part of the workflow's name or of the error message, case-insensitive. */
  readonly text: string | null;
  /** Leaves out segments that another one continues. */
  readonly newestSegmentsOnly: boolean;
}

/** The names under which an organization ($1) has runs: each is found behind the one before, so their runs are not read. */
const RUN_NAMES = `
  names AS (
    (SELECT n.workflow_name AS name FROM segments n WHERE n.organization_id = $1 ORDER BY n.workflow_name LIMIT 1)
    UNION ALL
    SELECT (SELECT n.workflow_name FROM segments n
            WHERE n.organization_id = $1 AND n.workflow_name > names.name ORDER BY n.workflow_name LIMIT 1)
    FROM names WHERE names.name IS NOT NULL)`;

/** Failed runs whose messages are read before those with the text are looked for by its trigrams: a page of a text that one in 25 has. */
const NEXT_FAILED = 500;

/** Reads a page of the history, newest first. */
export async function listRuns(
  sql: Sql,
  reader: Reader,
  { page, ...filter }: RunFilter & { readonly page: PageRead },
): Promise<HistoryRow[]> {
  const params = readerParams(reader);
  const conditions = [VISIBLE, 'NOT r.ephemeral'];
  const bind = (value: unknown): string => `$${params.push(value)}`;
  const where = (value: unknown, condition: (param: string) => string): void => {
    if (value !== null) conditions.push(condition(bind(value)));
  };
  where(filter.runId, (param) => `r.run_id = ${param}`);
  where(filter.workflowId, (param) => `r.workflow_id = ${param}`);
  where(filter.status, (param) => `r.status = ${param}`);
  where(filter.triggerType, (param) => `r.trigger_type = ${param}`);
  where(filter.createdBy, (param) => `r.created_by = ${param}`);
  const pairs = filter.metadata === null ? null : JSON.stringify(filter.metadata);
  where(pairs, (param) => `(r.metadata IS NOT NULL AND r.metadata @> ${param}::jsonb)`);
  // A cursor is within these bounds, and an index would be read from the bound to the cursor.
  const isBounded = page.from !== null;
  where(isBounded && page.isBackward ? null : filter.from, (param) => `r.created_at >= ${param}`);
  where(isBounded && !page.isBackward ? null : filter.to, (param) => `r.created_at < ${param}`);
  const view = filter.newestSegmentsOnly ? 'newest_segments' : 'segments';
  const columns = ['r.created_at', 'r.id'] as const;
  const direction = page.isBackward ? 'ASC' : 'DESC';
  // The columns of a row cost more than finding it: beside them, the server takes all indexes for equal.
  const readRows = (ctes: string): Promise<HistoryRow[]> =>
    sql.query<HistoryRow>(
      `WITH RECURSIVE ${ctes} SELECT ${HISTORY_COLUMNS} FROM page JOIN segments r ON r.id = page.id
       ORDER BY r.created_at ${direction}, r.id ${direction}`,
      params,
    );
  if (filter.text === null) {
    const { condition, tail } = composePage(params, page, columns);
    return readRows(`page AS MATERIALIZED (
      SELECT r.id FROM ${view} r WHERE ${conditions.join(' AND ')} AND ${condition} ${tail})`);
  }
  const pattern = bind(`%${escapeLike(filter.text)}%`);
  const upTo = page.offset + page.limit;
  // The rows that the page may have of each name, in order: a text that few runs have is not looked for in all of them.
  const { condition, tail: first } = composePage(params, { ...page, offset: 0, limit: upTo }, columns);
  const { tail } = composePage(params, { ...page, from: null }, columns);
  const [within, end] = page.isBackward ? ['<=', 'infinity'] : ['>=', '-infinity'];
  const inOrder = (select: string, wanted: readonly string[], order: string): string =>
    `SELECT ${select} FROM ${view} r WHERE ${[...conditions, condition, ...wanted].join(' AND ')} ${order}`;
  // Failed runs beyond the last row that the names give the page are not on it.
  const last = `(SELECT created_at FROM named ORDER BY created_at ${direction}, id ${direction} LIMIT 1 OFFSET ${bind(upTo - 1)})`;
  const failed = ["r.status = 'failed'", `r.created_at ${within} coalesce(${last}, '${end}')`];
  const order = `ORDER BY r.created_at ${direction}, r.id ${direction} LIMIT`;
  const hasText = `r.error->>'message' ILIKE ${pattern}`;
  const most = bind(upTo);
  const isFull = `(SELECT count(*) FROM next_failed) = ${most}`;
  // Behind the wall the server does not know whether many messages have the text: those next in the list tell.
  return readRows(`${RUN_NAMES}, named AS (
      SELECT of_name.* FROM names, LATERAL (
        ${inOrder('r.id, r.created_at', ['r.workflow_name = names.name'], first)}) of_name WHERE names.name ILIKE ${pattern}),
    next_failed AS MATERIALIZED (
      SELECT r.id, r.created_at
      FROM (${inOrder('r.id, r.created_at, r.error', failed, `${order} ${NEXT_FAILED}`)}) r
      WHERE ${hasText} ${order} ${most}),
    page AS MATERIALIZED (SELECT r.id FROM (
      SELECT * FROM named UNION SELECT * FROM next_failed WHERE ${isFull}
      UNION SELECT * FROM (${inOrder('r.id, r.created_at', [...failed, hasText], first)}) of_text WHERE NOT ${isFull}) r ${tail})`);
}
