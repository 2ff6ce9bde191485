/** Rows of runs in the words of the wire: history says `succeeded` where stream and cancel say `completed`. */
import { MILLICREDITS } from '../../billing/plans.ts';
import type { UsageItem } from '../../billing/usage.ts';
import { setOwn, type Json, type JsonObject } from '../../graph/value.ts';
import type { RunListRow } from '../ledger/run-reads.ts';
import type { InterruptRecordRow, RunRecordRow, StepRecordRow } from '../ledger/run-record.ts';

const historyStatus = (status: string): string => (status === 'completed' ? 'succeeded' : status);
const moment = (at: Date | null): string | null => at?.toISOString() ?? null;

/** A row of the history list (WorkflowRunListItem, and deployment_id and output_summary). */
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
    has_open_interrupts: row.has_open_interrupts,
    created_at: row.created_at.toISOString(),
  };
}

/** A step of the record; `input` or `output` is null beside `*_truncated: true` when it is too large to be listed. */
export function presentStep(row: StepRecordRow): JsonObject {
  const { item_index, credits_mc, started_at: startedAt, completed_at: completedAt, ...step } = row;
  return {
    ...step,
    item_index: item_index < 0 ? null : item_index,
    credits: credits_mc / MILLICREDITS,
    started_at: moment(startedAt),
    completed_at: moment(completedAt),
    duration_ms:
      startedAt === null || completedAt === null ? null : completedAt.getTime() - startedAt.getTime(),
  };
}

/** A question and its answer, if it has one. */
export function presentQuestion(row: InterruptRecordRow): JsonObject {
  const { id, question, resume_run_id, responded_at, expires_at, created_at, ...interrupt } = row;
  const { kind, title, message, payload, form, actions, assignees } = question;
  return {
    ...interrupt,
    interrupt_id: id,
    kind,
    title,
    message,
    payload,
    form,
    actions: actions.map((action) => ({ id: action.id, label: action.label })),
    assignees: { roles: [...assignees.roles], user_ids: [...assignees.user_ids] },
    responded_at: moment(responded_at),
    resumed_by_run_id: resume_run_id,
    expires_at: moment(expires_at),
    created_at: created_at.toISOString(),
  };
}

function presentState(entries: readonly { name: string; value: Json }[]): JsonObject {
  const state: JsonObject = {};
  for (const { name, value } of entries) setOwn(state, name, value);
  return state;
}

/** Sums in millicredits: tenths and thousandths do not add up in floating point. */
function presentUsage(usage: readonly UsageItem[]): JsonObject {
  const charged = usage.reduce((sum, item) => sum + Math.round(item.credits * MILLICREDITS), 0);
  return { charged: charged / MILLICREDITS, items: usage.map((item) => ({ ...item })) };
}

/** The record of a run (SPEC RUN-4.3). */
export function presentRecord(
  run: RunRecordRow,
  parts: {
    readonly steps: readonly StepRecordRow[];
    readonly state: readonly { name: string; value: Json }[];
    readonly questions: readonly InterruptRecordRow[];
    readonly usage: readonly UsageItem[];
  },
): JsonObject {
  const { root_run_pk: _, started_at: __, completed_at: ___, created_at: ____, ...columns } = run;
  return {
    ...columns,
    ...presentListItem(run),
    state: presentState(parts.state),
    credits: presentUsage(parts.usage),
    steps: parts.steps.map(presentStep),
    interrupts: parts.questions.map(presentQuestion),
    truncated: parts.steps.some((step) => step.input_truncated || step.output_truncated),
  };
}
