/**
 * Questions and their answers in the database. The first writer that moves the row away from `pending` has answered; the signal
 * to Temporal afterwards only wakes the execution.
 */
import { randomUUID } from 'node:crypto';
import type { Sql, Tx } from '../../../../base/db/client.ts';
import type { Json } from '../../../../language/graph/values/value.ts';
import type { RunRef } from '../../engine.ts';
import { recordResumedBy } from '../write/events.ts';
import type { CountedResponse } from './interrupt-responses.ts';
import { INTERRUPT_COLUMNS, type InterruptRow } from './questions.ts';
import { insertRuns, type RunRow } from '../write/insert-runs.ts';
import { RUN_LIMITS } from '../write/segments.ts';
import { addOutbox } from '../write/outbox-entry.ts';

export interface Answer {
  readonly interruptId: string;
  readonly action: string | null;
  readonly data: Json;
  /** All answers, when the question needs those of several people. */
  readonly responses?: readonly CountedResponse[];
}

/** Reads those of the questions `interruptIds` that belong to the run. */
export async function readInterrupts(
  sql: Sql,
  rootRunPk: string,
  interruptIds: readonly string[],
): Promise<Map<string, InterruptRow>> {
  const rows = await sql.query<InterruptRow>(
    `SELECT ${INTERRUPT_COLUMNS} FROM run_interrupts i WHERE i.root_run_pk = $1 AND i.id = ANY($2::text[])`,
    [rootRunPk, interruptIds],
  );
  return new Map(rows.map((row) => [row.id, row]));
}

export interface OpenedSegment {
  readonly runPk: string;
  readonly runId: string;
  readonly createdAt: Date;
}

// All columns of the previous segment, except for its outcome.
const TAKEN_OVER = `
  SELECT root_run_pk AS "rootRunPk", organization_id AS "organizationId", chat_id AS "chatId", created_by AS "createdBy",
         thread_id AS "threadId", workflow_id AS "workflowId", deployment_id AS "deploymentId",
         deployment_version AS "deploymentVersion", definition_hash AS "definitionHash", NULL AS "definitionText",
         workflow_name AS "workflowName", workflow_version AS "workflowVersion", workflow_source AS "workflowSource",
         trigger_type AS "triggerType", NULL AS "chatKind", '' AS "messagePreview", is_ad_hoc AS "isAdHoc", is_private AS "isPrivate", ephemeral, stream,
         config::text AS config, ${RUN_LIMITS}, input::text AS input, parent_run_pk AS "parentRunPk", parent_step_id AS "parentStepId",
         child_depth AS "childDepth", rerun_of AS "rerunOf", redacted_paths AS "redactedPaths", caller_budgets AS "callerBudgets", handled_error_count AS "handledErrorCount"
  FROM runs WHERE id = $1`;

/**
 * Opens the segment that resumes a waiting run: a new row on the same thread and execution.
 * @param stream null keeps the value of the previous segment
 */
export async function openSegment(tx: Tx, fromRunPk: string, stream: boolean | null): Promise<OpenedSegment> {
  const [before] = await tx.query<Omit<RunRow, 'runPk' | 'runId'>>(TAKEN_OVER, [fromRunPk]);
  if (before === undefined) throw new Error(`run ${fromRunPk} does not exist`);
  const [runPk, runId] = [randomUUID(), randomUUID()];
  const row = { ...before, runPk, runId, resumedFromRunPk: fromRunPk, stream: stream ?? before.stream };
  const [opened] = await insertRuns(tx, [row]);
  if (!opened?.created_at) throw new Error(`the segment after ${fromRunPk} was not inserted`);
  await recordResumedBy(tx, { runPk: fromRunPk, resumedByRunId: runId });
  const { organizationId, rootRunPk, parentRunPk } = before;
  if (parentRunPk) await addOutbox(tx, { kind: 'waits', organizationId, rootRunPk });
  return { runPk, runId, createdAt: opened.created_at };
}

/**
 * Claims questions for a new segment, all or none, and adds the outbox entry that wakes the execution.
 * @returns false when one of them was no longer pending: the caller must roll back
 */
export async function claimInterrupts(
  tx: Sql,
  claim: RunRef & {
    readonly segmentRunPk: string;
    readonly respondedBy: string | null;
    /** The address of a person without an account. */
    readonly respondedEmail?: string | null;
    readonly answers: readonly Answer[];
  },
): Promise<boolean> {
  const { organizationId, rootRunPk, segmentRunPk, respondedBy, respondedEmail = null, answers } = claim;
  const rows = await tx.query(
    `UPDATE run_interrupts i
     SET status = 'claimed', response = a.response::json, responded_by = $4, responded_at = clock_timestamp(),
         responded_email = $6,
         resume_run_pk = $5
     FROM unnest($2::text[], $3::text[]) AS a(id, response)
     WHERE i.id = a.id AND i.root_run_pk = $1 AND i.status = 'pending'
     RETURNING 1`,
    [
      rootRunPk,
      answers.map(({ interruptId }) => interruptId),
      answers.map(({ action, data, responses }) => JSON.stringify({ action, data, responses })),
      respondedBy,
      segmentRunPk,
      respondedEmail,
    ],
  );
  if (rows.length !== answers.length) return false;
  await addOutbox(tx, { kind: 'resume', organizationId, rootRunPk });
  return true;
}
