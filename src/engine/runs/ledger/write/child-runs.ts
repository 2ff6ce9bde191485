/**
 * The runs of sub-workflows as their parents see them: how they end, and the questions that they wait for, at any depth. Changes
 * reach the stream of a parent through the outbox: a run must not lock the runs above it, because cancellations lock from the
 * top.
 */
import type { Db, Sql, Tx } from '../../../../base/db/client.ts';
import type { Json, JsonObject } from '../../../../language/graph/values/value.ts';
import type { Question } from '../../../../language/nodes/kind.ts';
import type { RunRef } from '../../engine.ts';
import { appendEvents } from './events.ts';
import { readCurrentSegment } from './segments.ts';

/** The end of a child run, from its newest segment. */
export interface ChildEnd {
  readonly runId: string;
  readonly status: string;
  readonly output: Json;
  readonly error: {
    readonly code?: string;
    readonly message?: string;
    readonly node_id?: string | null;
  } | null;
}

/** Reads how a child run ended; null when the run does not exist. */
export async function readChildEnd(sql: Sql, childRunPk: string): Promise<ChildEnd | null> {
  const [child] = await sql.query<ChildEnd>(
    `SELECT run_id AS "runId", status, output, error FROM newest_segments WHERE root_run_pk = $1`,
    [childRunPk],
  );
  return child ?? null;
}

/** Tells whether the newest segment of a run runs or waits. */
export async function isRunOpen(sql: Sql, { organizationId, rootRunPk }: RunRef): Promise<boolean> {
  const open = await sql.query(
    `SELECT 1 FROM newest_segments
     WHERE root_run_pk = $1 AND organization_id = $2 AND status IN ('running', 'interrupted')`,
    [rootRunPk, organizationId],
  );
  return open.length > 0;
}

/** A run below a step, and the questions that it waits for. */
interface WaitingRun {
  readonly run_id: string;
  readonly run_pk: string;
  readonly workflow_name: string;
  readonly interrupts: readonly {
    readonly interrupt_id: string;
    readonly node_id: string;
    readonly kind: Question['kind'];
    readonly title: string;
    readonly assignees: Question['assignees'];
    readonly expires_at: string | null;
  }[];
}

/** A WaitingRun with the step of the run above that waits for it. */
export interface WaitingChild extends WaitingRun {
  readonly step_id: string;
  readonly node_id: string;
}

// A running step with a child waits for it; a step that does not wait ends when its child has started.
const WAITS = `
  WITH RECURSIVE below AS (
    SELECT step_id, node_id, child_run_pk AS root FROM run_steps
    WHERE root_run_pk = $1 AND status = 'running' AND child_run_pk IS NOT NULL
    UNION ALL
    SELECT b.step_id, b.node_id, s.child_run_pk FROM below b JOIN run_steps s ON s.root_run_pk = b.root
    WHERE s.status = 'running' AND s.child_run_pk IS NOT NULL
  )
  SELECT b.step_id, b.node_id, r.run_id, r.id AS run_pk, r.workflow_name, json_agg(json_build_object(
           'interrupt_id', i.id, 'node_id', i.node_id, 'kind', i.question->'kind', 'title', i.question->'title',
           'assignees', i.question->'assignees', 'expires_at', i.expires_at) ORDER BY i.created_at, i.id) AS interrupts
  FROM below b JOIN newest_segments r ON r.root_run_pk = b.root AND r.organization_id = $2
  JOIN run_interrupts i ON i.root_run_pk = b.root AND i.status = 'pending'
  WHERE r.status = 'interrupted'
  GROUP BY b.step_id, b.node_id, r.run_id, r.id, r.workflow_name, r.created_at ORDER BY r.created_at, r.id`;

/** Lists the runs below a run that wait for an answer, oldest first. */
export async function readChildWaits(
  sql: Sql,
  { organizationId, rootRunPk }: RunRef,
): Promise<readonly WaitingChild[]> {
  const rows = await sql.query<WaitingChild>(WAITS, [rootRunPk, organizationId]);
  return rows.map((row) => ({
    ...row,
    interrupts: row.interrupts.map((question) => {
      const { expires_at: expiresAt } = question;
      return { ...question, expires_at: expiresAt === null ? null : new Date(expiresAt).toISOString() };
    }),
  }));
}

/** The step of a run that waits for another run. */
interface Caller extends RunRef {
  readonly stepId: string;
}

/** Finds the runs above a run, the nearest first. */
function findCallers(sql: Sql, { organizationId, rootRunPk }: RunRef): Promise<Caller[]> {
  return sql.query<Caller>(
    `WITH RECURSIVE callers AS (
       SELECT p.organization_id, p.root_run_pk, c.parent_step_id
       FROM runs c JOIN runs p ON p.id = c.parent_run_pk WHERE c.id = $1 AND c.organization_id = $2
       UNION ALL
       SELECT p.organization_id, p.root_run_pk, c.parent_step_id
       FROM callers a JOIN runs c ON c.id = a.root_run_pk JOIN runs p ON p.id = c.parent_run_pk
     )
     SELECT organization_id AS "organizationId", root_run_pk AS "rootRunPk", parent_step_id AS "stepId" FROM callers`,
    [rootRunPk, organizationId],
  );
}

/** Writes the questions that a run waits for to the streams of the runs above it, each in its own transaction. */
export async function notifyCallers(db: Db, run: RunRef): Promise<void> {
  for (const caller of await findCallers(db, run)) await db.transaction((tx) => notifyCaller(tx, caller));
}

async function notifyCaller(tx: Tx, caller: Caller): Promise<void> {
  const segment = await readCurrentSegment(tx, caller, true);
  if (segment?.status !== 'running') return;
  const fields = await readNodeFields(tx, caller);
  if (fields === null) return;
  const waits = (await readChildWaits(tx, caller)).filter(({ step_id: stepId }) => stepId === caller.stepId);
  const runs = waits.map(({ step_id: _step, node_id: _node, ...run }): WaitingRun => run);
  const text = JSON.stringify({ waits_for: runs });
  if (text === (await readLastSent(tx, segment.runPk, caller.stepId))) return;
  const data = JSON.parse(text) as JsonObject;
  await appendEvents(tx, segment.runPk, [{ type: 'progress', payload: { ...fields, data } }]);
}

/** Reads the fields of a node event for a running step; null when the step has ended. */
async function readNodeFields(sql: Sql, { rootRunPk, stepId }: Caller): Promise<JsonObject | null> {
  const [step] = await sql.query<{ fields: JsonObject }>(
    `SELECT json_strip_nulls(json_build_object(
       'step_id', step_id, 'node_id', node_id, 'node_type', node_type, 'node_name', node_name, 'attempt', attempt,
       'depth', depth, 'item_index', CASE WHEN item_index >= 0 THEN item_index END, 'parent_step_id', parent_step_id,
       'iteration', iteration)) AS fields
     FROM run_steps WHERE step_id = $1 AND root_run_pk = $2 AND status = 'running'`,
    [stepId, rootRunPk],
  );
  return step?.fields ?? null;
}

const NOTHING = JSON.stringify({ waits_for: [] });

/** Reads the last progress frame of a step, to recognize an outbox entry that was delivered twice. */
async function readLastSent(sql: Sql, runPk: string, stepId: string): Promise<string> {
  const [told] = await sql.query<{ data: JsonObject }>(
    `SELECT payload->'data' AS data FROM run_events
     WHERE run_pk = $1 AND type = 'progress' AND payload->>'step_id' = $2 AND payload->'data'->'waits_for' IS NOT NULL
     ORDER BY seq DESC LIMIT 1`,
    [runPk, stepId],
  );
  return told === undefined ? NOTHING : JSON.stringify(told.data);
}
