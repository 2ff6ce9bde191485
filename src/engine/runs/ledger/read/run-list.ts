/** Reads the history of an organization: its runs, newest first, by their filters. */
import {
  composeBounded,
  fromBounded,
  readBounded,
  STOP_COLUMNS,
  type BoundedRows,
  type Statement,
} from '../../../../base/db/bounded-page.ts';
import { composePage, type PageRead } from '../../../../base/db/keyset.ts';
import type { Db } from '../../../../base/db/client.ts';
import { escapeLike } from '../../../../base/db/like.ts';
import type { RunStatus } from '../write/events.ts';
import { LIST_COLUMNS, readerParams, VISIBLE, type Reader, type RunListRow } from './run-reads.ts';

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

const COLUMNS = ['r.created_at', 'r.id'] as const;
const chooseDirection = ({ isBackward }: PageRead): string => (isBackward ? 'ASC' : 'DESC');

type RunPage = RunFilter & { readonly page: PageRead };

/** The parameters of a statement, and the condition of each filter that is set. */
function bindFilters(reader: Reader, { page, ...filter }: RunPage) {
  const params = readerParams(reader);
  const bind = (value: unknown): string => `$${params.push(value)}`;
  const where = (value: unknown, condition: (param: string) => string): string[] =>
    value === null ? [] : [condition(bind(value))];
  const pairs = filter.metadata === null ? null : JSON.stringify(filter.metadata);
  // A cursor is within these bounds, and an index would be read from the bound to the cursor.
  const isBounded = page.from !== null;
  const conditions = {
    runId: where(filter.runId, (param) => `r.run_id = ${param}`),
    workflow: where(filter.workflowId, (param) => `r.workflow_id = ${param}`),
    status: where(filter.status, (param) => `r.status = ${param}`),
    trigger: where(filter.triggerType, (param) => `r.trigger_type = ${param}`),
    creator: where(filter.createdBy, (param) => `r.created_by = ${param}`),
    metadata: where(pairs, (param) => `(r.metadata IS NOT NULL AND r.metadata @> ${param}::jsonb)`),
    times: [
      ...where(isBounded && page.isBackward ? null : filter.from, (param) => `r.created_at >= ${param}`),
      ...where(isBounded && !page.isBackward ? null : filter.to, (param) => `r.created_at < ${param}`),
    ],
  };
  return { params, bind, conditions };
}

/** Composes the search for a page in all runs. The server chooses the index. */
function composeWhole(reader: Reader, { page, ...filter }: RunPage): Statement {
  const bound = bindFilters(reader, { page, ...filter });
  const { params, bind } = bound;
  const conditions = [VISIBLE, 'NOT r.ephemeral', ...Object.values(bound.conditions).flat()];
  const view = filter.newestSegmentsOnly ? 'newest_segments' : 'segments';
  const direction = chooseDirection(page);
  // The columns of a row cost more than finding it: beside them, the server takes all indexes for equal.
  const readRows = (ctes: string): Statement => ({
    text: `WITH RECURSIVE ${ctes} SELECT ${HISTORY_COLUMNS} FROM page JOIN segments r ON r.id = page.id
       ORDER BY r.created_at ${direction}, r.id ${direction}`,
    params,
  });
  if (filter.text === null) {
    const { condition, tail } = composePage(params, page, COLUMNS);
    return readRows(`page AS MATERIALIZED (
      SELECT r.id FROM ${view} r WHERE ${conditions.join(' AND ')} AND ${condition} ${tail})`);
  }
  const pattern = bind(`%${escapeLike(filter.text)}%`);
  const upTo = page.offset + page.limit;
  // The rows that the page may have of each name, in order: a text that few runs have is not looked for in all of them.
  const { condition, tail: first } = composePage(params, { ...page, offset: 0, limit: upTo }, COLUMNS);
  const { tail } = composePage(params, { ...page, from: null }, COLUMNS);
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

/** Statuses that an index has; in the other ones are most runs. */
const RARE_STATUSES: ReadonlySet<string | null> = new Set(['failed', 'cancelled', 'interrupted']);

/** Composes a page of the matches among the next runs, in the order of one index whatever the server thinks of the filters. */
function composeNext(reader: Reader, { page, ...filter }: RunPage): Statement {
  const { params, bind, conditions } = bindFilters(reader, { page, ...filter });
  const { runId, workflow, status, trigger, creator, metadata, times } = conditions;
  const rare = RARE_STATUSES.has(filter.status) ? status : [];
  const [order = []] = [runId, creator, workflow, rare, filter.triggerType === 'api' ? [] : trigger].filter(
    (each) => each.length > 0,
  );
  // The index by workflow has the rare statuses of one, too; the condition of the index by trigger leaves the most common one out.
  const beside = order === workflow ? rare : order === trigger ? ["r.trigger_type <> 'api'"] : [];
  const text = filter.text === null ? [] : [bind(`%${escapeLike(filter.text)}%`)];
  const filters = [
    VISIBLE,
    'NOT r.ephemeral',
    ...[workflow, status, trigger, creator, metadata].flat(),
    ...text.map(
      (pattern) =>
        `(r.workflow_name ILIKE ${pattern} OR r.status = 'failed' AND r.error->>'message' ILIKE ${pattern})`,
    ),
    ...(filter.newestSegmentsOnly
      ? ['NOT EXISTS (SELECT FROM segments s WHERE s.resumed_from_run_pk = r.id)']
      : []),
  ];
  const indexed = ['r.organization_id = $1', ...order, ...beside, ...times];
  const ctes = composeBounded(params, page, { from: 'segments r', columns: COLUMNS, indexed, filters });
  const direction = chooseDirection(page);
  return {
    text: `WITH ${ctes} SELECT ${HISTORY_COLUMNS}, ${STOP_COLUMNS} FROM ${fromBounded('r')}
       ORDER BY r.created_at ${direction}, r.id ${direction}`,
    params,
  };
}

/** Reads a page of the history, newest first. */
export const listRuns = (
  db: Pick<Db, 'query' | 'transaction'>,
  reader: Reader,
  read: RunPage,
): Promise<BoundedRows<HistoryRow>> =>
  readBounded(db, read.page, {
    whole: composeWhole(reader, read),
    bounded: () => composeNext(reader, read),
  });
