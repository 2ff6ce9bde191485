/** Presents rows of runs as JSON. The history says `succeeded` where the stream and cancel say `completed`. */
import { MILLICREDITS } from '../../../platform/billing/plans.ts';
import type { UsageItem } from '../../../platform/billing/usage.ts';
import type { JsonObject } from '../../../language/graph/values/value.ts';
import type { CallbackPlace } from '../ledger/questions/callback-answers.ts';
import type { HistoryRow } from '../ledger/read/run-list.ts';
import type { RunListRow } from '../ledger/read/run-reads.ts';
import type { WaitingChild } from '../ledger/write/child-runs.ts';
import type { StepOutlineRow } from '../ledger/read/run-outline.ts';
import { toQuestionFields } from '../ledger/questions/questions.ts';
import type { InterruptRecordRow, RunRecordRow, StepRecordRow } from '../ledger/read/run-record.ts';

const historyStatus = (status: string): string => (status === 'completed' ? 'succeeded' : status);
/** @param at a time as PostgreSQL gives it: a Date in a column, text inside JSON */
const moment = (at: Date | string | null): string | null => (at === null ? null : new Date(at).toISOString());

/** Presents a row of the history. */
export function presentListItem(row: RunListRow): JsonObject {
  const startedAt = row.started_at ?? row.created_at;
  return {
    id: row.id,
    run_id: row.run_id,
    workflow_id: row.workflow_id,
    deployment_id: row.deployment_id,
    trigger_type: row.trigger_type,
    is_ad_hoc: row.is_ad_hoc,
    status: historyStatus(row.status),
    started_at: startedAt.toISOString(),
    completed_at: moment(row.completed_at),
    duration_seconds:
      row.completed_at === null
        ? null
        : Math.max(0, row.completed_at.getTime() - startedAt.getTime()) / 1_000,
    error_message: row.error_message,
    output_summary: row.output_summary,
    has_output: row.has_output,
    metadata: row.metadata,
    values_deleted_at: moment(row.values_deleted_at),
    has_open_interrupts: row.has_open_interrupts,
    waits_for_worker: row.waits_for_worker,
    created_at: row.created_at.toISOString(),
  };
}

/** Presents a row of GET /workflow-runs: the list item with workflow, credits and earlier segments. */
export function presentHistoryRow(row: HistoryRow): JsonObject {
  return {
    ...presentListItem(row),
    workflow_name: row.workflow_name,
    created_by: row.created_by,
    stopped_at: row.stopped_at,
    credits: row.credits_mc / MILLICREDITS,
    earlier_segments: row.earlier_segments.map((segment) => ({
      id: segment.id,
      run_id: segment.run_id,
      status: historyStatus(segment.status),
      started_at: moment(segment.started_at),
      completed_at: moment(segment.completed_at),
    })),
  };
}

/** Presents a step; `input` or `output` is null with `*_truncated: true` when it is too large to be listed. */
export function presentStep(row: StepRecordRow): JsonObject {
  const { started_at: startedAt, completed_at: completedAt } = row;
  return {
    ...row,
    item_index: row.item_index < 0 ? null : row.item_index,
    started_at: moment(startedAt),
    completed_at: moment(completedAt),
    duration_ms:
      startedAt === null || completedAt === null ? null : completedAt.getTime() - startedAt.getTime(),
  };
}

/** Shows of an e-mail address its first letter and its domain. */
function maskAddress(link: JsonObject): JsonObject {
  const { address } = link;
  return { ...link, address: typeof address === 'string' ? address.replace(/^(.).*@/, '$1***@') : null };
}

/** Presents the outline of a step. Absent fields are null: a run may have many thousands of steps. */
export function presentOutline(row: StepOutlineRow): JsonObject {
  const { step_id, node_id, node_name, status, visit, started_ms: startedMs, duration_ms: durationMs } = row;
  return {
    step_id,
    node_id,
    node_name,
    status,
    visit,
    ...(row.parent_step_id === null ? {} : { parent_step_id: row.parent_step_id }),
    ...(row.item_index < 0 ? {} : { item_index: row.item_index }),
    ...(row.iteration === null ? {} : { iteration: row.iteration }),
    ...(row.selected_handle === null ? {} : { selected_handle: row.selected_handle }),
    ...(startedMs === null ? {} : { started_at: new Date(startedMs).toISOString() }),
    ...(durationMs === null ? {} : { duration_ms: durationMs }),
  };
}

/**
 * Presents a question, with its answer if it has one.
 * @param callbackUrl builds the address of a callback, for a reader who may answer it: every member may
 */
export function presentQuestion(
  row: InterruptRecordRow,
  callbackUrl: (place: Omit<CallbackPlace, 'organizationId'>) => string,
): JsonObject {
  const { id, run_id, node_id, step_id, root_run_pk: rootRunPk, visit, question, ...answer } = row;
  return {
    interrupt_id: id,
    run_id,
    node_id,
    step_id,
    ...toQuestionFields(question),
    ...answer,
    links: row.links.map(maskAddress),
    callback_url:
      question.kind === 'callback' && row.status === 'pending'
        ? callbackUrl({ rootRunPk, visit, nodeId: node_id })
        : null,
    responded_at: moment(row.responded_at),
    last_late_call_at: moment(row.last_late_call_at),
    expires_at: moment(row.expires_at),
    created_at: row.created_at.toISOString(),
  };
}

/** Sums in whole millicredits, because fractions of credits are inexact in floating point. */
function presentUsage(usage: readonly UsageItem[]): JsonObject {
  const charged = usage.reduce((sum, item) => sum + Math.round(item.credits * MILLICREDITS), 0);
  return { charged: charged / MILLICREDITS, items: usage.map((item) => ({ ...item })) };
}

/** Presents the first fields of a record, which is streamed part by part (SPEC RUN-4.3). */
export function presentRecordHead(run: RunRecordRow): JsonObject {
  return {
    ...presentListItem(run),
    thread_id: run.thread_id,
    chat_id: run.chat_id,
    workflow_name: run.workflow_name,
    workflow_version: run.workflow_version,
    workflow_source: run.workflow_source,
    deployment_version: run.deployment_version,
    is_private: run.is_private,
    created_by: run.created_by,
  };
}

/** Presents the fields that follow input, output and state. */
export function presentRecordSums(run: RunRecordRow, usage: readonly UsageItem[]): JsonObject {
  return {
    error: run.error,
    usage: run.usage,
    handled_error_count: run.handled_error_count,
    cancel_reason: run.cancel_reason,
    credits: presentUsage(usage),
  };
}

/** Presents the fields that follow steps and questions. @param truncated true when a value was too large */
export function presentRecordTail(
  run: RunRecordRow,
  { waits, truncated }: { readonly waits: readonly WaitingChild[]; readonly truncated: boolean },
): JsonObject {
  return {
    waits_for: waits.map((wait) => ({ ...wait }) as unknown as JsonObject),
    resumed_from_run_id: run.resumed_from_run_id,
    resumed_by_run_ids: run.resumed_by_run_ids,
    rerun_of: run.rerun_of,
    rerun_of_run_pk: run.rerun_of_run_pk,
    parent_run_id: run.parent_run_id,
    truncated,
  };
}
