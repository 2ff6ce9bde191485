/**
 * Questions and their answers in the database. The row decides: whoever moves it away from `pending` has answered;
 * the Temporal signal that follows only wakes the execution (compare-and-set decides, the signal delivers).
 */
import { randomUUID } from 'node:crypto';
import type { Sql, Tx } from '../../db/client.ts';
import type { Json, JsonObject } from '../../graph/value.ts';
import type { Question } from '../../nodes/kind.ts';
import { tellContinued } from './events.ts';
import { addOutbox } from './outbox-entry.ts';

export type InterruptStatus = 'pending' | 'claimed' | 'consumed' | 'expired' | 'cancelled' | 'superseded';

export interface StoredInterrupt {
  readonly interruptId: string;
  readonly status: InterruptStatus;
  readonly question: Question;
  /** Its time is over by the clock of the database, even when the timer has not fired yet. */
  readonly isOverdue: boolean;
}

export interface Answer {
  readonly interruptId: string;
  readonly action: string | null;
  readonly data: Json;
}

/** The questions of one execution among `interruptIds`; those of others are not found. */
export async function readInterrupts(
  sql: Sql,
  rootRunPk: string,
  interruptIds: readonly string[],
): Promise<Map<string, StoredInterrupt>> {
  const rows = await sql.query<{
    id: string;
    status: InterruptStatus;
    question: Question;
    is_overdue: boolean;
  }>(
    `SELECT id, status, question, coalesce(expires_at <= now(), false) AS is_overdue FROM run_interrupts
     WHERE root_run_pk = $1 AND id = ANY($2::text[])`,
    [rootRunPk, interruptIds],
  );
  return new Map(
    rows.map((row) => [
      row.id,
      { interruptId: row.id, status: row.status, question: row.question, isOverdue: row.is_overdue },
    ]),
  );
}

// Everything but the outcome is taken over from the segment before.
const OPEN_SEGMENT = `
  WITH run AS (
    INSERT INTO runs (id, run_id, root_run_pk, organization_id, chat_id, created_by, thread_id, workflow_id,
                      deployment_id, deployment_version, definition_hash, workflow_name, workflow_version,
                      workflow_source, trigger_type, is_ad_hoc, is_private, ephemeral, stream, config, input,
                      parent_run_pk, parent_step_id, child_depth, rerun_of, handled_error_count, resumed_from_run_pk, started_at)
    SELECT $1, $2, root_run_pk, organization_id, chat_id, created_by, thread_id, workflow_id,
           deployment_id, deployment_version, definition_hash, workflow_name, workflow_version,
           workflow_source, trigger_type, is_ad_hoc, is_private, ephemeral, coalesce($4::boolean, stream), config, input,
           parent_run_pk, parent_step_id, child_depth, rerun_of, handled_error_count, id, clock_timestamp()
    FROM runs WHERE id = $3
    RETURNING *
  )
  SELECT run.id, run.run_id, run.created_at, append_events(run.id, ARRAY['run_started'], ARRAY[json_build_object(
    'workflow_id', run.workflow_id, 'workflow_name', run.workflow_name, 'workflow_version', run.workflow_version,
    'workflow_source', run.workflow_source, 'deployment_id', run.deployment_id, 'chat_id', run.chat_id,
    'ephemeral', run.ephemeral, 'reason', 'resume', 'resumed_from_run_id', before.run_id,
    'rerun_of', run.rerun_of)::text]) AS last_seq
  FROM run JOIN runs before ON before.id = $3`;

interface SegmentRow {
  id: string;
  run_id: string;
  created_at: Date;
  last_seq: number | null;
}

export interface OpenedSegment {
  readonly runPk: string;
  readonly runId: string;
  readonly createdAt: Date;
}

/**
 * Opens the segment that follows an interrupted one: a run of its own, on the same thread and execution.
 * @param stream null keeps what the run before had
 */
export async function openSegment(tx: Tx, fromRunPk: string, stream: boolean | null): Promise<OpenedSegment> {
  const rows = await tx.query<SegmentRow>(OPEN_SEGMENT, [randomUUID(), randomUUID(), fromRunPk, stream]);
  const [row] = rows;
  if (row === undefined) throw new Error(`run ${fromRunPk} does not exist`);
  await tellContinued(tx, { runPk: fromRunPk, resumedByRunId: row.run_id });
  return { runPk: row.id, runId: row.run_id, createdAt: row.created_at };
}

/**
 * Claims questions for a new segment, all or none, and lets Temporal know.
 * @returns false when one of them was no longer pending; the caller rolls back
 */
export async function claimInterrupts(
  tx: Sql,
  claim: {
    readonly organizationId: string;
    readonly rootRunPk: string;
    readonly segmentRunPk: string;
    readonly respondedBy: string | null;
    readonly answers: readonly Answer[];
  },
): Promise<boolean> {
  const responses = claim.answers.map((answer): JsonObject => ({ action: answer.action, data: answer.data }));
  const rows = await tx.query(
    `UPDATE run_interrupts i
     SET status = 'claimed', response = a.response::json, responded_by = $4, responded_at = clock_timestamp(),
         resume_run_pk = $5
     FROM unnest($2::text[], $3::text[]) AS a(id, response)
     WHERE i.id = a.id AND i.root_run_pk = $1 AND i.status = 'pending'
     RETURNING 1`,
    [
      claim.rootRunPk,
      claim.answers.map((answer) => answer.interruptId),
      responses.map((response) => JSON.stringify(response)),
      claim.respondedBy,
      claim.segmentRunPk,
    ],
  );
  if (rows.length !== claim.answers.length) return false;
  await addOutbox(tx, {
    kind: 'resume',
    organizationId: claim.organizationId,
    runPk: claim.segmentRunPk,
    rootRunPk: claim.rootRunPk,
  });
  return true;
}
